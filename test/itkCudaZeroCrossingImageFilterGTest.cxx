// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaZeroCrossingImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput = TInput, typename TConfigure>
void
ExpectSameAsItk(const TInput * image, TConfigure configure)
{
  const auto cpu = itk::ZeroCrossingImageFilter<TInput, TOutput>::New();
  cpu->SetInput(image);
  configure(*cpu);
  cpu->Update();

  const auto cuda = itk::CudaZeroCrossingImageFilter<TInput, TOutput>::New();
  cuda->SetInput(image);
  configure(*cuda);
  cuda->Update();

  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectEqualImages<TOutput>(cpu->GetOutput(), cuda->GetOutput());
  ExpectSameGeometry<TOutput>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TInput, typename TOutput = TInput>
void
ExpectSameAsItk(const TInput * image)
{
  ExpectSameAsItk<TInput, TOutput>(image, [](auto &) {});
}

template <typename TImage>
class CudaZeroCrossing : public ::testing::Test
{};

TYPED_TEST_SUITE(CudaZeroCrossing, KernelImageTypes);
} // namespace

TYPED_TEST(CudaZeroCrossing, EqualsItkForAllSizes)
{
  using Marks = itk::Image<unsigned char, TypeParam::ImageDimension>;
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    ExpectSameAsItk<TypeParam>(image);
    ExpectSameAsItk<TypeParam, Marks>(image, [](auto & filter) {
      filter.SetForegroundValue(200);
      filter.SetBackgroundValue(7);
    });
  }
}

TYPED_TEST(CudaZeroCrossing, EqualsItkInWideRows)
{
  typename TypeParam::SizeType size;
  size.Fill(35);
  size[0] = TypeParam::ImageDimension == 2 ? 264 : 140;
  size[1] = TypeParam::ImageDimension == 2 ? 45 : 7;
  ExpectSameAsItk<TypeParam>(MakeRandomImage<TypeParam>(size, 5));
}

TYPED_TEST(CudaZeroCrossing, EqualsItkWhereManyPixelsAreZeroOrEquallyFarFromIt)
{
  const auto image = MakeRandomImage<TypeParam>(GetSizes<TypeParam>().back(), 9);
  for (itk::ImageRegionIterator<TypeParam> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const int value = static_cast<int>(it.Get()) % 3; // -2 to 2
    it.Set(static_cast<typename TypeParam::PixelType>(value));
  }
  ExpectSameAsItk<TypeParam>(image);
}

TEST(CudaZeroCrossings, EqualItkForInfinitiesNaNsAndTheLowestInteger)
{
  using Plane = itk::Image<float, 2>;
  using Volume = itk::Image<double, 3>;
  ExpectSameAsItk<Plane>(MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } }), true));
  ExpectSameAsItk<Volume>(MakeStrange<Volume>(MakeRandomImage<Volume>({ { 33, 19, 11 } })));

  using Shorts = itk::Image<short, 2>;
  const auto  image = MakeRandomImage<Shorts>({ { 40, 40 } });
  const short values[] = { -32768, 32767, 0, -32767 };
  for (itk::ImageRegionIterator<Shorts> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(values[it.Get() & 3]);
  }
  ExpectSameAsItk<Shorts>(image);
}

TEST(CudaZeroCrossings, ComeInRegionsAndTiles)
{
  using Volume = itk::Image<float, 3>;
  const auto image = MakeRandomImage<Volume>({ { 40, 30, 20 } });
  ExpectSameAsItk<Volume>(image, [](auto & filter) {
    filter.UpdateOutputInformation();
    filter.GetOutput()->SetRequestedRegion(Volume::RegionType({ { 7, 0, 5 } }, { { 20, 30, 11 } }));
  });

  const auto cpu = itk::ZeroCrossingImageFilter<Volume, Volume>::New();
  cpu->SetInput(image);
  cpu->Update();
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(40000);
  const auto tiled = itk::CudaZeroCrossingImageFilter<Volume, Volume>::New();
  tiled->SetCudaInterface(interface);
  tiled->SetInput(image);
  tiled->Update();
  EXPECT_EQ(tiled->GetNumberOfTiles() > 8, HasDevice()) << tiled->GetExecutedOn();
  ExpectEqualImages<Volume>(cpu->GetOutput(), tiled->GetOutput());
}
