// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaOtsuThresholdImageFilter_h
#define itkCudaOtsuThresholdImageFilter_h

#include "itkCudaImageToHistogramFilter.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include "itkOtsuThresholdImageFilter.h"
#include <string>

namespace itk
{
/** \class CudaOtsuThresholdImageFilter
 * \brief Separates the pixels of an image into two classes by Otsu's threshold on a CUDA device.
 *
 * Parameters and results are those of OtsuThresholdImageFilter: the histogram and the mask of pixels are computed on
 * the device, the threshold from the histogram on the CPU. With a mask image, the filter runs on the CPU.
 *
 * \code
 * auto otsu = itk::CudaOtsuThresholdImageFilter<ImageType, MaskType>::New();
 * otsu->SetInput(image);
 * otsu->SetInsideValue(0);
 * otsu->SetOutsideValue(255);
 * otsu->Update();
 * std::cout << otsu->GetThreshold() << std::endl;
 * \endcode
 *
 * \sa OtsuThresholdImageFilter, CudaImageToHistogramFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TMaskImage = TOutputImage>
class ITK_TEMPLATE_EXPORT CudaOtsuThresholdImageFilter
  : public CudaPixelFunctionImageFilter<OtsuThresholdImageFilter<TInputImage, TOutputImage, TMaskImage>, TInputImage>
{
public:
  itkCudaFilterMacro(
    CudaOtsuThresholdImageFilter,
    CudaPixelFunctionImageFilter<OtsuThresholdImageFilter<TInputImage, TOutputImage, TMaskImage>, TInputImage>);

  using InputPixelType = typename TInputImage::PixelType;
  using typename Superclass::CalculatorType;
  using typename Superclass::HistogramType;

  /** As in the superclass: of the last run. */
  InputPixelType
  GetThreshold() const override
  {
    return this->GetExecutedOnDevice() ? m_Threshold : Superclass::GetThreshold();
  }

protected:
  CudaOtsuThresholdImageFilter() = default;
  ~CudaOtsuThresholdImageFilter() override = default;

  std::string
  GetUnsupportedReason() const override
  {
    return this->GetMaskImage() != nullptr ? "there are no kernels for histograms of masked images"
                                           : Superclass::GetUnsupportedReason();
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    using HistogramFilter = Statistics::CudaImageToHistogramFilter<TInputImage>;

    const auto                       filter = HistogramFilter::New();
    typename HistogramType::SizeType size(1);
    size.Fill(this->GetNumberOfHistogramBins());
    filter->SetInput(this->GetInput());
    filter->SetHistogramSize(size);
    filter->SetAutoMinimumMaximum(this->GetAutoMinimumMaximum());
    return CudaFilters::MakeTwoPassOperation(
      filter->MakeHistogramOperation(CudaFilters::GetRegion3(this->GetInput()->GetLargestPossibleRegion())),
      [this, filter] {
        filter->AddCounts(true);
        this->ComputeThreshold(filter->GetOutput());
        return CudaFilters::MakePixelFunctionOperation(this->MakeParameters());
      });
  }

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::BinaryThreshold;
    parameters.Lower = static_cast<double>(NumericTraits<InputPixelType>::NonpositiveMin());
    parameters.Upper = CudaFilters::ToDouble(m_Threshold);
    parameters.Inside = CudaFilters::ToDouble(this->GetInsideValue());
    parameters.Outside = CudaFilters::ToDouble(this->GetOutsideValue());
  }

private:
  void
  ComputeThreshold(HistogramType * histogram)
  {
    // An update must not run the filter of the histogram.
    const auto copy = HistogramType::New();
    copy->Graft(histogram);
    auto * const calculator = static_cast<CalculatorType *>(this->GetModifiableCalculator());
    calculator->SetReturnBinMidpoint(this->GetReturnBinMidpoint());
    calculator->SetInput(copy);
    calculator->Update();
    m_Threshold = calculator->GetThreshold();
    calculator->SetInput(nullptr);
  }

  InputPixelType m_Threshold{};
};
} // namespace itk

#endif
