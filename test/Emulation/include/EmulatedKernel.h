// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEmulatedKernel_h
#define itkEmulatedKernel_h

// The device side of CUDA on the emulated device: keywords, built-in variables, barriers, warp functions and atomics.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <math.h> // declares fma and others for float outside std, too
#include <type_traits>

#define __global__
#define __host__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3
{
  unsigned int x, y, z;
};

struct dim3
{
  unsigned int x, y, z;
  constexpr dim3(unsigned int xSize = 1, unsigned int ySize = 1, unsigned int zSize = 1)
    : x(xSize)
    , y(ySize)
    , z(zSize)
  {}
};

namespace Emulation
{
/** Memory that all threads of the running block share, one piece per tag. Its initial content is arbitrary. */
void *
GetSharedMemory(const void * tag, std::size_t bytes);
void *
GetDynamicSharedMemory();

/** Waits for all threads of the block that have not ended. */
void
SynchronizeBlock();

/** Waits at one of the block's 16 barriers for a number of threads. */
void
SynchronizeThreads(unsigned int barrier, unsigned int threads);

/** A rendezvous of the lanes of a warp that the mask names: each lane contributes a value, and all lanes see all
 * values. */
struct Meeting
{
  std::uint64_t Values[32];
  std::uint32_t Mask;
};

/** Waits for the lanes in the mask. The result is valid until this thread's next meeting. */
const Meeting &
Meet(std::uint32_t mask, std::uint64_t value);

/** The running thread's lane in its warp. */
unsigned int
GetLane();

/** The nanoseconds of clock64(). */
long long
GetClock();

/** Lets other threads run: Yield() always, MaybeYield() at random. */
void
Yield();
void
MaybeYield();

template <typename TValue>
std::uint64_t
ToBits(TValue value)
{
  static_assert(sizeof(TValue) <= sizeof(std::uint64_t) && std::is_trivially_copyable<TValue>::value,
                "Warp functions move values of up to 8 bytes.");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(TValue));
  return bits;
}

template <typename TValue>
TValue
FromBits(std::uint64_t bits)
{
  TValue value;
  std::memcpy(&value, &bits, sizeof(TValue));
  return value;
}

/** The value of another lane, or the lane's own value if the source is outside the segment of the given width. */
template <typename TValue>
TValue
Shuffle(std::uint32_t mask, TValue value, int source, int width, bool isInside)
{
  const Meeting &    meeting = Meet(mask, ToBits(value));
  const unsigned int lane = GetLane();
  const unsigned int segment = lane / width * width;
  return isInside ? FromBits<TValue>(meeting.Values[segment + source]) : value;
}

template <typename TValue, typename TCombine>
TValue
Reduce(std::uint32_t mask, TValue value, TCombine combine)
{
  const Meeting & meeting = Meet(mask, ToBits(value));
  bool            isFirst = true;
  TValue          result{};
  for (unsigned int lane = 0; lane < 32; ++lane)
  {
    if (mask >> lane & 1u)
    {
      const auto other = FromBits<TValue>(meeting.Values[lane]);
      result = isFirst ? other : combine(result, other);
      isFirst = false;
    }
  }
  return result;
}

/** Reads, modifies and writes atomically. Threads switch only at calls that wait or yield, so that no lock is needed.
 * The possible yield before the access lets other threads run in between, as on a real device. */
template <typename TValue, typename TChange>
TValue
Atomically(TValue * address, TChange change)
{
  MaybeYield();
  const TValue former = *address;
  *address = change(former);
  return former;
}

/** For arguments that must not take part in template argument deduction. */
template <typename T>
struct Identity
{
  using Type = T;
};
template <typename T>
using Same = typename Identity<T>::Type;
} // namespace Emulation

/** Built-in variables of the running thread of the kernel that this host thread emulates. */
inline thread_local uint3 threadIdx{};
inline thread_local uint3 blockIdx{};
inline thread_local dim3  blockDim{};
inline thread_local dim3  gridDim{};
constexpr int             warpSize = 32;

#define CUDAFILTERS_SHARED(type, name, extents) \
  using name##Type = type extents;              \
  static const char       name##Tag = 0;        \
  name##Type & name = *static_cast<name##Type *>(::Emulation::GetSharedMemory(&name##Tag, sizeof(name##Type)))

#define CUDAFILTERS_MAY_YIELD() ::Emulation::MaybeYield()

#define CUDAFILTERS_DYNAMIC_SHARED(type, name) \
  type * const name = static_cast<type *>(::Emulation::GetDynamicSharedMemory())

inline void
__syncthreads()
{
  ::Emulation::SynchronizeBlock();
}
inline void
__barrier_sync_count(unsigned int barrier, unsigned int threads)
{
  ::Emulation::SynchronizeThreads(barrier, threads);
}
inline void
__syncwarp(unsigned int mask = 0xffffffffu)
{
  ::Emulation::Meet(mask, 0);
}
inline void
__threadfence()
{
  ::Emulation::MaybeYield();
}
inline void
__threadfence_block()
{
  ::Emulation::MaybeYield();
}
inline void
__nanosleep(unsigned int)
{
  ::Emulation::Yield();
}
/** Nanoseconds that do not depend on the speed of this machine: a microsecond goes by with each call. */
inline long long
clock64()
{
  return ::Emulation::GetClock();
}

template <typename TValue>
TValue
__shfl_sync(unsigned int mask, TValue value, int source, int width = warpSize)
{
  return ::Emulation::Shuffle(mask, value, source & (width - 1), width, true);
}
template <typename TValue>
TValue
__shfl_up_sync(unsigned int mask, TValue value, unsigned int delta, int width = warpSize)
{
  const int source = static_cast<int>(::Emulation::GetLane() % width) - static_cast<int>(delta);
  return ::Emulation::Shuffle(mask, value, source, width, source >= 0);
}
template <typename TValue>
TValue
__shfl_down_sync(unsigned int mask, TValue value, unsigned int delta, int width = warpSize)
{
  const int source = static_cast<int>(::Emulation::GetLane() % width + delta);
  return ::Emulation::Shuffle(mask, value, source, width, source < width);
}
template <typename TValue>
TValue
__shfl_xor_sync(unsigned int mask, TValue value, int laneMask, int width = warpSize)
{
  const int source = static_cast<int>(::Emulation::GetLane() % width) ^ laneMask;
  return ::Emulation::Shuffle(mask, value, source, width, source < width);
}

inline unsigned int
__ballot_sync(unsigned int mask, int predicate)
{
  const auto & meeting = ::Emulation::Meet(mask, predicate != 0);
  unsigned int votes = 0;
  for (unsigned int lane = 0; lane < 32; ++lane)
  {
    votes |= (mask >> lane & 1u) != 0 && meeting.Values[lane] != 0 ? 1u << lane : 0u;
  }
  return votes;
}
inline int
__any_sync(unsigned int mask, int predicate)
{
  return __ballot_sync(mask, predicate) != 0;
}
inline int
__all_sync(unsigned int mask, int predicate)
{
  return __ballot_sync(mask, predicate) == mask;
}
template <typename TValue>
unsigned int
__match_any_sync(unsigned int mask, TValue value)
{
  const auto & meeting = ::Emulation::Meet(mask, ::Emulation::ToBits(value));
  unsigned int equal = 0;
  for (unsigned int lane = 0; lane < 32; ++lane)
  {
    equal |= (mask >> lane & 1u) != 0 && meeting.Values[lane] == ::Emulation::ToBits(value) ? 1u << lane : 0u;
  }
  return equal;
}
template <typename TValue>
TValue
__reduce_add_sync(unsigned int mask, TValue value)
{
  return ::Emulation::Reduce(mask, value, [](TValue a, TValue b) { return a + b; });
}
template <typename TValue>
TValue
__reduce_min_sync(unsigned int mask, TValue value)
{
  return ::Emulation::Reduce(mask, value, [](TValue a, TValue b) { return std::min(a, b); });
}
template <typename TValue>
TValue
__reduce_max_sync(unsigned int mask, TValue value)
{
  return ::Emulation::Reduce(mask, value, [](TValue a, TValue b) { return std::max(a, b); });
}

template <typename TValue>
TValue
atomicAdd(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return static_cast<TValue>(former + value); });
}
template <typename TValue>
TValue
atomicSub(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return static_cast<TValue>(former - value); });
}
template <typename TValue>
TValue
atomicMin(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return std::min(former, value); });
}
template <typename TValue>
TValue
atomicMax(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return std::max(former, value); });
}
template <typename TValue>
TValue
atomicAnd(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return former & value; });
}
template <typename TValue>
TValue
atomicOr(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue former) { return former | value; });
}
template <typename TValue>
TValue
atomicExch(TValue * address, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address, [value](TValue) { return value; });
}
template <typename TValue>
TValue
atomicCAS(TValue * address, ::Emulation::Same<TValue> expected, ::Emulation::Same<TValue> value)
{
  return ::Emulation::Atomically(address,
                                 [expected, value](TValue former) { return former == expected ? value : former; });
}

template <typename TValue>
TValue
__ldg(const TValue * address)
{
  return *address;
}
template <typename TValue>
TValue
__ldcg(const TValue * address)
{
  return *static_cast<const volatile TValue *>(address);
}
template <typename TValue>
void
__stcg(TValue * address, ::Emulation::Same<TValue> value)
{
  *static_cast<volatile TValue *>(address) = value;
}
inline double
__dmul_rn(double a, double b)
{
  return a * b;
}
inline double
__dadd_rn(double a, double b)
{
  return a + b;
}
inline float
__fmul_rn(float a, float b)
{
  return a * b;
}
inline float
__fadd_rn(float a, float b)
{
  return a + b;
}
inline float
__fdividef(float a, float b)
{
  return a / b;
}
inline float
rsqrtf(float a)
{
  return 1.0f / std::sqrt(a);
}
using std::max;
using std::min;
inline int
__popc(unsigned int value)
{
  return __builtin_popcount(value);
}
inline int
__ffs(int value)
{
  return __builtin_ffs(value);
}
inline int
__clz(int value)
{
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(value));
}

inline unsigned int
__byte_perm(unsigned int a, unsigned int b, unsigned int selector)
{
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned int             result = 0;
  for (unsigned int i = 0; i < 4; ++i)
  {
    result |= static_cast<unsigned int>(bytes >> (8 * (selector >> (4 * i) & 7)) & 255) << (8 * i);
  }
  return result;
}
inline unsigned int
__funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
  return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
/** Chooses among the numbers in two words, lane by lane. */
template <typename TLane, typename TChoose>
unsigned int
ChooseLanes(unsigned int a, unsigned int b, TChoose choose)
{
  constexpr int lanes = sizeof(unsigned int) / sizeof(TLane);
  TLane         left[lanes];
  TLane         right[lanes];
  std::memcpy(left, &a, sizeof(a));
  std::memcpy(right, &b, sizeof(b));
  for (int i = 0; i < lanes; ++i)
  {
    left[i] = choose(left[i], right[i]);
  }
  std::memcpy(&a, left, sizeof(a));
  return a;
}
inline unsigned int
__vminu4(unsigned int a, unsigned int b)
{
  return ChooseLanes<unsigned char>(a, b, [](unsigned char x, unsigned char y) { return std::min(x, y); });
}
inline unsigned int
__vmaxu4(unsigned int a, unsigned int b)
{
  return ChooseLanes<unsigned char>(a, b, [](unsigned char x, unsigned char y) { return std::max(x, y); });
}
inline unsigned int
__vmins2(unsigned int a, unsigned int b)
{
  return ChooseLanes<short>(a, b, [](short x, short y) { return std::min(x, y); });
}
inline unsigned int
__vmaxs2(unsigned int a, unsigned int b)
{
  return ChooseLanes<short>(a, b, [](short x, short y) { return std::max(x, y); });
}
inline unsigned int
__vminu2(unsigned int a, unsigned int b)
{
  return std::min(a & 0xffff0000u, b & 0xffff0000u) | std::min(a & 0xffffu, b & 0xffffu);
}
inline unsigned int
__vmaxu2(unsigned int a, unsigned int b)
{
  return std::max(a & 0xffff0000u, b & 0xffff0000u) | std::max(a & 0xffffu, b & 0xffffu);
}

#endif
