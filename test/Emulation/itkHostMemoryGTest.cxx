// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Tests of large host memory, whose pages several threads fault in before they are locked.

#include "Device/HostMemory.h"
#include "Device/PhysicalMemory.h"
#include "cuda_runtime.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>
#ifdef __linux__
#  include <sys/mman.h>
#  include <unistd.h>
#endif

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
    EmptyHostPool();
    EXPECT_EQ(GetHostMemoryUse().Reserved, 0u);
  }
};

unsigned char
GetByte(std::size_t i)
{
  return static_cast<unsigned char>(i * 2654435761u >> 13);
}
} // namespace

#ifdef __linux__
TEST_F(CudaHostMemory, IsFaultedInBeforeItIsLocked)
{
  // The emulated device locks no pages: those that are there, this library has faulted in.
  auto * const memory = static_cast<char *>(AllocateHostMemory(manyBytes));
  const auto   countMissingPages = [memory] {
    const auto                 page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char * const               begin = memory + (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
    std::vector<unsigned char> isThere((manyBytes - page) / page);
    EXPECT_EQ(mincore(begin, isThere.size() * page, isThere.data()), 0);
    std::size_t missing = 0;
    for (const unsigned char flags : isThere)
    {
      missing += (flags & 1u) == 0;
    }
    return missing;
  };
  EXPECT_GT(countMissingPages(), 0u);
  EXPECT_TRUE(MakePageLocked(memory, 0, 3));
  EXPECT_EQ(countMissingPages(), 0u);
  EXPECT_TRUE(FreeHostMemory(memory));
}
#endif

TEST_F(CudaHostMemory, KeepsItsBytesWhenItIsLocked)
{
  auto * const memory = static_cast<unsigned char *>(AllocateHostMemory(manyBytes));
  const auto   fill = [memory](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
    {
      memory[i] = GetByte(i);
    }
  };
  fill(0, manyBytes / 2);
  std::thread writer([&] { fill(manyBytes / 2, manyBytes); });
  EXPECT_TRUE(MakePageLocked(memory, 0, 3));
  writer.join();
  std::size_t different = 0;
  for (std::size_t i = 0; i < manyBytes; ++i)
  {
    different += memory[i] != GetByte(i);
  }
  EXPECT_EQ(different, 0u);
  EXPECT_TRUE(FreeHostMemory(memory));
}

TEST_F(CudaHostMemory, OfAnOutputIsLockedByItsRun)
{
  using Bytes = itk::Image<unsigned char, 2>;
  const Bytes::SizeType size{ { 2048, 1100 } };
  const std::size_t     outputBytes = size[0] * size[1] * sizeof(float);
  const auto            image = Bytes::New();
  image->SetRegions(size);
  image->Allocate(true);
  image->SetPixel({ { 100, 1050 } }, 1);
  const auto filter = itk::CudaSignedMaurerDistanceMapImageFilter<Bytes, itk::Image<float, 2>>::New();
  filter->SetInput(image);
  filter->SquaredDistanceOn();
  filter->SetBackgroundValue(0);
  const std::size_t former = Emulation::GetPageableBytesCopied();
  filter->Update();
  EXPECT_TRUE(filter->GetExecutedOnDevice());
  EXPECT_FLOAT_EQ(filter->GetOutput()->GetPixel({ { 103, 1054 } }), 25.0f);
  EXPECT_FLOAT_EQ(filter->GetOutput()->GetPixel({ { 100, 0 } }), 1050.0f * 1050.0f);
  EXPECT_GE(GetHostMemoryUse().InUse, outputBytes);
  EXPECT_LT(Emulation::GetPageableBytesCopied() - former, outputBytes); // the input is small
}

#ifdef __linux__
namespace
{
/** A folder with files, as /proc and /sys/fs/cgroup show control groups. */
class CudaControlGroups : public testing::Test
{
protected:
  void
  SetUp() override
  {
    std::string name = testing::TempDir() + "groups-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_Folder = name;
  }
  void
  TearDown() override
  {
    std::filesystem::remove_all(m_Folder);
  }

  void
  Write(const std::string & file, const std::string & text) const
  {
    const auto path = m_Folder / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  std::size_t
  GetBytes() const
  {
    return GetControlGroupBytes(m_Folder / "self", m_Folder / "root");
  }

  const std::size_t m_NoLimit = std::numeric_limits<std::size_t>::max();

private:
  std::filesystem::path m_Folder;
};
} // namespace

TEST_F(CudaControlGroups, OfVersion2LimitMemory)
{
  EXPECT_EQ(this->GetBytes(), m_NoLimit);
  this->Write("self", "0::/slurm/job_7/step_0");
  EXPECT_EQ(this->GetBytes(), m_NoLimit);
  this->Write("root/slurm/job_7/step_0/memory.max", "max");
  EXPECT_EQ(this->GetBytes(), m_NoLimit);
  this->Write("root/slurm/job_7/memory.max", "3000");
  this->Write("root/slurm/memory.max", "4000");
  EXPECT_EQ(this->GetBytes(), 3000u);
  this->Write("root/memory.max", "2000");
  EXPECT_EQ(this->GetBytes(), 2000u);
}

TEST_F(CudaControlGroups, OfVersion1LimitMemory)
{
  this->Write("self", "12:pids:/docker/1\n4:cpu,memory:/docker/1\n1:name=systemd:/docker/1\nno line of this kind");
  this->Write("root/pids/docker/1/memory.limit_in_bytes", "1");
  EXPECT_EQ(this->GetBytes(), m_NoLimit);
  this->Write("root/memory/memory.limit_in_bytes", "5000"); // all that a container sees
  EXPECT_EQ(this->GetBytes(), 5000u);
  this->Write("root/memory/docker/1/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(this->GetBytes(), 5000u);
  this->Write("root/memory/docker/1/memory.limit_in_bytes", "4000");
  EXPECT_EQ(this->GetBytes(), 4000u);
}

TEST_F(CudaControlGroups, LimitTheMemoryOfThisProcess)
{
  EXPECT_GT(GetPhysicalBytes(), 0u);
  EXPECT_LT(GetPhysicalBytes(), m_NoLimit);
  EXPECT_LE(GetPhysicalBytes(), GetControlGroupBytes("/proc/self/cgroup", "/sys/fs/cgroup"));
}
#endif
