// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_SlabCopy_h
#define CudaFilters_SlabCopy_h

#include "CudaFiltersExport.h"
#include "CudaFilters/DevicePixels.h"
#include <memory>
#include <mutex>

namespace itk
{
namespace CudaFilters
{
class StagedUpload;

/** A copy between host and device that goes on, slab by slab along one axis, beside the work on the slabs that are
 * there: the pixels of a box, and how far along the axis they are on their way. Copies have a stream of their own in
 * each direction. */
class CudaFilters_EXPORT SlabCopy
{
public:
  SlabCopy(const SlabCopy &) = delete;
  SlabCopy &
  operator=(const SlabCopy &) = delete;

protected:
  SlabCopy(const Execution & execution, const HostBox & box, int axis);
  ~SlabCopy() = default;

  /** The slab from where the last one ended to the given end, a position in the host's buffer. */
  struct Slab
  {
    Grid Start;
    Grid Size;
  };
  Slab
  TakeSlab(std::int64_t end);

  const Execution & m_Execution;
  HostBox           m_Box;
  int               m_Axis;
  std::int64_t      m_End;
};

/** An upload in slabs. */
class CudaFilters_EXPORT SlabUpload : public SlabCopy
{
public:
  /** The lock, if any, is kept until the upload ends. */
  SlabUpload(const Execution &                      execution,
             DevicePixels &                         pixels,
             const HostBox &                        box,
             int                                    axis,
             std::unique_lock<std::recursive_mutex> lock = {});

  /** Waits until nothing of the host's memory is being read any more. */
  ~SlabUpload();

  void *
  GetPointer() const
  {
    return m_Lease.GetPointer();
  }

  /** Work that is enqueued from now on finds the pixels before the given position along the axis. */
  void
  ProvideUntil(std::int64_t end);

  /** Uploads the rest, waits until all is there, and makes it the pixels of the device. */
  void
  Finish();

private:
  std::unique_lock<std::recursive_mutex> m_Lock;
  DevicePixels &                         m_Pixels;
  DeviceLease                            m_Lease;
  std::unique_ptr<StagedUpload>          m_Staging; // where the host's memory is not page-locked
  bool                                   m_IsFinished = false;
};

/** A download in slabs. */
class CudaFilters_EXPORT SlabDownload : public SlabCopy
{
public:
  SlabDownload(const Execution & execution, const void * device, const HostBox & box, int axis);

  /** Waits until nothing is being written to the host's memory any more. */
  ~SlabDownload();

  /** The pixels before the given position along the axis have been computed by what was enqueued so far. */
  void
  TakeUntil(std::int64_t end);

  /** Waits until all is there. */
  void
  Finish();

private:
  const void * m_Device;
  bool         m_IsFinished = false;
};
} // namespace CudaFilters
} // namespace itk

#endif
