// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaThreadTeam_h
#define itkCudaThreadTeam_h

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** A few threads that do many small pieces of work together, again and again. The caller works, too, so that it gets
 * done however few of the others find the time: unlike with ITK's pool, a call from within one of its threads cannot
 * wait for ever. */
class ThreadTeam
{
public:
  /** numberOfThreads: with the caller's. */
  explicit ThreadTeam(unsigned int numberOfThreads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &) = delete;
  ThreadTeam &
  operator=(const ThreadTeam &) = delete;

  /** Calls the function, which must not throw, with each number below count. */
  void
  ForEach(std::size_t count, const std::function<void(std::size_t)> & function);

private:
  void
  WorkUntilTheEnd();

  /** Does pieces while there are some. The lock is held before and after, and not while the function runs. */
  void
  DoPieces(std::unique_lock<std::mutex> & lock);

  std::mutex                               m_Mutex; // guards all below
  std::condition_variable                  m_HasWork;
  std::condition_variable                  m_IsDone;
  const std::function<void(std::size_t)> * m_Function = nullptr;
  std::size_t                              m_Next = 0;
  std::size_t                              m_Count = 0;
  std::size_t                              m_UnderWay = 0;
  bool                                     m_IsEnding = false;
  std::vector<std::thread>                 m_Threads;
};
} // namespace CudaFilters
} // namespace itk

#endif
