// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStatisticsBaseImageFilter_h
#define itkCudaStatisticsBaseImageFilter_h

#include "CudaFilters/detail/StatisticsOperation.h"
#include "itkCudaAcceleratedImageSink.h"
#include "itkImageRegionConstIterator.h"
#include <algorithm>
#include <type_traits>

namespace itk
{
/** \class CudaStatisticsBaseImageFilter
 * \brief Base class of the filters that compute statistics of all pixels on a CUDA device.
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaStatisticsBaseImageFilter : public CudaAcceleratedImageSink<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaStatisticsBaseImageFilter);

  using Self = CudaStatisticsBaseImageFilter;
  using Superclass = CudaAcceleratedImageSink<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaStatisticsBaseImageFilter";
  }

  using typename Superclass::InputImageType;

protected:
  CudaStatisticsBaseImageFilter() = default;
  ~CudaStatisticsBaseImageFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::GetScalarType<typename InputImageType::PixelType>() != CudaFilters::ScalarType::Other;
  }

  /** Where the operation writes its result. */
  CudaFilters::PixelStatistics &
  GetStatisticsOfPiece()
  {
    return m_OfPiece;
  }

  /** Sets the outputs of the filter from the statistics of so many pixels. */
  virtual void
  SetOutputs(const CudaFilters::PixelStatistics & statistics, SizeValueType pixels) = 0;

  void
  TakeResult(bool isFirst) override
  {
    const SizeValueType pixels = this->GetPieceRegion().GetNumberOfPixels();
    if (isFirst)
    {
      m_OfAll = m_OfPiece;
      m_Pixels = pixels;
    }
    else
    {
      m_OfAll.Minimum = std::min(m_OfAll.Minimum, m_OfPiece.Minimum);
      m_OfAll.Maximum = std::max(m_OfAll.Maximum, m_OfPiece.Maximum);
      m_OfAll.Sum += m_OfPiece.Sum;
      m_OfAll.SumOfSquares += m_OfPiece.SumOfSquares;
      m_Pixels += pixels;
    }
    this->SetOutputs(m_OfAll, m_Pixels);
  }

  void
  ReduceOnHost(const typename InputImageType::RegionType & region) override
  {
    if constexpr (std::is_arithmetic<typename InputImageType::PixelType>::value)
    {
      m_OfPiece.Minimum = NumericTraits<double>::max();
      m_OfPiece.Maximum = NumericTraits<double>::NonpositiveMin();
      m_OfPiece.Sum = 0.0;
      m_OfPiece.SumOfSquares = 0.0;
      for (ImageRegionConstIterator<InputImageType> it(this->GetInput(), region); !it.IsAtEnd(); ++it)
      {
        const auto value = static_cast<double>(it.Get());
        m_OfPiece.Minimum = std::min(m_OfPiece.Minimum, value);
        m_OfPiece.Maximum = std::max(m_OfPiece.Maximum, value);
        m_OfPiece.Sum += value;
        m_OfPiece.SumOfSquares += value * value;
      }
    }
  }

private:
  CudaFilters::PixelStatistics m_OfPiece;
  CudaFilters::PixelStatistics m_OfAll;
  SizeValueType                m_Pixels = 0;
};
} // namespace itk

#endif
