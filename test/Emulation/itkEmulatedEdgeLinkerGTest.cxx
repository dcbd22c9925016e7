// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of the edge linking kernels with 32-bit labels, and with 64-bit labels, which only images of billions of pixels
// need; with several orders of threads and blocks.

#include "Canny/EdgeLinker.h"
#include "Canny/EdgeLinker.cuh"
#include "EmulatedRuntime.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace
{
using namespace itk::CudaFilters;

/** Random masks: one bit per pixel, rows of whole words. */
struct Masks
{
  Size3                      Size;
  EdgeMasks                  Layout;
  std::vector<std::uint32_t> Words;

  Masks(const Size3 & size, double candidates, double strong, unsigned int seed)
    : Size(size)
    , Layout{ nullptr, size }
    , Words(2 * Layout.GetNumberOfWords())
  {
    std::mt19937                           random(seed);
    std::uniform_real_distribution<double> share;
    for (std::int64_t pixel = 0; pixel < GetNumberOfPixels(size); ++pixel)
    {
      const double draw = share(random);
      if (draw < candidates)
      {
        this->Set(pixel, 0);
      }
      if (draw < strong)
      {
        this->Set(pixel, 1);
      }
    }
  }

  bool
  Get(std::int64_t pixel, int kind) const
  {
    const auto [word, bit] = this->Find(pixel, kind);
    return (this->Words[word] >> bit & 1u) != 0;
  }

  /** The reference result: the pixels that are connected to a strong one, by flood filling. */
  std::vector<unsigned char>
  GetKept() const
  {
    std::vector<unsigned char> kept(GetNumberOfPixels(this->Size));
    std::vector<std::int64_t>  waiting;
    for (std::int64_t pixel = 0; pixel < GetNumberOfPixels(this->Size); ++pixel)
    {
      if (this->Get(pixel, 1))
      {
        kept[pixel] = 1;
        waiting.push_back(pixel);
      }
    }
    while (!waiting.empty())
    {
      const std::int64_t pixel = waiting.back();
      waiting.pop_back();
      const std::int64_t x = pixel % this->Size[0];
      const std::int64_t y = pixel / this->Size[0] % this->Size[1];
      const std::int64_t z = pixel / this->Size[0] / this->Size[1];
      for (int n = 0; n < 27; ++n)
      {
        const std::int64_t a = x + n % 3 - 1, b = y + n / 3 % 3 - 1, c = z + n / 9 - 1;
        if (a < 0 || b < 0 || c < 0 || a >= this->Size[0] || b >= this->Size[1] || c >= this->Size[2])
        {
          continue;
        }
        const std::int64_t other = (c * this->Size[1] + b) * this->Size[0] + a;
        if (kept[other] == 0 && this->Get(other, 0))
        {
          kept[other] = 1;
          waiting.push_back(other);
        }
      }
    }
    return kept;
  }

private:
  std::pair<std::int64_t, int>
  Find(std::int64_t pixel, int kind) const
  {
    const std::int64_t row = pixel / this->Size[0];
    const std::int64_t x = pixel % this->Size[0];
    return { kind * this->Layout.GetNumberOfWords() + row * this->Layout.GetWordsPerRow() + x / 32,
             static_cast<int>(x % 32) };
  }
  void
  Set(std::int64_t pixel, int kind)
  {
    const auto [word, bit] = this->Find(pixel, kind);
    this->Words[word] |= 1u << bit;
  }
};

template <int VDimension, typename TLabel>
std::vector<unsigned char>
LinkOnDevice(const Masks & masks)
{
  const Execution            execution(0, {});
  cudaStream_t               stream = execution.GetStream()->GetHandle();
  const std::int64_t         number = masks.Layout.GetNumberOfWords();
  std::vector<unsigned char> result(GetNumberOfPixels(masks.Size));
  const auto                 words = execution.Allocate(masks.Words.size() * sizeof(std::uint32_t));
  const auto                 labels = execution.Allocate(number * RunsPerWord * sizeof(TLabel));
  const auto                 output = execution.Allocate(result.size());
  cudaMemcpyAsync(words->GetPointer(), masks.Words.data(), words->GetBytes(), cudaMemcpyHostToDevice, stream);

  LinkedMasks linked;
  linked.Candidates = static_cast<const std::uint32_t *>(words->GetPointer());
  linked.Strong = linked.Candidates + number;
  std::copy(masks.Size.begin(), masks.Size.end(), linked.Size);
  linked.WordsPerRow = masks.Layout.GetWordsPerRow();
  linked.Words = number;
  const LabelForest<TLabel> forest(static_cast<TLabel *>(labels->GetPointer()));
  const LaunchShape         shape{ dim3(3), dim3(64) };
  Launch(execution, "PlantKernel", PlantKernel<TLabel>, shape, linked, forest);
  Launch(execution, "JoinKernel", JoinKernel<VDimension, TLabel>, shape, linked, forest);
  Launch(execution,
         "WriteEdgesKernel",
         WriteEdgesKernel<TLabel, unsigned char>,
         shape,
         linked,
         forest,
         static_cast<unsigned char *>(output->GetPointer()));
  cudaMemcpyAsync(result.data(), output->GetPointer(), result.size(), cudaMemcpyDeviceToHost, stream);
  execution.GetStream()->Synchronize();
  return result;
}

template <int VDimension>
void
ExpectRightLinks(const Size3 & size)
{
  const Emulation::Settings former = Emulation::GetSettings();
  for (unsigned int seed = 1; seed <= 5; ++seed)
  {
    Emulation::GetSettings().Seed = seed;
    for (const double candidates : { 0.1, 0.3, 0.4, 0.7, 1.0 })
    {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", candidates " << candidates);
      const Masks masks(size, candidates, 0.01, seed);
      const auto  kept = masks.GetKept();
      EXPECT_EQ((LinkOnDevice<VDimension, std::uint32_t>(masks)), kept);
      EXPECT_EQ((LinkOnDevice<VDimension, unsigned long long>(masks)), kept);
    }
  }
  Emulation::GetSettings() = former;
}

class EmulatedEdgeLinker : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (Emulation::GetSettings().NumberOfDevices == 0)
    {
      GTEST_SKIP() << "no emulated device was asked for";
    }
  }
};
} // namespace

TEST_F(EmulatedEdgeLinker, LinksPlanes)
{
  for (const Size3 & size :
       { Size3{ { 1, 1, 1 } }, Size3{ { 32, 5, 1 } }, Size3{ { 33, 40, 1 } }, Size3{ { 130, 37, 1 } } })
  {
    SCOPED_TRACE(::testing::Message() << size[0] << " x " << size[1]);
    ExpectRightLinks<2>(size);
  }
}

TEST_F(EmulatedEdgeLinker, LinksVolumes)
{
  for (const Size3 & size : { Size3{ { 1, 1, 9 } }, Size3{ { 40, 1, 7 } }, Size3{ { 65, 9, 6 } } })
  {
    SCOPED_TRACE(::testing::Message() << size[0] << " x " << size[1] << " x " << size[2]);
    ExpectRightLinks<3>(size);
  }
}
