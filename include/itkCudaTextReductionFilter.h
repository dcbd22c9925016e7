// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTextReductionFilter_h
#define itkCudaTextReductionFilter_h

#include "itkCudaAcceleratedImageSink.h"
#include "itkTextReductionFilter.h"

namespace itk
{
/** \class CudaTextReductionFilter
 * \brief Reduces all pixels of an image to one number by functions that are given as texts, on a CUDA device.
 *
 * NVRTC compiles the texts. TextReductionFilter says what they may be, and computes where there is no device, or no
 * NVRTC. Results are equal, but for the last bits of functions such as exp.
 *
 * \code
 * auto filter = itk::CudaTextReductionFilter<ImageType>::New();
 * filter->SetInput(image);
 * filter->SetText("x > t ? x : 0");
 * filter->SetRealParameter("t", 127.0);
 * filter->SetCombination("max(a, b)");
 * filter->Update();
 * std::cout << filter->GetResult() << std::endl;
 * \endcode
 *
 * \sa TextReductionFilter, CudaImageReductionFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaTextReductionFilter : public CudaAcceleratedImageSink<TextReductionFilter<TInputImage>>
{
public:
  itkCudaFilterMacro(CudaTextReductionFilter, CudaAcceleratedImageSink<TextReductionFilter<TInputImage>>);

protected:
  CudaTextReductionFilter() = default;
  ~CudaTextReductionFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::GetScalarType<typename TInputImage::PixelType>() != CudaFilters::ScalarType::Other;
  }

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    return CudaFilters::MakeTextReductionOperation(this->MakeTextFunction(), this->GetIdentity(), region, m_OfPiece);
  }

  void
  ReduceOnHost(const typename TInputImage::RegionType & region) override
  {
    m_OfPiece = this->Reduce(region);
  }

  void
  TakeResult(bool) override
  {
    this->SetResult(m_OfPiece);
  }

private:
  double m_OfPiece = 0.0;
};
} // namespace itk

#endif
