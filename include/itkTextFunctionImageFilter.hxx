// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkTextFunctionImageFilter_hxx
#define itkTextFunctionImageFilter_hxx

#include "CudaFilters/ImageList.h"
#include "CudaFilters/detail/Radius3.h"
#include "itkTextFunctionImageFilter.h"

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::SetRealParameter(const std::string & name, double value)
{
  if (m_Parameters.SetReal(name, value))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::SetIntegerParameter(const std::string & name, long long value)
{
  if (m_Parameters.SetInteger(name, value))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::ClearParameters()
{
  if (m_Parameters.Clear())
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
CudaFilters::TextFunction
TextFunctionImageFilter<TInputImage, TOutputImage>::MakeTextFunction() const
{
  CudaFilters::TextFunction function;
  function.Text = m_Text;
  function.Input = CudaFilters::GetScalarType<typename TInputImage::PixelType>();
  function.Output = CudaFilters::GetScalarType<typename TOutputImage::PixelType>();
  function.NumberOfInputs = static_cast<unsigned int>(this->GetNumberOfIndexedInputs());
  function.Radius = CudaFilters::GetRadius3(m_Radius);
  function.Parameters = m_Parameters.Get();
  return function;
}

template <typename TInputImage, typename TOutputImage>
std::string
TextFunctionImageFilter<TInputImage, TOutputImage>::GetProgram() const
{
  return CudaFilters::MakeTextProgram(this->MakeTextFunction());
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (TInputImage::ImageDimension > 3)
  {
    itkExceptionMacro("The text of a function is for images of up to three dimensions.");
  }
  const auto number = this->GetNumberOfIndexedInputs();
  if (number > CudaFilters::TextArguments::MostInputs)
  {
    itkExceptionMacro("There are at most " << CudaFilters::TextArguments::MostInputs << " inputs.");
  }
  for (unsigned int i = 0; i < number; ++i)
  {
    if (this->GetInput(i) == nullptr)
    {
      itkExceptionMacro("Input " << i << " is not set.");
    }
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  auto * const input = const_cast<TInputImage *>(this->GetInput());
  if (input != nullptr)
  {
    auto region = input->GetRequestedRegion();
    region.PadByRadius(m_Radius);
    region.Crop(input->GetLargestPossibleRegion());
    input->SetRequestedRegion(region);
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::BeforeThreadedGenerateData()
{
  m_Function = this->MakeTextFunction();
  m_Program =
    CudaFilters::GetHostTextProgram(CudaFilters::MakeTextProgram(m_Function), CudaFilters::ListTexts(m_Function));
  m_BeyondRadius = false;
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::DynamicThreadedGenerateData(const OutputImageRegionType & region)
{
  const CudaFilters::Region3 computed = CudaFilters::GetRegion3(region);
  CudaFilters::TextArguments arguments{};
  CudaFilters::SetTextParameters(m_Function, arguments);
  int beyondRadius = 0;
  arguments.BeyondRadius = &beyondRadius;
  CudaFilters::SetTextOutput(arguments,
                             m_Function,
                             this->GetOutput()->GetBufferPointer(),
                             CudaFilters::GetRegion3(this->GetOutput()->GetBufferedRegion()),
                             computed);
  for (unsigned int i = 0; i < m_Function.NumberOfInputs; ++i)
  {
    CudaFilters::SetTextInput(arguments,
                              m_Function,
                              i,
                              this->GetInput(i)->GetBufferPointer(),
                              CudaFilters::GetRegion3(this->GetInput(i)->GetBufferedRegion()),
                              computed);
  }
  m_Program(&arguments, 0, computed.Size[1] * computed.Size[2]);
  if (beyondRadius != 0)
  {
    m_BeyondRadius = true;
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::AfterThreadedGenerateData()
{
  if (m_BeyondRadius)
  {
    CudaFilters::ThrowBeyondRadius();
  }
}

template <typename TInputImage, typename TOutputImage>
void
TextFunctionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Text: " << m_Text << std::endl;
  os << indent << "Radius: " << m_Radius << std::endl;
  m_Parameters.Print(os, indent);
}
} // namespace itk

#endif
