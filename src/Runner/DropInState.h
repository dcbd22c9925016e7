// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDropInState_h
#define itkCudaFiltersDropInState_h

#include "CudaFiltersExport.h"
#include <atomic>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** What the drop-ins of this process, and the factory that creates them, have learned of its devices. */
class CudaFilters_EXPORT DropInState
{
public:
  static DropInState &
  Get();

  /** Notes that a device has run a filter: from now on, none needs to be started. */
  void
  NoteRunOnDevice();
  bool
  HasRunOnDevice() const;

  /** Adds the estimated time of a run on the CPU that was worth the copies to a device, but not the start of one. */
  void
  CountOnCPU(double nanoseconds);

  /** Whether a device has been started, or the runs that were counted and one that takes that long on the CPU take
   * longer than the start of a device. */
  bool
  IsStartWorthwhile(double nanoseconds) const;

  /** A device has failed: from now on, drop-ins compute on the CPU. Returns whether it is the first time. */
  bool
  NoteFailure(const std::string & what);
  /** The message of the first failure, or an empty string. */
  std::string
  GetFailure() const;

  /** No device was found when one was needed: from now on, a factory creates no drop-ins. */
  void
  NoteNoDevice();

  /** Why a factory creates no drop-ins in this process; empty if it does. */
  const char *
  GetWhyDeclined() const;

private:
  DropInState() = default;

  std::atomic<bool>                m_HasRunOnDevice{ false };
  std::atomic<double>              m_NanosecondsOnCPU{ 0.0 };
  std::atomic<bool>                m_IsWithoutDevice{ false };
  std::atomic<const std::string *> m_Failure{ nullptr };
};
} // namespace CudaFilters
} // namespace itk

#endif
