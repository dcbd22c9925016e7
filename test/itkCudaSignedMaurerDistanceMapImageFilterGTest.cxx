// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkApproximateSignedDistanceMapImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkStreamingImageFilter.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TPixel = float>
struct Filters
{
  using Output = itk::Image<TPixel, TInput::ImageDimension>;
  using Cpu = itk::SignedMaurerDistanceMapImageFilter<TInput, Output>;
  using Cuda = itk::CudaSignedMaurerDistanceMapImageFilter<TInput, Output>;
};

/** Expects numbers that differ by the rounding of float at most. */
template <typename TExpected, typename TActual>
void
ExpectClose(const TExpected * expected, const TActual * actual)
{
  ASSERT_EQ(expected->GetBufferedRegion(), actual->GetBufferedRegion());
  double largest = 0.0;

  itk::ImageRegionConstIterator<TExpected> expectedIt(expected, expected->GetBufferedRegion());
  itk::ImageRegionConstIterator<TActual>   actualIt(actual, expected->GetBufferedRegion());
  for (; !expectedIt.IsAtEnd(); ++expectedIt, ++actualIt)
  {
    const double a = expectedIt.Get();
    const double b = actualIt.Get();
    largest = std::max(largest, a == b ? 0.0 : std::abs(a - b) / std::max(std::abs(a), 1e-300));
  }
  EXPECT_LE(largest, 1e-6);
}

/** Compares squared and other distances, with one sign and the other. */
template <typename TInput>
void
CompareWithItk(const TInput *     image,
               double             background = 0.0,
               itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  for (const bool isSquared : { true, false })
  {
    SCOPED_TRACE(isSquared ? "squared" : "not squared");
    const auto cpu = Filters<TInput>::Cpu::New();
    const auto cuda = Filters<TInput>::Cuda::New();
    cuda->SetCudaInterface(settings);
    const auto set = [&](auto & filter) {
      filter.SetInput(image);
      filter.SetBackgroundValue(static_cast<typename TInput::PixelType>(background));
      filter.SetSquaredDistance(isSquared);
      filter.SetInsideIsPositive(isSquared);
      filter.Update();
    };
    set(*cpu);
    set(*cuda);
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
    if (budget != itk::CudaInterface::NoMemoryBudget)
    {
      EXPECT_GT(cuda->GetNumberOfTiles(), 1u);
    }
    using Output = typename Filters<TInput>::Output;
    ExpectEqualImages<Output>(cpu->GetOutput(), cuda->GetOutput());
    ExpectSameGeometry<Output>(cpu->GetOutput(), cuda->GetOutput());
  }
}

template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
CastMask(const Mask<VDimension> * mask)
{
  const auto cast = itk::CastImageFilter<Mask<VDimension>, itk::Image<TPixel, VDimension>>::New();
  cast->SetInput(mask);
  cast->Update();
  return cast->GetOutput();
}
} // namespace

TEST(CudaSignedMaurer, EqualsItkOnThePaperInputs)
{
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    const auto image = draw({ { 203, 131 } });
    CompareWithItk(image.GetPointer());
    CompareWithItk(image.GetPointer(), 1.0);
  }
  CompareWithItk(DrawPoints<2>({ { 203, 131 } }, 1000).GetPointer());
}

TEST(CudaSignedMaurer, EqualsItkOnVolumes)
{
  CompareWithItk(DrawBlobs<3>({ { 35, 38, 33 } }).GetPointer());
  for (const unsigned int oneIn : { 20u, 1000u, 20000u })
  {
    SCOPED_TRACE(oneIn);
    CompareWithItk(DrawPoints<3>({ { 35, 38, 33 } }, oneIn).GetPointer());
  }
}

TEST(CudaSignedMaurer, EqualsItkWhereSitesAreNearby)
{
  for (const auto & size : std::vector<itk::Size<2>>{ { { 63, 40 } },
                                                      { { 64, 40 } },
                                                      { { 65, 40 } },
                                                      { { 511, 17 } },
                                                      { { 512, 17 } },
                                                      { { 701, 17 } },
                                                      { { 1030, 9 } },
                                                      { { 4100, 9 } } })
  {
    SCOPED_TRACE(size);
    CompareWithItk(DrawPoints<2>(size, 20).GetPointer());
    CompareWithItk(DrawPoints<2>(size, 300).GetPointer());
    // Most lines are like that, but for one gap.
    const auto image = DrawPoints<2>(size, 20);
    for (unsigned int x = size[0] / 2; x < size[0] / 2 + 150 && x < size[0]; ++x)
    {
      for (unsigned int y = 0; y < size[1]; ++y)
      {
        image->SetPixel({ { x, y } }, 0);
      }
    }
    CompareWithItk(image.GetPointer());
    const double spacing[] = { 2.0, 1.0 };
    image->SetSpacing(spacing);
    CompareWithItk(image.GetPointer());
  }
  for (const auto & size :
       std::vector<itk::Size<3>>{ { { 9, 66, 7 } }, { { 9, 520, 3 } }, { { 9, 1030, 2 } }, { { 70, 9, 34 } } })
  {
    SCOPED_TRACE(size);
    CompareWithItk(DrawPoints<3>(size, 20).GetPointer());
    CompareWithItk(DrawPoints<3>(size, 300).GetPointer());
  }
}

TEST(CudaSignedMaurer, EqualsItkOnABrain)
{
  CompareWithItk(ReadBrain<itk::Image<unsigned char, 2>>().GetPointer());
  CompareWithItk(ReadBrain<itk::Image<short, 3>>().GetPointer());
}

TEST(CudaSignedMaurer, EqualsItkForSizesThatAreMultiplesOfNothing)
{
  for (const auto & size : GetSizes<Mask<2>>())
  {
    SCOPED_TRACE(size);
    CompareWithItk(DrawPoints<2>(size, 4).GetPointer());
    CompareWithItk(DrawPoints<2>(size, 40).GetPointer());
  }
  for (const auto & size : GetSizes<Mask<3>>())
  {
    SCOPED_TRACE(size);
    CompareWithItk(DrawPoints<3>(size, 4).GetPointer());
    CompareWithItk(DrawPoints<3>(size, 40).GetPointer());
  }
}

TEST(CudaSignedMaurer, EqualsItkWithoutContour)
{
  for (const unsigned char value : { 0, 1 })
  {
    CompareWithItk(MakeConstantImage<Mask<2>>({ { 40, 33 } }, value).GetPointer());
    CompareWithItk(MakeConstantImage<Mask<3>>({ { 20, 13, 9 } }, value).GetPointer());
    CompareWithItk(MakeConstantImage<Mask<2>>({ { 1, 1 } }, value).GetPointer());
  }
}

TEST(CudaSignedMaurer, EqualsItkForOnePixelInACorner)
{
  for (const long corner : { 0L, 1L })
  {
    CompareWithItk(DrawMask<2>({ { 70, 99 } }, [corner](const itk::Index<2> & index) {
                     return index[0] == 69 * corner && index[1] == 98 * (1 - corner);
                   }).GetPointer());
    CompareWithItk(DrawMask<3>({ { 34, 40, 35 } }, [corner](const itk::Index<3> & index) {
                     return index[0] == 33 * corner && index[1] == 39 * (1 - corner) && index[2] == 34 * corner;
                   }).GetPointer());
  }
}

TEST(CudaSignedMaurer, EqualsItkForAllPixelTypes)
{
  const auto plane = DrawPoints<2>({ { 67, 41 } }, 30);
  const auto volume = DrawBlobs<3>({ { 21, 17, 35 } });
  const auto compare = [&](auto pixel) {
    using Pixel = decltype(pixel);
    CompareWithItk(CastMask<Pixel>(plane.GetPointer()).GetPointer());
    CompareWithItk(CastMask<Pixel>(volume.GetPointer()).GetPointer(), 1.0);
  };
  compare(static_cast<unsigned short>(0));
  compare(static_cast<short>(0));
  compare(0.0f);
  compare(0.0);
}

TEST(CudaSignedMaurer, EqualsItkForNaN)
{
  const auto image = CastMask<float>(DrawPoints<2>({ { 67, 41 } }, 100).GetPointer());
  CompareWithItk(MakeStrange(image.GetPointer()).GetPointer());
}

TEST(CudaSignedMaurer, EqualsItkInTiles)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "tiles are for devices";
  }
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    CompareWithItk(draw({ { 91, 203 } }).GetPointer(), 0.0, 50000);
  }
  CompareWithItk(DrawPoints<3>({ { 45, 38, 41 } }, 1000).GetPointer(), 0.0, 300000);
  CompareWithItk(DrawBlobs<3>({ { 45, 38, 41 } }).GetPointer(), 1.0, 300000);
  CompareWithItk(MakeConstantImage<Mask<2>>({ { 91, 203 } }, 1).GetPointer(), 0.0, 50000);
}

TEST(CudaSignedMaurer, IsSharedByDevices)
{
  const auto image = DrawBlobs<3>({ { 45, 38, 41 } });
  using Types = Filters<Mask<3>>;
  CompareOnTwoDevices<Types::Cuda>(
    [&](auto & filter) { filter.SetInput(image); },
    [](auto & one, auto & two) { ExpectEqualImages<Types::Output>(one.GetOutput(), two.GetOutput()); });
}

/** Lines that a whole block computes; too long ones for the shared memory of the emulated device; and lines with many
 * sites between two winners. */
TEST(CudaSignedMaurer, EqualsItkForLongLines)
{
  for (const unsigned int width : { 1300u, 6000u, 9000u })
  {
    SCOPED_TRACE(width);
    CompareWithItk(DrawPoints<2>({ { width, 3 } }, 3).GetPointer());
    CompareWithItk(DrawPoints<2>({ { width, 3 } }, 700).GetPointer());
    CompareWithItk(DrawPoints<2>({ { 3, width } }, 50).GetPointer());
  }
  // The centre of an arc is equally far from all of its pixels.
  for (const unsigned int width : { 500u, 1100u, 4200u })
  {
    SCOPED_TRACE(width);
    constexpr double radius = 120.0;
    CompareWithItk(DrawMask<2>({ { width, 125 } }, [](const itk::Index<2> & index) {
                     return std::hypot(index[0] - radius, index[1] - 2.0) > radius - 1.0;
                   }).GetPointer());
  }
  CompareWithItk(DrawPoints<3>({ { 9, 1300, 2 } }, 300).GetPointer());
}

TEST(CudaSignedMaurer, EqualsItkWithSpacing)
{
  const auto compare = [](auto mask, const std::vector<double> & spacing) {
    using Input = typename decltype(mask)::ObjectType;
    typename Input::SpacingType imageSpacing;
    std::copy(spacing.begin(), spacing.end(), imageSpacing.Begin());
    SCOPED_TRACE(imageSpacing);
    mask->SetSpacing(imageSpacing);
    for (const bool isSquared : { true, false })
    {
      const auto cpu = Filters<Input, double>::Cpu::New();
      const auto cuda = Filters<Input>::Cuda::New();
      const auto cudaDouble = Filters<Input, double>::Cuda::New();
      const auto set = [&](auto & filter) {
        filter.SetInput(mask);
        filter.SetSquaredDistance(isSquared);
        filter.UseImageSpacingOn();
        filter.Update();
      };
      set(*cpu);
      set(*cuda);
      set(*cudaDouble);
      EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
      ExpectClose(cpu->GetOutput(), cudaDouble->GetOutput());
      if (HasDevice()) // ITK computes in float then
      {
        ExpectClose(cpu->GetOutput(), cuda->GetOutput());
      }
    }
    // Without the spacing.
    const auto cpu = Filters<Input>::Cpu::New();
    const auto cuda = Filters<Input>::Cuda::New();
    cpu->SetInput(mask);
    cpu->UseImageSpacingOff();
    cpu->Update();
    cuda->SetInput(mask);
    cuda->UseImageSpacingOff();
    cuda->Update();
    ExpectEqualImages<itk::Image<float, Input::ImageDimension>>(cpu->GetOutput(), cuda->GetOutput());
  };
  for (const auto & spacing : std::vector<std::vector<double>>{ { 2.0, 1.0 }, { 0.9375, 1.5 }, { 0.3141, 1.0 / 3.0 } })
  {
    compare(DrawPoints<2>({ { 90, 61 } }, 200), spacing);
  }
  compare(DrawPoints<2>({ { 1300, 7 } }, 50), { 0.3141, 1.0 / 3.0 }); // lines of a block
  compare(DrawPoints<2>({ { 5000, 2 } }, 9), { 0.9375, 1.5 });        // large weights
  // In the middle between two diagonals, the nearest pixel jumps from the one to the other, over many that are nearest
  // to no pixel.
  for (const unsigned int height : { 7u, 14u, 46u })
  {
    compare(DrawMask<2>({ { 100 * height, height } },
                        [height](const itk::Index<2> & index) {
                          const itk::IndexValueType step = index[0] / 100;
                          return index[1] == step || index[1] == height - 1 - step;
                        }),
            { 1.0, 100.0 });
  }
  for (const auto & spacing :
       std::vector<std::vector<double>>{ { 2.0, 1.0, 1.0 }, { 0.9375, 0.9375, 1.5 }, { 0.71, 0.71, 2.345678 } })
  {
    compare(DrawPoints<3>({ { 30, 33, 15 } }, 500), spacing);
  }
}

TEST(CudaSignedMaurer, MayStartAtAnyIndex)
{
  const auto image = DrawPoints<2>({ { 91, 103 } }, 300);
  image->SetRegions(MakeRegion<Mask<2>>({ { 91, 103 } }, -17));
  CompareWithItk(image.GetPointer());
  if (HasDevice())
  {
    CompareWithItk(image.GetPointer(), 0.0, 40000);
  }
}

TEST(CudaSignedMaurer, ComputesAllPixelsWhateverIsRequested)
{
  const auto image = DrawPoints<2>({ { 60, 50 } }, 100);
  const auto whole = Filters<Mask<2>>::Cuda::New();
  whole->SetInput(image);
  whole->Update();
  const auto inParts = Filters<Mask<2>>::Cuda::New();
  inParts->SetInput(image);
  const auto streaming = itk::StreamingImageFilter<itk::Image<float, 2>, itk::Image<float, 2>>::New();
  streaming->SetInput(inParts->GetOutput());
  streaming->SetNumberOfStreamDivisions(4);
  streaming->Update();
  ExpectEqualImages<itk::Image<float, 2>>(whole->GetOutput(), streaming->GetOutput());
}

/** What Documentation/Distances.md says of ITK's approximate filter: its contour is half a pixel farther out. */
TEST(CudaSignedMaurer, CanReplaceApproximateDistances)
{
  const auto disc = DrawMask<2>(
    { { 90, 80 } }, [](const itk::Index<2> & index) { return std::hypot(index[0] - 41.0, index[1] - 37.0) < 21.5; });
  const auto approximate = itk::ApproximateSignedDistanceMapImageFilter<Mask<2>, itk::Image<float, 2>>::New();
  approximate->SetInput(disc);
  approximate->SetInsideValue(1);
  approximate->SetOutsideValue(0);
  approximate->Update();
  const auto exact = Filters<Mask<2>>::Cuda::New();
  exact->SetInput(disc);
  exact->SetSquaredDistance(false);
  exact->Update();
  for (itk::ImageRegionConstIteratorWithIndex<Mask<2>> it(disc, disc->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const double distance = exact->GetOutput()->GetPixel(it.GetIndex());
    const double difference = distance - approximate->GetOutput()->GetPixel(it.GetIndex());
    EXPECT_NEAR(difference, 0.5, 0.5 + 0.08 * std::abs(distance)) << it.GetIndex();
  }
}

namespace
{
using Strategy = itk::CudaDistanceStrategyEnum;

/** How a wavefront differs from exact distances at most, in physical units. */
struct WavefrontErrors
{
  double Excess = 0.0;  // of distances that are too large
  double Deficit = 0.0; // of distances that are too small, which there must not be
  double Step = 0.0;    // by which a distance exceeds that of a neighbour plus the step to it
};

template <typename TInput>
WavefrontErrors
FindErrors(const TInput * image, Strategy strategy)
{
  using Output = itk::Image<double, TInput::ImageDimension>;
  const auto run = [image](auto filter) -> typename Output::Pointer {
    filter->SetInput(image);
    filter->SetSquaredDistance(false);
    filter->SetUseImageSpacing(true);
    filter->Update();
    EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice()) << filter->GetExecutedOn();
    return filter->GetOutput();
  };
  const auto wavefront = Filters<TInput, double>::Cuda::New();
  wavefront->SetStrategy(strategy);
  const auto distances = run(wavefront);
  const auto exact = run(Filters<TInput, double>::Cuda::New());

  WavefrontErrors                                errors;
  const auto                                     region = distances->GetBufferedRegion();
  itk::ImageRegionConstIteratorWithIndex<Output> it(distances, region);
  for (; !it.IsAtEnd(); ++it)
  {
    const double distance = std::abs(it.Get());
    const double expected = exact->GetPixel(it.GetIndex());
    EXPECT_EQ(std::signbit(it.Get()), std::signbit(expected));
    errors.Excess = std::max(errors.Excess, distance - std::abs(expected));
    errors.Deficit = std::max(errors.Deficit, std::abs(expected) - distance);
    for (unsigned int axis = 0; axis < TInput::ImageDimension; ++axis)
    {
      auto neighbour = it.GetIndex();
      ++neighbour[axis];
      if (region.IsInside(neighbour))
      {
        const double difference = std::abs(distance - std::abs(distances->GetPixel(neighbour)));
        errors.Step = std::max(errors.Step, difference - image->GetSpacing()[axis]);
      }
    }
  }
  return errors;
}
} // namespace

/** Wavefronts may miss the nearest pixel of the contour, but nothing else. On the CPU, there are none. */
TEST(CudaSignedMaurerWavefront, IsStableAndNeverTooNear)
{
  const auto check = [](const auto & image) {
    std::vector<double> largest;
    for (const Strategy strategy : { Strategy::Wavefront, Strategy::FullWavefront })
    {
      SCOPED_TRACE(strategy);
      const WavefrontErrors errors = FindErrors(image.GetPointer(), strategy);
      EXPECT_LE(errors.Deficit, 1e-9);
      EXPECT_LE(errors.Step, 1e-9);
      EXPECT_LE(errors.Excess, 1.0);
      largest.push_back(errors.Excess);
    }
    return largest;
  };
  double     largestOfFaces = 0.0;
  double     largestOfAll = 0.0;
  const auto checkPlane = [&](const auto & image) {
    const auto largest = check(image);
    largestOfFaces = std::max(largestOfFaces, largest[0]);
    largestOfAll = std::max(largestOfAll, largest[1]);
  };
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    checkPlane(draw({ { 131, 77 } }));
  }
  checkPlane(DrawPoints<2>({ { 131, 77 } }, 100));
  checkPlane(DrawPoints<2>({ { 131, 77 } }, 1000));
  if (HasDevice())
  {
    EXPECT_GT(largestOfFaces, 0.0);
    EXPECT_LT(largestOfAll, largestOfFaces);
  }
  check(DrawBlobs<3>({ { 35, 18, 13 } }));
  check(DrawPoints<3>({ { 35, 18, 13 } }, 500));

  const auto   stretched = DrawPoints<2>({ { 90, 61 } }, 200);
  const double spacing[] = { 0.3141, 1.0 / 3.0 };
  stretched->SetSpacing(spacing);
  check(stretched);
  const auto   thick = DrawPoints<3>({ { 30, 33, 15 } }, 500);
  const double thickness[] = { 1.0, 1.0, 2.0 };
  thick->SetSpacing(thickness);
  check(thick);
}

TEST(CudaSignedMaurerWavefront, EqualsItkWhereItIsExact)
{
  const auto compare = [](const auto & image) {
    using Input = typename std::decay_t<decltype(image)>::ObjectType;
    for (const Strategy strategy : { Strategy::Wavefront, Strategy::FullWavefront })
    {
      const auto cpu = Filters<Input>::Cpu::New();
      const auto cuda = Filters<Input>::Cuda::New();
      cuda->SetStrategy(strategy);
      cpu->SetInput(image);
      cuda->SetInput(image);
      cpu->Update();
      cuda->Update();
      EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
      ExpectEqualImages<typename Filters<Input>::Output>(cpu->GetOutput(), cuda->GetOutput());
    }
  };
  for (const unsigned char value : { 0, 1 })
  {
    compare(MakeConstantImage<Mask<2>>({ { 40, 33 } }, value));
    compare(MakeConstantImage<Mask<3>>({ { 20, 13, 9 } }, value));
    compare(MakeConstantImage<Mask<2>>({ { 1, 1 } }, value));
  }
  // One site: all pixels find it.
  compare(DrawMask<2>({ { 70, 99 } }, [](const itk::Index<2> & index) { return index == itk::Index<2>{ { 69, 0 } }; }));
  compare(DrawMask<2>({ { 3000, 2 } }, [](const itk::Index<2> & index) {
    return index == itk::Index<2>{ { 2999, 1 } };
  }));
  compare(DrawMask<3>({ { 70, 19, 21 } }, [](const itk::Index<3> & index) {
    return index == itk::Index<3>{ { 69, 0, 20 } };
  }));
  // The squared distance one step outside the image has more than 31 bits.
  const auto   weighted = DrawMask<2>({ { 12, 1 } }, [](const itk::Index<2> & index) { return index[0] == 0; });
  const double spacing[] = { 4096.0, 1.0 };
  weighted->SetSpacing(spacing);
  compare(weighted);
}

TEST(CudaSignedMaurerWavefront, NeedsTheWholeImage)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "tiles are for devices";
  }
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(50000);
  const auto filter = Filters<Mask<2>>::Cuda::New();
  filter->SetInput(DrawPoints<2>({ { 91, 203 } }, 100));
  filter->SetStrategy(Strategy::Wavefront);
  filter->SetCudaInterface(settings);
  filter->Update();
  EXPECT_NE(filter->GetExecutedOn().find("whole image"), std::string::npos) << filter->GetExecutedOn();
  settings->SetBackend(itk::CudaBackendEnum::CUDA);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);

  settings->SetMemoryBudget(itk::CudaInterface::NoMemoryBudget);
  filter->SetInput(DrawPoints<2>({ { 32769, 1 } }, 100));
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("32768"), std::string::npos);
}

/** An image with one site, whose wavefront takes longer than a kernel may run. */
TEST(CudaSignedMaurerWavefront, ContinuesAfterTheTimeLimitOfKernels)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetKernelTimeLimit(1.0);
  const auto image =
    DrawMask<2>({ { 2, 20000 } }, [](const itk::Index<2> & index) { return index[0] == 0 && index[1] == 0; });
  const auto cpu = Filters<Mask<2>>::Cpu::New();
  const auto cuda = Filters<Mask<2>>::Cuda::New();
  cuda->SetCudaInterface(settings);
  cuda->SetStrategy(Strategy::Wavefront);
  cpu->SetInput(image);
  cuda->SetInput(image);
  unsigned int events = 0;
  cuda->AddObserver(itk::ProgressEvent(), [&events](const itk::EventObject &) { ++events; });
  cpu->Update();
  cuda->Update();
  ExpectEqualImages<itk::Image<float, 2>>(cpu->GetOutput(), cuda->GetOutput());
  if (HasDevice())
  {
    constexpr unsigned int atLeast = 3; // that a run reports anyway
    EXPECT_GT(events, atLeast);         // one more between two launches

    cuda->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (++events > atLeast)
      {
        cuda->AbortGenerateDataOn();
      }
    });
    events = 0;
    cuda->Modified();
    EXPECT_THROW(cuda->Update(), itk::ProcessAborted);
  }
}

TEST(CudaSignedMaurerWavefront, PrintsItsStrategy)
{
  const auto filter = Filters<Mask<2>>::Cuda::New();
  EXPECT_EQ(filter->GetStrategy(), Strategy::Exact);
  filter->SetStrategy(Strategy::FullWavefront);
  std::ostringstream text;
  filter->Print(text);
  EXPECT_NE(text.str().find("Strategy: FullWavefront"), std::string::npos) << text.str();
  std::ostringstream all;
  all << Strategy::Exact << Strategy::Wavefront << static_cast<Strategy>(99);
  EXPECT_EQ(all.str(), "ExactWavefrontinvalid CudaDistanceStrategyEnum");
}
