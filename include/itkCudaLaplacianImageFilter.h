// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLaplacianImageFilter_h
#define itkCudaLaplacianImageFilter_h

#include "CudaFilters/detail/DerivativeOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkLaplacianImageFilter.h"
#include "itkLaplacianOperator.h"
#include <array>

namespace itk
{
/** \class CudaLaplacianImageFilter
 * \brief Computes the sum of the second derivatives along all axes on a CUDA device.
 *
 * Parameters and results are those of LaplacianImageFilter, pixel by pixel. As there, derivatives are always in
 * physical units: UseImageSpacing has no effect.
 *
 * \sa LaplacianImageFilter, CudaZeroCrossingImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaLaplacianImageFilter
  : public CudaAcceleratedImageFilter<LaplacianImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaLaplacianImageFilter,
                     CudaAcceleratedImageFilter<LaplacianImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaLaplacianImageFilter() = default;
  ~CudaLaplacianImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    constexpr unsigned int dimension = TInputImage::ImageDimension;
    using OutputPixelType = typename TOutputImage::PixelType;

    double scalings[dimension];
    for (unsigned int axis = 0; axis < dimension; ++axis)
    {
      if (this->GetInput()->GetSpacing()[axis] == 0.0)
      {
        itkExceptionMacro(<< "Image spacing cannot be zero");
      }
      scalings[axis] = 1.0 / this->GetInput()->GetSpacing()[axis];
    }
    LaplacianOperator<OutputPixelType, dimension> laplacian;
    laplacian.SetDerivativeScalings(scalings);
    laplacian.CreateOperator();
    std::array<double, 27> weights{};
    for (unsigned int i = 0; i < laplacian.Size() && i < weights.size(); ++i)
    {
      weights[i] = static_cast<double>(laplacian[i]);
    }
    return CudaFilters::MakeWeightedSumOperation(dimension,
                                                 weights,
                                                 CudaFilters::GetPixelType<typename TInputImage::PixelType>(),
                                                 CudaFilters::GetScalarType<OutputPixelType>());
  }
};
} // namespace itk

#endif
