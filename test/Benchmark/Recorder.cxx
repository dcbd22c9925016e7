// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Recorder.h"
#include <algorithm>
#include <cmath>
#include <iomanip>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
std::string
Quote(const std::string & text)
{
  std::string quoted = "\"";
  for (const char c : text)
  {
    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return quoted + '"';
}
} // namespace

auto
Recorder::GetRow(const std::string & workload) -> Columns &
{
  const auto found =
    std::find_if(m_Rows.begin(), m_Rows.end(), [&](const auto & row) { return row.first == workload; });
  if (found != m_Rows.end())
  {
    return found->second;
  }
  m_Rows.emplace_back(workload, Columns());
  return m_Rows.back().second;
}

void
Recorder::Note(const std::string & workload, const std::string & key, double value)
{
  this->GetRow(workload).emplace_back(key, value);
}

bool
Recorder::Has(const std::string & workload, const std::string & column) const
{
  return std::any_of(m_Rows.begin(), m_Rows.end(), [&](const auto & row) {
    return row.first == workload &&
           std::any_of(row.second.begin(), row.second.end(), [&](const auto & entry) { return entry.first == column; });
  });
}

void
Recorder::ReportRuns(const std::vector<Run> & runs)
{
  ConsoleReporter::ReportRuns(runs);
  for (const Run & run : runs)
  {
    // Repetitions are summed up in aggregates; of one, there are none.
    const bool isMedian = run.aggregate_name == "median" || (run.aggregate_name.empty() && run.repetitions == 1);
    const bool isSpread = run.aggregate_name == "cv";
    m_HasErrors = m_HasErrors || run.error_occurred;
    if (run.error_occurred || (!isMedian && !isSpread))
    {
      continue;
    }
    const std::string name = run.run_name.function_name;
    const auto        bar = name.find('|');
    const std::string workload = name.substr(0, bar);
    const std::string column = name.substr(bar + 1);
    if (isSpread)
    {
      // cv: standard deviation by mean
      this->Note(workload, column.substr(0, column.rfind('_')) + "_cv", run.real_accumulated_time);
      continue;
    }
    this->Note(workload, column, run.GetAdjustedRealTime());
    for (const auto & counter : run.counters)
    {
      this->Note(workload, counter.first, counter.second.value);
    }
  }
  if (m_Observer)
  {
    m_Observer();
  }
}

void
Recorder::Write(std::ostream & out, const std::map<std::string, std::string> & facts) const
{
  out << "{\n";
  for (const auto & fact : facts)
  {
    out << "  " << Quote(fact.first) << ": " << Quote(fact.second) << ",\n";
  }
  out << "  \"rows\": [";
  for (std::size_t i = 0; i < m_Rows.size(); ++i)
  {
    out << (i == 0 ? "\n" : ",\n") << "    { \"workload\": " << Quote(m_Rows[i].first);
    for (const auto & column : m_Rows[i].second)
    {
      const bool isWhole = column.second == std::floor(column.second);
      out << ", " << Quote(column.first) << ": " << std::setprecision(isWhole ? 15 : 4) << column.second;
    }
    out << " }";
  }
  out << "\n  ]\n}\n";
}
} // namespace CudaBenchmark
} // namespace itk
