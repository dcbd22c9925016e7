// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRegionalMaximaImageFilter_h
#define itkCudaRegionalMaximaImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkRegionalMaximaImageFilter.h"

namespace itk
{
/** \class CudaRegionalMaximaImageFilter
 * \brief Marks the regional maxima of an image on a CUDA device.
 *
 * A regional maximum is a connected set of pixels of one value that is higher than all pixels next to it. Use it for
 * markers of a watershed, usually after HMaximaImageFilter.
 *
 * Parameters and results are those of RegionalMaximaImageFilter.
 *
 * \code
 * auto filter = itk::CudaRegionalMaximaImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetForegroundValue(255);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaRegionalMaximaImageFilter
  : public CudaReconstructionBaseImageFilter<RegionalMaximaImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaRegionalMaximaImageFilter,
                     CudaReconstructionBaseImageFilter<RegionalMaximaImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaRegionalMaximaImageFilter() = default;
  ~CudaRegionalMaximaImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    auto & finish = parameters.Finish;
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Step;
    finish.How = CudaFilters::ReconstructionFinish::Kind::Extrema;
    finish.Foreground = static_cast<double>(this->GetForegroundValue());
    finish.Background = static_cast<double>(this->GetBackgroundValue());
    parameters.FlatValue = this->GetFlatIsMaxima() ? finish.Foreground : finish.Background;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaRegionalMaximaImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                            \
                       CudaRegionalMaximaImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                 \
                       RegionalMaximaImageFilter,                                         \
                       Image<TPixel, VDimension>,                                         \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaRegionalMaximaImageFilter);
} // namespace itk

#endif
