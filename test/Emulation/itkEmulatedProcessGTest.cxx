// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// What runs on several devices do to a process, as only the emulated devices tell.

#include "cuda_runtime.h"
#include "itkCudaBackedImage.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "Reconstruction/TileRounds.h"
#include "Runner/Runner.h"
#include "itkMultiThreaderBase.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace
{
using namespace itk::CudaTest;
using itk::CudaInterface;

using Bytes = itk::Image<unsigned char, 2>;
using Floats = itk::Image<float, 2>;
using Backed = itk::CudaBackedImage<float, 2>;

class EmulatedProcess : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (Emulation::GetSettings().NumberOfDevices < 3)
    {
      GTEST_SKIP() << "needs three emulated devices";
    }
  }
};
} // namespace

// A context on a GPU that a program has not named costs memory, and fails if another process uses that GPU alone.
TEST_F(EmulatedProcess, DevicesThatWereNotNamedAreNotTouched)
{
  if (CudaInterface::GetDeviceBytesHeld() > 0 || Emulation::HasContext(0))
  {
    GTEST_SKIP() << "another test of this process has used the devices";
  }
  const auto settings = CudaInterface::New();
  settings->SetDeviceNumber(1);
  {
    const auto image = Backed::New();
    image->SetRegions(Backed::SizeType{ { 40, 30 } });
    image->Allocate(true);
    const auto filter = itk::CudaDiscreteGaussianImageFilter<Backed>::New();
    filter->SetInput(image);
    filter->SetCudaInterface(settings);
    filter->Update();
    ASSERT_TRUE(filter->GetExecutedOnDevice());
    EXPECT_EQ(filter->GetOutput()->GetDeviceNumber(), 1);
    filter->GetOutput()->GetBufferPointer();
    const auto shared = filter->GetOutput()->ShareOnDevice();
    const auto borrowed = itk::CudaSharedPixels::New();
    borrowed->Borrow(shared->GetPointer(), shared->GetNumberOfBytes(), 0, nullptr);
    std::ostringstream text;
    filter->Print(text);
    CudaInterface::GetDeviceDescription(0);
  }
  CudaInterface::ReleaseCachedMemory();
  EXPECT_TRUE(Emulation::HasContext(1));
  EXPECT_FALSE(Emulation::HasContext(0));
  EXPECT_FALSE(Emulation::HasContext(2));
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, 0);
}

namespace
{
/** Calls a function in a forked process. Returns whether it ended in time and returned true there. */
bool
IsTrueInForkedProcess(const std::function<bool()> & function)
{
  const pid_t child = fork();
  if (child == 0)
  {
    alarm(60); // ends a process that waits for ever
    try
    {
      _exit(function() ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    catch (const std::exception & error)
    {
      std::cerr << error.what() << std::endl;
      _exit(EXIT_FAILURE);
    }
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}
} // namespace

// One thread starts the device while another forks: at each call of the start, and of a filter after it.
TEST_F(EmulatedProcess, ForkedDuringTheStartRunsOnTheCpu)
{
  if (Emulation::HasContext(0))
  {
    GTEST_SKIP() << "another test of this process has started the device";
  }
  const auto image = MakeRandomImage<Floats>({ { 20, 15 } }, 1);
  const auto smooth = [&image] {
    const auto filter = itk::CudaDiscreteGaussianImageFilter<Floats>::New();
    filter->SetInput(image);
    filter->SetNumberOfWorkUnits(1);
    filter->Update();
    return filter->GetExecutedOn();
  };
  // ITK's threads are not there in a forked process.
  const itk::ThreadIdType formerThreads = itk::MultiThreaderBase::GetGlobalMaximumNumberOfThreads();
  itk::MultiThreaderBase::SetGlobalMaximumNumberOfThreads(1);
  const Emulation::Settings former = Emulation::GetSettings();
  const auto                starter = std::this_thread::get_id();
  int                       calls = 0;
  std::vector<int>          failed;
  Emulation::GetSettings().BeforeCall = [&] {
    if (std::this_thread::get_id() != starter)
    {
      return;
    }
    std::thread([&] {
      const auto runsOnCpu = [&smooth] { return smooth().find("forked") != std::string::npos; };
      if (!IsTrueInForkedProcess(runsOnCpu))
      {
        failed.push_back(calls);
      }
    }).join();
    ++calls;
  };
  const std::string executedOn = smooth();
  Emulation::GetSettings() = former;
  itk::MultiThreaderBase::SetGlobalMaximumNumberOfThreads(formerThreads);
  EXPECT_EQ(executedOn.find("Emulated device 0"), 0u) << executedOn;
  EXPECT_GT(calls, 20);
  EXPECT_EQ(failed, std::vector<int>());
}

// Neighbouring tiles of a reconstruction cannot be computed at the same time: there are enough tiles for all devices.
TEST_F(EmulatedProcess, AllDevicesAreBusyWithAReconstruction)
{
  const auto mask = MakeRandomImage<Bytes>({ { 300, 200 } }, 1);
  const auto marker = MakeRandomImage<Bytes>({ { 300, 200 } }, 2);
  for (unsigned int i = 0; i < 300 * 200; ++i)
  {
    marker->GetBufferPointer()[i] = std::min(marker->GetBufferPointer()[i], mask->GetBufferPointer()[i]);
  }
  const auto settings = CudaInterface::New();
  settings->SetDeviceNumbers({ 0, 1, 2 });
  const auto filter = itk::CudaReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  filter->SetCudaInterface(settings);
  std::vector<unsigned long> before;
  for (int device = 0; device < 3; ++device)
  {
    before.push_back(Emulation::GetNumberOfLaunches(device));
  }
  filter->Update();
  EXPECT_GE(filter->GetNumberOfTiles(), 6u);
  for (int device = 0; device < 3; ++device)
  {
    EXPECT_GT(Emulation::GetNumberOfLaunches(device), before[device]) << device;
  }
  const auto cpu = itk::ReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  cpu->SetMarkerImage(marker);
  cpu->SetMaskImage(mask);
  cpu->Update();
  ExpectEqualImages<Bytes>(cpu->GetOutput(), filter->GetOutput());
}

// Two colours suffice along an axis, although the last tile is one pixel thick.
TEST_F(EmulatedProcess, OnePixelOfRemainderNeedsNoThirdColour)
{
  using namespace itk::CudaFilters;
  const auto getRounds = [](std::int64_t length, std::int64_t tileLength) {
    const Region3              region{ { { 0, 0, 0 } }, { { length, 1, 1 } } };
    const std::vector<Region3> tiles = CutIntoTiles(region, { { tileLength, 1, 1 } });
    TileRounds                 rounds(tiles);
    std::size_t                round = 0;
    for (; !rounds.IsDone(); ++round)
    {
      rounds.TakeRound(round);
    }
    return round;
  };
  EXPECT_EQ(getRounds(41, 8), 2u);
  EXPECT_EQ(getRounds(40, 8), 2u);
  EXPECT_EQ(getRounds(9, 8), 2u);
  EXPECT_EQ(getRounds(8, 8), 1u);
  EXPECT_EQ(getRounds(5, 1), 3u) << "margins of every other tile meet";
}
