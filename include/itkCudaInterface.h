// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaInterface_h
#define itkCudaInterface_h

#include "CudaFiltersExport.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/ExecutionSettings.h"
#include "CudaFilters/KernelFamily.h"
#include "itkObject.h"
#include "itkObjectFactory.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaBackendEnum
 * \brief Where a CUDA filter computes.
 * \ingroup CudaFilters
 */
enum class CudaBackendEnum : uint8_t
{
  Auto, ///< on the device if there is a usable one, else on the CPU
  CUDA, ///< on the device, or an exception
  CPU   ///< on the CPU, by the ITK filter
};

extern CudaFilters_EXPORT std::ostream &
                          operator<<(std::ostream & out, CudaBackendEnum backend);

/** \class CudaInterface
 * \brief How CUDA filters use the devices: backend, device, launch settings, memory.
 *
 * There is one default for the whole process, GetDefault(), and each filter can be given another with
 * CudaAcceleratedImageFilter::SetCudaInterface(). Values that cannot be are refused with an exception that tells what
 * is allowed.
 *
 * Static methods tell of the devices there are, of the memory that is held, and of the copies made so far.
 *
 * The settings are read when a filter starts to run. Change an object only while no filter that uses it runs.
 *
 * Grew out of the class of the same name in L. H. A. Lourenco's master's thesis (UFPR, 2011), which held the dimensions
 * of blocks and grids.
 *
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaInterface : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaInterface);

  using Self = CudaInterface;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaInterface";
  }

  /** The settings of all filters that have none of their own. */
  static CudaInterface *
  GetDefault();

  /** Where to compute. Default: Auto. */
  itkSetEnumMacro(Backend, CudaBackendEnum);
  itkGetEnumMacro(Backend, CudaBackendEnum);

  /** The device to use, counted from 0. Default: 0. */
  void
  SetDeviceNumber(int device);
  int
  GetDeviceNumber() const
  {
    return m_DeviceNumbers.front();
  }

  /** Several devices: a filter that can work in tiles deals them out to all of these, others use the first. */
  void
  SetDeviceNumbers(const std::vector<int> & devices);
  const std::vector<int> &
  GetDeviceNumbers() const
  {
    return m_DeviceNumbers;
  }

  /** Threads a block for a family of kernels: a multiple of 32 from 32 to 1024. Default: automatic, by occupancy. */
  void
  SetBlockSize(CudaKernelFamilyEnum family, unsigned int size);
  void
  SetBlockSizeToAutomatic(CudaKernelFamilyEnum family);

  /** 0 if automatic. */
  unsigned int
  GetBlockSize(CudaKernelFamilyEnum family) const;

  /** A cudaStream_t of the caller's for all work on the device, which must belong to the (first) device number and
   * outlive its use here; nullptr, the default, gives each thread a stream of its own. */
  void
  SetStream(void * stream);
  void *
  GetStream() const
  {
    return m_Settings.Stream;
  }

  /** How much of a multiprocessor's first-level cache kernels should have as shared memory, in percent from 0 to 100.
   * -1, the default, leaves it to the driver. */
  void
  SetSharedMemoryCarveout(int percent);
  int
  GetSharedMemoryCarveout() const
  {
    return m_Settings.SharedMemoryCarveout;
  }

  /** The most device memory, in bytes, that one run of a filter may take on a device beyond what its inputs hold there
   * already. Filters that can, work in tiles to keep to it. 0, the default: all that is free. */
  itkSetMacro(MemoryBudget, SizeValueType);
  itkGetConstMacro(MemoryBudget, SizeValueType);

  /** How many bytes of an image are copied at a time where copies go on beside the work on what is there already. 0:
   * all at once, and then the work. Default: 16 MiB. */
  itkSetMacro(SlabBytes, SizeValueType);
  itkGetConstMacro(SlabBytes, SizeValueType);

  /** Wait after each kernel, so that an error is reported by the kernel that made it. For debugging. Default: off. */
  void
  SetSynchronous(bool synchronous);
  bool
  GetSynchronous() const
  {
    return m_Settings.Synchronous;
  }
  itkBooleanMacro(Synchronous);

  /** Time the stages of each run; see CudaAcceleratedImageFilter::GetStageTimes(). Default: off. */
  void
  SetTiming(bool timing);
  bool
  GetTiming() const
  {
    return m_Settings.Timing;
  }
  itkBooleanMacro(Timing);

  /** Empty if a filter with these settings can run on its device, else why not, in words for a person. */
  std::string
  GetWhyNotOnDevice() const;

  /** For the filters: the settings as plain values. */
  const CudaFilters::ExecutionSettings &
  GetExecutionSettings() const
  {
    return m_Settings;
  }

  /** \name The devices of this machine. */
  /**@{*/
  static int
  GetNumberOfDevices();

  /** Name, compute capability and memory of a device. */
  static std::string
  GetDeviceDescription(int device);

  /** Its name alone. */
  static std::string
  GetDeviceName(int device);
  /**@}*/

  /** \name Memory held by images and filters, and in the pools ready for the next. */
  /**@{*/
  static SizeValueType
  GetDeviceBytesInUse();
  static SizeValueType
  GetDeviceBytesHeld();
  static SizeValueType
  GetPageLockedBytesInUse();
  static SizeValueType
  GetPageLockedBytesHeld();

  /** Gives back all memory that is held but not in use. */
  static void
  ReleaseCachedMemory();
  /**@}*/

  /** All copies of pixels between host and devices since the program started. */
  static CudaCopyCounters
  GetCopyCounters();

protected:
  CudaInterface();
  ~CudaInterface() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  CudaBackendEnum                m_Backend = CudaBackendEnum::Auto;
  std::vector<int>               m_DeviceNumbers{ 0 };
  SizeValueType                  m_MemoryBudget = 0;
  SizeValueType                  m_SlabBytes = 16 * 1024 * 1024;
  CudaFilters::ExecutionSettings m_Settings;
};
} // namespace itk

#endif
