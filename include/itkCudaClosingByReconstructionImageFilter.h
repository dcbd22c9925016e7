// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaClosingByReconstructionImageFilter_h
#define itkCudaClosingByReconstructionImageFilter_h

#include "CudaFilters/detail/StructuringElement.h"
#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkClosingByReconstructionImageFilter.h"

namespace itk
{
/** \class CudaClosingByReconstructionImageFilter
 * \brief Closing by reconstruction on a CUDA device: removes dark objects that are smaller than a structuring element.
 *
 * Dilation, then reconstruction by erosion: objects in which the structuring element fits keep their exact shape, and
 * smaller ones disappear.
 *
 * Parameters and results are those of ClosingByReconstructionImageFilter. The time of the dilation is proportional to
 * the number of pixels of the structuring element. Elements that ITK decomposes into lines that are not parallel to the
 * axes (FlatStructuringElement::Polygon()) run on the CPU.
 *
 * \code
 * auto filter = itk::CudaClosingByReconstructionImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaClosingByReconstructionImageFilter
  : public CudaReconstructionBaseImageFilter<ClosingByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(
    CudaClosingByReconstructionImageFilter,
    CudaReconstructionBaseImageFilter<ClosingByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaClosingByReconstructionImageFilter() = default;
  ~CudaClosingByReconstructionImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override
  {
    return CudaFilters::GetUnsupportedKernelReason(this->GetKernel());
  }

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.IsErosion = true;
    parameters.Markers = CudaFilters::MakeStructureMarkers(this->GetKernel(), this->GetPreserveIntensities());
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaClosingByReconstructionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                     \
                       CudaClosingByReconstructionImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                          \
                       ClosingByReconstructionImageFilter,                                         \
                       Image<TPixel, VDimension>,                                                  \
                       Image<TPixel, VDimension>,                                                  \
                       FlatStructuringElement<VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaClosingByReconstructionImageFilter);
} // namespace itk

#endif
