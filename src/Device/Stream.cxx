// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Stream.h"
#include "CudaFilters/Check.cuh"
#include "Devices.h"
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Streams that no thread uses, for the next thread that needs one. */
class IdleStreams
{
public:
  static IdleStreams &
  GetInstance()
  {
    static IdleStreams & instance = *new IdleStreams;
    return instance;
  }

  cudaStream_t
  Take(int device)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    std::vector<cudaStream_t> &       streams = m_Streams[device];
    if (streams.empty())
    {
      return nullptr;
    }
    const cudaStream_t stream = streams.back();
    streams.pop_back();
    return stream;
  }

  void
  GiveBack(int device, cudaStream_t stream)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Streams[device].push_back(stream);
  }

private:
  std::mutex                               m_Mutex;
  std::map<int, std::vector<cudaStream_t>> m_Streams;
};
} // namespace

Event::Event() { Check(cudaEventCreateWithFlags(&m_Handle, cudaEventDisableTiming), "Creating an event"); }

Event::~Event()
{
  if (!IsForkedAfterCuda())
  {
    cudaEventDestroy(m_Handle);
  }
}

void
Event::Record(const Stream & stream)
{
  Check(cudaEventRecord(m_Handle, stream.GetHandle()), "Recording an event");
}

void
Event::Wait() const
{
  Check(cudaEventSynchronize(m_Handle), "Waiting for an event, or work enqueued before it,");
}

Stream::Stream(CUstream_st * handle, int device, bool owned)
  : m_Handle(handle)
  , m_Device(device)
  , m_Owned(owned)
{}

Stream::~Stream()
{
  if (m_Owned && !IsForkedAfterCuda())
  {
    // Work may still be pending. Work of the next user of this stream runs after it.
    IdleStreams::GetInstance().GiveBack(m_Device, m_Handle);
  }
}

namespace
{
using StreamsOfThread = std::map<std::pair<int, int>, Stream::Pointer>;

/** Destroys the streams of a thread when the thread ends. */
struct StreamsOwner
{
  StreamsOfThread * Streams = new StreamsOfThread;
  ~StreamsOwner();
};

// Trivial to destroy, so that they can be read until the very end of the thread.
thread_local StreamsOfThread * streamsOfThread = nullptr;
thread_local bool              isThreadEnding = false;

StreamsOwner::~StreamsOwner()
{
  isThreadEnding = true;
  streamsOfThread = nullptr;
  delete this->Streams;
}
} // namespace

Stream::Pointer
Stream::OfThisThread(int device, int number)
{
  if (streamsOfThread == nullptr && !isThreadEnding)
  {
    static thread_local StreamsOwner owner;
    streamsOfThread = owner.Streams;
  }
  // Objects with static lifetime still use streams when those of the main thread are gone: each use takes its own.
  Pointer   temporary;
  Pointer & stream = streamsOfThread == nullptr ? temporary : (*streamsOfThread)[{ device, number }];
  if (!stream)
  {
    cudaStream_t handle = IdleStreams::GetInstance().Take(device);
    if (handle == nullptr)
    {
      const DeviceScope scope(device);
      Check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "Creating a stream");
    }
    stream.reset(new Stream(handle, device, true));
  }
  return stream;
}

Stream::Pointer
Stream::Borrow(CUstream_st * handle, int device)
{
  return Pointer(new Stream(handle, device, false));
}

Stream::Pointer
Stream::GetLasting(const Pointer & stream)
{
  if (stream->m_Owned)
  {
    return stream;
  }
  const Pointer own = OfThisThread(stream->m_Device);
  own->WaitFor(*stream);
  return own;
}

void
Stream::Synchronize() const
{
  const DeviceScope scope(m_Device);
  Check(cudaStreamSynchronize(m_Handle), "Waiting for a stream, or work enqueued in it earlier,");
}

void
Stream::WaitFor(const Stream & other) const
{
  if (m_Handle == other.m_Handle && m_Device == other.m_Device)
  {
    return;
  }
  // An event belongs to the device of the stream that records it; streams of any device may wait for it.
  const DeviceScope scope(other.m_Device);
  Event             event;
  event.Record(other);
  Check(cudaStreamWaitEvent(m_Handle, event.GetHandle(), 0), "Making a stream wait for another");
}

TimingEvent::TimingEvent()
{
  Check(cudaEventCreateWithFlags(&m_Handle, cudaEventDefault), "Creating an event for timing");
}

TimingEvent::~TimingEvent()
{
  if (m_Handle != nullptr && !IsForkedAfterCuda())
  {
    cudaEventDestroy(m_Handle);
  }
}

TimingEvent::TimingEvent(TimingEvent && other) noexcept
  : m_Handle(std::exchange(other.m_Handle, nullptr))
{}

void
TimingEvent::Record(const Stream & stream)
{
  Check(cudaEventRecord(m_Handle, stream.GetHandle()), "Recording an event for timing");
}

double
TimingEvent::MillisecondsSince(const TimingEvent & earlier) const
{
  float milliseconds = 0.0f;
  Check(cudaEventSynchronize(m_Handle), "Waiting for an event");
  Check(cudaEventElapsedTime(&milliseconds, earlier.m_Handle, m_Handle), "Asking for an elapsed time");
  return milliseconds;
}
} // namespace CudaFilters
} // namespace itk
