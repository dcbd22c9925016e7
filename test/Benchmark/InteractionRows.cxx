// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Registration.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include <functional>
#include <memory>
#include <string>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
using Mask = Image<unsigned char, 3>;
using Filter = CudaCannyEdgeDetectionImageFilter<Volume, Mask>;

/** What a person who drags a slider waits for, without the drawing: an update with a new value, and its edges on the
 * host. change: sets a value that the last run did not have. */
void
RegisterDrag(const std::string &                         workload,
             const Input<Volume> &                       input,
             bool                                        reusesStages,
             const std::function<void(Filter &, bool)> & change)
{
  for (const char * const column : { EndToEndColumn, CpuColumn })
  {
    const bool isOnCpu = column == CpuColumn;
    if (!isOnCpu && !CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
    {
      continue;
    }
    Register(workload, column, 1, isOnCpu ? 3 : 9, [=] {
      const auto interface = CudaInterface::New();
      interface->SetBackend(isOnCpu ? CudaBackendEnum::CPU : CudaBackendEnum::CUDA);
      const auto filter = Filter::New();
      filter->SetCudaInterface(interface);
      filter->SetInput(input.Get());
      filter->SetReuseStages(reusesStages);
      filter->SetVariance(1.4 * 1.4);
      filter->SetUpperThreshold(0.04f);
      filter->SetLowerThreshold(0.03f);
      filter->Update();
      const auto isOdd = std::make_shared<bool>(false);
      return [=] {
        *isOdd = !*isOdd;
        change(*filter, *isOdd);
        filter->Update();
        const Mask::Pointer edges = filter->GetOutput();
        edges->DisconnectPipeline(); // as a viewer does, which shows them during the next run
      };
    });
  }
}
} // namespace

void
RegisterInteraction(const Inputs & inputs)
{
  const SizeValueType side = inputs.Choice.Quick ? 32 : 256;
  const Size<3>       size{ { side, side, side } };
  const Input<Volume> volume{ "uniform " + ToText(size), [size] { return MakeUniformVolume(size); } };
  const auto setThreshold = [](Filter & filter, bool isOdd) { filter.SetUpperThreshold(isOdd ? 0.041f : 0.04f); };
  const auto setVariance = [](Filter & filter, bool isOdd) { filter.SetVariance(isOdd ? 2.0 : 1.96); };
  RegisterDrag("drag-threshold/" + ToText(size) + "/f32", volume, true, setThreshold);
  RegisterDrag("drag-threshold/" + ToText(size) + "/f32/all-stages", volume, false, setThreshold);
  RegisterDrag("drag-variance/" + ToText(size) + "/f32", volume, true, setVariance);
}
} // namespace CudaBenchmark
} // namespace itk
