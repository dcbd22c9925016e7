// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTextFunctionImageFilter_h
#define itkCudaTextFunctionImageFilter_h

#include "itkCudaAcceleratedImageFilter.h"
#include "itkTextFunctionImageFilter.h"

namespace itk
{
/** \class CudaTextFunctionImageFilter
 * \brief Computes each pixel by a function that is given as a text, on a CUDA device.
 *
 * NVRTC, the CUDA Toolkit's compiler at run time, compiles the text when the filter first runs. TextFunctionImageFilter
 * says what the text may be, and computes it where there is no device, or no NVRTC. Results are equal, but for the last
 * bits of functions such as exp.
 *
 * \code
 * auto filter = itk::CudaTextFunctionImageFilter<ImageType, MaskType>::New();
 * filter->SetInput(image);
 * filter->SetText("x > t ? 255 : 0");
 * filter->SetRealParameter("t", 127.0);
 * \endcode
 *
 * \sa TextFunctionImageFilter, CudaUnaryFunctorImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaTextFunctionImageFilter
  : public CudaAcceleratedImageFilter<TextFunctionImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaTextFunctionImageFilter,
                     CudaAcceleratedImageFilter<TextFunctionImageFilter<TInputImage, TOutputImage>>);

protected:
  CudaTextFunctionImageFilter() = default;
  ~CudaTextFunctionImageFilter() override = default;

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    for (unsigned int i = 0; i < this->GetNumberOfIndexedInputs(); ++i)
    {
      images.AddInput(this->GetInput(i));
    }
    images.AddOutput(this->GetOutput());
  }

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::GetScalarType<typename TInputImage::PixelType>() != CudaFilters::ScalarType::Other &&
           CudaFilters::GetScalarType<typename TOutputImage::PixelType>() != CudaFilters::ScalarType::Other;
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    return CudaFilters::MakeTextFunctionOperation(this->MakeTextFunction());
  }
};
} // namespace itk

#endif
