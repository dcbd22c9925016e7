// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTextProgram.h"
#include "CudaFilters/Binning.h"
#include "CudaFilters/detail/TextFunction.h"
#include <algorithm>
#include <cstdint>
#include <memory>

namespace itk
{
namespace CudaFilters
{
namespace
{
class TextBinningOperation : public BinningOperation
{
public:
  TextBinningOperation(const TextFunction & function, const Region3 & region, std::vector<std::int64_t> & sums)
    : BinningOperation(region, sums)
    , m_Function(function)
    , m_Program(MakeTextProgram(function))
  {}

protected:
  void
  AddPixels(Execution & execution, const PixelsOnDevice & pixels, const BinsOnDevice & bins) const override
  {
    constexpr std::int64_t mostSharedBytes = 48 * 1024; // that a block has without asking for more
    constexpr std::int64_t pixelsPerBlock = 16384;      // to amortize the addition of its bins to global memory
    constexpr std::int64_t mostBlocks = 1024;

    static_assert(sizeof(long long) == sizeof(std::int64_t), "Programs have no std::int64_t.");
    TextArguments arguments{};
    SetTextParameters(m_Function, arguments);
    SetTextPixels(arguments, m_Function, pixels.Pixels, pixels.Region, pixels.Region);
    const std::int64_t sharedBytes =
      bins.Number * static_cast<std::int64_t>(m_Function.Weight.empty() ? sizeof(int) : sizeof(long long));
    arguments.Output = bins.Sums;
    arguments.NumberOfBins = bins.Number;
    arguments.BadBin = reinterpret_cast<long long *>(bins.BadBin);
    arguments.HasSharedBins = sharedBytes <= mostSharedBytes ? 1 : 0;
    RunTextProgram(execution,
                   m_Program,
                   ListTexts(m_Function),
                   arguments,
                   { { std::min(DivideUp(arguments.Count, pixelsPerBlock), mostBlocks), 1, 1 },
                     arguments.HasSharedBins != 0 ? static_cast<unsigned int>(sharedBytes) : 0,
                     arguments.Size[1] * arguments.Size[2] });
  }

private:
  TextFunction m_Function;
  std::string  m_Program;
};
} // namespace

OperationPointer
MakeTextBinningOperation(const TextFunction & function, const Region3 & region, std::vector<std::int64_t> & sums)
{
  return std::make_unique<TextBinningOperation>(function, region, sums);
}
} // namespace CudaFilters
} // namespace itk
