// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaInterface_h
#define itkCudaInterface_h

#include "CudaFiltersExport.h"
#include "CudaFilters/CopyCounters.h"
#include "CudaFilters/ExecutionSettings.h"
#include "itkCudaEnums.h"
#include "itkObject.h"
#include "itkObjectFactory.h"
#include <limits>
#include <string>
#include <vector>

namespace itk
{
/** \class CudaInterface
 * \brief Settings of the CUDA filters: backend, devices, launch parameters and memory limits.
 *
 * GetDefault() returns the settings that all filters of the process share. To give a filter its own settings, pass
 * another object to CudaAcceleratedImageFilter::SetCudaInterface(). Invalid values throw an exception that names the
 * allowed range. The defaults suit most programs: device 0, automatic block sizes, and the CPU if no device is usable.
 *
 * \code
 * itk::CudaInterface::GetDefault()->SetDeviceNumber(1);
 * itk::CudaInterface::GetDefault()->SetMemoryBudget(4ull << 30); // bytes; larger images are processed in tiles
 * \endcode
 *
 * Static methods describe the devices, the memory that this library holds, and the copies made so far.
 *
 * Filters read the settings when they start to run. Modify an object only while no filter that uses it is running.
 *
 * The class extends the class of the same name in L. H. A. Lourenco's master's thesis (UFPR, 2011), which contained the
 * dimensions of blocks and grids.
 *
 * \sa CudaAcceleratedImageFilter
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

  /** Returns the settings of all filters that have no settings of their own. */
  static CudaInterface *
  GetDefault();

  /** Set/Get where filters compute. Default: Auto. */
  itkSetEnumMacro(Backend, CudaBackendEnum);
  itkGetEnumMacro(Backend, CudaBackendEnum);

  /** Set/Get the device, counted from 0. Default: 0. */
  void
  SetDeviceNumber(int device);
  int
  GetDeviceNumber() const
  {
    return m_DeviceNumbers.front();
  }

  /** Set/Get several devices. A filter that can process an image in tiles distributes them over these devices; all
   * other filters use the first device. */
  void
  SetDeviceNumbers(const std::vector<int> & devices);
  const std::vector<int> &
  GetDeviceNumbers() const
  {
    return m_DeviceNumbers;
  }

  /** Set the number of threads per block for a family of kernels: a multiple of 32 from 32 to 1024. A kernel that needs
   * too many registers for this number runs with fewer threads. Default: automatic, which selects the fastest measured
   * block size if the kernel has one, and otherwise the block size with the highest occupancy. */
  void
  SetBlockSize(CudaKernelFamilyEnum family, unsigned int size);
  void
  SetBlockSizeToAutomatic(CudaKernelFamilyEnum family);

  /** Returns the number of threads per block for a family of kernels; 0 if automatic. */
  unsigned int
  GetBlockSize(CudaKernelFamilyEnum family) const;

  /** Set/Get a cudaStream_t of the caller for all work on the device. The stream must belong to the (first) device and
   * must exist as long as a filter uses it. Default: nullptr, which gives each thread its own stream. */
  void
  SetStream(void * stream);
  void *
  GetStream() const
  {
    return m_Settings.Stream;
  }

  /** Set/Get the preferred share of a multiprocessor's L1 cache for shared memory, in percent from 0 to 100. Default:
   * -1, which leaves the choice to the driver. */
  void
  SetSharedMemoryCarveout(int percent);
  int
  GetSharedMemoryCarveout() const
  {
    return m_Settings.SharedMemoryCarveout;
  }

  /** Set/Get the maximum device memory, in bytes, that one run of a filter may allocate on a device in addition to the
   * memory that its inputs already occupy there. Filters that support tiles use them to stay within this limit.
   * Default: NoMemoryBudget, which means all free memory. */
  static constexpr SizeValueType NoMemoryBudget = std::numeric_limits<SizeValueType>::max();
  itkSetMacro(MemoryBudget, SizeValueType);
  itkGetConstMacro(MemoryBudget, SizeValueType);

  /** Set/Get the number of bytes per slab where a filter copies an image in slabs and meanwhile processes the slabs
   * that have arrived. 0: the filter copies the whole image before it processes it. Default: 16 MiB. */
  itkSetMacro(SlabBytes, SizeValueType);
  itkGetConstMacro(SlabBytes, SizeValueType);

  /** Set/Get how many milliseconds a kernel may take that runs until all its work is done, as the kernels of
   * reconstruction and of wavefront distances do. After this time it ends, a filter notices that it was aborted, and
   * the kernel is started again for the rest of the work. At least 1. Default: 200. On a device with a display, whose
   * driver stops kernels after some seconds, at most 100 are used. */
  void
  SetKernelTimeLimit(double milliseconds);
  double
  GetKernelTimeLimit() const
  {
    return m_Settings.KernelMilliseconds;
  }

  /** Set/Get whether to wait for each kernel, so that an error is reported for the kernel that caused it. For
   * debugging. Default: off. */
  void
  SetSynchronous(bool synchronous);
  bool
  GetSynchronous() const
  {
    return m_Settings.Synchronous;
  }
  itkBooleanMacro(Synchronous);

  /** Set/Get whether to time the stages of each run; see CudaAcceleratedImageFilter::GetStageTimes(). Default: off. */
  void
  SetTiming(bool timing);
  bool
  GetTiming() const
  {
    return m_Settings.Timing;
  }
  itkBooleanMacro(Timing);

  /** Returns an empty string if a filter with these settings can run on its device, and otherwise the reason why it
   * cannot, as readable text. */
  std::string
  GetWhyNotOnDevice() const;

  /** Returns the settings as plain values, for the filters. */
  const CudaFilters::ExecutionSettings &
  GetExecutionSettings() const
  {
    return m_Settings;
  }

  /** \name The devices of this machine. */
  /**@{*/
  static int
  GetNumberOfDevices();

  /** Returns the name, compute capability and memory of a device. */
  static std::string
  GetDeviceDescription(int device);

  /** Returns the name of a device. */
  static std::string
  GetDeviceName(int device);
  /**@}*/

  /** \name Memory: in use by images and filters, and held (in use or cached in the pools). */
  /**@{*/
  static SizeValueType
  GetDeviceBytesInUse();
  static SizeValueType
  GetDeviceBytesHeld();
  static SizeValueType
  GetPageLockedBytesInUse();
  static SizeValueType
  GetPageLockedBytesHeld();

  /** Releases all memory that is held but not in use. */
  static void
  ReleaseCachedMemory();

  /** Set/Get the largest share of the memory (of the machine, container or job) that this process may page-lock: from 0
   * to 1. Beyond it, pixels are in ordinary memory, and are copied more slowly. Default: 0.5. */
  static void
  SetPageLockedShare(double share);
  static double
  GetPageLockedShare();

  /** Set/Get the largest share of each device's memory that this process keeps for reuse: a number from 0 to 1. Memory
   * beyond it is returned to the driver, for other libraries, when a filter waits for the device. Default: 0.25. */
  static void
  SetDeviceCacheShare(double share);
  static double
  GetDeviceCacheShare();
  /**@}*/

  /** Returns the number of all copies of pixels between host and devices since the program started, and their bytes. */
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
  SizeValueType                  m_MemoryBudget = NoMemoryBudget;
  SizeValueType                  m_SlabBytes = 16 * 1024 * 1024;
  CudaFilters::ExecutionSettings m_Settings;
};
} // namespace itk

#endif
