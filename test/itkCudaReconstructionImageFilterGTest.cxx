// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaReconstructionByErosionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaWindingBand.h"
#include "itkImageDuplicator.h"
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>

namespace
{
using namespace itk::CudaTest;
using Strategy = itk::CudaReconstructionStrategyEnum;
using Bytes = itk::Image<unsigned char, 2>;

/** Automatic stands for TileSweeps, too. */
constexpr Strategy Strategies[] = { Strategy::Automatic, Strategy::LineSweeps, Strategy::TileDiagonals };

/** ITK's filter and ours, by dilation or by erosion. */
template <typename TImage>
struct ByDilation
{
  static constexpr bool IsErosion = false;
  using Cpu = itk::ReconstructionByDilationImageFilter<TImage, TImage>;
  using Cuda = itk::CudaReconstructionByDilationImageFilter<TImage, TImage>;
};
template <typename TImage>
struct ByErosion
{
  static constexpr bool IsErosion = true;
  using Cpu = itk::ReconstructionByErosionImageFilter<TImage, TImage>;
  using Cuda = itk::CudaReconstructionByErosionImageFilter<TImage, TImage>;
};

/** Steps of a quarter, and not too many: ITK's filter takes pixels for equal that differ by less than some units in the
 * last place. */
template <typename TImage>
typename TImage::Pointer
MakeSteps(const typename TImage::SizeType & size, unsigned int seed, long firstIndex = 0)
{
  using PixelType = typename TImage::PixelType;
  const auto image = MakeRandomImage<TImage>(size, seed, firstIndex);
  if (std::is_floating_point<PixelType>::value)
  {
    for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      it.Set(static_cast<PixelType>(std::floor(it.Get() * 4) / 4));
    }
  }
  return image;
}

/** Cuts a marker where it goes beyond the mask. */
template <typename TImage>
void
Cut(TImage & marker, const TImage & mask, bool isErosion)
{
  itk::ImageRegionConstIterator<TImage> maskIt(&mask, mask.GetBufferedRegion());
  for (itk::ImageRegionIterator<TImage> it(&marker, mask.GetBufferedRegion()); !it.IsAtEnd(); ++it, ++maskIt)
  {
    it.Set(isErosion ? std::max(it.Get(), maskIt.Get()) : std::min(it.Get(), maskIt.Get()));
  }
}

/** How often each case is to be run again, to see that the result does not depend on who comes first. */
int
GetRepetitions()
{
  const char * const wanted = std::getenv("CUDAFILTERS_TEST_REPEAT");
  return wanted != nullptr ? std::atoi(wanted) : 0;
}

/** As ITK's filter in all ways that there are. */
template <template <typename> class TKind, typename TImage>
void
CompareWithItk(const TImage *     marker,
               const TImage *     mask,
               itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  for (const bool isFull : { false, true })
  {
    const auto cpu = TKind<TImage>::Cpu::New();
    cpu->SetMarkerImage(marker);
    cpu->SetMaskImage(mask);
    cpu->SetFullyConnected(isFull);
    cpu->Update();
    for (const Strategy strategy : Strategies)
    {
      if ((!HasDevice() || budget != itk::CudaInterface::NoMemoryBudget) && strategy != Strategy::Automatic)
      {
        continue;
      }
      SCOPED_TRACE(::testing::Message() << strategy << (isFull ? ", fully connected" : ", by faces"));
      const auto cuda = TKind<TImage>::Cuda::New();
      const auto interface = itk::CudaInterface::New();
      interface->SetMemoryBudget(budget);
      cuda->SetCudaInterface(interface);
      cuda->SetMarkerImage(marker);
      cuda->SetMaskImage(mask);
      cuda->SetFullyConnected(isFull);
      cuda->SetStrategy(strategy);
      cuda->Update();
      EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
      if (HasDevice() && budget != itk::CudaInterface::NoMemoryBudget)
      {
        EXPECT_GT(cuda->GetNumberOfTiles(), 1u);
      }
      ExpectEqualImages<TImage>(cpu->GetOutput(), cuda->GetOutput());
      ExpectSameGeometry<TImage>(cpu->GetOutput(), cuda->GetOutput());
      for (int i = 0; i < GetRepetitions() && !::testing::Test::HasFailure(); ++i)
      {
        cuda->Modified();
        cuda->Update();
        ExpectEqualImages<TImage>(cpu->GetOutput(), cuda->GetOutput());
      }
    }
  }
}

/** By dilation and by erosion, from a marker that is cut for either. */
template <typename TImage>
void
CompareBothWithItk(const TImage *     marker,
                   const TImage *     mask,
                   itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  const auto cut = [&](bool isErosion) {
    const auto copy = itk::ImageDuplicator<TImage>::New();
    copy->SetInputImage(marker);
    copy->Update();
    Cut(*copy->GetOutput(), *mask, isErosion);
    return typename TImage::ConstPointer(copy->GetOutput());
  };
  CompareWithItk<ByDilation>(cut(false).GetPointer(), mask, budget);
  CompareWithItk<ByErosion>(cut(true).GetPointer(), mask, budget);
}

/** A maze of passages one pixel wide: from each cell, a passage goes back along one of the axes. */
Bytes::Pointer
MakeMaze(itk::SizeValueType side)
{
  const auto   image = MakeConstantImage<Bytes>({ { side, side } }, 10);
  std::mt19937 random(3);
  for (itk::IndexValueType y = 0; y < static_cast<itk::IndexValueType>(side); y += 2)
  {
    for (itk::IndexValueType x = 0; x < static_cast<itk::IndexValueType>(side); x += 2)
    {
      const bool isAlongX = y == 0 || (x != 0 && random() % 2 == 0);
      image->SetPixel({ { x, y } }, 200);
      if (x != 0 || y != 0)
      {
        image->SetPixel({ { isAlongX ? x - 1 : x, isAlongX ? y : y - 1 } }, 150);
      }
    }
  }
  return image;
}

/** What reconstruction is, pixel by pixel: a pixel after the other takes what it can, until none can. */
template <typename TImage>
typename TImage::Pointer
ReconstructByDefinition(const TImage * marker, const TImage * mask)
{
  const auto duplicator = itk::ImageDuplicator<TImage>::New();
  duplicator->SetInputImage(marker);
  duplicator->Update();
  const typename TImage::Pointer image = duplicator->GetOutput();
  const auto                     region = image->GetBufferedRegion();
  for (bool changes = true; changes;)
  {
    changes = false;
    for (itk::ImageRegionIteratorWithIndex<TImage> it(image, region); !it.IsAtEnd(); ++it)
    {
      auto highest = it.Get();
      for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
      {
        for (const int step : { -1, 1 })
        {
          auto index = it.GetIndex();
          index[axis] += step;
          highest = region.IsInside(index) ? std::max(highest, image->GetPixel(index)) : highest;
        }
      }
      highest = std::min(highest, mask->GetPixel(it.GetIndex()));
      changes = changes || highest != it.Get();
      it.Set(highest);
    }
  }
  return image;
}

/** A filter with random images, and an interface of its own. */
ByDilation<Bytes>::Cuda::Pointer
MakeFilterOnNoise(Bytes::SizeType size, itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  const auto mask = MakeRandomImage<Bytes>(size, 1);
  const auto marker = MakeRandomImage<Bytes>(size, 2);
  Cut(*marker, *mask, false);
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(budget);
  const auto filter = ByDilation<Bytes>::Cuda::New();
  filter->SetCudaInterface(interface);
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  return filter;
}
} // namespace

template <typename TImage>
class CudaReconstruction : public ::testing::Test
{};
TYPED_TEST_SUITE(CudaReconstruction, KernelImageTypes);

TYPED_TEST(CudaReconstruction, EqualsItkForAllSizes)
{
  unsigned int seed = 1;
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << size);
    const auto mask = MakeSteps<TypeParam>(size, ++seed, -3);
    const auto marker = MakeSteps<TypeParam>(size, ++seed, -3);
    CompareBothWithItk<TypeParam>(marker, mask);
  }
}

TYPED_TEST(CudaReconstruction, EqualsItkAwayFromTheBorder)
{
  // The smallest image with a tile that, and whose surroundings, do not touch its border.
  typename TypeParam::SizeType size;
  size.Fill(65);
  if (TypeParam::ImageDimension == 3)
  {
    size[1] = 17;
    size[TypeParam::ImageDimension - 1] = 9;
  }
  const auto mask = MakeSteps<TypeParam>(size, 7);
  const auto marker = MakeSteps<TypeParam>(size, 8);
  CompareBothWithItk<TypeParam>(marker, mask);
}

template <typename TImage>
void
CompareOnABrain()
{
  const auto mask = ReadBrain<TImage>();
  const auto marker = ReadBrain<TImage>();
  for (itk::ImageRegionIterator<TImage> it(marker, marker->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    // Both above and below the mask, to be cut for one or the other.
    it.Set(static_cast<typename TImage::PixelType>((it.GetIndex()[0] / 16 + it.GetIndex()[1] / 16) % 2 == 0
                                                     ? std::max(0, int(it.Get()) - 30)
                                                     : std::min(255, int(it.Get()) + 30)));
  }
  CompareBothWithItk<TImage>(marker, mask);
}

TEST(CudaReconstruction2D, EqualsItkOnABrain) { CompareOnABrain<Bytes>(); }

TEST(CudaReconstruction3D, EqualsItkOnABrain) { CompareOnABrain<itk::Image<short, 3>>(); }

TEST(CudaReconstruction2D, EqualsItkOnTissue)
{
  const char * const folder = std::getenv("CUDAFILTERS_TEST_DATA");
  if (folder == nullptr)
  {
    GTEST_SKIP() << "the folder with 50-percent-marker.jpg and 50-percent-mask.jpg is to be in CUDAFILTERS_TEST_DATA";
  }
  const auto mask = itk::ReadImage<Bytes>(std::string(folder) + "/50-percent-mask.jpg");
  const auto marker = itk::ReadImage<Bytes>(std::string(folder) + "/50-percent-marker.jpg");
  CompareBothWithItk<Bytes>(marker, mask);
  CompareBothWithItk<Bytes>(marker, mask, mask->GetBufferedRegion().GetNumberOfPixels());
}

TYPED_TEST(CudaReconstruction, EqualsItkInTiles)
{
  using PixelType = typename TypeParam::PixelType;
  constexpr bool               isPlane = TypeParam::ImageDimension == 2;
  typename TypeParam::SizeType size;
  size.Fill(isPlane ? 101 : 19);
  const auto mask = MakeSteps<TypeParam>(size, 5, 2);
  const auto marker = MakeSteps<TypeParam>(size, 6, 2);
  // Long ways, so that it takes more than one visit.
  for (itk::ImageRegionIterator<TypeParam> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (it.GetIndex()[0] % 3 == 0 || it.GetIndex()[1] % 7 == 0)
    {
      it.Set(static_cast<PixelType>(100));
    }
  }
  CompareBothWithItk<TypeParam>(
    marker, mask, 3 * mask->GetBufferedRegion().GetNumberOfPixels() * sizeof(PixelType) / 2);
}

TEST(CudaReconstruction2D, FollowsTheLongestWay)
{
  const auto mask = MakeConstantImage<Bytes>({ { 131, 131 } }, 0);
  const auto marker = MakeConstantImage<Bytes>({ { 131, 131 } }, 0);
  const auto end = DrawWindingBand(*mask, 3, 200);
  marker->SetPixel({ { 0, 0 } }, 150);
  CompareWithItk<ByDilation, Bytes>(marker, mask);
  // The other way round, and tile by tile.
  marker->SetPixel({ { 0, 0 } }, 0);
  marker->SetPixel(end, 150);
  CompareWithItk<ByDilation, Bytes>(marker, mask, 40000);
}

TEST(CudaReconstruction2D, FindsTheWayThroughAMaze)
{
  const auto mask = MakeMaze(121);
  const auto marker = MakeConstantImage<Bytes>({ { 121, 121 } }, 0);
  marker->SetPixel({ { 120, 120 } }, 200);
  marker->SetPixel({ { 0, 120 } }, 120);
  CompareWithItk<ByDilation, Bytes>(marker, mask);
}

TEST(CudaReconstruction2D, FloodsFromOneSeed)
{
  const auto mask = MakeConstantImage<Bytes>({ { 203, 77 } }, 90);
  const auto marker = MakeConstantImage<Bytes>({ { 203, 77 } }, 0);
  marker->SetPixel({ { 101, 40 } }, 90);
  CompareWithItk<ByDilation, Bytes>(marker, mask);
}

TEST(CudaReconstruction2D, VisitsOnlyTilesWhereSomethingCanChange)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device";
  }
  const auto mask = MakeRandomImage<Bytes>({ { 320, 320 } });
  const auto filter = ByDilation<Bytes>::Cuda::New();
  filter->SetMarkerImage(mask);
  filter->SetMaskImage(mask);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfDeviceTiles(), 100u);
  EXPECT_EQ(filter->GetNumberOfVisits(), 0u);
  ExpectEqualImages<Bytes>(mask, filter->GetOutput());

  // A hole in the middle of a tile concerns this tile alone.
  const auto marker = MakeRandomImage<Bytes>({ { 320, 320 } });
  marker->SetPixel({ { 100, 100 } }, 0);
  filter->SetMarkerImage(marker);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfVisits(), 1u);
}

TEST(CudaReconstruction2D, TellsAllValuesFromEachOther)
{
  using Plane = itk::Image<float, 2>;
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device: ITK's filter does not";
  }
  const auto   mask = MakeRandomImage<Plane>({ { 65, 43 } }, 1);
  const auto   marker = MakeRandomImage<Plane>({ { 65, 43 } }, 2);
  std::mt19937 random(4);
  for (itk::ImageRegionIterator<Plane> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    // Neighbours in the order of floats.
    it.Set(1.0f + static_cast<float>(random() % 16) * std::numeric_limits<float>::epsilon());
  }
  Cut(*marker, *mask, false);
  const auto filter = ByDilation<Plane>::Cuda::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  filter->Update();
  ExpectEqualImages<Plane>(ReconstructByDefinition<Plane>(marker, mask), filter->GetOutput());
}

TEST(CudaReconstruction2D, IsTheSameEveryTime)
{
  const auto filter = MakeFilterOnNoise({ { 301, 203 } });
  filter->Update();
  const Bytes::Pointer first = filter->GetOutput();
  first->DisconnectPipeline();
  const bool isEmulated = filter->GetExecutedOn().find("Emulated") != std::string::npos;
  for (int i = 0; i < (isEmulated || !filter->GetExecutedOnDevice() ? 2 : 100); ++i)
  {
    filter->Modified();
    filter->Update();
    ExpectEqualImages<Bytes>(first, filter->GetOutput());
  }
}

TEST(CudaReconstruction2D, ReportsProgress)
{
  for (const itk::SizeValueType budget : { itk::CudaInterface::NoMemoryBudget + 0, itk::SizeValueType(20000) })
  {
    const auto         filter = MakeFilterOnNoise({ { 101, 83 } }, budget);
    std::vector<float> progress;
    filter->AddObserver(itk::ProgressEvent(),
                        [&](const itk::EventObject &) { progress.push_back(filter->GetProgress()); });
    filter->Update();
    ASSERT_FALSE(progress.empty());
    if (HasDevice())
    {
      EXPECT_GT(progress.front(), 0.0f);
      EXPECT_EQ(progress.back(), 1.0f);
      EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
      EXPECT_GT(progress.size(), filter->GetNumberOfTiles());
      EXPECT_EQ(filter->GetNumberOfTiles() > 1, budget == 20000);
    }
    filter->RemoveAllObservers();
  }
}

TEST(CudaReconstruction2D, StopsWhenAborted)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "ITK's filter does not stop";
  }
  for (const itk::SizeValueType budget : { itk::CudaInterface::NoMemoryBudget + 0, itk::SizeValueType(20000) })
  {
    const auto filter = MakeFilterOnNoise({ { 101, 83 } }, budget);
    const auto tag = filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (filter->GetProgress() > 0.3f)
      {
        filter->AbortGenerateDataOn();
      }
    });
    EXPECT_THROW(filter->Update(), itk::ProcessAborted);

    filter->RemoveObserver(tag);
    filter->AbortGenerateDataOff();
    filter->Modified();
    filter->Update();
    EXPECT_EQ(filter->GetNumberOfTiles() > 1, budget == 20000);
    ExpectEqualImages<Bytes>(ReconstructByDefinition<Bytes>(filter->GetMarkerImage(), filter->GetMaskImage()),
                             filter->GetOutput());
  }
}

TEST(CudaReconstruction2D, IsSharedByDevices)
{
  if (itk::CudaInterface::GetNumberOfDevices() < 2)
  {
    GTEST_SKIP() << "needs two devices";
  }
  const auto filter = MakeFilterOnNoise({ { 121, 97 } }, 20000);
  filter->GetCudaInterface()->SetDeviceNumbers({ 1, 0 });
  filter->Update();
  EXPECT_NE(filter->GetExecutedOn().find("shared"), std::string::npos) << filter->GetExecutedOn();
  EXPECT_GT(filter->GetNumberOfTiles(), 2u);
  ExpectEqualImages<Bytes>(ReconstructByDefinition<Bytes>(filter->GetMarkerImage(), filter->GetMaskImage()),
                           filter->GetOutput());
}

TEST(CudaReconstruction2D, WorksInTilesOnePixelThick)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device";
  }
  // About the smallest budget with which the device takes the image; below it, a warning tells that the CPU does.
  const auto  filter = MakeFilterOnNoise({ { 9, 7 } });
  const Quiet quiet;
  for (unsigned int budget = 64; budget < 10000; budget += 16)
  {
    filter->GetCudaInterface()->SetMemoryBudget(budget);
    filter->Modified();
    filter->Update();
    if (filter->GetExecutedOnDevice())
    {
      break;
    }
  }
  EXPECT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  EXPECT_GE(filter->GetNumberOfTiles(), 63u / 2);
  ExpectEqualImages<Bytes>(ReconstructByDefinition<Bytes>(filter->GetMarkerImage(), filter->GetMaskImage()),
                           filter->GetOutput());
}

TEST(CudaReconstruction3D, FollowsTheLongestWay)
{
  // A winding band in every other slice, with passages between them at its middle and at its beginning in turn.
  using Volume = itk::Image<unsigned short, 3>;
  constexpr itk::IndexValueType slices = 7;
  const auto                    mask = MakeConstantImage<Volume>({ { 27, 23, slices } }, 0);
  const auto                    marker = MakeConstantImage<Volume>({ { 27, 23, slices } }, 0);
  const auto                    band = MakeConstantImage<Bytes>({ { 27, 23 } }, 0);
  const auto                    middle = DrawWindingBand(*band, 1, 1);
  for (itk::ImageRegionIteratorWithIndex<Volume> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const auto             index = it.GetIndex();
    const Bytes::IndexType inSlice{ { index[0], index[1] } };
    const Bytes::IndexType passage = index[2] % 4 == 1 ? middle : Bytes::IndexType{ { 0, 0 } };
    if (index[2] % 2 == 0 ? band->GetPixel(inSlice) != 0 : inSlice == passage)
    {
      it.Set(static_cast<unsigned short>(60000 - index[2]));
    }
  }
  marker->SetPixel({ { 0, 0, 0 } }, 40000);
  CompareWithItk<ByDilation, Volume>(marker, mask);
  CompareWithItk<ByDilation, Volume>(marker, mask, 20000);
  marker->SetPixel({ { 0, 0, slices - 1 } }, 50000);
  CompareWithItk<ByDilation, Volume>(marker, mask);
}

TEST(CudaReconstruction2D, LeavesImagesWithNaNToTheCpu)
{
  using Plane = itk::Image<float, 2>;
  const auto mask = MakeSteps<Plane>({ { 40, 30 } }, 1);
  const auto marker = MakeSteps<Plane>({ { 40, 30 } }, 2);
  Cut(*marker, *mask, false);
  for (auto * const image : { marker.GetPointer(), mask.GetPointer() })
  {
    image->SetPixel({ { 7, 8 } }, std::numeric_limits<float>::quiet_NaN());
    const auto cpu = ByDilation<Plane>::Cpu::New();
    const auto cuda = ByDilation<Plane>::Cuda::New();
    const auto set = [&](auto & filter) {
      filter.SetMarkerImage(marker);
      filter.SetMaskImage(mask);
      filter.Update();
    };
    set(*cpu);
    set(*cuda);
    EXPECT_FALSE(cuda->GetExecutedOnDevice());
    ExpectEqualImages<Plane>(cpu->GetOutput(), cuda->GetOutput());
    if (HasDevice())
    {
      EXPECT_NE(cuda->GetExecutedOn().find("NaN"), std::string::npos) << cuda->GetExecutedOn();
      const auto interface = itk::CudaInterface::New();
      interface->SetBackend(itk::CudaBackendEnum::CUDA);
      cuda->SetCudaInterface(interface);
      EXPECT_NE(GetExceptionOf([&] { cuda->Update(); }).find("NaN"), std::string::npos);
    }
  }
}

TEST(CudaReconstruction2D, TakesInfinityForAValue)
{
  using Plane = itk::Image<double, 2>;
  const auto mask = MakeSteps<Plane>({ { 40, 30 } }, 1);
  const auto marker = MakeSteps<Plane>({ { 40, 30 } }, 2);
  for (int i = 0; i < 30; ++i)
  {
    mask->SetPixel({ { i, i } }, (i % 2 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::infinity());
    marker->SetPixel({ { i, 29 - i } }, (i % 3 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::infinity());
    mask->SetPixel({ { 20, i } }, -0.0);
  }
  CompareBothWithItk<Plane>(marker, mask);
}

TEST(CudaReconstruction2D, RefusesWhatItkRefusesInItsWords)
{
  const auto makeImage = [](Bytes::SizeType size) { return MakeConstantImage<Bytes>(size, 100); };
  const auto compare = [](const std::function<void(itk::ReconstructionByDilationImageFilter<Bytes, Bytes> &)> & set) {
    const auto cpu = ByDilation<Bytes>::Cpu::New();
    const auto cuda = ByDilation<Bytes>::Cuda::New();
    set(*cpu);
    set(*cuda);
    const auto withoutName = [](std::string text) {
      for (std::string::size_type at; (at = text.find("0x")) != std::string::npos;)
      {
        text.erase(at, text.find_first_of("):", at) - at);
      }
      for (std::string::size_type at; (at = text.find("Cuda")) != std::string::npos;)
      {
        text.erase(at, 4);
      }
      return text;
    };
    const std::string words = GetExceptionOf([&] { cpu->Update(); });
    EXPECT_FALSE(words.empty());
    EXPECT_EQ(withoutName(words), withoutName(GetExceptionOf([&] { cuda->Update(); })));
    if (HasDevice())
    {
      const auto interface = itk::CudaInterface::New();
      interface->SetBackend(itk::CudaBackendEnum::CUDA);
      cuda->SetCudaInterface(interface);
      EXPECT_EQ(withoutName(words), withoutName(GetExceptionOf([&] { cuda->Update(); })));
    }
  };
  const auto small = makeImage({ { 20, 10 } });
  const auto large = makeImage({ { 20, 11 } });
  compare([&](auto & filter) {
    filter.SetMarkerImage(small);
    filter.SetMaskImage(large);
  });
  const auto   spaced = makeImage({ { 20, 10 } });
  const double spacing[] = { 1.0, 2.0 };
  spaced->SetSpacing(spacing);
  compare([&](auto & filter) {
    filter.SetMarkerImage(small);
    filter.SetMaskImage(spaced);
  });
  const auto moved = makeImage({ { 20, 10 } });
  moved->SetOrigin(spacing);
  compare([&](auto & filter) {
    filter.SetMarkerImage(small);
    filter.SetMaskImage(moved);
  });
  const auto turned = makeImage({ { 20, 10 } });
  auto       direction = turned->GetDirection();
  direction[0][0] = -1.0;
  turned->SetDirection(direction);
  compare([&](auto & filter) {
    filter.SetMarkerImage(small);
    filter.SetMaskImage(turned);
  });
  const auto higher = makeImage({ { 20, 10 } });
  higher->SetPixel({ { 19, 9 } }, 101);
  compare([&](auto & filter) {
    filter.SetMarkerImage(higher);
    filter.SetMaskImage(small);
  });
  compare([&](auto & filter) {
    filter.SetMarkerImage(MakeConstantImage<Bytes>({ { 20, 10 } }, 255));
    filter.SetMaskImage(small);
  });
  compare([&](auto & filter) { filter.SetMarkerImage(small); });
}

TEST(CudaReconstruction2D, RefusesMarkersAtAnotherIndex)
{
  const auto mask = MakeRandomImage<Bytes>({ { 20, 10 } }, 1, 0);
  const auto marker = MakeConstantImage<Bytes>({ { 20, 10 } }, 0);
  marker->SetRegions(MakeRegion<Bytes>({ { 20, 10 } }, 5));
  if (!HasDevice())
  {
    GTEST_SKIP() << "ITK's filter reads beyond the image";
  }
  const auto filter = ByDilation<Bytes>::Cuda::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("same index"), std::string::npos);
}

TEST(CudaReconstruction2D, StaysOnTheDeviceInAPipeline)
{
  const auto mask = MakeRandomImage<Bytes>({ { 64, 64 } }, 1);
  const auto marker = MakeRandomImage<Bytes>({ { 64, 64 } }, 2);
  Cut(*marker, *mask, false);
  const auto first = ByDilation<Bytes>::Cuda::New();
  first->SetMarkerImage(marker);
  first->SetMaskImage(mask);
  const auto second = ByErosion<Bytes>::Cuda::New();
  second->SetMarkerImage(mask);
  second->SetMaskImage(first->GetOutput());
  const CopyWatch watch;
  second->Update();
  // The mask of the first is a plain image, which both filters read.
  watch.Expect(2, 1);

  const auto cpuFirst = ByDilation<Bytes>::Cpu::New();
  cpuFirst->SetMarkerImage(marker);
  cpuFirst->SetMaskImage(mask);
  const auto cpuSecond = ByErosion<Bytes>::Cpu::New();
  cpuSecond->SetMarkerImage(mask);
  cpuSecond->SetMaskImage(cpuFirst->GetOutput());
  cpuSecond->Update();
  ExpectEqualImages<Bytes>(cpuSecond->GetOutput(), second->GetOutput());
}

TEST(CudaReconstruction2D, TellsItsParameters)
{
  const auto filter = ByDilation<Bytes>::Cuda::New();
  filter->SetStrategy(Strategy::TileDiagonals);
  filter->FullyConnectedOn();
  std::ostringstream text;
  filter->Print(text);
  EXPECT_NE(text.str().find("Strategy: TileDiagonals"), std::string::npos) << text.str();
  // ITK 6 prints words.
  const bool isFullyConnected = text.str().find("FullyConnected: 1") != std::string::npos ||
                                text.str().find("FullyConnected: On") != std::string::npos;
  EXPECT_TRUE(isFullyConnected) << text.str();
  std::ostringstream strange;
  strange << static_cast<Strategy>(99);
  EXPECT_EQ(strange.str(), "invalid CudaReconstructionStrategyEnum");
}
