// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTextProgram.h"
#include "../Device/Copy.h"
#include "../Device/Execution.h"
#include "CudaFilters/Reduction.h"
#include "CudaFilters/detail/ReductionTree.h"
#include "CudaFilters/detail/TextFunction.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
class TextReductionOperation : public ReductionOperation
{
public:
  TextReductionOperation(const TextFunction & function, double identity, const Region3 & region, double & result)
    : ReductionOperation(region, sizeof(double))
    , m_Function(function)
    , m_Program(MakeTextProgram(function))
    , m_Result(result)
  {
    SetTextParameters(function, m_Arguments);
    m_Arguments.Identity = identity;
  }

protected:
  void
  ReduceLeaves(Execution & execution, const LeavesOnDevice & leaves, void * values) const override
  {
    TextArguments arguments = m_Arguments;
    // The pixels of the region are adjacent, from its first one on, which may lie before those that are there.
    SetTextPixels(arguments, m_Function, leaves.Pixels, leaves.Region, leaves.Region);
    WithScalar(m_Function.Input, [&](auto pixel) {
      arguments.Inputs[0] = static_cast<const decltype(pixel) *>(arguments.Inputs[0]) + leaves.Start;
    });
    arguments.FirstLeaf = leaves.FirstLeaf;
    this->Run(execution, arguments, leaves.NumberOfLeaves, values);
    m_Device = execution.GetDevice();
  }

  void
  ReduceValues(Execution & execution, const void * values, std::int64_t count, void * results) const override
  {
    TextArguments arguments = m_Arguments;
    arguments.Values = static_cast<const double *>(values);
    arguments.Count = count;
    this->Run(execution, arguments, GetNumberOfLeaves(count), results);
  }

  void
  TakeValues(const void * values, std::int64_t count) override
  {
    if (count > 1)
    {
      // The host may have no compiler for the text: the device combines the values of tiles, too.
      Execution                     execution(m_Device, ExecutionSettings());
      std::unique_ptr<DeviceBuffer> from = execution.Allocate(count * sizeof(double));
      CopyToDevice(from->GetPointer(), values, count * sizeof(double), *execution.GetStream());
      while (count > 1)
      {
        const std::int64_t            leaves = GetNumberOfLeaves(count);
        std::unique_ptr<DeviceBuffer> to = execution.Allocate(leaves * sizeof(double));
        this->ReduceValues(execution, from->GetPointer(), count, to->GetPointer());
        from = std::move(to);
        count = leaves;
      }
      CopyToHost(&m_Result, from->GetPointer(), sizeof(double), *execution.GetStream());
    }
    else
    {
      m_Result = *static_cast<const double *>(values);
    }
  }

private:
  void
  Run(const Execution & execution, TextArguments & arguments, std::int64_t leaves, void * values) const
  {
    static_assert(TextThreads == LeafThreads, "A block reduces a leaf.");
    arguments.NumberOfLeaves = leaves;
    arguments.Output = values;
    RunTextProgram(execution, m_Program, ListTexts(m_Function), arguments, { { leaves, 1, 1 }, 0, leaves });
  }

  TextFunction             m_Function;
  std::string              m_Program;
  TextArguments            m_Arguments{};
  double &                 m_Result;
  mutable std::atomic<int> m_Device{ 0 }; // the last one that reduced a tile
};
} // namespace

OperationPointer
MakeTextReductionOperation(const TextFunction & function, double identity, const Region3 & region, double & result)
{
  return std::make_unique<TextReductionOperation>(function, identity, region, result);
}
} // namespace CudaFilters
} // namespace itk
