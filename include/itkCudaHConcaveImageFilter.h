// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHConcaveImageFilter_h
#define itkCudaHConcaveImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkHConcaveImageFilter.h"

namespace itk
{
/** \class CudaHConcaveImageFilter
 * \brief Extracts the local minima of low depth on a CUDA device.
 *
 * The difference between the result of HMinimaImageFilter and the image: what lies at most Height above a local
 * minimum. Use it to detect dark spots independently of the background.
 *
 * Parameters and results are those of HConcaveImageFilter.
 *
 * \code
 * auto filter = itk::CudaHConcaveImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetHeight(30);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHConcaveImageFilter
  : public CudaReconstructionBaseImageFilter<HConcaveImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaHConcaveImageFilter,
                     CudaReconstructionBaseImageFilter<HConcaveImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaHConcaveImageFilter() = default;
  ~CudaHConcaveImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    parameters.Markers.front().Shift = static_cast<double>(this->GetHeight());
    parameters.Finish.How = CudaFilters::ReconstructionFinish::Kind::Difference;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaHConcaveImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                      \
                       CudaHConcaveImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                           \
                       HConcaveImageFilter,                                         \
                       Image<TPixel, VDimension>,                                   \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaHConcaveImageFilter);
} // namespace itk

#endif
