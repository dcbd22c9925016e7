// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkLabelMeasurementImageFilter_hxx
#define itkLabelMeasurementImageFilter_hxx

#include "itkLabelMeasurementImageFilter.h"
#include "itkImageScanlineIterator.h"
#include "itkMath.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace itk
{
template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::VerifyInputInformation() const
{
  Superclass::VerifyInputInformation();
  const RegionType region = this->GetInput()->GetLargestPossibleRegion();
  if (this->GetIntensityImage() != nullptr && this->GetIntensityImage()->GetLargestPossibleRegion() != region)
  {
    itkExceptionMacro(<< "The image of intensities has another region than the label image: "
                      << this->GetIntensityImage()->GetLargestPossibleRegion() << " instead of " << region);
  }
  for (unsigned int i = 0; i < ImageDimension; ++i)
  {
    if (region.GetSize(i) > static_cast<SizeValueType>(NumericTraits<std::int32_t>::max()))
    {
      itkExceptionMacro(<< "The image has more than 2^31 - 1 pixels along axis " << i << '.');
    }
  }
}

template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  for (const auto & name : this->GetInputNames())
  {
    if (DataObject * const input = this->ProcessObject::GetInput(name))
    {
      input->SetRequestedRegionToLargestPossibleRegion();
    }
  }
}

template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  Superclass::EnlargeOutputRequestedRegion(output);
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::GenerateData()
{
  const TLabelImage * const     labels = this->GetInput();
  const TIntensityImage * const intensities = this->GetIntensityImage();
  const RegionType              region = labels->GetLargestPossibleRegion();
  std::mutex                    mutex;
  if (intensities != nullptr && !intensities->GetBufferedRegion().IsInside(region))
  {
    itkExceptionMacro(<< "The buffer of the image of intensities does not hold all of the image: "
                      << intensities->GetBufferedRegion() << " instead of " << region);
  }

  // Parts are added in the order of the image, so that sums do not depend on which thread was faster.
  using ObjectMap = std::unordered_map<LabelType, CudaFilters::ObjectSums>;
  std::map<OffsetValueType, ObjectMap> parts;
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      ObjectMap                               mine;
      ImageScanlineConstIterator<TLabelImage> it(labels, part);
      for (; !it.IsAtEnd(); it.NextLine())
      {
        const auto   index = it.GetIndex();
        std::int32_t position[3] = { 0, 0, 0 };
        for (unsigned int i = 0; i < ImageDimension; ++i)
        {
          position[i] = static_cast<std::int32_t>(index[i] - region.GetIndex(i));
        }
        auto pixel = index;
        while (!it.IsAtEndOfLine())
        {
          const LabelType    label = it.Get();
          const std::int32_t first = position[0];
          for (; !it.IsAtEndOfLine() && it.Get() == label; ++it)
          {
            ++position[0];
          }
          if (label != m_BackgroundValue)
          {
            CudaFilters::ObjectSums & sums = mine[label];
            sums.AddRun(first, position[1], position[2], position[0] - first);
            for (std::int32_t x = first; intensities != nullptr && x < position[0]; ++x)
            {
              pixel[0] = region.GetIndex(0) + x;
              sums.AddIntensity(static_cast<double>(intensities->GetPixel(pixel)));
            }
          }
        }
      }
      const std::lock_guard<std::mutex> lock(mutex);
      parts[labels->ComputeOffset(part.GetIndex())] = std::move(mine);
    },
    this);

  ObjectMap all;
  for (auto & part : parts)
  {
    for (const auto & object : part.second)
    {
      all[object.first] += object.second;
    }
    ObjectMap().swap(part.second);
  }
  std::vector<CudaFilters::LabelSums> objects;
  objects.reserve(all.size());
  for (const auto & object : all)
  {
    objects.push_back({ static_cast<std::uint64_t>(object.first), object.second });
  }
  this->MakeTable(std::move(objects));
  this->GraftOutput(const_cast<TLabelImage *>(labels));
}

template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::MakeTable(std::vector<CudaFilters::LabelSums> objects)
{
  const auto getLabel = [](const CudaFilters::LabelSums & object) { return static_cast<LabelType>(object.Label); };
  std::sort(objects.begin(), objects.end(), [&](const auto & a, const auto & b) { return getLabel(a) < getLabel(b); });
  std::vector<double> labels;
  labels.reserve(objects.size());
  for (const CudaFilters::LabelSums & object : objects)
  {
    labels.push_back(static_cast<double>(getLabel(object)));
    if (std::abs(labels.back()) > 9007199254740992.0)
    {
      itkExceptionMacro(<< "The image has labels beyond 2^53, which the table cannot tell apart: " << getLabel(object));
    }
  }
  const TLabelImage & image = *this->GetInput();
  m_Table = CudaFilters::MakeMeasurementTable(
    objects,
    labels,
    CudaFilters::GetGeometry<ImageDimension>(image, image.GetLargestPossibleRegion().GetIndex()),
    this->GetIntensityImage() != nullptr);
}

template <typename TLabelImage, typename TIntensityImage>
void
LabelMeasurementImageFilter<TLabelImage, TIntensityImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "BackgroundValue: " << static_cast<typename NumericTraits<LabelType>::PrintType>(m_BackgroundValue)
     << std::endl;
  os << indent << "Table: " << std::endl;
  m_Table->Print(os, indent.GetNextIndent());
}
} // namespace itk

#endif
