// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkNeighborhoodFunctorImageFilter_hxx
#define itkNeighborhoodFunctorImageFilter_hxx

#include "itkImageRegionIteratorWithIndex.h"
#include "itkNeighborhoodFunctorImageFilter.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace itk
{
namespace CudaFilters
{
/** The neighbours of a pixel in the buffer of an image on the CPU. */
template <typename TImage>
class HostNeighborhood
{
public:
  HostNeighborhood(const TImage & image, const typename TImage::SizeType & radius)
    : m_Image(image)
    , m_Radius(radius)
  {}

  void
  SetCenter(const typename TImage::IndexType & index)
  {
    m_Center = index;
  }

  /** The index of the pixel along an axis; 0 along z in 2-D. */
  std::int64_t
  GetIndex(int axis) const
  {
    return axis < static_cast<int>(TImage::ImageDimension) ? m_Center[axis] : 0;
  }

  auto
  operator()(int x, int y, int z = 0) const
  {
    const int                  offsets[] = { x, y, z };
    typename TImage::IndexType index = m_Center;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      if (std::abs(offsets[axis]) > (axis < TImage::ImageDimension ? static_cast<int>(m_Radius[axis]) : 0))
      {
        itkGenericExceptionMacro("The functor reads a neighbour at offset ("
                                 << x << ", " << y << ", " << z << "), beyond the radius " << m_Radius << ".");
      }
      if (axis < TImage::ImageDimension)
      {
        const auto & region = m_Image.GetBufferedRegion();
        index[axis] =
          std::clamp<IndexValueType>(index[axis] + offsets[axis], region.GetIndex(axis), region.GetUpperIndex()[axis]);
      }
    }
    return ToFunctorPixel(m_Image.GetBufferPointer()[m_Image.ComputeOffset(index)]);
  }

private:
  const TImage &             m_Image;
  typename TImage::SizeType  m_Radius;
  typename TImage::IndexType m_Center{};
};
} // namespace CudaFilters

template <typename TInputImage, typename TOutputImage, typename TFunction>
void
NeighborhoodFunctorImageFilter<TInputImage, TOutputImage, TFunction>::DynamicThreadedGenerateData(
  const OutputRegionType & region)
{
  CudaFilters::HostNeighborhood<TInputImage> neighbours(*this->GetInput(), this->GetRadius());
  for (ImageRegionIteratorWithIndex<TOutputImage> it(this->GetOutput(), region); !it.IsAtEnd(); ++it)
  {
    neighbours.SetCenter(it.GetIndex());
    it.Set(CudaFilters::ToItkPixel<typename TOutputImage::PixelType>(m_Functor(neighbours)));
  }
}
} // namespace itk

#endif
