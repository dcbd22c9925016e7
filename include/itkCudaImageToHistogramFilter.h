// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageToHistogramFilter_h
#define itkCudaImageToHistogramFilter_h

#include "CudaFilters/detail/HistogramOperation.h"
#include "CudaFilters/detail/StatisticsOperation.h"
#include "CudaFilters/detail/TwoPassOperation.h"
#include "itkCudaAcceleratedImageSink.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageToHistogramFilter.h"
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <vector>

namespace itk
{
namespace Statistics
{
/** \class CudaImageToHistogramFilter
 * \brief Computes the histogram of an image of scalar pixels on a CUDA device.
 *
 * Parameters and results are those of ImageToHistogramFilter: bins, marginal scale, and the bins of pixels at their
 * bounds. Images of several components are counted on the CPU.
 *
 * \code
 * auto filter = itk::Statistics::CudaImageToHistogramFilter<ImageType>::New();
 * filter->SetInput(image);
 * filter->Update();
 * filter->GetOutput()->Quantile(0, 0.5);
 * \endcode
 *
 * \sa ImageToHistogramFilter, CudaOtsuThresholdImageFilter, CudaImageBinningFilter
 * \ingroup CudaFilters
 */
template <typename TImage>
class ITK_TEMPLATE_EXPORT CudaImageToHistogramFilter : public CudaAcceleratedImageSink<ImageToHistogramFilter<TImage>>
{
public:
  itkCudaFilterMacro(CudaImageToHistogramFilter, CudaAcceleratedImageSink<ImageToHistogramFilter<TImage>>);

  using PixelType = typename TImage::PixelType;
  using HistogramType = typename ImageToHistogramFilter<TImage>::HistogramType;
  using RegionType = typename TImage::RegionType;

  /** For filters that compute a histogram as a part of their own work: the operation that counts a region, and then
   * AddCounts(), which adds the result to the output. isFirst: the output is empty before. */
  /**@{*/
  CudaFilters::OperationPointer
  MakeHistogramOperation(const CudaFilters::Region3 & region)
  {
    constexpr auto type = CudaFilters::GetScalarType<PixelType>();
    m_HasRange = false;
    if (!m_IsInitialized && this->GetAutoMinimumMaximumInput() && this->GetAutoMinimumMaximum())
    {
      return CudaFilters::MakeTwoPassOperation(CudaFilters::MakeMinimumMaximumOperation(type, region, m_Range),
                                               [this, region] {
                                                 m_HasRange = true;
                                                 return this->MakeCountOperation(region);
                                               });
    }
    return this->MakeCountOperation(region);
  }

  void
  AddCounts(bool isFirst)
  {
    HistogramType * const                         histogram = this->GetOutput();
    typename HistogramType::MeasurementVectorType value(1);
    typename HistogramType::IndexType             index(1);
    if (isFirst)
    {
      histogram->SetToZero(); // a run may have begun before
    }
    for (std::size_t i = 0; i < m_Counts.size(); ++i)
    {
      if (m_Counts[i] == 0)
      {
        continue;
      }
      if constexpr (CountsValues)
      {
        value[0] = static_cast<double>(m_Lowest + static_cast<std::int64_t>(i));
        if (histogram->GetIndex(value, index))
        {
          histogram->IncreaseFrequencyOfIndex(index, m_Counts[i]);
        }
      }
      else
      {
        histogram->IncreaseFrequency(i, m_Counts[i]);
      }
    }
  }
  /**@}*/

protected:
  CudaImageToHistogramFilter() = default;
  ~CudaImageToHistogramFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::GetScalarType<PixelType>() != CudaFilters::ScalarType::Other;
  }

  void
  BeforeStreamedGenerateData() override
  {
    Superclass::BeforeStreamedGenerateData();
    m_IsInitialized = false;
    m_HasRange = false;
  }

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    return this->MakeHistogramOperation(region);
  }

  void
  TakeResult(bool isFirst) override
  {
    this->AddCounts(isFirst);
  }

  void
  ReduceOnHost(const RegionType & region) override
  {
    m_Counts.clear();
    if constexpr (std::is_arithmetic<PixelType>::value)
    {
      HistogramType * const                         histogram = this->GetOutput();
      typename HistogramType::MeasurementVectorType value(1);
      typename HistogramType::IndexType             index(1);
      for (ImageRegionConstIterator<TImage> it(this->GetInput(), region); !it.IsAtEnd(); ++it)
      {
        value[0] = static_cast<double>(it.Get());
        histogram->GetIndex(value, index);
        histogram->IncreaseFrequencyOfIndex(index, 1);
      }
    }
  }

  // The superclass asks for the range when it initializes the histogram. The device has found it already.
  void
  ThreadedComputeMinimumAndMaximum(const RegionType & region) override
  {
    if (m_HasRange)
    {
      const std::lock_guard<std::mutex> lock(this->m_Mutex); // several threads may call this
      this->m_Minimum.Fill(m_Range.Minimum);
      this->m_Maximum.Fill(m_Range.Maximum);
    }
    else
    {
      Superclass::ThreadedComputeMinimumAndMaximum(region);
    }
  }

private:
  /** Small integers are counted by value, and the bins of values are found on the host. */
  static constexpr bool CountsValues = std::is_integral<PixelType>::value && sizeof(PixelType) <= 2;

  CudaFilters::OperationPointer
  MakeCountOperation(const CudaFilters::Region3 & region)
  {
    constexpr auto type = CudaFilters::GetScalarType<PixelType>();
    if (!m_IsInitialized)
    {
      this->InitializeOutputHistogram();
      m_IsInitialized = true;
    }
    if constexpr (CountsValues)
    {
      m_Lowest = m_HasRange ? static_cast<std::int64_t>(m_Range.Minimum)
                            : static_cast<std::int64_t>(NumericTraits<PixelType>::NonpositiveMin());
      const auto highest = m_HasRange ? static_cast<std::int64_t>(m_Range.Maximum)
                                      : static_cast<std::int64_t>(NumericTraits<PixelType>::max());
      m_Counts.assign(static_cast<std::size_t>(highest - m_Lowest + 1), 0);
      return CudaFilters::MakeValueCountOperation(type, region, m_Lowest, m_Counts);
    }
    else
    {
      const HistogramType * const histogram = this->GetOutput();
      CudaFilters::HistogramBins  bins;
      for (SizeValueType i = 0; i < histogram->GetSize(0); ++i)
      {
        bins.Minimums.push_back(histogram->GetBinMin(0, i));
        bins.Maximums.push_back(histogram->GetBinMax(0, i));
      }
      bins.ClipBinsAtEnds = histogram->GetClipBinsAtEnds();
      m_Counts.assign(bins.Minimums.size(), 0);
      return CudaFilters::MakeHistogramOperation(type, region, bins, m_Counts);
    }
  }

  CudaFilters::PixelStatistics m_Range;
  bool                         m_HasRange = false;
  bool                         m_IsInitialized = false;
  std::int64_t                 m_Lowest = 0;
  std::vector<std::int64_t>    m_Counts;
};
} // namespace Statistics
} // namespace itk

#endif
