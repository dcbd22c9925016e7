// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Terminal_h
#define cudafilters_Terminal_h

#include "itkProcessObject.h"
#include <chrono>
#include <exception>
#include <string>

/** Shows the progress of a filter while this lives, if standard error is a terminal. */
class ProgressBar
{
public:
  ProgressBar(itk::ProcessObject & filter, std::string name);
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &
  operator=(const ProgressBar &) = delete;

  /** Takes the bar away. */
  void
  Finish();

private:
  void
  Show(float progress);

  itk::ProcessObject::Pointer m_Filter;
  std::string                 m_Name;
  unsigned long               m_Observer = 0;
  bool                        m_IsActive;
  int                         m_Shown = -1;
};

/** Shows what ITK warns of as one line each. */
void
ShowWarningsAsLines();

/** Any text as one line. */
std::string
ToOneLine(const std::string & text);

/** The words of an exception, without the place in the source and the object's address, as one line. */
std::string
GetReason(const std::exception & error);

/** One line of the times: what, how long, and what else there is to say. */
void
ShowTime(const std::string & what, double milliseconds, const std::string & remark = {});

template <typename TFunction>
double
TimeInMilliseconds(TFunction && function)
{
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

#endif
