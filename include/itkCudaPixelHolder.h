// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaPixelHolder_h
#define itkCudaPixelHolder_h

#include "CudaFiltersExport.h"
#include <vector>

namespace itk
{
/** \class CudaPixelHolder
 * \brief What a filter says to its CudaBackedImage inputs and outputs without knowing their pixel type.
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaPixelHolder
{
public:
  virtual ~CudaPixelHolder();

  /** Makes the host side valid for readers who do not ask for it. */
  virtual void
  MakeHostValid() const = 0;

  /** The same, unless everyone who touches the pixels is known to ask. */
  virtual void
  MakeHostValidUnlessTracked() const = 0;

  /** Whether somebody waits for the host side of the pixels that are being made. */
  virtual bool
  IsHostWanted() const = 0;

  /** The host side, if valid, is the only one from now on. */
  virtual void
  SetHostModified() = 0;

  /** Forgets the pixels on the device, even if only they are valid: the host side is about to be written. */
  virtual void
  DiscardDevice() = 0;

protected:
  /** For UpdateOutputData(): whether it was called by a filter that reads the pixels on the device. */
  bool
  TakeAnnouncement();
};

/** \class CudaDeviceReaders
 * \brief While this lives, the thread that made it updates images in order to read them on the device.
 *
 * A filter makes one before it updates its inputs: then each UpdateOutputData() of an image that was added, once for
 * each time it was added, leaves the pixels on the device.
 *
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaDeviceReaders
{
public:
  CudaDeviceReaders();
  ~CudaDeviceReaders();
  CudaDeviceReaders(const CudaDeviceReaders &) = delete;
  CudaDeviceReaders &
  operator=(const CudaDeviceReaders &) = delete;

  void
  Add(CudaPixelHolder & holder);

private:
  friend class CudaPixelHolder;

  std::vector<CudaPixelHolder *> m_Holders;
  CudaDeviceReaders *            m_Outer; // of the filter, in the same thread, for which this one is updated
};
} // namespace itk

#endif
