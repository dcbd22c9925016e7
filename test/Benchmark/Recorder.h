// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkRecorder_h
#define itkCudaBenchmarkRecorder_h

#include <benchmark/benchmark.h>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
/** What a measurement says of a workload. A benchmark's name is the workload, a bar, and one of these: a column of the
 * record. */
constexpr const char * OursColumn = "ours_ms";                      // pixels on the device before and after
constexpr const char * EndToEndColumn = "end_to_end_ms";            // from and to the host, in our containers
constexpr const char * PlainEndToEndColumn = "plain_end_to_end_ms"; // from an itk::Image in ordinary memory
constexpr const char * CpuColumn = "itk_cpu_ms";
constexpr const char * SequentialColumn = "sequential_ms"; // a loop on one core
constexpr const char * CubColumn = "cub_ms";               // what CUB takes, pixels on the device, numbers on the host

/** Shows the results as they come, and keeps them for the record: medians, and how far apart the repetitions were. */
class Recorder : public benchmark::ConsoleReporter
{
public:
  void
  ReportRuns(const std::vector<Run> & runs) override;

  /** Other facts of a workload, numbers too. */
  void
  Note(const std::string & workload, const std::string & key, double value);

  /** Called after each measurement. */
  void
  SetObserver(std::function<void()> observer)
  {
    m_Observer = std::move(observer);
  }

  /** Whether something was measured. */
  bool
  Has(const std::string & workload, const std::string & column) const;

  /** Writes the record: the facts of the run, and one row a workload, in the order of the first measurements. */
  void
  Write(std::ostream & out, const std::map<std::string, std::string> & facts) const;

  /** Whether a measurement failed. */
  bool
  HasErrors() const
  {
    return m_HasErrors;
  }

private:
  using Columns = std::vector<std::pair<std::string, double>>;

  Columns &
  GetRow(const std::string & workload);

  std::vector<std::pair<std::string, Columns>> m_Rows;
  std::function<void()>                        m_Observer;
  bool                                         m_HasErrors = false;
};
} // namespace CudaBenchmark
} // namespace itk

#endif
