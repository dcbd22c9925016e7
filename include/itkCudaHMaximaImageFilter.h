// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHMaximaImageFilter_h
#define itkCudaHMaximaImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkHMaximaImageFilter.h"
#include <type_traits>

namespace itk
{
/** \class CudaHMaximaImageFilter
 * \brief Suppresses local maxima of low height on a CUDA device.
 *
 * Removes every local maximum that is not at least Height above its surroundings. Use it before a watershed or a search
 * for regional maxima to ignore noise.
 *
 * Parameters and results are those of HMaximaImageFilter.
 *
 * \code
 * auto filter = itk::CudaHMaximaImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->SetHeight(30);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaHMaximaImageFilter
  : public CudaReconstructionBaseImageFilter<HMaximaImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaHMaximaImageFilter,
                     CudaReconstructionBaseImageFilter<HMaximaImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaHMaximaImageFilter() = default;
  ~CudaHMaximaImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Shift;
    parameters.Markers.front().Shift = -static_cast<double>(this->GetHeight());
  }

  bool
  KeepsFormerPixelsInParent() const override
  {
    return std::is_same<TInputImage, TOutputImage>::value; // the cast inside runs in place
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaHMaximaImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                     \
                       CudaHMaximaImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                          \
                       HMaximaImageFilter,                                         \
                       Image<TPixel, VDimension>,                                  \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaHMaximaImageFilter);
} // namespace itk

#endif
