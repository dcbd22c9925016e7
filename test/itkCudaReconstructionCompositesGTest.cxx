// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The filters that ITK builds on reconstruction.

#include "itkBinaryBallStructuringElement.h"
#include "itkCudaClosingByReconstructionImageFilter.h"
#include "itkCudaGrayscaleFillholeImageFilter.h"
#include "itkCudaHConcaveImageFilter.h"
#include "itkCudaHConvexImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaHMinimaImageFilter.h"
#include "itkCudaOpeningByReconstructionImageFilter.h"
#include "itkCudaRegionalMaximaImageFilter.h"
#include "itkCudaRegionalMinimaImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;

/** A smooth random image, which has more interesting extrema than a rough one; in steps that ITK's filters tell from
 * each other. */
template <typename TImage>
typename TImage::Pointer
MakeHills(const typename TImage::SizeType & size)
{
  const auto image = MakeConstantImage<TImage>(size, 0);
  for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    double height = 100.0;
    for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
    {
      const auto i = static_cast<double>(it.GetIndex()[axis]);
      height += 25.0 * std::sin(i * (0.35 + 0.1 * axis)) + 8.0 * std::sin(i * 1.7 + axis);
    }
    it.Set(static_cast<typename TImage::PixelType>(std::floor(height)));
  }
  return image;
}

template <typename TCuda, typename TCpu, typename TImage, typename TSet>
void
CompareWithItk(const TImage * image, const TSet & set)
{
  using OutputImage = typename TCpu::OutputImageType;
  for (const bool isFull : { false, true })
  {
    const auto cpu = TCpu::New();
    cpu->SetInput(image);
    cpu->SetFullyConnected(isFull);
    set(*cpu);
    cpu->Update();
    const auto bytes = image->GetBufferedRegion().GetNumberOfPixels() * sizeof(typename TImage::PixelType);
    for (const auto budget : { itk::SizeValueType(itk::CudaInterface::NoMemoryBudget), itk::SizeValueType(2 * bytes) })
    {
      SCOPED_TRACE(::testing::Message() << (isFull ? "fully connected" : "by faces") << ", budget " << budget);
      const bool isSmall = image->GetBufferedRegion().GetNumberOfPixels() < 3500;
      if (budget != itk::CudaInterface::NoMemoryBudget && (isSmall || !HasDevice()))
      {
        continue;
      }
      const auto cuda = TCuda::New();
      const auto interface = itk::CudaInterface::New();
      interface->SetMemoryBudget(budget);
      cuda->SetCudaInterface(interface);
      cuda->SetInput(image);
      cuda->SetFullyConnected(isFull);
      set(*cuda);
      const CopyWatch watch;
      cuda->Update();
      EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
      if (budget == itk::CudaInterface::NoMemoryBudget)
      {
        watch.Expect(1, 1);
      }
      else
      {
        EXPECT_GT(cuda->GetNumberOfTiles(), 1u);
      }
      ExpectEqualImages<OutputImage>(cpu->GetOutput(), cuda->GetOutput());
      ExpectSameGeometry<OutputImage>(cpu->GetOutput(), cuda->GetOutput());
    }
  }
}

/** The images on which all are tried: hills, a real image, and degenerate ones. */
template <typename TImage, typename TFunction>
void
ForEachImage(TFunction function)
{
  using PixelType = typename TImage::PixelType;
  constexpr bool            isPlane = TImage::ImageDimension == 2;
  typename TImage::SizeType size;
  size.Fill(isPlane ? 58 : 15);
  size[0] += 5;
  {
    SCOPED_TRACE("hills");
    function(MakeHills<TImage>(size).GetPointer());
  }
  {
    SCOPED_TRACE("noise");
    size.Fill(isPlane ? 41 : 11);
    function(MakeRandomImage<TImage>(size).GetPointer());
  }
  {
    SCOPED_TRACE("constant");
    function(MakeConstantImage<TImage>(size, 5).GetPointer());
    function(MakeConstantImage<TImage>(size, std::numeric_limits<PixelType>::lowest()).GetPointer());
    function(MakeConstantImage<TImage>(size, std::numeric_limits<PixelType>::max()).GetPointer());
  }
  {
    SCOPED_TRACE("small");
    size.Fill(1);
    function(MakeConstantImage<TImage>(size, 5).GetPointer());
    size[1] = 17;
    function(MakeRandomImage<TImage>(size).GetPointer());
    size.Fill(2);
    function(MakeRandomImage<TImage>(size).GetPointer());
  }
}
} // namespace

template <typename TImage>
class CudaComposites : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaComposites, KernelImageTypes);

TYPED_TEST(CudaComposites, FillHoles)
{
  ForEachImage<TypeParam>([](const TypeParam * image) {
    CompareWithItk<itk::CudaGrayscaleFillholeImageFilter<TypeParam, TypeParam>,
                   itk::GrayscaleFillholeImageFilter<TypeParam, TypeParam>>(image, [](auto &) {});
  });
}

TYPED_TEST(CudaComposites, SuppressLowMaximaAndMinima)
{
  using Output = itk::Image<float, TypeParam::ImageDimension>;
  ForEachImage<TypeParam>([](const TypeParam * image) {
    const auto set = [](auto & filter) { filter.SetHeight(20); };
    CompareWithItk<itk::CudaHMaximaImageFilter<TypeParam, TypeParam>, itk::HMaximaImageFilter<TypeParam, TypeParam>>(
      image, set);
    CompareWithItk<itk::CudaHMinimaImageFilter<TypeParam, Output>, itk::HMinimaImageFilter<TypeParam, Output>>(image,
                                                                                                               set);
  });
}

TYPED_TEST(CudaComposites, FindLowMaximaAndMinima)
{
  using Output = itk::Image<short, TypeParam::ImageDimension>;
  ForEachImage<TypeParam>([](const TypeParam * image) {
    const auto set = [](auto & filter) { filter.SetHeight(20); };
    CompareWithItk<itk::CudaHConvexImageFilter<TypeParam, TypeParam>, itk::HConvexImageFilter<TypeParam, TypeParam>>(
      image, set);
    CompareWithItk<itk::CudaHConcaveImageFilter<TypeParam, Output>, itk::HConcaveImageFilter<TypeParam, Output>>(image,
                                                                                                                 set);
  });
}

TYPED_TEST(CudaComposites, FindRegionalExtrema)
{
  using Output = itk::Image<unsigned char, TypeParam::ImageDimension>;
  ForEachImage<TypeParam>([](const TypeParam * image) {
    const auto set = [](auto & filter) {
      filter.SetForegroundValue(200);
      filter.SetBackgroundValue(3);
    };
    CompareWithItk<itk::CudaRegionalMaximaImageFilter<TypeParam, Output>,
                   itk::RegionalMaximaImageFilter<TypeParam, Output>>(image, set);
    CompareWithItk<itk::CudaRegionalMaximaImageFilter<TypeParam, Output>,
                   itk::RegionalMaximaImageFilter<TypeParam, Output>>(image,
                                                                      [](auto & filter) { filter.FlatIsMaximaOff(); });
    CompareWithItk<itk::CudaRegionalMinimaImageFilter<TypeParam, TypeParam>,
                   itk::RegionalMinimaImageFilter<TypeParam, TypeParam>>(image, [](auto &) {});
    CompareWithItk<itk::CudaRegionalMinimaImageFilter<TypeParam, Output>,
                   itk::RegionalMinimaImageFilter<TypeParam, Output>>(image,
                                                                      [](auto & filter) { filter.FlatIsMinimaOff(); });
  });
}

template <typename TImage>
class CudaOpenings : public ::testing::Test
{};
using OpeningImageTypes = ::testing::Types<itk::Image<unsigned char, 2>, itk::Image<float, 2>, itk::Image<short, 3>>;
TYPED_TEST_SUITE(CudaOpenings, OpeningImageTypes);

// Not of tiny images: where ITK's dilations and erosions take a structuring element line by line, or keep a histogram,
// they lose their way in images that are smaller than it.
TYPED_TEST(CudaOpenings, EqualItk)
{
  constexpr unsigned int dimension = TypeParam::ImageDimension;
  using Ball = itk::BinaryBallStructuringElement<unsigned char, dimension>;
  using Flat = itk::FlatStructuringElement<dimension>;
  Ball ball;
  ball.SetRadius(2);
  ball.CreateStructuringElement();
  typename Flat::RadiusType radius;
  radius.Fill(1);
  radius[0] = 3;
  const Flat box = Flat::Box(radius);
  Flat       uneven = Flat::Cross(radius);
  uneven[0] = true;
  typename TypeParam::SizeType size;
  size.Fill(dimension == 2 ? 58 : 15);
  size[0] += 5;
  const auto image = MakeHills<TypeParam>(size);
  for (const bool isPreserving : { false, true })
  {
    SCOPED_TRACE(isPreserving ? "preserving" : "plain");
    const auto compare = [&](const auto & kernel) {
      using Kernel = std::decay_t<decltype(kernel)>;
      const auto set = [&](auto & filter) {
        filter.SetKernel(kernel);
        filter.SetPreserveIntensities(isPreserving);
      };
      CompareWithItk<itk::CudaOpeningByReconstructionImageFilter<TypeParam, TypeParam, Kernel>,
                     itk::OpeningByReconstructionImageFilter<TypeParam, TypeParam, Kernel>>(image.GetPointer(), set);
      CompareWithItk<itk::CudaClosingByReconstructionImageFilter<TypeParam, TypeParam, Kernel>,
                     itk::ClosingByReconstructionImageFilter<TypeParam, TypeParam, Kernel>>(image.GetPointer(), set);
    };
    compare(ball);
    compare(box);
    compare(uneven);
  }
}

TEST(CudaComposites2D, FollowItkOnInfinityAndZeros)
{
  using Plane = itk::Image<float, 2>;
  using Bytes = itk::Image<unsigned char, 2>;
  using Limits = std::numeric_limits<float>;
  const auto image = MakeHills<Plane>({ { 40, 30 } });
  for (int i = 0; i < 30; ++i)
  {
    image->SetPixel({ { i, i } }, i % 2 == 0 ? Limits::infinity() : -Limits::infinity());
    image->SetPixel({ { 39 - i, i } }, i % 2 == 0 ? Limits::max() : Limits::lowest());
    image->SetPixel({ { 5, i } }, i % 2 == 0 ? 0.0f : -0.0f);
    image->SetPixel({ { 30, i } }, i % 4 == 0 ? Limits::denorm_min() : -Limits::denorm_min());
  }
  CompareWithItk<itk::CudaRegionalMaximaImageFilter<Plane, Bytes>, itk::RegionalMaximaImageFilter<Plane, Bytes>>(
    image.GetPointer(), [](auto &) {});
  CompareWithItk<itk::CudaRegionalMinimaImageFilter<Plane, Bytes>, itk::RegionalMinimaImageFilter<Plane, Bytes>>(
    image.GetPointer(), [](auto &) {});
}

TEST(CudaComposites2D, WrapPixelsAroundInSmallerTypesAsItk)
{
  using Shorts = itk::Image<short, 2>;
  using Bytes = itk::Image<unsigned char, 2>;
  const auto image = MakeRandomImage<Shorts>({ { 71, 53 } });
  const auto setHeight = [](auto & filter) { filter.SetHeight(300); };
  CompareWithItk<itk::CudaHMaximaImageFilter<Shorts, Bytes>, itk::HMaximaImageFilter<Shorts, Bytes>>(image.GetPointer(),
                                                                                                     setHeight);
  CompareWithItk<itk::CudaHConcaveImageFilter<Shorts, Bytes>, itk::HConcaveImageFilter<Shorts, Bytes>>(
    image.GetPointer(), setHeight);
}

TEST(CudaComposites2D, RefuseWhatItkRefuses)
{
  using Plane = itk::Image<short, 2>;
  const auto image = MakeRandomImage<Plane>({ { 20, 10 } });
  const auto cpu = itk::HMaximaImageFilter<Plane, Plane>::New();
  const auto cuda = itk::CudaHMaximaImageFilter<Plane, Plane>::New();
  cpu->SetInput(image);
  cpu->SetHeight(-5);
  cuda->SetInput(image);
  cuda->SetHeight(-5);
  const std::string words = GetExceptionOf([&] { cpu->Update(); });
  const std::string part = "Marker pixels must be";
  EXPECT_NE(words.find(part), std::string::npos) << words;
  EXPECT_NE(GetExceptionOf([&] { cuda->Update(); }).find(part), std::string::npos);
}

TEST(CudaComposites2D, LeaveSlantingLinesToTheCpu)
{
  using Bytes = itk::Image<unsigned char, 2>;
  using Flat = itk::FlatStructuringElement<2>;
  using Cpu = itk::OpeningByReconstructionImageFilter<Bytes, Bytes, Flat>;
  const auto image = MakeRandomImage<Bytes>({ { 50, 40 } });
  const auto cuda = itk::CudaOpeningByReconstructionImageFilter<Bytes, Bytes, Flat>::New();
  const auto cpu = Cpu::New();
  for (Cpu * const filter : { cpu.GetPointer(), static_cast<Cpu *>(cuda.GetPointer()) })
  {
    filter->SetInput(image);
    filter->SetKernel(Flat::Polygon({ { 4, 4 } }, 4));
    filter->Update();
  }
  EXPECT_FALSE(cuda->GetExecutedOnDevice());
  if (HasDevice())
  {
    EXPECT_NE(cuda->GetExecutedOn().find("structuring element"), std::string::npos) << cuda->GetExecutedOn();
  }
  ExpectEqualImages<Bytes>(cpu->GetOutput(), cuda->GetOutput());
}
