// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkBinaryDilateImageFilter.h"
#include "itkBinaryErodeImageFilter.h"
#include "itkCudaBackedImage.h"
#include "itkCudaBinaryBallDilateImageFilter.h"
#include "itkCudaBinaryBallErodeImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaTestHelpers.h"
#include "itkFlatStructuringElement.h"
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace
{
using namespace itk::CudaTest;

template <typename TImage>
struct Dilation
{
  using Cpu = itk::BinaryBallDilateImageFilter<TImage>;
  using Cuda = itk::CudaBinaryBallDilateImageFilter<TImage>;
  template <typename TKernel>
  using Itk = itk::BinaryDilateImageFilter<TImage, TImage, TKernel>;
};

template <typename TImage>
struct Erosion
{
  using Cpu = itk::BinaryBallErodeImageFilter<TImage>;
  using Cuda = itk::CudaBinaryBallErodeImageFilter<TImage>;
  template <typename TKernel>
  using Itk = itk::BinaryErodeImageFilter<TImage, TImage, TKernel>;
};

/** Sets what dilation and erosion have in common; of an erosion, the background value, too. */
template <typename TFilter, typename TImage>
void
Prepare(TFilter & filter, const TImage * image, double foreground, double background)
{
  filter.SetInput(image);
  filter.SetForegroundValue(static_cast<typename TImage::PixelType>(foreground));
  using Erode = itk::BinaryBallErodeImageFilter<TImage>;
  if (auto * const erosion = dynamic_cast<Erode *>(&filter))
  {
    erosion->SetBackgroundValue(static_cast<typename TImage::PixelType>(background));
  }
}

/** Compares the results on the CPU and on the device. */
template <template <typename> class TOperation, typename TImage>
void
CompareWithCpu(const TImage *     image,
               double             radius,
               double             foreground = 1.0,
               itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  SCOPED_TRACE(radius);
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  const auto cpu = TOperation<TImage>::Cpu::New();
  const auto cuda = TOperation<TImage>::Cuda::New();
  Prepare(*cpu, image, foreground, 9.0);
  Prepare(*cuda, image, foreground, 9.0);
  cpu->SetRadius(radius);
  cuda->SetRadius(radius);
  cuda->SetCudaInterface(settings);
  cpu->Update();
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  if (budget != itk::CudaInterface::NoMemoryBudget && HasDevice())
  {
    EXPECT_GT(cuda->GetNumberOfTiles(), 1u);
  }
  ExpectEqualImages<TImage>(cpu->GetOutput(), cuda->GetOutput());
  ExpectSameGeometry<TImage>(cpu->GetOutput(), cuda->GetOutput());
}

template <typename TImage>
void
CompareBothWithCpu(const TImage *     image,
                   double             radius,
                   double             foreground = 1.0,
                   itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  CompareWithCpu<Dilation>(image, radius, foreground, budget);
  CompareWithCpu<Erosion>(image, radius, foreground, budget);
}

/** An image of the values 0 to 3. */
template <typename TImage>
typename TImage::Pointer
MakeLabels(const typename TImage::SizeType & size)
{
  const auto image = TImage::New();
  image->SetRegions(size);
  image->Allocate();
  std::mt19937 random(5);
  for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const unsigned int number = random() % 100;
    it.Set(static_cast<typename TImage::PixelType>(number < 4 ? number : number < 60 ? 1 : 0));
  }
  return image;
}
/** Compares with ITK's filter and a ball of a whole number of pixels. */
template <template <typename> class TOperation, unsigned int VDimension>
void
CompareWithItk(const Mask<VDimension> * image, unsigned int radius)
{
  SCOPED_TRACE(radius);
  using Kernel = itk::FlatStructuringElement<VDimension>;
  typename Kernel::RadiusType size;
  size.Fill(radius);
  const auto itk = TOperation<Mask<VDimension>>::template Itk<Kernel>::New();
  itk->SetInput(image);
  itk->SetKernel(Kernel::Ball(size, true));
  itk->SetForegroundValue(1);
  itk->SetBackgroundValue(7);
  itk->Update();
  const auto cuda = TOperation<Mask<VDimension>>::Cuda::New();
  Prepare(*cuda, image, 1.0, 7.0);
  cuda->SetRadius(radius);
  cuda->Update();
  ExpectEqualImages<Mask<VDimension>>(itk->GetOutput(), cuda->GetOutput());
}
} // namespace

TEST(CudaBinaryBall, EqualsItkForWholeRadii)
{
  const auto plane = DrawBlobs<2>({ { 83, 61 } });
  const auto points = DrawPoints<2>({ { 83, 61 } }, 200);
  const auto labels = MakeLabels<Mask<2>>({ { 83, 61 } });
  for (const unsigned int radius : { 1u, 2u, 5u, 9u })
  {
    CompareWithItk<Dilation, 2>(labels, radius);
    CompareWithItk<Erosion, 2>(labels, radius);
    CompareWithItk<Dilation, 2>(plane, radius);
    CompareWithItk<Erosion, 2>(plane, radius);
    CompareWithItk<Dilation, 2>(points, radius);
    CompareWithItk<Erosion, 2>(points, radius);
  }
  const auto volume = DrawBlobs<3>({ { 27, 22, 19 } });
  for (const unsigned int radius : { 1u, 3u })
  {
    CompareWithItk<Dilation, 3>(volume, radius);
    CompareWithItk<Erosion, 3>(volume, radius);
  }
}

TEST(CudaBinaryBall, TakesTheBallInPhysicalUnits)
{
  for (const auto & spacing : { std::array<double, 2>{ { 0.1, 0.1 } },
                                std::array<double, 2>{ { 0.7, 1.3 } },
                                std::array<double, 2>{ { 1.0, 1.4142135623730951 } } })
  {
    const auto image = DrawPoints<2>({ { 41, 37 } }, 300);
    image->SetSpacing(spacing.data());
    for (const double radius : { 0.0, 0.3, 2.6, 4.2426406871192857 })
    {
      SCOPED_TRACE(radius);
      const auto filter = itk::CudaBinaryBallDilateImageFilter<Mask<2>>::New();
      Prepare(*filter, image.GetPointer(), 1.0, 0.0);
      filter->SetRadius(radius);
      filter->Update();
      const auto expected = DrawMask<2>({ { 41, 37 } }, [&](const itk::Index<2> & index) {
        for (itk::ImageRegionConstIteratorWithIndex<Mask<2>> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
        {
          const double x = spacing[0] * static_cast<double>(it.GetIndex()[0] - index[0]);
          const double y = spacing[1] * static_cast<double>(it.GetIndex()[1] - index[1]);
          if (it.Get() == 1 && std::hypot(x, y) <= radius * (1.0 + 1e-12))
          {
            return true;
          }
        }
        return false;
      });
      ExpectEqualImages<Mask<2>>(expected, filter->GetOutput());
    }
  }
}

// Positions far from the origin do not spoil the distances.
TEST(CudaBinaryBall, IsExactInWideImages)
{
  for (const double spacing : { 0.1, 0.7, 0.00025 })
  {
    const auto   image = DrawPoints<2>({ { 12000, 3 } }, 100);
    const double both[] = { spacing, spacing };
    image->SetSpacing(both);
    CompareWithCpu<Dilation>(image.GetPointer(), spacing);
    image->SetSpacing(itk::Vector<double, 2>(1.0));
    const auto filter = itk::BinaryBallDilateImageFilter<Mask<2>>::New();
    Prepare(*filter, image.GetPointer(), 1.0, 0.0);
    filter->Update();
    const Mask<2>::Pointer expected = filter->GetOutput();
    expected->DisconnectPipeline();
    image->SetSpacing(both);
    filter->SetRadius(spacing);
    filter->Update();
    ExpectEqualImages<Mask<2>>(expected, filter->GetOutput());
  }
}

TEST(CudaBinaryBall, CountsPixelsIfAsked)
{
  const auto   image = DrawPoints<2>({ { 41, 37 } }, 300);
  const double spacing[] = { 0.5, 3.0 };
  const auto   run = [&] {
    const auto filter = itk::CudaBinaryBallDilateImageFilter<Mask<2>>::New();
    Prepare(*filter, image.GetPointer(), 1.0, 0.0);
    filter->SetRadius(3.0);
    filter->UseImageSpacingOff();
    filter->Update();
    const Mask<2>::Pointer output = filter->GetOutput();
    output->DisconnectPipeline();
    return output;
  };
  const auto expected = run();
  image->SetSpacing(spacing);
  ExpectEqualImages<Mask<2>>(expected, run());
}

TEST(CudaBinaryBall, EqualsTheCpuForAllPixelTypes)
{
  const auto compare = [](auto pixel) {
    using Plane = itk::Image<decltype(pixel), 2>;
    const auto plane = MakeLabels<Plane>({ { 71, 45 } });
    CompareBothWithCpu(plane.GetPointer(), 1.5);
    CompareBothWithCpu(plane.GetPointer(), 2.0, 3.0);
    using Volume = itk::Image<decltype(pixel), 3>;
    const auto   volume = MakeLabels<Volume>({ { 23, 18, 37 } });
    const double spacing[] = { 0.9375, 0.9375, 1.5 };
    volume->SetSpacing(spacing);
    CompareBothWithCpu(volume.GetPointer(), 1.4, 2.0);
  };
  compare(static_cast<unsigned char>(0));
  compare(static_cast<unsigned short>(0));
  compare(static_cast<short>(0));
  compare(0.0f);
  compare(0.0);
}

TEST(CudaBinaryBall, EqualsTheCpuForDegenerateImages)
{
  for (const unsigned char value : { 0, 1 })
  {
    for (const auto & size : std::vector<itk::Size<2>>{ { { 1, 1 } }, { { 1, 40 } }, { { 40, 1 } }, { { 33, 40 } } })
    {
      CompareBothWithCpu(MakeConstantImage<Mask<2>>(size, value).GetPointer(), 3.0);
      CompareBothWithCpu(MakeConstantImage<Mask<2>>(size, value).GetPointer(), std::numeric_limits<double>::infinity());
    }
  }
  const auto image = DrawPoints<2>({ { 33, 40 } }, 50);
  CompareBothWithCpu(image.GetPointer(), 1e6);
  CompareBothWithCpu(image.GetPointer(), std::numeric_limits<double>::infinity());
}

// NaN is no object, and is not changed.
TEST(CudaBinaryBall, ErodesAroundNaN)
{
  using Floats = itk::Image<float, 2>;
  const auto image = MakeConstantImage<Floats>({ { 9, 9 } }, 1.0f);
  image->SetPixel({ { 4, 4 } }, std::numeric_limits<float>::quiet_NaN());
  const auto filter = itk::CudaBinaryBallErodeImageFilter<Floats>::New();
  Prepare(*filter, image.GetPointer(), 1.0, 0.0);
  filter->Update();
  for (itk::ImageRegionConstIteratorWithIndex<Floats> it(filter->GetOutput(), image->GetBufferedRegion());
       !it.IsAtEnd();
       ++it)
  {
    const auto x = it.GetIndex()[0] - 4;
    const auto y = it.GetIndex()[1] - 4;
    if (x == 0 && y == 0)
    {
      EXPECT_TRUE(std::isnan(it.Get()));
    }
    else
    {
      EXPECT_EQ(it.Get(), x * x + y * y <= 1 ? 0.0f : 1.0f);
    }
  }
}

TEST(CudaBinaryBall, HasTheDefaultsOfItk)
{
  using Shorts = itk::Image<short, 2>;
  EXPECT_EQ(itk::CudaBinaryBallErodeImageFilter<Shorts>::New()->GetForegroundValue(), 32767);
  EXPECT_EQ(itk::CudaBinaryBallErodeImageFilter<Shorts>::New()->GetBackgroundValue(), -32768);
  EXPECT_TRUE(itk::CudaBinaryBallDilateImageFilter<Shorts>::New()->GetUseImageSpacing());
}

// The input starts anywhere, and a part of the output is requested.
TEST(CudaBinaryBall, ComputesAllPixelsWhateverIsRequested)
{
  using Shorts = itk::Image<short, 2>;
  const auto image = MakeLabels<Shorts>({ { 41, 37 } });
  image->SetRegions(Shorts::RegionType({ { -7, 12 } }, { { 41, 37 } }));
  const auto cpu = itk::BinaryBallDilateImageFilter<Shorts, itk::Image<float, 2>>::New();
  const auto cuda = itk::CudaBinaryBallDilateImageFilter<Shorts, itk::Image<float, 2>>::New();
  const auto run = [&](auto & filter) {
    filter.SetInput(image);
    filter.SetForegroundValue(2);
    filter.SetRadius(3.5);
    filter.UpdateOutputInformation();
    filter.GetOutput()->SetRequestedRegion(Shorts::RegionType({ { 3, 20 } }, { { 5, 6 } }));
    filter.Update();
  };
  run(*cpu);
  run(*cuda);
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  EXPECT_EQ(cuda->GetOutput()->GetBufferedRegion(), image->GetLargestPossibleRegion());
  ExpectEqualImages<itk::Image<float, 2>>(cpu->GetOutput(), cuda->GetOutput());
}

TEST(CudaBinaryBall, EqualsTheCpuInTiles)
{
  CompareBothWithCpu(DrawPoints<2>({ { 97, 230 } }, 400).GetPointer(), 7.5, 1.0, 40000);
  CompareBothWithCpu(MakeLabels<itk::Image<short, 3>>({ { 33, 17, 90 } }).GetPointer(), 1.5, 1.0, 150000);
}

TEST(CudaBinaryBall, RefusesANegativeRadius)
{
  const auto filter = itk::CudaBinaryBallDilateImageFilter<Mask<2>>::New();
  EXPECT_THROW(filter->SetRadius(-1.0), itk::ExceptionObject);
  EXPECT_THROW(filter->SetRadius(std::numeric_limits<double>::quiet_NaN()), itk::ExceptionObject);
  EXPECT_EQ(filter->GetRadius(), 1.0);
}

// A closing: the pixels stay on the device between the two.
TEST(CudaBinaryBall, MakesAClosingWithoutCopiesBetween)
{
  using Backed = itk::CudaBackedImage<unsigned char, 2>;
  const auto mask = DrawBlobs<2>({ { 83, 61 } });
  const auto dilation = itk::CudaBinaryBallDilateImageFilter<Mask<2>, Backed>::New();
  dilation->SetInput(mask);
  dilation->SetForegroundValue(1);
  dilation->SetRadius(4.0);
  const auto erosion = itk::CudaBinaryBallErodeImageFilter<Backed, Mask<2>>::New();
  erosion->SetInput(dilation->GetOutput());
  erosion->SetForegroundValue(1);
  erosion->SetBackgroundValue(0);
  erosion->SetRadius(4.0);
  const auto before = itk::CudaInterface::GetCopyCounters();
  erosion->Update();
  const auto copies = itk::CudaInterface::GetCopyCounters() - before;
  EXPECT_EQ(copies.Uploads, HasDevice() ? 1u : 0u);
  EXPECT_EQ(copies.Downloads, HasDevice() ? 1u : 0u);

  const auto cpuDilation = itk::BinaryBallDilateImageFilter<Mask<2>>::New();
  const auto cpuErosion = itk::BinaryBallErodeImageFilter<Mask<2>>::New();
  Prepare(*cpuDilation, mask.GetPointer(), 1.0, 0.0);
  Prepare(*cpuErosion, static_cast<const Mask<2> *>(cpuDilation->GetOutput()), 1.0, 0.0);
  cpuDilation->SetRadius(4.0);
  cpuErosion->SetRadius(4.0);
  cpuErosion->Update();
  ExpectEqualImages<Mask<2>>(cpuErosion->GetOutput(), erosion->GetOutput());
}
