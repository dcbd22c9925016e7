// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaInterface.h"
#include "itkMetaImageIOFactory.h"
#include "itkPNGImageIOFactory.h"
#include <gtest/gtest.h>

namespace
{
/** After all tests no image is left, and all memory can be given back. */
class MemoryComesBack : public ::testing::Environment
{
public:
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

int
main(int argc, char * argv[])
{
  ::testing::InitGoogleTest(&argc, argv);
  // Not all ways of building the module register these by themselves.
  itk::MetaImageIOFactory::RegisterOneFactory();
  itk::PNGImageIOFactory::RegisterOneFactory();
  ::testing::AddGlobalTestEnvironment(new MemoryComesBack);
  return RUN_ALL_TESTS();
}
