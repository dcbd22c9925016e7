// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLocalImageFilter_hxx
#define itkCudaLocalImageFilter_hxx

#include "itkCudaLocalImageFilter.h"
#include "itkCudaImageAccess.h"
#include <algorithm>
#include <memory>
#include <utility>

namespace itk
{
template <typename TParent>
void
CudaLocalImageFilter<TParent>::GenerateWhole(int device)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using Writer = CudaFilters::DeviceWriter<OutputPixelType, ImageDimension>;

    const std::vector<OutputImageType *> outputs = this->GetOutputsOnDevice();
    const RegionType                     region = outputs.front()->GetBufferedRegion();
    const CudaFilters::ExecutionPointer  execution =
      CudaFilters::MakeExecution(device, this->GetCudaInterface()->GetExecutionSettings());
    this->UpdateProgressOrAbort(0.01f);
    {
      CudaFilters::DeviceReader<InputPixelType, ImageDimension> reader(
        *execution, *this->GetInput(), this->GetInputRegionFor(region), this->GetInformationTick());
      std::vector<std::unique_ptr<Writer>> writers;
      bool                                 copies = !reader.IsComplete();
      for (OutputImageType * const output : outputs)
      {
        writers.push_back(std::make_unique<Writer>(*execution, *output));
        copies = copies || writers.back()->GoesToHost();
      }

      // The kernels are so much faster than the bus that a run takes hardly longer than the copies, which go both ways
      // at the same time.
      const std::vector<RegionType> slabs =
        this->CutIntoSlabs(region, copies ? this->GetCudaInterface()->GetSlabBytes() : 0);
      for (const RegionType & slab : slabs)
      {
        const auto before =
          static_cast<SizeValueType>(slab.GetIndex(ImageDimension - 1) - region.GetIndex(ImageDimension - 1));
        const SizeValueType pixelsBefore = before * (region.GetNumberOfPixels() / region.GetSize(ImageDimension - 1));
        reader.Provide(this->GetInputRegionFor(slab));
        RegionOnDevice onDevice{ reader.GetPointer(), {}, CudaFilters::MakeLocalBox(reader.GetRegion(), slab) };
        for (const auto & writer : writers)
        {
          onDevice.Outputs.push_back(writer->GetPointer() + pixelsBefore);
        }
        this->GenerateRegionOnDevice(*execution, onDevice);
        for (const auto & writer : writers)
        {
          writer->Take(slab);
        }
        if (slabs.size() > 1)
        {
          this->UpdateProgressOrAbort(static_cast<float>(&slab - slabs.data() + 1) / (slabs.size() + 1));
        }
      }
      reader.Finish();
      for (const auto & writer : writers)
      {
        writer->Finish();
      }
    }
    this->UpdateProgressOrAbort(1.0f);
    this->AppendStageTimes(CudaFilters::GetStageTimes(*execution));
  }
}

template <typename TParent>
auto
CudaLocalImageFilter<TParent>::CutIntoSlabs(const RegionType & region, SizeValueType bytes) -> std::vector<RegionType>
{
  constexpr unsigned int  last = ImageDimension - 1;
  constexpr SizeValueType thinnest = 8; // kernels along this axis compute about as many pixels together

  const SizeValueType length = region.GetSize(last);
  const SizeValueType bytesAtOnePosition =
    region.GetNumberOfPixels() / length * std::max(sizeof(InputPixelType), sizeof(OutputPixelType));
  const SizeValueType     thickness = bytes == 0 ? length : std::max(bytes / bytesAtOnePosition, thinnest);
  std::vector<RegionType> slabs;
  for (SizeValueType before = 0; before < length; before += thickness)
  {
    RegionType slab = region;
    slab.SetIndex(last, region.GetIndex(last) + static_cast<IndexValueType>(before));
    slab.SetSize(last, std::min(thickness, length - before));
    slabs.push_back(slab);
  }
  return slabs;
}

template <typename TParent>
void
CudaLocalImageFilter<TParent>::GenerateTiles(const Tiling & tiling)
{
  if constexpr (Superclass::HasKernelsForTypes())
  {
    using namespace CudaFilters;

    const InputImageType &               input = *this->GetInput();
    const std::vector<OutputImageType *> outputs = this->GetOutputsOnDevice();
    this->ForEachTile(tiling, [&](Lane & lane, SizeValueType i) {
      Execution &        execution = *lane.Run;
      const RegionType & tile = tiling.Tiles[i];
      const RegionType   inputRegion = this->GetInputRegionFor(tile);
      lane.Input.UploadBox(execution, MakeHostBox(input, inputRegion));
      DeviceLease              from = lane.Input.Read(execution);
      std::vector<DeviceLease> to;
      RegionOnDevice           onDevice{ static_cast<const InputPixelType *>(from.GetPointer()),
                               {},
                               MakeLocalBox(inputRegion, tile) };
      for (const auto & output : lane.Outputs)
      {
        to.push_back(output->Write(execution, tile.GetNumberOfPixels() * sizeof(OutputPixelType)));
        onDevice.Outputs.push_back(static_cast<OutputPixelType *>(to.back().GetPointer()));
      }
      this->GenerateRegionOnDevice(execution, onDevice);
      from = DeviceLease();
      for (std::size_t n = 0; n < outputs.size(); ++n)
      {
        lane.Outputs[n]->Accept(std::move(to[n]));
        lane.Outputs[n]->DownloadBox(execution, MakeHostBox(*outputs[n], tile));
      }
    });
  }
}
} // namespace itk

#endif
