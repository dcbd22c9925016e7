// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReconstructionByDilationImageFilter_h
#define itkCudaReconstructionByDilationImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkReconstructionByDilationImageFilter.h"

namespace itk
{
/** \class CudaReconstructionByDilationImageFilter
 * \brief Morphological reconstruction by dilation on a CUDA device.
 *
 * Propagates the marker image under the mask image until nothing changes. Use it to keep, of all bright objects, those
 * that contain a marker, in their full shape and with their own grey levels.
 *
 * Parameters, inputs (marker and mask), exceptions and results are those of ReconstructionByDilationImageFilter.
 * Differences: UseInternalCopy has no meaning on the device; marker and mask must begin at the same index; where pixels
 * of type float or double differ by a few units in the last place only, ITK's filter may treat them as equal, while
 * this one never does.
 *
 * \code
 * auto reconstruct = itk::CudaReconstructionByDilationImageFilter<ImageType, ImageType>::New();
 * reconstruct->SetMarkerImage(marker);
 * reconstruct->SetMaskImage(mask);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaReconstructionByDilationImageFilter
  : public CudaReconstructionBaseImageFilter<ReconstructionByDilationImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaReconstructionByDilationImageFilter,
                     CudaReconstructionBaseImageFilter<ReconstructionByDilationImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaReconstructionByDilationImageFilter() = default;
  ~CudaReconstructionByDilationImageFilter() override = default;

  const typename Superclass::InputImageType *
  GetReconstructionMask() const override
  {
    return this->GetMaskImage();
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaReconstructionByDilationImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                      \
                       CudaReconstructionByDilationImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                           \
                       ReconstructionByDilationImageFilter,                                         \
                       Image<TPixel, VDimension>,                                                   \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaReconstructionByDilationImageFilter);
} // namespace itk

#endif
