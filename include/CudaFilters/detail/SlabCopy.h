// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_SlabCopy_h
#define CudaFilters_detail_SlabCopy_h

#include "CudaFiltersExport.h"
#include "CudaFilters/detail/DevicePixels.h"
#include <memory>

namespace itk
{
namespace CudaFilters
{
class StagedUpload;
class Stream;

/** A copy between host and device in slabs along one axis, concurrent with the computation on the slabs that are
 * already available. Each direction has its own stream. Positions refer to the host buffer. */
class CudaFilters_EXPORT SlabCopy
{
public:
  SlabCopy(const SlabCopy &) = delete;
  SlabCopy &
  operator=(const SlabCopy &) = delete;

protected:
  /** streamNumber: selects the stream of the calling thread that performs the copies. */
  SlabCopy(const Execution & execution, const HostBox & box, int axis, int streamNumber);

  /** Waits until the copies no longer use the host memory. */
  ~SlabCopy();

  struct Slab
  {
    Size3 Start;
    Size3 Size;
  };

  /** Returns whether the given end is beyond the end of the last slab. */
  bool
  IsBeyond(std::int64_t end) const
  {
    return end > m_End;
  }

  /** Returns the next slab, which extends to the given end. */
  Slab
  TakeSlab(std::int64_t end);

  std::int64_t
  GetEndOfBox() const
  {
    return m_Box.Start[m_Axis] + m_Box.Size[m_Axis];
  }

  /** Waits for the copies. WaitInAnyCase() is for destructors and never throws. */
  void
  Wait();
  void
  WaitInAnyCase();

  const Execution &       m_Execution;
  std::shared_ptr<Stream> m_Stream; // performs the copies
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
  SlabUpload(const Execution & execution, DevicePixels & pixels, const HostBox & box, int axis);
  ~SlabUpload();

  /** Returns the device memory, for work that is enqueued before Finish(). */
  void *
  GetPointer() const
  {
    return m_Lease.GetPointer();
  }

  /** Enqueues the upload of the pixels before the given position along the axis. Work that is enqueued afterwards can
   * read these pixels. */
  void
  ProvideUntil(std::int64_t end);

  /** Uploads the remaining slabs, waits for the copies, and makes the uploaded pixels valid. */
  void
  Finish();

private:
  DevicePixels &                m_Pixels;
  DeviceLease                   m_Lease;
  std::unique_ptr<StagedUpload> m_Staging; // used if the host memory is not page-locked
};

/** A download in slabs. */
class CudaFilters_EXPORT SlabDownload : public SlabCopy
{
public:
  SlabDownload(const Execution & execution, const void * device, const HostBox & box, int axis);
  ~SlabDownload() = default;

  /** Enqueues the download of the pixels before the given position along the axis. The work enqueued so far must
   * compute these pixels. */
  void
  TakeUntil(std::int64_t end);

  /** Downloads the remaining slabs and waits for the copies. */
  void
  Finish();

private:
  const void * m_Device;
  bool         m_WasLockingTried = false; // of the pages of the host memory; once per copy
};
} // namespace CudaFilters
} // namespace itk

#endif
