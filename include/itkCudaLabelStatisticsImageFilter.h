// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelStatisticsImageFilter_h
#define itkCudaLabelStatisticsImageFilter_h

#include "CudaFilters/detail/MeasurementOperation.h"
#include "itkCudaAcceleratedImageSink.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkLabelStatisticsImageFilter.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace itk
{
/** \class CudaLabelStatisticsImageFilter
 * \brief Computes minimum, maximum, sum, mean, standard deviation and bounding box of the pixels of each label on a
 * CUDA device.
 *
 * Parameters and results are those of LabelStatisticsImageFilter. With histograms, and so with medians, the filter runs
 * on the CPU. Sums of integers of 8 and 16 bits are exact; those of real numbers are the same in each run.
 *
 * The results are those of this class: the getters of the superclass are not virtual, and know what the CPU has
 * computed only. So call them for this type, not by way of a pointer to LabelStatisticsImageFilter.
 *
 * \code
 * auto statistics = itk::CudaLabelStatisticsImageFilter<ImageType, LabelImageType>::New();
 * statistics->SetInput(image);
 * statistics->SetLabelInput(labels);
 * statistics->Update();
 * for (const auto label : statistics->GetValidLabelValues())
 * {
 *   std::cout << label << ": " << statistics->GetMean(label) << std::endl;
 * }
 * \endcode
 *
 * \sa LabelStatisticsImageFilter, CudaLabelMeasurementImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TLabelImage>
class ITK_TEMPLATE_EXPORT CudaLabelStatisticsImageFilter
  : public CudaAcceleratedImageSink<LabelStatisticsImageFilter<TInputImage, TLabelImage>>
{
public:
  itkCudaFilterMacro(CudaLabelStatisticsImageFilter,
                     CudaAcceleratedImageSink<LabelStatisticsImageFilter<TInputImage, TLabelImage>>);

  using typename Superclass::BoundingBoxType;
  using typename Superclass::LabelPixelType;
  using typename Superclass::LabelStatistics;
  using typename Superclass::MapSizeType;
  using typename Superclass::PixelType;
  using typename Superclass::RealType;
  using typename Superclass::RegionType;
  using typename Superclass::ValidLabelValuesContainerType;

  /** As in the superclass. */
  /**@{*/
  const ValidLabelValuesContainerType &
  GetValidLabelValues() const override
  {
    return this->HasTakenResult() ? m_Labels : Superclass::GetValidLabelValues();
  }
  bool
  HasLabel(LabelPixelType label) const
  {
    return this->HasTakenResult() ? m_Objects.count(label) != 0 : Superclass::HasLabel(label);
  }
  MapSizeType
  GetNumberOfObjects() const
  {
    return this->HasTakenResult() ? static_cast<MapSizeType>(m_Objects.size()) : Superclass::GetNumberOfObjects();
  }
  MapSizeType
  GetNumberOfLabels() const
  {
    return this->GetNumberOfObjects();
  }
  RealType
  GetMinimum(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Minimum, NumericTraits<PixelType>::max(), [&] {
      return Superclass::GetMinimum(label);
    });
  }
  RealType
  GetMaximum(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Maximum, NumericTraits<PixelType>::NonpositiveMin(), [&] {
      return Superclass::GetMaximum(label);
    });
  }
  RealType
  GetMean(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Mean, 0, [&] { return Superclass::GetMean(label); });
  }
  RealType
  GetSigma(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Sigma, 0, [&] { return Superclass::GetSigma(label); });
  }
  RealType
  GetVariance(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Variance, 0, [&] { return Superclass::GetVariance(label); });
  }
  RealType
  GetSum(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Sum, 0, [&] { return Superclass::GetSum(label); });
  }
  MapSizeType
  GetCount(LabelPixelType label) const
  {
    return this->Get(label, &LabelStatistics::m_Count, 0, [&] { return Superclass::GetCount(label); });
  }
  BoundingBoxType
  GetBoundingBox(LabelPixelType label) const
  {
    return this->Get(
      label, &LabelStatistics::m_BoundingBox, BoundingBoxType(), [&] { return Superclass::GetBoundingBox(label); });
  }
  RegionType
  GetRegion(LabelPixelType label) const
  {
    if (!this->HasTakenResult())
    {
      return Superclass::GetRegion(label);
    }
    RegionType            region;
    const BoundingBoxType box = this->GetBoundingBox(label);
    for (unsigned int axis = 0; axis < TInputImage::ImageDimension && !box.empty(); ++axis)
    {
      region.SetIndex(axis, box[2 * axis]);
      region.SetSize(axis, static_cast<SizeValueType>(box[2 * axis + 1] - box[2 * axis] + 1));
    }
    return region;
  }
  /**@}*/

protected:
  CudaLabelStatisticsImageFilter() = default;
  ~CudaLabelStatisticsImageFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::IsDeviceImage<TLabelImage>() && CudaFilters::IsNumberPixel<LabelPixelType>() &&
           CudaFilters::IsKernelPixel<PixelType>();
  }

  std::string
  GetUnsupportedReason() const override
  {
    return this->GetUseHistograms() ? "there are no kernels for the histograms of labels" : "";
  }

  void
  CollectInputs(CudaFilters::ImageList & images) override
  {
    if constexpr (CudaFilters::IsDeviceImage<TInputImage>() && CudaFilters::IsDeviceImage<TLabelImage>())
    {
      images.AddInput(this->GetLabelInput());
      images.AddInput(this->GetInput());
    }
  }

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 &) override
  {
    CudaFilters::MeasurementParameters parameters;
    parameters.Labels = CudaFilters::GetPixelStorage<LabelPixelType>();
    parameters.Intensities = CudaFilters::GetPixelType<PixelType>();
    parameters.HasNoBackground = true;
    parameters.SumsSquares = true;
    return CudaFilters::MakeMeasurementOperation(parameters, m_OfPiece);
  }

  void
  ReduceOnHost(const RegionType & region) override
  {
    if constexpr (std::is_arithmetic<PixelType>::value && std::is_integral<LabelPixelType>::value)
    {
      std::map<LabelPixelType, CudaFilters::ObjectSums> objects;
      ImageRegionConstIterator<TLabelImage>             label(this->GetLabelInput(), region);
      for (ImageRegionConstIteratorWithIndex<TInputImage> pixel(this->GetInput(), region); !pixel.IsAtEnd();
           ++pixel, ++label)
      {
        CudaFilters::ObjectSums & sums = objects[label.Get()];
        const auto                value = static_cast<double>(pixel.Get());
        std::int32_t              position[3] = { 0, 0, 0 };
        for (unsigned int axis = 0; axis < TInputImage::ImageDimension && axis < 3; ++axis)
        {
          position[axis] = static_cast<std::int32_t>(pixel.GetIndex()[axis] - region.GetIndex(axis));
        }
        sums.AddRun(position[0], position[1], position[2], 1);
        sums.AddIntensity(value);
        sums.IntensitySquares += value * value;
      }
      m_OfPiece.clear();
      for (const auto & object : objects)
      {
        m_OfPiece.push_back({ static_cast<std::uint64_t>(object.first), object.second });
      }
    }
  }

  void
  TakeResult(bool isFirst) override
  {
    if (isFirst)
    {
      m_Objects.clear();
      m_Labels.clear();
    }
    for (const CudaFilters::LabelSums & object : m_OfPiece)
    {
      const auto label = static_cast<LabelPixelType>(object.Label);
      if (m_Objects.count(label) == 0)
      {
        m_Labels.push_back(label);
      }
      this->AddPart(m_Objects[label], object.Sums);
    }
    std::vector<CudaFilters::LabelSums>().swap(m_OfPiece);
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "NumberOfLabels: " << this->GetNumberOfLabels() << std::endl;
  }

private:
  template <typename TValue, typename TDefault, typename TGetOnCpu>
  TValue
  Get(LabelPixelType label, TValue LabelStatistics::*member, const TDefault & nothing, TGetOnCpu getOnCpu) const
  {
    if (!this->HasTakenResult())
    {
      return getOnCpu();
    }
    const auto found = m_Objects.find(label);
    return found == m_Objects.end() ? static_cast<TValue>(nothing) : found->second.*member;
  }

  /** Adds what a piece has of a label. */
  void
  AddPart(LabelStatistics & object, const CudaFilters::ObjectSums & part) const
  {
    object.m_Count += static_cast<IdentifierType>(part.Count);
    object.m_Sum += part.IntensitySum;
    object.m_SumOfSquares += part.IntensitySquares;
    object.m_Minimum = std::min(object.m_Minimum, static_cast<RealType>(part.IntensityLeast));
    object.m_Maximum = std::max(object.m_Maximum, static_cast<RealType>(part.IntensityGreatest));
    for (unsigned int axis = 0; axis < TInputImage::ImageDimension && axis < 3; ++axis)
    {
      const auto       start = this->GetPieceRegion().GetIndex(axis);
      IndexValueType & first = object.m_BoundingBox[2 * axis];
      IndexValueType & last = object.m_BoundingBox[2 * axis + 1];
      first = std::min<IndexValueType>(first, start + part.Least[axis]);
      last = std::max<IndexValueType>(last, start + part.Greatest[axis]);
    }
    const auto count = static_cast<RealType>(object.m_Count);
    object.m_Mean = object.m_Sum / count;
    object.m_Variance =
      object.m_Count > 1 ? (object.m_SumOfSquares - object.m_Sum * object.m_Sum / count) / (count - 1) : 0;
    object.m_Sigma = object.m_Variance >= 0 ? std::sqrt(object.m_Variance) : 0;
  }

  std::vector<CudaFilters::LabelSums>       m_OfPiece;
  std::map<LabelPixelType, LabelStatistics> m_Objects; // of the last run in which a device took part
  ValidLabelValuesContainerType             m_Labels;
};
} // namespace itk

#endif
