// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ThreadTeam.h"
#include <exception>

namespace itk
{
namespace CudaFilters
{
ThreadTeam::ThreadTeam(unsigned int numberOfThreads)
{
  try
  {
    m_Threads.reserve(numberOfThreads);
    for (unsigned int i = 1; i < numberOfThreads; ++i)
    {
      m_Threads.emplace_back([this] { this->WorkUntilTheEnd(); });
    }
  }
  catch (const std::exception &)
  {
    // The system provides no more threads, or no memory for them: continue with fewer.
  }
}

ThreadTeam::~ThreadTeam()
{
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_IsEnding = true;
  }
  m_HasWork.notify_all();
  for (std::thread & thread : m_Threads)
  {
    thread.join();
  }
}

void
ThreadTeam::ForEach(std::size_t count, const std::function<void(std::size_t)> & function)
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  m_Function = &function;
  m_Next = 0;
  m_Count = count;
  m_HasWork.notify_all();
  this->DoPieces(lock);
  m_IsDone.wait(lock, [this] { return m_UnderWay == 0; });
}

void
ThreadTeam::WorkUntilTheEnd()
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  while (!m_IsEnding)
  {
    this->DoPieces(lock);
    m_HasWork.wait(lock, [this] { return m_IsEnding || m_Next < m_Count; });
  }
}

void
ThreadTeam::DoPieces(std::unique_lock<std::mutex> & lock)
{
  while (m_Next < m_Count)
  {
    const std::size_t piece = m_Next++;
    ++m_UnderWay;
    lock.unlock();
    (*m_Function)(piece);
    lock.lock();
    --m_UnderWay;
  }
  if (m_UnderWay == 0)
  {
    m_IsDone.notify_all();
  }
}
} // namespace CudaFilters
} // namespace itk
