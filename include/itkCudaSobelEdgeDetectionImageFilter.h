// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSobelEdgeDetectionImageFilter_h
#define itkCudaSobelEdgeDetectionImageFilter_h

#include "itkCudaExactModeImageFilter.h"
#include "itkDirectionalSobelEdgeDetectionImageFilter.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The output pixels for which the library holds the filter: double for double, else float. */
template <typename TPixel>
using SobelPixel = std::conditional_t<std::is_same<TPixel, double>::value, double, float>;
} // namespace CudaFilters

/** \class CudaSobelEdgeDetectionImageFilter
 * \brief The magnitude of the gradient by Sobel's operators and, on request, its direction, on a CUDA device.
 *
 * Parameters and results are those of SobelEdgeDetectionImageFilter; ComputeDirection adds outputs that are described
 * in DirectionalSobelEdgeDetectionImageFilter. Magnitude and angles are computed in one pass over the image. ExactMode
 * concerns the magnitude; the angles differ from the CPU's in the last bits.
 *
 * \code
 * auto sobel = itk::CudaSobelEdgeDetectionImageFilter<InputImageType, itk::Image<float, 2>>::New();
 * sobel->SetInput(image);
 * sobel->ComputeDirectionOn();
 * \endcode
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaSobelEdgeDetectionImageFilter
  : public CudaExactModeImageFilter<DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaSobelEdgeDetectionImageFilter,
                     CudaExactModeImageFilter<DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>>);

  using DataObjectPointer = ProcessObject::DataObjectPointer;
  using DataObjectPointerArraySizeType = ProcessObject::DataObjectPointerArraySizeType;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaSobelEdgeDetectionImageFilter() = default;
  ~CudaSobelEdgeDetectionImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override;

  CudaFilters::OperationPointer
  MakeOperation() override;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaSobelEdgeDetectionImageFilter.hxx"
#endif

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaSobelEdgeDetectionImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                \
                       CudaSobelEdgeDetectionImageFilter,                                     \
                       CudaExactModeImageFilter,                                              \
                       DirectionalSobelEdgeDetectionImageFilter,                              \
                       Image<TPixel, VDimension>,                                             \
                       Image<CudaFilters::SobelPixel<TPixel>, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaSobelEdgeDetectionImageFilter);
} // namespace itk

#endif
