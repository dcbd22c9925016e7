// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHConvexImageFilter_h
#define itkCudaHConvexImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkHConvexImageFilter.h"

namespace itk
{
/** \class CudaHConvexImageFilter
 * \brief Extracts the local maxima of low height on a CUDA device.
 *
 * The difference between the image and the result of HMaximaImageFilter: what lies at most Height below a local
 * maximum. Use it to detect bright spots independently of the background.
 *
 * Parameters and results are those of HConvexImageFilter.
 *
 * \code
 * auto filter = itk::CudaHConvexImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetHeight(30);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHConvexImageFilter
  : public CudaReconstructionBaseImageFilter<HConvexImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaHConvexImageFilter,
                     CudaReconstructionBaseImageFilter<HConvexImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaHConvexImageFilter() = default;
  ~CudaHConvexImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    parameters.Markers.front().Shift = -static_cast<double>(this->GetHeight());
    parameters.Finish.How = CudaFilters::ReconstructionFinish::Kind::Difference;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaHConvexImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                     \
                       CudaHConvexImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                          \
                       HConvexImageFilter,                                         \
                       Image<TPixel, VDimension>,                                  \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaHConvexImageFilter);
} // namespace itk

#endif
