// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBoxSigmaImageFilter_h
#define itkCudaBoxSigmaImageFilter_h

#include "CudaFilters/detail/BoxSumOperation.h"
#include "CudaFilters/detail/Radius3.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkBoxSigmaImageFilter.h"

namespace itk
{
/** \class CudaBoxSigmaImageFilter
 * \brief Replaces each pixel by the standard deviation of the pixels in a box around it, on a CUDA device.
 *
 * Parameters and results are those of BoxSigmaImageFilter, but for the rounding of real numbers: ITK subtracts sums
 * over all pixels before a place, this filter adds up the pixels of the box.
 * Squares of unsigned short pixels above 46340, which overflow in ITK's filter, are right.
 *
 * \code
 * auto filter = itk::CudaBoxSigmaImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetRadius(2);
 * \endcode
 *
 * \sa BoxSigmaImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaBoxSigmaImageFilter
  : public CudaAcceleratedImageFilter<BoxSigmaImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaBoxSigmaImageFilter,
                     CudaAcceleratedImageFilter<BoxSigmaImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaBoxSigmaImageFilter() = default;
  ~CudaBoxSigmaImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return CudaFilters::MakeBoxSigmaOperation(CudaFilters::GetRadius3(this->GetRadius()),
                                              CudaFilters::GetPixelType<typename TInputImage::PixelType>(),
                                              CudaFilters::GetScalarType<typename TOutputImage::PixelType>());
  }
};
} // namespace itk

#endif
