// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaOtsuMultipleThresholdsImageFilter_h
#define itkCudaOtsuMultipleThresholdsImageFilter_h

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/HistogramOperation.h"
#include "CudaFilters/detail/StatisticsOperation.h"
#include "CudaFilters/detail/TwoPassOperation.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include "itkOtsuMultipleThresholdsImageFilter.h"
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace itk
{
/** \class CudaOtsuMultipleThresholdsImageFilter
 * \brief Separates the pixels of an image into several classes by Otsu's thresholds on a CUDA device.
 *
 * Parameters and results are those of OtsuMultipleThresholdsImageFilter: the histogram and the labels of pixels are
 * computed on the device, the thresholds from the histogram on the CPU. With more than 16 thresholds, or NaN among
 * the pixels, the filter runs on the CPU.
 *
 * GetThresholds() of the superclass is not virtual, and knows what the CPU has computed only. So call it for this type,
 * not by way of a pointer to OtsuMultipleThresholdsImageFilter.
 *
 * \sa OtsuMultipleThresholdsImageFilter, CudaOtsuThresholdImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaOtsuMultipleThresholdsImageFilter
  : public CudaPixelFunctionImageFilter<OtsuMultipleThresholdsImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(
    CudaOtsuMultipleThresholdsImageFilter,
    CudaPixelFunctionImageFilter<OtsuMultipleThresholdsImageFilter<TInputImage, TOutputImage>, TInputImage>);

  using typename Superclass::HistogramGeneratorType;
  using typename Superclass::HistogramType;
  using typename Superclass::InputPixelType;
  using typename Superclass::OtsuCalculatorType;
  using typename Superclass::OutputPixelType;
  using typename Superclass::ThresholdVectorType;

  /** As in the superclass: of the last run. */
  const ThresholdVectorType &
  GetThresholds() const
  {
    return this->GetExecutedOnDevice() ? m_Thresholds : Superclass::GetThresholds();
  }

protected:
  CudaOtsuMultipleThresholdsImageFilter() = default;
  ~CudaOtsuMultipleThresholdsImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override
  {
    constexpr auto most = CudaFilters::PixelFunctionParameters::MostThresholds;
    return this->GetNumberOfThresholds() > most
             ? "there are kernels for up to " + std::to_string(most) + " thresholds only"
             : Superclass::GetUnsupportedReason();
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    const auto     region = CudaFilters::GetRegion3(this->GetInput()->GetLargestPossibleRegion());
    constexpr auto type = CudaFilters::GetScalarType<InputPixelType>();
    // A sum tells whether there is NaN.
    constexpr bool mayHaveNan = std::is_floating_point<InputPixelType>::value;
    return CudaFilters::MakeTwoPassOperation(
      mayHaveNan ? CudaFilters::MakeStatisticsOperation(type, region, m_Range)
                 : CudaFilters::MakeMinimumMaximumOperation(type, region, m_Range),
      [this, region] {
        if (mayHaveNan && std::isnan(m_Range.Sum))
        {
          throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::Unsuited,
                                         "there is NaN among the pixels, or infinities of both signs");
        }
        this->MakeBins();
        return CudaFilters::MakeTwoPassOperation(
          CudaFilters::MakeHistogramOperation(type, region, m_Bins, m_Counts), [this] {
            this->ComputeThresholds();
            return CudaFilters::MakePixelFunctionOperation(this->MakeParameters());
          });
      });
  }

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::LabelByThresholds;
    parameters.Thresholds.assign(m_Thresholds.begin(), m_Thresholds.end());
    // As Functor::ThresholdLabeler computes them.
    parameters.Labels.assign(1, CudaFilters::ToDouble(this->GetLabelOffset()));
    for (std::size_t i = 1; i <= m_Thresholds.size(); ++i)
    {
      const auto label = static_cast<OutputPixelType>(static_cast<OutputPixelType>(i) + this->GetLabelOffset());
      parameters.Labels.push_back(CudaFilters::ToDouble(label));
    }
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "Thresholds of the last run:";
    for (const auto threshold : this->GetThresholds())
    {
      os << " " << threshold;
    }
    os << std::endl;
  }

private:
  /** Makes the histogram that ITK would make, of two pixels that have its range. */
  void
  MakeBins()
  {
    const auto                     extremes = TInputImage::New();
    typename TInputImage::SizeType size;
    size.Fill(1);
    size[0] = 2;
    extremes->SetRegions(size);
    extremes->Allocate();
    typename TInputImage::IndexType index{};
    extremes->SetPixel(index, static_cast<InputPixelType>(m_Range.Minimum));
    index[0] = 1;
    extremes->SetPixel(index, static_cast<InputPixelType>(m_Range.Maximum));
    m_Generator = HistogramGeneratorType::New();
    m_Generator->SetInput(extremes);
    m_Generator->SetNumberOfBins(static_cast<unsigned int>(this->GetNumberOfHistogramBins()));
    m_Generator->Compute();
    const HistogramType * const histogram = m_Generator->GetOutput();
    m_Bins = {};
    for (SizeValueType i = 0; i < histogram->GetSize(0); ++i)
    {
      m_Bins.Minimums.push_back(histogram->GetBinMin(0, i));
      m_Bins.Maximums.push_back(histogram->GetBinMax(0, i));
    }
    m_Bins.ClipBinsAtEnds = histogram->GetClipBinsAtEnds();
    m_Counts.assign(m_Bins.Minimums.size(), 0);
  }

  void
  ComputeThresholds()
  {
    const auto histogram = HistogramType::New();
    histogram->Graft(m_Generator->GetOutput());
    histogram->SetToZero();
    for (std::size_t i = 0; i < m_Counts.size(); ++i)
    {
      histogram->SetFrequency(i, m_Counts[i]);
    }
    const auto calculator = OtsuCalculatorType::New();
    calculator->SetInputHistogram(histogram);
    calculator->SetNumberOfThresholds(this->GetNumberOfThresholds());
    calculator->SetValleyEmphasis(this->GetValleyEmphasis());
    calculator->SetReturnBinMidpoint(this->GetReturnBinMidpoint());
    calculator->Compute();
    m_Thresholds = calculator->GetOutput();
    m_Generator = nullptr;
  }

  CudaFilters::PixelStatistics             m_Range;
  CudaFilters::HistogramBins               m_Bins;
  std::vector<std::int64_t>                m_Counts;
  typename HistogramGeneratorType::Pointer m_Generator;
  ThresholdVectorType                      m_Thresholds;
};
} // namespace itk

#endif
