// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRegionalMinimaImageFilter_h
#define itkCudaRegionalMinimaImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkRegionalMinimaImageFilter.h"

namespace itk
{
/** \class CudaRegionalMinimaImageFilter
 * \brief Marks the regional minima of an image on a CUDA device.
 *
 * A regional minimum is a connected set of pixels of one value that is lower than all pixels next to it. Use it for
 * markers of a watershed, usually after HMinimaImageFilter.
 *
 * Parameters and results are those of RegionalMinimaImageFilter.
 *
 * \code
 * auto filter = itk::CudaRegionalMinimaImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetForegroundValue(255);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaRegionalMinimaImageFilter
  : public CudaReconstructionBaseImageFilter<RegionalMinimaImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaRegionalMinimaImageFilter,
                     CudaReconstructionBaseImageFilter<RegionalMinimaImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaRegionalMinimaImageFilter() = default;
  ~CudaRegionalMinimaImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
    auto & finish = parameters.Finish;
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Step;
    finish.How = CudaFilters::ReconstructionFinish::Kind::Extrema;
    finish.Foreground = static_cast<double>(this->GetForegroundValue());
    finish.Background = static_cast<double>(this->GetBackgroundValue());
    parameters.FlatValue = this->GetFlatIsMinima() ? finish.Foreground : finish.Background;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaRegionalMinimaImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                            \
                       CudaRegionalMinimaImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                 \
                       RegionalMinimaImageFilter,                                         \
                       Image<TPixel, VDimension>,                                         \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaRegionalMinimaImageFilter);
} // namespace itk

#endif
