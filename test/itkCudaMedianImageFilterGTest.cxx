// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaMedianImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput = TInput>
void
ExpectSameAsItk(const TInput * image, const typename TInput::SizeType & radius, itk::SizeValueType budget = 0)
{
  const auto cpu = itk::MedianImageFilter<TInput, TOutput>::New();
  cpu->SetInput(image);
  cpu->SetRadius(radius);
  cpu->Update();
  const auto cuda = itk::CudaMedianImageFilter<TInput, TOutput>::New();
  if (budget != 0)
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    cuda->SetCudaInterface(interface);
  }
  cuda->SetInput(image);
  cuda->SetRadius(radius);
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  EXPECT_EQ(cuda->GetNumberOfTiles() > 1, HasDevice() && budget != 0);
  ExpectEqualImages<TOutput>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TImage>
class CudaMedian : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaMedian, KernelImageTypes);
} // namespace

TYPED_TEST(CudaMedian, EqualsItkForAllSizes)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    for (const itk::SizeValueType length : { 1u, 2u })
    {
      typename TypeParam::SizeType radius;
      radius.Fill(length);
      ExpectSameAsItk<TypeParam>(image, radius);
      radius[0] = 3 - length;
      ExpectSameAsItk<TypeParam>(image, radius);
      radius.Fill(0);
      radius[0] = length;
      radius[1] = length;
      ExpectSameAsItk<TypeParam>(image, radius); // also in 3-D, where slices are separate
    }
    typename TypeParam::SizeType radius;
    radius.Fill(0);
    radius[1] = 3;
    ExpectSameAsItk<TypeParam>(image, radius);
  }
}

TYPED_TEST(CudaMedian, EqualsItkInTilesAndOtherTypes)
{
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 90 : 17);
  const auto image = MakeRandomImage<TypeParam>(size, 5);
  for (const itk::SizeValueType length : { 1u, 2u })
  {
    typename TypeParam::SizeType radius;
    radius.Fill(length);
    ExpectSameAsItk<TypeParam>(
      image, radius, image->GetBufferedRegion().GetNumberOfPixels() * sizeof(typename TypeParam::PixelType));
    ExpectSameAsItk<TypeParam, itk::Image<double, TypeParam::ImageDimension>>(image, radius);
  }
}

TEST(CudaMedianOfABrain, EqualsItks)
{
  using Plane = itk::Image<unsigned char, 2>;
  ExpectSameAsItk<Plane>(ReadBrain<Plane>(), { { 1, 1 } });
}
