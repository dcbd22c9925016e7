// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_DeviceContainer_h
#define CudaFilters_detail_DeviceContainer_h

#include "CudaFiltersExport.h"
#include "CudaFilters/detail/DevicePixels.h"
#include "CudaFilters/detail/SlabCopy.h"
#include "itkLightObject.h"
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Device access to a CudaImportImageContainer of any pixel type; sizes are in pixels. */
class CudaFilters_EXPORT DeviceContainer
{
public:
  virtual ~DeviceContainer();

  /** The container itself, so that a run can keep it alive. */
  virtual LightObject *
  GetContainerObject() = 0;

  virtual SizeValueType
  GetNumberOfPixels() const = 0;

  /** Returns how many pixels the visible host memory has room for; 0 if there is none. A container that has become
   * smaller keeps its memory, which other images may still read as ITK does. */
  virtual SizeValueType
  GetVisibleCapacity() const = 0;

  /** Returns access to the pixels on the execution's device, or an empty lease if they must be uploaded. Once the host
   * copy is visible, programs can write it without notice: then the device copy is used only if the last copy between
   * the two was made after the given tick. */
  virtual DeviceLease
  ReadOnDevice(const Execution & execution, std::uint64_t tick) = 0;

  /** Returns whether ReadOnDevice() would return access. */
  virtual bool
  IsReadyOnDevice(int device, std::uint64_t tick) const = 0;

  /** Host pixels, and the version of the container's pixels when they were returned. */
  struct HostVersion
  {
    const void *  Pixels;
    std::uint64_t Version;
  };

  /** Returns the pixels for an upload to the given object, downloaded first if only another device has them. The
   * container does not wait for the end of the upload, so that several threads can upload the same pixels. Memory of a
   * device copy that is of no use moves to the given object. */
  virtual HostVersion
  BeginUpload(DevicePixels & pixels) = 0;

  /** Makes uploaded pixels the device copy, unless the container has other pixels by now. */
  virtual void
  AcceptUpload(const DevicePixels & uploaded, std::uint64_t version) = 0;

  /** Announces new pixels, which a device will compute. A host access before they are valid finds memory for them. */
  virtual void
  ExpectPixels(SizeValueType pixels) = 0;

  /** Returns device memory for new pixels. After AcceptFromDevice(), and only then, they are the pixels of this
   * container. */
  virtual DeviceLease
  WriteOnDevice(const Execution & execution, SizeValueType pixels) = 0;

  /** isDownloaded: the memory of PrepareDownload() holds the same pixels, and is the visible host copy from now on. */
  virtual void
  AcceptFromDevice(DeviceLease && written, bool isDownloaded) = 0;

  /** Returns whether the host copy is visible: its memory was returned to a caller, or can be read through the
   * superclass of the container. A program may have kept its address, so that new pixels must be copied there. */
  virtual bool
  IsHostVisible() const = 0;

  /** Makes the host copy valid and visible. */
  virtual void
  MakeHostVisible() = 0;

  /** Returns host memory for new pixels: the visible memory, if it suffices. Invalidates the host copy. */
  virtual void *
  PrepareDownload(SizeValueType pixels) = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
