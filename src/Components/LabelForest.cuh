// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLabelForest_cuh
#define itkCudaFiltersLabelForest_cuh

// Trees of connected pixels, and the runs of adjacent pixels in a word of a binary image.

#include "../Device/SharedValue.cuh"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A union-find forest. Nodes are known by labels from 1 on. For each node, the forest stores the label of its parent;
 * a root stores its own label. Label 0 is a root that no memory is needed for. A parent's label is less than its
 * children's labels. So the root of a tree is the node with its least label, regardless of the order in which trees are
 * joined, and there are no cycles. */
template <typename TLabel>
class LabelForest
{
public:
  using LabelType = TLabel;

  __host__ __device__ explicit LabelForest(TLabel * labels)
    : m_Labels(labels)
  {}

  __device__ void
  Set(TLabel label, TLabel parent) const
  {
    m_Labels[label - 1] = parent;
  }

  /** Stores a value, if it is less than that of the node. */
  __device__ void
  Lower(TLabel label, TLabel value) const
  {
    atomicMin(&m_Labels[label - 1], value);
  }

  /** Links a node to an ancestor, which shortens later searches. Other threads may read the node, or join trees, at the
   * same time: a former parent is still an ancestor. */
  __device__ void
  Shorten(TLabel label, TLabel ancestor) const
  {
    this->Lower(label, ancestor);
  }

  /** Returns the root of a label's tree. On the way, each node is linked to its grandparent. */
  __device__ TLabel
  Find(TLabel label) const
  {
    TLabel before = label;
    TLabel current = this->GetParent(label);
    while (true)
    {
      const TLabel next = this->GetParent(current);
      if (next == current)
      {
        return current;
      }
      if (before != current)
      {
        this->Shorten(before, next);
      }
      before = current;
      current = next;
    }
  }

  /** The same, but leaves all nodes as they are. */
  __device__ TLabel
  FindRoot(TLabel label) const
  {
    TLabel parent = this->GetParent(label);
    while (parent != label)
    {
      label = parent;
      parent = this->GetParent(label);
    }
    return label;
  }

  /** Joins the trees of two labels: links the root with the greater label to the other root. (After Playne and Hawick,
   * A New Algorithm for Parallel Connected-Component Labelling on GPUs, 2018, and Jaiganesh and Burtscher, A
   * High-Performance Connected Components Implementation for GPUs, 2018.) */
  __device__ void
  Join(TLabel a, TLabel b) const
  {
    while (true)
    {
      a = this->Find(a);
      b = this->Find(b);
      if (a == b)
      {
        return;
      }
      const TLabel later = a < b ? b : a;
      const TLabel earlier = a < b ? a : b;
      const TLabel former = atomicMin(&m_Labels[later - 1], earlier);
      if (former == later)
      {
        return;
      }
      // Another thread has linked this root meanwhile: join the tree of its former parent as well.
      a = former;
      b = earlier;
    }
  }

  __device__ TLabel
  GetParent(TLabel label) const
  {
    return label == 0 ? 0 : LoadSharedValue(&m_Labels[label - 1]);
  }

private:
  TLabel * m_Labels;
};

/** Calls a function for each run in a word, with the run's first pixel and its bits. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachRun(std::uint32_t bits, TFunction function)
{
  std::uint32_t rest = bits;
  while (rest != 0)
  {
    const int           first = __ffs(static_cast<int>(rest)) - 1;
    const std::uint32_t gaps = ~rest & (0xffffffffu << first);
    const std::uint32_t end = gaps & (0u - gaps); // the lowest bit; 0 if the run reaches the end of the word
    const std::uint32_t run = end - (1u << first);
    function(first, run);
    rest &= ~run;
  }
}

/** Calls a function for each bit that is set. */
template <typename TFunction>
__device__ __forceinline__ void
ForEachBit(std::uint32_t bits, TFunction function)
{
  for (; bits != 0; bits &= bits - 1)
  {
    function(__ffs(static_cast<int>(bits)) - 1);
  }
}

} // namespace CudaFilters
} // namespace itk

#endif
