// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDropInState_h
#define itkCudaFiltersDropInState_h

#include <string>

namespace itk
{
namespace CudaFilters
{
/** What the drop-ins of this process have learned of its devices. */
class DropInState
{
public:
  /** A device has computed: from now on, none needs to be started. */
  static void
  NoteRunOnDevice();
  static bool
  HasRunOnDevice();

  /** A device has failed: from now on, drop-ins compute on the CPU. Returns whether it is the first time. */
  static bool
  NoteFailure(const std::string & what);

  /** No device was found when one was needed: from now on, a factory creates no drop-ins. */
  static void
  NoteNoDevice();
};
} // namespace CudaFilters
} // namespace itk

#endif
