// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of the pool of page-locked host memory.

#include "Device/HostMemory.h"
#include "cuda_runtime.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <atomic>
#include <cstring>
#include <thread>

namespace
{
using namespace itk::CudaFilters;

/** A size that no memory had so far, and large. */
std::size_t
TakeNewSize()
{
  static std::size_t size = 20 * 1024 * 1024 + 12345;
  return size += 16 * 1024 * 1024;
}

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
    EmptyHostPool();
    EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  }
};
} // namespace

TEST_F(CudaHostMemory, IsProvidedInAdvance)
{
  const std::size_t bytes = TakeNewSize();
  void *            memory = nullptr;
  {
    const HostMemoryInAdvance advance(bytes);
    const HostMemoryInAdvance unused(TakeNewSize());
    const HostMemoryInAdvance small(1000);
    memory = AllocateHostMemory(bytes);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 1, bytes);
  }
  {
    const HostMemoryInAdvance again(bytes); // does nothing
    EXPECT_FALSE(FreeHostMemory(&memory));
  }
  EXPECT_TRUE(FreeHostMemory(memory));
}

TEST_F(CudaHostMemory, IsLockedWithTheSecondCopy)
{
  const std::size_t bytes = TakeNewSize();
  void * const      memory = AllocateHostMemory(bytes);
  EXPECT_TRUE(IsFirstCopyTo(static_cast<char *>(memory) + bytes / 2));
  EXPECT_FALSE(IsFirstCopyTo(memory));
  EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  EXPECT_TRUE(MakePageLocked(memory, 0));
  EXPECT_FALSE(IsFirstCopyTo(memory));
  EXPECT_TRUE(FreeHostMemory(memory));
  EXPECT_GE(GetHostMemoryUse().Reserved, bytes);
  // More of that size is locked at once.
  EmptyHostPool();
  void * const other = AllocateHostMemory(bytes);
  EXPECT_FALSE(IsFirstCopyTo(other));
  EXPECT_TRUE(FreeHostMemory(other));
  // So is small memory.
  void * const small = AllocateHostMemory(100000);
  EXPECT_FALSE(IsFirstCopyTo(small));
  EXPECT_TRUE(FreeHostMemory(small));
  EXPECT_FALSE(IsFirstCopyTo(&bytes));
}

TEST_F(CudaHostMemory, KeepsItsBytesWhenItIsLocked)
{
  const std::size_t bytes = TakeNewSize();
  auto * const      memory = static_cast<unsigned char *>(AllocateHostMemory(bytes));
  for (std::size_t i = 0; i < bytes; ++i)
  {
    memory[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  }
  EXPECT_TRUE(MakePageLocked(memory, 0));
  std::size_t different = 0;
  for (std::size_t i = 0; i < bytes; ++i)
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
  const std::size_t        sizes[] = { TakeNewSize(), TakeNewSize(), TakeNewSize() };
  for (std::size_t i = 0; i < 4; ++i)
  {
    threads.emplace_back([i, &failures, &sizes] {
      for (std::size_t run = 0; run < 5; ++run)
      {
        const std::size_t         bytes = sizes[(i + run) % 3];
        const HostMemoryInAdvance advance(bytes);
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

TEST_F(CudaHostMemory, OfAnOutputIsLockedByTheSecondRun)
{
  using Bytes = itk::Image<unsigned char, 2>;
  const Bytes::SizeType size{ { 2048, 1100 } };
  const std::size_t     outputBytes = size[0] * size[1] * sizeof(float);
  const auto            image = Bytes::New();
  image->SetRegions(size);
  image->Allocate(true);
  image->SetPixel({ { 100, 100 } }, 1);
  const auto filter = itk::CudaSignedMaurerDistanceMapImageFilter<Bytes, itk::Image<float, 2>>::New();
  filter->SetInput(image);
  filter->SquaredDistanceOn();
  filter->SetBackgroundValue(0);
  for (const bool isSecond : { false, true })
  {
    const std::size_t former = Emulation::GetPageableBytesCopied();
    filter->Modified();
    filter->Update();
    EXPECT_TRUE(filter->GetExecutedOnDevice());
    EXPECT_FLOAT_EQ(filter->GetOutput()->GetPixel({ { 103, 104 } }), 25.0f);
    EXPECT_EQ(GetHostMemoryUse().InUse >= outputBytes, isSecond);
    EXPECT_LT(Emulation::GetPageableBytesCopied() - former, outputBytes); // the input is small
  }
}
