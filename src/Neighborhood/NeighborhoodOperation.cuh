// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersNeighborhoodOperation_cuh
#define itkCudaFiltersNeighborhoodOperation_cuh

#include "../PixelFunctions/ScalarPixels.cuh"
#include "CudaFilters/Neighborhood.cuh"
#include <memory>

namespace itk
{
namespace CudaFilters
{
/** Computes each output pixel, whose type is known at run time only, by a functor from the input pixels around it. */
template <typename TInput, typename TFunctor>
class ScalarNeighborhoodOperation : public LocalOperation
{
public:
  /** stage: the name of the stage of a run. */
  ScalarNeighborhoodOperation(const char * stage, const Size3 & radius, const TFunctor & functor, ScalarType output)
    : m_Stage(stage)
    , m_Radius(radius)
    , m_Functor(functor)
    , m_Output(output)
  {}

  Region3
  GetInputRegion(unsigned int, const Region3 & outputRegion) const override
  {
    return Pad(outputRegion, m_Radius);
  }

  void
  RunRegion(Execution & execution, const RegionOnDevice & region) const override
  {
    const StageScope stage(execution, m_Stage);
    RunNeighborhood(execution,
                    region,
                    m_Radius,
                    m_Functor,
                    region.GetInput<TInput>(),
                    ScalarWriter{ region.Outputs[0], MakeRowStrides(region.OutputRegion), m_Output });
  }

private:
  const char * m_Stage;
  Size3        m_Radius;
  TFunctor     m_Functor;
  ScalarType   m_Output;
};

template <typename TInput, typename TFunctor>
OperationPointer
MakeNeighborhoodOperation(const char * stage, const Size3 & radius, const TFunctor & functor, ScalarType output)
{
  return std::make_unique<ScalarNeighborhoodOperation<TInput, TFunctor>>(stage, radius, functor, output);
}
} // namespace CudaFilters
} // namespace itk

#endif
