// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Registration.h"
#include <chrono>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
double
TimeInSeconds(const std::function<void()> & function)
{
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/** The work of the present measurement: prepared once for all its repetitions. */
struct Prepared
{
  std::string           Name;
  std::function<void()> Work;
};

Prepared &
GetPrepared()
{
  static Prepared prepared;
  return prepared;
}

} // namespace

CudaFilters::ExecutionPointer
MakeDefaultExecution()
{
  const auto & interface = *CudaInterface::GetDefault();
  return CudaFilters::MakeExecution(interface.GetDeviceNumber(), interface.GetExecutionSettings());
}

void
WaitForDevice()
{
  CudaFilters::Wait(*MakeDefaultExecution());
}

void
Register(const std::string &                            workload,
         const char *                                   column,
         int                                            times,
         int                                            repetitions,
         const std::function<std::function<void()>()> & prepare,
         const std::shared_ptr<const Notes> &           notes)
{
  const bool        isOnCpu = column == std::string(CpuColumn) || column == std::string(SequentialColumn);
  const std::string name = workload + '|' + column;
  const auto        measure = [=](benchmark::State & state) {
    try
    {
      Prepared & prepared = GetPrepared();
      if (prepared.Name != name)
      {
        prepared = {};
        prepared = { name, prepare() };
      }
      const std::function<void()> & work = prepared.Work;
      if (notes)
      {
        state.counters.insert(notes->begin(), notes->end());
      }
      if (!isOnCpu)
      {
        work();
        const CudaCopyCounters before = CudaInterface::GetCopyCounters();
        work();
        const CudaCopyCounters copies = CudaInterface::GetCopyCounters() - before;
        if (column == std::string(EndToEndColumn))
        {
          state.counters["uploads"] = static_cast<double>(copies.Uploads);
          state.counters["downloads"] = static_cast<double>(copies.Downloads);
        }
      }
      for (auto _ : state)
      {
        state.SetIterationTime(TimeInSeconds(work) / times);
      }
    }
    catch (const std::exception & error)
    {
      state.SkipWithError(error.what());
    }
  };
  auto * const registered = benchmark::RegisterBenchmark(name.c_str(), measure);
  registered->UseManualTime()->Unit(benchmark::kMillisecond)->Repetitions(repetitions)->ReportAggregatesOnly();
  isOnCpu ? registered->Iterations(1) : registered->MinTime(0.05 / times);
}

void
ForgetPrepared()
{
  GetPrepared() = {};
}
} // namespace CudaBenchmark
} // namespace itk
