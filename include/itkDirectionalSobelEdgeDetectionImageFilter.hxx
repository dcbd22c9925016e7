// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDirectionalSobelEdgeDetectionImageFilter_hxx
#define itkDirectionalSobelEdgeDetectionImageFilter_hxx

#include "itkDirectionalSobelEdgeDetectionImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkNeighborhoodOperatorImageFilter.h"
#include "itkSobelOperator.h"
#include <cmath>

namespace itk
{
namespace CudaFilters
{
/** From ITK 6 on, the filter and the operator have an option for 3-D coefficients that differ from those of earlier
 * versions. These overloads let the code compile with both. */
template <typename TFilter>
auto
HasLegacyCoefficients(const TFilter & filter, int) -> decltype(filter.GetUseLegacyOperatorCoefficients())
{
  return filter.GetUseLegacyOperatorCoefficients();
}
template <typename TFilter>
bool
HasLegacyCoefficients(const TFilter &, long)
{
  return true;
}
template <typename TOperator>
auto
SetLegacyCoefficients(TOperator & derivative, bool isLegacy, int) -> decltype(derivative.SetUseLegacyCoefficients(true))
{
  return derivative.SetUseLegacyCoefficients(isLegacy);
}
template <typename TOperator>
void
SetLegacyCoefficients(TOperator &, bool, long)
{}
} // namespace CudaFilters

template <typename TInputImage, typename TOutputImage>
void
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::SetComputeDirection(bool compute)
{
  if (m_ComputeDirection == compute)
  {
    return;
  }
  m_ComputeDirection = compute;
  for (unsigned int i = 1; i <= NumberOfAngles; ++i)
  {
    // The output objects are reused, so that downstream filters stay connected to them.
    DataObject::Pointer & angle = m_Angles[i - 1];
    angle = angle || !compute ? angle : this->MakeOutput(i);
    this->SetNthOutput(i, compute ? angle.GetPointer() : nullptr);
  }
  if (!compute)
  {
    this->SetNumberOfIndexedOutputs(1);
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
DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>::GetElevationOutput() -> OutputImageType *
{
  return m_ComputeDirection && NumberOfAngles > 1 ? this->GetOutput(2) : nullptr;
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

  // The requested region of the first output applies to all outputs.
  const RegionType region = this->GetOutput()->GetRequestedRegion();
  const auto       input = TInputImage::New();
  input->Graft(const_cast<TInputImage *>(this->GetInput()));
  std::array<typename OutputImageType::Pointer, ImageDimension> gradient;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    SobelOperator<OutputPixelType, ImageDimension> derivative;
    derivative.SetDirection(axis);
    CudaFilters::SetLegacyCoefficients(derivative, CudaFilters::HasLegacyCoefficients(*this, 0), 0);
    derivative.CreateDirectional();
    const auto filter = DerivativeFilter::New();
    filter->SetOperator(derivative);
    filter->SetInput(input);
    filter->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    filter->GetOutput()->SetRequestedRegion(region);
    filter->Update();
    gradient[axis] = filter->GetOutput();
  }

  for (unsigned int i = 1; i <= NumberOfAngles; ++i)
  {
    this->GetOutput(i)->SetBufferedRegion(region);
    this->GetOutput(i)->Allocate();
  }
  this->GetMultiThreader()->template ParallelizeImageRegion<ImageDimension>(
    region,
    [&](const RegionType & part) {
      std::array<ImageRegionConstIterator<OutputImageType>, NumberOfAngles + 1> from;
      std::array<ImageRegionIterator<OutputImageType>, NumberOfAngles>          to;
      for (unsigned int axis = 0; axis <= NumberOfAngles; ++axis)
      {
        from[axis] = ImageRegionConstIterator<OutputImageType>(gradient[axis], part);
      }
      for (unsigned int i = 0; i < NumberOfAngles; ++i)
      {
        to[i] = ImageRegionIterator<OutputImageType>(this->GetOutput(i + 1), part);
      }
      while (!to[0].IsAtEnd())
      {
        const auto x = static_cast<double>(from[0].Get());
        const auto y = static_cast<double>(from[1].Get());
        to[0].Set(static_cast<OutputPixelType>(std::atan2(y, x)));
        if constexpr (NumberOfAngles > 1)
        {
          const auto z = static_cast<double>(from[2].Get());
          to[1].Set(static_cast<OutputPixelType>(std::atan2(z, std::hypot(x, y))));
        }
        for (auto & it : from)
        {
          ++it;
        }
        for (auto & it : to)
        {
          ++it;
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
