// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTiledImageFilter_hxx
#define itkCudaTiledImageFilter_hxx

#include "itkCudaTiledImageFilter.h"
#include "CudaFilters/DeviceError.h"
#include "itkCudaImageAccess.h"
#include "CudaFilters/KernelPixel.h"
#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace itk
{
template <typename TParent>
constexpr bool
CudaTiledImageFilter<TParent>::HasKernelsForTypes()
{
  return CudaFilters::HasDeviceCode && (ImageDimension == 2 || ImageDimension == 3) &&
         InputImageType::ImageDimension == ImageDimension && CudaFilters::IsKernelPixel<InputPixelType>() &&
         CudaFilters::IsKernelPixel<OutputPixelType>() &&
         std::is_base_of<Image<InputPixelType, ImageDimension>, InputImageType>::value &&
         std::is_base_of<Image<OutputPixelType, ImageDimension>, OutputImageType>::value;
}

template <typename TParent>
std::string
CudaTiledImageFilter<TParent>::GetWhyNoKernel() const
{
  if (!CudaFilters::HasDeviceCode)
  {
    return "this library was built without the CUDA Toolkit";
  }
  if (ImageDimension != 2 && ImageDimension != 3)
  {
    return "there are kernels for 2-D and 3-D images only, not for " + std::to_string(ImageDimension) + "-D";
  }
  if (!HasKernelsForTypes())
  {
    return "there are kernels for images of unsigned char, unsigned short, short, float and double pixels only";
  }
  if (this->GetOutput()->GetRequestedRegion().GetNumberOfPixels() == 0)
  {
    return "the image is empty";
  }
  return {};
}

template <typename TParent>
auto
CudaTiledImageFilter<TParent>::GetOutputsOnDevice() -> std::vector<OutputImageType *>
{
  return { this->GetOutput() };
}

template <typename TParent>
auto
CudaTiledImageFilter<TParent>::GetInputRegionAround(const RegionType &                    outputRegion,
                                                    const typename RegionType::SizeType & radius) const -> RegionType
{
  RegionType region = outputRegion;
  region.PadByRadius(radius);
  region.Crop(this->GetInput()->GetBufferedRegion());
  return region;
}

template <typename TParent>
void
CudaTiledImageFilter<TParent>::GenerateDataOnDevice()
{
  if constexpr (HasKernelsForTypes())
  {
    this->BeforeRegionsOnDevice();

    const CudaInterface &                interface = *this->GetCudaInterface();
    const std::vector<int> &             devices = interface.GetDeviceNumbers();
    const int                            device = devices.front();
    const std::vector<OutputImageType *> outputs = this->GetOutputsOnDevice();
    const RegionType &                   region = outputs.front()->GetRequestedRegion();
    SizeValueType                        bytesAllowed = interface.GetMemoryBudget();

    for (OutputImageType * const output : outputs)
    {
      output->SetBufferedRegion(region);
    }
    if (devices.size() == 1)
    {
      using Reader = CudaFilters::DeviceReader<InputPixelType, ImageDimension>;
      const bool inputIsThere = Reader::IsReady(*this->GetInput(), device, this->GetInformationTick());
      if (bytesAllowed == 0 || this->GetBytesFor(region, !inputIsThere) <= bytesAllowed)
      {
        try
        {
          this->GenerateWhole(device);
          m_NumberOfTiles = 1;
          this->SetExecutedOnDevice(device);
          return;
        }
        catch (const CudaFilters::DeviceError & error)
        {
          if (!error.IsOutOfMemory())
          {
            throw;
          }
        }
      }
    }

    // Tiles come from and go to the host; what the device holds of the images would only be in their way. What else is
    // in device memory belongs to others: leave them, and the pool's rounding, a little.
    this->ForEachInput([](CudaPixelHolder & holder) {
      holder.MakeHostValid();
      holder.SetHostModified();
    });
    for (OutputImageType * const output : outputs)
    {
      if (auto * const holder = dynamic_cast<CudaPixelHolder *>(output))
      {
        holder->DiscardDevice();
      }
      output->Allocate();
    }
    for (const int one : devices)
    {
      const SizeValueType available = CudaFilters::GetAvailableDeviceBytes(one) / 10 * 9;
      bytesAllowed = bytesAllowed == 0 ? available : std::min(bytesAllowed, available);
    }
    const Tiling tiling = this->MakeTiling(devices, bytesAllowed);
    this->GenerateTiles(tiling);

    m_NumberOfTiles = tiling.Tiles.size();
    std::string how = std::to_string(m_NumberOfTiles) + " tiles";
    for (std::size_t i = 1; i < devices.size(); ++i)
    {
      how += (i == 1 ? ", shared with device " : ", ") + std::to_string(devices[i]);
    }
    this->SetExecutedOnDevice(device, how);
  }
}

template <typename TParent>
auto
CudaTiledImageFilter<TParent>::MakeTiling(const std::vector<int> & devices, SizeValueType bytesAllowed) -> Tiling
{
  // Two tiles at a time on each device, so that one is copied while another is computed or copied the other way; if
  // half the memory suffices for one.
  const RegionType &  region = this->GetOutput()->GetBufferedRegion();
  const SizeValueType bytesNeeded = this->GetBytesForMiddleTile(region, RegionType::SizeType::Filled(1));
  if (bytesNeeded > bytesAllowed)
  {
    throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::OutOfMemory,
                                   "the device memory does not suffice even for the smallest tile: needed " +
                                     std::to_string(bytesNeeded) + " bytes, allowed or free " +
                                     std::to_string(bytesAllowed) + " bytes; the whole image needs " +
                                     std::to_string(this->GetBytesFor(region, true)) + " bytes");
  }
  const bool         hasTwoLanes = this->GetCudaInterface()->GetStream() == nullptr && bytesNeeded <= bytesAllowed / 2;
  const unsigned int lanes = hasTwoLanes ? 2 : 1;
  return { devices, lanes, this->CutIntoTiles(region, bytesAllowed / lanes, devices.size()) };
}

template <typename TParent>
CudaTiledImageFilter<TParent>::Lane::Lane(CudaFilters::ExecutionPointer run, std::size_t outputs)
  : Run(std::move(run))
{
  for (std::size_t i = 0; i < outputs; ++i)
  {
    this->Outputs.push_back(std::make_unique<CudaFilters::DevicePixels>());
  }
}

template <typename TParent>
CudaTiledImageFilter<TParent>::Lane::~Lane()
{
  try
  {
    Wait(*this->Run);
  }
  catch (const CudaFilters::DeviceError &)
  {
    // After another error: the device copies nothing any more.
  }
}

template <typename TParent>
void
CudaTiledImageFilter<TParent>::ForEachTile(const Tiling &       tiling,
                                           const TileFunction & function,
                                           float                progressFrom,
                                           float                progressTo)
{
  using Times = typename Superclass::StageTimes;

  // The first device is driven by this thread, which alone may report progress; each other one by a thread of its own.
  const std::size_t               devices = tiling.Devices.size();
  std::atomic<SizeValueType>      nextTile{ 0 };
  std::atomic<bool>               stop{ false };
  std::vector<Times>              times(devices);
  std::vector<std::exception_ptr> errors(devices);
  const auto                      report = [&](float share) {
    this->UpdateProgressOrAbort(progressFrom + share * (progressTo - progressFrom));
  };
  const auto drive = [&](std::size_t i) {
    try
    {
      this->ForEachTileOn(i, tiling, function, report, nextTile, stop, times[i]);
    }
    catch (...)
    {
      errors[i] = std::current_exception();
      stop = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < devices; ++i)
  {
    threads.emplace_back(drive, i);
  }
  drive(0);
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  for (const std::exception_ptr & error : errors)
  {
    if (error)
    {
      std::rethrow_exception(error);
    }
  }
  for (const Times & timesOfOne : times)
  {
    this->AppendStageTimes(timesOfOne);
  }
}

template <typename TParent>
void
CudaTiledImageFilter<TParent>::ForEachTileOn(std::size_t                        deviceOfTiling,
                                             const Tiling &                     tiling,
                                             const TileFunction &               function,
                                             const std::function<void(float)> & report,
                                             std::atomic<SizeValueType> &       nextTile,
                                             std::atomic<bool> &                stop,
                                             typename Superclass::StageTimes &  times)
{
  using namespace CudaFilters;

  // A stream that the user gave belongs to the first device.
  const bool        isFirst = deviceOfTiling == 0;
  ExecutionSettings settings = this->GetCudaInterface()->GetExecutionSettings();
  if (!isFirst)
  {
    settings.Stream = nullptr;
  }
  const std::size_t                  outputs = this->GetOutputsOnDevice().size();
  std::vector<std::unique_ptr<Lane>> lanes;
  for (unsigned int i = 0; i < tiling.LanesPerDevice; ++i)
  {
    lanes.push_back(
      std::make_unique<Lane>(MakeExecution(tiling.Devices[deviceOfTiling], settings, static_cast<int>(i)), outputs));
  }

  for (SizeValueType turn = 0; !stop; ++turn)
  {
    const SizeValueType i = nextTile++;
    if (i >= tiling.Tiles.size())
    {
      break;
    }
    Lane & lane = *lanes[turn % lanes.size()];
    // So that progress is reported when it is made, and an abort has less to wait for.
    Wait(*lane.Run);
    function(lane, i);
    if (isFirst)
    {
      report(static_cast<float>(i + 1) / tiling.Tiles.size());
    }
  }
  for (const auto & lane : lanes)
  {
    Wait(*lane->Run);
    const auto timesOfLane = GetStageTimes(*lane->Run);
    times.insert(times.end(), timesOfLane.begin(), timesOfLane.end());
  }
}

template <typename TParent>
SizeValueType
CudaTiledImageFilter<TParent>::GetBytesFor(const RegionType & outputRegion, bool withInput)
{
  const SizeValueType inputBytes = this->GetInputRegionFor(outputRegion).GetNumberOfPixels() * sizeof(InputPixelType);
  const SizeValueType outputBytes = outputRegion.GetNumberOfPixels() * sizeof(OutputPixelType);
  return (withInput ? inputBytes : 0) + outputBytes * this->GetOutputsOnDevice().size() +
         this->GetScratchBytesFor(outputRegion);
}

template <typename TParent>
SizeValueType
CudaTiledImageFilter<TParent>::GetBytesForMiddleTile(const RegionType &                    region,
                                                     const typename RegionType::SizeType & tileSize)
{
  RegionType tile = region;
  for (unsigned int i = 0; i < ImageDimension; ++i)
  {
    const SizeValueType before = (region.GetSize(i) / 2) / tileSize[i] * tileSize[i];
    tile.SetIndex(i, region.GetIndex(i) + static_cast<IndexValueType>(before));
    tile.SetSize(i, std::min<SizeValueType>(tileSize[i], region.GetSize(i) - before));
  }
  return this->GetBytesFor(tile, true);
}

template <typename TParent>
auto
CudaTiledImageFilter<TParent>::CutIntoTiles(const RegionType & region,
                                            SizeValueType      bytesAllowed,
                                            SizeValueType      atLeast) -> std::vector<RegionType>
{
  // Halves the longest side of a tile until it fits.
  auto       tileSize = region.GetSize();
  const auto getNumberOfTiles = [&] {
    SizeValueType number = 1;
    for (unsigned int i = 0; i < ImageDimension; ++i)
    {
      number *= (region.GetSize(i) + tileSize[i] - 1) / tileSize[i];
    }
    return number;
  };
  while (getNumberOfTiles() < atLeast || this->GetBytesForMiddleTile(region, tileSize) > bytesAllowed)
  {
    unsigned int longest = 0;
    for (unsigned int i = 1; i < ImageDimension; ++i)
    {
      longest = tileSize[i] >= tileSize[longest] ? i : longest;
    }
    if (tileSize[longest] <= 1)
    {
      break;
    }
    tileSize[longest] = (tileSize[longest] + 1) / 2;
  }

  std::vector<RegionType> tiles;
  const SizeValueType     number = getNumberOfTiles();
  for (SizeValueType n = 0; n < number; ++n)
  {
    RegionType    tile = region;
    SizeValueType rest = n;
    for (unsigned int i = 0; i < ImageDimension; ++i)
    {
      const SizeValueType alongThisSide = (region.GetSize(i) + tileSize[i] - 1) / tileSize[i];
      const SizeValueType before = rest % alongThisSide * tileSize[i];
      rest /= alongThisSide;
      tile.SetIndex(i, region.GetIndex(i) + static_cast<IndexValueType>(before));
      tile.SetSize(i, std::min<SizeValueType>(tileSize[i], region.GetSize(i) - before));
    }
    tiles.push_back(tile);
  }
  return tiles;
}

template <typename TParent>
void
CudaTiledImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "NumberOfTiles: " << m_NumberOfTiles << std::endl;
}
} // namespace itk

#endif
