// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMedianImageFilter_h
#define itkCudaMedianImageFilter_h

#include "CudaFilters/detail/MedianOperation.h"
#include "CudaFilters/detail/Radius3.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkMedianImageFilter.h"

namespace itk
{
/** \class CudaMedianImageFilter
 * \brief Replaces each pixel by the median of the pixels in a box around it, on a CUDA device.
 *
 * Removes noise, and keeps edges. Parameters and results are those of MedianImageFilter, pixel by pixel. A median of
 * pixels that are not numbers (NaN) is not defined.
 *
 * \code
 * auto filter = itk::CudaMedianImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetRadius(1);
 * \endcode
 *
 * \sa MedianImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaMedianImageFilter
  : public CudaAcceleratedImageFilter<MedianImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaMedianImageFilter, CudaAcceleratedImageFilter<MedianImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaMedianImageFilter() = default;
  ~CudaMedianImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return CudaFilters::MakeMedianOperation(CudaFilters::GetRadius3(this->GetRadius()),
                                            CudaFilters::GetPixelType<typename TInputImage::PixelType>(),
                                            CudaFilters::GetScalarType<typename TOutputImage::PixelType>());
  }
};
} // namespace itk

#endif
