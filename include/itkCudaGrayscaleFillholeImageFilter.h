// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGrayscaleFillholeImageFilter_h
#define itkCudaGrayscaleFillholeImageFilter_h

#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkGrayscaleFillholeImageFilter.h"

namespace itk
{
/** \class CudaGrayscaleFillholeImageFilter
 * \brief Fills the holes of a greyscale image on a CUDA device.
 *
 * A hole is a local minimum that is not connected to the border of the image. Its pixels get the grey level of its
 * lowest surrounding path to the border. Use it to close dark spots inside bright objects, as nuclei in microscopy.
 *
 * Parameters and results are those of GrayscaleFillholeImageFilter.
 *
 * \code
 * auto fill = itk::CudaGrayscaleFillholeImageFilter<ImageType, ImageType>::New();
 * fill->SetInput(image);
 * fill->FullyConnectedOn();
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaGrayscaleFillholeImageFilter
  : public CudaReconstructionBaseImageFilter<GrayscaleFillholeImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaGrayscaleFillholeImageFilter,
                     CudaReconstructionBaseImageFilter<GrayscaleFillholeImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaGrayscaleFillholeImageFilter() = default;
  ~CudaGrayscaleFillholeImageFilter() override = default;

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
    parameters.Markers.front().How = CudaFilters::MarkerRecipe::Kind::Border;
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaGrayscaleFillholeImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                               \
                       CudaGrayscaleFillholeImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                    \
                       GrayscaleFillholeImageFilter,                                         \
                       Image<TPixel, VDimension>,                                            \
                       Image<TPixel, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaGrayscaleFillholeImageFilter);
} // namespace itk

#endif
