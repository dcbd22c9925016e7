// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkBinaryBallMorphologyImageFilter_hxx
#define itkBinaryBallMorphologyImageFilter_hxx

#include "itkBinaryBallMorphologyImageFilter.h"
#include "CudaFilters/detail/CommonUnit.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkMultiThreaderBase.h"
#include "itkProgressAccumulator.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"
#include <cmath>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>::SetRadius(double radius)
{
  if (!(radius >= 0.0))
  {
    itkExceptionMacro("The radius is " << radius << ": allowed are 0 and positive numbers");
  }
  if (m_Radius != radius)
  {
    m_Radius = radius;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  Superclass::EnlargeOutputRequestedRegion(output);
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputImage>
void
BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  if (auto * const input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void
BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  using MaskType = Image<unsigned char, ImageDimension>;
  using DistanceType = Image<double, ImageDimension>;
  using RegionType = typename TOutputImage::RegionType;

  this->AllocateOutputs();
  this->GetMultiThreader()->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
  const TInputImage * const input = this->GetInput();
  TOutputImage * const      output = this->GetOutput();
  const RegionType          region = output->GetRequestedRegion();
  const bool                isErosion = this->IsErosion();

  // What distances are measured from: 1.
  const auto mask = MaskType::New();
  mask->CopyInformation(input);
  // In a common unit, squared distances are whole numbers. ITK's filter rounds others according to the position.
  double unit =
    m_UseImageSpacing ? CudaFilters::FindCommonUnit(input->GetSpacing().GetDataPointer(), ImageDimension) : 1.0;
  if (m_UseImageSpacing && unit > 0.0)
  {
    auto spacing = input->GetSpacing();
    for (double & along : spacing)
    {
      along = std::round(along / unit);
    }
    mask->SetSpacing(spacing);
  }
  unit = unit > 0.0 ? unit : 1.0;
  mask->SetRegions(region);
  mask->Allocate();
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      ImageRegionConstIterator<TInputImage> from(input, part);
      for (ImageRegionIterator<MaskType> to(mask, part); !to.IsAtEnd(); ++to, ++from)
      {
        to.Set((from.Get() == m_ForegroundValue) != isErosion ? 1 : 0);
      }
    },
    nullptr);

  const auto progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);
  const auto distance = SignedMaurerDistanceMapImageFilter<MaskType, DistanceType>::New();
  distance->SetInput(mask);
  distance->SetUseImageSpacing(m_UseImageSpacing);
  distance->SquaredDistanceOn();
  distance->InsideIsPositiveOff();
  distance->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
  progress->RegisterInternalFilter(distance, 0.9f);
  distance->Update();

  const DistanceType * const distances = distance->GetOutput();
  // The largest number stands for: there is nothing to measure from.
  const double          none = NumericTraits<double>::max();
  const double          largest = this->GetLargestSquaredDistance() / (unit * unit);
  const OutputPixelType newValue = this->GetNewValue();
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      ImageRegionConstIterator<TInputImage>  from(input, part);
      ImageRegionConstIterator<MaskType>     start(mask, part);
      ImageRegionConstIterator<DistanceType> it(distances, part);
      for (ImageRegionIterator<TOutputImage> to(output, part); !to.IsAtEnd(); ++to, ++from, ++start, ++it)
      {
        const bool isInBall = start.Get() == 0 && it.Get() <= largest && it.Get() < none;
        to.Set(isInBall ? newValue : static_cast<OutputPixelType>(from.Get()));
      }
    },
    nullptr);
}

template <typename TInputImage, typename TOutputImage>
void
BinaryBallMorphologyImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Radius: " << m_Radius << std::endl;
  os << indent
     << "ForegroundValue: " << static_cast<typename NumericTraits<InputPixelType>::PrintType>(m_ForegroundValue)
     << std::endl;
  os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
