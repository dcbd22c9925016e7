// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReconstructionByErosionImageFilter_h
#define itkCudaReconstructionByErosionImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkReconstructionByErosionImageFilter.h"

namespace itk
{
/** \class CudaReconstructionByErosionImageFilter
 * \brief Morphological reconstruction by erosion on a CUDA device.
 *
 * Lowers the marker image, which is nowhere below the mask image, until nothing changes. Use it to keep, of all dark
 * objects, those that contain a marker.
 *
 * Parameters, inputs (marker and mask), exceptions and results are those of ReconstructionByErosionImageFilter.
 * Differences: UseInternalCopy has no meaning on the device; marker and mask must begin at the same index; where pixels
 * of type float or double differ by a few units in the last place only, ITK's filter may treat them as equal, while
 * this one never does.
 *
 * \code
 * auto reconstruct = itk::CudaReconstructionByErosionImageFilter<ImageType, ImageType>::New();
 * reconstruct->SetMarkerImage(marker);
 * reconstruct->SetMaskImage(mask);
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaReconstructionByErosionImageFilter
  : public CudaReconstructionBaseImageFilter<ReconstructionByErosionImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaReconstructionByErosionImageFilter,
                     CudaReconstructionBaseImageFilter<ReconstructionByErosionImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaReconstructionByErosionImageFilter() = default;
  ~CudaReconstructionByErosionImageFilter() override = default;

  const typename Superclass::InputImageType *
  GetReconstructionMask() const override
  {
    return this->GetMaskImage();
  }

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaReconstructionByErosionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                     \
                       CudaReconstructionByErosionImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                          \
                       ReconstructionByErosionImageFilter,                                         \
                       Image<TPixel, VDimension>,                                                  \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaReconstructionByErosionImageFilter);
} // namespace itk

#endif
