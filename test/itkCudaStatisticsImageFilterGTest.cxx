// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaAbsImageFilter.h"
#include "itkCudaMinimumMaximumImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkCudaWholeImageFilter.h"
#include <vector>

namespace
{
using namespace itk::CudaTest;

/** Compares all numbers with ITK's: sums up to rounding errors. */
template <typename TImage, typename TConfigure>
void
ExpectSameAsItk(const TImage * image, TConfigure configure)
{
  const auto extremes = itk::MinimumMaximumImageFilter<TImage>::New();
  extremes->SetInput(image);
  extremes->Update();
  const auto ourExtremes = itk::CudaMinimumMaximumImageFilter<TImage>::New();
  ourExtremes->SetInput(image);
  configure(*ourExtremes);
  ourExtremes->Update();
  EXPECT_EQ(ourExtremes->GetExecutedOnDevice(), HasDevice()) << ourExtremes->GetExecutedOn();
  EXPECT_EQ(ourExtremes->GetMinimum(), extremes->GetMinimum());
  EXPECT_EQ(ourExtremes->GetMaximum(), extremes->GetMaximum());

  const auto itks = itk::StatisticsImageFilter<TImage>::New();
  itks->SetInput(image);
  itks->Update();
  const auto ours = itk::CudaStatisticsImageFilter<TImage>::New();
  ours->SetInput(image);
  configure(*ours);
  ours->Update();
  EXPECT_EQ(ours->GetExecutedOnDevice(), HasDevice()) << ours->GetExecutedOn();
  EXPECT_EQ(ours->GetMinimum(), itks->GetMinimum());
  EXPECT_EQ(ours->GetMaximum(), itks->GetMaximum());
  const auto pixels = image->GetLargestPossibleRegion().GetNumberOfPixels();
  // Rounding errors of sums of double numbers are this small share of the largest sum that could be.
  const double largest =
    std::max(std::abs(static_cast<double>(itks->GetMinimum())), std::abs(static_cast<double>(itks->GetMaximum())));
  const double share = 1e-14;
  EXPECT_NEAR(ours->GetSum(), itks->GetSum(), share * largest * pixels);
  EXPECT_NEAR(ours->GetSumOfSquares(), itks->GetSumOfSquares(), share * largest * largest * pixels);
  EXPECT_NEAR(ours->GetMean(), itks->GetMean(), share * largest);
  if (pixels > 1)
  {
    EXPECT_NEAR(ours->GetVariance(), itks->GetVariance(), 10 * share * largest * largest);
    EXPECT_NEAR(ours->GetSigma(), itks->GetSigma(), 10 * share * largest);
  }
}

template <typename TImage>
void
ExpectSameAsItk(const TImage * image)
{
  ExpectSameAsItk(image, [](auto &) {});
}

template <typename TImage>
class CudaStatistics : public ::testing::Test
{};
using StatisticsImageTypes = ::testing::Types<itk::Image<unsigned char, 2>,
                                              itk::Image<short, 3>,
                                              itk::Image<unsigned int, 2>,
                                              itk::Image<int, 2>,
                                              itk::Image<float, 2>,
                                              itk::Image<float, 3>,
                                              itk::Image<double, 3>>;
TYPED_TEST_SUITE(CudaStatistics, StatisticsImageTypes);
} // namespace

TYPED_TEST(CudaStatistics, EqualItksForAllSizes)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    ExpectSameAsItk<TypeParam>(MakeRandomImage<TypeParam>(size, 3, -4));
  }
  typename TypeParam::SizeType large;
  large.Fill(23);
  large[0] = 1023;
  ExpectSameAsItk<TypeParam>(MakeRandomImage<TypeParam>(large));
}

TYPED_TEST(CudaStatistics, AreTheSameInTilesAndPieces)
{
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 400 : 45);
  const auto image = MakeRandomImage<TypeParam>(size, 7);
  const auto whole = itk::CudaStatisticsImageFilter<TypeParam>::New();
  whole->SetInput(image);
  whole->Update();
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(image->GetLargestPossibleRegion().GetNumberOfPixels() *
                             sizeof(typename TypeParam::PixelType) * 9 / 10);
  const auto tiled = itk::CudaStatisticsImageFilter<TypeParam>::New();
  tiled->SetCudaInterface(interface);
  tiled->SetInput(image);
  tiled->Update();
  EXPECT_EQ(tiled->GetNumberOfTiles() > 1, HasDevice()) << tiled->GetExecutedOn();
  if (HasDevice()) // threads of the CPU add in any order
  {
    EXPECT_EQ(tiled->GetSum(), whole->GetSum());
    EXPECT_EQ(tiled->GetSumOfSquares(), whole->GetSumOfSquares());
  }
  ExpectSameAsItk<TypeParam>(image, [](auto & filter) { filter.SetNumberOfStreamDivisions(3); });
}

TEST(CudaStatisticsInTiles, AreTheSameForAnyNumberOfTiles)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "Threads of the CPU add in any order.";
  }
  using Volume = itk::Image<float, 3>;
  const auto image = MakeRandomImage<Volume>({ { 64, 40, 37 } });
  double     sum = 0.0;
  for (const itk::SizeValueType budget : { 10000000, 300000, 150000, 120000 })
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    const auto filter = itk::CudaStatisticsImageFilter<Volume>::New();
    filter->SetCudaInterface(interface);
    filter->SetInput(image);
    filter->Update();
    EXPECT_EQ(filter->GetNumberOfTiles() > 1, budget < 1000000) << filter->GetExecutedOn();
    sum = sum == 0.0 ? filter->GetSum() : sum;
    EXPECT_EQ(filter->GetSum(), sum);
  }
}

TEST(CudaStatisticsOfFilters, CostNoCopyOfPixels)
{
  using Plane = itk::Image<float, 2>;
  const auto absolute = itk::CudaAbsImageFilter<Plane, Plane>::New();
  absolute->SetInput(MakeRandomImage<Plane>({ { 100, 80 } }));
  const auto extremes = itk::CudaMinimumMaximumImageFilter<Plane>::New();
  extremes->SetInput(absolute->GetOutput());
  const CopyWatch copies;
  extremes->Update();
  copies.Expect(1, 0); // the input of the filter upstream
  EXPECT_GE(extremes->GetMinimum(), 0.0f);
}

TEST(CudaStatisticsInPieces, CountEachPixelOnceThoughTheRequestGrows)
{
  using Plane = itk::Image<short, 2>;
  const auto image = MakeRandomImage<Plane>({ { 60, 50 } });
  const auto run = [&](auto statistics) {
    const auto whole = WholeImageFilter<Plane>::New();
    whole->SetInput(image);
    statistics->SetInput(whole->GetOutput());
    statistics->SetNumberOfStreamDivisions(4);
    statistics->Update();
    return std::vector<double>{ statistics->GetSum(), statistics->GetVariance() };
  };
  EXPECT_EQ(run(itk::StatisticsImageFilter<Plane>::New()), run(itk::CudaStatisticsImageFilter<Plane>::New()));
}

TEST(CudaStatisticsOnTwoDevices, AreThoseOfOne)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Plane>({ { 300, 400 } });
  CompareOnTwoDevices<itk::CudaStatisticsImageFilter<Plane>>([&](auto & filter) { filter.SetInput(image); },
                                                             [](auto & one, auto & two) {
                                                               EXPECT_EQ(one.GetSum(), two.GetSum());
                                                               EXPECT_EQ(one.GetMaximum(), two.GetMaximum());
                                                             });
}

TEST(CudaStatisticsOfARow, ComeInTiles)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Plane>({ { 100000, 1 } });
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(200000);
  ExpectSameAsItk<Plane>(image, [&](auto & filter) { filter.SetCudaInterface(interface); });
  const auto filter = itk::CudaStatisticsImageFilter<Plane>::New();
  filter->SetCudaInterface(interface);
  filter->SetInput(image);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfTiles() > 1, HasDevice()) << filter->GetExecutedOn();
}

TEST(CudaStatisticsOfNothing, AreItks)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Plane>({ { 0, 4 } });
  const auto filter = itk::CudaMinimumMaximumImageFilter<Plane>::New();
  filter->SetInput(image);
  const auto itks = itk::MinimumMaximumImageFilter<Plane>::New();
  itks->SetInput(image);
  itks->Update();
  filter->Update();
  EXPECT_EQ(filter->GetMinimum(), itks->GetMinimum());
  EXPECT_EQ(filter->GetMaximum(), itks->GetMaximum());
  EXPECT_FALSE(filter->GetExecutedOnDevice());
}
