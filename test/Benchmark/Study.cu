// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The experiments of section 3.4 of L. Lourenço's thesis (Implementação do detector de bordas Canny em CUDA para a ITK,
// UFPR, 2011), each kernel written anew, with the cases that his tables lack. Every result is checked on the host
// before it is timed.

#include "Study.h"
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
void
Check(cudaError_t error)
{
  if (error != cudaSuccess)
  {
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
  }
}

using Index = std::int64_t;

__device__ inline Index
GetIndex()
{
  return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// ---- Where a thread reads ---------------------------------------------------------------------------------------

/** Through the ordinary cache, through the read-only path, or as a texture. */
struct GlobalReader
{
  const float * Pixels;
  __device__ float
  operator()(Index i) const
  {
    return Pixels[i];
  }
};
struct ReadOnlyReader
{
  const float * Pixels;
  __device__ float
  operator()(Index i) const
  {
    return __ldg(Pixels + i);
  }
};
struct TextureReader
{
  cudaTextureObject_t Texture;
  __device__ float
  operator()(Index i) const
  {
    return tex1Dfetch<float>(Texture, static_cast<int>(i));
  }
};

// ---- 1: memory access --------------------------------------------------------------------------------------------

template <typename TReader>
__global__ void
CopyKernel(TReader in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i] = in(i);
  }
}

/** Four pixels a thread, in one load and one store of 16 bytes. */
__global__ void
WideCopyKernel(const float4 * in, float4 * out, Index n)
{
  const Index i = GetIndex();
  if (i < n / 4)
  {
    out[i] = in[i];
  }
}

/** Neighbours change places: each thread writes to, or reads from, the other's place. */
template <typename TReader>
__global__ void
SwapOnWriteKernel(TReader in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i ^ 1] = in(i);
  }
}
template <typename TReader>
__global__ void
SwapOnReadKernel(TReader in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i] = in(i ^ 1);
  }
}

/** Access that really is scattered: threads next to each other read, or write, places that are a stride apart. The
 * pixels are a matrix of as many columns as the stride, and a thread's number counts them column by column. */
__device__ inline Index
GetStrided(Index i, Index stride, int rowBits)
{
  return (i & ((Index(1) << rowBits) - 1)) * stride + (i >> rowBits);
}
__global__ void
StridedReadKernel(const float * in, float * out, Index n, Index stride, int rowBits)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i] = in[GetStrided(i, stride, rowBits)];
  }
}
__global__ void
StridedWriteKernel(const float * in, float * out, Index n, Index stride, int rowBits)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[GetStrided(i, stride, rowBits)] = in[i];
  }
}

// ---- 2: branches, with neighbours in memory ------------------------------------------------------------------------

template <typename TReal>
__device__ float
Combine(TReal left, TReal right)
{
  return static_cast<float>(sqrt(TReal(2) * left + TReal(0.5) * right));
}

template <typename TReal, typename TReader>
__global__ void
NeighborsByBranchKernel(TReader in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    float left;
    float right;
    if (i > 0)
    {
      left = in(i - 1);
    }
    else
    {
      left = in(i);
    }
    if (i < n - 1)
    {
      right = in(i + 1);
    }
    else
    {
      right = in(i);
    }
    out[i] = Combine<TReal>(left, right);
  }
}
template <typename TReal, typename TReader>
__global__ void
NeighborsByLogicKernel(TReader in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i] = Combine<TReal>(in(i - (i > 0)), in(i + (i < n - 1)));
  }
}

// ---- 3: branches, without ------------------------------------------------------------------------------------------

template <bool VFast>
__device__ float
GetSector(float angle)
{
  return ceilf(VFast ? __fdividef(angle - 22.0f, 45.0f) : (angle - 22.0f) / 45.0f);
}

/** The neighbour in the direction of an angle, one of two kinds by the thread's parity; by branches. */
template <bool VFast>
__global__ void
DirectionByBranchKernel(const float * in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    const float sector = GetSector<VFast>(in[i]);
    float       x = 0.0f;
    float       y = 0.0f;
    if (threadIdx.x % 2 == 1)
    {
      if (sector == 0.0f)
      {
        x = 0.0f;
        y = -1.0f;
      }
      if (sector == 1.0f)
      {
        x = -1.0f;
        y = -1.0f;
      }
      if (sector == 2.0f)
      {
        x = 1.0f;
        y = 0.0f;
      }
      if (sector == 3.0f)
      {
        x = 1.0f;
        y = -1.0f;
      }
    }
    else
    {
      if (sector == 0.0f)
      {
        x = 1.0f;
        y = 0.0f;
      }
      if (sector == 1.0f)
      {
        x = 0.0f;
        y = 0.0f;
      }
      if (sector == 2.0f)
      {
        x = 2.0f;
        y = 1.0f;
      }
      if (sector == 3.0f)
      {
        x = 2.0f;
        y = 0.0f;
      }
    }
    out[i] = x + y;
  }
}

/** The same sum by arithmetic on conditions. */
template <bool VFast>
__global__ void
DirectionByLogicKernel(const float * in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    const float sector = GetSector<VFast>(in[i]);
    const int   even = threadIdx.x % 2 == 0;
    out[i] = static_cast<float>((sector != 0.0f) - 2 * (sector == 1.0f) + (sector == 2.0f) - 1 + 2 * even);
  }
}

/** Long work on either side of a branch, which no compiler turns into a choice between two values. Halves of each warp
 * go different ways, or whole warps do. */
__device__ float
LongWork(float value, float factor)
{
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
  {
    value = fmaf(value, factor, 0.25f);
  }
  return value;
}
template <bool VWithinWarp>
__global__ void
LongBranchKernel(const float * in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    const bool isOdd = (VWithinWarp ? threadIdx.x : threadIdx.x / 32) % 2 == 1;
    if (isOdd)
    {
      out[i] = LongWork(in[i], 0.5f);
    }
    else
    {
      out[i] = LongWork(in[i], -0.5f) + 1.0f;
    }
  }
}

// ---- 4: blocks and grids -------------------------------------------------------------------------------------------

__global__ void
AddOneKernel(const float * in, float * out, Index n)
{
  const Index i = GetIndex();
  if (i < n)
  {
    out[i] = in[i] + 1.0f;
  }
}
/** As many blocks as the device holds at a time, each thread going on through the pixels. */
__global__ void
AddOneInStridesKernel(const float * in, float * out, Index n)
{
  for (Index i = GetIndex(); i < n; i += static_cast<Index>(gridDim.x) * blockDim.x)
  {
    out[i] = in[i] + 1.0f;
  }
}

// ---- How it is measured --------------------------------------------------------------------------------------------

/** Pixels in device memory and what the host expects of them. */
class Bench
{
public:
  Bench(Index n, int values)
    : m_Host(n)
  {
    std::mt19937 random(3);
    for (float & value : m_Host)
    {
      value = static_cast<float>(random() % values);
    }
    Check(cudaMalloc(&m_In, n * sizeof(float)));
    Check(cudaMalloc(&m_Out, n * sizeof(float)));
    Check(cudaMemcpy(m_In, m_Host.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    // A texture of linear memory has at most 2^27 texels.
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = m_In;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = n * sizeof(float);
    cudaTextureDesc texture{};
    texture.readMode = cudaReadModeElementType;
    Check(cudaCreateTextureObject(&m_Texture, &resource, &texture, nullptr));
  }

  ~Bench()
  {
    cudaDestroyTextureObject(m_Texture);
    cudaFree(m_In);
    cudaFree(m_Out);
  }

  Index
  GetSize() const
  {
    return static_cast<Index>(m_Host.size());
  }
  const float *
  GetInput() const
  {
    return m_In;
  }
  float *
  GetOutput() const
  {
    return m_Out;
  }
  cudaTextureObject_t
  GetTexture() const
  {
    return m_Texture;
  }

  /** Runs a kernel once and throws if a pixel is not what it should be. Where NaN is expected, anything is right. */
  void
  Verify(const std::function<void()> & launch, const std::function<float(const std::vector<float> &, Index)> & expected)
  {
    std::vector<float> result(m_Host.size());
    Check(cudaMemset(m_Out, 0xff, m_Host.size() * sizeof(float)));
    launch();
    Check(cudaGetLastError());
    Check(cudaMemcpy(result.data(), m_Out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (Index i = 0; i < GetSize(); ++i)
    {
      const float value = expected(m_Host, i);
      if (!std::isnan(value) && !(std::abs(result[i] - value) <= 1e-5f * std::abs(value)))
      {
        throw std::runtime_error("pixel " + std::to_string(i) + " is " + std::to_string(result[i]) + ", not " +
                                 std::to_string(value));
      }
    }
  }

private:
  std::vector<float>  m_Host;
  float *             m_In = nullptr;
  float *             m_Out = nullptr;
  cudaTextureObject_t m_Texture = 0;
};

using Launcher = std::function<void(const Bench &)>;
using Expected = std::function<float(const std::vector<float> &, Index)>;

/** The thesis's size, and one that no cache of today's devices holds. */
constexpr Index ThesisPixels = 10000000;
constexpr int   ManyPixelsBits = 26;
constexpr Index ManyPixels = Index(1) << ManyPixelsBits;

/** The pixels of the last benchmark serve again if they are the same. */
Bench &
GetBench(Index n, int values)
{
  static std::unique_ptr<Bench> bench;
  static std::pair<Index, int>  parameters;
  const std::pair<Index, int>   wanted(n, values);
  if (!bench || parameters != wanted)
  {
    bench.reset();
    bench = std::make_unique<Bench>(n, values);
    parameters = wanted;
  }
  return *bench;
}

/** expected: to be checked before the first repetition; none afterwards. */
void
Measure(benchmark::State & state, Index n, int values, const Launcher & launcher, Expected & expected)
{
  try
  {
    Bench &    bench = GetBench(n, values);
    const auto launch = [&] { launcher(bench); };
    if (expected)
    {
      bench.Verify(launch, expected);
      expected = nullptr; // once is enough
    }
    cudaEvent_t begin;
    cudaEvent_t end;
    Check(cudaEventCreate(&begin));
    Check(cudaEventCreate(&end));
    for (int i = 0; i < 5; ++i)
    {
      launch();
    }
    for (auto _ : state)
    {
      float milliseconds = 0.0f;
      Check(cudaEventRecord(begin));
      launch();
      Check(cudaEventRecord(end));
      Check(cudaEventSynchronize(end));
      Check(cudaEventElapsedTime(&milliseconds, begin, end));
      state.SetIterationTime(milliseconds / 1000.0);
    }
    Check(cudaEventDestroy(begin));
    Check(cudaEventDestroy(end));
    state.counters["pixels"] = static_cast<double>(n);
  }
  catch (const std::exception & error)
  {
    state.SkipWithError(error.what());
  }
}

void
Register(const std::string & name, int values, const Launcher & launcher, const Expected & expected, Index only = 0)
{
  for (const Index n : { ThesisPixels, ManyPixels })
  {
    if (only != 0 && only != n)
    {
      continue;
    }
    const std::string full = "study/" + name + "/" + (n == ThesisPixels ? "10M" : "64Mi") + "|ours_ms";
    benchmark::RegisterBenchmark(
      full.c_str(),
      [=, check = expected](benchmark::State & state) mutable { Measure(state, n, values, launcher, check); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.02)
      ->Repetitions(7)
      ->ReportAggregatesOnly();
  }
}

int
CountMultiprocessors()
{
  int device = 0;
  int count = 0;
  Check(cudaGetDevice(&device));
  Check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

constexpr unsigned int UsualThreads = 256;

unsigned int
GetBlocks(Index n, unsigned int threads = UsualThreads)
{
  return static_cast<unsigned int>((n + threads - 1) / threads);
}

template <typename TKernel>
Launcher
Start(TKernel kernel)
{
  return [kernel](const Bench & bench) {
    kernel<<<GetBlocks(bench.GetSize()), UsualThreads>>>(bench.GetInput(), bench.GetOutput(), bench.GetSize());
  };
}

template <typename TReader, typename TKernel>
Launcher
StartReading(TKernel kernel)
{
  return [kernel](const Bench & bench) {
    TReader reader;
    if constexpr (std::is_same<TReader, TextureReader>::value)
    {
      reader.Texture = bench.GetTexture();
    }
    else
    {
      reader.Pixels = bench.GetInput();
    }
    kernel<<<GetBlocks(bench.GetSize()), UsualThreads>>>(reader, bench.GetOutput(), bench.GetSize());
  };
}
} // namespace

void
RegisterStudy()
{
  using Pixels = std::vector<float>;

  // 1
  const Expected same = [](const Pixels & in, Index i) { return in[i]; };
  const Expected swapped = [](const Pixels & in, Index i) { return in[i ^ 1]; };
  Register("1-access/copy", 1000, StartReading<GlobalReader>(CopyKernel<GlobalReader>), same);
  Register(
    "1-access/copy-16-bytes-a-thread",
    1000,
    [](const Bench & bench) {
      WideCopyKernel<<<GetBlocks(bench.GetSize() / 4), UsualThreads>>>(
        reinterpret_cast<const float4 *>(bench.GetInput()),
        reinterpret_cast<float4 *>(bench.GetOutput()),
        bench.GetSize());
    },
    same);
  Register("1-access/swap-on-write", 1000, StartReading<GlobalReader>(SwapOnWriteKernel<GlobalReader>), swapped);
  Register("1-access/swap-on-read", 1000, StartReading<GlobalReader>(SwapOnReadKernel<GlobalReader>), swapped);
  Register(
    "1-access/swap-on-read-read-only", 1000, StartReading<ReadOnlyReader>(SwapOnReadKernel<ReadOnlyReader>), swapped);
  Register(
    "1-access/swap-on-read-texture", 1000, StartReading<TextureReader>(SwapOnReadKernel<TextureReader>), swapped);
  for (const int bits : { 0, 1, 3, 5 })
  {
    const Index       stride = Index(1) << bits;
    const int         rowBits = ManyPixelsBits - bits;
    const std::string by = "-by-" + std::to_string(stride);
    Register(
      "1-access/read" + by,
      1000,
      [=](const Bench & bench) {
        StridedReadKernel<<<GetBlocks(bench.GetSize()), UsualThreads>>>(
          bench.GetInput(), bench.GetOutput(), bench.GetSize(), stride, rowBits);
      },
      [stride](const Pixels & in, Index i) {
        const auto n = static_cast<Index>(in.size());
        return in[i % (n / stride) * stride + i / (n / stride)];
      },
      ManyPixels);
    Register(
      "1-access/write" + by,
      1000,
      [=](const Bench & bench) {
        StridedWriteKernel<<<GetBlocks(bench.GetSize()), UsualThreads>>>(
          bench.GetInput(), bench.GetOutput(), bench.GetSize(), stride, rowBits);
      },
      [stride](const Pixels & in, Index i) {
        const auto n = static_cast<Index>(in.size());
        return in[i % stride * (n / stride) + i / stride];
      },
      ManyPixels);
  }

  // 2
  const Expected combined = [](const Pixels & in, Index i) {
    const double left = in[i - (i > 0)];
    const double right = in[i + (i + 1 < static_cast<Index>(in.size()))];
    return static_cast<float>(std::sqrt(2.0 * left + 0.5 * right));
  };
  Register("2-divergence-and-memory/branch-global",
           1000,
           StartReading<GlobalReader>(NeighborsByBranchKernel<float, GlobalReader>),
           combined);
  Register("2-divergence-and-memory/logic-global",
           1000,
           StartReading<GlobalReader>(NeighborsByLogicKernel<float, GlobalReader>),
           combined);
  Register("2-divergence-and-memory/branch-texture",
           1000,
           StartReading<TextureReader>(NeighborsByBranchKernel<float, TextureReader>),
           combined);
  Register("2-divergence-and-memory/logic-texture",
           1000,
           StartReading<TextureReader>(NeighborsByLogicKernel<float, TextureReader>),
           combined);
  Register("2-divergence-and-memory/branch-global-double",
           1000,
           StartReading<GlobalReader>(NeighborsByBranchKernel<double, GlobalReader>),
           combined);
  Register("2-divergence-and-memory/logic-global-double",
           1000,
           StartReading<GlobalReader>(NeighborsByLogicKernel<double, GlobalReader>),
           combined);

  // 3
  const Expected direction = [](const Pixels & in, Index i) {
    const float sector = std::ceil((in[i] - 22.0f) / 45.0f);
    const int   even = i % 2 == 0;
    return static_cast<float>((sector != 0.0f) - 2 * (sector == 1.0f) + (sector == 2.0f) - 1 + 2 * even);
  };
  Register("3-divergence/branch", 158, Start(DirectionByBranchKernel<false>), direction);
  Register("3-divergence/logic", 158, Start(DirectionByLogicKernel<false>), direction);
  // A fast division may land beside a whole number.
  const Expected nearDirection = [direction](const Pixels & in, Index i) {
    const bool isWhole = std::fmod(in[i] - 22.0f, 45.0f) == 0.0f;
    return isWhole ? std::numeric_limits<float>::quiet_NaN() : direction(in, i);
  };
  Register("3-divergence/branch-fast-division", 158, Start(DirectionByBranchKernel<true>), nearDirection);
  Register("3-divergence/logic-fast-division", 158, Start(DirectionByLogicKernel<true>), nearDirection);
  const auto longWork = [](int threadsAWay) {
    // The input is 0 or 1.
    std::array<std::array<float, 2>, 2> results{};
    for (int isOdd = 0; isOdd < 2; ++isOdd)
    {
      for (int value = 0; value < 2; ++value)
      {
        float result = static_cast<float>(value);
        for (int k = 0; k < 64; ++k)
        {
          result = std::fma(result, isOdd ? 0.5f : -0.5f, 0.25f);
        }
        results[isOdd][value] = result + (isOdd ? 0.0f : 1.0f);
      }
    }
    return Expected(
      [=](const Pixels & in, Index i) { return results[i % UsualThreads / threadsAWay % 2][static_cast<int>(in[i])]; });
  };
  Register("3-divergence/long-branch-in-a-warp", 2, Start(LongBranchKernel<true>), longWork(1));
  Register("3-divergence/long-branch-by-warps", 2, Start(LongBranchKernel<false>), longWork(32));

  // 4
  const Expected plusOne = [](const Pixels & in, Index i) { return in[i] + 1.0f; };
  for (const unsigned int threads : { 5u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u })
  {
    Register(
      "4-blocks/" + std::to_string(threads) + "-threads",
      180,
      [threads](const Bench & bench) {
        AddOneKernel<<<GetBlocks(bench.GetSize(), threads), threads>>>(
          bench.GetInput(), bench.GetOutput(), bench.GetSize());
      },
      plusOne);
  }
  Register(
    "4-blocks/256-threads-in-strides",
    180,
    [](const Bench & bench) {
      static const int multiprocessors = CountMultiprocessors();
      AddOneInStridesKernel<<<multiprocessors * 8, UsualThreads>>>(
        bench.GetInput(), bench.GetOutput(), bench.GetSize());
    },
    plusOne);
}
} // namespace CudaBenchmark
} // namespace itk
