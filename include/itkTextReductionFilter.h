// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkTextReductionFilter_h
#define itkTextReductionFilter_h

#include "itkMultiThreaderBase.h"
#include "itkTextImageSink.h"
#include <functional>

namespace itk
{
/** \class TextReductionFilter
 * \brief Reduces all pixels of an image to one number by functions that are given as texts, on the CPU.
 *
 * A text makes a double number of a pixel; another one, the combination, makes one of two numbers, a and b. The
 * combination must not depend on order or grouping but for rounding errors. Both know the parameters. The order is
 * fixed: the result does not depend on the number of threads, and is that of CudaTextReductionFilter. The image is read
 * as a whole: stream divisions have no effect.
 *
 * \sa CudaTextReductionFilter, TextFunctionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT TextReductionFilter : public TextImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TextReductionFilter);

  using Self = TextReductionFilter;
  using Superclass = TextImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "TextReductionFilter";
  }

  using typename Superclass::InputImageRegionType;

  /** Sets/Gets the text that combines two numbers, a and b. Default: a + b. */
  itkSetStringMacro(Combination);
  itkGetStringMacro(Combination);

  /** Set/Get the number of no pixels, with which the combination of a number is that number. Default: 0. */
  /**@{*/
  itkSetMacro(Identity, double);
  itkGetConstMacro(Identity, double);
  /**@}*/

  /** The number of all pixels, after Update(). */
  itkGetConstMacro(Result, double);

protected:
  TextReductionFilter() = default;
  ~TextReductionFilter() override = default;

  CudaFilters::TextFunction
  MakeTextFunction() const override
  {
    CudaFilters::TextFunction function = Superclass::MakeTextFunction();
    function.Use = CudaFilters::TextUse::Reduction;
    function.Combination = m_Combination;
    return function;
  }

  unsigned int
  GetNumberOfInputRequestedRegions() override
  {
    return 1;
  }

  void
  BeforeStreamedGenerateData() override
  {
    Superclass::BeforeStreamedGenerateData();
    m_Result = m_Identity;
  }

  void
  GeneratePiece(const InputImageRegionType & region) override
  {
    m_Result = this->Reduce(region);
  }

  /** The number of a region. */
  double
  Reduce(const InputImageRegionType & region)
  {
    const CudaFilters::TextFunction function = this->MakeTextFunction();
    CudaFilters::TextArguments      arguments = this->MakeArguments(function, region);
    arguments.Identity = m_Identity;
    return CudaFilters::ReduceTextOnHost(
      function, arguments, [this](long long number, const std::function<void(long long)> & call) {
        this->GetMultiThreader()->ParallelizeArray(
          0, static_cast<SizeValueType>(number), [&](SizeValueType i) { call(static_cast<long long>(i)); }, nullptr);
      });
  }

  /** For a derived class that computes elsewhere. */
  void
  SetResult(double result)
  {
    m_Result = result;
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "Combination: " << m_Combination << std::endl;
    os << indent << "Identity: " << m_Identity << std::endl;
    os << indent << "Result: " << m_Result << std::endl;
  }

private:
  std::string m_Combination = "a + b";
  double      m_Identity = 0.0;
  double      m_Result = 0.0;
};
} // namespace itk

#endif
