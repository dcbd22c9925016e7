// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Runner.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/LostPixels.h"
#include "../PixelMemory/PlainUploads.h"
#include "../PixelMemory/StagedUpload.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** Adds up the times of stages of the same name, which were executed for several slabs or tiles. */
void
AddStageTimes(std::vector<StageTime> & sum, const std::vector<StageTime> & times)
{
  for (const StageTime & time : times)
  {
    const auto same =
      std::find_if(sum.begin(), sum.end(), [&time](const StageTime & other) { return other.Name == time.Name; });
    if (same == sum.end())
    {
      sum.push_back(time);
    }
    else
    {
      same->Milliseconds += time.Milliseconds;
    }
  }
}

std::vector<std::unique_ptr<DevicePixels>>
MakeDevicePixels(std::size_t count)
{
  std::vector<std::unique_ptr<DevicePixels>> pixels;
  for (std::size_t i = 0; i < count; ++i)
  {
    pixels.push_back(std::make_unique<DevicePixels>());
  }
  return pixels;
}
} // namespace

TileSlot::TileSlot(ExecutionPointer execution, const ImageList & images, std::function<void()> checkAbort)
  : m_Execution(std::move(execution))
  , m_Images(images)
  , m_CheckAbort(std::move(checkAbort))
  , m_Inputs(MakeDevicePixels(images.GetInputs().size()))
  , m_Outputs(MakeDevicePixels(images.GetOutputs().size()))
{}

TileSlot::~TileSlot()
{
  try
  {
    Wait(*m_Execution);
  }
  catch (const DeviceError &)
  {
    // After another error: the device copies nothing any more.
  }
}

void
TileSlot::Finish()
{
  if (const std::function<void()> function = std::exchange(m_DeferredWork, nullptr))
  {
    function();
  }
}

DeviceLease
TileSlot::Upload(DevicePixels & pixels, const HostBox & box)
{
  const bool isStaged = StagedUpload::IsWorthwhile(box, GetDevice(*m_Execution));
  if (isStaged && !m_Staging)
  {
    m_Staging = StagedUpload::TryToMake(GetDevice(*m_Execution));
  }
  return pixels.UploadBox(*m_Execution, box, isStaged ? m_Staging.get() : nullptr);
}

DeviceLease
TileSlot::UploadInput(unsigned int input, const Region3 & region)
{
  return this->Upload(*m_Inputs[input], MakeHostBox(*m_Images.GetInputs()[input], region));
}

void
TileSlot::ReleaseInput(unsigned int input)
{
  m_Inputs[input]->Release();
}

DeviceLease
TileSlot::WriteOutput(unsigned int output, const Region3 & region)
{
  const std::size_t bytesPerPixel = m_Images.GetOutputs()[output]->GetBytesPerPixel();
  return m_Outputs[output]->Write(*m_Execution, region.GetNumberOfPixels() * bytesPerPixel);
}

void
TileSlot::DownloadOutput(unsigned int output, const Region3 & region, DeviceLease && written)
{
  const HostBox box = MakeHostBox(*m_Images.GetOutputs()[output], region);
  m_Outputs[output]->DownloadBox(*m_Execution, box, std::move(written));
}

Runner::Runner(Operation &           operation,
               const ImageList &     images,
               const CudaInterface & settings,
               std::uint64_t         updateTick,
               ProgressFunction      progress)
  : m_Operation(operation)
  , m_Images(images)
  , m_Settings(&settings)
  , m_ExecutionSettings(settings.GetExecutionSettings())
  , m_UpdateTick(updateTick)
  , m_Progress(std::move(progress))
{
  m_Report.Devices = settings.GetDeviceNumbers();
}

RunReport
Runner::Run()
{
  this->CheckImages();
  for (const auto & output : m_Images.GetOutputs())
  {
    if (DeviceContainer * const container = output->GetDeviceContainer())
    {
      container->ExpectPixels(output->GetBufferedRegion().GetNumberOfPixels());
    }
  }
  while (this->MayRunWhole())
  {
    try
    {
      const ExecutionPointer execution = MakeExecution(m_Report.Devices.front(), m_ExecutionSettings);
      this->ReportProgress(0.01f);
      m_Operation.RunWhole(*this, *execution);
      this->ReportProgress(1.0f);
      AddStageTimes(m_Report.StageTimes, GetStageTimes(*execution));
      return std::move(m_Report);
    }
    catch (const DeviceError & error)
    {
      if (!error.IsOutOfMemory())
      {
        throw;
      }
    }
    // Pixels that are kept for other filters of the pipeline may take up the memory.
    if (!PlainUploads::GetInstance().ReleaseAll())
    {
      break;
    }
  }
  this->PrepareTiles();
  m_Operation.RunTiles(*this);
  this->ReportProgress(1.0f);
  return std::move(m_Report);
}

void
Runner::PrepareTiles()
{
  // Copies of the images on the device would only take up memory.
  for (const auto & input : m_Images.GetInputs())
  {
    if (CudaPixelHolder * const holder = input->GetHolder())
    {
      DownloadPixels(*holder);
      holder->SetHostModified();
    }
  }
  for (const auto & output : m_Images.GetOutputs())
  {
    if (CudaPixelHolder * const holder = output->GetHolder())
    {
      holder->DiscardDevice();
    }
    output->AllocateHost();
  }
  this->MakeTiles();
  m_Report.NumberOfTiles = m_Tiles.size();
}

void
Runner::CheckImages() const
{
  if (this->GetNumberOfOutputs() == 0)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the filter has no output that a device can compute");
  }
  for (const auto * const images : { &m_Images.GetInputs(), &m_Images.GetOutputs() })
  {
    for (const auto & image : *images)
    {
      if (image->GetDimension() > 3)
      {
        throw DeviceError(DeviceError::Kind::Unsuited, "an image has more than three dimensions");
      }
    }
  }
  if (this->GetOutputRegion().GetNumberOfPixels() == 0)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "the image is empty");
  }
  for (unsigned int i = 1; i < this->GetNumberOfOutputs(); ++i)
  {
    if (this->GetOutput(i).GetBufferedRegion() != this->GetOutputRegion())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the outputs have different regions");
    }
  }
  for (unsigned int i = 0; i < this->GetNumberOfInputs(); ++i)
  {
    if (this->GetInputRegion(i, this->GetOutputRegion()).GetNumberOfPixels() == 0)
    {
      throw DeviceError(DeviceError::Kind::MissingPixels,
                        "the operation asks for a region of input " + std::to_string(i) +
                          " that lies outside the image");
    }
  }
}

bool
Runner::MayRunWhole() const
{
  if (m_Report.Devices.size() > 1)
  {
    return false;
  }
  const std::size_t bytes = this->GetBytes(this->MakePlan(this->GetOutputRegion()), m_Report.Devices.front());
  return bytes <= m_Settings->GetMemoryBudget();
}

Region3
Runner::GetInputRegion(unsigned int input, const Region3 & outputRegion) const
{
  return Intersect(m_Operation.GetInputRegion(input, outputRegion), this->GetInput(input).GetBufferedRegion());
}

RegionPlan
Runner::MakePlan(const Region3 & outputRegion) const
{
  RegionPlan plan;
  plan.Output = outputRegion;
  plan.IsWhole = outputRegion == this->GetOutputRegion();
  for (unsigned int i = 0; i < this->GetNumberOfInputs(); ++i)
  {
    plan.Inputs.push_back(this->GetInputRegion(i, outputRegion));
  }
  return plan;
}

std::unique_ptr<DeviceReader>
Runner::Read(const Execution & execution, unsigned int input, const Region3 & region) const
{
  return std::make_unique<DeviceReader>(execution, this->GetInput(input), region, m_UpdateTick);
}

const Region3 &
Runner::RequireBuffered(unsigned int input, const Region3 & region) const
{
  if (!region.IsInside(this->GetInput(input).GetBufferedRegion()))
  {
    throw DeviceError(DeviceError::Kind::BadInput, "the buffer of an input does not hold all of the image");
  }
  return region;
}

std::unique_ptr<DeviceReader>
Runner::ReadExactly(const Execution & execution, unsigned int input, const Region3 & region) const
{
  std::unique_ptr<DeviceReader> reader = this->Read(execution, input, this->RequireBuffered(input, region));
  if (reader->GetRegion() != region)
  {
    throw DeviceError(DeviceError::Kind::Unsuited, "an input has a buffer of another region than the output");
  }
  reader->Provide(region);
  return reader;
}

std::unique_ptr<DeviceWriter>
Runner::Write(const Execution & execution, unsigned int output) const
{
  return std::make_unique<DeviceWriter>(execution, this->GetOutput(output));
}

std::size_t
Runner::GetBytes(const RegionPlan & plan, int device) const
{
  std::size_t bytes = m_Operation.GetScratchBytes(plan);
  for (unsigned int i = 0; i < this->GetNumberOfInputs(); ++i)
  {
    const PixelImage & input = this->GetInput(i);
    const bool         isThere = device >= 0 && DeviceReader::IsReady(input, device, m_UpdateTick);
    bytes += isThere ? 0 : plan.Inputs[i].GetNumberOfPixels() * input.GetBytesPerPixel();
  }
  for (const auto & output : m_Images.GetOutputs())
  {
    bytes += plan.Output.GetNumberOfPixels() * output->GetBytesPerPixel();
  }
  return bytes;
}

std::size_t
Runner::GetBytesOfMiddleTile(const Size3 & tileSize) const
{
  Region3 tile = this->GetOutputRegion();
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t before = tile.Size[axis] / 2 / tileSize[axis] * tileSize[axis];
    tile.Start[axis] += before;
    tile.Size[axis] = std::min(tileSize[axis], tile.Size[axis] - before);
  }
  return this->GetBytes(this->MakePlan(tile), -1);
}

void
Runner::MakeTiles()
{
  // A tenth of the free memory is left to other libraries and to the pool, which rounds sizes up.
  SizeValueType allowed = m_Settings->GetMemoryBudget();
  for (const int device : m_Report.Devices)
  {
    allowed = std::min<SizeValueType>(allowed, GetAvailableDeviceBytes(device) / 10 * 9);
  }

  const Region3 region = this->GetOutputRegion();
  Size3         smallest = region.Size;
  for (unsigned int axis = 0; axis < this->GetDimension(); ++axis)
  {
    smallest[axis] = m_Operation.MayCutAlong(axis) ? 1 : smallest[axis];
  }
  const std::size_t needed = this->GetBytesOfMiddleTile(smallest);
  if (needed > allowed)
  {
    throw DeviceError(DeviceError::Kind::OutOfMemory,
                      "the device memory does not suffice even for the smallest tile: needed " +
                        std::to_string(needed) + " bytes, allowed or free " + std::to_string(allowed) +
                        " bytes; the whole image needs " + std::to_string(this->GetBytes(this->MakePlan(region), -1)) +
                        " bytes");
  }
  m_SlotsPerDevice = m_Settings->GetStream() == nullptr && needed <= allowed / 2 ? 2 : 1;

  // Halves the longest side of a tile until it fits.
  const std::size_t perTile = allowed / m_SlotsPerDevice;
  Size3             tileSize = region.Size;
  while (this->GetNumberOfTilesAtATime(tileSize) < m_Report.Devices.size() ||
         this->GetBytesOfMiddleTile(tileSize) > perTile)
  {
    unsigned int longest = 0;
    for (unsigned int axis = 1; axis < this->GetDimension(); ++axis)
    {
      longest = tileSize[axis] - smallest[axis] >= tileSize[longest] - smallest[longest] ? axis : longest;
    }
    if (tileSize[longest] <= smallest[longest])
    {
      break;
    }
    tileSize[longest] = (tileSize[longest] + 1) / 2;
  }
  m_Tiles = CutIntoTiles(region, tileSize);
}

std::size_t
Runner::GetNumberOfTilesAtATime(const Size3 & tileSize) const
{
  // If neighbouring tiles must not be computed at the same time, every other tile along each axis is.
  std::size_t number = 1;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const auto tiles = static_cast<std::size_t>(DivideUp(this->GetOutputRegion().Size[axis], tileSize[axis]));
    number *= m_Operation.AreTilesIndependent() || tiles == 1 ? tiles : tiles / 2;
  }
  return number;
}

/** The devices' threads take tiles from a common counter. */
class Runner::TileLoop
{
public:
  TileLoop(const Runner &               runner,
           const std::vector<Region3> & tiles,
           const TileFunction &         function,
           float                        from,
           float                        to)
    : m_Runner(runner)
    , m_Tiles(tiles)
    , m_Function(function)
    , m_ProgressFrom(from)
    , m_ProgressTo(to)
    , m_Times(runner.m_Report.Devices.size())
    , m_Errors(runner.m_Report.Devices.size())
  {}

  /** The calling thread drives the first device and reports progress; each other device has a thread of its own. */
  void
  DriveDevices()
  {
    std::vector<std::thread> threads;
    threads.reserve(m_Errors.size());
    try
    {
      for (std::size_t i = 1; i < m_Errors.size(); ++i)
      {
        threads.emplace_back([this, i] {
          this->DriveAndCatch(i);
          const std::lock_guard<std::mutex> lock(m_Mutex);
          ++m_NumberOfEnded;
          m_HasEnded.notify_all();
        });
      }
      this->DriveAndCatch(0);
    }
    catch (const std::exception & error)
    {
      m_Stop = true;
      m_Errors[0] = std::make_exception_ptr(DeviceError(
        DeviceError::Kind::Failure, std::string("a thread for another device could not be started: ") + error.what()));
    }
    this->WaitForOthers(threads.size());
    for (std::thread & thread : threads)
    {
      thread.join();
    }
    for (const std::exception_ptr & error : m_Errors)
    {
      if (error)
      {
        std::rethrow_exception(error);
      }
    }
  }

  std::vector<std::vector<StageTime>> &
  GetTimes()
  {
    return m_Times;
  }

private:
  /** Ends the work of a thread after an error in another one. */
  struct Stopped
  {};

  /** Waits for the threads of the other devices, and stops them if the user aborts the filter meanwhile. */
  void
  WaitForOthers(std::size_t number)
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    while (!m_HasEnded.wait_for(lock, std::chrono::milliseconds(50), [&] { return m_NumberOfEnded == number; }))
    {
      if (!m_Stop)
      {
        lock.unlock();
        try
        {
          m_Runner.ReportProgress(m_Progress);
        }
        catch (...)
        {
          m_Errors[0] = std::current_exception();
          m_Stop = true;
        }
        lock.lock();
      }
    }
  }

  void
  DriveAndCatch(std::size_t deviceNumber)
  {
    try
    {
      this->Drive(deviceNumber);
    }
    catch (const Stopped &)
    {
      // The other thread reports its error.
    }
    catch (...)
    {
      m_Errors[deviceNumber] = std::current_exception();
      m_Stop = true;
    }
  }

  void
  Drive(std::size_t deviceNumber)
  {
    // A stream that the user gave belongs to the first device.
    const bool        isFirst = deviceNumber == 0;
    ExecutionSettings settings = m_Runner.m_ExecutionSettings;
    if (!isFirst)
    {
      settings.Stream = nullptr;
    }
    // Only the calling thread reports progress, and learns from that whether the user has aborted the filter.
    const auto checkAbort = [this, isFirst] {
      if (isFirst)
      {
        m_Runner.ReportProgress(m_Progress);
      }
      else if (m_Stop)
      {
        throw Stopped();
      }
    };
    std::vector<std::unique_ptr<TileSlot>> slots;
    for (unsigned int i = 0; i < m_Runner.m_SlotsPerDevice; ++i)
    {
      slots.push_back(std::make_unique<TileSlot>(
        MakeExecution(m_Runner.m_Report.Devices[deviceNumber], settings, static_cast<int>(i)),
        m_Runner.m_Images,
        checkAbort));
    }

    for (std::size_t turn = 0; !m_Stop; ++turn)
    {
      const std::size_t i = m_NextTile++;
      if (i >= m_Tiles.size())
      {
        break;
      }
      TileSlot & slot = *slots[turn % slots.size()];
      slot.Finish(); // with one slot, its previous tile is still unfinished
      // So that progress is reported when it is made, and an abort has less to wait for.
      Wait(slot.GetExecution());
      m_Function(slot, i);
      for (const auto & other : slots)
      {
        if (other.get() != &slot)
        {
          other->Finish();
        }
      }
      if (isFirst)
      {
        const float share = static_cast<float>(i + 1) / static_cast<float>(m_Tiles.size());
        m_Progress = m_ProgressFrom + share * (m_ProgressTo - m_ProgressFrom);
        m_Runner.ReportProgress(m_Progress);
      }
    }
    for (const auto & slot : slots)
    {
      if (!m_Stop)
      {
        slot->Finish();
      }
      Wait(slot->GetExecution());
      AddStageTimes(m_Times[deviceNumber], GetStageTimes(slot->GetExecution()));
    }
  }

  const Runner &                      m_Runner;
  const std::vector<Region3> &        m_Tiles;
  const TileFunction &                m_Function;
  float                               m_ProgressFrom;
  float                               m_ProgressTo;
  float                               m_Progress = m_ProgressFrom;
  std::atomic<std::size_t>            m_NextTile{ 0 };
  std::atomic<bool>                   m_Stop{ false };
  std::mutex                          m_Mutex;
  std::condition_variable             m_HasEnded;
  std::size_t                         m_NumberOfEnded = 0; // threads of other devices
  std::vector<std::vector<StageTime>> m_Times;             // of each device
  std::vector<std::exception_ptr>     m_Errors;            // of each device
};

void
Runner::RunOnHost(const char * name, const std::function<void()> & function)
{
  const auto begin = std::chrono::steady_clock::now();
  function();
  if (m_ExecutionSettings.Timing)
  {
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    AddStageTimes(m_Report.StageTimes, { { name, time.count() } });
  }
}

void
Runner::ForEachTile(const std::vector<Region3> & tiles,
                    const TileFunction &         function,
                    float                        progressFrom,
                    float                        progressTo)
{
  TileLoop loop(*this, tiles, function, progressFrom, progressTo);
  loop.DriveDevices();
  for (const std::vector<StageTime> & times : loop.GetTimes())
  {
    AddStageTimes(m_Report.StageTimes, times);
  }
}

std::vector<Region3>
CutIntoTiles(const Region3 & region, const Size3 & tileSize)
{
  std::vector<Region3> tiles{ region };
  for (unsigned int axis = 3; axis-- > 0;)
  {
    std::vector<Region3> pieces;
    for (const Region3 & tile : tiles)
    {
      const std::vector<Region3> slabs = CutIntoSlabs(tile, axis, tileSize[axis]);
      pieces.insert(pieces.end(), slabs.begin(), slabs.end());
    }
    tiles = std::move(pieces);
  }
  return tiles;
}

std::vector<Region3>
CutIntoSlabs(const Region3 & region, unsigned int axis, std::int64_t thickness)
{
  std::vector<Region3> slabs;
  for (std::int64_t before = 0; before < region.Size[axis]; before += thickness)
  {
    Region3 slab = region;
    slab.Start[axis] += before;
    slab.Size[axis] = std::min(thickness, region.Size[axis] - before);
    slabs.push_back(slab);
  }
  return slabs;
}
} // namespace CudaFilters
} // namespace itk
