// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkConstantBoundaryCondition.h"
#include "itkCudaTestHelpers.h"
#include "itkVector.h"

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput = TInput>
struct Filters
{
  using Cpu = itk::DiscreteGaussianImageFilter<TInput, TOutput>;
  using Cuda = itk::CudaDiscreteGaussianImageFilter<TInput, TOutput>;
};

/** Runs the CPU filter and ours with the same parameters, and compares. */
template <typename TInput, typename TOutput = TInput, typename TConfigure>
void
ExpectSameAsItk(const TInput * image, TConfigure configure)
{
  const auto cpu = Filters<TInput, TOutput>::Cpu::New();
  cpu->SetInput(image);
  configure(*cpu);
  cpu->Update();

  const auto cuda = Filters<TInput, TOutput>::Cuda::New();
  cuda->SetInput(image);
  configure(*cuda);
  cuda->Update();

  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  ExpectSameSmoothing<TOutput>(cpu->GetOutput(), cuda->GetOutput());
  ExpectSameGeometry<TOutput>(cpu->GetOutput(), cuda->GetOutput());

  cuda->ExactModeOn();
  cuda->Update();
  ExpectEqualImages<TOutput>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TImage>
class CudaDiscreteGaussian : public ::testing::Test
{};

TYPED_TEST_SUITE(CudaDiscreteGaussian, KernelImageTypes);
} // namespace

TYPED_TEST(CudaDiscreteGaussian, EqualsItkForAllSizesAndVariances)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    for (const double variance : { 0.0, 0.3, 2.0, 9.0 })
    {
      SCOPED_TRACE(::testing::Message() << "size " << size << ", variance " << variance);
      ExpectSameAsItk<TypeParam>(image, [variance](auto & filter) { filter.SetVariance(variance); });
    }
  }
}

TYPED_TEST(CudaDiscreteGaussian, EqualsItkForEachParameter)
{
  using Filter = itk::DiscreteGaussianImageFilter<TypeParam, TypeParam>;

  const auto                      image = MakeRandomImage<TypeParam>(GetSizes<TypeParam>().back(), 7);
  typename TypeParam::SpacingType spacing;
  typename Filter::ArrayType      variances;
  for (unsigned int i = 0; i < TypeParam::ImageDimension; ++i)
  {
    spacing[i] = 0.5 + i;
    variances[i] = 0.5 + 1.5 * i;
  }
  image->SetSpacing(spacing);

  ExpectSameAsItk<TypeParam>(image, [&](Filter & filter) { filter.SetVariance(variances); });
  ExpectSameAsItk<TypeParam>(image, [&](Filter & filter) {
    filter.SetVariance(variances);
    filter.UseImageSpacingOff();
  });
  ExpectSameAsItk<TypeParam>(image, [&](Filter & filter) {
    filter.SetVariance(4.0);
    filter.SetMaximumError(0.2);
  });
  const Quiet quiet;
  ExpectSameAsItk<TypeParam>(image, [&](Filter & filter) {
    filter.SetVariance(16.0);
    filter.SetMaximumKernelWidth(5);
  });
  for (unsigned int dimensionality = 0; dimensionality <= TypeParam::ImageDimension + 1; ++dimensionality)
  {
    SCOPED_TRACE(dimensionality);
    ExpectSameAsItk<TypeParam>(image, [&](Filter & filter) {
      filter.SetVariance(variances);
      filter.SetFilterDimensionality(dimensionality);
    });
  }
}

TYPED_TEST(CudaDiscreteGaussian, EqualsItkOnARealImage)
{
  const auto image = ReadBrain<TypeParam>();
  ExpectSameAsItk<TypeParam>(image, [](auto & filter) { filter.SetVariance(2.0); });
}

TYPED_TEST(CudaDiscreteGaussian, EqualsItkOnAConstantImage)
{
  const auto image = MakeConstantImage<TypeParam>(GetSizes<TypeParam>().back(), 100);
  ExpectSameAsItk<TypeParam>(image, [](auto & filter) { filter.SetVariance(3.0); });
}

TEST(CudaDiscreteGaussianTypes, InputAndOutputMayDiffer)
{
  using Bytes = itk::Image<unsigned char, 2>;
  using Shorts = itk::Image<short, 3>;
  using Floats = itk::Image<float, 2>;
  using Volume = itk::Image<float, 3>;
  using Doubles = itk::Image<double, 2>;
  const auto configure = [](auto & filter) { filter.SetVariance(2.0); };

  ExpectSameAsItk<Bytes, Floats>(MakeRandomImage<Bytes>({ { 40, 30 } }), configure);
  ExpectSameAsItk<Shorts, Volume>(MakeRandomImage<Shorts>({ { 12, 10, 9 } }), configure);
  ExpectSameAsItk<Doubles, Floats>(MakeRandomImage<Doubles>({ { 40, 30 } }), configure);
  ExpectSameAsItk<Bytes, Doubles>(MakeRandomImage<Bytes>({ { 40, 30 } }), configure);
}

TEST(CudaDiscreteGaussianTypes, WideMasks)
{
  using Floats = itk::Image<float, 2>;
  const auto  image = MakeRandomImage<Floats>({ { 300, 50 } });
  const Quiet quiet;
  // 127 weights and more, wider than the image is high.
  ExpectSameAsItk<Floats>(image, [](auto & filter) {
    filter.SetVariance(600.0);
    filter.SetMaximumKernelWidth(400);
  });
}

TEST(CudaDiscreteGaussianTypes, NotANumberAndInfinity)
{
  using Floats = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Floats>({ { 40, 30 } });
  image->SetPixel({ { 10, 12 } }, std::numeric_limits<float>::quiet_NaN());
  image->SetPixel({ { 30, 5 } }, std::numeric_limits<float>::infinity());
  ExpectSameAsItk<Floats>(image, [](auto & filter) { filter.SetVariance(1.0); });
}

TEST(CudaDiscreteGaussianTypes, VectorsGoToTheCpu)
{
  using Colours = itk::Image<itk::Vector<float, 3>, 2>;
  const auto image = Colours::New();
  image->SetRegions(Colours::SizeType{ { 20, 10 } });
  image->Allocate();
  float value = 0;
  for (itk::ImageRegionIterator<Colours> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    for (unsigned int i = 0; i < 3; ++i)
    {
      it.Value()[i] = value = std::fmod(value * 5.0f + 7.0f, 256.0f);
    }
  }
  const auto cpu = Filters<Colours>::Cpu::New();
  cpu->SetInput(image);
  cpu->SetVariance(2.0);
  cpu->Update();
  const auto cuda = Filters<Colours>::Cuda::New();
  cuda->SetInput(image);
  cuda->SetVariance(2.0);
  cuda->Update();
  EXPECT_EQ(*cpu->GetOutput(), *cuda->GetOutput());
  EXPECT_FALSE(cuda->GetExecutedOnDevice());

  const auto forced = itk::CudaInterface::New();
  forced->SetBackend(itk::CudaBackendEnum::CUDA);
  cuda->SetCudaInterface(forced);
  const std::string error = GetExceptionOf([&] { cuda->Update(); });
  if (HasDevice())
  {
    EXPECT_NE(error.find("unsigned char, unsigned short, short, float and double"), std::string::npos) << error;
  }
}

TEST(CudaDiscreteGaussianTypes, FourDimensionsGoToTheCpu)
{
  using Series = itk::Image<float, 4>;
  const auto image = MakeRandomImage<Series>({ { 6, 5, 4, 3 } });
  const auto cpu = Filters<Series>::Cpu::New();
  cpu->SetInput(image);
  cpu->SetVariance(1.0);
  cpu->Update();
  const auto cuda = Filters<Series>::Cuda::New();
  cuda->SetInput(image);
  cuda->SetVariance(1.0);
  cuda->Update();
  ExpectEqualImages<Series>(cpu->GetOutput(), cuda->GetOutput());
  EXPECT_FALSE(cuda->GetExecutedOnDevice());
}

TEST(CudaDiscreteGaussianTypes, OtherBoundaryConditionsGoToTheCpu)
{
  using Floats = itk::Image<float, 2>;
  const auto                             image = MakeRandomImage<Floats>({ { 20, 10 } });
  itk::ConstantBoundaryCondition<Floats> rule;
  const auto                             run = [&](auto filter) {
    filter->SetInput(image);
    filter->SetVariance(1.0);
    filter->SetInputBoundaryCondition(&rule);
    filter->SetRealBoundaryCondition(&rule);
    filter->Update();
    return filter;
  };
  const auto cpu = run(Filters<Floats>::Cpu::New());
  const auto cuda = run(Filters<Floats>::Cuda::New());
  ExpectEqualImages<Floats>(cpu->GetOutput(), cuda->GetOutput());
  EXPECT_FALSE(cuda->GetExecutedOnDevice());
}

namespace
{
/** What happens on Update(): the description of the exception, or the number of pixels. */
template <typename TFilter, typename TImage, typename TConfigure>
std::string
Outcome(const TImage * image, TConfigure configure)
{
  const auto filter = TFilter::New();
  filter->SetInput(image);
  configure(*filter);
  try
  {
    filter->Update();
  }
  catch (const itk::ExceptionObject & error)
  {
    // Beginning with the class name, which differs.
    const std::string text = error.GetDescription();
    return text.substr(text.find(')') == std::string::npos ? 0 : text.find(')'));
  }
  return std::to_string(filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
}
} // namespace

TEST(CudaDiscreteGaussianBadInput, BehavesAsItk)
{
  using Floats = itk::Image<float, 2>;
  using Cpu = Filters<Floats>::Cpu;
  using Cuda = Filters<Floats>::Cuda;
  const auto compare = [](const Floats * image, auto configure) {
    EXPECT_EQ(Outcome<Cpu>(image, configure), Outcome<Cuda>(image, configure));
  };

  const auto image = MakeRandomImage<Floats>({ { 20, 10 } });
  compare(image, [](auto & filter) { filter.SetVariance(-1.0); });
  compare(image, [](auto & filter) { filter.SetMaximumError(0.0); });
  compare(image, [](auto & filter) { filter.SetMaximumError(2.0); });
  compare(nullptr, [](auto & filter) { filter.SetVariance(1.0); });

  const auto empty = Floats::New();
  compare(empty, [](auto & filter) { filter.SetVariance(1.0); });
  const auto flat = MakeRandomImage<Floats>({ { 20, 0 } });
  compare(flat, [](auto & filter) { filter.SetVariance(1.0); });
}
