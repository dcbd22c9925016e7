// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <vector>
#include <unistd.h>

#if defined(EMULATED_WITH_ADDRESS_SANITIZER)
#  include <sanitizer/asan_interface.h>
#else
#  define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#  define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

// Work in a stream is queued until the host waits for it. Some of it runs earlier, at random. So code that omits a wait
// reads stale memory. The memory of a device is poisoned for AddressSanitizer, except during a kernel or a copy on that
// device. One mutex guards the whole state: kernels of different host threads run one at a time.

struct CUstream_st
{
  int                               Device;
  std::deque<std::function<void()>> Queue;
  std::uint64_t                     NumberEnqueued = 0;
  std::uint64_t                     NumberDone = 0;
};

struct CUevent_st
{
  struct Recording
  {
    CUstream_st *                         Stream = nullptr;
    std::uint64_t                         Position = 0;
    bool                                  IsDone = false;
    std::chrono::steady_clock::time_point Time;
  };

  int                        Device;
  bool                       HasTiming;
  std::shared_ptr<Recording> Last;
};

struct CUmemPoolHandle_st
{
  int         Device;
  std::size_t Used = 0;
  std::size_t Reserved = 0;
  std::size_t ReleaseThreshold = 0;
};

namespace Emulation
{
namespace
{
struct Allocation
{
  std::size_t          Bytes;
  CUmemPoolHandle_st * Pool; // nullptr for a plain allocation
};

struct Device
{
  std::map<char *, Allocation>                     Memory;
  std::size_t                                      PlainBytes = 0;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> Pools;
  std::unique_ptr<CUstream_st>                     DefaultStream;
  cudaError_t                                      Failure = cudaSuccess;
  bool                                             HasContext = false;
  unsigned long                                    Launches = 0;
  unsigned long                                    Calls = 0;

  std::size_t
  GetCommitted() const
  {
    std::size_t bytes = this->PlainBytes;
    for (const auto & pool : this->Pools)
    {
      bytes += pool->Reserved;
    }
    return bytes;
  }
};

struct PlannedFailure
{
  cudaError_t  Error;
  unsigned int After;
};

struct State
{
  std::recursive_mutex                  Mutex;
  std::vector<Device>                   Devices;
  std::set<CUstream_st *>               Streams;
  std::map<void *, std::size_t>         PageLocked;
  std::size_t                           PageLockedBytes = 0;
  std::size_t                           PageableBytesCopied = 0;
  std::map<std::string, PlannedFailure> Planned;
  std::string                           LastFailure;
  std::mt19937_64                       Random{ GetSettings().Seed };
  pid_t                                 Process = getpid(); // CUDA does not work in a forked process

  State()
    : Devices(GetSettings().NumberOfDevices)
  {
    for (std::size_t i = 0; i < this->Devices.size(); ++i)
    {
      this->Devices[i].DefaultStream.reset(new CUstream_st{ static_cast<int>(i), {} });
      this->Streams.insert(this->Devices[i].DefaultStream.get());
    }
  }
};

State &
GetState()
{
  static State & state = *new State;
  return state;
}

using Lock = std::lock_guard<std::recursive_mutex>;

/** The devices that a thread has made current: by cudaSetDevice(), and by cuCtxPushCurrent(). */
struct CurrentDevices
{
  int Depth = 0;
  int Devices[64] = { 0 };
};

thread_local cudaError_t    lastError = cudaSuccess;
thread_local CurrentDevices currentDevices;

int
GetCurrentDevice()
{
  return currentDevices.Devices[currentDevices.Depth];
}

cudaError_t
Return(cudaError_t error)
{
  if (error != cudaSuccess)
  {
    lastError = error;
  }
  return error;
}

/** Runs the work of a stream up to a position. */
void
Drain(CUstream_st & stream, std::uint64_t position)
{
  while (stream.NumberDone < position)
  {
    const std::function<void()> work = std::move(stream.Queue.front());
    stream.Queue.pop_front();
    ++stream.NumberDone;
    work();
  }
}

void
DrainDevice(int device)
{
  for (CUstream_st * const stream : GetState().Streams)
  {
    if (stream->Device == device)
    {
      Drain(*stream, stream->NumberEnqueued);
    }
  }
}

/** As the driver does when a thread waits: releases what the pools of a device keep beyond their thresholds. */
void
ReleaseIdleMemory(int device)
{
  for (const auto & pool : GetState().Devices[device].Pools)
  {
    pool->Reserved = std::max(pool->Used, std::min(pool->Reserved, pool->ReleaseThreshold));
  }
}

/** Runs one piece of pending work, at random. */
void
DoSomeWork()
{
  State & state = GetState();
  if (state.Random() % 4 == 0)
  {
    auto stream = state.Streams.begin();
    std::advance(stream, state.Random() % state.Streams.size());
    if (!(*stream)->Queue.empty())
    {
      Drain(**stream, (*stream)->NumberDone + 1);
    }
  }
}

CUstream_st *
FindStream(CUstream_st * stream)
{
  // nullptr, cudaStreamLegacy (1) and cudaStreamPerThread (2) denote the default stream.
  const auto number = reinterpret_cast<std::uintptr_t>(stream);
  return number <= 2 ? GetState().Devices[GetCurrentDevice()].DefaultStream.get() : stream;
}

void
Enqueue(CUstream_st & stream, std::function<void()> work)
{
  stream.Queue.push_back(std::move(work));
  ++stream.NumberEnqueued;
  DoSomeWork();
}

/** Enqueues work that accesses memory. It is skipped if the device has failed. */
void
EnqueueUnlessFailed(CUstream_st & stream, std::function<void()> work)
{
  Enqueue(stream, [work = std::move(work), device = stream.Device] {
    if (GetState().Devices[device].Failure == cudaSuccess)
    {
      work();
    }
  });
}

/** Counts a call that uses the current device. Returns an error if the device is lost with it. */
cudaError_t
CountCall()
{
  const unsigned long limit = GetSettings().CallsUntilLost;
  Device &            device = GetState().Devices[GetCurrentDevice()];
  if (++device.Calls > limit && limit > 0)
  {
    device.Failure = cudaErrorLaunchFailure;
  }
  return device.Failure;
}

void
CallBefore()
{
  if (GetSettings().BeforeCall)
  {
    GetSettings().BeforeCall();
  }
}

/** Begins a call: takes the lock, and returns the error that was planned for it, or that of a failed device. */
#define EMULATION_BEGIN_CALL(function)                      \
  EMULATION_BEGIN_CALL_WITHOUT_CONTEXT(function)            \
  GetState().Devices[GetCurrentDevice()].HasContext = true; \
  if (const cudaError_t lost = CountCall())                 \
  {                                                         \
    return Return(lost);                                    \
  }

#define EMULATION_BEGIN_CALL_WITHOUT_CONTEXT(function)                            \
  if (getpid() != GetState().Process)                                             \
  {                                                                               \
    return Return(cudaErrorInitializationError);                                  \
  }                                                                               \
  CallBefore();                                                                   \
  const Lock lock(GetState().Mutex);                                              \
  if (GetState().Devices.empty())                                                 \
  {                                                                               \
    return Return(cudaErrorNoDevice);                                             \
  }                                                                               \
  if (const cudaError_t planned = TakePlannedFailure(function))                   \
  {                                                                               \
    return Return(planned);                                                       \
  }                                                                               \
  if (const cudaError_t failure = GetState().Devices[GetCurrentDevice()].Failure) \
  {                                                                               \
    return Return(failure);                                                       \
  }

bool
IsOnDevice(int device, const void * address, std::size_t bytes)
{
  const auto & memory = GetState().Devices[device].Memory;
  auto *       begin = static_cast<char *>(const_cast<void *>(address));
  auto         allocation = memory.upper_bound(begin);
  if (allocation == memory.begin())
  {
    return false;
  }
  --allocation;
  return begin + bytes <= allocation->first + allocation->second.Bytes;
}

bool
IsOnAnyDevice(const void * address)
{
  for (std::size_t i = 0; i < GetState().Devices.size(); ++i)
  {
    if (IsOnDevice(static_cast<int>(i), address, 1))
    {
      return true;
    }
  }
  return false;
}

/** Makes the memory of a device accessible during the scope. */
class OpenMemory
{
public:
  explicit OpenMemory(int device)
    : m_Memory(GetState().Devices[device].Memory)
  {
    for (const auto & allocation : m_Memory)
    {
      ASAN_UNPOISON_MEMORY_REGION(allocation.first, allocation.second.Bytes);
    }
  }
  ~OpenMemory()
  {
    for (const auto & allocation : m_Memory)
    {
      ASAN_POISON_MEMORY_REGION(allocation.first, allocation.second.Bytes);
    }
  }
  OpenMemory(const OpenMemory &) = delete;
  OpenMemory &
  operator=(const OpenMemory &) = delete;

private:
  const std::map<char *, Allocation> & m_Memory;
};

cudaError_t
Allocate(void ** pointer, std::size_t bytes, int device, CUmemPoolHandle_st * pool)
{
  Device &          home = GetState().Devices[device];
  const std::size_t growth =
    pool == nullptr ? bytes : (pool->Used + bytes > pool->Reserved ? pool->Used + bytes - pool->Reserved : 0);
  if (home.GetCommitted() + growth > GetSettings().DeviceBytes)
  {
    return cudaErrorMemoryAllocation;
  }
  // The alignment of CUDA's allocations.
  constexpr std::size_t alignment = 256;
  void *                allocated = nullptr;
  if (posix_memalign(&allocated, alignment, bytes) != 0)
  {
    return cudaErrorMemoryAllocation;
  }
  auto * const memory = static_cast<char *>(allocated);
  std::memset(memory, static_cast<int>(GetState().Random() % 256), bytes);
  ASAN_POISON_MEMORY_REGION(memory, bytes);
  home.Memory.emplace(memory, Allocation{ bytes, pool });
  if (pool == nullptr)
  {
    home.PlainBytes += bytes;
  }
  else
  {
    pool->Used += bytes;
    pool->Reserved += growth;
  }
  *pointer = memory;
  return cudaSuccess;
}

/** Returns false for a pointer that is not the start of an allocation. */
bool
Free(void * pointer, int device)
{
  Device &   home = GetState().Devices[device];
  const auto allocation = home.Memory.find(static_cast<char *>(pointer));
  if (allocation == home.Memory.end())
  {
    return false;
  }
  if (allocation->second.Pool == nullptr)
  {
    home.PlainBytes -= allocation->second.Bytes;
  }
  else
  {
    allocation->second.Pool->Used -= allocation->second.Bytes;
  }
  ASAN_UNPOISON_MEMORY_REGION(allocation->first, allocation->second.Bytes);
  std::free(allocation->first);
  home.Memory.erase(allocation);
  return true;
}

/** Whether source and destination of a copy match its kind. */
bool
IsCopyPossible(const void *   destination,
               std::size_t    destinationBytes,
               const void *   source,
               std::size_t    sourceBytes,
               cudaMemcpyKind kind,
               int            device)
{
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return (toDevice ? IsOnDevice(device, destination, destinationBytes) : !IsOnAnyDevice(destination)) &&
         (fromDevice ? IsOnDevice(device, source, sourceBytes) : !IsOnAnyDevice(source));
}

/** Whether host memory is page-locked. */
bool
IsPageLocked(const void * pointer)
{
  const auto & pageLocked = GetState().PageLocked;
  return std::any_of(pageLocked.begin(), pageLocked.end(), [pointer](const auto & entry) {
    return pointer >= entry.first && pointer < static_cast<const char *>(entry.first) + entry.second;
  });
}

/** Counts a copy if its host memory, if any, is pageable. */
void
CountCopy(const void * destination, const void * source, std::size_t bytes, cudaMemcpyKind kind)
{
  if (kind != cudaMemcpyDeviceToDevice && !IsPageLocked(kind == cudaMemcpyHostToDevice ? source : destination))
  {
    GetState().PageableBytesCopied += bytes;
  }
}

unsigned long
GetFromEnvironment(const char * name, unsigned long otherwise)
{
  const char * const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}
} // namespace

Settings &
GetSettings()
{
  static Settings settings{ static_cast<int>(GetFromEnvironment("CUDAFILTERS_EMULATED_DEVICES", 3)),
                            GetFromEnvironment("CUDAFILTERS_EMULATED_SEED", 1),
                            GetFromEnvironment("CUDAFILTERS_EMULATED_CALLS", 0) };
  return settings;
}

void
PlanFailure(const std::string & function, cudaError_t error, unsigned int after)
{
  const Lock lock(GetState().Mutex);
  GetState().Planned[function] = { error, after };
}

bool
HasContext(int device)
{
  const Lock lock(GetState().Mutex);
  return GetState().Devices.at(device).HasContext;
}

std::size_t
GetPageableBytesCopied()
{
  const Lock lock(GetState().Mutex);
  return GetState().PageableBytesCopied;
}

unsigned long
GetNumberOfLaunches(int device)
{
  const Lock lock(GetState().Mutex);
  return GetState().Devices.at(device).Launches;
}

cudaError_t
TakePlannedFailure(const char * function)
{
  const Lock lock(GetState().Mutex);
  auto &     planned = GetState().Planned;
  const auto entry = planned.find(function);
  if (entry == planned.end())
  {
    return cudaSuccess;
  }
  if (entry->second.After > 0)
  {
    --entry->second.After;
    return cudaSuccess;
  }
  const cudaError_t error = entry->second.Error;
  planned.erase(entry);
  return error;
}

std::string
GetLastFailure()
{
  const Lock lock(GetState().Mutex);
  return GetState().LastFailure;
}

void
RepairDevices()
{
  const Lock lock(GetState().Mutex);
  for (std::size_t i = 0; i < GetState().Devices.size(); ++i)
  {
    DrainDevice(static_cast<int>(i));
    GetState().Devices[i].Failure = cudaSuccess;
  }
  GetState().Planned.clear();
  lastError = cudaSuccess;
}

cudaError_t
EnqueueKernel(const Launch & launch, CUstream_st * streamOrNull, std::function<void()> kernel)
{
  EMULATION_BEGIN_CALL("cudaLaunchKernelEx")
  CUstream_st * const stream = FindStream(streamOrNull);
  if (stream->Device != GetCurrentDevice())
  {
    return Return(cudaErrorInvalidResourceHandle);
  }
  const dim3 &        block = launch.Block;
  const dim3 &        grid = launch.Grid;
  const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
  if (threads == 0 || threads > 1024 || block.z > 64 || grid.x == 0 || grid.y == 0 || grid.z == 0 ||
      grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
  {
    return Return(cudaErrorInvalidConfiguration);
  }
  if (launch.DynamicSharedBytes > SharedBytesPerBlock)
  {
    return Return(cudaErrorInvalidValue);
  }
  const int device = GetCurrentDevice();
  ++GetState().Devices[device].Launches;
  EnqueueUnlessFailed(*stream, [launch, device, kernel] {
    std::string failure;
    cudaError_t error;
    {
      const OpenMemory open(device);
      error = RunKernel(launch, kernel, failure);
    }
    if (error != cudaSuccess)
    {
      GetState().LastFailure = failure;
      GetState().Devices[device].Failure = error;
    }
  });
  return cudaSuccess;
}
} // namespace Emulation

using namespace Emulation;

const char *
cudaGetErrorName(cudaError_t error)
{
  switch (error)
  {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInitializationError:
      return "cudaErrorInitializationError";
    case cudaErrorHostMemoryAlreadyRegistered:
      return "cudaErrorHostMemoryAlreadyRegistered";
    case cudaErrorMisalignedAddress:
      return "cudaErrorMisalignedAddress";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorNoKernelImageForDevice:
      return "cudaErrorNoKernelImageForDevice";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
  }
  return "unknown";
}

const char *
cudaGetErrorString(cudaError_t error)
{
  switch (error)
  {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInitializationError:
      return "initialization error";
    case cudaErrorHostMemoryAlreadyRegistered:
      return "part or all of the requested memory range is already mapped";
    case cudaErrorMisalignedAddress:
      return "misaligned address";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
  }
  return "unknown error";
}

cudaError_t
cudaGetLastError()
{
  return std::exchange(lastError, cudaSuccess);
}

cudaError_t
cudaDriverGetVersion(int * version)
{
  *version = GetState().Devices.empty() ? 0 : 13000;
  return cudaSuccess;
}

cudaError_t
cudaGetDeviceCount(int * count)
{
  CallBefore();
  *count = static_cast<int>(GetState().Devices.size());
  return *count == 0 ? Return(cudaErrorNoDevice) : cudaSuccess;
}

cudaError_t
cudaGetDevice(int * device)
{
  *device = GetCurrentDevice();
  return GetState().Devices.empty() ? Return(cudaErrorNoDevice) : cudaSuccess;
}

cudaError_t
cudaSetDevice(int device)
{
  if (device < 0 || device >= static_cast<int>(GetState().Devices.size()))
  {
    return Return(cudaErrorInvalidDevice);
  }
  currentDevices.Devices[currentDevices.Depth] = device;
  GetState().Devices[device].HasContext = true;
  return cudaSuccess;
}

namespace
{
/** \name Functions of the driver. A context is the device's number plus one. */
/**@{*/
int
RetainPrimaryContext(void ** context, int device)
{
  CallBefore();
  const Lock lock(GetState().Mutex);
  if (device < 0 || device >= static_cast<int>(GetState().Devices.size()))
  {
    return cudaErrorInvalidDevice;
  }
  GetState().Devices[device].HasContext = true;
  *context = reinterpret_cast<void *>(static_cast<std::intptr_t>(device + 1));
  return cudaSuccess;
}

int
PushContext(void * context)
{
  if (currentDevices.Depth == 63)
  {
    return cudaErrorInvalidValue;
  }
  currentDevices.Devices[++currentDevices.Depth] = static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1;
  return cudaSuccess;
}

int
PopContext(void ** context)
{
  if (currentDevices.Depth == 0)
  {
    return cudaErrorInvalidValue;
  }
  *context = reinterpret_cast<void *>(static_cast<std::intptr_t>(currentDevices.Devices[currentDevices.Depth--] + 1));
  return cudaSuccess;
}

int
GetPointerAttribute(void * value, int attribute, unsigned long long address)
{
  const Lock         lock(GetState().Mutex);
  const auto * const pointer = reinterpret_cast<const char *>(address);
  for (std::size_t i = 0; i < GetState().Devices.size(); ++i)
  {
    for (const auto & entry : GetState().Devices[i].Memory)
    {
      if (pointer >= entry.first && pointer < entry.first + entry.second.Bytes)
      {
        // Type (2: device memory), whether managed, and device.
        *static_cast<int *>(value) = attribute == 2 ? 2 : attribute == 9 ? static_cast<int>(i) : 0;
        return cudaSuccess;
      }
    }
  }
  return cudaErrorInvalidValue;
}
/**@}*/
} // namespace

cudaError_t
cudaGetDriverEntryPointByVersion(const char * name,
                                 void **      function,
                                 unsigned int,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult *)
{
  EMULATION_BEGIN_CALL_WITHOUT_CONTEXT("cudaGetDriverEntryPointByVersion")
  const std::map<std::string, void *> functions{
    { "cuDevicePrimaryCtxRetain", reinterpret_cast<void *>(&RetainPrimaryContext) },
    { "cuCtxPushCurrent", reinterpret_cast<void *>(&PushContext) },
    { "cuCtxPopCurrent", reinterpret_cast<void *>(&PopContext) },
    { "cuPointerGetAttribute", reinterpret_cast<void *>(&GetPointerAttribute) }
  };
  const auto found = functions.find(name);
  *function = found == functions.end() ? nullptr : found->second;
  return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties(cudaDeviceProp * properties, int device)
{
  EMULATION_BEGIN_CALL_WITHOUT_CONTEXT("cudaGetDeviceProperties")
  std::snprintf(properties->name, sizeof(properties->name), "Emulated device %d", device);
  properties->major = 9;
  properties->minor = 0;
  properties->multiProcessorCount = 4;
  properties->totalGlobalMem = GetSettings().DeviceBytes;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute(int * value, cudaDeviceAttr attribute, int)
{
  EMULATION_BEGIN_CALL_WITHOUT_CONTEXT("cudaDeviceGetAttribute")
  *value = attribute == cudaDevAttrClockRate                      ? 1000000
           : attribute == cudaDevAttrMemoryPoolsSupported         ? GetSettings().HasMemoryPools
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? static_cast<int>(SharedBytesPerBlock)
                                                                  : 0;
  return cudaSuccess;
}

cudaError_t
cudaDeviceSynchronize()
{
  EMULATION_BEGIN_CALL("cudaDeviceSynchronize")
  DrainDevice(GetCurrentDevice());
  ReleaseIdleMemory(GetCurrentDevice());
  return Return(GetState().Devices[GetCurrentDevice()].Failure);
}

cudaError_t
cudaMemGetInfo(std::size_t * free, std::size_t * total)
{
  EMULATION_BEGIN_CALL("cudaMemGetInfo")
  const std::size_t committed = GetState().Devices[GetCurrentDevice()].GetCommitted();
  *total = GetSettings().DeviceBytes;
  *free = *total > committed ? *total - committed : 0;
  return cudaSuccess;
}

cudaError_t
cudaMalloc(void ** pointer, std::size_t bytes)
{
  EMULATION_BEGIN_CALL("cudaMalloc")
  return Return(Allocate(pointer, bytes, GetCurrentDevice(), nullptr));
}

cudaError_t
cudaFree(void * pointer)
{
  EMULATION_BEGIN_CALL("cudaFree")
  DrainDevice(GetCurrentDevice());
  return Return(pointer == nullptr || Free(pointer, GetCurrentDevice()) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t
cudaMallocHost(void ** pointer, std::size_t bytes)
{
  EMULATION_BEGIN_CALL("cudaMallocHost")
  *pointer = std::malloc(bytes);
  return Return(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t
cudaHostRegister(void * pointer, std::size_t bytes, unsigned int)
{
  EMULATION_BEGIN_CALL("cudaHostRegister")
  State & state = GetState();
  if (state.PageLockedBytes + bytes > GetSettings().PageLockableBytes)
  {
    return Return(cudaErrorMemoryAllocation);
  }
  // As the driver: whole pages, each of them once.
  constexpr std::uintptr_t pageBytes = 4096;
  const auto getFirstPage = [](const void * address) { return reinterpret_cast<std::uintptr_t>(address) / pageBytes; };
  const auto getLastPage = [](const void * address, std::size_t size) {
    return (reinterpret_cast<std::uintptr_t>(address) + size - 1) / pageBytes;
  };
  for (const auto & entry : state.PageLocked)
  {
    if (getFirstPage(pointer) <= getLastPage(entry.first, entry.second) &&
        getFirstPage(entry.first) <= getLastPage(pointer, bytes))
    {
      return Return(cudaErrorHostMemoryAlreadyRegistered);
    }
  }
  state.PageLocked.emplace(pointer, bytes);
  state.PageLockedBytes += bytes;
  return cudaSuccess;
}

cudaError_t
cudaHostUnregister(void * pointer)
{
  EMULATION_BEGIN_CALL("cudaHostUnregister")
  State &    state = GetState();
  const auto entry = state.PageLocked.find(pointer);
  if (entry == state.PageLocked.end())
  {
    return Return(cudaErrorInvalidValue);
  }
  for (int device = 0; device < static_cast<int>(state.Devices.size()); ++device)
  {
    DrainDevice(device);
  }
  state.PageLockedBytes -= entry->second;
  state.PageLocked.erase(entry);
  return cudaSuccess;
}

cudaError_t
cudaPointerGetAttributes(cudaPointerAttributes * attributes, const void * pointer)
{
  EMULATION_BEGIN_CALL("cudaPointerGetAttributes")
  const State & state = GetState();
  const auto    isWithin = [pointer](const void * first, std::size_t bytes) {
    return pointer >= first && pointer < static_cast<const char *>(first) + bytes;
  };
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = -1;
  if (IsPageLocked(pointer))
  {
    attributes->type = cudaMemoryTypeHost;
  }
  for (std::size_t i = 0; i < state.Devices.size(); ++i)
  {
    for (const auto & entry : state.Devices[i].Memory)
    {
      if (isWithin(entry.first, entry.second.Bytes))
      {
        attributes->type = cudaMemoryTypeDevice;
        attributes->device = static_cast<int>(i);
      }
    }
  }
  return cudaSuccess;
}

cudaError_t
cudaMemPoolCreate(cudaMemPool_t * pool, const cudaMemPoolProps * properties)
{
  EMULATION_BEGIN_CALL("cudaMemPoolCreate")
  auto & pools = GetState().Devices.at(properties->location.id).Pools;
  pools.push_back(std::make_unique<CUmemPoolHandle_st>());
  pools.back()->Device = properties->location.id;
  *pool = pools.back().get();
  return cudaSuccess;
}

cudaError_t
cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value)
{
  EMULATION_BEGIN_CALL("cudaMemPoolSetAttribute")
  if (attribute == cudaMemPoolAttrReleaseThreshold)
  {
    pool->ReleaseThreshold = *static_cast<std::uint64_t *>(value);
  }
  return cudaSuccess;
}

cudaError_t
cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void * value)
{
  EMULATION_BEGIN_CALL("cudaMemPoolGetAttribute")
  *static_cast<std::uint64_t *>(value) = attribute == cudaMemPoolAttrReservedMemCurrent ? pool->Reserved : pool->Used;
  return cudaSuccess;
}

cudaError_t
cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytesToKeep)
{
  EMULATION_BEGIN_CALL("cudaMemPoolTrimTo")
  pool->Reserved = std::max(pool->Used, std::min(pool->Reserved, bytesToKeep));
  return cudaSuccess;
}

cudaError_t
cudaMallocFromPoolAsync(void ** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t)
{
  EMULATION_BEGIN_CALL("cudaMallocFromPoolAsync")
  DoSomeWork();
  return Return(Allocate(pointer, bytes, pool->Device, pool));
}

cudaError_t
cudaFreeAsync(void * pointer, cudaStream_t streamOrNull)
{
  // Also frees memory on a failed device, so that the number of used bytes is right after RepairDevices().
  const Lock          lock(GetState().Mutex);
  CUstream_st * const stream = FindStream(streamOrNull);
  const int           device = stream->Device;
  if (!IsOnDevice(device, pointer, 1))
  {
    return Return(cudaErrorInvalidValue);
  }
  Enqueue(*stream, [pointer, device] { Free(pointer, device); });
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync(void *         destination,
                const void *   source,
                std::size_t    bytes,
                cudaMemcpyKind kind,
                cudaStream_t   streamOrNull)
{
  EMULATION_BEGIN_CALL("cudaMemcpyAsync")
  CUstream_st * const stream = FindStream(streamOrNull);
  const int           device = stream->Device;
  if (!IsCopyPossible(destination, bytes, source, bytes, kind, device))
  {
    return Return(cudaErrorInvalidValue);
  }
  CountCopy(destination, source, bytes, kind);
  EnqueueUnlessFailed(*stream, [=] {
    const OpenMemory open(device);
    std::memcpy(destination, source, bytes);
  });
  return cudaSuccess;
}

cudaError_t
cudaMemcpy3DAsync(const cudaMemcpy3DParms * parameters, cudaStream_t streamOrNull)
{
  EMULATION_BEGIN_CALL("cudaMemcpy3DAsync")
  CUstream_st * const     stream = FindStream(streamOrNull);
  const int               device = stream->Device;
  const cudaMemcpy3DParms copy = *parameters;
  const auto              getOffset = [](const cudaPitchedPtr & buffer, std::size_t x, std::size_t y, std::size_t z) {
    return (z * buffer.ysize + y) * buffer.pitch + x;
  };
  const cudaExtent & extent = copy.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
  {
    return cudaSuccess;
  }
  const auto getEnd = [&](const cudaPitchedPtr & buffer, const cudaPos & start) {
    return getOffset(buffer, start.x, start.y + extent.height - 1, start.z + extent.depth - 1) + extent.width;
  };
  if (!IsCopyPossible(copy.dstPtr.ptr,
                      getEnd(copy.dstPtr, copy.dstPos),
                      copy.srcPtr.ptr,
                      getEnd(copy.srcPtr, copy.srcPos),
                      copy.kind,
                      device))
  {
    return Return(cudaErrorInvalidValue);
  }
  CountCopy(copy.dstPtr.ptr, copy.srcPtr.ptr, extent.width * extent.height * extent.depth, copy.kind);
  EnqueueUnlessFailed(*stream, [=] {
    const OpenMemory open(device);
    for (std::size_t z = 0; z < copy.extent.depth; ++z)
    {
      for (std::size_t y = 0; y < copy.extent.height; ++y)
      {
        std::memcpy(static_cast<char *>(copy.dstPtr.ptr) +
                      getOffset(copy.dstPtr, copy.dstPos.x, copy.dstPos.y + y, copy.dstPos.z + z),
                    static_cast<const char *>(copy.srcPtr.ptr) +
                      getOffset(copy.srcPtr, copy.srcPos.x, copy.srcPos.y + y, copy.srcPos.z + z),
                    copy.extent.width);
      }
    }
  });
  return cudaSuccess;
}

cudaError_t
cudaMemsetAsync(void * destination, int value, std::size_t bytes, cudaStream_t streamOrNull)
{
  EMULATION_BEGIN_CALL("cudaMemsetAsync")
  CUstream_st * const stream = FindStream(streamOrNull);
  const int           device = stream->Device;
  if (!IsOnDevice(device, destination, bytes))
  {
    return Return(cudaErrorInvalidValue);
  }
  EnqueueUnlessFailed(*stream, [=] {
    const OpenMemory open(device);
    std::memset(destination, value, bytes);
  });
  return cudaSuccess;
}

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t * stream, unsigned int)
{
  EMULATION_BEGIN_CALL("cudaStreamCreateWithFlags")
  *stream = new CUstream_st{ GetCurrentDevice(), {} };
  GetState().Streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t
cudaStreamDestroy(cudaStream_t stream)
{
  EMULATION_BEGIN_CALL("cudaStreamDestroy")
  Drain(*stream, stream->NumberEnqueued);
  GetState().Streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize(cudaStream_t streamOrNull)
{
  EMULATION_BEGIN_CALL("cudaStreamSynchronize")
  CUstream_st * const stream = FindStream(streamOrNull);
  Drain(*stream, stream->NumberEnqueued);
  return Return(GetState().Devices[stream->Device].Failure);
}

cudaError_t
cudaStreamWaitEvent(cudaStream_t streamOrNull, cudaEvent_t event, unsigned int)
{
  EMULATION_BEGIN_CALL("cudaStreamWaitEvent")
  if (event->Last)
  {
    Enqueue(*FindStream(streamOrNull), [recording = event->Last] {
      if (!recording->IsDone)
      {
        Drain(*recording->Stream, recording->Position);
      }
    });
  }
  return cudaSuccess;
}

cudaError_t
cudaEventCreateWithFlags(cudaEvent_t * event, unsigned int flags)
{
  EMULATION_BEGIN_CALL("cudaEventCreateWithFlags")
  *event = new CUevent_st{ GetCurrentDevice(), flags != cudaEventDisableTiming, nullptr };
  return cudaSuccess;
}

cudaError_t
cudaEventDestroy(cudaEvent_t event)
{
  delete event;
  return cudaSuccess;
}

cudaError_t
cudaEventRecord(cudaEvent_t event, cudaStream_t streamOrNull)
{
  EMULATION_BEGIN_CALL("cudaEventRecord")
  CUstream_st * const stream = FindStream(streamOrNull);
  if (stream->Device != event->Device)
  {
    return Return(cudaErrorInvalidResourceHandle);
  }
  event->Last = std::make_shared<CUevent_st::Recording>();
  event->Last->Stream = stream;
  event->Last->Position = stream->NumberEnqueued + 1;
  Enqueue(*stream, [recording = event->Last] {
    recording->IsDone = true;
    recording->Time = std::chrono::steady_clock::now();
  });
  return cudaSuccess;
}

cudaError_t
cudaEventSynchronize(cudaEvent_t event)
{
  EMULATION_BEGIN_CALL("cudaEventSynchronize")
  if (event->Last && !event->Last->IsDone)
  {
    Drain(*event->Last->Stream, event->Last->Position);
  }
  return Return(GetState().Devices[event->Device].Failure);
}

cudaError_t
cudaEventElapsedTime(float * milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
  EMULATION_BEGIN_CALL("cudaEventElapsedTime")
  if (!begin->HasTiming || !end->HasTiming || !begin->Last || !end->Last || !begin->Last->IsDone || !end->Last->IsDone)
  {
    return Return(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->Last->Time - begin->Last->Time).count();
  return cudaSuccess;
}
