// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Reduction_h
#define CudaFilters_Reduction_h

// Reductions of an image to one value. Documentation/PixelFunctions.md shows how to write one.

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/PixelFunction.h"
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** The pixels of a region of the input in device memory, of which the operation reduces some leaves (see
 * CudaFilters/detail/ReductionTree.h). */
struct LeavesOnDevice
{
  const void * Pixels; ///< dense: x varies fastest
  /** The place in Pixels of the first pixel of Region, which may lie before those that are there. */
  std::int64_t Start;
  /** The region that is reduced, in which pixels and leaves are numbered. */
  Region3      Region;
  std::int64_t FirstLeaf;
  std::int64_t NumberOfLeaves;
};

/** \class ReductionOperation
 * \brief An operation that reduces the pixels of its only input to one value.
 *
 * The order in which pixels are combined is fixed: the result does not depend on tiles, devices or the schedule. */
class CudaFilters_EXPORT ReductionOperation : public Operation
{
public:
  ~ReductionOperation() override;

  Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const override;
  std::size_t
  GetScratchBytes(const RegionPlan & plan) const override;
  bool
  MayCutAlong(unsigned int axis) const override;
  void
  RunWhole(Runner & runner, Execution & execution) override;
  void
  RunTiles(Runner & runner) override;

protected:
  /** region: all pixels that are reduced. valueBytes: the size of a value. */
  ReductionOperation(const Region3 & region, std::size_t valueBytes);

  /** Enqueues the reduction of each leaf to a value in device memory. */
  virtual void
  ReduceLeaves(Execution & execution, const LeavesOnDevice & leaves, void * values) const = 0;

  /** Enqueues the reduction of each leaf of values in device memory. */
  virtual void
  ReduceValues(Execution & execution, const void * values, std::int64_t count, void * results) const = 0;

  /** Takes values on the host: those of all leaves, or one, to which all were reduced on the device. */
  virtual void
  TakeValues(const void * values, std::int64_t count) = 0;

private:
  Region3      m_Region;
  std::size_t  m_ValueBytes;
  unsigned int m_CutAxis = 0;
};

/** Whether the Transform() of a reducer takes the position behind the pixel. */
template <typename TReducer, typename TPixel, typename = void>
constexpr bool ReducesPosition = false;
template <typename TReducer, typename TPixel>
constexpr bool ReducesPosition<
  TReducer,
  TPixel,
  std::void_t<decltype(std::declval<const TReducer &>().Transform(std::declval<const TPixel &>(),
                                                                  std::declval<const PixelPosition &>()))>> = true;

/** Makes the operation that reduces the pixels of a region to a value, which it writes to the host's result. Defined in
 * CudaFilters/Reduction.cuh; a CUDA source instantiates it with CUDAFILTERS_INSTANTIATE_REDUCTION. */
template <typename TReducer, typename TPixel>
struct ReductionOperationMaker
{
  /** image: the largest possible region of the input, in which positions are counted. */
  static OperationPointer
  Make(const TReducer & reducer, const Region3 & region, const Region3 & image, typename TReducer::ValueType & result);
};
} // namespace CudaFilters
} // namespace itk

#endif
