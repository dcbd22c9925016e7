// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkTextImageSink_h
#define itkTextImageSink_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/detail/TextParameters.h"
#include "itkPieceImageSink.h"
#include <string>

namespace itk
{
/** \class TextImageSink
 * \brief Base class of filters that reduce an image by functions that are given as texts, on the CPU.
 *
 * TextFunctionImageFilter says what a text may be. Here, it has one input, and no neighbours.
 *
 * \sa TextReductionFilter, TextBinningFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT TextImageSink : public PieceImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TextImageSink);

  using Self = TextImageSink;
  using Superclass = PieceImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "TextImageSink";
  }

  using typename Superclass::InputImageRegionType;

  /** Sets/Gets the text of the function of a pixel. Default: x, the pixel itself. */
  itkSetStringMacro(Text);
  itkGetStringMacro(Text);

  /** Sets a parameter. */
  void
  SetRealParameter(const std::string & name, double value)
  {
    if (m_Parameters.SetReal(name, value))
    {
      this->Modified();
    }
  }
  void
  SetIntegerParameter(const std::string & name, long long value)
  {
    if (m_Parameters.SetInteger(name, value))
    {
      this->Modified();
    }
  }

  /** Removes all parameters. */
  void
  ClearParameters()
  {
    if (m_Parameters.Clear())
    {
      this->Modified();
    }
  }

  /** Returns the program that is compiled. Throws an exception if texts or parameters are no program. */
  std::string
  GetProgram() const
  {
    return CudaFilters::MakeTextProgram(this->MakeTextFunction());
  }

protected:
  TextImageSink() = default;
  ~TextImageSink() override = default;

  /** The texts with types and parameters. Default: what this class knows. */
  virtual CudaFilters::TextFunction
  MakeTextFunction() const
  {
    CudaFilters::TextFunction function;
    function.Text = m_Text;
    function.Input = CudaFilters::GetScalarType<typename TInputImage::PixelType>();
    function.Parameters = m_Parameters.Get();
    return function;
  }

  /** The arguments of the program for a region, on the CPU. */
  CudaFilters::TextArguments
  MakeArguments(const CudaFilters::TextFunction & function, const InputImageRegionType & region) const
  {
    CudaFilters::TextArguments arguments{};
    CudaFilters::SetTextParameters(function, arguments);
    CudaFilters::SetTextPixels(arguments,
                               function,
                               this->GetInput()->GetBufferPointer(),
                               CudaFilters::GetRegion3(this->GetInput()->GetBufferedRegion()),
                               CudaFilters::GetRegion3(region));
    return arguments;
  }

  void
  VerifyPreconditions() ITKv5_CONST override
  {
    Superclass::VerifyPreconditions();
    if (TInputImage::ImageDimension > 3)
    {
      itkExceptionMacro("The text of a function is for images of up to three dimensions.");
    }
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "Text: " << m_Text << std::endl;
    m_Parameters.Print(os, indent);
  }

private:
  std::string                 m_Text = "x";
  CudaFilters::TextParameters m_Parameters;
};
} // namespace itk

#endif
