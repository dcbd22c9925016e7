// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Reduction_cuh
#define CudaFilters_Reduction_cuh

// For CUDA sources only: reductions from reducers. Documentation/PixelFunctions.md shows its use.

#include "CudaFilters/Reduction.h"
#include "CudaFilters/detail/ReductionKernel.cuh"
#include <memory>
#include <type_traits>
#include <vector>

/** Compiles a reducer for a type of pixels: CUDAFILTERS_INSTANTIATE_REDUCTION(Reducer, Pixel). To be used outside all
 * namespaces. If the linker does not find ReductionOperationMaker<...>::Make, such a line is missing. */
#define CUDAFILTERS_INSTANTIATE_REDUCTION(...) template struct itk::CudaFilters::ReductionOperationMaker<__VA_ARGS__>

namespace itk
{
namespace CudaFilters
{
/** The reduction of pixels by a reducer. makeReader(leaves) makes what ReduceLeavesKernel reads the pixels by. */
template <typename TReducer, typename TMakeReader>
class TypedReductionOperation : public ReductionOperation
{
public:
  using ValueType = typename TReducer::ValueType;

  TypedReductionOperation(const TReducer &    reducer,
                          const Region3 &     region,
                          const Region3 &     image,
                          const TMakeReader & makeReader,
                          ValueType &         result)
    : ReductionOperation(region, sizeof(ValueType))
    , m_Reducer(reducer)
    , m_Image(image)
    , m_MakeReader(makeReader)
    , m_Result(result)
  {}

protected:
  void
  ReduceLeaves(Execution & execution, const LeavesOnDevice & leaves, void * values) const override
  {
    RunReduction(execution,
                 PixelGrid(leaves.Region, m_Image),
                 leaves.Region.GetNumberOfPixels(),
                 m_Reducer,
                 m_MakeReader(leaves),
                 leaves.FirstLeaf,
                 leaves.NumberOfLeaves,
                 static_cast<ValueType *>(values));
  }

  void
  ReduceValues(Execution & execution, const void * values, std::int64_t count, void * results) const override
  {
    const Region3 array{ { { 0, 0, 0 } }, { { count, 1, 1 } } };
    RunReduction(execution,
                 PixelGrid(array, array),
                 count,
                 ValueReducer<TReducer>{ m_Reducer },
                 LeafReader<ValueType>{ static_cast<const ValueType *>(values), 0 },
                 0,
                 GetNumberOfLeaves(count),
                 static_cast<ValueType *>(results));
  }

  void
  TakeValues(const void * values, std::int64_t count) override
  {
    const auto * const first = static_cast<const ValueType *>(values);
    m_Result = CombineLeavesOnHost(m_Reducer, std::vector<ValueType>(first, first + count));
  }

private:
  TReducer    m_Reducer;
  Region3     m_Image;
  TMakeReader m_MakeReader;
  ValueType & m_Result;
};

template <typename TReducer, typename TMakeReader>
OperationPointer
MakeTypedReduction(const TReducer &               reducer,
                   const Region3 &                region,
                   const Region3 &                image,
                   const TMakeReader &            makeReader,
                   typename TReducer::ValueType & result)
{
  return std::make_unique<TypedReductionOperation<TReducer, TMakeReader>>(reducer, region, image, makeReader, result);
}

template <typename TReducer, typename TPixel>
OperationPointer
ReductionOperationMaker<TReducer, TPixel>::Make(const TReducer &               reducer,
                                                const Region3 &                region,
                                                const Region3 &                image,
                                                typename TReducer::ValueType & result)
{
  static_assert(std::is_trivially_copyable<TReducer>::value, "A reducer is copied to the device by its bytes.");
  static_assert(std::is_trivially_copyable<typename TReducer::ValueType>::value, "So are its values.");
  const auto makeReader = [](const LeavesOnDevice & leaves) {
    return LeafReader<TPixel>{ static_cast<const TPixel *>(leaves.Pixels), leaves.Start };
  };
  return MakeTypedReduction(reducer, region, image, makeReader, result);
}
} // namespace CudaFilters
} // namespace itk

#endif
