// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Worker_h
#define cudafilters_view_Worker_h

#include "Recipe.h"
#include "Surface.h"
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

/** What is to be run. */
struct Task
{
  Recipe * ToRun = nullptr;
  Values   Parameters;
  bool     WantsSurface = false;
};

/** How a run ended: with a result, or with an error in words, or with both if there is no surface. */
struct Outcome
{
  Task                          Done;
  std::shared_ptr<const Result> Success;
  bool                          WasSurfaceWanted = false;
  vtkSmartPointer<vtkPolyData>  Surface;
  double                        SurfaceMilliseconds = 0.0;
  std::string                   Error;
};

/** Runs recipes in a thread, one at a time, so that the window answers meanwhile. */
class Worker
{
public:
  Worker() = default;
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &
  operator=(const Worker &) = delete;

  /** Begins a run. There must be none under way. */
  void
  Start(const Task & task);

  bool
  IsBusy() const
  {
    return m_Thread.joinable();
  }

  /** Asks a run that is under way to end: its outcome does not matter any more. */
  void
  Abort();

  /** The outcome of a run that has ended, once; nothing if there is none, or if it was aborted. */
  std::optional<Outcome>
  Take();

private:
  std::thread       m_Thread;
  Task              m_Task;
  Outcome           m_Outcome;
  std::atomic<bool> m_HasEnded{ false };
  std::atomic<bool> m_IsAborted{ false };
};

/** Runs a task in this thread. */
Outcome
RunTask(const Task & task);

#endif
