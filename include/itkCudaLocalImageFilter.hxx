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
#include <memory>
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
    CudaFilters::DeviceReader<InputPixelType, ImageDimension> reader(
      *execution, *this->GetInput(), this->GetInputRegionFor(region), this->GetInformationTick());
    CudaFilters::DeviceWriter<OutputPixelType, ImageDimension> writer(*execution, output);

    // The kernels are so much faster than the bus that a run takes hardly longer than the copies, which go both ways at
    // the same time.
    const bool                    copies = !reader.IsComplete() || writer.GoesToHost();
    const std::vector<RegionType> slabs =
      this->CutIntoSlabs(region, copies ? this->GetCudaInterface()->GetSlabBytes() : 0);
    for (const RegionType & slab : slabs)
    {
      const auto before =
        static_cast<SizeValueType>(slab.GetIndex(ImageDimension - 1) - region.GetIndex(ImageDimension - 1));
      reader.Provide(this->GetInputRegionFor(slab));
      this->GenerateRegionOnDevice(*execution,
                                   reader.GetPointer(),
                                   CudaFilters::GetSizeOf(reader.GetRegion()),
                                   writer.GetPointer() +
                                     before * (region.GetNumberOfPixels() / region.GetSize(ImageDimension - 1)),
                                   CudaFilters::GetSizeOf(slab),
                                   CudaFilters::GetStartWithin(reader.GetRegion(), slab));
      writer.Take(slab);
      if (slabs.size() > 1)
      {
        this->UpdateProgressOrAbort(static_cast<float>(&slab - slabs.data() + 1) / (slabs.size() + 1));
      }
    }
    reader.Finish();
    writer.Finish();
  }
  this->UpdateProgressOrAbort(1.0f);
  this->AppendStageTimes(CudaFilters::GetStageTimes(*execution));
  m_NumberOfTiles = 1;
  this->SetExecutedOnDevice(device);
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
CudaLocalImageFilter<TParent>::GenerateTiles(const std::vector<int> & devices, SizeValueType bytesAllowed)
{
  using Times = typename Superclass::StageTimes;

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
  const std::vector<RegionType> tiles =
    this->CutIntoTiles(region, bytesAllowed / lanes, static_cast<SizeValueType>(devices.size()));

  // The first device is driven by this thread, which alone may report progress; each other one by a thread of its own.
  std::atomic<SizeValueType>      nextTile{ 0 };
  std::atomic<bool>               stop{ false };
  std::vector<Times>              times(devices.size());
  std::vector<std::exception_ptr> errors(devices.size());
  const auto                      drive = [&](std::size_t i) {
    try
    {
      this->GenerateTilesOn(devices[i], tiles, lanes, nextTile, stop, i == 0, times[i]);
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
                                               unsigned int                      lanes,
                                               std::atomic<SizeValueType> &      nextTile,
                                               std::atomic<bool> &               stop,
                                               bool                              reportsProgress,
                                               typename Superclass::StageTimes & times)
{
  using namespace CudaFilters;

  /** What one tile after the other goes through, in a stream of its own. */
  struct Lane
  {
    ExecutionPointer Run;
    DevicePixels     Input;
    DevicePixels     Output;

    explicit Lane(ExecutionPointer run)
      : Run(std::move(run))
    {}
    ~Lane()
    {
      try
      {
        Wait(*this->Run);
      }
      catch (const DeviceError &)
      {
        // After another error: the device copies nothing any more.
      }
    }
  };

  const InputImageType & input = *this->GetInput();
  OutputImageType &      output = *this->GetOutput();

  // A stream that the user gave belongs to the first device.
  ExecutionSettings settings = this->GetCudaInterface()->GetExecutionSettings();
  if (!reportsProgress)
  {
    settings.Stream = nullptr;
  }
  std::vector<std::unique_ptr<Lane>> all;
  for (unsigned int i = 0; i < lanes; ++i)
  {
    all.push_back(std::make_unique<Lane>(MakeExecution(device, settings, static_cast<int>(i))));
  }

  for (SizeValueType turn = 0; !stop; ++turn)
  {
    const SizeValueType i = nextTile++;
    if (i >= tiles.size())
    {
      break;
    }
    Lane &           lane = *all[turn % lanes];
    Execution &      execution = *lane.Run;
    const RegionType inputRegion = this->GetInputRegionFor(tiles[i]);
    const Grid       inputSize = GetSizeOf(inputRegion);
    const Grid       outputSize = GetSizeOf(tiles[i]);
    // So that progress is reported when it is made, and an abort has less to wait for.
    Wait(execution);
    lane.Input.UploadBox(execution, MakeHostBox(input, inputRegion));
    DeviceLease from = lane.Input.Read(execution);
    DeviceLease to = lane.Output.Write(execution, GetNumberOfPixels(outputSize) * sizeof(OutputPixelType));
    this->GenerateRegionOnDevice(execution,
                                 static_cast<const InputPixelType *>(from.GetPointer()),
                                 inputSize,
                                 static_cast<OutputPixelType *>(to.GetPointer()),
                                 outputSize,
                                 GetStartWithin(inputRegion, tiles[i]));
    from = DeviceLease();
    lane.Output.Accept(std::move(to));
    lane.Output.DownloadBox(execution, MakeHostBox(output, tiles[i]));
    if (reportsProgress)
    {
      this->UpdateProgressOrAbort(static_cast<float>(i + 1) / tiles.size());
    }
  }
  for (const auto & lane : all)
  {
    Wait(*lane->Run);
    const auto timesOfLane = GetStageTimes(*lane->Run);
    times.insert(times.end(), timesOfLane.begin(), timesOfLane.end());
  }
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
SizeValueType
CudaLocalImageFilter<TParent>::GetBytesForMiddleTile(const RegionType &                    region,
                                                     const typename RegionType::SizeType & tileSize) const
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
CudaLocalImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "NumberOfTiles: " << m_NumberOfTiles << std::endl;
}
} // namespace itk

#endif
