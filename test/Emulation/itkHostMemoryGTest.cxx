// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of the pool of page-locked host memory.

#include "Device/HostMemory.h"
#include "cuda_runtime.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <atomic>
#include <thread>

namespace
{
using namespace itk::CudaFilters;

constexpr std::size_t manyBytes = 20 * 1024 * 1024 + 12345;

class CudaHostMemory : public testing::Test
{
protected:
  void
  SetUp() override
  {
    EmptyHostPool();
    ASSERT_EQ(GetHostMemoryUse().Reserved, 0u);
  }
  void
  TearDown() override
  {
    Emulation::GetSettings().PageLockableBytes = std::size_t(1) << 30;
    EmptyHostPool();
    EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  }
};
} // namespace

TEST_F(CudaHostMemory, IsProvidedInAdvance)
{
  void * memory = nullptr;
  {
    const HostMemoryInAdvance advance(manyBytes, 0);
    const HostMemoryInAdvance other(3 * manyBytes, 0); // nobody takes it
    memory = AllocateHostMemory(manyBytes);
    EXPECT_GE(GetHostMemoryUse().InUse, manyBytes); // before MakePageLocked()
  }
  EXPECT_GE(GetHostMemoryUse().Reserved, 4 * manyBytes);
  const std::size_t reserved = GetHostMemoryUse().Reserved;
  {
    const HostMemoryInAdvance again(3 * manyBytes, 0); // there is some
  }
  EXPECT_EQ(GetHostMemoryUse().Reserved, reserved);
  EXPECT_TRUE(MakePageLocked(memory, 0));
  EXPECT_TRUE(FreeHostMemory(memory));
}

TEST_F(CudaHostMemory, IsNotProvidedInAdvanceIfSmall)
{
  const HostMemoryInAdvance advance(1000, 0);
  EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
}

TEST_F(CudaHostMemory, DoesWithoutWhatCannotBeLocked)
{
  Emulation::GetSettings().PageLockableBytes = 1000;
  const HostMemoryInAdvance advance(manyBytes, 0);
  void * const              memory = AllocateHostMemory(manyBytes);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  EXPECT_FALSE(MakePageLocked(memory, 0));
  EXPECT_TRUE(FreeHostMemory(memory));
}

TEST_F(CudaHostMemory, StaysWithinTheLimit)
{
  const std::size_t former = GetPageLockedLimit();
  SetPageLockedLimit(manyBytes / 2);
  {
    const HostMemoryInAdvance advance(manyBytes, 0);
    EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  }
  SetPageLockedLimit(former);
}

TEST_F(CudaHostMemory, KeepsItsBytesWhenItIsLocked)
{
  auto * const memory = static_cast<unsigned char *>(AllocateHostMemory(manyBytes));
  for (std::size_t i = 0; i < manyBytes; ++i)
  {
    memory[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  }
  EXPECT_TRUE(MakePageLocked(memory, 0));
  std::size_t different = 0;
  for (std::size_t i = 0; i < manyBytes; ++i)
  {
    different += memory[i] != static_cast<unsigned char>(i * 2654435761u >> 13);
  }
  EXPECT_EQ(different, 0u);
  EXPECT_TRUE(FreeHostMemory(memory));
}

TEST_F(CudaHostMemory, ServesManyThreads)
{
  std::vector<std::thread> threads;
  std::atomic<int>         failures{ 0 };
  for (std::size_t i = 0; i < 4; ++i)
  {
    threads.emplace_back([i, &failures] {
      for (std::size_t run = 0; run < 5; ++run)
      {
        const std::size_t         bytes = manyBytes + 1024 * 1024 * ((i + run) % 3);
        const HostMemoryInAdvance advance(bytes, 0);
        void * const              memory = AllocateHostMemory(bytes);
        failures += memory == nullptr || !FreeHostMemory(memory);
      }
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(GetHostMemoryUse().InUse, 0u);
}

TEST_F(CudaHostMemory, OfAnOutputIsLockedByOneRun)
{
  using Bytes = itk::Image<unsigned char, 2>;
  const auto image = Bytes::New();
  image->SetRegions(Bytes::SizeType{ { 2048, 1100 } });
  image->Allocate(true);
  image->SetPixel({ { 100, 100 } }, 1);
  const std::size_t former = Emulation::GetPageableBytesCopied();
  const auto        filter = itk::CudaSignedMaurerDistanceMapImageFilter<Bytes, itk::Image<float, 2>>::New();
  filter->SetInput(image);
  filter->SquaredDistanceOn();
  filter->SetBackgroundValue(0);
  filter->Update();
  EXPECT_TRUE(filter->GetExecutedOnDevice());
  EXPECT_FLOAT_EQ(filter->GetOutput()->GetPixel({ { 103, 104 } }), 25.0f);
  EXPECT_GE(GetHostMemoryUse().InUse, 2048u * 1100u * sizeof(float));
  EXPECT_LT(Emulation::GetPageableBytesCopied() - former, 2048u * 1100u * sizeof(float)); // the input is small
}
