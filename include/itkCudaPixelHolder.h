// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaPixelHolder_h
#define itkCudaPixelHolder_h

#include "CudaFiltersExport.h"
#include <cstdint>
#include <vector>

namespace itk
{
class DataObject;

/** \class CudaPixelHolder
 * \brief Interface of CudaBackedImage that is independent of the pixel type.
 *
 * The CUDA filters use this interface to control where the pixels of their inputs and outputs are valid.
 *
 * \sa CudaBackedImage
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaPixelHolder
{
public:
  virtual ~CudaPixelHolder();

  /** Makes the host copy valid and visible, for readers that do not use the accessors of CudaBackedImage. */
  virtual void
  MakeHostValid() const = 0;

  /** Makes the host copy valid unless all host access is tracked. */
  virtual void
  MakeHostValidUnlessTracked() const = 0;

  /** Returns whether the requester of the pixels that are being computed reads them on the host. */
  virtual bool
  IsHostWanted() const = 0;

  /** Whether, during an update, a filter that reads the pixels on a device has requested them. */
  virtual bool
  IsReadOnDevice() const = 0;

  /** Returns the device that holds the pixels, or -1 if none does. */
  virtual int
  GetDeviceNumber() const = 0;

  /** Returns whether the pixels are accessible on the host through itk::Image: a program may have pointers to them. */
  virtual bool
  IsHostVisible() const = 0;

  /** Returns whether a device can read its copy of the pixels as it is: the host copy is not visible, or was equal
   * after the given tick. */
  virtual bool
  IsReadyOnDevice(std::uint64_t tick) const = 0;

  /** Reports that the host pixels were written. Invalidates the device copy if the host copy is visible. */
  virtual void
  SetHostModified() = 0;

  /** \name For a filter whose output this is. A CPU filter may replace the container by a plain one, or share it with a
   * filter of its own. BeforeDeviceRun() replaces such a container. */
  /**@{*/
  /** Discards the pixels, so that a filter inside the CPU filter finds none from a device and computes its own. */
  virtual void
  BeforeCpuRun() = 0;
  /** Notes the container that the CPU filter has left. */
  virtual void
  AfterCpuRun() = 0;
  /** Called after AfterCpuRun(). If the input has the same container, since the CPU filter has computed in place,
   * BeforeDeviceRun() keeps it: the program may have pointers to this memory. */
  virtual void
  KeepContainerOf(const DataObject & input) = 0;
  /** Replaces a container that a CPU filter has left. */
  virtual void
  BeforeDeviceRun() = 0;
  /**@}*/

  /** Reports that a device has computed the pixels. */
  virtual void
  SetComputedOnDevice() = 0;

  /** Releases the device copy, even if it is the only valid copy. For a filter that is about to write the host copy. */
  virtual void
  DiscardDevice() = 0;

  /** Empties the buffered region, so that the pixels must be computed again. Visible host memory stays, as in ITK after
   * an exception. */
  virtual void
  DiscardPixels() = 0;

  /** Takes a new container if the input has this one, as after a run in place. */
  virtual void
  LeaveContainerOf(const DataObject & input) = 0;

  /** Takes a new, empty container if other objects share the present one, or if that is a plain one. */
  virtual void
  LeaveSharedContainer() = 0;

protected:
  /** For UpdateOutputData(): returns whether a filter that reads the pixels on the device has called it, and removes
   * one registration of this object from the innermost CudaDeviceReadScope. */
  bool
  ConsumeDeviceReadAnnouncement();
};

/** \class CudaDeviceReadScope
 * \brief Announces, during its lifetime, that the calling thread updates images to read them on the device.
 *
 * A filter creates an object of this class before it updates its inputs, and adds the inputs. For each time that an
 * image was added, one call of its UpdateOutputData() leaves the pixels on the device instead of downloading them.
 *
 * \sa CudaPixelHolder
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaDeviceReadScope
{
public:
  CudaDeviceReadScope();
  ~CudaDeviceReadScope();
  CudaDeviceReadScope(const CudaDeviceReadScope &) = delete;
  CudaDeviceReadScope &
  operator=(const CudaDeviceReadScope &) = delete;

  /** Announces one update of an image. */
  void
  Add(CudaPixelHolder & holder);

private:
  friend class CudaPixelHolder;

  std::vector<CudaPixelHolder *> m_Holders;
  CudaDeviceReadScope *          m_Outer; // scope of the downstream filter in the same thread
};
} // namespace itk

#endif
