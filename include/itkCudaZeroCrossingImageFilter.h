// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaZeroCrossingImageFilter_h
#define itkCudaZeroCrossingImageFilter_h

#include "CudaFilters/detail/ZeroCrossingOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkZeroCrossingImageFilter.h"

namespace itk
{
/** \class CudaZeroCrossingImageFilter
 * \brief Marks the pixels closest to the places where the image changes its sign, on a CUDA device.
 *
 * Use it to find edges in the Laplacian or in a directional second derivative. Parameters and results are those of
 * ZeroCrossingImageFilter, pixel by pixel.
 *
 * \code
 * auto crossings = itk::CudaZeroCrossingImageFilter<ImageType, ImageType>::New();
 * crossings->SetInput(laplacian);
 * crossings->SetForegroundValue(255);
 * \endcode
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaZeroCrossingImageFilter
  : public CudaAcceleratedImageFilter<ZeroCrossingImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaZeroCrossingImageFilter,
                     CudaAcceleratedImageFilter<ZeroCrossingImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaZeroCrossingImageFilter() = default;
  ~CudaZeroCrossingImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::ZeroCrossingParameters parameters;
    parameters.Dimension = TOutputImage::ImageDimension;
    parameters.Foreground = static_cast<double>(this->GetForegroundValue());
    parameters.Background = static_cast<double>(this->GetBackgroundValue());
    return CudaFilters::MakeZeroCrossingOperation(parameters, CudaFilters::GetPixelTypes<TInputImage, TOutputImage>());
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaZeroCrossingImageFilter(prefix, TPixel, VDimension)                \
  prefix template class ZeroCrossingImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                    \
    ZeroCrossingImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>>;                    \
  prefix template class CudaZeroCrossingImageFilter<Image<TPixel, VDimension>, Image<TPixel, VDimension>>

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaZeroCrossingImageFilter);
} // namespace itk

#endif
