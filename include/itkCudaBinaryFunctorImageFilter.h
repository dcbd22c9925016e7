// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinaryFunctorImageFilter_h
#define itkCudaBinaryFunctorImageFilter_h

#include "itkCudaFunctorBaseImageFilter.h"
#include "itkBinaryFunctorImageFilter.h"

namespace itk
{
namespace CudaFilters
{
/** The base class of the filter below. */
template <typename TInputImage1, typename TInputImage2, typename TOutputImage, typename TFunction>
using BinaryFunctorBase =
  CudaFunctorBaseImageFilter<BinaryFunctorImageFilter<TInputImage1,
                                                      TInputImage2,
                                                      TOutputImage,
                                                      FunctorForItk<TFunction,
                                                                    typename TOutputImage::PixelType,
                                                                    typename TInputImage1::PixelType,
                                                                    typename TInputImage2::PixelType>>,
                             TFunction,
                             TInputImage1,
                             TInputImage2>;
} // namespace CudaFilters

/** \class CudaBinaryFunctorImageFilter
 * \brief Computes each pixel by a functor of one's own from the pixels of two inputs at the same place, on a CUDA
 * device.
 *
 * See CudaUnaryFunctorImageFilter for what a functor is. As in the parent, one of the inputs may be a constant.
 *
 * \sa BinaryFunctorImageFilter, CudaUnaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage1, typename TInputImage2, typename TOutputImage, typename TFunction>
class ITK_TEMPLATE_EXPORT CudaBinaryFunctorImageFilter
  : public CudaFilters::BinaryFunctorBase<TInputImage1, TInputImage2, TOutputImage, TFunction>
{
public:
  itkCudaFilterMacro(CudaBinaryFunctorImageFilter,
                     CudaFilters::BinaryFunctorBase<TInputImage1, TInputImage2, TOutputImage, TFunction>);

protected:
  CudaBinaryFunctorImageFilter() = default;
  ~CudaBinaryFunctorImageFilter() override = default;
};
} // namespace itk

#endif
