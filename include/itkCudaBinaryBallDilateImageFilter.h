// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinaryBallDilateImageFilter_h
#define itkCudaBinaryBallDilateImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkBinaryBallDilateImageFilter.h"
#include "itkCudaBinaryBallMorphologyImageFilter.h"

namespace itk
{
/** \class CudaBinaryBallDilateImageFilter
 * \brief Grows objects by an exact ball of any radius, on a CUDA device.
 *
 * Parameters and results are those of BinaryBallDilateImageFilter. On a device, distances are computed as
 * CudaSignedMaurerDistanceMapImageFilter does, exactly if the spacings have a common unit, and only the pixels that
 * change are kept of them.
 *
 * \sa BinaryBallDilateImageFilter, CudaSignedMaurerDistanceMapImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaBinaryBallDilateImageFilter
  : public CudaBinaryBallMorphologyImageFilter<BinaryBallDilateImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaBinaryBallDilateImageFilter,
                     CudaBinaryBallMorphologyImageFilter<BinaryBallDilateImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaBinaryBallDilateImageFilter() = default;
  ~CudaBinaryBallDilateImageFilter() override = default;
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaBinaryBallDilateImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                              \
                       CudaBinaryBallDilateImageFilter,                                     \
                       CudaBinaryBallMorphologyImageFilter,                                 \
                       BinaryBallDilateImageFilter,                                         \
                       Image<TPixel, VDimension>,                                           \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaBinaryBallDilateImageFilter);
} // namespace itk

#endif
