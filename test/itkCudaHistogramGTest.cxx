// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaImageToHistogramFilter.h"
#include "itkCudaOtsuMultipleThresholdsImageFilter.h"
#include "itkCudaOtsuThresholdImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkCudaWholeImageFilter.h"
#include <cmath>
#include <utility>

namespace
{
using namespace itk::CudaTest;

/** Compares all bins, and how many pixels are in each. */
template <typename TImage, typename TConfigure>
void
ExpectSameHistogram(const TImage * image, TConfigure configure, itk::SizeValueType budget = 0)
{
  const auto itks = itk::Statistics::ImageToHistogramFilter<TImage>::New();
  itks->SetInput(image);
  configure(*itks);
  itks->Update();
  const auto ours = itk::Statistics::CudaImageToHistogramFilter<TImage>::New();
  ours->SetInput(image);
  configure(*ours);
  if (budget != 0)
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    ours->SetCudaInterface(interface);
  }
  for (int run = 0; run < 2; ++run) // another update begins at zero
  {
    ours->Update();
    EXPECT_EQ(ours->GetExecutedOnDevice(), HasDevice()) << ours->GetExecutedOn();
    EXPECT_EQ(ours->GetNumberOfTiles() > 1, HasDevice() && budget != 0) << ours->GetExecutedOn();
    const auto * expected = itks->GetOutput();
    const auto * actual = ours->GetOutput();
    ASSERT_EQ(expected->Size(), actual->Size());
    for (itk::SizeValueType i = 0; i < expected->Size(); ++i)
    {
      EXPECT_EQ(expected->GetFrequency(i), actual->GetFrequency(i)) << "bin " << i;
      EXPECT_EQ(expected->GetBinMin(0, i), actual->GetBinMin(0, i));
      EXPECT_EQ(expected->GetBinMax(0, i), actual->GetBinMax(0, i));
    }
    EXPECT_EQ(expected->GetTotalFrequency(), actual->GetTotalFrequency());
  }
}

template <typename TFilter>
void
SetBins(TFilter & filter, unsigned int bins)
{
  typename TFilter::HistogramSizeType size(1);
  size.Fill(bins);
  filter.SetHistogramSize(size);
}

template <typename TFilter>
void
SetRange(TFilter & filter, double lower, double upper)
{
  typename TFilter::HistogramMeasurementVectorType bound(1);
  filter.SetAutoMinimumMaximum(false);
  bound.Fill(lower);
  filter.SetHistogramBinMinimum(bound);
  bound.Fill(upper);
  filter.SetHistogramBinMaximum(bound);
}

template <typename TImage>
class CudaHistogram : public ::testing::Test
{};
using HistogramImageTypes = ::testing::Types<itk::Image<unsigned char, 2>,
                                             itk::Image<short, 3>,
                                             itk::Image<unsigned int, 2>,
                                             itk::Image<float, 2>,
                                             itk::Image<double, 3>>;
TYPED_TEST_SUITE(CudaHistogram, HistogramImageTypes);
} // namespace

TYPED_TEST(CudaHistogram, EqualsItks)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    ExpectSameHistogram<TypeParam>(image, [](auto &) {});
    ExpectSameHistogram<TypeParam>(image, [](auto & filter) {
      filter.SetAutoMinimumMaximum(true);
      filter.SetMarginalScale(10);
      SetBins(filter, 37);
    });
    ExpectSameHistogram<TypeParam>(image, [](auto & filter) {
      SetBins(filter, 10);
      SetRange(filter, -100.0, 100.0); // many pixels are outside
    });
  }
  ExpectSameHistogram<TypeParam>(MakeConstantImage<TypeParam>(GetSizes<TypeParam>().back(), 7),
                                 [](auto & filter) { filter.SetAutoMinimumMaximum(true); });
}

TYPED_TEST(CudaHistogram, HasTheBinsOfPixelsAtBounds)
{
  const auto image = MakeRandomImage<TypeParam>(GetSizes<TypeParam>().back(), 9);
  for (itk::ImageRegionIterator<TypeParam> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<typename TypeParam::PixelType>(static_cast<int>(it.Get()) % 11));
  }
  ExpectSameHistogram<TypeParam>(image, [](auto & filter) {
    SetBins(filter, 10);
    SetRange(filter, 0.0, 10.0);
  });
  ExpectSameHistogram<TypeParam>(image, [](auto & filter) {
    SetBins(filter, 30);
    SetRange(filter, 0.0, 3.0);
  });
}

TYPED_TEST(CudaHistogram, ComesInTilesAndPieces)
{
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 900 : 37);
  size[0] = 300;
  const auto image = MakeRandomImage<TypeParam>(size, 5);
  ExpectSameHistogram<TypeParam>(
    image,
    [](auto & filter) {
      filter.SetAutoMinimumMaximum(true);
      SetBins(filter, 50);
    },
    image->GetBufferedRegion().GetNumberOfPixels() * sizeof(typename TypeParam::PixelType) / 2 + 120000);
  ExpectSameHistogram<TypeParam>(image, [](auto & filter) {
    SetBins(filter, 50);
    SetRange(filter, -300.0, 300.0);
    filter.SetNumberOfStreamDivisions(3);
  });
}

TEST(CudaHistograms, AreSharedByDevices)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Plane>({ { 300, 400 } });
  CompareOnTwoDevices<itk::Statistics::CudaImageToHistogramFilter<Plane>>(
    [&](auto & filter) { filter.SetInput(image); },
    [](auto & one, auto & two) {
      for (itk::SizeValueType i = 0; i < one.GetOutput()->Size(); ++i)
      {
        EXPECT_EQ(one.GetOutput()->GetFrequency(i), two.GetOutput()->GetFrequency(i));
      }
    });
}

TEST(CudaHistograms, StreamTheirInput)
{
  using Plane = itk::Image<unsigned char, 2>;
  const auto image = MakeRandomImage<Plane>({ { 60, 50 } });
  for (const bool enlarges : { false, true })
  {
    const auto run = [&](auto filter) {
      const auto upstream = WholeImageFilter<Plane>::New();
      upstream->SetInput(image);
      upstream->SetEnlarges(enlarges);
      filter->SetInput(upstream->GetOutput());
      SetBins(*filter, 20);
      filter->SetNumberOfStreamDivisions(4);
      filter->Update();
      return std::make_pair(upstream->GetNumberOfRuns(), filter->GetOutput()->GetFrequency(7));
    };
    EXPECT_EQ(run(itk::Statistics::ImageToHistogramFilter<Plane>::New()),
              run(itk::Statistics::CudaImageToHistogramFilter<Plane>::New()));
  }
}

TEST(CudaHistograms, AllowTheImageToShrink)
{
  using Plane = itk::Image<unsigned char, 2>;
  const auto upstream = WholeImageFilter<Plane>::New();
  const auto filter = itk::Statistics::CudaImageToHistogramFilter<Plane>::New();
  filter->SetInput(upstream->GetOutput());
  upstream->SetInput(MakeRandomImage<Plane>({ { 60, 50 } }));
  filter->Update();
  upstream->SetInput(MakeRandomImage<Plane>({ { 40, 30 } }));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetTotalFrequency(), 1200u);
}

TEST(CudaHistograms, CountNotANumberAsItk)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } }), true);
  ExpectSameHistogram<Plane>(image, [](auto & filter) {
    SetBins(filter, 21);
    SetRange(filter, -500.0, 500.0);
  });
}

TYPED_TEST(CudaHistogram, GivesOtsusThreshold)
{
  using Mask = itk::Image<unsigned char, TypeParam::ImageDimension>;
  const auto brain = ReadBrain<TypeParam>();
  for (const bool isAuto : { true, false })
  {
    if (!isAuto && sizeof(typename TypeParam::PixelType) > 1)
    {
      continue; // the bins would be wider than the range of the image
    }
    const auto configure = [&](auto & filter) {
      filter.SetInput(brain);
      filter.SetAutoMinimumMaximum(isAuto);
      filter.SetNumberOfHistogramBins(64);
      filter.SetInsideValue(3);
      filter.SetOutsideValue(200);
    };
    const auto itks = itk::OtsuThresholdImageFilter<TypeParam, Mask>::New();
    configure(*itks);
    itks->Update();
    const auto ours = itk::CudaOtsuThresholdImageFilter<TypeParam, Mask>::New();
    configure(*ours);
    const CopyWatch copies;
    ours->Update();
    EXPECT_EQ(ours->GetExecutedOnDevice(), HasDevice()) << ours->GetExecutedOn();
    EXPECT_EQ(ours->GetThreshold(), itks->GetThreshold());
    ExpectEqualImages<Mask>(itks->GetOutput(), ours->GetOutput());
    copies.Expect(1, 1);
  }
}

TYPED_TEST(CudaHistogram, GivesSeveralThresholdsOfOtsu)
{
  using Mask = itk::Image<unsigned char, TypeParam::ImageDimension>;
  using Numbers = itk::Image<short, TypeParam::ImageDimension>;
  const auto expectSame = [](const TypeParam * image, auto configure, auto output, bool runsOnDevice) {
    using Output = std::remove_pointer_t<decltype(output)>;
    const auto itks = itk::OtsuMultipleThresholdsImageFilter<TypeParam, Output>::New();
    itks->SetInput(image);
    configure(*itks);
    itks->Update();
    const auto ours = itk::CudaOtsuMultipleThresholdsImageFilter<TypeParam, Output>::New();
    ours->SetInput(image);
    configure(*ours);
    const CopyWatch copies;
    ours->Update();
    EXPECT_EQ(ours->GetExecutedOnDevice(), runsOnDevice) << ours->GetExecutedOn();
    EXPECT_EQ(ours->GetThresholds(), itks->GetThresholds());
    ExpectEqualImages<Output>(itks->GetOutput(), ours->GetOutput());
    if (runsOnDevice)
    {
      copies.Expect(1, 1);
    }
  };
  const auto brain = ReadBrain<TypeParam>();
  for (const unsigned int thresholds : { 1, 2, 3 })
  {
    const auto set = [&](auto & filter) {
      filter.SetNumberOfThresholds(thresholds);
      filter.SetNumberOfHistogramBins(40);
    };
    expectSame(brain, set, static_cast<Mask *>(nullptr), HasDevice());
    expectSame(
      brain,
      [&](auto & filter) {
        set(filter);
        filter.SetLabelOffset(254); // labels wrap around
        filter.SetValleyEmphasis(true);
        filter.SetReturnBinMidpoint(true);
      },
      static_cast<Mask *>(nullptr),
      HasDevice());
    expectSame(brain, set, static_cast<Numbers *>(nullptr), HasDevice());
  }
  // ITK's calculator tries all combinations, of which there are few.
  expectSame(
    brain,
    [](auto & filter) {
      filter.SetNumberOfThresholds(17);
      filter.SetNumberOfHistogramBins(18);
    },
    static_cast<Mask *>(nullptr),
    false);
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    expectSame(
      MakeRandomImage<TypeParam>(size, 3, -4), [](auto &) {}, static_cast<Mask *>(nullptr), HasDevice());
  }
}

TEST(CudaHistogramOfAPlane, GivesSeveralThresholdsForNan)
{
  using Plane = itk::Image<float, 2>;
  using Mask = itk::Image<unsigned char, 2>;
  const auto image = MakeRandomImage<Plane>({ { 61, 47 } });
  image->SetPixel({ { 0, 0 } }, NAN); // which ITK takes for the range
  const auto itks = itk::OtsuMultipleThresholdsImageFilter<Plane, Mask>::New();
  const auto ours = itk::CudaOtsuMultipleThresholdsImageFilter<Plane, Mask>::New();
  itks->SetInput(image);
  ours->SetInput(image);
  itks->SetNumberOfThresholds(2);
  ours->SetNumberOfThresholds(2);
  itks->Update();
  ours->Update();
  EXPECT_FALSE(ours->GetExecutedOnDevice()) << ours->GetExecutedOn();
  for (std::size_t i = 0; i < 2; ++i)
  {
    EXPECT_EQ(std::isnan(ours->GetThresholds()[i]), std::isnan(itks->GetThresholds()[i]));
  }
  ExpectEqualImages<Mask>(itks->GetOutput(), ours->GetOutput());
}
