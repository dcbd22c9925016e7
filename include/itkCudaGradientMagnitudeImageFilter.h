// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGradientMagnitudeImageFilter_h
#define itkCudaGradientMagnitudeImageFilter_h

#include "CudaFilters/detail/DerivativeOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkGradientMagnitudeImageFilter.h"
#include <array>

namespace itk
{
/** \class CudaGradientMagnitudeImageFilter
 * \brief Computes the magnitude of the gradient by central differences on a CUDA device.
 *
 * Parameters and results are those of GradientMagnitudeImageFilter, pixel by pixel.
 *
 * \sa GradientMagnitudeImageFilter, CudaSobelEdgeDetectionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaGradientMagnitudeImageFilter
  : public CudaAcceleratedImageFilter<GradientMagnitudeImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaGradientMagnitudeImageFilter,
                     CudaAcceleratedImageFilter<GradientMagnitudeImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaGradientMagnitudeImageFilter() = default;
  ~CudaGradientMagnitudeImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    std::array<double, 3> weights{ { 0.0, 0.0, 0.0 } };
    for (unsigned int axis = 0; axis < TInputImage::ImageDimension && axis < 3; ++axis)
    {
      const double spacing = this->GetInput()->GetSpacing()[axis];
      if (this->GetUseImageSpacing() && spacing == 0.0)
      {
        itkExceptionMacro(<< "Image spacing cannot be zero.");
      }
      weights[axis] = this->GetUseImageSpacing() ? 0.5 * (1.0 / spacing) : 0.5;
    }
    return CudaFilters::MakeGradientMagnitudeOperation(TInputImage::ImageDimension,
                                                       weights,
                                                       CudaFilters::GetPixelType<typename TInputImage::PixelType>(),
                                                       CudaFilters::GetScalarType<typename TOutputImage::PixelType>());
  }
};
} // namespace itk

#endif
