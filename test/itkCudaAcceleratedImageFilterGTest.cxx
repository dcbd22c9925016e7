// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// What all CUDA filters have in common: regions, tiles, streaming, progress, threads, memory, errors. The Gaussian
// stands for them.

#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkStreamingImageFilter.h"
#include <atomic>
#include <thread>

namespace
{
using namespace itk::CudaTest;
using itk::CudaBackendEnum;
using itk::CudaInterface;

using Floats = itk::Image<float, 2>;
using Shorts = itk::Image<short, 3>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats>;

template <typename TImage>
typename itk::CudaDiscreteGaussianImageFilter<TImage>::Pointer
MakeGaussian(const TImage * image, CudaInterface * interface = nullptr)
{
  const auto filter = itk::CudaDiscreteGaussianImageFilter<TImage>::New();
  filter->SetInput(image);
  filter->SetVariance(2.0);
  filter->SetCudaInterface(interface);
  return filter;
}

template <typename TImage>
typename TImage::Pointer
SmoothOnCpu(const TImage * image)
{
  const auto filter = itk::DiscreteGaussianImageFilter<TImage, TImage>::New();
  filter->SetInput(image);
  filter->SetVariance(2.0);
  filter->Update();
  return filter->GetOutput();
}

bool
Contains(const std::string & text, const std::string & part)
{
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(CudaRegions, StreamingGivesTheSamePicture)
{
  const auto image = MakeRandomImage<Floats>({ { 61, 47 } }, 5, 3);
  for (const bool onDevice : { false, true })
  {
    // The input as a plain image, and as one that is on the device already.
    const auto source = MakeGaussian<Floats>(image);
    const auto filter = MakeGaussian<Floats>(onDevice ? source->GetOutput() : image.GetPointer());
    const auto streamer = itk::StreamingImageFilter<Floats, Floats>::New();
    streamer->SetInput(filter->GetOutput());
    streamer->SetNumberOfStreamDivisions(7);
    streamer->Update();
    const auto expected = onDevice ? SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(image)) : SmoothOnCpu<Floats>(image);
    ExpectSameSmoothing<Floats>(expected, streamer->GetOutput());
  }

  const auto volume = MakeRandomImage<Shorts>({ { 13, 11, 17 } }, 8);
  const auto filter = MakeGaussian<Shorts>(volume);
  const auto streamer = itk::StreamingImageFilter<Shorts, Shorts>::New();
  streamer->SetInput(filter->GetOutput());
  streamer->SetNumberOfStreamDivisions(5);
  streamer->Update();
  ExpectEqualImages<Shorts>(SmoothOnCpu<Shorts>(volume), streamer->GetOutput());
}

TEST(CudaRegions, MemoryBudgetIsKeptByTiles)
{
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } }, 5, -8);
  const auto expected = SmoothOnCpu<Floats>(image);
  const auto interface = CudaInterface::New();
  const auto filter = MakeGaussian<Floats>(image, interface);
  filter->Update();
  const std::string whole = filter->GetExecutedOn();

  itk::SizeValueType tilesBefore = 1;
  for (const unsigned int budget : { 40000u, 15000u, 5000u, 1500u })
  {
    interface->SetMemoryBudget(budget);
    filter->Update();
    ExpectSameSmoothing<Floats>(expected, filter->GetOutput());
    if (HasDevice())
    {
      EXPECT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
      EXPECT_GT(filter->GetNumberOfTiles(), tilesBefore) << budget;
      EXPECT_TRUE(Contains(filter->GetExecutedOn(), "tiles"));
      tilesBefore = filter->GetNumberOfTiles();
    }
  }
  interface->SetMemoryBudget(CudaInterface::NoMemoryBudget);
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOn(), whole);

  const auto volume = MakeRandomImage<Shorts>({ { 23, 19, 17 } }, 8);
  interface->SetMemoryBudget(9000);
  const auto volumeFilter = MakeGaussian<Shorts>(volume, interface);
  volumeFilter->Update();
  ExpectEqualImages<Shorts>(SmoothOnCpu<Shorts>(volume), volumeFilter->GetOutput());
}

TEST(CudaRegions, BudgetTooSmallForAnything)
{
  const auto image = MakeRandomImage<Floats>({ { 30, 20 } });
  const auto interface = CudaInterface::New();
  interface->SetMemoryBudget(1);
  const auto  filter = MakeGaussian<Floats>(image, interface);
  const Quiet quiet;
  filter->Update();
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  ExpectEqualImages<Floats>(SmoothOnCpu<Floats>(image), filter->GetOutput());

  interface->SetBackend(CudaBackendEnum::CUDA);
  const std::string error = GetExceptionOf([&] { filter->Update(); });
  if (HasDevice())
  {
    EXPECT_TRUE(Contains(error, "needed")) << error;
    EXPECT_TRUE(Contains(error, "allowed or free 1 bytes")) << error;
  }
  interface->SetMemoryBudget(CudaInterface::NoMemoryBudget);
  interface->SetBackend(CudaBackendEnum::Auto);
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice());
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(image), filter->GetOutput());
}

TEST(CudaRegions, TilesOfAnInputOnTheDevice)
{
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } });
  const auto first = MakeGaussian<Floats>(image);
  const auto interface = CudaInterface::New();
  interface->SetMemoryBudget(20000);
  const auto second = MakeGaussian<Floats>(first->GetOutput(), interface);
  const auto third = MakeGaussian<Floats>(second->GetOutput());
  third->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(image))), third->GetOutput());
}

TEST(CudaRegions, CopiesInSlabsGiveTheSamePicture)
{
  const auto image = MakeRandomImage<Floats>({ { 61, 47 } }, 5, 3);
  const auto expected = SmoothOnCpu<Floats>(image);
  const auto volume = MakeRandomImage<Shorts>({ { 13, 11, 17 } }, 8);
  const auto expectedVolume = SmoothOnCpu<Shorts>(volume);
  for (const unsigned int bytes : { 0u, 1u, 300u, 2000u, 100000u })
  {
    SCOPED_TRACE(bytes);
    const auto interface = CudaInterface::New();
    interface->SetSlabBytes(bytes);
    {
      const auto      filter = MakeGaussian<Floats>(image, interface);
      const CopyWatch copies;
      filter->Update();
      copies.Expect(1, 1);
      EXPECT_EQ(filter->GetNumberOfTiles(), HasDevice() ? 1u : 0u);
      ExpectSameSmoothing<Floats>(expected, filter->GetOutput());
    }
    {
      // From a CudaBackedImage, whose device side is valid afterwards, into memory of the user's.
      const auto backed = itk::CudaBackedImage<float, 2>::New();
      backed->SetRegions(image->GetBufferedRegion());
      backed->Allocate();
      std::copy_n(image->GetBufferPointer(), backed->GetPixelContainer()->Size(), backed->GetBufferPointer());
      const auto         filter = MakeGaussian<Floats>(backed, interface);
      std::vector<float> memory(61 * 47, -1.0f);
      filter->GetOutput()->GetPixelContainer()->SetImportPointer(memory.data(), memory.size(), false);
      const CopyWatch copies;
      filter->Update();
      copies.Expect(1, 1);
      EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), memory.data());
      ExpectSameSmoothing<Floats>(expected, filter->GetOutput());
      // The pointer to the input's pixels was given away above: they may have been written since.
      filter->Modified();
      filter->Update();
      copies.Expect(2, 2);
    }
    {
      // A part of a volume, three filters on.
      const auto         first = MakeGaussian<Shorts>(volume, interface);
      const auto         second = MakeGaussian<Shorts>(first->GetOutput(), interface);
      const auto         third = MakeGaussian<Shorts>(second->GetOutput(), interface);
      Shorts::RegionType part = volume->GetBufferedRegion();
      part.ShrinkByRadius(3);
      third->GetOutput()->SetRequestedRegion(part);
      const CopyWatch copies;
      third->Update();
      copies.Expect(1, 1);
      const auto all = SmoothOnCpu<Shorts>(SmoothOnCpu<Shorts>(expectedVolume));
      for (itk::ImageRegionConstIterator<Shorts> it(third->GetOutput(), part); !it.IsAtEnd(); ++it)
      {
        ASSERT_EQ(it.Get(), all->GetPixel(it.GetIndex()));
      }
    }
    {
      // Onto a plain image.
      const auto plain = MakeConstantImage<Shorts>(volume->GetBufferedRegion().GetSize(), 0);
      const auto filter = MakeGaussian<Shorts>(volume, interface);
      filter->GraftOutput(plain);
      filter->Update();
      ExpectEqualImages<Shorts>(expectedVolume, plain);
    }
  }
}

// Large enough to be staged in page-locked memory on its way.
TEST(CudaRegions, LargePlainImages)
{
  const auto image = MakeRandomImage<Floats>({ { 1101, 1000 } }, 6, 2);
  const auto expected = SmoothOnCpu<Floats>(image);
  const auto interface = CudaInterface::New();
  interface->SetSlabBytes(1500000);
  const auto filter = MakeGaussian<Floats>(image, interface);
  filter->Update();
  ExpectSameSmoothing<Floats>(expected, filter->GetOutput());

  Floats::RegionType part = image->GetBufferedRegion();
  part.ShrinkByRadius(20);
  filter->GetOutput()->SetRequestedRegion(part);
  filter->Modified();
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetBufferedRegion(), part);
  for (itk::ImageRegionConstIterator<Floats> it(filter->GetOutput(), part); !it.IsAtEnd(); ++it)
  {
    ASSERT_NEAR(it.Get(), expected->GetPixel(it.GetIndex()), 0.02);
  }
}

TEST(CudaRegions, AbortBetweenSlabs)
{
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } });
  const auto interface = CudaInterface::New();
  interface->SetSlabBytes(2000);
  const auto filter = MakeGaussian<Floats>(image, interface);
  const auto tag = filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    if (filter->GetProgress() > 0.5f)
    {
      filter->AbortGenerateDataOn();
    }
  });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  filter->RemoveObserver(tag);
  filter->AbortGenerateDataOff();
  filter->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(image), filter->GetOutput());
}

TEST(CudaRegions, SeveralDevicesShareTheTiles)
{
  const int count = CudaInterface::GetNumberOfDevices();
  if (count < 2)
  {
    GTEST_SKIP() << "needs two devices, found " << count;
  }
  std::vector<int> devices(count);
  for (int i = 0; i < count; ++i)
  {
    devices[i] = count - 1 - i;
  }
  const auto interface = CudaInterface::New();
  interface->SetDeviceNumbers(devices);
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } });
  const auto filter = MakeGaussian<Floats>(image, interface);
  filter->Update();
  EXPECT_TRUE(filter->GetExecutedOnDevice());
  EXPECT_GE(filter->GetNumberOfTiles(), static_cast<itk::SizeValueType>(count));
  EXPECT_TRUE(Contains(filter->GetExecutedOn(), "shared with device")) << filter->GetExecutedOn();
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(image), filter->GetOutput());
}

TEST(CudaRegions, PixelsMoveFromDeviceToDevice)
{
  const int count = CudaInterface::GetNumberOfDevices();
  if (count < 2)
  {
    GTEST_SKIP() << "needs two devices, found " << count;
  }
  const auto one = CudaInterface::New();
  one->SetDeviceNumber(1);
  const auto image = MakeRandomImage<Floats>({ { 50, 40 } });
  const auto first = MakeGaussian<Floats>(image);
  const auto second = MakeGaussian<Floats>(first->GetOutput(), one);
  const auto third = MakeGaussian<Floats>(second->GetOutput());
  third->Update();
  EXPECT_TRUE(Contains(second->GetExecutedOn(), "device 1")) << second->GetExecutedOn();
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(image))), third->GetOutput());
}

TEST(CudaProgress, Grows)
{
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } });
  for (const itk::SizeValueType budget : { CudaInterface::NoMemoryBudget + 0, itk::SizeValueType(20000) })
  {
    const auto interface = CudaInterface::New();
    interface->SetMemoryBudget(budget);
    const auto         filter = MakeGaussian<Floats>(image, interface);
    std::vector<float> progress;
    filter->AddObserver(itk::ProgressEvent(),
                        [&](const itk::EventObject &) { progress.push_back(filter->GetProgress()); });
    filter->Update();
    // The CPU filter's threads report in any order.
    if (HasDevice())
    {
      ASSERT_GE(progress.size(), budget == 0 ? 2u : filter->GetNumberOfTiles());
      EXPECT_GT(progress.front(), 0.0f);
      EXPECT_EQ(progress.back(), 1.0f);
      EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
    }
    else
    {
      EXPECT_FALSE(progress.empty());
    }
    filter->RemoveAllObservers();
  }
}

TEST(CudaProgress, AbortStopsTheFilter)
{
  const auto image = MakeRandomImage<Floats>({ { 90, 70 } });
  const auto interface = CudaInterface::New();
  interface->SetMemoryBudget(5000);
  const auto filter = MakeGaussian<Floats>(image, interface);
  const auto tag = filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    if (filter->GetProgress() > 0.2f)
    {
      filter->AbortGenerateDataOn();
    }
  });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);

  filter->RemoveObserver(tag);
  filter->AbortGenerateDataOff();
  filter->Modified();
  filter->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu<Floats>(image), filter->GetOutput());
}

TEST(CudaThreads, EightPipelinesAThousandUpdatesEach)
{
  constexpr unsigned int    numberOfThreads = 8;
  constexpr unsigned int    numberOfUpdates = 1000;
  std::atomic<unsigned int> wrong{ 0 };
  std::vector<std::thread>  threads;
  for (unsigned int t = 0; t < numberOfThreads; ++t)
  {
    threads.emplace_back([t, &wrong] {
      // Each thread has its own images of its own size, and sees both its host and its device side.
      const Floats::SizeType size{ { 9 + t, 12 } };
      const auto             image = MakeRandomImage<Floats>(size, t);
      const auto             first = MakeGaussian<Floats>(image);
      const auto             second = MakeGaussian<Floats>(first->GetOutput());
      first->SetNumberOfWorkUnits(1);
      second->SetNumberOfWorkUnits(1);
      second->Update();
      const auto expected = SmoothOnCpu<Floats>(SmoothOnCpu<Floats>(image));
      for (unsigned int i = 0; i < numberOfUpdates; ++i)
      {
        first->Modified();
        second->Update();
        if (i % 50 == 0 && GetLargestDifference<Floats>(expected, second->GetOutput()) > 1e-5)
        {
          ++wrong;
        }
      }
      if (GetLargestDifference<Floats>(expected, second->GetOutput()) > 1e-5)
      {
        ++wrong;
      }
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(CudaThreads, ManyReadOneLazyImage)
{
  using Backed = itk::CudaBackedImage<float, 2>;
  using BackedGaussian = itk::CudaDiscreteGaussianImageFilter<Backed>;
  const auto input = MakeRandomImage<Floats>({ { 50, 40 } });
  const auto expected = SmoothOnCpu<Floats>(input);
  const auto image = Backed::New();
  image->Graft(input.GetPointer());
  for (unsigned int round = 0; round < 20; ++round)
  {
    const auto filter = BackedGaussian::New();
    filter->SetInput(image);
    filter->SetVariance(2.0);
    filter->Update();
    const CopyWatch           copies;
    std::atomic<unsigned int> wrong{ 0 };
    std::vector<std::thread>  threads;
    for (unsigned int t = 0; t < 6; ++t)
    {
      threads.emplace_back(
        [&] { wrong += GetLargestDifference<Floats>(expected, filter->GetOutput()) > 1e-5 ? 1 : 0; });
    }
    for (std::thread & thread : threads)
    {
      thread.join();
    }
    EXPECT_EQ(wrong, 0u);
    copies.Expect(0, 1);
  }
}

TEST(CudaMemory, StaysFlatAndComesBack)
{
  CudaInterface::ReleaseCachedMemory();
  const auto deviceBefore = CudaInterface::GetDeviceBytesHeld();
  const auto hostBefore = CudaInterface::GetPageLockedBytesHeld();
  {
    const auto image = MakeRandomImage<Floats>({ { 24, 16 } });
    const auto first = MakeGaussian<Floats>(image);
    const auto second = MakeGaussian<Floats>(first->GetOutput());
    const auto update = [&](unsigned int times) {
      for (unsigned int i = 0; i < times; ++i)
      {
        first->Modified();
        second->Update();
      }
    };
    update(100);
    const auto device = CudaInterface::GetDeviceBytesHeld();
    const auto host = CudaInterface::GetPageLockedBytesHeld();
    update(10000);
    EXPECT_EQ(CudaInterface::GetDeviceBytesHeld(), device);
    EXPECT_EQ(CudaInterface::GetPageLockedBytesHeld(), host);
    EXPECT_EQ(device > 0, HasDevice());
    EXPECT_EQ(host > 0, HasDevice());
  }
  EXPECT_EQ(CudaInterface::GetDeviceBytesInUse(), 0u);
  EXPECT_EQ(CudaInterface::GetPageLockedBytesInUse(), 0u);
  CudaInterface::ReleaseCachedMemory();
  EXPECT_LE(CudaInterface::GetDeviceBytesHeld(), deviceBefore);
  EXPECT_LE(CudaInterface::GetPageLockedBytesHeld(), hostBefore);
}

TEST(CudaMemory, PoolKeepsWhatIsNeededAgainAndAgain)
{
  // Small blocks that come and go, beside large ones that nobody needs any more.
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device: there is no pool without";
  }
  CudaInterface::ReleaseCachedMemory();
  using Backed = itk::CudaBackedImage<float, 2>;
  const auto makeUploaded = [](unsigned int width) {
    const auto image = Backed::New();
    image->SetRegions(Backed::SizeType{ { width, 4 } });
    image->Allocate(true);
    image->ShareOnDevice(); // which locks its pages
    return image;
  };
  {
    const auto a = makeUploaded(100000);
    const auto b = makeUploaded(100000);
  }
  const float * const first = makeUploaded(10000)->GetBufferPointer();
  const auto          second = makeUploaded(10000);
  EXPECT_EQ(first, second->GetBufferPointer());
}

TEST(CudaMemory, PoolDoesNotGrowWithWanderingSizes)
{
  CudaInterface::ReleaseCachedMemory();
  const auto filter = Gaussian::New();
  filter->SetVariance(1.0);
  for (unsigned int i = 0; i < 200; ++i)
  {
    filter->SetInput(MakeRandomImage<Floats>({ { 10 + i * 7 % 60, 10 + i * 11 % 50 } }));
    filter->Update();
  }
  // At most one image of 69 x 59 in use, rounded up to pages, and as much again kept ready.
  EXPECT_LE(CudaInterface::GetPageLockedBytesHeld(), 2u * 5u * 4096u);
}
