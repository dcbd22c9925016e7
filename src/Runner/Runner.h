// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRunner_h
#define itkCudaFiltersRunner_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/DevicePixels.h"
#include "PixelMemory/ImageAccess.h"
#include "itkCudaInterface.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** What a run was like. */
struct RunReport
{
  std::vector<int>       Devices;
  SizeValueType          NumberOfTiles = 1;
  std::vector<StageTime> StageTimes;
};

/** Execution, stream and device memory for one tile at a time. There are two slots per device if memory suffices, so
 * that one tile is copied while another one is computed. */
class TileSlot
{
public:
  /** checkAbort: throws if the run is to end. */
  TileSlot(ExecutionPointer execution, const ImageList & images, std::function<void()> checkAbort);
  /** Waits for the work in the stream. */
  ~TileSlot();

  Execution &
  GetExecution() const
  {
    return *m_Execution;
  }

  /** Throws if the run is to end: because the user has aborted it, or because of an error in another thread. */
  void
  CheckAbort() const
  {
    m_CheckAbort();
  }

  /** Defers work that must wait for the device. With several slots, the function is called when the next tile has been
   * enqueued, so that the device stays busy; with one slot, before the next tile; at the latest after the last tile. */
  void
  FinishLater(std::function<void()> function)
  {
    m_DeferredWork = std::move(function);
  }
  /** Calls the deferred function, if there is one. */
  void
  Finish();

  /** Enqueues the copy of pixels on the host to the given device memory. */
  DeviceLease
  Upload(DevicePixels & pixels, const HostBox & box);

  /** Enqueues the copy of a region of an input to the device. */
  DeviceLease
  UploadInput(unsigned int input, const Region3 & region);
  void
  ReleaseInput(unsigned int input);

  /** Returns device memory for a region of an output. DownloadOutput() enqueues its copy to the host. */
  DeviceLease
  WriteOutput(unsigned int output, const Region3 & region);
  void
  DownloadOutput(unsigned int output, const Region3 & region, DeviceLease && written);

private:
  ExecutionPointer                           m_Execution;
  const ImageList &                          m_Images;
  std::function<void()>                      m_CheckAbort;
  std::unique_ptr<StagedUpload>              m_Staging; // for images in pageable memory
  std::vector<std::unique_ptr<DevicePixels>> m_Inputs;
  std::vector<std::unique_ptr<DevicePixels>> m_Outputs;
  std::function<void()>                      m_DeferredWork;
};

/** \class Runner
 * \brief Executes an operation on the images of a filter: whole or in tiles, on one device or several.
 *
 * Decides by the memory budget and the free memory whether the images go to the device as a whole. If not, the
 * operation computes tiles that come from and go to the host. The methods below Run() are for operations. */
class Runner
{
public:
  /** Reports progress from 0 to 1; throws to abort the run. */
  using ProgressFunction = std::function<void(float)>;

  /** updateTick: when the present pipeline update began. */
  Runner(Operation &           operation,
         const ImageList &     images,
         const CudaInterface & settings,
         std::uint64_t         updateTick,
         ProgressFunction      progress);

  RunReport
  Run();

  PixelImage &
  GetInput(unsigned int i) const
  {
    return *m_Images.GetInputs()[i];
  }
  PixelImage &
  GetOutput(unsigned int i = 0) const
  {
    return *m_Images.GetOutputs()[i];
  }
  unsigned int
  GetNumberOfInputs() const
  {
    return static_cast<unsigned int>(m_Images.GetInputs().size());
  }
  unsigned int
  GetNumberOfOutputs() const
  {
    return static_cast<unsigned int>(m_Images.GetOutputs().size());
  }

  /** The region of all outputs. */
  Region3
  GetOutputRegion() const
  {
    return this->GetOutput().GetBufferedRegion();
  }

  unsigned int
  GetDimension() const
  {
    return this->GetOutput().GetDimension();
  }

  /** What the operation reads of an input for a region of the outputs, cropped to the image. Empty if the operation
   * needs no pixel of the image for the region. */
  Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const;

  /** For RunWhole(): access to an image on the device. */
  std::unique_ptr<DeviceReader>
  Read(const Execution & execution, unsigned int input, const Region3 & region) const;

  /** Read() for exactly the pixels of a region, all of which are there for work that is enqueued from now on. Throws
   * if the image has other pixels. */
  std::unique_ptr<DeviceReader>
  ReadExactly(const Execution & execution, unsigned int input, const Region3 & region) const;

  std::unique_ptr<DeviceWriter>
  Write(const Execution & execution, unsigned int output) const;

  /** Returns the region; throws unless the buffer of an input holds it. */
  const Region3 &
  RequireBuffered(unsigned int input, const Region3 & region) const;

  /** Whether the user has set a limit to device memory. */
  bool
  HasMemoryBudget() const
  {
    return m_Settings->GetMemoryBudget() != CudaInterface::NoMemoryBudget;
  }

  /** Bytes per slab where copies overlap with computation; 0: no slabs. */
  SizeValueType
  GetSlabBytes() const
  {
    return m_Settings->GetSlabBytes();
  }

  /** Calls a function that works on the host, as a named stage of the run. */
  void
  RunOnHost(const char * name, const std::function<void()> & function);

  /** Reports progress, and throws if the user has aborted the filter. */
  void
  ReportProgress(float progress) const
  {
    m_Progress(progress);
  }

  /** For RunTiles(): all tiles of the outputs. */
  const std::vector<Region3> &
  GetTiles() const
  {
    return m_Tiles;
  }

  /** Calls the function once for each tile, from one thread per device. Work that the function enqueues in its slot is
   * done when the slot's next tile begins, or at the end. Progress goes from one number to the other. */
  using TileFunction = std::function<void(TileSlot & slot, std::size_t tileNumber)>;
  void
  ForEachTile(const std::vector<Region3> & tiles,
              const TileFunction &         function,
              float                        progressFrom = 0.0f,
              float                        progressTo = 1.0f);

private:
  /** Throws if the images cannot take part in a run. */
  void
  CheckImages() const;

  /** Whether the images may go to the device as a whole: there is one device, and the budget suffices. */
  bool
  MayRunWhole() const;

  /** Brings the inputs to the host, allocates the outputs there, and cuts the outputs into tiles. */
  void
  PrepareTiles();

  void
  MakeTiles();

  /** The smallest number of tiles that are computed at the same time, for tiles of a size. */
  std::size_t
  GetNumberOfTilesAtATime(const Size3 & tileSize) const;

  RegionPlan
  MakePlan(const Region3 & outputRegion) const;

  /** The device memory that a region needs. Inputs that are on the given device already count as 0; with device -1, all
   * inputs count. */
  std::size_t
  GetBytes(const RegionPlan & plan, int device) const;

  /** For the largest tile of a size: one in the middle of the image, with a complete margin. */
  std::size_t
  GetBytesOfMiddleTile(const Size3 & tileSize) const;

  class TileLoop;

  Operation &                 m_Operation;
  const ImageList &           m_Images;
  CudaInterface::ConstPointer m_Settings; // kept, though a progress observer may give the filter other settings
  ExecutionSettings           m_ExecutionSettings; // a copy, since a progress observer may change m_Settings
  std::uint64_t               m_UpdateTick;
  ProgressFunction            m_Progress;
  std::vector<Region3>        m_Tiles;
  unsigned int                m_SlotsPerDevice = 1;
  RunReport                   m_Report;
};

/** Cuts a region into tiles of a size; those at the upper ends may be smaller. */
std::vector<Region3>
CutIntoTiles(const Region3 & region, const Size3 & tileSize);

/** Cuts a region into slabs of a thickness along an axis. */
std::vector<Region3>
CutIntoSlabs(const Region3 & region, unsigned int axis, std::int64_t thickness);
} // namespace CudaFilters
} // namespace itk

#endif
