// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkBinaryBallStructuringElement.h"
#include "itkBinaryDilateImageFilter.h"
#include "itkCudaDanielssonDistanceMapImageFilter.h"
#include "itkCudaSignedDanielssonDistanceMapImageFilter.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include <limits>

namespace
{
using namespace itk::CudaTest;

struct Choice
{
  bool               IsSquared = false;
  bool               IsBinary = false;
  bool               UsesSpacing = true;
  itk::SizeValueType Budget = itk::CudaInterface::NoMemoryBudget;
};

template <typename TFilter, typename TInput>
void
UpdateFilter(TFilter & filter, const TInput * image, const Choice & choice)
{
  filter.SetInput(image);
  filter.SetSquaredDistance(choice.IsSquared);
  filter.SetInputIsBinary(choice.IsBinary);
  filter.SetUseImageSpacing(choice.UsesSpacing);
  filter.Update();
}

/** The squared length of an offset. */
template <typename TImage>
double
GetSquaredLength(const itk::Offset<TImage::ImageDimension> & offset, const TImage * image, bool usesSpacing)
{
  double sum = 0.0;
  for (unsigned int i = 0; i < TImage::ImageDimension; ++i)
  {
    const double component = static_cast<double>(offset[i]) * (usesSpacing ? image->GetSpacing()[i] : 1.0);
    sum += component * component;
  }
  return sum;
}

template <typename TInput>
std::vector<typename TInput::IndexType>
FindObjects(const TInput * image)
{
  std::vector<typename TInput::IndexType> objects;
  for (itk::ImageRegionConstIteratorWithIndex<TInput> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (it.Get())
    {
      objects.push_back(it.GetIndex());
    }
  }
  return objects;
}

/** Compares all outputs with the first one of the nearest object pixels, which is searched among all. */
template <typename TInput, typename TOutputPixel = float, typename TVoronoiPixel = typename TInput::PixelType>
void
CompareWithSearch(const TInput * image, const Choice & choice = {})
{
  constexpr unsigned int dimension = TInput::ImageDimension;
  using Filter = itk::CudaDanielssonDistanceMapImageFilter<TInput,
                                                           itk::Image<TOutputPixel, dimension>,
                                                           itk::Image<TVoronoiPixel, dimension>>;
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(choice.Budget);
  const auto filter = Filter::New();
  filter->SetCudaInterface(settings);
  UpdateFilter(*filter, image, choice);
  ASSERT_EQ(filter->GetExecutedOnDevice(), HasDevice()) << filter->GetExecutedOn();
  if (!HasDevice())
  {
    return; // ITK's filter is not exact
  }
  if (choice.Budget != itk::CudaInterface::NoMemoryBudget)
  {
    EXPECT_GT(filter->GetNumberOfTiles(), 1u);
  }
  const auto  objects = FindObjects(image);
  std::size_t wrong = 0;
  for (itk::ImageRegionConstIteratorWithIndex<TInput> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const auto                 index = it.GetIndex();
    double                     least = std::numeric_limits<double>::max();
    typename TInput::IndexType nearest{};
    for (const auto & object : objects)
    {
      const double squared = GetSquaredLength(object - index, image, choice.UsesSpacing);
      if (squared < least)
      {
        least = squared;
        nearest = object;
      }
    }
    const auto label = choice.IsBinary ? TVoronoiPixel{ 1 } : static_cast<TVoronoiPixel>(image->GetPixel(nearest));
    const auto distance = static_cast<TOutputPixel>(choice.IsSquared ? least : std::sqrt(least));
    wrong += filter->GetVectorDistanceMap()->GetPixel(index) != nearest - index ||
                 filter->GetVoronoiMap()->GetPixel(index) != label ||
                 filter->GetDistanceMap()->GetPixel(index) != distance
               ? 1
               : 0;
  }
  EXPECT_EQ(wrong, 0u);
}

/** Compares distances with those of ITK's filter. Returns the share of pixels for which it did not find the nearest
 * object, and the greatest difference. */
template <typename TInput>
std::pair<double, double>
CompareWithItk(const TInput * image, const Choice & choice = {})
{
  using Output = itk::Image<double, TInput::ImageDimension>;
  const auto cpu = itk::DanielssonDistanceMapImageFilter<TInput, Output>::New();
  const auto cuda = itk::CudaDanielssonDistanceMapImageFilter<TInput, Output>::New();
  UpdateFilter(*cpu, image, choice);
  UpdateFilter(*cuda, image, choice);
  std::size_t differences = 0;
  double      greatest = 0.0;
  for (itk::ImageRegionConstIteratorWithIndex<Output> it(cpu->GetOutput(), image->GetBufferedRegion()); !it.IsAtEnd();
       ++it)
  {
    const double difference = it.Get() - cuda->GetOutput()->GetPixel(it.GetIndex());
    EXPECT_GE(difference, -1e-12 * it.Get()) << it.GetIndex();
    differences += difference > 1e-12 * it.Get() ? 1 : 0;
    greatest = std::max(greatest, difference);
  }
  return { static_cast<double>(differences) / image->GetBufferedRegion().GetNumberOfPixels(), greatest };
}

/** Gives each object pixel a label. */
template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
DrawLabels(const itk::Size<VDimension> & size, unsigned int oneIn)
{
  const auto points = DrawPoints<VDimension>(size, oneIn);
  const auto labels = itk::Image<TPixel, VDimension>::New();
  labels->SetRegions(size);
  labels->Allocate();
  unsigned int label = 0;
  for (itk::ImageRegionIteratorWithIndex<itk::Image<TPixel, VDimension>> it(labels, labels->GetBufferedRegion());
       !it.IsAtEnd();
       ++it)
  {
    it.Set(points->GetPixel(it.GetIndex()) != 0 ? static_cast<TPixel>(1 + ++label % 200) : TPixel{});
  }
  return labels;
}

TEST(CudaDanielsson, FindsTheNearestObjectInPlanes)
{
  for (const unsigned int oneIn : { 5u, 60u, 2000u })
  {
    SCOPED_TRACE(oneIn);
    CompareWithSearch(DrawLabels<unsigned char, 2>({ { 101, 67 } }, oneIn).GetPointer());
  }
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    CompareWithSearch(draw({ { 83, 71 } }).GetPointer());
  }
}

TEST(CudaDanielsson, FindsTheNearestObjectInVolumes)
{
  for (const unsigned int oneIn : { 20u, 300u, 5000u })
  {
    SCOPED_TRACE(oneIn);
    CompareWithSearch(DrawLabels<unsigned short, 3>({ { 23, 26, 35 } }, oneIn).GetPointer());
  }
}

TEST(CudaDanielsson, FindsTheNearestObjectInLongLines)
{
  CompareWithSearch(DrawLabels<short, 2>({ { 1300, 3 } }, 40).GetPointer());
  CompareWithSearch(DrawLabels<short, 2>({ { 4300, 2 } }, 90).GetPointer());
  CompareWithSearch(DrawLabels<short, 2>({ { 2, 1300 } }, 40).GetPointer());
  CompareWithSearch(DrawLabels<short, 3>({ { 5, 1100, 2 } }, 300).GetPointer());
}

TEST(CudaDanielsson, HasAllParameters)
{
  const auto image = DrawLabels<short, 2>({ { 61, 45 } }, 70);
  auto       spacing = image->GetSpacing();
  spacing[0] = 2.0;
  spacing[1] = 3.0;
  image->SetSpacing(spacing);
  for (const bool isSquared : { false, true })
  {
    for (const bool isBinary : { false, true })
    {
      for (const bool usesSpacing : { false, true })
      {
        Choice choice;
        choice.IsSquared = isSquared;
        choice.IsBinary = isBinary;
        choice.UsesSpacing = usesSpacing;
        CompareWithSearch(image.GetPointer(), choice);
      }
    }
  }
}

TEST(CudaDanielsson, HasAllPixelTypes)
{
  const itk::Size<2> size{ { 40, 33 } };
  CompareWithSearch<itk::Image<unsigned char, 2>, unsigned char, unsigned char>(
    DrawLabels<unsigned char, 2>(size, 50).GetPointer());
  CompareWithSearch<itk::Image<unsigned char, 2>, unsigned short, double>(
    DrawLabels<unsigned char, 2>(size, 50).GetPointer());
  CompareWithSearch<itk::Image<unsigned short, 2>, short, float>(DrawLabels<unsigned short, 2>(size, 50).GetPointer());
  CompareWithSearch<itk::Image<short, 2>, float, unsigned short>(DrawLabels<short, 2>(size, 50).GetPointer());
  CompareWithSearch<itk::Image<float, 2>, double, short>(DrawLabels<float, 2>(size, 50).GetPointer());
  CompareWithSearch<itk::Image<double, 2>, float, unsigned char>(DrawLabels<double, 2>(size, 50).GetPointer());
}

TEST(CudaDanielsson, FindsTheNearestObjectInTiles)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "ITK's filter has no tiles.";
  }
  Choice choice;
  choice.Budget = 60000;
  CompareWithSearch(DrawLabels<unsigned char, 2>({ { 75, 160 } }, 100).GetPointer(), choice);
  choice.Budget = 250000;
  CompareWithSearch(DrawLabels<unsigned char, 3>({ { 20, 21, 60 } }, 400).GetPointer(), choice);
}

TEST(CudaDanielsson, IsSharedByDevices)
{
  using Labels = itk::Image<unsigned short, 3>;
  using Filter = itk::CudaDanielssonDistanceMapImageFilter<Labels, itk::Image<float, 3>>;
  const auto labels = DrawLabels<unsigned short, 3>({ { 35, 38, 33 } }, 500);
  CompareOnTwoDevices<Filter>([&](auto & filter) { filter.SetInput(labels); },
                              [](auto & one, auto & two) {
                                ExpectEqualImages<itk::Image<float, 3>>(one.GetOutput(), two.GetOutput());
                                ExpectEqualImages<Labels>(one.GetVoronoiMap(), two.GetVoronoiMap());
                              });
}

TEST(CudaDanielsson, IsNeverFartherThanItk)
{
  const auto note = [](const char * name, const std::pair<double, double> & result) {
    ::testing::Test::RecordProperty(std::string(name) + "-share", std::to_string(result.first));
    ::testing::Test::RecordProperty(std::string(name) + "-greatest", std::to_string(result.second));
    EXPECT_LT(result.second, 1.0);
  };
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    note(name.c_str(), CompareWithItk(draw({ { 120, 90 } }).GetPointer()));
  }
  note("points2d", CompareWithItk(DrawPoints<2>({ { 150, 131 } }, 150).GetPointer()));
  const auto volume = DrawPoints<3>({ { 40, 33, 37 } }, 400);
  note("points3d", CompareWithItk(volume.GetPointer()));
  auto spacing = volume->GetSpacing();
  spacing[0] = 0.71;
  spacing[1] = 0.71;
  spacing[2] = 2.345678;
  volume->SetSpacing(spacing);
  note("points3d-spacing", CompareWithItk(volume.GetPointer()));
}

TEST(CudaDanielsson, LeavesImagesWithoutObjectsToItk)
{
  using Input = Mask<2>;
  using Output = itk::Image<float, 2>;
  const auto image = DrawMask<2>({ { 30, 17 } }, [](const itk::Index<2> &) { return false; });
  const auto cpu = itk::DanielssonDistanceMapImageFilter<Input, Output>::New();
  const auto cuda = itk::CudaDanielssonDistanceMapImageFilter<Input, Output>::New();
  UpdateFilter(*cpu, image.GetPointer(), {});
  UpdateFilter(*cuda, image.GetPointer(), {});
  EXPECT_FALSE(cuda->GetExecutedOnDevice());
  EXPECT_NE(cuda->GetExecutedOn(), "");
  ExpectEqualImages<Output>(cpu->GetOutput(), cuda->GetOutput());
  ExpectEqualImages<Input>(cpu->GetVoronoiMap(), cuda->GetVoronoiMap());
}

TEST(CudaDanielsson, ComputesDegenerateImages)
{
  CompareWithSearch(DrawMask<2>({ { 1, 1 } }, [](const itk::Index<2> &) { return true; }).GetPointer());
  CompareWithSearch(DrawMask<2>({ { 70, 1 } }, [](const itk::Index<2> & i) { return i[0] == 3; }).GetPointer());
  CompareWithSearch(DrawMask<2>({ { 1, 70 } }, [](const itk::Index<2> & i) { return i[1] == 69; }).GetPointer());
  CompareWithSearch(DrawMask<2>({ { 35, 33 } }, [](const itk::Index<2> &) { return true; }).GetPointer());
  CompareWithSearch(DrawMask<3>({ { 9, 8, 7 } }, [](const itk::Index<3> & i) { return i[2] == 6; }).GetPointer());
  const auto image = DrawLabels<float, 2>({ { 20, 20 } }, 30);
  image->SetPixel({ { 7, 8 } }, std::numeric_limits<float>::infinity());
  image->SetRegions(MakeRegion<itk::Image<float, 2>>({ { 20, 20 } }, -11));
  CompareWithSearch(image.GetPointer());
}

TEST(CudaDanielsson, ComputesAllPixelsWhateverIsRequested)
{
  using Input = itk::Image<unsigned char, 2>;
  using Filter = itk::CudaDanielssonDistanceMapImageFilter<Input, itk::Image<float, 2>>;
  const auto image = DrawLabels<unsigned char, 2>({ { 50, 40 } }, 80);
  const auto whole = Filter::New();
  UpdateFilter(*whole, image.GetPointer(), {});
  const auto part = Filter::New();
  part->SetInput(image);
  part->UpdateOutputInformation();
  part->GetVoronoiMap()->SetRequestedRegion(itk::ImageRegion<2>({ { 5, 5 } }, { { 10, 10 } }));
  part->GetVoronoiMap()->Update();
  ExpectEqualImages<Input>(whole->GetVoronoiMap(), part->GetVoronoiMap());
  ExpectEqualImages<itk::Image<float, 2>>(whole->GetDistanceMap(), part->GetDistanceMap());
}

TEST(CudaDanielsson, KeptPointersToItsOutputsAreValidAfterAnUpdate)
{
  const auto image = DrawLabels<unsigned char, 2>({ { 60, 44 } }, 80);
  const auto filter = itk::CudaDanielssonDistanceMapImageFilter<itk::Image<unsigned char, 2>,
                                                                itk::CudaBackedImage<float, 2>,
                                                                itk::Image<unsigned char, 2>>::New();
  filter->SetInput(image);
  itk::Image<unsigned char, 2> * const labels = filter->GetVoronoiMap();
  const auto * const                   vectors = filter->GetVectorDistanceMap();
  filter->Update();
  const itk::Index<2> index{ { 31, 17 } };
  ASSERT_NE(labels->GetPixelContainer()->GetImportPointer(), nullptr);
  EXPECT_EQ(labels->GetPixel(index), image->GetPixel(index + vectors->GetPixel(index)));
}

TEST(CudaDanielsson, PassesLabelsOnWithoutCopies)
{
  using Backed = itk::CudaBackedImage<unsigned char, 2>;
  using First = itk::CudaDanielssonDistanceMapImageFilter<Backed, itk::CudaBackedImage<float, 2>, Backed>;
  const auto image = DrawLabels<unsigned char, 2>({ { 60, 44 } }, 80);
  const auto first = itk::
    CudaDanielssonDistanceMapImageFilter<itk::Image<unsigned char, 2>, itk::CudaBackedImage<float, 2>, Backed>::New();
  const auto second = First::New();
  first->SetInput(image);
  second->SetInput(first->GetVoronoiMap());
  const auto before = itk::CudaInterface::GetCopyCounters();
  second->Update();
  const auto copies = itk::CudaInterface::GetCopyCounters() - before;
  EXPECT_EQ(copies.Uploads, HasDevice() ? 1u : 0u);
  EXPECT_EQ(copies.Downloads, HasDevice() ? 1u : 0u); // the offsets of the second filter, a plain image
  // All pixels are objects then.
  EXPECT_EQ(second->GetDistanceMap()->GetPixel({ { 3, 4 } }), 0.0f);
}

TEST(CudaDanielsson, KeepsOffsetsOnTheDevice)
{
  using Backed = itk::CudaBackedImage<unsigned char, 2>;
  const auto image = DrawLabels<unsigned char, 2>({ { 60, 44 } }, 80);
  const auto filter = itk::
    CudaDanielssonDistanceMapImageFilter<itk::Image<unsigned char, 2>, itk::CudaBackedImage<float, 2>, Backed>::New();
  filter->SetInput(image);
  filter->KeepOffsetsOnDevice();
  const auto countDownloads = [&] {
    const auto before = itk::CudaInterface::GetCopyCounters();
    filter->Modified();
    filter->Update();
    return (itk::CudaInterface::GetCopyCounters() - before).Downloads;
  };
  EXPECT_EQ(countDownloads(), 0u);
  const auto * const  vectors = filter->GetVectorDistanceMap();
  const itk::Index<2> index{ { 31, 17 } };
  const unsigned char label = filter->GetVoronoiMap()->GetPixel(index);
  EXPECT_EQ(image->GetPixel(index + vectors->GetPixel(index)), label);
  // From now on, somebody may read them.
  EXPECT_EQ(countDownloads(), HasDevice() ? 2u : 0u); // and the labels, which were read, too
  EXPECT_EQ(image->GetPixel(index + vectors->GetPixel(index)), label);
}
} // namespace

namespace
{
/** Signed distances from ITK's exact filter, for the two sets of pixels of ITK's signed filter. */
template <typename TOutput, typename TInput>
typename TOutput::Pointer
ComputeSignedDistances(const TInput * image, bool isSquared, bool insideIsPositive)
{
  using Pixel = typename TInput::PixelType;
  const auto inverse = TInput::New();
  inverse->CopyInformation(image);
  inverse->SetRegions(image->GetBufferedRegion());
  inverse->Allocate();
  const auto region = image->GetBufferedRegion();
  for (itk::ImageRegionIterator<TInput> it(inverse, region); !it.IsAtEnd(); ++it)
  {
    it.Set(image->GetPixel(it.GetIndex()) == Pixel{} ? 1 : 0);
  }
  using Kernel = itk::BinaryBallStructuringElement<Pixel, TInput::ImageDimension>;
  Kernel kernel;
  kernel.SetRadius(1);
  kernel.CreateStructuringElement();
  const auto dilate = itk::BinaryDilateImageFilter<TInput, TInput, Kernel>::New();
  dilate->SetInput(inverse);
  dilate->SetKernel(kernel);
  dilate->SetDilateValue(1);
  const auto measure = [&](const TInput * objects) -> typename TOutput::Pointer {
    const auto filter = itk::SignedMaurerDistanceMapImageFilter<TInput, TOutput>::New();
    filter->SetInput(objects);
    filter->SetSquaredDistance(isSquared);
    filter->SetUseImageSpacing(true);
    filter->Update();
    return filter->GetOutput();
  };
  const auto outer = measure(image);
  const auto inner = measure(dilate->GetOutput());
  for (itk::ImageRegionIterator<TOutput> it(outer, region); !it.IsAtEnd(); ++it)
  {
    const auto zero = typename TOutput::PixelType{};
    const auto toObjects = image->GetPixel(it.GetIndex()) != 0 ? zero : it.Get();
    const auto toBackground = dilate->GetOutput()->GetPixel(it.GetIndex()) != 0 ? zero : inner->GetPixel(it.GetIndex());
    it.Set(insideIsPositive ? toBackground - toObjects : toObjects - toBackground);
  }
  return outer;
}

template <typename TInput>
void
CompareSigned(const TInput * image, itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  using Output = itk::Image<double, TInput::ImageDimension>;
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  for (const bool isPositive : { false, true })
  {
    SCOPED_TRACE(isPositive ? "inside is positive, squared" : "inside is negative");
    const auto cuda = itk::CudaSignedDanielssonDistanceMapImageFilter<TInput, Output>::New();
    const auto cpu = itk::SignedDanielssonDistanceMapImageFilter<TInput, Output>::New();
    const auto nearest = itk::CudaDanielssonDistanceMapImageFilter<TInput, Output>::New();
    cuda->SetCudaInterface(settings);
    const auto run = [&](auto & filter) {
      filter.SetInput(image);
      filter.SetSquaredDistance(isPositive);
      filter.SetUseImageSpacing(true);
      filter.Update();
    };
    cuda->SetInsideIsPositive(isPositive);
    cpu->SetInsideIsPositive(isPositive);
    run(*cuda);
    run(*cpu);
    run(*nearest);
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
    if (HasDevice() && budget != itk::CudaInterface::NoMemoryBudget)
    {
      EXPECT_GT(cuda->GetNumberOfTiles(), 1u);
    }
    if (!HasDevice())
    {
      ExpectEqualImages<Output>(cpu->GetOutput(), cuda->GetOutput());
      continue;
    }
    const auto expected = ComputeSignedDistances<Output>(image, isPositive, isPositive);
    double     difference = 0.0;
    double     nearerThanExact = 0.0; // ITK's distances must not be
    double     differentInItk = 0.0;  // pixels
    for (itk::ImageRegionConstIteratorWithIndex<Output> it(expected, expected->GetBufferedRegion()); !it.IsAtEnd();
         ++it)
    {
      difference = std::max(difference, std::abs(it.Get() - cuda->GetOutput()->GetPixel(it.GetIndex())));
      const double ofItk = std::abs(cpu->GetOutput()->GetPixel(it.GetIndex()));
      nearerThanExact = std::max(nearerThanExact, std::abs(it.Get()) - ofItk);
      differentInItk += ofItk > std::abs(it.Get()) + 1e-9 ? 1.0 : 0.0;
    }
    EXPECT_LE(difference, 1e-9);
    // So that the expectation is what ITK's filter approximates.
    EXPECT_LE(nearerThanExact, 1e-9);
    EXPECT_LE(differentInItk, 0.03 * expected->GetBufferedRegion().GetNumberOfPixels());
    ExpectEqualImages<TInput>(nearest->GetVoronoiMap(), cuda->GetVoronoiMap());
    using Vectors = typename std::decay_t<decltype(*cuda)>::VectorImageType;
    const typename Vectors::Pointer vectors = cuda->GetVectorDistanceMap();
    for (itk::ImageRegionConstIteratorWithIndex<Vectors> it(vectors, vectors->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      ASSERT_EQ(it.Get(), nearest->GetVectorDistanceMap()->GetPixel(it.GetIndex()));
    }
  }
}
} // namespace

TEST(CudaSignedDanielsson, IsExact)
{
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    CompareSigned(draw({ { 47, 39 } }).GetPointer());
  }
  CompareSigned(DrawBlobs<3>({ { 19, 18, 17 } }).GetPointer());
  // Objects with holes of all kinds.
  const auto inverse = [](auto image) {
    using Input = typename decltype(image)::ObjectType;
    for (itk::ImageRegionIterator<Input> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      it.Set(it.Get() == 0 ? 7 : 0);
    }
    return image;
  };
  CompareSigned(inverse(DrawPoints<2>({ { 41, 67 } }, 100)).GetPointer());
  CompareSigned(inverse(DrawPoints<3>({ { 21, 11, 34 } }, 300)).GetPointer());
  const auto   spaced = inverse(DrawPoints<3>({ { 21, 11, 34 } }, 300));
  const double spacing[] = { 1.0, 2.0, 0.5 };
  spaced->SetSpacing(spacing);
  CompareSigned(spaced.GetPointer());
}

TEST(CudaSignedDanielsson, IsExactInTiles)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "tiles are for devices";
  }
  CompareSigned(DrawBlobs<2>({ { 51, 83 } }).GetPointer(), 45000);
  CompareSigned(DrawBlobs<3>({ { 15, 12, 43 } }).GetPointer(), 150000);
}

TEST(CudaSignedDanielsson, PassesImagesWithoutObjectsOrBackgroundToItk)
{
  for (const unsigned char value : { 0, 1 })
  {
    const auto image = MakeConstantImage<Mask<2>>({ { 20, 13 } }, value);
    using Output = itk::Image<float, 2>;
    const auto cpu = itk::SignedDanielssonDistanceMapImageFilter<Mask<2>, Output>::New();
    const auto cuda = itk::CudaSignedDanielssonDistanceMapImageFilter<Mask<2>, Output>::New();
    cpu->SetInput(image);
    cuda->SetInput(image);
    cpu->Update();
    cuda->Update();
    EXPECT_FALSE(cuda->GetExecutedOnDevice());
    if (HasDevice())
    {
      const std::string missing = value == 0 ? "no object" : "no background";
      EXPECT_NE(cuda->GetExecutedOn().find(missing), std::string::npos) << cuda->GetExecutedOn();
    }
    ExpectEqualImages<Output>(cpu->GetOutput(), cuda->GetOutput());
  }
}
