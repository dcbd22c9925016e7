// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of uploads through small page-locked buffers. The emulated device may delay a copy until the host waits for it,
// so that the test detects a buffer that is filled again too early.

#include "cuda_runtime.h"
#include "Device/Execution.h"
#include "PixelMemory/StagedUpload.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <numeric>

namespace
{
using namespace itk::CudaFilters;

std::vector<int>
UploadAndReadBack(const HostBox & box, const std::vector<std::int64_t> & ends, std::size_t chunkBytes)
{
  const Execution       execution(0, ExecutionSettings());
  const auto            memory = execution.Allocate(box.GetBytes());
  const Stream::Pointer stream = execution.GetStream();
  {
    StagedUpload staging(0, chunkBytes);
    std::int64_t begin = box.Start[2];
    for (const std::int64_t end : ends)
    {
      Size3 start = box.Start;
      Size3 size = box.Size;
      start[2] = begin;
      size[2] = end - begin;
      staging.Enqueue(memory->GetPointer(), box, start, size, *stream);
      begin = end;
    }
  }
  std::vector<int> result(GetNumberOfPixels(box.Size), -1);
  EXPECT_EQ(
    cudaMemcpyAsync(result.data(), memory->GetPointer(), box.GetBytes(), cudaMemcpyDeviceToHost, stream->GetHandle()),
    cudaSuccess);
  stream->Synchronize();
  return result;
}

using Image = itk::Image<double, 2>;

/** Runs a filter in tiles, with a budget of memory for tiles that are large enough to be staged. */
template <typename TFilter>
void
ExpectNoPageableCopies(TFilter & filter, itk::SizeValueType megabytes)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(megabytes * 1024 * 1024);
  filter.SetCudaInterface(settings);
  const std::size_t former = Emulation::GetPageableBytesCopied();
  filter.Update();
  EXPECT_GT(filter.GetNumberOfTiles(), 1u);
  // Counters of the kernels go to pageable memory.
  EXPECT_LT(Emulation::GetPageableBytesCopied() - former, 10000u);
}
} // namespace

TEST(StagedUpload, BringsEveryPixelToItsPlace)
{
  if (!itk::CudaTest::HasDevice())
  {
    GTEST_SKIP() << "no emulated device was asked for";
  }
  const Size3      size{ { 13, 11, 9 } };
  std::vector<int> pixels(GetNumberOfPixels(size));
  std::iota(pixels.begin(), pixels.end(), 0);
  for (const std::size_t chunkBytes : { 4u, 50u, 1000u, 1000000u })
  {
    SCOPED_TRACE(chunkBytes);
    const HostBox whole{ pixels.data(), size, { { 0, 0, 0 } }, size, sizeof(int) };
    EXPECT_EQ(UploadAndReadBack(whole, { 1, 5, 9 }, chunkBytes), pixels);

    const HostBox    part{ pixels.data(), size, { { 2, 1, 3 } }, { { 7, 8, 5 } }, sizeof(int) };
    std::vector<int> expected;
    for (int z = 3; z < 8; ++z)
    {
      for (int y = 1; y < 9; ++y)
      {
        for (int x = 2; x < 9; ++x)
        {
          expected.push_back((z * 11 + y) * 13 + x);
        }
      }
    }
    EXPECT_EQ(UploadAndReadBack(part, { 4, 8 }, chunkBytes), expected);
  }
}

TEST(StagedUpload, CopiesTilesOfPlainImages)
{
  if (!itk::CudaTest::HasDevice())
  {
    GTEST_SKIP() << "no emulated device was asked for";
  }
  const Image::SizeType size{ { 1024, 3072 } };
  const auto            plain = itk::CudaTest::MakeRandomImage<Image>(size);
  const auto            gaussian = itk::CudaDiscreteGaussianImageFilter<Image>::New();
  gaussian->SetInput(plain);
  ExpectNoPageableCopies(*gaussian, 44);

  // The marker floods all tiles from one corner, in several rounds.
  const auto marker = itk::CudaTest::MakeConstantImage<Image>(size, 0.0);
  marker->SetPixel({ { 0, 0 } }, 5.0);
  const auto mask = itk::CudaTest::MakeConstantImage<Image>(size, 7.0);
  const auto reconstruction = itk::CudaReconstructionByDilationImageFilter<Image, Image>::New();
  reconstruction->SetMarkerImage(marker);
  reconstruction->SetMaskImage(mask);
  ExpectNoPageableCopies(*reconstruction, 50);
  const auto expected = itk::CudaTest::MakeConstantImage<Image>(size, 5.0);
  itk::CudaTest::ExpectEqualImages<Image>(expected, reconstruction->GetOutput());
}
