// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Worker.h"
#include "Terminal.h"

Outcome
RunTask(const Task & task)
{
  Outcome outcome;
  outcome.Done = task;
  try
  {
    outcome.Success = task.ToRun->Run(task.Parameters);
    if (task.WantsSurface)
    {
      const double * level = nullptr;
      for (std::size_t i = 0; i < task.Parameters.size(); ++i)
      {
        level = task.ToRun->GetParameters()[i].IsOfSurface ? &task.Parameters[i] : level;
      }
      outcome.WasSurfaceWanted = true;
      outcome.SurfaceMilliseconds = TimeInMilliseconds(
        [&] { outcome.Surface = MakeSurface(*outcome.Success, task.ToRun->GetAppearance(), level); });
    }
  }
  catch (const std::exception & error)
  {
    outcome.Error = GetReason(error);
  }
  return outcome;
}

Worker::~Worker()
{
  if (this->IsBusy())
  {
    this->Abort();
    m_Thread.join();
  }
}

void
Worker::Start(const Task & task)
{
  m_Task = task;
  m_HasEnded = false;
  m_IsAborted = false;
  m_Thread = std::thread([this] {
    m_Outcome = RunTask(m_Task);
    m_HasEnded = true;
  });
}

void
Worker::Abort()
{
  m_IsAborted = true;
  m_Task.ToRun->Abort();
}

std::optional<Outcome>
Worker::Take()
{
  if (!this->IsBusy() || !m_HasEnded)
  {
    return {};
  }
  m_Thread.join();
  m_Thread = std::thread();
  if (m_IsAborted)
  {
    return {};
  }
  return std::move(m_Outcome);
}
