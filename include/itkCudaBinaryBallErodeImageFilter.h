// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinaryBallErodeImageFilter_h
#define itkCudaBinaryBallErodeImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkBinaryBallErodeImageFilter.h"
#include "itkCudaBinaryBallMorphologyImageFilter.h"

namespace itk
{
/** \class CudaBinaryBallErodeImageFilter
 * \brief Shrinks objects by an exact ball of any radius, on a CUDA device.
 *
 * Parameters and results are those of BinaryBallErodeImageFilter. On a device, distances are computed as
 * CudaSignedMaurerDistanceMapImageFilter does, exactly if the spacings have a common unit, and only the pixels that
 * change are kept of them.
 *
 * \sa BinaryBallErodeImageFilter, CudaSignedMaurerDistanceMapImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaBinaryBallErodeImageFilter
  : public CudaBinaryBallMorphologyImageFilter<BinaryBallErodeImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaBinaryBallErodeImageFilter,
                     CudaBinaryBallMorphologyImageFilter<BinaryBallErodeImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaBinaryBallErodeImageFilter() = default;
  ~CudaBinaryBallErodeImageFilter() override = default;
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaBinaryBallErodeImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                             \
                       CudaBinaryBallErodeImageFilter,                                     \
                       CudaBinaryBallMorphologyImageFilter,                                \
                       BinaryBallErodeImageFilter,                                         \
                       Image<TPixel, VDimension>,                                          \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaBinaryBallErodeImageFilter);
} // namespace itk

#endif
