// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Recipe_h
#define cudafilters_view_Recipe_h

#include "CudaFilters/ExecutionSettings.h"
#include "SharedImage.h"
#include "itkProcessObject.h"
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/** A number that a person chooses. */
struct Parameter
{
  std::string Name; // also that of the option
  std::string Meaning;
  double      Lowest;
  double      Highest;
  double      Value;
  bool        IsWhole = false;
  bool        HasLeast = true;     // no filter takes less than Lowest
  bool        IsOfSurface = false; // used by the surface only: a change does not run the filters
};

using Values = std::vector<double>;

/** How a result is shown. */
enum class Appearance
{
  Grey,
  Mask,
  ColourMap,
  Labels
};

/** What one filter did in the last run. */
struct Step
{
  std::string                              Name;
  bool                                     HasRun = false; // else its former result was used
  double                                   Milliseconds = 0.0;
  std::vector<itk::CudaFilters::StageTime> Stages; // on the device
};

struct Result
{
  std::shared_ptr<const SharedImage> Image;
  std::vector<Step>                  Steps;
  double                             Milliseconds = 0.0;
  std::string                        ExecutedOn;
  std::string                        Remark; // a number that the filters found
};

/** What a user calls a filter: one or several of them that make an image of the input, and their parameters. Those
 * whose parameters did not change do not run again. */
class Recipe
{
public:
  using Function = std::function<std::shared_ptr<const SharedImage>(const Values &)>;

  Recipe(std::string name, std::string description, Appearance appearance)
    : m_Name(std::move(name))
    , m_Description(std::move(description))
    , m_Appearance(appearance)
  {}
  ~Recipe();
  Recipe(const Recipe &) = delete;
  Recipe &
  operator=(const Recipe &) = delete;

  const std::string &
  GetName() const
  {
    return m_Name;
  }
  const std::string &
  GetDescription() const
  {
    return m_Description;
  }
  Appearance
  GetAppearance() const
  {
    return m_Appearance;
  }

  std::vector<Parameter> &
  GetParameters()
  {
    return m_Parameters;
  }
  Values
  GetValues() const;
  /** The parameter of a name; nullptr if there is none. */
  Parameter *
  Find(const std::string & name);

  void
  AddParameter(const Parameter & parameter)
  {
    m_Parameters.push_back(parameter);
  }

  /** Adds a filter whose time and stages are reported under this name. */
  template <typename TFilter>
  void
  AddFilter(const std::string & name, TFilter & filter)
  {
    this->Observe(name, filter, [&filter](Step & step, std::string & executedOn) {
      step.Stages = filter.GetExecutedOnDevice() ? filter.GetStageTimes() : decltype(step.Stages)();
      executedOn = filter.GetExecutedOn();
    });
  }

  /** Sets what computes the result. */
  void
  SetFunction(Function function, std::function<std::string()> remark = {})
  {
    m_Function = std::move(function);
    m_Remark = std::move(remark);
  }

  /** Computes. Throws what a filter throws. */
  std::shared_ptr<const Result>
  Run(const Values & values);

  /** Ends a run that is under way in another thread, which then throws itk::ProcessAborted. */
  void
  Abort();

private:
  struct Filter
  {
    itk::ProcessObject::Pointer                Process;
    std::function<void(Step &, std::string &)> Describe;
    std::vector<unsigned long>                 Observers;
    double                                     Begin = 0.0;
    Step                                       LastStep;
  };

  void
  Observe(const std::string & name, itk::ProcessObject & filter, std::function<void(Step &, std::string &)> describe);

  std::string                          m_Name;
  std::string                          m_Description;
  Appearance                           m_Appearance;
  std::vector<Parameter>               m_Parameters;
  std::vector<std::unique_ptr<Filter>> m_Filters;
  Function                             m_Function;
  std::function<std::string()>         m_Remark;
  std::shared_ptr<const Result>        m_LastResult;
  Values                               m_LastValues;
  std::atomic<bool>                    m_IsAborted{ false };
};

/** All recipes for an image whose pixels are between two numbers. Instantiated for InputImage of 2 and 3 dimensions. */
template <typename TImage>
std::vector<std::unique_ptr<Recipe>>
MakeRecipes(TImage * image, double least, double greatest);

#endif
