// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersStream_h
#define itkCudaFiltersStream_h

#include <memory>

// The names under which <driver_types.h> knows the two handles, so that this header needs no CUDA include path.
struct CUstream_st;
struct CUevent_st;

namespace itk
{
namespace CudaFilters
{
/** A queue of work on one device. Shared by all that have work in it, so that it lives as long as they do. */
class Stream
{
public:
  using Pointer = std::shared_ptr<Stream>;

  /** The calling thread's own streams on a device: what different threads do never waits for each other. Work goes to
   * number 0; what is to go on beside it, to others. */
  static Pointer
  OfThisThread(int device, int number = 0);

  /** A stream that somebody else made and keeps alive. */
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

  /** A stream of this library's that has all work of this one before it: this one, unless it is borrowed. What keeps a
   * stream in mind for longer than a run keeps that one. */
  static Pointer
  GetLasting(const Pointer & stream);

  /** The calling thread waits for all work enqueued so far. */
  void
  Synchronize() const;

  /** Work enqueued here from now on starts after all that was enqueued in the other stream so far. */
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

  /** The calling thread waits until the point is reached; not at all if none was recorded. */
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

  /** Waits for this event, then gives the time since the earlier one. */
  double
  MillisecondsSince(const TimingEvent & earlier) const;

private:
  CUevent_st * m_Handle = nullptr;
};
} // namespace CudaFilters
} // namespace itk

#endif
