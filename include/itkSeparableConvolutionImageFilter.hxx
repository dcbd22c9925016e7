// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkSeparableConvolutionImageFilter_hxx
#define itkSeparableConvolutionImageFilter_hxx

#include "itkSeparableConvolutionImageFilter.h"
#include "itkCastImageFilter.h"
#include "itkNeighborhoodOperatorImageFilter.h"
#include "itkProgressAccumulator.h"
#include <algorithm>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::SetMask(unsigned int axis, const MaskType & mask)
{
  if (axis >= ImageDimension)
  {
    itkExceptionMacro("There is no axis " << axis << ": allowed are 0 to " << ImageDimension - 1);
  }
  if (!mask.empty() && mask.size() % 2 == 0)
  {
    itkExceptionMacro("The mask for axis " << axis << " has " << mask.size()
                                           << " weights: allowed are odd numbers of weights, or none");
  }
  if (m_Masks[axis] != mask)
  {
    m_Masks[axis] = mask;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::SetMask(const MaskType & mask)
{
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    this->SetMask(axis, mask);
  }
}

template <typename TInputImage, typename TOutputImage>
auto
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::GetMask(unsigned int axis) const -> const MaskType &
{
  if (axis >= ImageDimension)
  {
    itkExceptionMacro("There is no axis " << axis << ": allowed are 0 to " << ImageDimension - 1);
  }
  return m_Masks[axis];
}

template <typename TInputImage, typename TOutputImage>
void
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();

  auto * const input = const_cast<TInputImage *>(this->GetInput());
  if (input == nullptr)
  {
    return;
  }
  typename TInputImage::SizeType radius;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    radius[axis] = m_Masks[axis].size() / 2;
  }
  auto region = input->GetRequestedRegion();
  region.PadByRadius(radius);
  const bool isInside = region.Crop(input->GetLargestPossibleRegion());
  input->SetRequestedRegion(region);
  if (!isInside)
  {
    InvalidRequestedRegionError error(__FILE__, __LINE__);
    error.SetLocation(ITK_LOCATION);
    error.SetDescription("Requested region is (at least partially) outside the largest possible region.");
    error.SetDataObject(input);
    throw error;
  }
}

template <typename TInputImage, typename TOutputImage>
void
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  using RealImageType = Image<RealPixelType, ImageDimension>;
  using OperatorType = Neighborhood<RealValueType, ImageDimension>;
  using FirstFilterType = NeighborhoodOperatorImageFilter<TInputImage, RealImageType, RealValueType>;
  using NextFilterType = NeighborhoodOperatorImageFilter<RealImageType, RealImageType, RealValueType>;
  using CastInputType = CastImageFilter<TInputImage, RealImageType>;
  using CastOutputType = CastImageFilter<RealImageType, TOutputImage>;

  this->AllocateOutputs();

  // The mini-pipeline modifies the requested region of its input; grafting protects that of the caller's image.
  const auto input = TInputImage::New();
  input->Graft(const_cast<TInputImage *>(this->GetInput()));

  const auto progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);
  const auto numberOfPasses =
    std::count_if(m_Masks.begin(), m_Masks.end(), [](const MaskType & mask) { return !mask.empty(); });
  const float weight = 1.0f / (numberOfPasses + 1);

  std::vector<ProcessObject::Pointer> filters;
  typename RealImageType::Pointer     image;
  for (unsigned int i = 0; i < ImageDimension; ++i)
  {
    const unsigned int axis = ImageDimension - 1 - i;
    const MaskType &   mask = m_Masks[axis];
    if (mask.empty())
    {
      continue;
    }
    typename OperatorType::RadiusType radius;
    radius.Fill(0);
    radius[axis] = mask.size() / 2;
    OperatorType neighborhood;
    neighborhood.SetRadius(radius);
    std::transform(
      mask.begin(), mask.end(), neighborhood.Begin(), [](double value) { return static_cast<RealValueType>(value); });

    const auto append = [&](auto filter, auto * from) {
      filter->SetInput(from);
      filter->SetOperator(neighborhood);
      filter->ReleaseDataFlagOn();
      progress->RegisterInternalFilter(filter, weight);
      filters.push_back(filter.GetPointer());
      image = filter->GetOutput();
    };
    if (image.IsNull())
    {
      append(FirstFilterType::New(), input.GetPointer());
    }
    else
    {
      append(NextFilterType::New(), image.GetPointer());
    }
  }
  if (image.IsNull())
  {
    const auto cast = CastInputType::New();
    cast->SetInput(input);
    cast->InPlaceOff();
    filters.push_back(cast.GetPointer());
    image = cast->GetOutput();
  }

  const auto cast = CastOutputType::New();
  cast->SetInput(image);
  cast->InPlaceOff();
  progress->RegisterInternalFilter(cast, weight);
  cast->GraftOutput(this->GetOutput());
  cast->Update();
  this->GraftOutput(cast->GetOutput());
}

template <typename TInputImage, typename TOutputImage>
void
SeparableConvolutionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    os << indent << "Mask of axis " << axis << ':';
    for (const double weight : m_Masks[axis])
    {
      os << ' ' << weight;
    }
    os << std::endl;
  }
}
} // namespace itk

#endif
