// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTernaryFunctorImageFilter_h
#define itkCudaTernaryFunctorImageFilter_h

#include "itkCudaFunctorBaseImageFilter.h"
#include "itkTernaryFunctorImageFilter.h"

namespace itk
{
namespace CudaFilters
{
/** The base class of the filter below. */
template <typename TInputImage1,
          typename TInputImage2,
          typename TInputImage3,
          typename TOutputImage,
          typename TFunction>
using TernaryFunctorBase =
  CudaFunctorBaseImageFilter<TernaryFunctorImageFilter<TInputImage1,
                                                       TInputImage2,
                                                       TInputImage3,
                                                       TOutputImage,
                                                       FunctorForItk<TFunction,
                                                                     typename TOutputImage::PixelType,
                                                                     typename TInputImage1::PixelType,
                                                                     typename TInputImage2::PixelType,
                                                                     typename TInputImage3::PixelType>>,
                             TFunction,
                             TInputImage1,
                             TInputImage2,
                             TInputImage3>;
} // namespace CudaFilters

/** \class CudaTernaryFunctorImageFilter
 * \brief Computes each pixel by a functor of one's own from the pixels of three inputs at the same place, on a CUDA
 * device.
 *
 * See CudaUnaryFunctorImageFilter for what a functor is.
 *
 * \sa TernaryFunctorImageFilter, CudaUnaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1,
          typename TInputImage2,
          typename TInputImage3,
          typename TOutputImage,
          typename TFunction>
class ITK_TEMPLATE_EXPORT CudaTernaryFunctorImageFilter
  : public CudaFilters::TernaryFunctorBase<TInputImage1, TInputImage2, TInputImage3, TOutputImage, TFunction>
{
public:
  itkCudaFilterMacro(
    CudaTernaryFunctorImageFilter,
    CudaFilters::TernaryFunctorBase<TInputImage1, TInputImage2, TInputImage3, TOutputImage, TFunction>);

protected:
  CudaTernaryFunctorImageFilter() = default;
  ~CudaTernaryFunctorImageFilter() override = default;
};
} // namespace itk

#endif
