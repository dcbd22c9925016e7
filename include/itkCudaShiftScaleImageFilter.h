// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaShiftScaleImageFilter_h
#define itkCudaShiftScaleImageFilter_h

#include "CudaFilters/detail/StatisticsOperation.h"
#include "CudaFilters/detail/TwoPassOperation.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include "itkShiftScaleImageFilter.h"

namespace itk
{
/** \class CudaShiftScaleImageFilter
 * \brief Adds a number to all pixels, and multiplies them by another, on a CUDA device.
 *
 * Parameters and results are those of ShiftScaleImageFilter, pixel by pixel, with the numbers of pixels that were
 * clamped to the range of the output.
 *
 * \sa ShiftScaleImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaShiftScaleImageFilter
  : public CudaPixelFunctionImageFilter<ShiftScaleImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaShiftScaleImageFilter,
                     CudaPixelFunctionImageFilter<ShiftScaleImageFilter<TInputImage, TOutputImage>, TInputImage>);

  /** As in the superclass: of the last run. */
  /**@{*/
  SizeValueType
  GetUnderflowCount() const override
  {
    return this->GetExecutedOnDevice() ? static_cast<SizeValueType>(m_Counts.Below) : Superclass::GetUnderflowCount();
  }
  SizeValueType
  GetOverflowCount() const override
  {
    return this->GetExecutedOnDevice() ? static_cast<SizeValueType>(m_Counts.Above) : Superclass::GetOverflowCount();
  }
  /**@}*/

protected:
  CudaShiftScaleImageFilter() = default;
  ~CudaShiftScaleImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    using OutputPixelType = typename TOutputImage::PixelType;
    m_Parameters.Shift = this->GetShift();
    m_Parameters.Scale = this->GetScale();
    m_Parameters.Lower = static_cast<double>(NumericTraits<OutputPixelType>::NonpositiveMin());
    m_Parameters.Upper = static_cast<double>(NumericTraits<OutputPixelType>::max());
    const auto * const output = static_cast<const TOutputImage *>(this->ProcessObject::GetOutput(0));
    return CudaFilters::MakeTwoPassOperation(
      CudaFilters::MakeOutOfRangeOperation(CudaFilters::GetScalarType<typename TInputImage::PixelType>(),
                                           CudaFilters::GetRegion3(output->GetRequestedRegion()),
                                           m_Parameters,
                                           m_Counts),
      [this] { return CudaFilters::MakePixelFunctionOperation(this->MakeParameters()); });
  }

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::ShiftScale;
    parameters.Shift = m_Parameters.Shift;
    parameters.Scale = m_Parameters.Scale;
    parameters.OutputLower = m_Parameters.Lower;
    parameters.OutputUpper = m_Parameters.Upper;
  }

private:
  CudaFilters::ShiftAndScale    m_Parameters;
  CudaFilters::OutOfRangeCounts m_Counts;
};
} // namespace itk

#endif
