// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersStream_h
#define itkCudaFiltersStream_h

#include <memory>

// Forward declarations of the two handle types of <driver_types.h>, so that this header needs no CUDA include path.
struct CUstream_st;
struct CUevent_st;

namespace itk
{
namespace CudaFilters
{
/** A CUDA stream. All objects with work in the stream share it, so that it lives as long as they do. */
class Stream
{
public:
  using Pointer = std::shared_ptr<Stream>;

  /** The calling thread's own streams on a device, so that threads do not wait for each other. Number 0 is for kernels;
   * the others are for work that runs concurrently with them. */
  static Pointer
  OfThisThread(int device, int number = 0);

  /** Wraps a stream of an external owner, who must keep it alive. */
  static Pointer
  Borrow(CUstream_st * handle, int device);

  ~Stream();
  Stream(const Stream &) = delete;
  Stream &
  operator=(const Stream &) = delete;

  CUstream_st *
  GetHandle() const
  {
    return m_Handle;
  }

  int
  GetDevice() const
  {
    return m_Device;
  }

  /** Returns a stream of this library whose later work runs after all work of the given stream: the given stream
   * itself, unless it is borrowed. An object that stores a stream beyond the end of a run must store this one, because
   * the owner may destroy a borrowed stream. */
  static Pointer
  GetLasting(const Pointer & stream);

  /** Blocks the calling thread until all work enqueued so far is done. */
  void
  Synchronize() const;

  /** Work enqueued in this stream from now on starts after all work enqueued in the other stream so far. */
  void
  WaitFor(const Stream & other) const;

private:
  Stream(CUstream_st * handle, int device, bool owned);

  CUstream_st * m_Handle;
  int           m_Device;
  bool          m_Owned;
};

/** A point in a stream. */
class Event
{
public:
  Event();
  ~Event();
  Event(const Event &) = delete;
  Event &
  operator=(const Event &) = delete;

  void
  Record(const Stream & stream);

  /** Blocks the calling thread until the point is reached; returns at once if none was recorded. */
  void
  Wait() const;

  CUevent_st *
  GetHandle() const
  {
    return m_Handle;
  }

private:
  CUevent_st * m_Handle = nullptr;
};

/** A point in a stream, for timing. */
class TimingEvent
{
public:
  TimingEvent();
  ~TimingEvent();
  TimingEvent(TimingEvent && other) noexcept;
  TimingEvent &
  operator=(TimingEvent &&) = delete;

  void
  Record(const Stream & stream);

  /** Waits for this event and returns the time since the earlier one. */
  double
  MillisecondsSince(const TimingEvent & earlier) const;

private:
  CUevent_st * m_Handle = nullptr;
};
} // namespace CudaFilters
} // namespace itk

#endif
