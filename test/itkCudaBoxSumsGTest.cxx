// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaBoxSigmaImageFilter.h"
#include "itkCudaMeanImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageBufferRange.h"
#include "itkImageRegionConstIterator.h"
#include <cmath>
#include <type_traits>

namespace
{
using namespace itk::CudaTest;

/** Compares a filter with its parent. bound: of the difference. */
template <template <typename, typename> class TCuda,
          template <typename, typename>
          class TParent,
          typename TInput,
          typename TOutput>
void
ExpectSameAsItk(const TInput *                    image,
                const typename TInput::SizeType & radius,
                double                            bound,
                itk::SizeValueType                budget = 0)
{
  const auto cpu = TParent<TInput, TOutput>::New();
  cpu->SetInput(image);
  cpu->SetRadius(radius);
  cpu->Update();
  const auto cuda = TCuda<TInput, TOutput>::New();
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
  itk::ImageRegionConstIterator<TOutput> expected(cpu->GetOutput(), image->GetBufferedRegion());
  itk::ImageRegionConstIterator<TOutput> actual(cuda->GetOutput(), image->GetBufferedRegion());
  for (; !expected.IsAtEnd(); ++expected, ++actual)
  {
    if (std::isnan(static_cast<double>(expected.Get())))
    {
      ASSERT_TRUE(std::isnan(static_cast<double>(actual.Get())));
    }
    else
    {
      ASSERT_NEAR(static_cast<double>(expected.Get()), static_cast<double>(actual.Get()), bound) << expected.GetIndex();
    }
  }
}

template <typename TImage>
class CudaBoxSums : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaBoxSums, KernelImageTypes);
} // namespace

TYPED_TEST(CudaBoxSums, EqualItks)
{
  using Pixel = typename TypeParam::PixelType;
  using Doubles = itk::Image<double, TypeParam::ImageDimension>;
  // Sums of integers are exact. Real numbers are added in another order; and ITK's filter of deviations takes the
  // difference of sums over much of the image, in double.
  const double rounding = std::is_integral<Pixel>::value ? 0.0 : 1e-9;
  const double roundingOfRoots = std::is_integral<Pixel>::value ? 0.0 : 1e-7;

  const auto makeImage = [](const typename TypeParam::SizeType & imageSize, unsigned int seed, long firstIndex) {
    const auto image = MakeRandomImage<TypeParam>(imageSize, seed, firstIndex);
    for (auto && pixel : itk::ImageBufferRange<TypeParam>(*image))
    {
      // The square of a large unsigned short overflows in ITK's filter of deviations.
      pixel = std::is_same<Pixel, unsigned short>::value ? static_cast<Pixel>(pixel / 2) : pixel;
    }
    return image;
  };
  const auto compare = [&](const TypeParam * image, const typename TypeParam::SizeType & radius, auto... budget) {
    ExpectSameAsItk<itk::CudaMeanImageFilter, itk::MeanImageFilter, TypeParam, Doubles>(
      image, radius, rounding, budget...);
    bool isSingle = true; // one pixel has no deviation: 0 / 0, or nearly
    for (unsigned int axis = 0; axis < TypeParam::ImageDimension; ++axis)
    {
      isSingle = isSingle && (radius[axis] == 0 || image->GetBufferedRegion().GetSize(axis) == 1);
    }
    if (!isSingle)
    {
      ExpectSameAsItk<itk::CudaBoxSigmaImageFilter, itk::BoxSigmaImageFilter, TypeParam, Doubles>(
        image, radius, roundingOfRoots, budget...);
    }
  };
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto                   image = makeImage(size, 3, -4);
    typename TypeParam::SizeType radius;
    radius.Fill(1);
    compare(image, radius);
    radius[0] = 5;
    compare(image, radius);
    radius.Fill(0);
    compare(image, radius);
    radius[TypeParam::ImageDimension - 1] = 7; // more than some images
    compare(image, radius);
  }
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 90 : 18);
  const auto                   image = makeImage(size, 5, 0);
  typename TypeParam::SizeType radius;
  radius.Fill(2);
  compare(image, radius, image->GetBufferedRegion().GetNumberOfPixels() * sizeof(Pixel));
  ExpectSameAsItk<itk::CudaMeanImageFilter, itk::MeanImageFilter, TypeParam, TypeParam>(
    image, radius, std::is_integral<Pixel>::value ? 0.0 : 1e-4);
  radius.Fill(TypeParam::ImageDimension == 2 ? 95 : 16); // sums that int does not hold
  for (unsigned int axis = 0; axis < TypeParam::ImageDimension; ++axis)
  {
    auto narrow = size;
    narrow.Fill(6);
    narrow[axis] = size[axis];
    compare(makeImage(narrow, 5, 0), radius);
  }
}
