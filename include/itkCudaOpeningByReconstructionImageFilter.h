// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaOpeningByReconstructionImageFilter_h
#define itkCudaOpeningByReconstructionImageFilter_h

#include "CudaFilters/detail/StructuringElement.h"
#include "itkCudaReconstructionBaseImageFilter.h"
#include "itkOpeningByReconstructionImageFilter.h"

namespace itk
{
/** \class CudaOpeningByReconstructionImageFilter
 * \brief Opening by reconstruction on a CUDA device: removes bright objects that are smaller than a structuring
 * element.
 *
 * Erosion, then reconstruction by dilation: objects in which the structuring element fits keep their exact shape, and
 * smaller ones disappear.
 *
 * Parameters and results are those of OpeningByReconstructionImageFilter. The time of the erosion is proportional to
 * the number of pixels of the structuring element. Elements that ITK decomposes into lines that are not parallel to the
 * axes (FlatStructuringElement::Polygon()) run on the CPU.
 *
 * \code
 * auto filter = itk::CudaOpeningByReconstructionImageFilter<ImageType, ImageType, KernelType>::New();
 * filter->SetInput(image);
 * filter->SetKernel(KernelType::Ball(radius));
 * \endcode
 *
 * \sa CudaReconstructionBaseImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TKernel>
class ITK_TEMPLATE_EXPORT CudaOpeningByReconstructionImageFilter
  : public CudaReconstructionBaseImageFilter<OpeningByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>
{
public:
  itkCudaFilterMacro(
    CudaOpeningByReconstructionImageFilter,
    CudaReconstructionBaseImageFilter<OpeningByReconstructionImageFilter<TInputImage, TOutputImage, TKernel>>);

protected:
  CudaOpeningByReconstructionImageFilter() = default;
  ~CudaOpeningByReconstructionImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override
  {
    return CudaFilters::GetUnsupportedKernelReason(this->GetKernel());
  }

  void
  Describe(CudaFilters::ReconstructionParameters & parameters) const override
  {
    parameters.Markers = CudaFilters::MakeStructureMarkers(this->GetKernel(), this->GetPreserveIntensities());
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaOpeningByReconstructionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                     \
                       CudaOpeningByReconstructionImageFilter,                                     \
                       CudaReconstructionBaseImageFilter,                                          \
                       OpeningByReconstructionImageFilter,                                         \
                       Image<TPixel, VDimension>,                                                  \
                       Image<TPixel, VDimension>,                                                  \
                       FlatStructuringElement<VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaOpeningByReconstructionImageFilter);
} // namespace itk

#endif
