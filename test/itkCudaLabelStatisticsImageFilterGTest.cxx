// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaLabelStatisticsImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageRegionIteratorWithIndex.h"
#include <algorithm>
#include <cmath>
#include <random>

namespace
{
using namespace itk::CudaTest;

template <typename TLabel, typename TImage>
using LabelsOf = itk::Image<TLabel, TImage::ImageDimension>;

/** Random labels for the pixels of an image: lowest, lowest + step, and so on. */
template <typename TLabel, typename TImage>
auto
MakeLabels(const TImage * image, long number, long lowest = 0, long step = 1)
{
  const auto labels = LabelsOf<TLabel, TImage>::New();
  labels->SetRegions(image->GetLargestPossibleRegion());
  labels->Allocate();
  std::mt19937 random(7);
  for (itk::ImageRegionIterator<LabelsOf<TLabel, TImage>> it(labels, labels->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<TLabel>(lowest + static_cast<long>(random() % static_cast<unsigned long>(number)) * step));
  }
  return labels;
}

/** Compares all labels, and some that do not exist: sums up to rounding errors. */
template <typename TImage, typename TLabels, typename TConfigure>
void
ExpectSameAsItk(const TImage * image, const TLabels * labels, TConfigure configure, bool runsOnDevice = HasDevice())
{
  const auto itks = itk::LabelStatisticsImageFilter<TImage, TLabels>::New();
  const auto ours = itk::CudaLabelStatisticsImageFilter<TImage, TLabels>::New();
  itks->SetInput(image);
  itks->SetLabelInput(labels);
  ours->SetInput(image);
  ours->SetLabelInput(labels);
  configure(*itks);
  configure(*ours);
  itks->Update();
  ours->Update();
  EXPECT_EQ(ours->GetExecutedOnDevice(), runsOnDevice) << ours->GetExecutedOn();

  auto expected = itks->GetValidLabelValues();
  auto actual = ours->GetValidLabelValues();
  std::sort(expected.begin(), expected.end());
  std::sort(actual.begin(), actual.end());
  ASSERT_EQ(expected, actual);
  EXPECT_EQ(itks->GetNumberOfObjects(), ours->GetNumberOfObjects());
  EXPECT_EQ(itks->GetNumberOfLabels(), ours->GetNumberOfLabels());
  constexpr double share = 1e-13;
  const auto       expectNear = [&](double a, double b, double largest) {
    if (std::isfinite(a))
    {
      EXPECT_NEAR(a, b, share * largest);
    }
    else
    {
      EXPECT_EQ(std::isnan(a), std::isnan(b));
      EXPECT_TRUE(std::isnan(a) || a == b);
    }
  };
  expected.push_back(static_cast<typename TLabels::PixelType>(97)); // may not exist
  for (const auto label : expected)
  {
    SCOPED_TRACE(::testing::Message() << "label " << static_cast<long long>(label));
    EXPECT_EQ(itks->HasLabel(label), ours->HasLabel(label));
    EXPECT_EQ(itks->GetCount(label), ours->GetCount(label));
    EXPECT_EQ(itks->GetMinimum(label), ours->GetMinimum(label));
    EXPECT_EQ(itks->GetMaximum(label), ours->GetMaximum(label));
    EXPECT_EQ(itks->GetBoundingBox(label), ours->GetBoundingBox(label));
    EXPECT_EQ(itks->GetRegion(label), ours->GetRegion(label));
    EXPECT_EQ(itks->GetMedian(label), ours->GetMedian(label));
    const double largest = std::max({ std::abs(itks->GetMinimum(label)), std::abs(itks->GetMaximum(label)), 1.0 });
    const auto   count = static_cast<double>(itks->GetCount(label));
    expectNear(itks->GetSum(label), ours->GetSum(label), largest * count);
    expectNear(itks->GetMean(label), ours->GetMean(label), largest);
    expectNear(itks->GetVariance(label), ours->GetVariance(label), largest * largest * 10);
    if (itks->GetVariance(label) > share * largest * largest * 100)
    {
      expectNear(itks->GetSigma(label), ours->GetSigma(label), largest * largest * 10 / itks->GetSigma(label));
    }
  }
}

template <typename TImage, typename TLabels>
void
ExpectSameAsItk(const TImage * image, const TLabels * labels)
{
  ExpectSameAsItk(image, labels, [](auto &) {});
}

template <typename TImage>
class CudaLabelStatistics : public ::testing::Test
{};
using LabelStatisticsImageTypes = ::testing::Types<itk::Image<unsigned char, 2>,
                                                   itk::Image<short, 3>,
                                                   itk::Image<unsigned short, 2>,
                                                   itk::Image<float, 3>,
                                                   itk::Image<double, 2>>;
TYPED_TEST_SUITE(CudaLabelStatistics, LabelStatisticsImageTypes);
} // namespace

TYPED_TEST(CudaLabelStatistics, EqualItksForAllSizesAndLabels)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    ExpectSameAsItk<TypeParam>(image, MakeLabels<unsigned char>(image.GetPointer(), 5).GetPointer());
    // All labels that there are: none can be the background.
    ExpectSameAsItk<TypeParam>(image, MakeLabels<unsigned char>(image.GetPointer(), 256).GetPointer());
    ExpectSameAsItk<TypeParam>(image, MakeLabels<short>(image.GetPointer(), 4, -2).GetPointer());
    ExpectSameAsItk<TypeParam>(image, MakeLabels<unsigned int>(image.GetPointer(), 3, 5, 40000000).GetPointer());
  }
}

TYPED_TEST(CudaLabelStatistics, EqualItksInTilesAndPieces)
{
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 200 : 31);
  const auto image = MakeRandomImage<TypeParam>(size, 7);
  const auto labels = MakeLabels<short>(image.GetPointer(), 5, -3);
  ExpectSameAsItk<TypeParam>(image, labels.GetPointer(), [](auto & filter) { filter.SetNumberOfStreamDivisions(4); });
  const auto ours = itk::CudaLabelStatisticsImageFilter<TypeParam, LabelsOf<short, TypeParam>>::New();
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget((1 << 20) + image->GetBufferedRegion().GetNumberOfPixels());
  ours->SetCudaInterface(interface);
  ours->SetInput(image);
  ours->SetLabelInput(labels);
  ours->Update();
  EXPECT_EQ(ours->GetNumberOfTiles() > 1, HasDevice()) << ours->GetExecutedOn();
  const auto itks = itk::LabelStatisticsImageFilter<TypeParam, LabelsOf<short, TypeParam>>::New();
  itks->SetInput(image);
  itks->SetLabelInput(labels);
  itks->Update();
  for (const auto label : itks->GetValidLabelValues())
  {
    EXPECT_EQ(itks->GetCount(label), ours->GetCount(label));
    EXPECT_EQ(itks->GetRegion(label), ours->GetRegion(label));
    EXPECT_NEAR(itks->GetMean(label), ours->GetMean(label), 1e-9);
  }
}

namespace
{
using Plane = itk::Image<float, 2>;
using Labels = itk::Image<unsigned char, 2>;

/** Labels pixels by their sign, and reads them one by one on the CPU. */
class SignFilter : public itk::ImageToImageFilter<Plane, Labels>
{
public:
  using Self = SignFilter;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

protected:
  void
  GenerateData() override
  {
    this->AllocateOutputs();
    for (itk::ImageRegionIteratorWithIndex<Labels> it(this->GetOutput(), this->GetOutput()->GetRequestedRegion());
         !it.IsAtEnd();
         ++it)
    {
      it.Set(this->GetInput()->GetPixel(it.GetIndex()) < 0.0f ? 1 : 2);
    }
  }
};
} // namespace

TEST(CudaLabelStatisticsOfAPlane, HaveLabelsThatTheCpuMakesOfTheSameImage)
{
  const auto smooth = itk::CudaDiscreteGaussianImageFilter<Plane, Plane>::New();
  smooth->SetInput(MakeRandomImage<Plane>({ { 41, 30 } }, 3));
  const auto labels = SignFilter::New();
  labels->SetInput(smooth->GetOutput());
  const auto statistics = itk::CudaLabelStatisticsImageFilter<Plane, Labels>::New();
  statistics->SetInput(smooth->GetOutput());
  statistics->SetLabelInput(labels->GetOutput());
  statistics->Update();
  EXPECT_EQ(statistics->GetNumberOfLabels(), 2u);
  EXPECT_LT(statistics->GetMaximum(1), 0.0);
  EXPECT_GE(statistics->GetMinimum(2), 0.0);
}

TEST(CudaLabelStatisticsOfAPlane, AreCompleteIfTheCpuComputesTheLastPiece)
{
  using LongLabels = itk::Image<unsigned long, 2>;
  const auto image = MakeRandomImage<Plane>({ { 41, 30 } }, 3);
  const auto labels = MakeConstantImage<LongLabels>({ { 41, 30 } }, 7);
  for (int x = 0; x < 41; ++x)
  {
    labels->SetPixel({ { x, 29 } }, 1ul << 40); // for which there are no kernels
  }
  const auto statistics = itk::CudaLabelStatisticsImageFilter<Plane, LongLabels>::New();
  statistics->SetInput(image);
  statistics->SetLabelInput(labels);
  statistics->SetNumberOfStreamDivisions(2);
  statistics->Update();
  EXPECT_FALSE(statistics->GetExecutedOnDevice());
  EXPECT_EQ(statistics->GetNumberOfLabels(), 2u);
  EXPECT_EQ(statistics->GetCount(7), 41u * 29u);
  EXPECT_EQ(statistics->GetCount(1ul << 40), 41u);
  EXPECT_EQ(statistics->GetRegion(1ul << 40).GetIndex(1), 29);
}

TEST(CudaLabelStatisticsOfAPlane, EqualItksForStrangeNumbers)
{
  const auto image = MakeRandomImage<Plane>({ { 41, 30 } }, 3);
  const auto labels = MakeLabels<unsigned char>(image.GetPointer(), 5);
  for (int x = 0; x < 41; ++x)
  {
    const unsigned char label = x % 4;
    labels->SetPixel({ { x, 3 } }, static_cast<unsigned char>(20 + label));
    image->SetPixel({ { x, 3 } }, label == 0 ? NAN : label == 1 ? INFINITY : label == 2 ? -INFINITY : 1e30f);
  }
  ExpectSameAsItk<Plane>(image, labels.GetPointer());
}

TEST(CudaLabelStatisticsOfAPlane, RunOnTheCpuWithHistograms)
{
  const auto image = MakeRandomImage<Plane>({ { 41, 30 } }, 3);
  const auto labels = MakeLabels<unsigned char>(image.GetPointer(), 5);
  ExpectSameAsItk<Plane>(
    image, labels.GetPointer(), [](auto & filter) { filter.SetHistogramParameters(20, 0.0, 300.0); }, false);
}

TEST(CudaLabelStatisticsOfAPlane, AreThoseOfTheLastUpdate)
{
  const auto image = MakeRandomImage<Plane>({ { 41, 30 } }, 3);
  const auto labels = MakeLabels<unsigned char>(image.GetPointer(), 5);
  const auto ours = itk::CudaLabelStatisticsImageFilter<Plane, Labels>::New();
  ours->SetInput(image);
  ours->SetLabelInput(labels);
  ours->Update();
  EXPECT_FALSE(ours->HasLabel(200));
  labels->FillBuffer(200);
  labels->Modified();
  ours->Update();
  EXPECT_EQ(ours->GetValidLabelValues(), std::vector<unsigned char>{ 200 });
  EXPECT_EQ(ours->GetCount(200), 41u * 30u);
}
