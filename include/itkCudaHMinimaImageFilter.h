// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHMinimaImageFilter_h
#define itkCudaHMinimaImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkHMinimaImageFilter.h"
#include <type_traits>

namespace itk
{
/** \class CudaHMinimaImageFilter
 * \brief Suppresses local minima of low depth on a CUDA device.
 *
 * Removes every local minimum that is not at least Height below its surroundings. Use it before a watershed to avoid
 * oversegmentation by noise.
 *
 * Parameters and results are those of HMinimaImageFilter.
 *
 * \code
 * auto filter = itk::CudaHMinimaImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetHeight(30);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHMinimaImageFilter
  : public CudaReconstructionBaseImageFilter<HMinimaImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaHMinimaImageFilter,
                     CudaReconstructionBaseImageFilter<HMinimaImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaHMinimaImageFilter() = default;
  ~CudaHMinimaImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    parameters.Markers.front().Shift = static_cast<double>(this->GetHeight());
  }

  bool
  KeepsFormerPixelsInParent() const override
  {
    return std::is_same<TInputImage, TOutputImage>::value; // the cast inside runs in place
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaHMinimaImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                     \
                       CudaHMinimaImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                          \
                       HMinimaImageFilter,                                         \
                       Image<TPixel, VDimension>,                                  \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaHMinimaImageFilter);
} // namespace itk

#endif
