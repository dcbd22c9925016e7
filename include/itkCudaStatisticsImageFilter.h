// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStatisticsImageFilter_h
#define itkCudaStatisticsImageFilter_h

#include "itkCudaStatisticsBaseImageFilter.h"
#include "itkStatisticsImageFilter.h"
#include <cmath>

namespace itk
{
/** \class CudaStatisticsImageFilter
 * \brief Computes minimum, maximum, sum, mean and standard deviation of all pixels on a CUDA device.
 *
 * Results are those of StatisticsImageFilter. Sums of integers of 8 and 16 bits are exact; other sums are sums of
 * double numbers in a fixed order, and the same in each run.
 *
 * \code
 * auto statistics = itk::CudaStatisticsImageFilter<ImageType>::New();
 * statistics->SetInput(image);
 * statistics->Update();
 * std::cout << statistics->GetMean() << " +- " << statistics->GetSigma() << std::endl;
 * \endcode
 *
 * \sa StatisticsImageFilter, CudaMinimumMaximumImageFilter, CudaImageReductionFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaStatisticsImageFilter
  : public CudaStatisticsBaseImageFilter<StatisticsImageFilter<TInputImage>>
{
public:
  itkCudaFilterMacro(CudaStatisticsImageFilter, CudaStatisticsBaseImageFilter<StatisticsImageFilter<TInputImage>>);

  using typename Superclass::RealType;
  using PixelType = typename TInputImage::PixelType;

protected:
  CudaStatisticsImageFilter() = default;
  ~CudaStatisticsImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    return CudaFilters::MakeStatisticsOperation(
      CudaFilters::GetScalarType<PixelType>(), region, this->GetStatisticsOfPiece());
  }

  void
  SetOutputs(const CudaFilters::PixelStatistics & statistics, SizeValueType pixels) override
  {
    const auto     count = static_cast<RealType>(pixels);
    const RealType sum = statistics.Sum;
    const RealType variance = (statistics.SumOfSquares - (sum * sum / count)) / (count - 1);
    this->SetMinimum(static_cast<PixelType>(statistics.Minimum));
    this->SetMaximum(static_cast<PixelType>(statistics.Maximum));
    this->SetMean(sum / count);
    this->SetSigma(std::sqrt(variance));
    this->SetVariance(variance);
    this->SetSum(sum);
    this->SetSumOfSquares(statistics.SumOfSquares);
  }
};
} // namespace itk

#endif
