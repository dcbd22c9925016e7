// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeanImageFilter_h
#define itkCudaMeanImageFilter_h

#include "CudaFilters/detail/BoxSumOperation.h"
#include "CudaFilters/detail/Radius3.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkMeanImageFilter.h"

namespace itk
{
/** \class CudaMeanImageFilter
 * \brief Replaces each pixel by the mean of the pixels in a box around it, on a CUDA device.
 *
 * Parameters and results are those of MeanImageFilter. The pixels are added up along one axis after the other, integers
 * exactly.
 *
 * \code
 * auto filter = itk::CudaMeanImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetRadius(2);
 * \endcode
 *
 * \sa MeanImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaMeanImageFilter
  : public CudaAcceleratedImageFilter<MeanImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaMeanImageFilter, CudaAcceleratedImageFilter<MeanImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaMeanImageFilter() = default;
  ~CudaMeanImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return CudaFilters::MakeBoxMeanOperation(CudaFilters::GetRadius3(this->GetRadius()),
                                             CudaFilters::GetPixelType<typename TInputImage::PixelType>(),
                                             CudaFilters::GetScalarType<typename TOutputImage::PixelType>());
  }
};
} // namespace itk

#endif
