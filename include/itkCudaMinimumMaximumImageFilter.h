// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMinimumMaximumImageFilter_h
#define itkCudaMinimumMaximumImageFilter_h

#include "itkCudaStatisticsBaseImageFilter.h"
#include "itkMinimumMaximumImageFilter.h"

namespace itk
{
/** \class CudaMinimumMaximumImageFilter
 * \brief Finds the least and the greatest pixel of an image on a CUDA device.
 *
 * Results are those of MinimumMaximumImageFilter. Pixels that are not numbers (NaN) are left out; what ITK's filter
 * makes of them depends on their place.
 *
 * \sa MinimumMaximumImageFilter, CudaStatisticsImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaMinimumMaximumImageFilter
  : public CudaStatisticsBaseImageFilter<MinimumMaximumImageFilter<TInputImage>>
{
public:
  itkCudaFilterMacro(CudaMinimumMaximumImageFilter,
                     CudaStatisticsBaseImageFilter<MinimumMaximumImageFilter<TInputImage>>);

  using PixelType = typename TInputImage::PixelType;

protected:
  CudaMinimumMaximumImageFilter() = default;
  ~CudaMinimumMaximumImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    return CudaFilters::MakeMinimumMaximumOperation(
      CudaFilters::GetScalarType<PixelType>(), region, this->GetStatisticsOfPiece());
  }

  void
  SetOutputs(const CudaFilters::PixelStatistics & statistics, SizeValueType) override
  {
    this->SetMinimum(static_cast<PixelType>(statistics.Minimum));
    this->SetMaximum(static_cast<PixelType>(statistics.Maximum));
  }
};
} // namespace itk

#endif
