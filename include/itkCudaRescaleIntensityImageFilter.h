// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRescaleIntensityImageFilter_h
#define itkCudaRescaleIntensityImageFilter_h

#include "CudaFilters/detail/StatisticsOperation.h"
#include "CudaFilters/detail/TwoPassOperation.h"
#include "itkCudaPixelFunctionImageFilter.h"
#include "itkRescaleIntensityImageFilter.h"

namespace itk
{
/** \class CudaRescaleIntensityImageFilter
 * \brief Maps the range of the pixels of an image linearly to another range on a CUDA device.
 *
 * Parameters and results are those of RescaleIntensityImageFilter, pixel by pixel. Minimum and maximum of the image are
 * found on the device, too.
 *
 * \sa RescaleIntensityImageFilter, CudaIntensityWindowingImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaRescaleIntensityImageFilter
  : public CudaPixelFunctionImageFilter<RescaleIntensityImageFilter<TInputImage, TOutputImage>, TInputImage>
{
public:
  itkCudaFilterMacro(CudaRescaleIntensityImageFilter,
                     CudaPixelFunctionImageFilter<RescaleIntensityImageFilter<TInputImage, TOutputImage>, TInputImage>);

  using typename Superclass::InputPixelType;
  using typename Superclass::RealType;

  /** As in the superclass: of the last run. */
  /**@{*/
  const RealType &
  GetScale() const override
  {
    return this->GetExecutedOnDevice() ? m_Scale : Superclass::GetScale();
  }
  const RealType &
  GetShift() const override
  {
    return this->GetExecutedOnDevice() ? m_Shift : Superclass::GetShift();
  }
  const InputPixelType &
  GetInputMinimum() const override
  {
    return this->GetExecutedOnDevice() ? m_Minimum : Superclass::GetInputMinimum();
  }
  const InputPixelType &
  GetInputMaximum() const override
  {
    return this->GetExecutedOnDevice() ? m_Maximum : Superclass::GetInputMaximum();
  }
  /**@}*/

protected:
  CudaRescaleIntensityImageFilter() = default;
  ~CudaRescaleIntensityImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    if (this->GetOutputMinimum() > this->GetOutputMaximum())
    {
      itkExceptionMacro(<< "Minimum output value cannot be greater than Maximum output value.");
    }
    return CudaFilters::MakeTwoPassOperation(
      CudaFilters::MakeMinimumMaximumOperation(CudaFilters::GetScalarType<InputPixelType>(),
                                               CudaFilters::GetRegion3(this->GetInput()->GetRequestedRegion()),
                                               m_Range),
      [this] {
        this->ComputeScale();
        return CudaFilters::MakePixelFunctionOperation(this->MakeParameters());
      });
  }

  void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const override
  {
    parameters.Function = CudaFilters::PixelFunction::Linear;
    parameters.OutputLower = CudaFilters::ToDouble(this->GetOutputMinimum());
    parameters.OutputUpper = CudaFilters::ToDouble(this->GetOutputMaximum());
    parameters.Factor = m_Scale;
    parameters.Offset = m_Shift;
  }

private:
  /** As the superclass does on the CPU. */
  void
  ComputeScale()
  {
    m_Minimum = static_cast<InputPixelType>(m_Range.Minimum);
    m_Maximum = static_cast<InputPixelType>(m_Range.Maximum);
    const RealType range =
      static_cast<RealType>(this->GetOutputMaximum()) - static_cast<RealType>(this->GetOutputMinimum());
    if (Math::NotAlmostEquals(m_Minimum, m_Maximum))
    {
      m_Scale = range / (static_cast<RealType>(m_Maximum) - static_cast<RealType>(m_Minimum));
    }
    else if (Math::NotAlmostEquals(m_Maximum, NumericTraits<InputPixelType>::ZeroValue()))
    {
      m_Scale = range / static_cast<RealType>(m_Maximum);
    }
    else
    {
      m_Scale = 0.0;
    }
    m_Shift = static_cast<RealType>(this->GetOutputMinimum()) - static_cast<RealType>(m_Minimum) * m_Scale;
    auto & functor = this->GetFunctor(); // as ITK sets it
    functor.SetMinimum(this->GetOutputMinimum());
    functor.SetMaximum(this->GetOutputMaximum());
    functor.SetFactor(m_Scale);
    functor.SetOffset(m_Shift);
  }

  CudaFilters::PixelStatistics m_Range;
  RealType                     m_Scale = 1.0;
  RealType                     m_Shift = 0.0;
  InputPixelType               m_Minimum{};
  InputPixelType               m_Maximum{};
};
} // namespace itk

#endif
