// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/ReplacedFilter.h"
#include "DropInState.h"

namespace itk
{
namespace CudaFilters
{
double
ReplacedFilter::EstimateNanoseconds(const Size3 & size) const
{
  // A pixel of a volume has more neighbours: in Documentation/benchmarks/drop-in-h200.csv, filters of neighbourhoods
  // take from 1.6 to 6.4 times as long, distances and components from 1.9 to 3.2, reconstructions from 0.7 to 2.1.
  return static_cast<double>(GetNumberOfPixels(size)) * m_NanosecondsPerPixel * (size[2] > 1 ? 3.0 : 1.0);
}

std::string
ReplacedFilter::GetReasonForCPU(const Size3 & size, bool isInputOnDevice) const
{
  const DropInState & state = DropInState::Get();
  const std::string   failure = state.GetFailure();
  if (!failure.empty())
  {
    return "a device has failed before: " + failure;
  }
  if (isInputOnDevice)
  {
    return {};
  }
  const auto          pixels = static_cast<SizeValueType>(GetNumberOfPixels(size));
  const SizeValueType minimum = m_MinimumPixels;
  if (minimum == OnlyIfOnDevice)
  {
    return "the image is not on the device, and to copy it there would take longer";
  }
  if (pixels < minimum)
  {
    return "the image is small: " + std::to_string(pixels) + " pixels, the device is used from " +
           std::to_string(minimum);
  }
  if (m_ConsidersStart && !state.IsStartWorthwhile(this->EstimateNanoseconds(size)))
  {
    return "to start the device would take longer";
  }
  return {};
}

void
ReplacedFilter::CountRunOnCPU(const Size3 & size) const
{
  // Small images are no reason to start a device.
  if (static_cast<SizeValueType>(GetNumberOfPixels(size)) >= m_MinimumPixels)
  {
    DropInState::Get().CountOnCPU(this->EstimateNanoseconds(size));
  }
}
} // namespace CudaFilters
} // namespace itk
