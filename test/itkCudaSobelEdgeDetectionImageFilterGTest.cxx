// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkMath.h"

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TOutput>
struct Filters
{
  using Cpu = itk::DirectionalSobelEdgeDetectionImageFilter<TInput, TOutput>;
  using Cuda = itk::CudaSobelEdgeDetectionImageFilter<TInput, TOutput>;
};

/** The largest difference between two images of angles where the gradient is not tiny; a whole turn is none. */
template <typename TImage>
double
GetLargestTurn(const TImage * expected, const TImage * actual, const TImage * magnitude)
{
  double largest = 0.0;

  itk::ImageRegionConstIterator<TImage> a(expected, magnitude->GetBufferedRegion());
  itk::ImageRegionConstIterator<TImage> b(actual, magnitude->GetBufferedRegion());
  itk::ImageRegionConstIterator<TImage> m(magnitude, magnitude->GetBufferedRegion());
  for (; !a.IsAtEnd(); ++a, ++b, ++m)
  {
    if (std::isnan(a.Get()) || std::isnan(b.Get()))
    {
      EXPECT_EQ(std::isnan(a.Get()), std::isnan(b.Get())) << a.GetIndex();
    }
    else if (!(m.Get() < 0.1))
    {
      const double turn = std::abs(static_cast<double>(a.Get()) - b.Get());
      largest = std::max(largest, std::min(turn, std::abs(turn - 2 * itk::Math::pi)));
    }
  }
  return largest;
}

/** Runs ITK's own filter and ours, fast and exact, and compares magnitude and angles. */
template <typename TInput, typename TOutput>
void
ExpectSameAsItk(const TInput * image)
{
  constexpr bool isFloat = std::is_same<typename TOutput::PixelType, float>::value;

  const auto itkFilter = itk::SobelEdgeDetectionImageFilter<TInput, TOutput>::New();
  itkFilter->SetInput(image);
  itkFilter->Update();
  const auto cpu = Filters<TInput, TOutput>::Cpu::New();
  cpu->SetInput(image);
  cpu->ComputeDirectionOn();
  cpu->Update();
  ExpectEqualImages<TOutput>(itkFilter->GetOutput(), cpu->GetOutput());

  const auto cuda = Filters<TInput, TOutput>::Cuda::New();
  cuda->SetInput(image);
  cuda->ComputeDirectionOn();
  for (const bool isExact : { false, true })
  {
    SCOPED_TRACE(isExact ? "exact" : "fast");
    cuda->SetExactMode(isExact);
    cuda->Update();
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
    ExpectSameGeometry<TOutput>(cpu->GetOutput(), cuda->GetOutput());
    ExpectSameGeometry<TOutput>(cpu->GetOutput(), cuda->GetDirectionOutput());
    isExact ? ExpectEqualImages<TOutput>(itkFilter->GetOutput(), cuda->GetOutput())
            : ExpectSameSmoothing<TOutput>(itkFilter->GetOutput(), cuda->GetOutput());
    const double tolerance = !isFloat ? 1e-14 : (isExact ? 5e-7 : 1e-3);
    EXPECT_LE(GetLargestTurn<TOutput>(cpu->GetDirectionOutput(), cuda->GetDirectionOutput(), cpu->GetOutput()),
              tolerance);
    if constexpr (TInput::ImageDimension == 3)
    {
      EXPECT_LE(GetLargestTurn<TOutput>(cpu->GetElevationOutput(), cuda->GetElevationOutput(), cpu->GetOutput()),
                tolerance);
    }
  }
}

template <typename TImages>
class CudaSobel : public ::testing::Test
{};

template <typename TInputPixel, typename TOutputPixel, unsigned int VDimension>
struct Images
{
  using Input = itk::Image<TInputPixel, VDimension>;
  using Output = itk::Image<TOutputPixel, VDimension>;
};

using ImageTypes = ::testing::Types<Images<unsigned char, float, 2>,
                                    Images<unsigned short, float, 2>,
                                    Images<short, double, 2>,
                                    Images<float, float, 2>,
                                    Images<double, float, 2>,
                                    Images<double, double, 2>,
                                    Images<unsigned char, double, 3>,
                                    Images<unsigned short, double, 3>,
                                    Images<short, float, 3>,
                                    Images<float, float, 3>,
                                    Images<double, double, 3>>;
TYPED_TEST_SUITE(CudaSobel, ImageTypes);

using Plane = itk::Image<float, 2>;
using Volume = itk::Image<float, 3>;
} // namespace

TYPED_TEST(CudaSobel, EqualsItkForAllSizes)
{
  using Input = typename TypeParam::Input;
  for (const auto & size : GetSizes<Input>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    ExpectSameAsItk<Input, typename TypeParam::Output>(MakeRandomImage<Input>(size, 3, -4));
  }
}

// Four pixels at a time, and more blocks than one.
TYPED_TEST(CudaSobel, EqualsItkInWideRows)
{
  using Input = typename TypeParam::Input;
  typename Input::SizeType size;
  size.Fill(35);
  size[0] = Input::ImageDimension == 2 ? 264 : 140;
  size[1] = Input::ImageDimension == 2 ? 45 : 7;
  ExpectSameAsItk<Input, typename TypeParam::Output>(MakeRandomImage<Input>(size, 5));
}

TYPED_TEST(CudaSobel, EqualsItkOnABrain)
{
  const auto image = ReadBrain<typename TypeParam::Input>();
  ExpectSameAsItk<typename TypeParam::Input, typename TypeParam::Output>(image);
}

TEST(CudaSobelEdges, TreatInfinitiesAndNaNsAsItk)
{
  ExpectSameAsItk<Plane, Plane>(MakeStrange<Plane>(MakeRandomImage<Plane>({ { 61, 47 } })));
  ExpectSameAsItk<Volume, Volume>(MakeStrange<Volume>(MakeRandomImage<Volume>({ { 33, 19, 11 } })));
  using Doubles = itk::Image<double, 3>;
  ExpectSameAsItk<Doubles, Doubles>(MakeStrange<Doubles>(MakeRandomImage<Doubles>({ { 33, 19, 11 } }), true));
}

TEST(CudaSobelEdges, AreZeroOnAConstantImageOfAnyHeight)
{
  for (const float value : { 0.0f, 3.0f, -1e30f, std::numeric_limits<float>::max() })
  {
    const auto filter = Filters<Plane, Plane>::Cuda::New();
    filter->SetInput(MakeConstantImage<Plane>({ { 40, 30 } }, value));
    filter->ComputeDirectionOn();
    filter->Update();
    const auto zero = MakeConstantImage<Plane>({ { 40, 30 } }, 0.0f);
    ExpectEqualImages<Plane>(zero, filter->GetOutput());
    ExpectEqualImages<Plane>(zero, filter->GetDirectionOutput());
  }
}

TEST(CudaSobelEdges, PointUphill)
{
  // A slope in a known direction.
  for (const double azimuth : { -3.0, -1.2, 0.0, 0.3, 1.5, 3.1 })
  {
    for (const double elevation : { -1.3, -0.2, 0.0, 0.9 })
    {
      const auto image = Volume::New();
      image->SetRegions(Volume::SizeType{ { 9, 8, 7 } });
      image->Allocate();
      for (itk::ImageRegionIterator<Volume> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
      {
        const auto index = it.GetIndex();
        it.Set(static_cast<float>(index[0] * std::cos(azimuth) * std::cos(elevation) +
                                  index[1] * std::sin(azimuth) * std::cos(elevation) + index[2] * std::sin(elevation)));
      }
      const auto filter = Filters<Volume, Volume>::Cuda::New();
      filter->SetInput(image);
      filter->ComputeDirectionOn();
      filter->Update();
      const Volume::IndexType middle{ { 4, 4, 3 } };
      // The weights of the operator: 1, 3 and 6 on each side, two pixels apart.
      EXPECT_NEAR(filter->GetOutput()->GetPixel(middle), 2 * (4 * 1 + 4 * 3 + 6), 1e-3);
      EXPECT_NEAR(filter->GetDirectionOutput()->GetPixel(middle), azimuth, 1e-5);
      EXPECT_NEAR(filter->GetElevationOutput()->GetPixel(middle), elevation, 1e-5);
    }
  }
}

TEST(CudaSobelEdges, GiveDirectionOnRequestOnly)
{
  const auto filter = Filters<Plane, Plane>::Cuda::New();
  filter->SetInput(MakeRandomImage<Plane>({ { 20, 20 } }));
  filter->Update();
  EXPECT_EQ(filter->GetDirectionOutput(), nullptr);
  EXPECT_EQ(filter->GetNumberOfOutputs(), 1u);

  filter->ComputeDirectionOn();
  EXPECT_EQ(filter->GetElevationOutput(), nullptr);
  const CopyWatch watch;
  filter->GetDirectionOutput()->Update();
  watch.Expect(1, 2);
  EXPECT_EQ(filter->GetDirectionOutput()->GetBufferedRegion(), filter->GetInput()->GetBufferedRegion());

  const Plane::Pointer direction = filter->GetDirectionOutput();
  filter->ComputeDirectionOff();
  filter->Update();
  EXPECT_EQ(filter->GetDirectionOutput(), nullptr);
  EXPECT_TRUE(std::isfinite(direction->GetPixel({ { 3, 3 } })));

  // Who was connected is so again.
  filter->ComputeDirectionOn();
  EXPECT_EQ(filter->GetDirectionOutput(), direction.GetPointer());
  filter->Update();
  EXPECT_EQ(direction->GetBufferedRegion(), filter->GetInput()->GetBufferedRegion());
}

TEST(CudaSobelEdges, ComeInRegionsAndTiles)
{
  const auto image = MakeRandomImage<Volume>({ { 40, 30, 20 } });
  const auto cpu = Filters<Volume, Volume>::Cpu::New();
  cpu->SetInput(image);
  cpu->ComputeDirectionOn();
  cpu->Update();

  const auto part = Filters<Volume, Volume>::Cuda::New();
  part->SetInput(image);
  part->ComputeDirectionOn();
  part->GetOutput()->SetRequestedRegion(Volume::RegionType({ { 7, 0, 5 } }, { { 20, 30, 11 } }));
  part->Update();
  EXPECT_EQ(part->GetElevationOutput()->GetBufferedRegion().GetSize(1), 30u);
  itk::ImageRegionConstIterator<Volume> a(cpu->GetElevationOutput(), part->GetOutput()->GetBufferedRegion());
  itk::ImageRegionConstIterator<Volume> b(part->GetElevationOutput(), part->GetOutput()->GetBufferedRegion());
  for (; !a.IsAtEnd(); ++a, ++b)
  {
    ASSERT_NEAR(a.Get(), b.Get(), 1e-5) << a.GetIndex();
  }

  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(40000);
  const auto tiled = Filters<Volume, Volume>::Cuda::New();
  tiled->SetCudaInterface(interface);
  tiled->SetInput(image);
  tiled->ComputeDirectionOn();
  tiled->Update();
  EXPECT_EQ(tiled->GetNumberOfTiles() > 8, HasDevice()) << tiled->GetExecutedOn();
  ExpectSameSmoothing<Volume>(cpu->GetOutput(), tiled->GetOutput());
  EXPECT_LE(GetLargestTurn<Volume>(cpu->GetDirectionOutput(), tiled->GetDirectionOutput(), cpu->GetOutput()), 1e-4);
  EXPECT_LE(GetLargestTurn<Volume>(cpu->GetElevationOutput(), tiled->GetElevationOutput(), cpu->GetOutput()), 1e-4);
}
