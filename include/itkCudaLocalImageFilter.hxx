// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLocalImageFilter_hxx
#define itkCudaLocalImageFilter_hxx

#include "itkCudaLocalImageFilter.h"
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
CudaLocalImageFilter<TParent>::HasKernelsForTypes()
{
  return CudaFilters::HasDeviceCode && ImageDimension <= 3 && InputImageType::ImageDimension == ImageDimension &&
         CudaFilters::IsKernelPixel<InputPixelType>() && CudaFilters::IsKernelPixel<OutputPixelType>() &&
         std::is_base_of<Image<InputPixelType, ImageDimension>, InputImageType>::value &&
         std::is_base_of<Image<OutputPixelType, ImageDimension>, OutputImageType>::value;
}

template <typename TParent>
std::string
CudaLocalImageFilter<TParent>::GetWhyNoKernel() const
{
  if (!CudaFilters::HasDeviceCode)
  {
    return "this library was built without the CUDA Toolkit";
  }
  if (ImageDimension > 3)
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
void
CudaLocalImageFilter<TParent>::GenerateDataOnDevice()
{
  if constexpr (HasKernelsForTypes())
  {
    this->BeforeRegionsOnDevice();

    const CudaInterface &    interface = *this->GetCudaInterface();
    const std::vector<int> & devices = interface.GetDeviceNumbers();
    const int                device = devices.front();
    OutputImageType &        output = *this->GetOutput();
    const RegionType &       region = output.GetRequestedRegion();
    SizeValueType            bytesAllowed = interface.GetMemoryBudget();

    output.SetBufferedRegion(region);
    if (devices.size() == 1)
    {
      using Reader = CudaFilters::DeviceReader<InputPixelType, ImageDimension>;
      const bool inputIsThere = Reader::IsReady(*this->GetInput(), device, this->GetInformationTick());
      if (bytesAllowed == 0 || this->GetBytesFor(region, !inputIsThere) <= bytesAllowed)
      {
        try
        {
          this->GenerateWhole(device);
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

    // Tiles come from and go to the host; what the device holds of the two images would only be in their way. What else
    // is in device memory belongs to others: leave them, and the pool's rounding, a little.
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(const_cast<InputImageType *>(this->GetInput())))
    {
      holder->MakeHostValid();
      holder->SetHostModified();
    }
    if (auto * const holder = dynamic_cast<CudaPixelHolder *>(&output))
    {
      holder->DiscardDevice();
    }
    output.Allocate();
    for (const int one : devices)
    {
      const SizeValueType available = CudaFilters::GetAvailableDeviceBytes(one) / 10 * 9;
      bytesAllowed = bytesAllowed == 0 ? available : std::min(bytesAllowed, available);
    }
    this->GenerateTiles(devices, bytesAllowed);
  }
}

template <typename TParent>
void
CudaLocalImageFilter<TParent>::GenerateWhole(int device)
{
  OutputImageType &                   output = *this->GetOutput();
  const RegionType                    region = output.GetBufferedRegion();
  const CudaFilters::ExecutionPointer execution =
    CudaFilters::MakeExecution(device, this->GetCudaInterface()->GetExecutionSettings());
  this->UpdateProgressOrAbort(0.01f);
  {
    const CudaFilters::DeviceReader<InputPixelType, ImageDimension> reader(
      *execution, *this->GetInput(), this->GetInputRegionFor(region), this->GetInformationTick());
    CudaFilters::DeviceWriter<OutputPixelType, ImageDimension> writer(*execution, output);
    this->GenerateRegionOnDevice(*execution,
                                 reader.GetPointer(),
                                 CudaFilters::GetSizeOf(reader.GetRegion()),
                                 writer.GetPointer(),
                                 CudaFilters::GetSizeOf(region),
                                 CudaFilters::GetStartWithin(reader.GetRegion(), region));
    writer.Finish();
  }
  this->UpdateProgressOrAbort(1.0f);
  this->AppendStageTimes(CudaFilters::GetStageTimes(*execution));
  m_NumberOfTiles = 1;
  this->SetExecutedOnDevice(device);
}

template <typename TParent>
void
CudaLocalImageFilter<TParent>::GenerateTiles(const std::vector<int> & devices, SizeValueType bytesAllowed)
{
  using Times = typename Superclass::StageTimes;

  OutputImageType &             output = *this->GetOutput();
  const std::vector<RegionType> tiles =
    this->CutIntoTiles(output.GetBufferedRegion(), bytesAllowed, static_cast<SizeValueType>(devices.size()));

  // The first device is driven by this thread, which alone may report progress; each other one by a thread of its own.
  std::atomic<SizeValueType>      nextTile{ 0 };
  std::atomic<bool>               stop{ false };
  std::vector<Times>              times(devices.size());
  std::vector<std::exception_ptr> errors(devices.size());
  const auto                      drive = [&](std::size_t i) {
    try
    {
      this->GenerateTilesOn(devices[i], tiles, nextTile, stop, i == 0, times[i]);
    }
    catch (...)
    {
      errors[i] = std::current_exception();
      stop = true;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < devices.size(); ++i)
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

  m_NumberOfTiles = tiles.size();
  std::string how = std::to_string(tiles.size()) + " tiles";
  for (std::size_t i = 1; i < devices.size(); ++i)
  {
    how += (i == 1 ? ", shared with device " : ", ") + std::to_string(devices[i]);
  }
  this->SetExecutedOnDevice(devices.front(), how);
}

template <typename TParent>
void
CudaLocalImageFilter<TParent>::GenerateTilesOn(int                               device,
                                               const std::vector<RegionType> &   tiles,
                                               std::atomic<SizeValueType> &      nextTile,
                                               std::atomic<bool> &               stop,
                                               bool                              reportsProgress,
                                               typename Superclass::StageTimes & times)
{
  using namespace CudaFilters;

  const InputImageType & input = *this->GetInput();
  OutputImageType &      output = *this->GetOutput();
  const RegionType &     inputBuffer = input.GetBufferedRegion();
  const RegionType &     outputBuffer = output.GetBufferedRegion();
  const auto * const     inputPixels = input.GetBufferPointer();
  auto * const           outputPixels = output.GetBufferPointer();

  // A stream that the user gave belongs to the first device.
  ExecutionSettings settings = this->GetCudaInterface()->GetExecutionSettings();
  if (!reportsProgress)
  {
    settings.Stream = nullptr;
  }
  const ExecutionPointer execution = MakeExecution(device, settings);

  DevicePixels inputTile;
  DevicePixels outputTile;
  while (!stop)
  {
    const SizeValueType i = nextTile++;
    if (i >= tiles.size())
    {
      break;
    }
    const RegionType inputRegion = this->GetInputRegionFor(tiles[i]);
    const Grid       inputSize = GetSizeOf(inputRegion);
    const Grid       outputSize = GetSizeOf(tiles[i]);
    inputTile.UploadBox(*execution,
                        inputPixels,
                        GetSizeOf(inputBuffer),
                        GetStartWithin(inputBuffer, inputRegion),
                        inputSize,
                        sizeof(InputPixelType));
    DeviceLease from = inputTile.Read(*execution);
    DeviceLease to = outputTile.Write(*execution, GetNumberOfPixels(outputSize) * sizeof(OutputPixelType));
    this->GenerateRegionOnDevice(*execution,
                                 static_cast<const InputPixelType *>(from.GetPointer()),
                                 inputSize,
                                 static_cast<OutputPixelType *>(to.GetPointer()),
                                 outputSize,
                                 GetStartWithin(inputRegion, tiles[i]));
    from = DeviceLease();
    outputTile.Accept(std::move(to));
    outputTile.DownloadBox(*execution,
                           outputPixels,
                           GetSizeOf(outputBuffer),
                           GetStartWithin(outputBuffer, tiles[i]),
                           outputSize,
                           sizeof(OutputPixelType));
    if (reportsProgress)
    {
      this->UpdateProgressOrAbort(static_cast<float>(i + 1) / tiles.size());
    }
  }
  times = GetStageTimes(*execution);
}

template <typename TParent>
SizeValueType
CudaLocalImageFilter<TParent>::GetBytesFor(const RegionType & outputRegion, bool withInput) const
{
  const SizeValueType inputBytes = this->GetInputRegionFor(outputRegion).GetNumberOfPixels() * sizeof(InputPixelType);
  return (withInput ? inputBytes : 0) + outputRegion.GetNumberOfPixels() * sizeof(OutputPixelType) +
         this->GetScratchBytesFor(outputRegion);
}

template <typename TParent>
auto
CudaLocalImageFilter<TParent>::CutIntoTiles(const RegionType & region,
                                            SizeValueType      bytesAllowed,
                                            SizeValueType      atLeast) const -> std::vector<RegionType>
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
  // The tile that needs most lies in the middle of the image, where its rim is whole.
  const auto getBytes = [&] {
    RegionType tile = region;
    for (unsigned int i = 0; i < ImageDimension; ++i)
    {
      const SizeValueType before = (region.GetSize(i) / 2) / tileSize[i] * tileSize[i];
      tile.SetIndex(i, region.GetIndex(i) + static_cast<IndexValueType>(before));
      tile.SetSize(i, std::min<SizeValueType>(tileSize[i], region.GetSize(i) - before));
    }
    return this->GetBytesFor(tile, true);
  };
  while (getNumberOfTiles() < atLeast || (bytesAllowed != 0 && getBytes() > bytesAllowed))
  {
    unsigned int longest = 0;
    for (unsigned int i = 1; i < ImageDimension; ++i)
    {
      longest = tileSize[i] >= tileSize[longest] ? i : longest;
    }
    if (tileSize[longest] <= 1)
    {
      if (bytesAllowed != 0 && getBytes() > bytesAllowed)
      {
        throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::OutOfMemory,
                                       "the device memory does not suffice even for the smallest tile: needed " +
                                         std::to_string(getBytes()) + " bytes, allowed or free " +
                                         std::to_string(bytesAllowed) + " bytes; the whole image needs " +
                                         std::to_string(this->GetBytesFor(region, true)) + " bytes");
      }
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
CudaLocalImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "NumberOfTiles: " << m_NumberOfTiles << std::endl;
}
} // namespace itk

#endif
