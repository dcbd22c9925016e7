// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEdgeQualityCalculator_hxx
#define itkEdgeQualityCalculator_hxx

#include "itkEdgeQualityCalculator.h"
#include "itkImageRegionConstIterator.h"
#include <algorithm>

namespace itk
{
template <typename TReferenceImage, typename TImage>
void
EdgeQualityCalculator<TReferenceImage, TImage>::Compute()
{
  if (!m_ReferenceImage || !m_Image)
  {
    itkExceptionMacro("The " << (m_ReferenceImage ? "" : "reference ") << "image was not set");
  }
  const auto & region = m_ReferenceImage->GetBufferedRegion();
  if (region != m_Image->GetBufferedRegion())
  {
    itkExceptionMacro("The images have different regions: " << region << " and " << m_Image->GetBufferedRegion());
  }

  m_NumberOfCorrectPixels = 0;
  m_NumberOfMissedPixels = 0;
  m_NumberOfFalseAlarmPixels = 0;
  ImageRegionConstIterator<TReferenceImage> reference(m_ReferenceImage, region);
  ImageRegionConstIterator<TImage>          it(m_Image, region);
  for (; !it.IsAtEnd(); ++it, ++reference)
  {
    const bool isExpected = reference.Get() != typename TReferenceImage::PixelType(0);
    const bool isThere = it.Get() != typename TImage::PixelType(0);
    m_NumberOfCorrectPixels += isExpected && isThere ? 1 : 0;
    m_NumberOfMissedPixels += isExpected && !isThere ? 1 : 0;
    m_NumberOfFalseAlarmPixels += !isExpected && isThere ? 1 : 0;
  }
}

template <typename TReferenceImage, typename TImage>
double
EdgeQualityCalculator<TReferenceImage, TImage>::GetFraction(SizeValueType pixels, double ifNoEdges) const
{
  const SizeValueType most = m_NumberOfCorrectPixels + std::max(m_NumberOfMissedPixels, m_NumberOfFalseAlarmPixels);
  return most == 0 ? ifNoEdges : static_cast<double>(pixels) / static_cast<double>(most);
}

template <typename TReferenceImage, typename TImage>
double
EdgeQualityCalculator<TReferenceImage, TImage>::GetCorrectFraction() const
{
  return this->GetFraction(m_NumberOfCorrectPixels, 1.0);
}

template <typename TReferenceImage, typename TImage>
double
EdgeQualityCalculator<TReferenceImage, TImage>::GetMissedFraction() const
{
  return this->GetFraction(m_NumberOfMissedPixels, 0.0);
}

template <typename TReferenceImage, typename TImage>
double
EdgeQualityCalculator<TReferenceImage, TImage>::GetFalseAlarmFraction() const
{
  return this->GetFraction(m_NumberOfFalseAlarmPixels, 0.0);
}

template <typename TReferenceImage, typename TImage>
void
EdgeQualityCalculator<TReferenceImage, TImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  itkPrintSelfObjectMacro(ReferenceImage);
  itkPrintSelfObjectMacro(Image);
  os << indent << "NumberOfCorrectPixels: " << m_NumberOfCorrectPixels << std::endl;
  os << indent << "NumberOfMissedPixels: " << m_NumberOfMissedPixels << std::endl;
  os << indent << "NumberOfFalseAlarmPixels: " << m_NumberOfFalseAlarmPixels << std::endl;
}
} // namespace itk

#endif
