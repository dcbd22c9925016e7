// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaScalarConnectedComponentImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TLabel = unsigned int>
struct Filters
{
  using Output = itk::Image<TLabel, TInput::ImageDimension>;
  using Cpu = itk::ScalarConnectedComponentImageFilter<TInput, Output>;
  using Cuda = itk::CudaScalarConnectedComponentImageFilter<TInput, Output>;
};

template <typename TImage>
std::size_t
CountLabels(const TImage * image)
{
  std::set<typename TImage::PixelType> labels;
  for (itk::ImageRegionConstIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    labels.insert(it.Get());
  }
  labels.erase(0);
  return labels.size();
}

/** Compares with ITK's filter, for both connectivities. Returns the number of objects with full connectivity. */
template <typename TLabel = unsigned int, typename TInput>
itk::IdentifierType
CompareWithItk(const TInput *                image,
               typename TInput::PixelType    threshold = 0,
               typename TInput::ConstPointer mask = nullptr)
{
  using Types = Filters<TInput, TLabel>;
  itk::IdentifierType objects = 0;
  for (const bool isFull : { false, true })
  {
    SCOPED_TRACE(isFull ? "diagonal neighbours are connected" : "diagonal neighbours are not connected");
    const auto cpu = Types::Cpu::New();
    const auto cuda = Types::Cuda::New();
    const auto run = [&](auto & filter) {
      filter.SetInput(image);
      if (mask != nullptr)
      {
        filter.SetMaskImage(mask);
      }
      filter.SetDistanceThreshold(threshold);
      filter.SetFullyConnected(isFull);
      filter.Update();
    };
    run(*cpu);
    run(*cuda);
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
    EXPECT_EQ(CountLabels<typename Types::Output>(cpu->GetOutput()), cuda->GetObjectCount());
    ExpectEqualImages<typename Types::Output>(cpu->GetOutput(), cuda->GetOutput());
    ExpectSameGeometry<typename Types::Output>(cpu->GetOutput(), cuda->GetOutput());
    objects = cuda->GetObjectCount();
  }
  return objects;
}

/** Draws an image by a function of the index. */
template <typename TImage>
typename TImage::Pointer
Draw(const typename TImage::SizeType &                                       size,
     const std::function<double(const typename TImage::IndexType & index)> & getPixel)
{
  const auto image = MakeConstantImage<TImage>(size, 0);
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<typename TImage::PixelType>(getPixel(it.GetIndex())));
  }
  return image;
}

/** Each pixel has one of some values. */
template <typename TImage>
typename TImage::Pointer
DrawClasses(const typename TImage::SizeType & size, unsigned int classes, unsigned int seed = 1)
{
  std::mt19937 random(seed);
  return Draw<TImage>(size, [&](const typename TImage::IndexType &) { return random() % classes; });
}

using Plane = itk::Image<unsigned char, 2>;
using Volume = itk::Image<unsigned char, 3>;
} // namespace

TEST(CudaScalarConnectedComponent, EqualsItkForRandomClasses)
{
  for (const unsigned int classes : { 2u, 3u, 5u, 9u })
  {
    SCOPED_TRACE(classes);
    CompareWithItk(DrawClasses<Plane>({ { 161, 139 } }, classes, classes).GetPointer());
    CompareWithItk(DrawClasses<Volume>({ { 71, 37, 19 } }, classes, classes).GetPointer());
  }
}

TEST(CudaScalarConnectedComponent, EqualsItkForSizesAroundWordsAndTiles)
{
  for (const unsigned int width : { 1u, 2u, 31u, 32u, 33u, 64u, 65u, 129u })
  {
    for (const unsigned int height : { 1u, 2u, 17u, 65u })
    {
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
      CompareWithItk(DrawClasses<Plane>({ { width, height } }, 2, width + height).GetPointer());
      for (const unsigned int depth : { 1u, 2u, 9u })
      {
        CompareWithItk(DrawClasses<Volume>({ { width, height, depth } }, 3, width + height).GetPointer());
      }
    }
  }
  CompareWithItk(DrawClasses<Plane>({ { 20011, 3 } }, 2).GetPointer());
  CompareWithItk(DrawClasses<Plane>({ { 3, 2003 } }, 2).GetPointer());
}

TEST(CudaScalarConnectedComponent, EqualsItkOnPatterns)
{
  using Index = Volume::IndexType;
  const Volume::SizeType                                    size{ { 67, 35, 19 } };
  const std::vector<std::function<double(const Index & i)>> patterns{
    [](const Index &) { return 7; },
    [](const Index & i) { return (i[0] + i[1] + i[2]) % 2; },
    [](const Index & i) { return i[0] % 2; },
    [](const Index & i) { return i[1] % 3; },
    [](const Index & i) { return i[2]; },
    [](const Index & i) { return i[0] + i[1]; },
    [](const Index & i) { return (i[0] / 7 + i[1] / 5 + i[2] / 3) % 4; },
    [](const Index & i) {
      return std::min({ i[0], i[1], i[2], 66 - i[0], 34 - i[1], 18 - i[2] });
    },
  };
  for (std::size_t i = 0; i < patterns.size(); ++i)
  {
    SCOPED_TRACE(i);
    const itk::IdentifierType objects = CompareWithItk(Draw<Volume>(size, patterns[i]).GetPointer());
    EXPECT_EQ(i == 0, objects == 1);
  }
  // Closed rings, each with a gap.
  CompareWithItk(Draw<Plane>({ { 165, 151 } }, [](const Plane::IndexType & i) {
                   const long ring = std::min({ i[0], i[1], 164 - i[0], 150 - i[1] });
                   const bool isGap = i[0] == ring && i[1] == ring + 1;
                   return (ring % 2 == 0) != isGap ? 3 : 200;
                 }).GetPointer());
}

TEST(CudaScalarConnectedComponent, EqualsItkOnRealImages)
{
  const auto brain = ReadBrain<Plane>();
  CompareWithItk(brain.GetPointer());
  CompareWithItk(brain.GetPointer(), 2);
  CompareWithItk(ReadBrain<Volume>().GetPointer(), 1);
}

TEST(CudaScalarConnectedComponent, EqualsItkForAllPixelTypes)
{
  const auto compare = [](auto pixel) {
    using Image = itk::Image<decltype(pixel), 2>;
    const auto image = DrawClasses<Image>({ { 67, 75 } }, 4);
    CompareWithItk<unsigned short>(image.GetPointer());
    CompareWithItk<unsigned short>(image.GetPointer(), 1);
    // Values that differ in their highest byte only, or by their sign.
    const auto huge = DrawClasses<Image>({ { 67, 45 } }, 2);
    for (itk::ImageRegionIterator<Image> it(huge, huge->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      it.Set(static_cast<decltype(pixel)>(it.Get() * (std::numeric_limits<decltype(pixel)>::max() / 2)));
    }
    CompareWithItk<unsigned short>(huge.GetPointer());
    CompareWithItk<unsigned short>(huge.GetPointer(), std::numeric_limits<decltype(pixel)>::max() / 2);
    if (std::is_signed<decltype(pixel)>::value)
    {
      const auto negative = DrawClasses<Image>({ { 67, 45 } }, 3);
      for (itk::ImageRegionIterator<Image> it(negative, negative->GetBufferedRegion()); !it.IsAtEnd(); ++it)
      {
        it.Set(static_cast<decltype(pixel)>(it.Get() - 1));
      }
      CompareWithItk<unsigned short>(negative.GetPointer());
      CompareWithItk<unsigned short>(negative.GetPointer(), 1);
      CompareWithItk<unsigned short>(negative.GetPointer(), static_cast<decltype(pixel)>(-1));
    }
  };
  compare(static_cast<signed char>(0));
  compare(static_cast<unsigned char>(0));
  compare(short{});
  compare(static_cast<unsigned short>(0));
  compare(int{});
  compare(0u);
  compare(0l);
  compare(0ull);
  compare(0.0f);
  compare(0.0);
}

TEST(CudaScalarConnectedComponent, EqualsItkForAllOutputTypes)
{
  const auto image = Draw<Plane>({ { 61, 17 } }, [](const Plane::IndexType & i) { return i[0] / 9 % 3 + i[1] / 5; });
  CompareWithItk<unsigned char>(image.GetPointer());
  CompareWithItk<signed char>(image.GetPointer());
  CompareWithItk<short>(image.GetPointer());
  CompareWithItk<int>(image.GetPointer());
  CompareWithItk<unsigned long>(image.GetPointer());
  CompareWithItk<long>(image.GetPointer());
}

TEST(CudaScalarConnectedComponent, EqualsItkForThresholds)
{
  using Real = itk::Image<float, 2>;
  for (const int threshold : { 1, 5, 40, 255 })
  {
    SCOPED_TRACE(threshold);
    CompareWithItk(MakeRandomImage<Plane>({ { 131, 77 } }).GetPointer(), static_cast<unsigned char>(threshold));
    CompareWithItk(MakeRandomImage<Volume>({ { 41, 27, 11 } }).GetPointer(), static_cast<unsigned char>(threshold));
    CompareWithItk(MakeRandomImage<Real>({ { 131, 77 } }).GetPointer(), 0.25f * static_cast<float>(threshold));
  }
  CompareWithItk(MakeRandomImage<Real>({ { 31, 27 } }).GetPointer(), -1.0f);
}

/** Long integers are compared as real numbers. */
TEST(CudaScalarConnectedComponent, EqualsItkForIntegersThatDoubleCannotTellApart)
{
  using Image = itk::Image<unsigned long, 2>;
  const auto image = DrawClasses<Image>({ { 67, 45 } }, 4);
  for (itk::ImageRegionIterator<Image> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set((1ul << 60) + it.Get() * 100);
  }
  CompareWithItk(image.GetPointer());
  CompareWithItk(image.GetPointer(), 200);
}

TEST(CudaScalarConnectedComponent, EqualsItkForInfinityAndRefusesNaN)
{
  using Real = itk::Image<float, 2>;
  const auto  image = DrawClasses<Real>({ { 67, 71 } }, 5);
  const float infinity = std::numeric_limits<float>::infinity();
  const float values[] = { 0.0f, -0.0f, infinity, -infinity, std::numeric_limits<float>::denorm_min() };
  for (itk::ImageRegionIterator<Real> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(values[static_cast<int>(it.Get())]);
  }
  CompareWithItk(image.GetPointer());
  CompareWithItk(image.GetPointer(), 1.0f);

  const auto update = [](const Real * input, const Real * mask) {
    const auto filter = Filters<Real>::Cuda::New();
    filter->SetInput(input);
    filter->SetMaskImage(mask);
    filter->Update();
  };
  const auto strange = DrawClasses<Real>({ { 67, 71 } }, 5);
  strange->SetPixel({ { 66, 70 } }, std::numeric_limits<float>::quiet_NaN());
  EXPECT_NE(GetExceptionOf([&] {
              update(strange, MakeConstantImage<Real>({ { 67, 71 } }, 1.0f));
            }).find("NaN"),
            std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { update(image, strange); }).find("NaN"), std::string::npos);
  // Outside the mask, too.
  EXPECT_NE(GetExceptionOf([&] {
              update(strange, MakeConstantImage<Real>({ { 67, 71 } }, 0.0f));
            }).find("NaN"),
            std::string::npos);
}

TEST(CudaScalarConnectedComponent, ConsidersTheMaskOnly)
{
  CompareWithItk(DrawClasses<Plane>({ { 161, 143 } }, 2).GetPointer(), 0, DrawClasses<Plane>({ { 161, 143 } }, 3, 2));
  CompareWithItk(DrawClasses<Plane>({ { 61, 43 } }, 4).GetPointer(), 1, DrawClasses<Plane>({ { 61, 43 } }, 3, 2));
  CompareWithItk(
    DrawClasses<Volume>({ { 61, 43, 13 } }, 2).GetPointer(), 0, DrawClasses<Volume>({ { 61, 43, 13 } }, 3, 2));
  CompareWithItk(
    MakeConstantImage<Plane>({ { 61, 43 } }, 4).GetPointer(), 0, MakeConstantImage<Plane>({ { 61, 43 } }, 0));
}

TEST(CudaScalarConnectedComponent, MayStartAtAnyIndex)
{
  const auto image = DrawClasses<Plane>({ { 45, 33 } }, 2);
  image->SetRegions(Plane::RegionType({ { -7, 12 } }, image->GetBufferedRegion().GetSize()));
  CompareWithItk(image.GetPointer());
}

TEST(CudaScalarConnectedComponent, TellsThatTheOutputTypeIsTooSmall)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "ITK's filter prints a warning";
  }
  const auto filter = Filters<Plane, unsigned char>::Cuda::New();
  filter->SetInput(Draw<Plane>({ { 64, 32 } }, [](const Plane::IndexType & i) { return (i[0] + i[1]) % 2; }));
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("2048"), std::string::npos);
}

TEST(CudaScalarConnectedComponent, HasNoObjectsInAnEmptyImage)
{
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(MakeConstantImage<Plane>({ { 0, 5 } }, 1));
  filter->Update();
  EXPECT_EQ(filter->GetObjectCount(), 0u);
}

TEST(CudaScalarConnectedComponent, RunsAgainAfterAChangeOfTheThreshold)
{
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(DrawClasses<Plane>({ { 45, 33 } }, 4));
  filter->Update();
  EXPECT_GT(filter->GetObjectCount(), 100u);
  filter->SetDistanceThreshold(3);
  filter->Update();
  EXPECT_EQ(filter->GetObjectCount(), 1u);
}

TEST(CudaScalarConnectedComponent, ComputesOnTheCpuIfMemoryDoesNotSuffice)
{
  const auto image = DrawClasses<Plane>({ { 145, 133 } }, 2);
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(image);
  filter->SetCudaInterface(itk::CudaInterface::New());
  filter->GetCudaInterface()->SetMemoryBudget(20000);
  const Quiet quiet;
  filter->Update();
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  const auto cpu = Filters<Plane>::Cpu::New();
  cpu->SetInput(image);
  cpu->Update();
  ExpectEqualImages<Filters<Plane>::Output>(cpu->GetOutput(), filter->GetOutput());
  EXPECT_EQ(CountLabels<Filters<Plane>::Output>(cpu->GetOutput()), filter->GetObjectCount());
}

TEST(CudaScalarConnectedComponent, IsTheSameInEachRun)
{
  const auto filter = Filters<Plane>::Cuda::New();
  filter->SetInput(DrawClasses<Plane>({ { 161, 99 } }, 2));
  filter->Update();
  const Filters<Plane>::Output::Pointer first = filter->GetOutput();
  first->DisconnectPipeline();
  for (int i = 0; i < 100; ++i)
  {
    filter->Modified();
    filter->Update();
    ExpectEqualImages<Filters<Plane>::Output>(first, filter->GetOutput());
  }
}
