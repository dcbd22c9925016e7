// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaSeparableConvolutionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkNeighborhoodOperatorImageFilter.h"

namespace
{
using namespace itk::CudaTest;

using Mask = std::vector<double>;

Mask
MakeRandomMask(std::size_t length, unsigned int seed)
{
#if defined(__x86_64__)
  constexpr double lowest = -0.5;
#else
  // C++ leaves open what becomes of a negative number in an unsigned pixel. On other processors it depends on the
  // optimisation.
  constexpr double lowest = 0.0;
#endif
  std::mt19937                           random(seed);
  std::uniform_real_distribution<double> weights(lowest, 1.0);
  Mask                                   mask(length);
  for (double & weight : mask)
  {
    weight = weights(random) / static_cast<double>(length);
  }
  return mask;
}

template <typename TImage>
void
ExpectSameOnCpuAndDevice(const TImage * image, const std::vector<Mask> & masks)
{
  const auto cpu = itk::SeparableConvolutionImageFilter<TImage>::New();
  const auto cuda = itk::CudaSeparableConvolutionImageFilter<TImage>::New();
  cpu->SetInput(image);
  cuda->SetInput(image);
  for (unsigned int axis = 0; axis < masks.size(); ++axis)
  {
    cpu->SetMask(axis, masks[axis]);
    cuda->SetMask(axis, masks[axis]);
  }
  cpu->Update();
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectSameSmoothing<TImage>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TImage>
class CudaSeparableConvolution : public ::testing::Test
{};

using ImageTypes = ::testing::Types<itk::Image<unsigned char, 2>,
                                    itk::Image<unsigned short, 3>,
                                    itk::Image<short, 2>,
                                    itk::Image<short, 3>,
                                    itk::Image<float, 2>,
                                    itk::Image<float, 3>,
                                    itk::Image<double, 3>>;
TYPED_TEST_SUITE(CudaSeparableConvolution, ImageTypes);
} // namespace

TYPED_TEST(CudaSeparableConvolution, DeviceEqualsCpu)
{
  typename TypeParam::SizeType size;
  size.Fill(11);
  size[0] = 35;
  const auto image = MakeRandomImage<TypeParam>(size, 5);

  // Each axis with and without a mask, of any length.
  for (unsigned int combination = 0; combination < 1u << TypeParam::ImageDimension; ++combination)
  {
    std::vector<Mask> masks(TypeParam::ImageDimension);
    for (unsigned int axis = 0; axis < masks.size(); ++axis)
    {
      if (combination >> axis & 1u)
      {
        masks[axis] = MakeRandomMask(1 + 2 * (axis + combination), axis + 1);
      }
    }
    SCOPED_TRACE(combination);
    ExpectSameOnCpuAndDevice<TypeParam>(image, masks);
  }
}

TYPED_TEST(CudaSeparableConvolution, MaskLongerThanTheImage)
{
  typename TypeParam::SizeType size;
  size.Fill(5);
  const auto image = MakeRandomImage<TypeParam>(size, 6);
  ExpectSameOnCpuAndDevice<TypeParam>(image, std::vector<Mask>(TypeParam::ImageDimension, MakeRandomMask(129, 9)));
}

// The kernels differ by the length of the mask, and their tiles are some 150 pixels wide and 8 or 16 high.
TYPED_TEST(CudaSeparableConvolution, MasksOfEveryKindOfLength)
{
  typename TypeParam::SizeType size;
  size.Fill(2);
  size[0] = 165;
  size[1] = 17;
  const auto image = MakeRandomImage<TypeParam>(size, 7);

  for (const std::size_t length : { 1, 3, 5, 7, 9, 11, 13, 15, 19, 33, 65, 129, 131 })
  {
    SCOPED_TRACE(length);
    ExpectSameOnCpuAndDevice<TypeParam>(image,
                                        std::vector<Mask>(TypeParam::ImageDimension, MakeRandomMask(length, 11)));
    // Another length along each axis.
    std::vector<Mask> masks;
    for (unsigned int axis = 0; axis < TypeParam::ImageDimension; ++axis)
    {
      masks.push_back(MakeRandomMask(length + 2 * axis, axis));
    }
    ExpectSameOnCpuAndDevice<TypeParam>(image, masks);
  }
}

TYPED_TEST(CudaSeparableConvolution, EveryBlockSize)
{
  typename TypeParam::SizeType size;
  size.Fill(3);
  size[0] = 40;
  size[1] = 67;
  const auto image = MakeRandomImage<TypeParam>(size, 8);
  const auto masks = std::vector<Mask>(TypeParam::ImageDimension, MakeRandomMask(9, 12));
  const auto defaults = itk::CudaInterface::GetDefault();
  for (unsigned int threads = 32; threads <= 1024; threads *= 2)
  {
    SCOPED_TRACE(threads);
    defaults->SetBlockSize(itk::CudaKernelFamilyEnum::SeparableConvolution, threads);
    ExpectSameOnCpuAndDevice<TypeParam>(image, masks);
  }
  defaults->SetBlockSizeToAutomatic(itk::CudaKernelFamilyEnum::SeparableConvolution);
}

// An infinity spreads as far as the mask reaches, and no further.
TEST(SeparableConvolution, InfinitySpreadsAsOnTheCpu)
{
  using ImageType = itk::Image<float, 3>;
  const auto image = MakeRandomImage<ImageType>({ { 170, 40, 9 } }, 9);
  image->SetPixel({ { 80, 20, 4 } }, std::numeric_limits<float>::infinity());
  for (const std::size_t length : { 1, 3, 9, 15, 19 })
  {
    SCOPED_TRACE(length);
    ExpectSameOnCpuAndDevice<ImageType>(image, std::vector<Mask>(3, Mask(length, 1.0 / length)));
  }
}

TEST(SeparableConvolution, EqualsNeighborhoodOperatorsOfItk)
{
  // Along one axis the CPU filter is ITK's own; the order of the axes and the values in between are checked by hand.
  using Floats = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Floats>({ { 23, 17 } });
  const Mask mask{ 0.25, -1.0, 3.0, 0.5, 0.125 };

  itk::Neighborhood<double, 2> neighborhood;
  neighborhood.SetRadius(itk::Size<2>{ { 0, 2 } });
  std::copy(mask.begin(), mask.end(), neighborhood.Begin());
  const auto itkFilter = itk::NeighborhoodOperatorImageFilter<Floats, Floats, double>::New();
  itkFilter->SetInput(image);
  itkFilter->SetOperator(neighborhood);
  itkFilter->Update();

  const auto filter = itk::SeparableConvolutionImageFilter<Floats>::New();
  filter->SetInput(image);
  filter->SetMask(1, mask);
  filter->Update();
  ExpectEqualImages<Floats>(itkFilter->GetOutput(), filter->GetOutput());
}

TEST(SeparableConvolution, DerivativeOfABrainHasNoStepInBetween)
{
  // Differences along both axes of an unsigned image: the values in between are negative and must survive.
  using Bytes = itk::Image<unsigned char, 2>;
  using Floats = itk::Image<float, 2>;
  const auto brain = ReadBrain<Bytes>();
  const auto filter = itk::CudaSeparableConvolutionImageFilter<Bytes, Floats>::New();
  filter->SetInput(brain);
  filter->SetMask({ -0.5, 0.0, 0.5 });
  filter->Update();

  const auto at = [&](int x, int y) { return static_cast<float>(brain->GetPixel({ { x, y } })); };
  float      lowest = 0;
  for (int y = 1; y < 216; ++y)
  {
    for (int x = 1; x < 180; ++x)
    {
      const float expected = 0.25f * (at(x + 1, y + 1) - at(x - 1, y + 1) - at(x + 1, y - 1) + at(x - 1, y - 1));
      ASSERT_EQ(filter->GetOutput()->GetPixel({ { x, y } }), expected) << x << ", " << y;
      lowest = std::min(lowest, expected);
    }
  }
  EXPECT_LT(lowest, 0.0f);
}

TEST(SeparableConvolution, BadMasksAreRefused)
{
  using Floats = itk::Image<float, 2>;
  const auto filter = itk::CudaSeparableConvolutionImageFilter<Floats>::New();
  EXPECT_NE(GetExceptionOf([&] { filter->SetMask(0, { 1.0, 2.0 }); }).find("odd"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { filter->SetMask(2, { 1.0 }); }).find("0 to 1"), std::string::npos);
  EXPECT_NE(GetExceptionOf([&] { filter->GetMask(2); }).find("0 to 1"), std::string::npos);
  std::ostringstream text;
  filter->SetMask({ 0.25, 0.5, 0.25 });
  filter->Print(text);
  EXPECT_NE(text.str().find("Mask of axis 1: 0.25 0.5 0.25"), std::string::npos) << text.str();
}

#if defined(__x86_64__)
// Numbers far outside the range of the pixel type, and of int. On other processors the result of ITK's own filters
// depends on the optimisation.
TEST(CudaSeparableConvolutionOfIntegers, ConvertsNumbersBeyondItsRangeAsTheCpu)
{
  const auto convolve = [](auto image) {
    using ImageType = typename decltype(image)::ObjectType;
    for (const double factor : { 3.0, 1e5, 1e6, 1e9, 1e19, 1e300 })
    {
      SCOPED_TRACE(factor);
      ExpectSameOnCpuAndDevice<ImageType>(image, { { factor }, {} });
      ExpectSameOnCpuAndDevice<ImageType>(image, { { -factor }, {} });
    }
  };
  convolve(MakeRandomImage<itk::Image<unsigned char, 2>>({ { 67, 9 } }));
  convolve(MakeRandomImage<itk::Image<unsigned short, 2>>({ { 67, 9 } }));
  convolve(MakeRandomImage<itk::Image<short, 2>>({ { 67, 9 } }));
}
#endif
