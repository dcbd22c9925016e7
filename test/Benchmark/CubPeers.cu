// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CubPeers.h"
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>

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
    throw std::runtime_error(cudaGetErrorString(error));
  }
}

/** Values in device memory. */
template <typename TValue>
class DeviceValues
{
public:
  explicit DeviceValues(std::size_t number) { Check(cudaMalloc(&m_Pointer, number * sizeof(TValue) + 1)); }
  explicit DeviceValues(const std::vector<TValue> & values)
    : DeviceValues(values.size())
  {
    Check(cudaMemcpy(m_Pointer, values.data(), values.size() * sizeof(TValue), cudaMemcpyHostToDevice));
  }
  ~DeviceValues() { cudaFree(m_Pointer); }
  DeviceValues(const DeviceValues &) = delete;
  DeviceValues &
  operator=(const DeviceValues &) = delete;

  TValue *
  Get() const
  {
    return static_cast<TValue *>(m_Pointer);
  }

private:
  void * m_Pointer = nullptr;
};

/** call(memory, bytes): a function of CUB, which asks for memory if it gets none. */
template <typename TResult, typename TCall>
std::function<std::vector<TResult>()>
MakePeer(std::size_t numberOfResults, const TCall & call)
{
  const auto  results = std::make_shared<DeviceValues<TResult>>(numberOfResults);
  std::size_t bytes = 0;
  Check(call(nullptr, bytes, results->Get()));
  const auto memory = std::make_shared<DeviceValues<char>>(bytes);
  return [=] {
    std::size_t size = bytes;
    Check(call(memory->Get(), size, results->Get()));
    std::vector<TResult> values(numberOfResults);
    Check(cudaMemcpy(values.data(), results->Get(), numberOfResults * sizeof(TResult), cudaMemcpyDeviceToHost));
    return values;
  };
}

struct AddDoubles
{
  __host__ __device__ double
  operator()(double a, double b) const
  {
    return a + b;
  }
};

template <typename TPixel>
std::function<std::vector<std::int32_t>()>
MakeHistogram(const std::vector<TPixel> & pixels, int bins)
{
  const auto onDevice = std::make_shared<DeviceValues<TPixel>>(pixels);
  const auto number = static_cast<int>(pixels.size());
  return MakePeer<std::int32_t>(bins, [=](void * memory, std::size_t & bytes, std::int32_t * counts) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, onDevice->Get(), counts, bins + 1, 0, bins, number);
  });
}
} // namespace

std::function<double()>
MakeCubMaximum(const std::vector<float> & pixels)
{
  const auto onDevice = std::make_shared<DeviceValues<float>>(pixels);
  const auto number = static_cast<int>(pixels.size());
  const auto run = MakePeer<float>(1, [=](void * memory, std::size_t & bytes, float * result) {
    return cub::DeviceReduce::Max(memory, bytes, onDevice->Get(), result, number);
  });
  return [run] { return static_cast<double>(run().front()); };
}

std::function<double()>
MakeCubSum(const std::vector<float> & pixels)
{
  const auto onDevice = std::make_shared<DeviceValues<float>>(pixels);
  const auto number = static_cast<int>(pixels.size());
  const auto run = MakePeer<double>(1, [=](void * memory, std::size_t & bytes, double * result) {
    return cub::DeviceReduce::Reduce(memory, bytes, onDevice->Get(), result, number, AddDoubles{}, 0.0);
  });
  return [run] { return run().front(); };
}

std::function<std::vector<std::int32_t>()>
MakeCubHistogram(const std::vector<unsigned char> & pixels, int bins)
{
  return MakeHistogram(pixels, bins);
}
std::function<std::vector<std::int32_t>()>
MakeCubHistogram(const std::vector<unsigned short> & pixels, int bins)
{
  return MakeHistogram(pixels, bins);
}
} // namespace CudaBenchmark
} // namespace itk
