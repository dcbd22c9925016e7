// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkTextFunctionImageFilter_h
#define itkTextFunctionImageFilter_h

#include "CudaFilters/detail/TextParameters.h"
#include "itkImageToImageFilter.h"
#include <atomic>
#include <string>

namespace itk
{
/** \class TextFunctionImageFilter
 * \brief Computes each pixel by a function that is given as a text, on the CPU.
 *
 * The text is an expression, or the body of a function with a return statement, in C++. It knows
 * - x, y, z: the pixels of up to three inputs at the same place,
 * - index[0], index[1], index[2]: the index of the pixel,
 * - n(dx, dy), n(dx, dy, dz): the pixel of the first input at an offset within the radius, if one was set. Outside the
 *   image, it is the nearest pixel,
 * - the parameters, by their names: real ones are double, integers long long,
 * - the mathematical functions of C, min and max.
 *
 * The C++ compiler of the machine compiles it when the filter runs. Compiled texts are kept in memory and on disk
 * (Documentation/TextFunctions.md); another value of a parameter needs no compilation. A text that does not compile is
 * an exception with the messages of the compiler.
 *
 * Pixels are integers of 8, 16 or 32 bits, float or double. The result is converted as C++ does.
 *
 * \sa CudaTextFunctionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT TextFunctionImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TextFunctionImageFilter);

  using Self = TextFunctionImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkTypeMacro(TextFunctionImageFilter, ImageToImageFilter);

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using RadiusType = typename TInputImage::SizeType;
  using OutputImageRegionType = typename TOutputImage::RegionType;

  /** Sets/Gets the text of the function. */
  itkSetStringMacro(Text);
  itkGetStringMacro(Text);

  /** Sets/Gets how far neighbours may be away. Default: 0, for functions of pixels. */
  itkSetMacro(Radius, RadiusType);
  itkGetConstReferenceMacro(Radius, RadiusType);

  /** Sets a parameter. */
  void
  SetRealParameter(const std::string & name, double value);
  void
  SetIntegerParameter(const std::string & name, long long value);

  /** Removes all parameters. */
  void
  ClearParameters();

  /** Returns the program that is compiled. Throws an exception if text or parameters are no program. */
  std::string
  GetProgram() const;

protected:
  TextFunctionImageFilter() { this->DynamicMultiThreadingOn(); }
  ~TextFunctionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  VerifyPreconditions() ITKv5_CONST override;

  void
  GenerateInputRequestedRegion() override;

  void
  BeforeThreadedGenerateData() override;
  void
  DynamicThreadedGenerateData(const OutputImageRegionType & region) override;
  void
  AfterThreadedGenerateData() override;

  /** The text with types, inputs and parameters. */
  CudaFilters::TextFunction
  MakeTextFunction() const;

private:
  std::string                  m_Text;
  RadiusType                   m_Radius{};
  CudaFilters::TextParameters  m_Parameters;
  CudaFilters::TextFunction    m_Function; // of the current run
  CudaFilters::HostTextProgram m_Program = nullptr;
  std::atomic<bool>            m_BeyondRadius{ false };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkTextFunctionImageFilter.hxx"
#endif

#endif
