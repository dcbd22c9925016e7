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
class Stream;

/** A copy between host and device that goes on, slab by slab along one axis, beside the work on the slabs that are
 * there. Copies have a stream of their own in each direction. Positions are those of the host's buffer. */
class CudaFilters_EXPORT SlabCopy
{
public:
  SlabCopy(const SlabCopy &) = delete;
  SlabCopy &
  operator=(const SlabCopy &) = delete;

protected:
  /** streamNumber: of the calling thread's own streams, for the copies. */
  SlabCopy(const Execution & execution, const HostBox & box, int axis, int streamNumber);

  /** Waits until the host's memory is not in use any more. */
  ~SlabCopy();

  struct Slab
  {
    Grid Start;
    Grid Size;
  };

  /** Whether there is something between the last slab's end and the given one. */
  bool
  IsBeyond(std::int64_t end) const
  {
    return end > m_End;
  }

  /** The next slab, up to the given end. */
  Slab
  TakeSlab(std::int64_t end);

  std::int64_t
  GetEndOfBox() const
  {
    return m_Box.Start[m_Axis] + m_Box.Size[m_Axis];
  }

  /** Waits for the copies; for destructors, whatever has happened. */
  void
  Wait();
  void
  WaitInAnyCase();

  const Execution &       m_Execution;
  std::shared_ptr<Stream> m_Stream; // of the copies
  HostBox                 m_Box;

private:
  int          m_Axis;
  std::int64_t m_End;
  bool         m_IsFinished = false;
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
  ~SlabUpload();

  /** The memory on the device, for work that is enqueued before the end. */
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
};

/** A download in slabs. */
class CudaFilters_EXPORT SlabDownload : public SlabCopy
{
public:
  SlabDownload(const Execution & execution, const void * device, const HostBox & box, int axis);
  ~SlabDownload() = default;

  /** The pixels before the given position along the axis have been computed by what was enqueued so far. */
  void
  TakeUntil(std::int64_t end);

  /** Waits until all is there. */
  void
  Finish();

private:
  const void * m_Device;
};
} // namespace CudaFilters
} // namespace itk

#endif
