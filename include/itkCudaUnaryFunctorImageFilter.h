// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaUnaryFunctorImageFilter_h
#define itkCudaUnaryFunctorImageFilter_h

#include "itkCudaFunctorBaseImageFilter.h"
#include "itkUnaryFunctorImageFilter.h"

namespace itk
{
namespace CudaFilters
{
/** The base class of the filter below. */
template <typename TInputImage, typename TOutputImage, typename TFunction>
using UnaryFunctorBase = CudaFunctorBaseImageFilter<
  UnaryFunctorImageFilter<TInputImage,
                          TOutputImage,
                          FunctorForItk<TFunction, typename TOutputImage::PixelType, typename TInputImage::PixelType>>,
  TFunction,
  TInputImage>;
} // namespace CudaFilters

/** \class CudaUnaryFunctorImageFilter
 * \brief Computes each pixel by a functor of one's own from the pixel of the input at the same place, on a CUDA device.
 *
 * The functor is a trivially copyable class with an operator ==, whose operator() the CPU and the device can execute:
 *
 * \code
 * struct Brighten // in Brighten.h
 * {
 *   float Factor = 1.0f;
 *
 *   CUDAFILTERS_HOST_DEVICE float operator()(unsigned char pixel) const { return sqrtf(pixel / 255.0f) * Factor; }
 *   bool operator==(const Brighten & other) const { return Factor == other.Factor; }
 * };
 *
 * CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(Brighten, float, unsigned char); // in Brighten.cu
 *
 * auto filter = itk::CudaUnaryFunctorImageFilter<InputImageType, OutputImageType, Brighten>::New();
 * filter->SetFunctor({ 2.2f });
 * \endcode
 *
 * A functor whose last argument is a CudaFilters::PixelPosition gets the place of the pixel. Pixels of several
 * components, such as itk::RGBPixel, reach the functor as CudaFilters::PixelArray. Where there is no device, the same
 * functor is called on the CPU. Documentation/PixelFunctions.md shows a complete project.
 *
 * \sa UnaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TFunction>
class ITK_TEMPLATE_EXPORT CudaUnaryFunctorImageFilter
  : public CudaFilters::UnaryFunctorBase<TInputImage, TOutputImage, TFunction>
{
public:
  itkCudaFilterMacro(CudaUnaryFunctorImageFilter, CudaFilters::UnaryFunctorBase<TInputImage, TOutputImage, TFunction>);

protected:
  CudaUnaryFunctorImageFilter() = default;
  ~CudaUnaryFunctorImageFilter() override = default;
};
} // namespace itk

#endif
