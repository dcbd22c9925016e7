// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of filters when the device fails. Only the emulated device fails on request.

#include "cuda_runtime.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;
using itk::CudaBackendEnum;
using itk::CudaInterface;

using Floats = itk::Image<float, 2>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats>;

class CudaErrors : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (!HasDevice())
    {
      GTEST_SKIP() << "no emulated device was asked for";
    }
    CudaInterface::ReleaseCachedMemory();
    m_Filter->SetInput(m_Image);
    m_Filter->SetVariance(2.0);
    m_Filter->SetCudaInterface(m_Interface);
    const auto cpu = itk::DiscreteGaussianImageFilter<Floats, Floats>::New();
    cpu->SetInput(m_Image);
    cpu->SetVariance(2.0);
    cpu->Update();
    m_Expected = cpu->GetOutput();
  }
  void
  TearDown() override
  {
    Emulation::GetSettings() = m_Former;
    Emulation::RepairDevices();
    CudaInterface::ReleaseCachedMemory();
  }

  void
  ExpectRight()
  {
    ExpectSameSmoothing<Floats>(m_Expected, m_Filter->GetOutput());
  }

  /** Expects an exception whose message contains all of these words, and success after the devices are repaired. */
  void
  ExpectFailure(const std::vector<std::string> & words)
  {
    const std::string error = GetExceptionOf([this] { m_Filter->Update(); });
    for (const std::string & word : words)
    {
      EXPECT_NE(error.find(word), std::string::npos) << word << " in: " << error;
    }
    Emulation::RepairDevices();
    // Without Modified(): the failed update must not count as done.
    m_Filter->Update();
    EXPECT_TRUE(m_Filter->GetExecutedOnDevice());
    ExpectRight();
  }

  Emulation::Settings    m_Former = Emulation::GetSettings();
  Floats::Pointer        m_Image = MakeRandomImage<Floats>({ { 90, 70 } });
  Floats::Pointer        m_Expected;
  CudaInterface::Pointer m_Interface = CudaInterface::New();
  Gaussian::Pointer      m_Filter = Gaussian::New();
};
} // namespace

TEST_F(CudaErrors, ALaunchThatFails)
{
  Emulation::PlanFailure("cudaLaunchKernelEx", cudaErrorInvalidConfiguration);
  ExpectFailure({ "Starting kernel ConvolvePlaneKernel", "device 0", "cudaErrorInvalidConfiguration", "invalid" });
}

TEST_F(CudaErrors, AnUploadThatFails)
{
  Emulation::PlanFailure("cudaMemcpyAsync", cudaErrorInvalidValue);
  ExpectFailure({ "Uploading pixels", "device 0", "cudaErrorInvalidValue" });
}

TEST_F(CudaErrors, ADownloadThatFails)
{
  Emulation::PlanFailure("cudaMemcpyAsync", cudaErrorInvalidValue, 1);
  ExpectFailure({ "Downloading pixels", "device 0", "cudaErrorInvalidValue" });
}

TEST_F(CudaErrors, ACopyThatFailsBetweenSlabs)
{
  // Uploads and downloads of slabs alternate: the fourth copy is a download, the fifth an upload.
  m_Interface->SetSlabBytes(5000);
  Emulation::PlanFailure("cudaMemcpyAsync", cudaErrorInvalidValue, 3);
  ExpectFailure({ "loading pixels", "cudaErrorInvalidValue" });
  m_Filter->Modified();
  Emulation::PlanFailure("cudaMemcpyAsync", cudaErrorInvalidValue, 4);
  ExpectFailure({ "loading pixels", "cudaErrorInvalidValue" });
}

TEST_F(CudaErrors, AKernelThatFailsIsNamedInSynchronousMode)
{
  m_Interface->SynchronousOn();
  Emulation::PlanFailure("cudaStreamSynchronize", cudaErrorIllegalAddress);
  ExpectFailure({ "Kernel ConvolvePlaneKernel", "cudaErrorIllegalAddress", "illegal memory access" });
}

TEST_F(CudaErrors, AFailureOfTheWholeDevice)
{
  Emulation::PlanFailure("cudaStreamWaitEvent", cudaErrorLaunchFailure);
  Emulation::PlanFailure("cudaStreamSynchronize", cudaErrorLaunchFailure);
  ExpectFailure({ "cudaErrorLaunchFailure" });
}

TEST_F(CudaErrors, OutOfMemoryEmptiesThePoolsAndTriesAgain)
{
  // The first allocation fails as if the pool kept too much memory for reuse. The filter empties the pool and allocates
  // again.
  m_Filter->Update();
  Emulation::PlanFailure("cudaMallocFromPoolAsync", cudaErrorMemoryAllocation);
  m_Filter->Modified();
  m_Filter->Update();
  EXPECT_TRUE(m_Filter->GetExecutedOnDevice());
  EXPECT_EQ(m_Filter->GetNumberOfTiles(), 1u);
  ExpectRight();
}

TEST_F(CudaErrors, OutOfMemoryGoesOnInTiles)
{
  Emulation::GetSettings().DeviceBytes = 40000;
  m_Filter->Update();
  EXPECT_TRUE(m_Filter->GetExecutedOnDevice()) << m_Filter->GetExecutedOn();
  EXPECT_GT(m_Filter->GetNumberOfTiles(), 1u);
  ExpectRight();
}

TEST_F(CudaErrors, OutOfMemoryEndsOnTheCpu)
{
  Emulation::GetSettings().DeviceBytes = 200;
  const Quiet quiet;
  m_Filter->Update();
  EXPECT_FALSE(m_Filter->GetExecutedOnDevice());
  EXPECT_NE(m_Filter->GetExecutedOn().find("CPU"), std::string::npos);
  ExpectRight();

  m_Interface->SetBackend(CudaBackendEnum::CUDA);
  const std::string error = GetExceptionOf([this] { m_Filter->Update(); });
  EXPECT_NE(error.find("needed"), std::string::npos) << error;
  EXPECT_NE(error.find("free"), std::string::npos) << error;
}

TEST_F(CudaErrors, OutOfMemoryKeepsTheOutputWhereItWasWanted)
{
  std::vector<float> memory(90 * 70, -1.0f);
  m_Filter->GetOutput()->GetPixelContainer()->SetImportPointer(memory.data(), memory.size(), false);
  Emulation::GetSettings().DeviceBytes = 40000;
  m_Filter->Update();
  EXPECT_GT(m_Filter->GetNumberOfTiles(), 1u);
  EXPECT_EQ(m_Filter->GetOutput()->GetBufferPointer(), memory.data());
  ExpectRight();

  const auto plain = MakeConstantImage<Floats>({ { 90, 70 } }, 0.0f);
  m_Filter->GraftOutput(plain);
  m_Filter->Modified();
  m_Filter->Update();
  ExpectSameSmoothing<Floats>(m_Expected, plain);
}

TEST_F(CudaErrors, OutOfMemoryOnSeveralDevices)
{
  if (CudaInterface::GetNumberOfDevices() < 2)
  {
    GTEST_SKIP() << "needs two devices";
  }
  m_Interface->SetDeviceNumbers({ 0, 1 });
  Emulation::GetSettings().DeviceBytes = 20000;
  m_Filter->Update();
  EXPECT_TRUE(m_Filter->GetExecutedOnDevice()) << m_Filter->GetExecutedOn();
  EXPECT_GT(m_Filter->GetNumberOfTiles(), 2u);
  ExpectRight();
}

TEST_F(CudaErrors, AStreamOfTheUserThatIsGone)
{
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  m_Interface->SetStream(stream);
  using Backed = itk::CudaBackedImage<float, 2>;
  const auto image = Backed::New();
  image->Graft(m_Image.GetPointer());
  const auto filter = itk::CudaDiscreteGaussianImageFilter<Backed>::New();
  filter->SetInput(image);
  filter->SetVariance(2.0);
  filter->SetCudaInterface(m_Interface);
  filter->Update();
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  ExpectSameSmoothing<Floats>(m_Expected, filter->GetOutput());
}

TEST_F(CudaErrors, NoMorePagesToLock)
{
  Emulation::GetSettings().PageLockableBytes = 1000;
  m_Filter->Update();
  EXPECT_TRUE(m_Filter->GetExecutedOnDevice());
  ExpectRight();
  EXPECT_EQ(CudaInterface::GetPageLockedBytesHeld(), 0u);
}
