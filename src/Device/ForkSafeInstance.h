// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersForkSafeInstance_h
#define itkCudaFiltersForkSafeInstance_h

#include <atomic>
#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#endif

namespace itk
{
namespace CudaFilters
{
/** Returns the only object of a class in this process. It is never destroyed, since images and filters with static
 * lifetime still use it when the program exits. A forked process gets a new one: another thread may have locked the
 * mutex of the former one when the process was forked. */
template <typename TObject>
TObject &
GetForkSafeInstance()
{
  static std::atomic<TObject *> instance{ nullptr };
  static const bool             isMade = [] {
    instance = new TObject;
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork(nullptr, nullptr, [] { instance = new TObject; });
#endif
    return true;
  }();
  static_cast<void>(isMade);
  return *instance;
}
} // namespace CudaFilters
} // namespace itk

#endif
