// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Filters that compute each pixel from the pixels at the same place, compared with ITK's.

#include "itkCudaAbsImageFilter.h"
#include "itkCudaAbsoluteValueDifferenceImageFilter.h"
#include "itkCudaAddImageFilter.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaDivideImageFilter.h"
#include "itkCudaExpImageFilter.h"
#include "itkCudaIntensityWindowingImageFilter.h"
#include "itkCudaInvertIntensityImageFilter.h"
#include "itkCudaLogImageFilter.h"
#include "itkCudaMaskImageFilter.h"
#include "itkCudaMaskNegatedImageFilter.h"
#include "itkCudaMaximumImageFilter.h"
#include "itkCudaMinimumImageFilter.h"
#include "itkCudaMultiplyImageFilter.h"
#include "itkCudaRescaleIntensityImageFilter.h"
#include "itkCudaShiftScaleImageFilter.h"
#include "itkCudaSqrtImageFilter.h"
#include "itkCudaSquareImageFilter.h"
#include "itkCudaSubtractImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaThresholdImageFilter.h"
#include "itkCudaTwoDevices.h"
#include "itkCudaWholeImageFilter.h"
#include "itkRGBPixel.h"

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput, typename TOther = TInput>
struct Types
{
  using Input = TInput;
  using Output = TOutput;
  using Other = TOther;
};

/** Every type is read and written, and every type in which kernels compute occurs. */
using TypesOfPixels = ::testing::Types<Types<itk::Image<unsigned char, 2>, itk::Image<unsigned char, 2>>,
                                       Types<itk::Image<short, 3>, itk::Image<unsigned short, 3>>,
                                       Types<itk::Image<float, 2>, itk::Image<short, 2>, itk::Image<unsigned char, 2>>,
                                       Types<itk::Image<unsigned int, 2>, itk::Image<double, 2>>,
                                       Types<itk::Image<signed char, 2>, itk::Image<int, 2>, itk::Image<int, 2>>,
                                       Types<itk::Image<double, 3>, itk::Image<float, 3>, itk::Image<float, 3>>>;

template <typename TTypes>
class CudaPixelFunction : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaPixelFunction, TypesOfPixels);

/** Runs an ITK filter and ours after the same configuration, and compares all pixels. */
template <typename TCpu, typename TCuda, typename TConfigure>
void
ExpectSame(TConfigure configure, bool isOnDevice = true)
{
  const auto cpu = TCpu::New();
  configure(*cpu);
  cpu->Update();
  const auto cuda = TCuda::New();
  configure(*cuda);
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), isOnDevice && HasDevice()) << cuda->GetExecutedOn();
  using Output = typename TCpu::OutputImageType;
  ExpectEqualImages<Output>(cpu->GetOutput(), cuda->GetOutput());
  ExpectSameGeometry<Output>(cpu->GetOutput(), cuda->GetOutput());
}

/** Values in a range, so that no conversion to an integer leaves the range of its type, which C++ does not define. */
template <typename TImage>
typename TImage::Pointer
MakeImage(const typename TImage::SizeType & size, double lowest, double highest, unsigned int seed = 1)
{
  using Limits = std::numeric_limits<typename TImage::PixelType>;
  const auto image = TImage::New();
  image->SetRegions(size);
  image->Allocate();
  image->SetSpacing(typename TImage::SpacingType(0.5));
  std::mt19937                           random(seed);
  std::uniform_real_distribution<double> values(std::max(lowest, static_cast<double>(Limits::lowest())),
                                                std::min(highest, static_cast<double>(Limits::max())));
  for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<typename TImage::PixelType>(values(random)));
  }
  return image;
}

template <typename TImage>
typename TImage::SizeType
GetSize()
{
  typename TImage::SizeType size;
  size.Fill(17);
  size[0] = 301;
  return size;
}
} // namespace

TYPED_TEST(CudaPixelFunction, OfOneImageEqualsItk)
{
  using Input = typename TypeParam::Input;
  using Output = typename TypeParam::Output;
  using InputPixel = typename Input::PixelType;

  // Sums and squares stay in the range of all output types that are tested.
  const double lowest = std::is_unsigned<typename Output::PixelType>::value ? 0.0 : -100.0;
  const auto   image = MakeImage<Input>(GetSize<Input>(), lowest, 100.0);
  const auto   small = MakeImage<Input>(GetSize<Input>(), 1.0, 5.0);
  const auto   set = [&](auto & filter) { filter.SetInput(image); };
  const auto   setSmall = [&](auto & filter) { filter.SetInput(small); };
  ExpectSame<itk::AbsImageFilter<Input, Output>, itk::CudaAbsImageFilter<Input, Output>>(set);
  ExpectSame<itk::CastImageFilter<Input, Output>, itk::CudaCastImageFilter<Input, Output>>(set);
  ExpectSame<itk::SquareImageFilter<Input, Output>, itk::CudaSquareImageFilter<Input, Output>>(setSmall);
  ExpectSame<itk::SqrtImageFilter<Input, Output>, itk::CudaSqrtImageFilter<Input, Output>>(setSmall);
  ExpectSame<itk::InvertIntensityImageFilter<Input, Output>, itk::CudaInvertIntensityImageFilter<Input, Output>>(
    [&](auto & filter) {
      filter.SetInput(image);
      filter.SetMaximum(101);
    });
  ExpectSame<itk::BinaryThresholdImageFilter<Input, Output>, itk::CudaBinaryThresholdImageFilter<Input, Output>>(
    [&](auto & filter) {
      filter.SetInput(image);
      filter.SetLowerThreshold(static_cast<InputPixel>(10));
      filter.SetUpperThreshold(static_cast<InputPixel>(60));
      filter.SetInsideValue(100);
      filter.SetOutsideValue(3);
    });
  ExpectSame<itk::ThresholdImageFilter<Input>, itk::CudaThresholdImageFilter<Input>>([&](auto & filter) {
    filter.SetInput(image);
    filter.ThresholdOutside(static_cast<InputPixel>(10), static_cast<InputPixel>(60));
    filter.SetOutsideValue(static_cast<InputPixel>(9));
  });
  ExpectSame<itk::IntensityWindowingImageFilter<Input, Output>, itk::CudaIntensityWindowingImageFilter<Input, Output>>(
    [&](auto & filter) {
      filter.SetInput(image);
      filter.SetWindowMinimum(static_cast<InputPixel>(10));
      filter.SetWindowMaximum(static_cast<InputPixel>(61));
      filter.SetOutputMinimum(1);
      filter.SetOutputMaximum(127);
    });
}

TYPED_TEST(CudaPixelFunction, RescalesAsItk)
{
  using Input = typename TypeParam::Input;
  using Output = typename TypeParam::Output;

  // Several times what a reduction reads at a time.
  typename Input::SizeType size;
  size.Fill(40);
  size[0] = 301;
  size[1] = Input::ImageDimension == 2 ? 1200 : 30;
  const auto image = MakeImage<Input>(size, -70.0, 90.0);
  const auto constant = MakeConstantImage<Input>(size, 7);
  const auto zeros = MakeConstantImage<Input>(size, 0);
  for (const auto & input : { image, constant, zeros })
  {
    const auto configure = [&](auto & filter) {
      filter.SetInput(input);
      filter.SetOutputMinimum(3);
      filter.SetOutputMaximum(120);
    };
    ExpectSame<itk::RescaleIntensityImageFilter<Input, Output>, itk::CudaRescaleIntensityImageFilter<Input, Output>>(
      configure);
    const auto itks = itk::RescaleIntensityImageFilter<Input, Output>::New();
    configure(*itks);
    itks->Update();
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(image->GetBufferedRegion().GetNumberOfPixels() *
                               (sizeof(typename Input::PixelType) + sizeof(typename Output::PixelType)) * 6 / 10);
    const auto tiled = itk::CudaRescaleIntensityImageFilter<Input, Output>::New();
    configure(*tiled);
    tiled->SetCudaInterface(interface);
    tiled->Update();
    EXPECT_EQ(tiled->GetNumberOfTiles() > 1, HasDevice()) << tiled->GetExecutedOn();
    ExpectEqualImages<Output>(itks->GetOutput(), tiled->GetOutput());
    EXPECT_EQ(tiled->GetScale(), itks->GetScale());
    EXPECT_EQ(tiled->GetShift(), itks->GetShift());
    EXPECT_EQ(tiled->GetInputMinimum(), itks->GetInputMinimum());
    EXPECT_EQ(tiled->GetInputMaximum(), itks->GetInputMaximum());
  }
}

TYPED_TEST(CudaPixelFunction, ShiftsAndScalesAsItk)
{
  using Input = typename TypeParam::Input;
  using Output = typename TypeParam::Output;

  const auto image = MakeImage<Input>(GetSize<Input>(), -70.0, 90.0);
  const auto configure = [&](auto & filter) {
    filter.SetInput(image);
    filter.SetShift(-20.5);
    filter.SetScale(1000.25);
  };
  ExpectSame<itk::ShiftScaleImageFilter<Input, Output>, itk::CudaShiftScaleImageFilter<Input, Output>>(configure);
  const auto itks = itk::ShiftScaleImageFilter<Input, Output>::New();
  configure(*itks);
  itks->Update();
  const auto ours = itk::CudaShiftScaleImageFilter<Input, Output>::New();
  configure(*ours);
  ours->Update();
  EXPECT_EQ(ours->GetUnderflowCount(), itks->GetUnderflowCount());
  EXPECT_EQ(ours->GetOverflowCount(), itks->GetOverflowCount());
}

TYPED_TEST(CudaPixelFunction, OfTwoImagesEqualsItk)
{
  using Input = typename TypeParam::Input;
  using Output = typename TypeParam::Output;
  using Other = typename TypeParam::Other;

  const auto a = MakeImage<Input>(GetSize<Input>(), 6.0, 11.0);
  const auto b = MakeImage<Other>(GetSize<Input>(), 0.0, 5.99, 2);
  const auto set = [&](auto & filter) {
    filter.SetInput1(a);
    filter.SetInput2(b);
  };
  const auto setConstant = [&](auto & filter) {
    filter.SetConstant1(static_cast<typename Input::PixelType>(7));
    filter.SetInput2(b);
  };
  const auto setMask = [&](auto & filter) {
    filter.SetInput(a);
    filter.SetMaskImage(b);
    filter.SetMaskingValue(static_cast<typename Other::PixelType>(2));
    filter.SetOutsideValue(77);
  };
  ExpectSame<itk::AddImageFilter<Input, Other, Output>, itk::CudaAddImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::SubtractImageFilter<Input, Other, Output>, itk::CudaSubtractImageFilter<Input, Other, Output>>(
    setConstant);
  ExpectSame<itk::MultiplyImageFilter<Input, Other, Output>, itk::CudaMultiplyImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::DivideImageFilter<Input, Other, Output>, itk::CudaDivideImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::MaximumImageFilter<Input, Other, Output>, itk::CudaMaximumImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::MinimumImageFilter<Input, Other, Output>, itk::CudaMinimumImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::AbsoluteValueDifferenceImageFilter<Input, Other, Output>,
             itk::CudaAbsoluteValueDifferenceImageFilter<Input, Other, Output>>(set);
  ExpectSame<itk::MaskImageFilter<Input, Other, Output>, itk::CudaMaskImageFilter<Input, Other, Output>>(setMask);
  ExpectSame<itk::MaskNegatedImageFilter<Input, Other, Output>, itk::CudaMaskNegatedImageFilter<Input, Other, Output>>(
    setMask);
}

TEST(CudaPixelFunctions, EqualItkForAllSizes)
{
  using Plane = itk::Image<unsigned char, 2>;
  using Volume = itk::Image<float, 3>;
  for (const auto & size : GetSizes<Plane>())
  {
    const auto image = MakeRandomImage<Plane>(size, 3, -4);
    ExpectSame<itk::BinaryThresholdImageFilter<Plane, Plane>, itk::CudaBinaryThresholdImageFilter<Plane, Plane>>(
      [&](auto & filter) {
        filter.SetInput(image);
        filter.SetUpperThreshold(99);
      });
  }
  for (const auto & size : GetSizes<Volume>())
  {
    const auto image = MakeRandomImage<Volume>(size, 3, -4);
    ExpectSame<itk::AddImageFilter<Volume>, itk::CudaAddImageFilter<Volume>>([&](auto & filter) {
      filter.SetInput1(image);
      filter.SetConstant2(0.5f);
    });
  }
}

TEST(CudaPixelFunctions, EqualItkForInfinitiesNaNsAndZeros)
{
  using Plane = itk::Image<float, 2>;
  const auto a = MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } }), true);
  const auto b = MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } }, 2), true);
  auto *     pixels = b->GetBufferPointer();
  for (int i = 0; i < 600; i += 3)
  {
    pixels[i] = static_cast<float>(i - 300) * 1e-10f; // some of these count as zero
  }
  const auto set = [&](auto & filter) {
    filter.SetInput1(a);
    filter.SetInput2(b);
  };
  ExpectSame<itk::DivideImageFilter<Plane, Plane, Plane>, itk::CudaDivideImageFilter<Plane>>(set);
  ExpectSame<itk::MaximumImageFilter<Plane>, itk::CudaMaximumImageFilter<Plane>>(set);
  ExpectSame<itk::MinimumImageFilter<Plane>, itk::CudaMinimumImageFilter<Plane>>(set);
  const auto setOne = [&](auto & filter) { filter.SetInput(a); };
  ExpectSame<itk::SqrtImageFilter<Plane, Plane>, itk::CudaSqrtImageFilter<Plane, Plane>>(setOne);
  ExpectSame<itk::AbsImageFilter<Plane, Plane>, itk::CudaAbsImageFilter<Plane, Plane>>(setOne);
  ExpectSame<itk::ThresholdImageFilter<Plane>, itk::CudaThresholdImageFilter<Plane>>([&](auto & filter) {
    filter.SetInput(a);
    filter.ThresholdOutside(-50.0f, 50.0f);
  });
}

TEST(CudaPixelFunctions, ExpAndLogAreItksButForTheLastBit)
{
  using Plane = itk::Image<double, 2>;
  const auto image = MakeImage<Plane>({ { 91, 30 } }, -20.0, 20.0);
  const auto expectSame = [&](auto cpu, auto cuda) {
    cpu->SetInput(image);
    cpu->Update();
    cuda->SetInput(image);
    cuda->Update();
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice());
    const double * expected = cpu->GetOutput()->GetBufferPointer();
    const double * actual = cuda->GetOutput()->GetBufferPointer();
    for (int i = 0; i < 91 * 30; ++i)
    {
      if (std::isnan(expected[i]))
      {
        EXPECT_TRUE(std::isnan(actual[i]));
      }
      else
      {
        EXPECT_DOUBLE_EQ(expected[i], actual[i]);
      }
    }
  };
  expectSame(itk::ExpImageFilter<Plane, Plane>::New(), itk::CudaExpImageFilter<Plane, Plane>::New());
  expectSame(itk::LogImageFilter<Plane, Plane>::New(), itk::CudaLogImageFilter<Plane, Plane>::New());
}

TEST(CudaPixelFunctions, ComputeWithUnsignedAndSignedPixelsOnTheCpu)
{
  using Labels = itk::Image<unsigned int, 2>;
  using Shorts = itk::Image<short, 2>;
  const auto labels = MakeImage<Labels>({ { 20, 20 } }, 0.0, 4e9);
  const auto shorts = MakeImage<Shorts>({ { 20, 20 } }, -10.0, 10.0);
  const auto set = [&](auto & filter) {
    filter.SetInput1(labels);
    filter.SetInput2(shorts);
  };
  ExpectSame<itk::MaximumImageFilter<Labels, Shorts, Labels>, itk::CudaMaximumImageFilter<Labels, Shorts, Labels>>(
    set, false);
  // A sum of labels wraps around.
  ExpectSame<itk::AddImageFilter<Labels, Labels, itk::Image<double, 2>>,
             itk::CudaAddImageFilter<Labels, Labels, itk::Image<double, 2>>>([&](auto & filter) {
    filter.SetInput1(labels);
    filter.SetInput2(labels);
  });
}

TEST(CudaPixelFunctions, MaskLabelsByNegativeNumbers)
{
  using Labels = itk::Image<unsigned int, 2>;
  using Shorts = itk::Image<short, 2>;
  const auto labels = MakeImage<Labels>({ { 20, 20 } }, 0.0, 4e9);
  const auto shorts = MakeImage<Shorts>({ { 20, 20 } }, -3.0, 3.0);
  ExpectSame<itk::MaskImageFilter<Labels, Shorts, Labels>, itk::CudaMaskImageFilter<Labels, Shorts, Labels>>(
    [&](auto & filter) {
      filter.SetInput(labels);
      filter.SetMaskImage(shorts);
      filter.SetMaskingValue(-1);
    });
}

TEST(CudaPixelFunctions, RunOnTheCpuForColors)
{
  using Colors = itk::Image<itk::RGBPixel<unsigned char>, 2>;
  using Mask = itk::Image<unsigned char, 2>;
  const auto colors = Colors::New();
  colors->SetRegions(Colors::SizeType{ { 5, 4 } });
  colors->Allocate();
  colors->FillBuffer(itk::RGBPixel<unsigned char>(9));
  const auto filter = itk::CudaMaskImageFilter<Colors, Mask, Colors>::New();
  filter->SetInput(colors);
  filter->SetMaskImage(MakeConstantImage<Mask>({ { 5, 4 } }, 1));
  filter->Update();
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  if (HasDevice())
  {
    EXPECT_NE(filter->GetExecutedOn().find("32-bit integers"), std::string::npos) << filter->GetExecutedOn();
  }
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 2, 2 } })[1], 9);
}

TEST(CudaPixelFunctions, RescaleNotANumberIntoTheRange)
{
  using Plane = itk::Image<float, 2>;
  using Ints = itk::Image<int, 2>;
  const auto image = MakeImage<Plane>({ { 20, 20 } }, 0.0, 5.0);
  image->GetBufferPointer()[7] = std::numeric_limits<float>::quiet_NaN();
  ExpectSame<itk::RescaleIntensityImageFilter<Plane, Ints>, itk::CudaRescaleIntensityImageFilter<Plane, Ints>>(
    [&](auto & filter) {
      filter.SetInput(image);
      filter.SetOutputMinimum(10);
      filter.SetOutputMaximum(1000);
    });
}

TEST(CudaPixelFunctions, HaveTheMagnitudeOfTheLowestInt)
{
  using Ints = itk::Image<int, 2>;
  using Doubles = itk::Image<double, 2>;
  const auto image = MakeConstantImage<Ints>({ { 3, 3 } }, std::numeric_limits<int>::lowest());
  ExpectSame<itk::AbsImageFilter<Ints, Doubles>, itk::CudaAbsImageFilter<Ints, Doubles>>(
    [&](auto & filter) { filter.SetInput(image); });
}

TEST(CudaPixelFunctions, ReadAnImageOnceThatIsTwoInputs)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeImage<Plane>({ { 200, 100 } }, 0.0, 100.0);
  const auto filter = itk::CudaMultiplyImageFilter<Plane>::New();
  filter->SetInput1(image);
  filter->SetInput2(image);
  const CopyWatch copies;
  filter->Update();
  copies.Expect(1, 1);
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer()[5], image->GetBufferPointer()[5] * image->GetBufferPointer()[5]);
}

TEST(CudaPixelFunctions, RescaleTheRangeOfAllRequestedPixels)
{
  using Plane = itk::Image<short, 2>;
  const auto run = [](auto rescale) {
    const auto whole = WholeImageFilter<Plane>::New();
    whole->SetInput(MakeRandomImage<Plane>({ { 60, 50 } }));
    rescale->SetInput(whole->GetOutput());
    rescale->UpdateOutputInformation();
    rescale->GetOutput()->SetRequestedRegion(Plane::RegionType({ { 3, 4 } }, { { 5, 6 } }));
    rescale->Update();
    return std::make_pair(rescale->GetInputMaximum(), rescale->GetOutput()->GetPixel({ { 4, 5 } }));
  };
  EXPECT_EQ(run(itk::RescaleIntensityImageFilter<Plane>::New()),
            run(itk::CudaRescaleIntensityImageFilter<Plane>::New()));
}

TEST(CudaPixelFunctions, ComeInRegionsAndTiles)
{
  using Volume = itk::Image<short, 3>;
  using Filter = itk::CudaSubtractImageFilter<Volume>;
  const auto a = MakeRandomImage<Volume>({ { 40, 30, 20 } });
  const auto b = MakeRandomImage<Volume>({ { 40, 30, 20 } }, 7);
  ExpectSame<itk::SubtractImageFilter<Volume>, Filter>([&](auto & filter) {
    filter.SetInput1(a);
    filter.SetInput2(b);
    filter.UpdateOutputInformation();
    filter.GetOutput()->SetRequestedRegion(Volume::RegionType({ { 7, 0, 5 } }, { { 20, 30, 11 } }));
  });
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(20000);
  const auto whole = Filter::New();
  const auto tiled = Filter::New();
  tiled->SetCudaInterface(interface);
  for (auto * filter : { whole.GetPointer(), tiled.GetPointer() })
  {
    filter->SetInput1(a);
    filter->SetInput2(b);
    filter->Update();
  }
  EXPECT_EQ(tiled->GetNumberOfTiles() > 4, HasDevice()) << tiled->GetExecutedOn();
  ExpectEqualImages<Volume>(whole->GetOutput(), tiled->GetOutput());
}

TEST(CudaPixelFunctions, AreSharedByDevices)
{
  using Plane = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Plane>({ { 300, 400 } });
  CompareOnTwoDevices<itk::CudaRescaleIntensityImageFilter<Plane>>(
    [&](auto & filter) { filter.SetInput(image); },
    [](auto & one, auto & two) { ExpectEqualImages<Plane>(one.GetOutput(), two.GetOutput()); });
}

TEST(CudaPixelFunctions, RefuseWhatItkRefuses)
{
  using Plane = itk::Image<unsigned char, 2>;
  const auto image = MakeRandomImage<Plane>({ { 20, 20 } });
  const auto threshold = itk::CudaBinaryThresholdImageFilter<Plane, Plane>::New();
  threshold->SetInput(image);
  threshold->SetLowerThreshold(9);
  threshold->SetUpperThreshold(8);
  EXPECT_THROW(threshold->Update(), itk::ExceptionObject);
  const auto divide = itk::CudaDivideImageFilter<Plane>::New();
  divide->SetInput1(image);
  divide->SetConstant2(0);
  EXPECT_THROW(divide->Update(), itk::ExceptionObject);
  const auto add = itk::CudaAddImageFilter<Plane>::New();
  add->SetInput1(image);
  add->SetInput2(MakeRandomImage<Plane>({ { 20, 19 } }));
  EXPECT_THROW(add->Update(), itk::ExceptionObject);
}

TEST(CudaPixelFunctions, CostOneUploadAndOneDownloadInAChain)
{
  using Plane = itk::Image<float, 2>;
  using Mask = itk::Image<unsigned char, 2>;
  const auto      image = MakeImage<Plane>({ { 200, 100 } }, 0.0, 100.0);
  const CopyWatch copies;
  const auto      rescale = itk::CudaRescaleIntensityImageFilter<Plane, Plane>::New();
  rescale->SetInput(image);
  rescale->SetOutputMinimum(0.0f);
  rescale->SetOutputMaximum(15.0f);
  const auto square = itk::CudaSquareImageFilter<Plane, Plane>::New();
  square->SetInput(rescale->GetOutput());
  const auto root = itk::CudaSqrtImageFilter<Plane, Plane>::New();
  root->SetInput(square->GetOutput());
  const auto threshold = itk::CudaBinaryThresholdImageFilter<Plane, Mask>::New();
  threshold->SetInput(root->GetOutput());
  threshold->SetLowerThreshold(5.0f);
  const auto mask = itk::CudaMaskImageFilter<Plane, Mask, Plane>::New();
  mask->SetInput(square->GetOutput());
  mask->SetMaskImage(threshold->GetOutput());
  const auto cast = itk::CudaCastImageFilter<Plane, Mask>::New();
  cast->SetInput(mask->GetOutput());
  cast->Update();
  cast->GetOutput()->GetBufferPointer();
  copies.Expect(1, 1);
}
