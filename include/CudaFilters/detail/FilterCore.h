// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_FilterCore_h
#define CudaFilters_detail_FilterCore_h

#include "CudaFiltersExport.h"
#include "CudaFilters/ExecutionSettings.h"
#include "CudaFilters/ImageList.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/ReplacedFilter.h"
#include "itkCudaInterface.h"
#include "itkProcessObject.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
class DeviceError;
struct RunReport;

/** State and behaviour of CudaAcceleratedImageFilter and CudaAcceleratedImageSink that do not depend on their types. */
class CudaFilters_EXPORT FilterCore
{
public:
  explicit FilterCore(ProcessObject & filter);
  ~FilterCore();
  FilterCore(const FilterCore &) = delete;
  FilterCore &
  operator=(const FilterCore &) = delete;

  /** The filter's own settings; nullptr: those of the process. Returns whether this changes anything. */
  bool
  SetCudaInterface(CudaInterface * settings);
  /** The settings in effect. */
  CudaInterface *
  GetCudaInterface() const;

  /** Set/Get the ITK filter in whose place a factory has created this one, which is called a drop-in then: its program
   * has pointers to ITK's classes only. Default: nullptr, it is none. */
  using ReplacedFilterPointer = std::shared_ptr<const ReplacedFilter>;
  void
  SetReplacedFilter(ReplacedFilterPointer replaced);
  const ReplacedFilterPointer &
  GetReplacedFilter() const
  {
    return m_ReplacedFilter;
  }
  bool
  IsDropIn() const
  {
    return m_ReplacedFilter != nullptr;
  }

  ModifiedTimeType
  GetMTime(ModifiedTimeType timeOfFilter) const;

  /** Where the last run took place, and how. */
  const std::string &
  GetExecutedOn() const
  {
    return m_ExecutedOn;
  }
  bool
  GetExecutedOnDevice() const
  {
    return m_ExecutedOnDevice;
  }
  SizeValueType
  GetNumberOfTiles() const
  {
    return m_NumberOfTiles;
  }
  const std::vector<StageTime> &
  GetStageTimes() const
  {
    return m_StageTimes;
  }

  /** Whether the filter will run on a device, as far as can be told before its inputs are up to date. The function
   * returns why the filter cannot, or an empty string. */
  using ReasonFunction = std::function<std::string()>;
  bool
  WillRunOnDevice(const ReasonFunction & getUnsupportedReason) const;

  /** The pipeline begins an update: until GenerateData(), only the pipeline touches the images. */
  void
  BeginUpdate();

  /** Called when the information of the outputs is up to date. If the filter will run, announces its inputs to
   * PlainUploads. */
  void
  AnnounceReads();

  /** Updates the inputs and the filter by its superclass's UpdateOutputData(), having announced to the inputs that they
   * are read on the device. */
  void
  UpdateOutputData(DataObject * output, bool runsOnDevice, const std::function<void()> & updateBySuperclass);

  /** Called by a sink that will run on the device, when it has requested the regions of a piece:
   * UpdateInputsOneByOne(), unless there is one input only, or a program may read the inputs during the update. */
  void
  UpdateInputsOfPiece();

  /** Creates the operation, or returns nullptr if the filter has none, and adds the images of the run to the list. */
  using OperationFunction = std::function<OperationPointer(ImageList & images)>;

  /** Executes the filter's operation on the device. Calls generateOnCPU if there is a reason for the CPU, or if the
   * operation throws an error that allows it. If this throws, the outputs are released; those of a drop-in stay
   * readable. */
  void
  GenerateData(const ReasonFunction &        getUnsupportedReason,
               const OperationFunction &     makeOperation,
               const std::function<void()> & generateOnCPU);

  /** Gives each output a new container if other objects share its present one, or if that is a plain one, which the
   * program may have pointers to. Called before a run on a device. */
  void
  LeaveSharedContainers() const;

  /** An output is replaced, or disconnected from the filter: it will be read without another Update(). */
  void
  BeforeReplacingOutput(DataObject * former, const DataObject * next) const;

  /** The filter is being destroyed. */
  void
  BeforeDestruction();

  void
  Print(std::ostream & os, Indent indent) const;

private:
  /** Why the filter computes on the CPU. */
  struct ReasonForCPU
  {
    enum class From
    {
      Settings, // those in effect, or the machine has no device
      Filter,   // its types or parameters
      DropIn    // too little work, or a device has failed before
    };
    std::string Text; // empty: it computes on a device
    From        Cause = From::Settings;
  };
  ReasonForCPU
  GetReasonForCPU(const ReasonFunction & getUnsupportedReason, bool isInputOnDevice) const;

  bool
  IsAnInputOnDevice() const;

  /** GenerateData() without the verbose line. */
  void
  ComputeOutputs(const ReasonFunction &        getUnsupportedReason,
                 const OperationFunction &     makeOperation,
                 const std::function<void()> & generateOnCPU);

  void
  RunOnDevice(const OperationFunction & makeOperation);

  /** Calls MakeHostValidUnlessTracked() of all outputs. Throws a DeviceError if the device that holds the pixels has
   * failed. */
  void
  DownloadOutputs() const;

  /** The outputs hold neither the old nor the new pixels: the next update must run again. */
  void
  DiscardOutputs() const;

  /** Whether observers of a drop-in's program may read its inputs during an update. */
  bool
  MayProgramReadInputs() const;

  /** Updates each input by itself, having announced to it alone that it is read on the device: a CPU filter upstream of
   * one input may read another one, and must not take the announcement for its own. */
  void
  UpdateInputsOneByOne();

  /** Updates the inputs, if there are several. Returns whether to announce to them that they are read on the device. */
  bool
  PrepareReadsOnDevice();

  void
  ReportProgress(float progress);

  /** Returns normally if the CPU is to compute after the error, with a warning where the program should know. Otherwise
   * throws; always if pixels are missing, which the CPU would lack, too. */
  void
  FallBackOrThrow(const DeviceError & error) const;

  /** Runs the ITK filter on the CPU. Makes its inputs valid on the host first. */
  void
  GenerateOnCPU(const std::function<void()> & generateOnCPU) const;

  void
  RecordRun(RunReport && report);

  ProcessObject &        m_Filter;
  CudaInterface::Pointer m_CudaInterface;
  ReplacedFilterPointer  m_ReplacedFilter;
  std::string            m_ExecutedOn;
  bool                   m_ExecutedOnDevice = false;
  SizeValueType          m_NumberOfTiles = 0;
  std::vector<StageTime> m_StageTimes;
  std::uint64_t          m_UpdateTick = 0;
};
} // namespace CudaFilters
} // namespace itk

#endif
