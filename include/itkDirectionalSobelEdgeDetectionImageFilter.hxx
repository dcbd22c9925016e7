// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDirectionalSobelEdgeDetectionImageFilter_hxx
#define itkDirectionalSobelEdgeDetectionImageFilter_hxx

#include "itkDirectionalSobelEdgeDetectionImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkNeighborhoodOperatorImageFilter.h"
#include "itkSobelOperator.h"
#include <array>
#include <cmath>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::SetComputeDirection(bool compute)
{
  if (m_ComputeDirection == compute)
  {
    return;
  }
  m_ComputeDirection = compute;
  // The magnitude, and all angles but one axis's.
  const unsigned int outputs = compute ? ImageDimension : 1;
  this->SetNumberOfIndexedOutputs(outputs);
  for (unsigned int i = 1; i < outputs; ++i)
  {
    this->SetNthOutput(i, this->MakeOutput(i));
  }
  this->Modified();
}

template <typename TInputImage, typename TOutputImage>
auto
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetDirectionOutput() -> OutputImageType *
{
  return m_ComputeDirection ? this->GetOutput(1) : nullptr;
}

template <typename TInputImage, typename TOutputImage>
auto
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetDirectionOutput() const
  -> const OutputImageType *
{
  return m_ComputeDirection ? this->GetOutput(1) : nullptr;
}

template <typename TInputImage, typename TOutputImage>
auto
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetElevationOutput() -> OutputImageType *
{
  return m_ComputeDirection && ImageDimension > 2 ? this->GetOutput(2) : nullptr;
}

template <typename TInputImage, typename TOutputImage>
auto
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetElevationOutput() const
  -> const OutputImageType *
{
  return m_ComputeDirection && ImageDimension > 2 ? this->GetOutput(2) : nullptr;
}

template <typename TInputImage, typename TOutputImage>
void
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  Superclass::GenerateData();
  if (m_ComputeDirection)
  {
    this->GenerateDirection();
  }
}

template <typename TInputImage, typename TOutputImage>
void
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GenerateDirection()
{
  using RegionType = typename OutputImageType::RegionType;
  using DerivativeFilter = NeighborhoodOperatorImageFilter<TInputImage, TOutputImage>;

  // The first output tells which region is wanted.
  const RegionType region = this->GetOutput()->GetRequestedRegion();
  const auto       input = TInputImage::New();
  input->Graft(const_cast<TInputImage *>(this->GetInput()));
  std::array<typename OutputImageType::Pointer, ImageDimension> gradient;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    SobelOperator<OutputPixelType, ImageDimension> derivative;
    derivative.SetDirection(axis);
    derivative.CreateDirectional();
    const auto filter = DerivativeFilter::New();
    filter->SetOperator(derivative);
    filter->SetInput(input);
    filter->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    filter->GetOutput()->SetRequestedRegion(region);
    filter->Update();
    gradient[axis] = filter->GetOutput();
  }

  for (unsigned int i = 1; i < ImageDimension; ++i)
  {
    this->GetOutput(i)->SetBufferedRegion(region);
    this->GetOutput(i)->Allocate();
  }
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      std::array<ImageRegionConstIterator<OutputImageType>, ImageDimension> from;
      std::array<ImageRegionIterator<OutputImageType>, ImageDimension>      to; // the first is not used
      for (unsigned int axis = 0; axis < ImageDimension; ++axis)
      {
        from[axis] = ImageRegionConstIterator<OutputImageType>(gradient[axis], part);
        to[axis] = ImageRegionIterator<OutputImageType>(this->GetOutput(axis), part);
      }
      for (; !from[0].IsAtEnd();)
      {
        const auto x = static_cast<double>(from[0].Get());
        const auto y = static_cast<double>(from[1].Get());
        to[1].Set(static_cast<OutputPixelType>(std::atan2(y, x)));
        if constexpr (ImageDimension > 2)
        {
          const auto z = static_cast<double>(from[2].Get());
          to[2].Set(static_cast<OutputPixelType>(std::atan2(z, std::hypot(x, y))));
        }
        for (unsigned int axis = 0; axis < ImageDimension; ++axis)
        {
          ++from[axis];
          ++to[axis];
        }
      }
    },
    nullptr);
}

template <typename TInputImage, typename TOutputImage>
void
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "ComputeDirection: " << (m_ComputeDirection ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
