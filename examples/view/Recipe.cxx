// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Recipe.h"
#include "Terminal.h"
#include "itkCommand.h"
#include <chrono>

namespace
{
double
GetMilliseconds()
{
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}
} // namespace

Recipe::~Recipe()
{
  for (const auto & filter : m_Filters)
  {
    for (const unsigned long observer : filter->Observers)
    {
      filter->Process->RemoveObserver(observer);
    }
  }
}

Values
Recipe::GetValues() const
{
  Values values;
  for (const Parameter & parameter : m_Parameters)
  {
    values.push_back(parameter.Value);
  }
  return values;
}

Parameter *
Recipe::Find(const std::string & name)
{
  for (Parameter & parameter : m_Parameters)
  {
    if (parameter.Name == name)
    {
      return &parameter;
    }
  }
  return nullptr;
}

void
Recipe::Observe(const std::string &                        name,
                itk::ProcessObject &                       process,
                std::function<void(Step &, std::string &)> describe)
{
  m_Filters.push_back(std::make_unique<Filter>());
  Filter & filter = *m_Filters.back();
  filter.Process = &process;
  filter.Describe = std::move(describe);
  filter.LastStep.Name = name;
  filter.Observers.push_back(
    process.AddObserver(itk::StartEvent(), [&filter](const itk::EventObject &) { filter.Begin = GetMilliseconds(); }));
  filter.Observers.push_back(process.AddObserver(itk::EndEvent(), [&filter](const itk::EventObject &) {
    filter.LastStep.HasRun = true;
    filter.LastStep.Milliseconds = GetMilliseconds() - filter.Begin;
  }));
  // In the thread of the run, and of the filter that runs: it is modified by this, and the others are not.
  filter.Observers.push_back(process.AddObserver(itk::ProgressEvent(), [this, &process](const itk::EventObject &) {
    if (m_IsAborted)
    {
      process.AbortGenerateDataOn();
    }
  }));
}

std::shared_ptr<const Result>
Recipe::Run(const Values & values)
{
  bool isKnown = m_LastResult != nullptr;
  for (std::size_t i = 0; isKnown && i < values.size(); ++i)
  {
    isKnown = m_Parameters[i].IsOfSurface || values[i] == m_LastValues[i];
  }
  if (isKnown)
  {
    return m_LastResult;
  }
  m_IsAborted = false;
  m_LastResult = nullptr;
  for (const auto & filter : m_Filters)
  {
    filter->LastStep.HasRun = false;
  }
  const auto result = std::make_shared<Result>();
  result->Milliseconds = TimeInMilliseconds([&] { result->Image = m_Function(values); });
  for (const auto & filter : m_Filters)
  {
    filter->Describe(filter->LastStep, result->ExecutedOn);
    result->Steps.push_back(filter->LastStep);
  }
  if (m_Remark)
  {
    result->Remark = m_Remark();
  }
  m_LastValues = values;
  m_LastResult = result;
  return result;
}

void
Recipe::Abort()
{
  m_IsAborted = true;
}
