// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeighborhoodFunctorImageFilter_h
#define itkCudaNeighborhoodFunctorImageFilter_h

#include "CudaFilters/detail/Radius3.h"
#include "CudaFilters/Neighborhood.h"
#include "CudaFilters/detail/PixelInputs.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkNeighborhoodFunctorImageFilter.h"
#include <string>

namespace itk
{
/** \class CudaNeighborhoodFunctorImageFilter
 * \brief Computes each pixel by a functor of one's own from the pixels around it, on a CUDA device.
 *
 * The functor is a class that can be copied by its bytes, whose operator() the CPU and the device can execute:
 *
 * \code
 * struct Cross // in Cross.h
 * {
 *   template <typename TNeighbours>
 *   CUDAFILTERS_HOST_DEVICE float operator()(const TNeighbours & neighbours) const
 *   {
 *     return neighbours(-1, 0) + neighbours(1, 0) + neighbours(0, -1) + neighbours(0, 1);
 *   }
 *   bool operator==(const Cross &) const { return true; }
 * };
 *
 * CUDAFILTERS_INSTANTIATE_NEIGHBORHOOD(Cross, float, float); // in Cross.cu
 *
 * auto filter = itk::CudaNeighborhoodFunctorImageFilter<ImageType, ImageType, Cross>::New();
 * filter->SetRadius(1);
 * \endcode
 *
 * Neighbours outside the image are the nearest pixels of the image, as by ZeroFluxNeumannBoundaryCondition. A functor
 * must not read beyond the radius: on a GPU, what it gets there is not defined.
 *
 * \sa NeighborhoodFunctorImageFilter, CudaUnaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TFunction>
class ITK_TEMPLATE_EXPORT CudaNeighborhoodFunctorImageFilter
  : public CudaAcceleratedImageFilter<NeighborhoodFunctorImageFilter<TInputImage, TOutputImage, TFunction>>
{
public:
  itkCudaFilterMacro(CudaNeighborhoodFunctorImageFilter,
                     CudaAcceleratedImageFilter<NeighborhoodFunctorImageFilter<TInputImage, TOutputImage, TFunction>>);

protected:
  CudaNeighborhoodFunctorImageFilter() = default;
  ~CudaNeighborhoodFunctorImageFilter() override = default;

  // GetUnsupportedReason() tells of the types.
  bool
  SupportsPixelTypes() const override
  {
    return true;
  }

  std::string
  GetUnsupportedReason() const override
  {
    return HasKernels ? "" : CudaFilters::NoFunctorKernels;
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    if constexpr (HasKernels)
    {
      using Maker = CudaFilters::NeighborhoodOperationMaker<TFunction,
                                                            CudaFilters::FunctorPixel<typename TOutputImage::PixelType>,
                                                            CudaFilters::FunctorPixel<typename TInputImage::PixelType>>;
      return Maker::Make(this->GetFunctor(), CudaFilters::GetRadius3(this->GetRadius()));
    }
    else
    {
      return nullptr;
    }
  }

private:
  static constexpr bool HasKernels = CudaFilters::HasFunctorKernels<TOutputImage, TInputImage>;
};
} // namespace itk

#endif
