// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaInterface.h"
#include "itkCudaTestHelpers.h"
#include "itkDataObject.h"
#include "itkMetaImageIOFactory.h"
#include "itkPNGImageIOFactory.h"
#include <gtest/gtest.h>
#include <cstdlib>
#include <iostream>
#include <string>

namespace
{
/** Before all tests: a device, if the environment says that there must be one. After all tests: no image is left, and
 * all memory can be given back. */
class DeviceAndMemory : public ::testing::Environment
{
public:
  void
  SetUp() override
  {
    const char * const isNeeded = std::getenv("CUDAFILTERS_TEST_NEEDS_DEVICE");
    if (isNeeded != nullptr && std::string(isNeeded) == "1")
    {
      const auto interface = itk::CudaInterface::New();
      ASSERT_EQ(interface->GetWhyNotOnDevice(), "") << "CUDAFILTERS_TEST_NEEDS_DEVICE is set";
      std::cout << "Testing on " << itk::CudaInterface::GetDeviceDescription(0) << std::endl;
    }
  }

  void
  TearDown() override
  {
    EXPECT_EQ(itk::CudaInterface::GetDeviceBytesInUse(), 0u);
    EXPECT_EQ(itk::CudaInterface::GetPageLockedBytesInUse(), 0u);
    itk::CudaInterface::ReleaseCachedMemory();
    EXPECT_EQ(itk::CudaInterface::GetDeviceBytesHeld(), 0u);
    EXPECT_EQ(itk::CudaInterface::GetPageLockedBytesHeld(), 0u);
  }
};
} // namespace

std::string
itk::CudaTest::GetInputFolder()
{
  const char * const folder = std::getenv("CUDAFILTERS_TEST_INPUT");
  return folder == nullptr ? CUDAFILTERS_TEST_INPUT : folder;
}

int
main(int argc, char * argv[])
{
  ::testing::InitGoogleTest(&argc, argv);
  // Starts the program again for such a test, since CUDA does not survive a fork.
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  // Not all ways of building the module register these by themselves.
  itk::MetaImageIOFactory::RegisterOneFactory();
  itk::PNGImageIOFactory::RegisterOneFactory();
  // Creates the flag: if two threads are the first ones to use it, ITK leaks one of its two copies.
  itk::DataObject::GetGlobalReleaseDataFlag();
  ::testing::AddGlobalTestEnvironment(new DeviceAndMemory);
  return RUN_ALL_TESTS();
}
