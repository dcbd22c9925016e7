// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaWindingBand.h"
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace
{
using namespace itk::CudaTest;

template <typename TInput, typename TPixel>
struct Filters
{
  using Output = itk::Image<TPixel, TInput::ImageDimension>;
  using Cpu = itk::ConnectedComponentImageFilter<TInput, Output>;
  using Cuda = itk::CudaConnectedComponentImageFilter<TInput, Output>;
};

/** Compares with ITK's filter, for both connectivities. Returns the number of objects with full connectivity. */
template <typename TPixel = unsigned int, typename TInput = Mask<2>>
itk::IdentifierType
CompareWithItk(const TInput * image, typename TInput::ConstPointer mask = nullptr, TPixel background = 0)
{
  using Types = Filters<TInput, TPixel>;
  itk::IdentifierType objects = 0;
  for (const bool isFull : { false, true })
  {
    SCOPED_TRACE(isFull ? "diagonal neighbours are connected" : "diagonal neighbours are not connected");
    const auto cpu = Types::Cpu::New();
    const auto cuda = Types::Cuda::New();
    const auto run = [&](auto & filter) {
      filter.SetInput(image);
      if (mask != nullptr)
      {
        filter.SetMaskImage(mask);
      }
      filter.SetBackgroundValue(background);
      filter.SetFullyConnected(isFull);
      filter.Update();
    };
    run(*cpu);
    run(*cuda);
    EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
    EXPECT_EQ(cpu->GetObjectCount(), cuda->GetObjectCount());
    ExpectEqualImages<typename Types::Output>(cpu->GetOutput(), cuda->GetOutput());
    ExpectSameGeometry<typename Types::Output>(cpu->GetOutput(), cuda->GetOutput());
    objects = cuda->GetObjectCount();
  }
  return objects;
}

/** Draws a mask by a function of the index. */
template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
Draw(const itk::Size<VDimension> & size, const std::function<bool(const itk::Index<VDimension> &)> & isObject)
{
  const auto mask = MakeConstantImage<Mask<VDimension>>(size, 0);
  for (itk::ImageRegionIteratorWithIndex<Mask<VDimension>> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(isObject(it.GetIndex()) ? 255 : 0);
  }
  return mask;
}

template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawNoise(const itk::Size<VDimension> & size, double density, unsigned int seed = 1)
{
  std::mt19937                random(seed);
  std::bernoulli_distribution isObject(density);
  return Draw<VDimension>(size, [&](const itk::Index<VDimension> &) { return isObject(random); });
}

/** Walls at every other pixel, with gaps: paths that wind through the whole image. */
template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawMaze(const itk::Size<VDimension> & size)
{
  std::mt19937 random(7);
  return Draw<VDimension>(size, [&](const itk::Index<VDimension> & index) {
    unsigned int odd = 0;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      odd += index[axis] % 2;
    }
    return odd == 0 || (odd == 1 && random() % 3 > 0);
  });
}

/** A path one pixel thick that visits every other row of every other slice. */
Mask<3>::Pointer
DrawSnake(const itk::Size<3> & size)
{
  const auto width = static_cast<long>(size[0]);
  const auto height = static_cast<long>(size[1]);
  return Draw<3>(size, [&](const itk::Index<3> & index) {
    const long x = index[0];
    const long y = index[1];
    const long z = index[2];
    if (z % 2 == 1)
    {
      return y == (z / 2 % 2 == 0 ? (height - 1) / 2 * 2 : 0) && x == 0;
    }
    return y % 2 == 0 || x == (y / 2 % 2 == 0 ? width - 1 : 0);
  });
}
} // namespace

TEST(CudaConnectedComponent, EqualsItkOnNoise)
{
  for (int tenths = 1; tenths < 10; ++tenths)
  {
    SCOPED_TRACE(tenths);
    CompareWithItk(DrawNoise<2>({ { 161, 139 } }, 0.1 * tenths, tenths).GetPointer());
    CompareWithItk<unsigned int>(DrawNoise<3>({ { 137, 19, 21 } }, 0.1 * tenths, tenths).GetPointer());
  }
}

TEST(CudaConnectedComponent, EqualsItkForSizesThatAreMultiplesOfNothing)
{
  for (const unsigned int width : { 1u, 2u, 31u, 32u, 33u, 127u, 129u })
  {
    for (const unsigned int height : { 1u, 2u, 3u, 17u })
    {
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
      CompareWithItk(DrawNoise<2>({ { width, height } }, 0.5, width + height).GetPointer());
      for (const unsigned int depth : { 1u, 2u, 5u })
      {
        CompareWithItk<unsigned int>(DrawNoise<3>({ { width, height, depth } }, 0.3, width + height).GetPointer());
      }
    }
  }
  CompareWithItk(DrawNoise<2>({ { 20011, 3 } }, 0.4).GetPointer());
  CompareWithItk(DrawNoise<2>({ { 3, 2003 } }, 0.4).GetPointer());
}

TEST(CudaConnectedComponent, EqualsItkOnPatterns)
{
  const itk::Size<3> size{ { 131, 35, 19 } };
  using Index = itk::Index<3>;
  const std::vector<std::pair<std::string, Mask<3>::Pointer>> volumes{
    { "chess", Draw<3>(size, [](const Index & i) { return (i[0] + i[1] + i[2]) % 2 == 0; }) },
    { "blocks", Draw<3>(size, [](const Index & i) { return i[0] % 16 < 12 && i[1] % 16 < 12; }) },
    { "alternate", Draw<3>(size, [](const Index & i) { return i[0] % 2 == 0; }) },
    { "isolated", Draw<3>(size, [](const Index & i) { return i[0] % 2 + i[1] % 2 + i[2] % 2 == 0; }) },
    { "full", Draw<3>(size, [](const Index &) { return true; }) },
    { "empty", Draw<3>(size, [](const Index &) { return false; }) },
    { "snake", DrawSnake(size) },
    { "maze", DrawMaze<3>(size) },
    { "blobs", DrawBlobs<3>(size) }
  };
  for (const auto & [name, volume] : volumes)
  {
    SCOPED_TRACE(name);
    const itk::IdentifierType objects = CompareWithItk<unsigned int>(volume.GetPointer());
    if (name == "chess" || name == "full" || name == "snake")
    {
      EXPECT_EQ(objects, 1u);
    }
  }
  CompareWithItk(DrawMaze<2>({ { 259, 141 } }).GetPointer());
  CompareWithItk(DrawBlobs<2>({ { 259, 141 } }).GetPointer());
  for (const auto & [name, draw] : GetPlaneDrawings())
  {
    SCOPED_TRACE(name);
    CompareWithItk(draw({ { 150, 140 } }).GetPointer());
  }
}

/** A band that winds through the whole image, in both directions. */
TEST(CudaConnectedComponent, EqualsItkOnSpirals)
{
  const itk::Size<2> size{ { 165, 151 } };
  const auto         spiral = Draw<2>(size, [&](const itk::Index<2> & i) {
    const auto width = static_cast<long>(size[0]);
    const auto height = static_cast<long>(size[1]);
    const long ring = std::min({ i[0], i[1], width - 1 - i[0], height - 1 - i[1] });
    return ring % 2 == 0 ? !(i[0] == ring && i[1] == ring + 1) : i[0] == ring && i[1] == ring + 1;
  });
  CompareWithItk(spiral.GetPointer());
}

/** An object whose first pixel is not in the first group of rows that it has pixels in; and pairs of such. */
TEST(CudaConnectedComponent, NumbersObjectsByTheirFirstPixels)
{
  const auto plane = Draw<2>({ { 200, 6 } }, [](const itk::Index<2> & i) {
    return i[1] == (i[0] % 7 == 3 ? 0 : i[0] % 7 == 1 ? 1 : -1) || (i[1] == 3 && i[0] % 2 == 0);
  });
  CompareWithItk(plane.GetPointer());
  const auto volume = Draw<3>({ { 70, 40, 4 } }, [](const itk::Index<3> & i) {
    const bool isRising = i[0] % 4 == 0 && ((i[2] == 1 && i[1] < 30) || (i[2] == 0 && i[1] == 29));
    const bool isFlat = i[0] % 4 == 2 && i[2] == 0 && i[1] == (i[0] * 7) % 40;
    return isRising || isFlat;
  });
  CompareWithItk<unsigned int>(volume.GetPointer());
}

TEST(CudaConnectedComponent, EqualsItkForAllPixelTypes)
{
  const auto mask = DrawNoise<2>({ { 67, 45 } }, 0.4);
  const auto compare = [&](auto pixel) {
    using Pixel = decltype(pixel);
    const auto image = itk::Image<Pixel, 2>::New();
    image->CopyInformation(mask);
    image->SetRegions(mask->GetBufferedRegion());
    image->Allocate();
    itk::ImageRegionConstIterator<Mask<2>>         from(mask, mask->GetBufferedRegion());
    itk::ImageRegionIterator<itk::Image<Pixel, 2>> to(image, mask->GetBufferedRegion());
    for (std::size_t i = 0; !to.IsAtEnd(); ++from, ++to, ++i)
    {
      // Pixels that differ from 0 in one of their bytes only, or by their sign.
      const auto huge = static_cast<Pixel>(Pixel(1) * (i % 2 == 0 ? 1 : std::numeric_limits<Pixel>::max() / 2 + 1));
      to.Set(from.Get() != 0 ? (i % 3 == 0 ? static_cast<Pixel>(-1) : huge) : Pixel{});
    }
    CompareWithItk<unsigned short>(image.GetPointer());
  };
  compare(char{});
  compare(static_cast<unsigned char>(0));
  compare(short{});
  compare(static_cast<unsigned short>(0));
  compare(int{});
  compare(0u);
  compare(0l);
  compare(0ull);
  compare(0.0f);
  compare(0.0);
}

TEST(CudaConnectedComponent, EqualsItkForAllOutputTypes)
{
  const auto mask = DrawNoise<2>({ { 61, 17 } }, 0.05);
  CompareWithItk<unsigned char>(mask.GetPointer());
  CompareWithItk<signed char>(mask.GetPointer());
  CompareWithItk<short>(mask.GetPointer());
  CompareWithItk<unsigned short>(mask.GetPointer());
  CompareWithItk<int>(mask.GetPointer());
  CompareWithItk<unsigned long>(mask.GetPointer());
  CompareWithItk<long>(mask.GetPointer());
}

TEST(CudaConnectedComponent, EqualsItkForInfinityAndRefusesNaN)
{
  using Real = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Real>({ { 67, 41 } });
  for (itk::ImageRegionIterator<Real> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const float infinity = std::numeric_limits<float>::infinity();
    it.Set(it.Get() > 200.0f ? infinity : it.Get() > 150.0f ? -infinity : it.Get() > 128.0f ? -0.0f : 0.0f);
  }
  CompareWithItk<unsigned int>(image.GetPointer());

  const auto update = [](const Real * input, const Real * mask, itk::SizeValueType budget) {
    const auto filter = itk::CudaConnectedComponentImageFilter<Real, itk::Image<unsigned int, 2>, Real>::New();
    filter->SetInput(input);
    filter->SetMaskImage(mask);
    filter->SetCudaInterface(itk::CudaInterface::New());
    filter->GetCudaInterface()->SetMemoryBudget(budget);
    filter->Update();
  };
  const auto strange = MakeRandomImage<Real>({ { 67, 41 } });
  strange->SetPixel({ { 66, 40 } }, std::numeric_limits<float>::quiet_NaN());
  for (const itk::SizeValueType budget : { 0, 10000 })
  {
    EXPECT_NE(GetExceptionOf([&] { update(strange, image, budget); }).find("NaN"), std::string::npos);
    EXPECT_NE(GetExceptionOf([&] { update(image, strange, budget); }).find("NaN"), std::string::npos);
    update(image, image, budget);
  }
}

TEST(CudaConnectedComponent, LeavesOutTheBackgroundValue)
{
  const auto mask = DrawNoise<2>({ { 61, 43 } }, 0.1);
  for (const int background : { -3, 0, 1, 20, 100000 })
  {
    CompareWithItk<int>(mask.GetPointer(), nullptr, background);
  }
  CompareWithItk<unsigned int>(mask.GetPointer(), nullptr, 4294967295u);
}

TEST(CudaConnectedComponent, ConsidersTheMaskOnly)
{
  CompareWithItk(DrawNoise<2>({ { 161, 43 } }, 0.6, 1).GetPointer(),
                 DrawNoise<2>({ { 161, 43 } }, 0.8, 2).GetPointer());
  CompareWithItk<unsigned int>(DrawNoise<3>({ { 61, 43, 13 } }, 0.6, 1).GetPointer(),
                               DrawBlobs<3>({ { 61, 43, 13 } }).GetPointer());
}

TEST(CudaConnectedComponent, MayStartAtAnyIndex)
{
  const auto         mask = DrawNoise<2>({ { 45, 33 } }, 0.5);
  Mask<2>::IndexType start{ { -7, 12 } };
  mask->SetRegions(Mask<2>::RegionType(start, mask->GetBufferedRegion().GetSize()));
  CompareWithItk(mask.GetPointer());
}

/** Compares runs in tiles with ITK's filter. */
template <unsigned int VDimension>
void
CompareInTiles(const Mask<VDimension> * image, itk::SizeValueType budget, const std::vector<int> & devices = { 0 })
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "tiles are for devices";
  }
  using Types = Filters<Mask<VDimension>, unsigned int>;
  for (const bool isFull : { false, true })
  {
    SCOPED_TRACE(isFull ? "diagonal neighbours are connected" : "diagonal neighbours are not connected");
    const auto cpu = Types::Cpu::New();
    const auto cuda = Types::Cuda::New();
    cuda->SetCudaInterface(itk::CudaInterface::New());
    cuda->GetCudaInterface()->SetMemoryBudget(budget);
    cuda->GetCudaInterface()->SetDeviceNumbers(devices);
    const auto run = [&](auto & filter) {
      filter.SetInput(image);
      filter.SetFullyConnected(isFull);
      filter.SetBackgroundValue(2);
      filter.Update();
    };
    run(*cpu);
    run(*cuda);
    EXPECT_TRUE(cuda->GetExecutedOnDevice()) << cuda->GetExecutedOn();
    EXPECT_GT(cuda->GetNumberOfTiles(), 12u);
    EXPECT_EQ(cpu->GetObjectCount(), cuda->GetObjectCount());
    ExpectEqualImages<typename Types::Output>(cpu->GetOutput(), cuda->GetOutput());
  }
}

TEST(CudaConnectedComponent, EqualsItkInTiles)
{
  const itk::Size<3> size{ { 37, 11, 14 } };
  using Index = itk::Index<3>;
  for (const double density : { 0.1, 0.3, 0.6 })
  {
    SCOPED_TRACE(density);
    CompareInTiles<2>(DrawNoise<2>({ { 71, 43 } }, density), 10000);
    CompareInTiles<3>(DrawNoise<3>(size, density), 30000);
  }
  CompareInTiles<3>(Draw<3>(size, [](const Index & i) { return (i[0] + i[1] + i[2]) % 2 == 0; }), 30000);
  CompareInTiles<3>(Draw<3>(size, [](const Index &) { return true; }), 30000);
  CompareInTiles<3>(Draw<3>(size, [](const Index &) { return false; }), 30000);
  CompareInTiles<3>(DrawSnake(size), 30000);
  CompareInTiles<3>(DrawMaze<3>(size), 30000);
  CompareInTiles<2>(DrawMaze<2>({ { 71, 43 } }), 10000);
}

TEST(CudaConnectedComponent, IsSharedByDevices)
{
  const int devices = itk::CudaInterface::GetNumberOfDevices();
  if (devices < 2)
  {
    GTEST_SKIP() << "needs two devices";
  }
  CompareInTiles<3>(DrawNoise<3>({ { 37, 11, 14 } }, 0.3), 30000, { 0, 1 });
  if (devices > 2)
  {
    CompareInTiles<3>(DrawMaze<3>({ { 37, 11, 14 } }), 30000, { 2, 0, 1 });
  }
}

TEST(CudaConnectedComponent, TellsThatTheOutputTypeIsTooSmall)
{
  const auto mask = Draw<2>({ { 64, 32 } }, [](const itk::Index<2> & i) { return i[0] % 2 == 0 && i[1] % 2 == 0; });
  using Types = Filters<Mask<2>, unsigned char>;
  const auto run = [&](auto filter) {
    filter->SetInput(mask);
    return GetExceptionOf([&] { filter->Update(); });
  };
  const std::string expected = run(Types::Cpu::New());
  EXPECT_NE(expected.find("512"), std::string::npos);
  const std::string actual = run(Types::Cuda::New());
  EXPECT_NE(actual.find(expected.substr(expected.find("Number of objects"))), std::string::npos) << actual;
}

TEST(CudaConnectedComponent, HasNoObjectsInAnEmptyImage)
{
  const auto filter = Filters<Mask<2>, unsigned int>::Cuda::New();
  filter->SetInput(MakeConstantImage<Mask<2>>({ { 0, 5 } }, 1));
  filter->Update();
  EXPECT_EQ(filter->GetObjectCount(), 0u);
}

TEST(CudaConnectedComponent, RefusesAMaskOfAnotherSize)
{
  const auto filter = Filters<Mask<2>, unsigned int>::Cuda::New();
  filter->SetInput(DrawNoise<2>({ { 31, 20 } }, 0.5));
  filter->SetMaskImage(DrawNoise<2>({ { 30, 20 } }, 0.5));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
}

TEST(CudaConnectedComponent, ReadsALargerMask)
{
  const auto image = DrawNoise<2>({ { 31, 20 } }, 0.5);
  const auto mask = DrawNoise<2>({ { 40, 33 } }, 0.7);
  using Types = Filters<Mask<2>, unsigned int>;
  const auto cpu = Types::Cpu::New();
  const auto cuda = Types::Cuda::New();
  const auto run = [&](auto & filter) {
    filter.SetInput(image);
    filter.SetMaskImage(mask);
    filter.Update();
  };
  run(*cpu);
  run(*cuda);
  ExpectEqualImages<Types::Output>(cpu->GetOutput(), cuda->GetOutput());
  EXPECT_EQ(cpu->GetObjectCount(), cuda->GetObjectCount());
}

TEST(CudaConnectedComponent, IsTheSameInEachRun)
{
  const auto mask = DrawNoise<2>({ { 161, 99 } }, 0.6);
  using Types = Filters<Mask<2>, unsigned int>;
  const auto filter = Types::Cuda::New();
  filter->SetInput(mask);
  filter->Update();
  const Types::Output::Pointer first = filter->GetOutput();
  first->DisconnectPipeline();
  for (int i = 0; i < 100; ++i)
  {
    filter->Modified();
    filter->Update();
    ExpectEqualImages<Types::Output>(first, filter->GetOutput());
  }
}

TEST(CudaConnectedComponent, CountsAgainAfterAChange)
{
  const auto filter = Filters<Mask<2>, unsigned int>::Cuda::New();
  filter->SetInput(DrawNoise<2>({ { 31, 20 } }, 0.5));
  filter->Update();
  EXPECT_GT(filter->GetObjectCount(), 1u);
  filter->SetInput(MakeConstantImage<Mask<2>>({ { 31, 20 } }, 1));
  filter->Update();
  EXPECT_EQ(filter->GetObjectCount(), 1u);
  const auto settings = itk::CudaInterface::New();
  settings->SetBackend(itk::CudaBackendEnum::CPU);
  filter->SetCudaInterface(settings);
  filter->SetInput(MakeConstantImage<Mask<2>>({ { 31, 20 } }, 0));
  filter->Update();
  EXPECT_EQ(filter->GetObjectCount(), 0u);
}
