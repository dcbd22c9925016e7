// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaRelabelComponentImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput = TInput>
struct Filters
{
  using Cpu = itk::RelabelComponentImageFilter<TInput, TOutput>;
  using Cuda = itk::CudaRelabelComponentImageFilter<TInput, TOutput>;
};

/** Runs of pixels with random labels, some of which are rare, and some occur as often as others. */
template <typename TImage>
typename TImage::Pointer
DrawRuns(const typename TImage::SizeType & size, unsigned int labels, long factor = 1)
{
  const auto   image = MakeConstantImage<TImage>(size, 0);
  std::mt19937 random(5);
  unsigned int left = 0;
  long         label = 0;
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (left == 0)
    {
      left = 1 + random() % 9;
      label = static_cast<long>(random() % labels * (random() % 3)) / 2;
    }
    it.Set(static_cast<typename TImage::PixelType>(label * factor));
    --left;
  }
  return image;
}

template <typename TInput, typename TOutput = TInput>
void
CompareWithItk(const TInput * image, itk::SizeValueType minimum = 0, bool isSorted = true)
{
  const auto run = [&](auto & filter) {
    filter.SetInput(image);
    filter.SetMinimumObjectSize(minimum);
    filter.SetSortByObjectSize(isSorted);
    filter.Update();
  };
  const auto cpu = Filters<TInput, TOutput>::Cpu::New();
  const auto cuda = Filters<TInput, TOutput>::Cuda::New();
  run(*cpu);
  run(*cuda);
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectEqualImages<TOutput>(cpu->GetOutput(), cuda->GetOutput());
  EXPECT_EQ(cpu->GetNumberOfObjects(), cuda->GetNumberOfObjects());
  EXPECT_EQ(cpu->GetOriginalNumberOfObjects(), cuda->GetOriginalNumberOfObjects());
  EXPECT_EQ(cpu->GetSizeOfObjectsInPixels(), cuda->GetSizeOfObjectsInPixels());
  EXPECT_EQ(cpu->GetSizeOfObjectsInPhysicalUnits(), cuda->GetSizeOfObjectsInPhysicalUnits());
  for (const int object : { 0, 1, 2, 100 })
  {
    const auto label = static_cast<typename TInput::PixelType>(object);
    EXPECT_EQ(cpu->GetSizeOfObjectInPixels(label), cuda->GetSizeOfObjectInPixels(label));
    EXPECT_EQ(cpu->GetSizeOfObjectInPhysicalUnits(label), cuda->GetSizeOfObjectInPhysicalUnits(label));
  }
}
} // namespace

TEST(CudaRelabelComponent, EqualsItk)
{
  using Labels = itk::Image<unsigned int, 2>;
  const auto   image = DrawRuns<Labels>({ { 259, 131 } }, 200);
  const double spacing[] = { 0.7, 1.3 };
  image->SetSpacing(spacing);
  for (const itk::SizeValueType minimum : { 0, 1, 40, 100000 })
  {
    CompareWithItk(image.GetPointer(), minimum);
    CompareWithItk(image.GetPointer(), minimum, false);
  }
  using Volume = itk::Image<unsigned short, 3>;
  CompareWithItk(DrawRuns<Volume>({ { 35, 27, 9 } }, 60).GetPointer(), 30);
}

TEST(CudaRelabelComponent, OrdersObjectsOfAllSizes)
{
  std::mt19937_64                                 random(5);
  std::vector<itk::CudaFilters::RelabelledObject> objects;
  for (std::uint64_t i = 0; i < 5000; ++i)
  {
    objects.push_back({ i, random() >> (random() % 64), 0 });
    objects.push_back({ i, random() % 5, 0 });
  }
  std::vector<std::size_t> expected(objects.size());
  std::iota(expected.begin(), expected.end(), std::size_t{ 0 });
  std::stable_sort(
    expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) { return objects[a].Size > objects[b].Size; });
  EXPECT_EQ(expected, itk::CudaFilters::GetOrderBySize(objects));
  EXPECT_TRUE(itk::CudaFilters::GetOrderBySize({}).empty());
}

TEST(CudaRelabelComponent, AllPixelTypes)
{
  const auto compare = [](auto pixel, auto output) {
    using Input = itk::Image<decltype(pixel), 2>;
    using Output = itk::Image<decltype(output), 2>;
    const auto image = DrawRuns<Input>({ { 71, 45 } }, 30);
    if (std::is_signed<decltype(pixel)>::value)
    {
      image->SetPixel({ { 5, 2 } }, static_cast<decltype(pixel)>(-3)); // a label like others
    }
    CompareWithItk<Input, Output>(image.GetPointer());
    CompareWithItk<Input, Output>(image.GetPointer(), 0, false);
  };
  compare(static_cast<unsigned char>(0), static_cast<unsigned char>(0));
  compare(static_cast<unsigned short>(0), static_cast<unsigned char>(0));
  compare(static_cast<short>(0), static_cast<short>(0));
  compare(static_cast<unsigned int>(0), static_cast<unsigned short>(0));
  compare(static_cast<itk::SizeValueType>(0), static_cast<unsigned int>(0));
}

TEST(CudaRelabelComponent, LabelsWithLargeGaps)
{
  CompareWithItk(DrawRuns<itk::Image<unsigned int, 2>>({ { 71, 45 } }, 30, 61445427).GetPointer());
}

TEST(CudaRelabelComponent, DegenerateImages)
{
  using Labels = itk::Image<unsigned char, 2>;
  for (const auto & size : std::vector<itk::Size<2>>{ { { 1, 1 } }, { { 1, 40 } }, { { 300, 1 } }, { { 33, 70 } } })
  {
    CompareWithItk(MakeConstantImage<Labels>(size, 0).GetPointer());
    CompareWithItk(MakeConstantImage<Labels>(size, 255).GetPointer());
  }
}

TEST(CudaRelabelComponent, RefusesMoreObjectsThanTheOutputHas)
{
  using Input = itk::Image<unsigned short, 2>;
  using Output = itk::Image<unsigned char, 2>;
  const auto       image = MakeConstantImage<Input>({ { 20, 20 } }, 0);
  Input::PixelType next = 0;
  for (itk::ImageRegionIterator<Input> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(next++);
  }
  const auto filter = Filters<Input, Output>::Cuda::New();
  filter->SetInput(image);
  const std::string text = GetExceptionOf([&] { filter->Update(); });
  EXPECT_NE(text.find("Too many objects"), std::string::npos) << text;
  filter->SetMinimumObjectSize(2);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfObjects(), 0u);
  EXPECT_EQ(filter->GetOriginalNumberOfObjects(), 399u);
  // The sizes are those of the last run that succeeded.
  filter->SetMinimumObjectSize(0);
  GetExceptionOf([&] { filter->Update(); });
  if (HasDevice())
  {
    EXPECT_EQ(filter->GetNumberOfObjects(), 0u);
  }
}

// The input is there for a second update.
TEST(CudaRelabelComponent, DoesNotRunInPlace)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto filter = Filters<Labels>::Cuda::New();
  filter->SetInput(DrawRuns<Labels>({ { 71, 45 } }, 30));
  filter->InPlaceOn();
  filter->Update();
  const auto objects = filter->GetNumberOfObjects();
  filter->SetMinimumObjectSize(1);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfObjects(), objects);
}

TEST(CudaRelabelComponent, EqualsItkInTiles)
{
  using Labels = itk::Image<unsigned short, 3>;
  const auto image = DrawRuns<Labels>({ { 131, 47, 21 } }, 100);
  const auto cpu = Filters<Labels>::Cpu::New();
  const auto cuda = Filters<Labels>::Cuda::New();
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget((std::size_t{ 1 } << 20) + 100000);
  cuda->SetCudaInterface(settings);
  cpu->SetInput(image);
  cpu->Update();
  cuda->SetInput(image);
  cuda->Update();
  ExpectEqualImages<Labels>(cpu->GetOutput(), cuda->GetOutput());
  EXPECT_EQ(cpu->GetSizeOfObjectsInPixels(), cuda->GetSizeOfObjectsInPixels());
  if (HasDevice())
  {
    EXPECT_GT(cuda->GetNumberOfTiles(), 2u) << cuda->GetExecutedOn();
  }
}

TEST(CudaRelabelComponent, IsSharedByDevices)
{
  using Labels = itk::Image<unsigned short, 3>;
  const auto image = DrawRuns<Labels>({ { 131, 47, 21 } }, 100);
  CompareOnTwoDevices<Filters<Labels>::Cuda>([&](auto & filter) { filter.SetInput(image); },
                                             [](auto & one, auto & two) {
                                               ExpectEqualImages<Labels>(one.GetOutput(), two.GetOutput());
                                               EXPECT_EQ(one.GetSizeOfObjectsInPixels(),
                                                         two.GetSizeOfObjectsInPixels());
                                             });
}

TEST(CudaRelabelComponent, ComputesAllPixelsWhateverIsRequested)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto image = DrawRuns<Labels>({ { 71, 45 } }, 30);
  const auto cpu = Filters<Labels>::Cpu::New();
  const auto cuda = Filters<Labels>::Cuda::New();
  cpu->SetInput(image);
  cpu->Update();
  cuda->SetInput(image);
  cuda->InPlaceOn();
  cuda->GetOutput()->SetRequestedRegion(itk::ImageRegion<2>({ { 3, 4 } }, { { 10, 9 } }));
  cuda->Update();
  ExpectEqualImages<Labels>(cpu->GetOutput(), cuda->GetOutput());
}

TEST(CudaRelabelComponent, PrintsWhatTheDeviceFound)
{
  using Labels = itk::Image<unsigned char, 2>;
  const auto filter = Filters<Labels>::Cuda::New();
  filter->SetInput(MakeConstantImage<Labels>({ { 5, 5 } }, 3));
  filter->Update();
  std::ostringstream text;
  text << *filter;
  EXPECT_EQ(text.str().find("Objects on the device: 1 of 1") != std::string::npos, HasDevice()) << text.str();
}
