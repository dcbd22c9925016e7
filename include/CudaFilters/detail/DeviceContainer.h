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

  /** The pixels on the execution's device, uploaded first if needed. When both sides are valid, the device copy is used
   * if trustDevice is true or if the last copy between the two sides was made after the given tick; otherwise the host
   * copy may have been modified without notice, and is uploaded again. */
  virtual DeviceLease
  ReadOnDevice(const Execution & execution, bool trustDevice, std::uint64_t tick = 0) = 0;

  /** Begins the upload that ReadOnDevice() would make, in slabs along an axis of an image of the given size, and locks
   * the container until it ends; nullptr if there is nothing to copy. */
  virtual std::unique_ptr<SlabUpload>
  UploadInSlabs(const Execution & execution,
                const Size3 &     size,
                int               axis,
                bool              trustDevice,
                std::uint64_t     tick = 0) = 0;

  /** Whether ReadOnDevice() would find the pixels on the device and copy nothing. */
  virtual bool
  IsReadyOnDevice(int device, bool trustDevice, std::uint64_t tick = 0) const = 0;

  /** Device memory for new pixels. After AcceptFromDevice(), and only then, they are the pixels of this container, and
   * the host copy is stale. */
  virtual DeviceLease
  WriteOnDevice(const Execution & execution, SizeValueType pixels) = 0;
  virtual void
  AcceptFromDevice(DeviceLease && written) = 0;

  /** Host memory for as many pixels, not visible yet. After AcceptDownload(), which comes after AcceptFromDevice(), it
   * is the host copy. */
  virtual void *
  PrepareDownload(SizeValueType pixels) = 0;
  virtual void
  AcceptDownload() = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
