// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Images of more pixels than an int counts.

#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaScalarConnectedComponentImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace
{
using namespace itk::CudaTest;

using Bytes = itk::Image<unsigned char, 2>;

/** On a real GPU only, and only where asked for, since the CPU's part takes a while. */
bool
AreLargeImagesWanted()
{
  const char * const wanted = std::getenv("CUDAFILTERS_TEST_LARGE");
  return wanted != nullptr && std::string(wanted) == "1";
}

constexpr const char * HowToWantLargeImages =
  "set CUDAFILTERS_TEST_LARGE=1 on a machine with a GPU, 64 GB of its memory and 16 GB of the host's";

Bytes::Pointer
MakeLargeImage(const Bytes::SizeType & size)
{
  const auto image = Bytes::New();
  image->SetRegions(size);
  image->Allocate();
  unsigned char * const pixels = image->GetBufferPointer();
  std::uint32_t         state = 12345;
  for (std::size_t i = 0; i < size[0] * size[1]; ++i)
  {
    state = state * 1664525u + 1013904223u;
    pixels[i] = static_cast<unsigned char>(state >> 24);
  }
  return image;
}

/** The corners, and rows on both sides of pixel number 2^31. */
const Bytes::SizeType                LargeSize{ { 65539, 32771 } }; // more than 2^31 pixels
const std::vector<Bytes::RegionType> PartsOfLarge{ Bytes::RegionType({ { 0, 0 } }, { { 3000, 50 } }),
                                                   Bytes::RegionType({ { 62539, 32721 } }, { { 3000, 50 } }),
                                                   Bytes::RegionType({ { 0, 32740 } }, { { 65539, 31 } }) };
} // namespace

// Rows so long that their pixels are too far apart for the fast kernels.
TEST(CudaMemory, RowsOfHalfABillionPixels)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  const auto image = MakeLargeImage({ { 536870917, 3 } });
  const auto filter = itk::CudaDiscreteGaussianImageFilter<Bytes>::New();
  filter->SetInput(image);
  filter->SetVariance(2.0);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  const auto cpu = itk::DiscreteGaussianImageFilter<Bytes, Bytes>::New();
  cpu->SetInput(image);
  cpu->SetVariance(2.0);
  for (const long start : { 0l, 536870917l - 3000l })
  {
    cpu->UpdateOutputInformation();
    cpu->GetOutput()->SetRequestedRegion(Bytes::RegionType({ { start, 0 } }, { { 3000, 3 } }));
    cpu->Update();
    EXPECT_EQ(GetLargestDifference<Bytes>(cpu->GetOutput(), filter->GetOutput()), 0.0);
  }
}

TEST(CudaMemory, LargerThan31Bits)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  const auto image = MakeLargeImage(LargeSize);
  const auto filter = itk::CudaDiscreteGaussianImageFilter<Bytes>::New();
  filter->SetInput(image);
  filter->SetVariance(2.0);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  EXPECT_EQ(filter->GetNumberOfTiles(), 1u);

  const auto cpu = itk::DiscreteGaussianImageFilter<Bytes, Bytes>::New();
  cpu->SetInput(image);
  cpu->SetVariance(2.0);
  for (const Bytes::RegionType & region : PartsOfLarge)
  {
    cpu->UpdateOutputInformation();
    cpu->GetOutput()->SetRequestedRegion(region);
    cpu->Update();
    EXPECT_EQ(GetLargestDifference<Bytes>(cpu->GetOutput(), filter->GetOutput()), 0.0);
  }
}

// Objects in the order of their first pixels, of which one reaches from the first to the last pixel; and the same as
// areas of equal value.
TEST(CudaMemory, LargeImageHasObjects)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  using Labels = itk::Image<unsigned int, 2>;
  const auto image = Bytes::New();
  image->SetRegions(LargeSize);
  image->Allocate(true);
  // A frame, and a dot in every 1024th row within it.
  unsigned int dots = 0;
  for (long y = 0; y < static_cast<long>(LargeSize[1]); ++y)
  {
    unsigned char * const row = image->GetBufferPointer() + y * LargeSize[0];
    const bool            isEnd = y == 0 || y == static_cast<long>(LargeSize[1]) - 1;
    std::fill(row, row + (isEnd ? LargeSize[0] : 1), static_cast<unsigned char>(1));
    row[LargeSize[0] - 1] = 1;
    if (y % 1024 == 1023)
    {
      row[2 + y] = 2;
      ++dots;
    }
  }
  const auto last = Labels::IndexType{ { static_cast<long>(LargeSize[0]) - 1, static_cast<long>(LargeSize[1]) - 1 } };
  const auto dot = Labels::IndexType{ { 2 + 1023 + 1024 * 31, 1023 + 1024 * 31 } }; // behind pixel number 2^31
  const auto compare = [&](auto filter, unsigned int objects, unsigned int label) {
    filter->SetInput(image);
    filter->Update();
    ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
    EXPECT_EQ(filter->GetNumberOfTiles(), 1u);
    EXPECT_EQ(filter->GetObjectCount(), objects);
    EXPECT_EQ(filter->GetOutput()->GetPixel(last), 1u);
    EXPECT_EQ(filter->GetOutput()->GetPixel(dot), label);
  };
  compare(itk::CudaConnectedComponentImageFilter<Bytes, Labels>::New(), dots + 1, 33u);
  // The pixels within the frame are an area, too.
  compare(itk::CudaScalarConnectedComponentImageFilter<Bytes, Labels>::New(), dots + 2, 34u);
}

// More pixels than 32 bits count.
TEST(CudaMemory, AreasOfMoreThan32Bits)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  const Bytes::SizeType size{ { 65600, 65600 } };
  const auto            image = Bytes::New();
  image->SetRegions(size);
  image->Allocate(true);
  const Bytes::IndexType first{ { 5, 5 } };
  const Bytes::IndexType last{ { 65590, 65590 } }; // behind pixel number 2^32
  image->SetPixel(first, 1);
  image->SetPixel(last, 1);
  using Labels = itk::Image<unsigned short, 2>;
  const auto filter = itk::CudaScalarConnectedComponentImageFilter<Bytes, Labels>::New();
  filter->SetInput(image);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  EXPECT_EQ(filter->GetObjectCount(), 3u);
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 65599, 65599 } }), 1u);
  EXPECT_EQ(filter->GetOutput()->GetPixel(first), 2u);
  EXPECT_EQ(filter->GetOutput()->GetPixel(last), 3u);
}

TEST(CudaMemory, LargeImageHasGradients)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  using Floats = itk::Image<float, 2>;
  const auto image = MakeLargeImage(LargeSize);
  const auto filter = itk::CudaSobelEdgeDetectionImageFilter<Bytes, Floats>::New();
  filter->SetInput(image);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  EXPECT_EQ(filter->GetNumberOfTiles(), 1u);
  const auto cpu = itk::SobelEdgeDetectionImageFilter<Bytes, Floats>::New();
  cpu->SetInput(image);
  for (const Bytes::RegionType & region : PartsOfLarge)
  {
    cpu->UpdateOutputInformation();
    cpu->GetOutput()->SetRequestedRegion(region);
    cpu->Update();
    EXPECT_LE(GetLargestDifference<Floats>(cpu->GetOutput(), filter->GetOutput()), 1e-5);
  }
}

// A step behind pixel number 2^31, high at its beginning, is one edge to its end.
TEST(CudaMemory, LargeImageHasOneEdge)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  const auto image = Bytes::New();
  image->SetRegions(LargeSize);
  image->Allocate(true);
  for (itk::IndexValueType y = 32768; y < static_cast<itk::IndexValueType>(LargeSize[1]); ++y)
  {
    for (itk::IndexValueType x = 0; x < static_cast<itk::IndexValueType>(LargeSize[0]); ++x)
    {
      image->SetPixel({ { x, y } }, static_cast<unsigned char>(x < 80 ? 100 - x : 20));
    }
  }
  const auto filter = itk::CudaCannyEdgeDetectionImageFilter<Bytes, Bytes>::New();
  filter->SetInput(image);
  filter->SetVariance(1.0);
  filter->SetUpperThreshold(20.0f);
  filter->SetLowerThreshold(3.0f);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  EXPECT_EQ(filter->GetNumberOfTiles(), 1u);
  for (itk::IndexValueType x = 0; x < static_cast<itk::IndexValueType>(LargeSize[0]); ++x)
  {
    const int edges = filter->GetOutput()->GetPixel({ { x, 32767 } }) + filter->GetOutput()->GetPixel({ { x, 32768 } });
    ASSERT_GE(edges, 1) << "column " << x;
  }
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 1000, 100 } }), 0);

  filter->SetUpperThreshold(200.0f);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 65000, 32767 } }) + filter->GetOutput()->GetPixel({ { 65000, 32768 } }),
            0);
}

// One bright pixel floods all that lies before a wall, and what flows over the wall all that lies behind it.
TEST(CudaMemory, FloodsMoreThan31Bits)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages;
  }
  constexpr unsigned char      level = 100;
  constexpr unsigned char      wallLevel = 50;
  constexpr itk::SizeValueType wall = 20011;
  const auto                   make = [](unsigned char value) {
    const auto image = Bytes::New();
    image->SetRegions(LargeSize);
    image->Allocate();
    image->FillBuffer(value);
    return image;
  };
  const auto mask = make(level);
  const auto marker = make(0);
  std::fill_n(mask->GetBufferPointer() + wall * LargeSize[0], LargeSize[0], wallLevel);
  marker->SetPixel({ { 0, 0 } }, level);
  const auto filter = itk::CudaReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  filter->Update();
  ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  ASSERT_EQ(filter->GetNumberOfTiles(), 1u);
  const unsigned char * const pixels = filter->GetOutput()->GetBufferPointer();
  const std::size_t           before = wall * LargeSize[0];
  const std::size_t           all = LargeSize[0] * LargeSize[1];
  EXPECT_EQ(static_cast<std::size_t>(std::count(pixels, pixels + before, level)), before);
  EXPECT_EQ(static_cast<std::size_t>(std::count(pixels + before, pixels + all, wallLevel)), all - before);
}

// 2048^3 voxels, in one piece and in tiles. Around each of some points that are far from each other, as many voxels are
// at the squared distance n as there are offsets with x^2 + y^2 + z^2 = n.
TEST(CudaMemory, DistancesInEightBillionVoxels)
{
  if (!AreLargeImagesWanted())
  {
    GTEST_SKIP() << HowToWantLargeImages << "; this test takes 60 GB of both";
  }
  using Mask = itk::Image<unsigned char, 3>;
  constexpr int side = 2048;
  constexpr int between = 512; // points
  constexpr int radius = between / 2 - 1;
  const auto    image = Mask::New();
  image->SetRegions(Mask::SizeType{ { side, side, side } });
  image->Allocate(true);
  std::uint64_t points = 0;
  for (long z = between / 2; z < side; z += between)
  {
    for (long y = between / 2; y < side; y += between)
    {
      for (long x = between / 2; x < side; x += between, ++points)
      {
        image->SetPixel({ { x, y, z } }, 1);
      }
    }
  }
  std::vector<std::uint64_t> expected(radius * radius + 1);
  for (int z = -radius; z <= radius; ++z)
  {
    for (int y = -radius; y <= radius; ++y)
    {
      for (int x = -radius; x <= radius; ++x)
      {
        const int square = x * x + y * y + z * z;
        if (square <= radius * radius)
        {
          expected[square] += points;
        }
      }
    }
  }

  for (const itk::SizeValueType budget : { 100'000'000'000u, 20'000'000'000u })
  {
    SCOPED_TRACE(budget);
    const auto settings = itk::CudaInterface::New();
    settings->SetMemoryBudget(budget);
    const auto filter = itk::CudaSignedMaurerDistanceMapImageFilter<Mask, itk::Image<float, 3>>::New();
    filter->SetInput(image);
    filter->SetSquaredDistance(true);
    filter->SetCudaInterface(settings);
    filter->Update();
    ASSERT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
    EXPECT_EQ(filter->GetNumberOfTiles() > 1, budget < 50'000'000'000u);

    std::vector<std::uint64_t> counts(expected.size());
    const float * const        distances = filter->GetOutput()->GetBufferPointer();
    const auto                 threader = itk::MultiThreaderBase::New();
    std::mutex                 mutex;
    threader->ParallelizeArray(
      0,
      side,
      [&](itk::SizeValueType z) {
        std::vector<std::uint64_t> ofSlice(counts.size());
        const float * const        slice = distances + z * side * side;
        for (const float * pixel = slice; pixel != slice + side * side; ++pixel)
        {
          if (*pixel <= radius * radius)
          {
            ++ofSlice[static_cast<std::size_t>(*pixel)];
          }
        }
        const std::lock_guard<std::mutex> lock(mutex);
        std::transform(counts.begin(), counts.end(), ofSlice.begin(), counts.begin(), std::plus<>());
      },
      nullptr);
    EXPECT_EQ(counts, expected);
  }
}
