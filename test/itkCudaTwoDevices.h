// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTwoDevices_h
#define itkCudaTwoDevices_h

#include "itkCudaInterface.h"
#include <gtest/gtest.h>
#include <string>

namespace itk
{
namespace CudaTest
{
/** Compares two updated filters, of which one has shared its tiles between two devices: set(filter), compare(one, two).
 */
template <typename TFilter, typename TSet, typename TCompare>
void
CompareOnTwoDevices(TSet set, TCompare compare)
{
  if (itk::CudaInterface::GetNumberOfDevices() < 2)
  {
    GTEST_SKIP() << "needs two devices";
  }
  const auto one = TFilter::New();
  const auto two = TFilter::New();
  two->SetCudaInterface(itk::CudaInterface::New());
  two->GetCudaInterface()->SetDeviceNumbers({ 0, 1 });
  for (const auto & filter : { one, two })
  {
    set(*filter);
    filter->Update();
    EXPECT_TRUE(filter->GetExecutedOnDevice()) << filter->GetExecutedOn();
  }
  EXPECT_NE(two->GetExecutedOn().find("shared"), std::string::npos) << two->GetExecutedOn();
  EXPECT_GT(two->GetNumberOfTiles(), one->GetNumberOfTiles());
  compare(*one, *two);
}
} // namespace CudaTest
} // namespace itk

#endif
