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
/** A few threads that repeatedly process many small pieces of work together. The calling thread takes part. So the work
 * is completed even if none of the other threads runs: unlike with ITK's thread pool, a call from one of the pool's
 * threads cannot deadlock. */
class ThreadTeam
{
public:
  /** numberOfThreads: includes the calling thread. */
  explicit ThreadTeam(unsigned int numberOfThreads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &) = delete;
  ThreadTeam &
  operator=(const ThreadTeam &) = delete;

  /** Calls the function, which must not throw, with each number below count, and waits until all calls have
   * returned. */
  void
  ForEach(std::size_t count, const std::function<void(std::size_t)> & function);

private:
  void
  WorkUntilTheEnd();

  /** Processes pieces until none is left. The lock is held on entry and on exit, but not while the function runs. */
  void
  DoPieces(std::unique_lock<std::mutex> & lock);

  std::mutex                               m_Mutex; // guards the members below, except m_Threads
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
