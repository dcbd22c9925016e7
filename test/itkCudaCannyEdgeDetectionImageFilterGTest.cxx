// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkCudaWindingBand.h"
#include "itkEdgeQualityCalculator.h"
#include "itkImageAlgorithm.h"
#include "itkImageRegionIteratorWithIndex.h"
#include <algorithm>

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput = TInput>
struct Filters
{
  using Cuda = itk::CudaCannyEdgeDetectionImageFilter<TInput, TOutput>;
  // ITK's own filter, which takes real pixels only.
  using Real = itk::Image<typename Cuda::RealPixelType, TInput::ImageDimension>;
  using Cpu = itk::CannyEdgeDetectionImageFilter<Real, Real>;
};

template <typename TTo, typename TFrom>
typename TTo::Pointer
Convert(const TFrom * image)
{
  const auto cast = itk::CastImageFilter<TFrom, TTo>::New();
  cast->InPlaceOff();
  cast->SetInput(image);
  cast->Update();
  return cast->GetOutput();
}

struct Parameters
{
  double Variance;
  double Upper;
  double Lower;

  template <typename TFilter>
  void
  Apply(TFilter & filter) const
  {
    filter.SetVariance(this->Variance);
    filter.SetUpperThreshold(static_cast<decltype(filter.GetUpperThreshold())>(this->Upper));
    filter.SetLowerThreshold(static_cast<decltype(filter.GetUpperThreshold())>(this->Lower));
  }
};

std::ostream &
operator<<(std::ostream & out, const Parameters & parameters)
{
  return out << "variance " << parameters.Variance << ", thresholds " << parameters.Upper << " and "
             << parameters.Lower;
}

template <typename TImage>
double
GetCorrectFraction(const TImage * reference, const TImage * image)
{
  const auto calculator = itk::EdgeQualityCalculator<TImage>::New();
  calculator->SetReferenceImage(reference);
  calculator->SetImage(image);
  calculator->Compute();
  return calculator->GetCorrectFraction();
}

/** Runs ITK's filter and ours; returns P_co of the fast mode. The exact mode must be equal. */
template <typename TInput, typename TOutput = TInput, typename TConfigure>
double
CompareWithItk(const TInput * image, TConfigure configure)
{
  const auto cpu = Filters<TInput, TOutput>::Cpu::New();
  cpu->SetInput(Convert<typename Filters<TInput, TOutput>::Real>(image));
  configure(*cpu);
  cpu->Update();
  const auto expected = Convert<TOutput>(cpu->GetOutput());

  const auto cuda = Filters<TInput, TOutput>::Cuda::New();
  cuda->SetInput(image);
  configure(*cuda);
  cuda->ExactModeOn();
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectEqualImages<TOutput>(expected, cuda->GetOutput());
  ExpectSameGeometry<TOutput>(expected, cuda->GetOutput());

  cuda->ExactModeOff();
  cuda->Update();
  return GetCorrectFraction<TOutput>(expected, cuda->GetOutput());
}

/** Thresholds between which there is something to link, for pixels over a type's range. */
template <typename TImage>
std::vector<Parameters>
GetParameters()
{
  using PixelType = typename TImage::PixelType;
  const double scale = std::is_same<PixelType, unsigned char>::value ? 1.0 : (sizeof(PixelType) == 2 ? 250.0 : 8.0);
  return { { 0.0, 40.0 * scale, 20.0 * scale }, { 1.0, 20.0 * scale, 8.0 * scale }, { 3.0, 9.0 * scale, 4.0 * scale } };
}

template <typename TImage>
class CudaCanny : public ::testing::Test
{};

TYPED_TEST_SUITE(CudaCanny, KernelImageTypes);

using Plane = itk::Image<float, 2>;
using Volume = itk::Image<float, 3>;

/** A ridge 4 pixels wide that winds from a corner to the middle and never touches itself, with a peak at its beginning
 * or its end. Extents in units of its width. */
Plane::Pointer
MakeRidge(itk::IndexValueType side, bool peakIsInTheMiddle)
{
  constexpr itk::IndexValueType width = 4;
  const auto                    pixels = static_cast<itk::SizeValueType>(side * width);

  const auto             image = MakeConstantImage<Plane>({ { pixels, pixels } }, 0.0f);
  const Plane::IndexType end = DrawWindingBand(*image, width, 20.0f);
  // It rises gently, so that its edge goes on.
  const itk::IndexValueType x0 = peakIsInTheMiddle ? end[0] : 0;
  const itk::IndexValueType y0 = peakIsInTheMiddle ? end[1] : 0;
  constexpr int             length = 3 * width;
  for (int i = 0; i < length * width; ++i)
  {
    image->SetPixel({ { x0 + i % length, y0 + i / length } }, 20.0f + 40.0f * (length - i % length) / length);
  }
  return image;
}

/** With which only the peak of the ridge is strong. */
const Parameters RidgeParameters{ 1.0, 15.0, 3.0 };

template <typename TImage>
itk::SizeValueType
CountEdges(const TImage * image)
{
  itk::SizeValueType edges = 0;
  for (itk::ImageRegionConstIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    edges += it.Get() != 0.0f ? 1 : 0;
  }
  return edges;
}
} // namespace

TYPED_TEST(CudaCanny, EqualsItkForAllSizesAndParameters)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    for (const Parameters & parameters : GetParameters<TypeParam>())
    {
      SCOPED_TRACE(::testing::Message() << "size " << size << ", " << parameters);
      // On noise, too, the fast mode errs in single pixels at most.
      EXPECT_GE(CompareWithItk<TypeParam>(image, [&](auto & filter) { parameters.Apply(filter); }), 0.99);
    }
  }
}

TYPED_TEST(CudaCanny, EqualsItkOnABrain)
{
  const auto image = ReadBrain<TypeParam>();
  for (const Parameters parameters : { Parameters{ 1.96, 7.0, 4.0 }, Parameters{ 0.5, 20.0, 5.0 } })
  {
    SCOPED_TRACE(parameters);
    EXPECT_GE(CompareWithItk<TypeParam>(image, [&](auto & filter) { parameters.Apply(filter); }), 0.9999);
  }
}

TEST(CudaCannyEdges, EqualItkInBlocksAwayFromTheBorder)
{
  using Doubles = itk::Image<double, 3>;
  const Parameters parameters{ 1.0, 160.0, 64.0 };
  const auto       configure = [&](auto & filter) { parameters.Apply(filter); };
  EXPECT_GE(CompareWithItk<Volume>(MakeRandomImage<Volume>({ { 70, 20, 20 } }), configure), 0.999);
  EXPECT_EQ(CompareWithItk<Doubles>(MakeRandomImage<Doubles>({ { 70, 20, 20 } }), configure), 1.0);
  EXPECT_GE(CompareWithItk<Plane>(MakeRandomImage<Plane>({ { 200, 110 } }), configure), 0.999);
}

TEST(CudaCannyEdges, GiveAnyOutputPixels)
{
  using Bytes = itk::Image<unsigned char, 2>;
  using Doubles = itk::Image<double, 2>;
  const Parameters parameters{ 1.96, 7.0, 4.0 };
  const auto       configure = [&](auto & filter) { parameters.Apply(filter); };
  EXPECT_GE((CompareWithItk<Plane, Bytes>(ReadBrain<Plane>(), configure)), 0.9999);
  EXPECT_GE((CompareWithItk<Bytes, Plane>(ReadBrain<Bytes>(), configure)), 0.9999);
  EXPECT_GE((CompareWithItk<Doubles, Bytes>(ReadBrain<Doubles>(), configure)), 1.0);
  EXPECT_GE((CompareWithItk<Bytes, Doubles>(ReadBrain<Bytes>(), configure)), 1.0);
}

TEST(CudaCannyEdges, TakeTheParametersOfEachAxis)
{
  const auto          image = ReadBrain<Volume>();
  Volume::SpacingType spacing;
  spacing[0] = 0.5;
  spacing[1] = 1.0;
  spacing[2] = 3.0;
  image->SetSpacing(spacing);
  EXPECT_GE(CompareWithItk<Volume>(image,
                                   [](auto & filter) {
                                     typename std::decay_t<decltype(filter)>::ArrayType variance, error;
                                     variance[0] = 1.0;
                                     variance[1] = 4.0;
                                     variance[2] = 9.0;
                                     error.Fill(0.01);
                                     error[1] = 0.2;
                                     filter.SetVariance(variance);
                                     filter.SetMaximumError(error);
                                     filter.SetUpperThreshold(9.0f);
                                     filter.SetLowerThreshold(3.0f);
                                   }),
            0.9999);
}

TEST(CudaCannyEdges, TreatStrangeThresholdsAsItk)
{
  const auto  image = ReadBrain<Plane>();
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Parameters parameters : { Parameters{ 2.0, 3.0, 9.0 }, // lower above upper
                                       Parameters{ 2.0, 5.0, 5.0 },
                                       Parameters{ 2.0, 0.0, 0.0 },
                                       Parameters{ 2.0, 5.0, -1.0 }, // all pixels are candidates
                                       Parameters{ 2.0, -1.0, -2.0 },
                                       Parameters{ 2.0, 1e9, 1.0 },
                                       Parameters{ 2.0, infinity, -infinity },
                                       Parameters{ 2.0, nan, 1.0 },
                                       Parameters{ 2.0, 5.0, nan } })
  {
    SCOPED_TRACE(parameters);
    EXPECT_GE(CompareWithItk<Plane>(image, [&](auto & filter) { parameters.Apply(filter); }), 0.9999);
  }
}

TEST(CudaCannyEdges, CompareSinglePrecisionWithTheUpperThresholdAsItk)
{
  // Of images of double pixels, too: thresholds that differ from values by less than single precision shows.
  using Doubles = itk::Image<double, 2>;
  const auto image = ReadBrain<Doubles>();
  const auto cpu = Filters<Doubles>::Cpu::New();
  cpu->SetInput(image);
  Parameters{ 1.0, 7.0, 4.0 }.Apply(*cpu);
  cpu->Update();
  unsigned int tried = 0;
  for (itk::ImageRegionConstIterator<Doubles> it(cpu->GetNonMaximumSuppressionImage(), image->GetBufferedRegion());
       !it.IsAtEnd() && tried < 20;
       ++it)
  {
    if (it.Get() > 20.0)
    {
      ++tried;
      const double threshold = it.Get();
      CompareWithItk<Doubles>(image, [&](auto & filter) { Parameters{ 1.0, threshold, threshold }.Apply(filter); });
    }
  }
  EXPECT_EQ(tried, 20u);
}

TEST(CudaCannyEdges, TreatNegativeVariancesAsItk)
{
  // ITK throws nothing, and makes a mask of it.
  const Quiet quiet;
  CompareWithItk<Plane>(ReadBrain<Plane>(), [](auto & filter) { Parameters{ -1.0, 7.0, 4.0 }.Apply(filter); });
}

TEST(CudaCannyEdges, TreatInfinitiesAndNaNsAsItk)
{
  for (const double variance : { 0.0, 1.5 })
  {
    const Parameters parameters{ variance, 100.0, 30.0 };
    SCOPED_TRACE(parameters);
    const auto configure = [&](auto & filter) { parameters.Apply(filter); };
    EXPECT_GE(CompareWithItk<Plane>(MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } })), configure), 0.99);
    EXPECT_GE(CompareWithItk<Volume>(MakeStrange<Volume>(MakeRandomImage<Volume>({ { 33, 19, 11 } })), configure),
              0.99);
    CompareWithItk<Plane>(MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } }), true), configure);
  }
}

TEST(CudaCannyEdges, TreatConstantImagesAsItk)
{
  for (const float value : { 0.0f, 1e30f })
  {
    for (const Parameters parameters : { Parameters{ 1.0, 0.5, 0.1 }, Parameters{ 1.0, 0.0, 0.0 } })
    {
      SCOPED_TRACE(parameters);
      const auto image = MakeConstantImage<Plane>({ { 70, 50 } }, value);
      EXPECT_EQ(CompareWithItk<Plane>(image, [&](auto & filter) { parameters.Apply(filter); }), 1.0);
    }
  }
}

TEST(CudaCannyEdges, WindThroughTheWholeImage)
{
  const auto image = MakeRidge(31, false);
  CompareWithItk<Plane>(image, [](auto & filter) { RidgeParameters.Apply(filter); });

  // It is one edge indeed, with one strong spot.
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(image);
  filter->ExactModeOn();
  RidgeParameters.Apply(*filter);
  filter->Update();
  EXPECT_GT(CountEdges<Plane>(filter->GetOutput()), 124u * 124u / 6);
  filter->SetLowerThreshold(filter->GetUpperThreshold());
  filter->Update();
  EXPECT_GT(CountEdges<Plane>(filter->GetOutput()), 0u);
  EXPECT_LT(CountEdges<Plane>(filter->GetOutput()), 20u);
}

TEST(CudaCannyEdges, AreTheWholeImageWhateverIsAskedFor)
{
  const Parameters parameters{ 1.96, 7.0, 4.0 };
  const auto       filter = Filters<Plane>::Cuda::New();
  filter->SetInput(ReadBrain<Plane>());
  parameters.Apply(*filter);
  filter->UpdateOutputInformation();
  filter->GetOutput()->SetRequestedRegion(Plane::RegionType({ { 10, 20 } }, { { 30, 40 } }));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion(), filter->GetOutput()->GetLargestPossibleRegion());
}

TEST(CudaCannyEdges, KeepTheImageBeforeHysteresisOnRequest)
{
  const Parameters parameters{ 1.96, 7.0, 4.0 };
  const auto       image = ReadBrain<Plane>();
  const auto       cpu = Filters<Plane>::Cpu::New();
  cpu->SetInput(image);
  parameters.Apply(*cpu);
  cpu->Update();

  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(image);
  filter->ExactModeOn();
  parameters.Apply(*filter);
  filter->Update();
  if (HasDevice())
  {
    EXPECT_EQ(filter->GetNonMaximumSuppressionImage(), nullptr);
  }
  filter->KeepNonMaximumSuppressionImageOn();
  filter->Update();
  ExpectEqualImages<Plane>(cpu->GetNonMaximumSuppressionImage(), filter->GetNonMaximumSuppressionImage());
  if (HasDevice())
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(300000);
    filter->SetCudaInterface(interface);
    filter->Update();
    EXPECT_GT(filter->GetNumberOfTiles(), 1u);
    ExpectEqualImages<Plane>(cpu->GetNonMaximumSuppressionImage(), filter->GetNonMaximumSuppressionImage());
  }
}

namespace
{
/** The names of the stages of the last run. */
template <typename TFilter>
std::vector<std::string>
GetStageNames(const TFilter & filter)
{
  std::vector<std::string> names;
  for (const auto & stage : filter.GetStageTimes())
  {
    names.push_back(stage.Name);
  }
  return names;
}

/** Expects that a filter that has run, perhaps with other parameters, gives the edges of a new one. */
template <typename TFilter>
void
ExpectAsNew(TFilter & filter)
{
  const auto fresh = TFilter::New();
  fresh->SetInput(filter.GetInput());
  fresh->SetCudaInterface(filter.GetCudaInterface());
  fresh->SetExactMode(filter.GetExactMode());
  fresh->SetVariance(filter.GetVariance());
  fresh->SetMaximumError(filter.GetMaximumError());
  fresh->SetUpperThreshold(filter.GetUpperThreshold());
  fresh->SetLowerThreshold(filter.GetLowerThreshold());
  fresh->Update();
  filter.Update();
  using Output = typename TFilter::OutputImageType;
  ExpectEqualImages<Output>(fresh->GetOutput(), filter.GetOutput());
}
} // namespace

TYPED_TEST(CudaCanny, ReusesItsStages)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    const auto filter = Filters<TypeParam>::Cuda::New();
    filter->SetInput(MakeRandomImage<TypeParam>(size, 3, -4));
    filter->ReuseStagesOn();
    for (const Parameters & parameters : GetParameters<TypeParam>())
    {
      for (const double factor : { 1.0, 0.5, 2.0, 0.0 })
      {
        SCOPED_TRACE(::testing::Message() << "size " << size << ", " << parameters << ", times " << factor);
        Parameters{ parameters.Variance, parameters.Upper * factor, parameters.Lower * factor }.Apply(*filter);
        ExpectAsNew(*filter);
      }
    }
  }
}

TEST(CudaCannyStages, AreComputedAgainOnlyIfTheyChange)
{
  const auto image = itk::CudaBackedImage<float, 2>::New();
  const auto brain = ReadBrain<Plane>();
  image->SetRegions(brain->GetBufferedRegion());
  image->Allocate();
  itk::ImageAlgorithm::Copy<Plane, Plane>(brain, image, brain->GetBufferedRegion(), brain->GetBufferedRegion());

  const auto interface = itk::CudaInterface::New();
  interface->SetTiming(true);
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetCudaInterface(interface);
  filter->SetInput(image);
  filter->ReuseStagesOn();
  Parameters{ 1.96, 7.0, 4.0 }.Apply(*filter);
  filter->Update();

  const std::vector<std::string> again{ "edge thresholds", "edge linking", "edge output" };
  const auto                     expectReuse = [&](bool isExpected, const char * what) {
    SCOPED_TRACE(what);
    ExpectAsNew(*filter);
    if (HasDevice())
    {
      const auto names = GetStageNames(*filter);
      EXPECT_EQ(std::find(names.begin(), names.end(), "edge candidates") == names.end(), isExpected);
      EXPECT_EQ(std::find(names.begin(), names.end(), "edge thresholds") != names.end(), isExpected);
    }
  };
  filter->SetUpperThreshold(9.0f);
  expectReuse(true, "upper threshold");
  filter->SetLowerThreshold(2.0f);
  expectReuse(true, "lower threshold");
  filter->Modified();
  filter->Update();
  EXPECT_EQ(GetStageNames(*filter), HasDevice() ? again : std::vector<std::string>());
  filter->SetVariance(1.0);
  expectReuse(false, "variance");
  filter->SetMaximumError(0.1);
  expectReuse(false, "maximum error");
  filter->SetMaximumError(0.01);
  filter->ExactModeOn();
  expectReuse(false, "exact mode");
  filter->SetUpperThreshold(7.0f);
  expectReuse(true, "upper threshold in exact mode");
  image->SetPixel({ { 50, 60 } }, 9000.0f);
  image->Modified();
  expectReuse(false, "pixels of the input");
  const double spacing[] = { 0.5, 2.0 };
  image->SetSpacing(spacing);
  expectReuse(false, "spacing");
  filter->SetInput(brain);
  expectReuse(false, "input");
  filter->SetUpperThreshold(8.0f);
  expectReuse(true, "upper threshold of another input");
  filter->ReuseStagesOff();
  filter->SetUpperThreshold(9.0f);
  expectReuse(false, "switched off");
  filter->ReuseStagesOn();
  filter->SetUpperThreshold(10.0f);
  expectReuse(false, "switched on");
}

TEST(CudaCannyStages, NeedNoCopyOfAnImageOnTheDevice)
{
  using Backed = itk::CudaBackedImage<float, 2>;
  const auto gaussian = itk::CudaDiscreteGaussianImageFilter<Plane, Backed>::New();
  gaussian->SetInput(ReadBrain<Plane>());
  const auto filter = Filters<Backed>::Cuda::New();
  filter->SetInput(gaussian->GetOutput());
  Parameters{ 1.96, 7.0, 4.0 }.Apply(*filter);
  filter->Update();
  for (const bool reusesStages : { false, true, true })
  {
    const auto before = itk::CudaInterface::GetCopyCounters();
    filter->SetReuseStages(reusesStages);
    filter->SetUpperThreshold(filter->GetUpperThreshold() + 1.0f);
    filter->Update();
    const auto copies = itk::CudaInterface::GetCopyCounters() - before;
    EXPECT_EQ(copies.Uploads, 0u);
    EXPECT_EQ(copies.Downloads, 0u);
  }
}

TEST(CudaCannyStages, AreNotReusedIfPixelsChangedUnnoticed)
{
  // A composite filter grafts its input to an image of its own in each run, whose pixels are then new ones.
  const auto input = ReadBrain<Plane>();
  const auto grafted = Plane::New();
  grafted->Graft(input);
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(grafted);
  filter->ReuseStagesOn();
  Parameters{ 1.96, 7.0, 4.0 }.Apply(*filter);
  filter->Update();
  input->Allocate();
  input->FillBuffer(0.0f);
  input->SetPixel({ { 40, 50 } }, 5000.0f);
  grafted->Graft(input);
  filter->SetUpperThreshold(8.0f);
  ExpectAsNew(*filter);

  // Another filter has released the image that is kept on the CPU.
  const auto interface = itk::CudaInterface::New();
  interface->SetBackend(itk::CudaBackendEnum::CPU);
  filter->SetCudaInterface(interface);
  filter->Update();
  filter->GetNonMaximumSuppressionImage()->ReleaseData();
  filter->SetUpperThreshold(9.0f);
  ExpectAsNew(*filter);
}

TEST(CudaCannyStages, AreReusedWhereverTheyAre)
{
  const auto image = ReadBrain<Plane>();
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(image);
  filter->ExactModeOn();
  filter->ReuseStagesOn();
  filter->KeepNonMaximumSuppressionImageOn();
  float upper = 5.0f;
  // On the device and the CPU, as a whole and in tiles, and back.
  for (const char * where : { "whole", "whole", "cpu", "cpu", "whole", "tiles", "tiles", "whole", "cpu" })
  {
    SCOPED_TRACE(where);
    const auto interface = itk::CudaInterface::New();
    if (where == std::string("cpu"))
    {
      interface->SetBackend(itk::CudaBackendEnum::CPU);
    }
    else if (where == std::string("tiles"))
    {
      interface->SetMemoryBudget(300000);
    }
    filter->SetCudaInterface(interface);
    Parameters{ 1.96, upper, 2.0 }.Apply(*filter);
    upper += 1.0f;
    ExpectAsNew(*filter);
    const auto cpu = Filters<Plane>::Cpu::New();
    cpu->SetInput(image);
    cpu->SetVariance(1.96);
    cpu->Update();
    ExpectEqualImages<Plane>(cpu->GetNonMaximumSuppressionImage(), filter->GetNonMaximumSuppressionImage());
  }
}

namespace
{
/** Runs in tiles of all kinds of sizes, and expects the same as at once. Returns how many edge pixels there are. */
template <typename TImage>
itk::SizeValueType
ExpectSameInTiles(const TImage * image, const Parameters & parameters, bool isExact)
{
  using Edges = itk::Image<float, TImage::ImageDimension>;
  const auto whole = Filters<TImage, Edges>::Cuda::New();
  whole->SetInput(image);
  whole->SetExactMode(isExact);
  parameters.Apply(*whole);
  whole->Update();

  const itk::SizeValueType pixels = image->GetBufferedRegion().GetNumberOfPixels();
  itk::SizeValueType       tiles = 1;
  for (const itk::SizeValueType budget : { pixels * 9, pixels * 5, pixels * 2 })
  {
    SCOPED_TRACE(::testing::Message() << "budget " << budget);
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    const auto tiled = Filters<TImage, Edges>::Cuda::New();
    tiled->SetCudaInterface(interface);
    tiled->SetInput(image);
    tiled->SetExactMode(isExact);
    parameters.Apply(*tiled);
    tiled->Update();
    EXPECT_EQ(tiled->GetNumberOfTiles() > 1, HasDevice()) << tiled->GetExecutedOn();
    tiles = tiled->GetNumberOfTiles();
    ExpectEqualImages<Edges>(whole->GetOutput(), tiled->GetOutput());
  }
  EXPECT_EQ(tiles >= 8, HasDevice()) << tiles << " tiles";
  return CountEdges<Edges>(whole->GetOutput());
}

/** A volume with the slices of a picture, and above them the same with a wall, so that an edge goes up and down. */
Volume::Pointer
MakeRidgeVolume(const Plane * ridge)
{
  const auto size = ridge->GetBufferedRegion().GetSize();
  const auto volume = MakeConstantImage<Volume>({ { size[0], size[1], 12 } }, 0.0f);
  for (itk::ImageRegionIterator<Volume> it(volume, volume->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const auto index = it.GetIndex();
    it.Set(index[2] >= 4 && index[2] < 8 ? ridge->GetPixel({ { index[0], index[1] } }) : 0.0f);
  }
  return volume;
}
} // namespace

TEST(CudaCannyTiles, GiveTheSame)
{
  using Bytes = itk::Image<unsigned char, 2>;
  for (const bool isExact : { false, true })
  {
    ExpectSameInTiles<Plane>(ReadBrain<Plane>(), { 1.96, 12.0, 3.0 }, isExact);
    ExpectSameInTiles<Volume>(MakeRandomImage<Volume>({ { 45, 37, 29 } }), { 1.0, 350.0, 250.0 }, isExact);
  }
  ExpectSameInTiles<Bytes>(MakeRandomImage<Bytes>({ { 150, 130 } }), { 1.0, 30.0, 15.0 }, false);
}

TEST(CudaCannyTiles, LinkAnEdgeThatCrossesThemAllTheTime)
{
  // Exact, so that the edge of a picture without noise comes out just so.
  for (const bool peakIsInTheMiddle : { false, true })
  {
    const auto ridge = MakeRidge(51, peakIsInTheMiddle);
    EXPECT_GT(ExpectSameInTiles<Plane>(ridge, RidgeParameters, true), 204u * 204u / 6);
    const auto small = MakeRidgeVolume(MakeRidge(19, peakIsInTheMiddle));
    EXPECT_GT(ExpectSameInTiles<Volume>(small, RidgeParameters, true), 76u * 76u / 2);
  }
}

TEST(CudaCannyTiles, AreSharedByDevices)
{
  const auto image = ReadBrain<Plane>();
  CompareOnTwoDevices<Filters<Plane>::Cuda>(
    [&](auto & filter) {
      filter.SetInput(image);
      Parameters{ 1.96, 12.0, 3.0 }.Apply(filter);
    },
    [](auto & one, auto & two) { ExpectEqualImages<Plane>(one.GetOutput(), two.GetOutput()); });
}

TEST(CudaCannyEdges, DoNotDependOnTheBlockSize)
{
  const auto image = ReadBrain<Plane>();
  const auto run = [&](unsigned int blockSize) {
    const auto interface = itk::CudaInterface::New();
    for (const auto family : { itk::CudaKernelFamilyEnum::Stencil, itk::CudaKernelFamilyEnum::EdgeLinking })
    {
      if (blockSize != 0)
      {
        interface->SetBlockSize(family, blockSize);
      }
    }
    const auto filter = Filters<Plane>::Cuda::New();
    filter->SetCudaInterface(interface);
    filter->SetInput(image);
    Parameters{ 1.96, 7.0, 4.0 }.Apply(*filter);
    filter->Update();
    Plane::Pointer output = filter->GetOutput();
    output->DisconnectPipeline();
    return output;
  };
  const auto expected = run(0);
  EXPECT_GT(CountEdges<Plane>(expected), 1000u);
  for (const unsigned int size : { 32u, 96u, 1024u })
  {
    ExpectEqualImages<Plane>(expected, run(size));
  }
}

TEST(CudaCannyEdges, TellTheirStages)
{
  const auto interface = itk::CudaInterface::New();
  interface->SetTiming(true);
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetCudaInterface(interface);
  filter->SetInput(ReadBrain<Plane>());
  Parameters{ 1.96, 7.0, 4.0 }.Apply(*filter);
  filter->Update(); // loads kernels, which is a stage of its own
  filter->Modified();
  filter->Update();
  const std::vector<std::string> stages{
    "convolution along y and x", "edge candidates", "edge linking", "edge output"
  };
  EXPECT_EQ(GetStageNames(*filter), HasDevice() ? stages : std::vector<std::string>());
}

TEST(EdgeQuality, CountsAndDivides)
{
  const auto reference = MakeConstantImage<Plane>({ { 10, 1 } }, 0.0f);
  const auto image = MakeConstantImage<Plane>({ { 10, 1 } }, 0.0f);
  const auto calculator = itk::EdgeQualityCalculator<Plane>::New();
  EXPECT_NE(GetExceptionOf([&] { calculator->Compute(); }).find("reference image was not set"), std::string::npos);
  calculator->SetReferenceImage(reference);
  EXPECT_NE(GetExceptionOf([&] { calculator->Compute(); }).find("image was not set"), std::string::npos);
  calculator->SetImage(image);
  calculator->Compute();
  EXPECT_EQ(calculator->GetCorrectFraction(), 1.0);
  EXPECT_EQ(calculator->GetMissedFraction(), 0.0);
  EXPECT_EQ(calculator->GetFalseAlarmFraction(), 0.0);

  for (const int x : { 0, 1, 2, 3, 4 })
  {
    reference->SetPixel({ { x, 0 } }, 1.0f);
  }
  for (const int x : { 3, 4, 5, 6 })
  {
    image->SetPixel({ { x, 0 } }, 255.0f);
  }
  calculator->Compute();
  EXPECT_EQ(calculator->GetNumberOfCorrectPixels(), 2u);
  EXPECT_EQ(calculator->GetNumberOfMissedPixels(), 3u);
  EXPECT_EQ(calculator->GetNumberOfFalseAlarmPixels(), 2u);
  EXPECT_DOUBLE_EQ(calculator->GetCorrectFraction(), 0.4);
  EXPECT_DOUBLE_EQ(calculator->GetMissedFraction(), 0.6);
  EXPECT_DOUBLE_EQ(calculator->GetFalseAlarmFraction(), 0.4);

  calculator->SetImage(MakeConstantImage<Plane>({ { 9, 1 } }, 0.0f));
  EXPECT_NE(GetExceptionOf([&] { calculator->Compute(); }).find("different regions"), std::string::npos);
}

// The fast mode squares gradients in single precision, which is documented; the exact mode has no such limit.
TEST(CudaCannyEdges, EqualsItkAtHugeGradientsInExactMode)
{
  const auto image = MakeRandomImage<Plane>({ { 43, 31 } });
  for (itk::ImageRegionIteratorWithIndex<Plane> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() * 1e13f + (it.GetIndex()[0] > 20 ? 1e20f : 0.0f));
  }
  CompareWithItk<Plane>(image.GetPointer(), [](auto & filter) { Parameters{ 2.0, 1e17, 1e16 }.Apply(filter); });
}
