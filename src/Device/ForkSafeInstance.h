// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersForkSafeInstance_h
#define itkCudaFiltersForkSafeInstance_h

#include <atomic>
#include <memory>
#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#endif

namespace itk
{
namespace CudaFilters
{
/** Stores the pointer to an object that is never destroyed, unless another thread was first. Returns whether it was
 * stored. For static pointers in place of static objects, which are initialized under a lock: a process that is forked
 * meanwhile would wait for it for ever. */
template <typename TObject>
bool
Publish(std::atomic<TObject *> & instance, TObject * made)
{
  TObject * none = nullptr;
  return instance.compare_exchange_strong(none, made);
}

/** Returns the only object of a class in this process. It is never destroyed, since images and filters with static
 * lifetime still use it when the program exits. A forked process gets a new one: another thread may have locked the
 * mutex of the former one when the process was forked. */
template <typename TObject>
TObject &
GetForkSafeInstance()
{
  static std::atomic<TObject *> instance{ nullptr };
  if (instance == nullptr)
  {
    auto made = std::make_unique<TObject>();
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork(nullptr, nullptr, [] { instance = new TObject; });
#endif
    if (Publish(instance, made.get()))
    {
      made.release();
    }
  }
  return *instance;
}
} // namespace CudaFilters
} // namespace itk

#endif
