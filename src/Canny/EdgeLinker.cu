// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "EdgeLinker.h"
#include "CudaFilters/detail/PixelType.h"
#include "EdgeLinker.cuh"
#include "../Device/Copy.h"
#include <algorithm>
#include <limits>

namespace itk
{
namespace CudaFilters
{
namespace
{
std::int64_t
GetNumberOfLabels(const Size3 & size)
{
  return EdgeMasks{ nullptr, size }.GetNumberOfWords() * RunsPerWord;
}

/** Whether 32-bit labels suffice. */
bool
HasShortLabels(const Size3 & size)
{
  return GetNumberOfLabels(size) < static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max());
}
} // namespace

class EdgeLinker::Implementation
{
public:
  Implementation(Execution & execution, const EdgeMasks & masks, unsigned int dimension)
    : m_Execution(execution)
    , m_Dimension(dimension)
    , m_Size(masks.Size)
    , m_Labels(execution.Allocate(GetScratchBytes(masks.Size)))
  {
    m_Masks.Candidates = masks.Words;
    m_Masks.Strong = masks.Words + masks.GetNumberOfWords();
    std::copy(m_Size.begin(), m_Size.end(), m_Masks.Size);
    m_Masks.WordsPerRow = masks.GetWordsPerRow();
    m_Masks.Words = masks.GetNumberOfWords();
    const StageScope stage(execution, "edge linking");
    this->WithForest([this](auto forest) {
      using Forest = decltype(forest);
      this->Start("PlantKernel", PlantKernel<typename Forest::LabelType>, forest);
      m_Dimension == 2 ? this->Start("JoinKernel", JoinKernel<2, typename Forest::LabelType>, forest)
                       : this->Start("JoinKernel", JoinKernel<3, typename Forest::LabelType>, forest);
    });
  }

  std::vector<BorderCandidate>
  GetBorder()
  {
    const auto         counter = m_Execution.Allocate(sizeof(unsigned long long));
    const auto         list = m_Execution.Allocate(GetBorderBytes(m_Size, m_Dimension));
    auto * const       count = static_cast<unsigned long long *>(counter->GetPointer());
    const auto &       stream = *m_Execution.GetStream();
    unsigned long long number = 0;
    Clear(count, sizeof(number), stream);
    this->WithForest([&](auto forest) {
      using Forest = decltype(forest);
      auto * const to = static_cast<BorderCandidate *>(list->GetPointer());
      m_Dimension == 2
        ? this->Start("ListBorderKernel", ListBorderKernel<2, typename Forest::LabelType>, forest, count, to)
        : this->Start("ListBorderKernel", ListBorderKernel<3, typename Forest::LabelType>, forest, count, to);
    });
    CopyToHost(&number, count, sizeof(number), stream);
    std::vector<BorderCandidate> border(number);
    if (number > 0)
    {
      CopyToHost(border.data(), list->GetPointer(), number * sizeof(BorderCandidate), stream);
    }
    return border;
  }

  void
  Keep(const std::vector<std::uint64_t> & labels)
  {
    if (labels.empty())
    {
      return;
    }
    constexpr unsigned int threads = 256;
    const auto             list = m_Execution.Allocate(labels.size() * sizeof(std::uint64_t));
    CopyToDevice(list->GetPointer(), labels.data(), labels.size() * sizeof(std::uint64_t), *m_Execution.GetStream());
    const auto count = static_cast<std::int64_t>(labels.size());
    this->WithForest([&](auto forest) {
      using Forest = decltype(forest);
      Launch(m_Execution,
             "KeepKernel",
             KeepKernel<typename Forest::LabelType>,
             { dim3(static_cast<unsigned int>(DivideUp(count, threads))), dim3(threads) },
             static_cast<const std::uint64_t *>(list->GetPointer()),
             count,
             forest);
    });
  }

  template <typename TOutput>
  void
  Write(TOutput * output)
  {
    const StageScope stage(m_Execution, "edge output");
    this->WithForest([&](auto forest) {
      using Forest = decltype(forest);
      this->Start("WriteEdgesKernel", WriteEdgesKernel<typename Forest::LabelType, TOutput>, forest, output);
    });
  }

private:
  template <typename TFunction>
  void
  WithForest(TFunction function)
  {
    if (HasShortLabels(m_Size))
    {
      function(LabelForest<std::uint32_t>(static_cast<std::uint32_t *>(m_Labels->GetPointer())));
    }
    else
    {
      function(LabelForest<unsigned long long>(static_cast<unsigned long long *>(m_Labels->GetPointer())));
    }
  }

  /** Launches a kernel with one thread per word. */
  template <typename TKernel, typename... TArguments>
  void
  Start(const char * name, TKernel kernel, TArguments... arguments)
  {
    const unsigned int threads = ChooseBlockSize(m_Execution, CudaKernelFamilyEnum::EdgeLinking, kernel, 256);
    Launch(
      m_Execution, name, kernel, { GridOf(DivideUp(m_Masks.Words, threads)), dim3(threads) }, m_Masks, arguments...);
  }

  Execution &                   m_Execution;
  unsigned int                  m_Dimension;
  Size3                         m_Size;
  LinkedMasks                   m_Masks;
  std::unique_ptr<DeviceBuffer> m_Labels;
};

EdgeLinker::EdgeLinker(Execution & execution, const EdgeMasks & masks, unsigned int dimension)
  : m_Implementation(std::make_unique<Implementation>(execution, masks, dimension))
{}

EdgeLinker::~EdgeLinker() = default;

std::vector<BorderCandidate>
EdgeLinker::GetBorder()
{
  return m_Implementation->GetBorder();
}

void
EdgeLinker::Keep(const std::vector<std::uint64_t> & labels)
{
  m_Implementation->Keep(labels);
}

template <typename TOutput>
void
EdgeLinker::Write(TOutput * output)
{
  m_Implementation->Write(output);
}

std::size_t
EdgeLinker::GetScratchBytes(const Size3 & size)
{
  return GetNumberOfLabels(size) * (HasShortLabels(size) ? sizeof(std::uint32_t) : sizeof(unsigned long long));
}

std::size_t
EdgeLinker::GetBorderBytes(const Size3 & size, unsigned int dimension)
{
  std::int64_t inner = 1;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    inner *= std::max<std::int64_t>(size[axis] - 2, 0);
  }
  return (GetNumberOfPixels(size) - inner) * sizeof(BorderCandidate);
}

#define CUDAFILTERS_INSTANTIATE(TOutput) template void EdgeLinker::Write<TOutput>(TOutput *);

CUDAFILTERS_FOR_EACH_PIXEL(CUDAFILTERS_INSTANTIATE)
} // namespace CudaFilters
} // namespace itk
