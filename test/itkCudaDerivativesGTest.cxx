// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaGradientMagnitudeImageFilter.h"
#include "itkCudaLaplacianImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;

template <typename TCpu, typename TCuda, typename TConfigure>
void
ExpectSame(TConfigure configure)
{
  const auto cpu = TCpu::New();
  configure(*cpu);
  cpu->Update();
  const auto cuda = TCuda::New();
  configure(*cuda);
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectEqualImages<typename TCpu::OutputImageType>(cpu->GetOutput(), cuda->GetOutput());
  ExpectSameGeometry<typename TCpu::OutputImageType>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TImage>
class CudaDerivatives : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaDerivatives, KernelImageTypes);

template <typename TImage>
void
ExpectSameDerivatives(TImage * image)
{
  using Reals = itk::Image<float, TImage::ImageDimension>;
  using Doubles = itk::Image<double, TImage::ImageDimension>;
  typename TImage::SpacingType spacing;
  spacing.Fill(0.7);
  spacing[0] = 1.5;
  image->SetSpacing(spacing);
  for (const bool useSpacing : { true, false })
  {
    ExpectSame<itk::GradientMagnitudeImageFilter<TImage, Reals>, itk::CudaGradientMagnitudeImageFilter<TImage, Reals>>(
      [&](auto & filter) {
        filter.SetInput(image);
        filter.SetUseImageSpacing(useSpacing);
      });
  }
  if constexpr (std::is_floating_point<typename TImage::PixelType>::value)
  {
    const auto set = [&](auto & filter) { filter.SetInput(image); };
    ExpectSame<itk::LaplacianImageFilter<TImage, Reals>, itk::CudaLaplacianImageFilter<TImage, Reals>>(set);
    ExpectSame<itk::LaplacianImageFilter<TImage, Doubles>, itk::CudaLaplacianImageFilter<TImage, Doubles>>(set);
  }
}
} // namespace

TYPED_TEST(CudaDerivatives, EqualItksForAllSizes)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    ExpectSameDerivatives<TypeParam>(MakeRandomImage<TypeParam>(size, 3, -4));
  }
  ExpectSameDerivatives<TypeParam>(ReadBrain<TypeParam>());
}

TEST(CudaDerivativesOfStrangeNumbers, EqualItks)
{
  using Plane = itk::Image<float, 2>;
  using Volume = itk::Image<double, 3>;
  ExpectSameDerivatives<Plane>(MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } })));
  ExpectSameDerivatives<Volume>(MakeStrange<Volume>(MakeRandomImage<Volume>({ { 33, 19, 11 } })));
}

TEST(CudaDerivativesOfParts, EqualItksInRegionsAndTiles)
{
  using Volume = itk::Image<double, 3>;
  using Reals = itk::Image<float, 3>;
  const auto image = MakeRandomImage<Volume>({ { 40, 30, 20 } });
  for (const itk::SizeValueType budget : { 10000000, 60000 })
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    ExpectSame<itk::LaplacianImageFilter<Volume, Reals>, itk::CudaLaplacianImageFilter<Volume, Reals>>(
      [&](auto & filter) {
        if constexpr (std::is_same<std::decay_t<decltype(filter)>, itk::CudaLaplacianImageFilter<Volume, Reals>>::value)
        {
          filter.SetCudaInterface(interface);
        }
        filter.SetInput(image);
        filter.UpdateOutputInformation();
        filter.GetOutput()->SetRequestedRegion(Volume::RegionType({ { 7, 0, 5 } }, { { 20, 30, 11 } }));
      });
  }
}
