// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkTextBinningFilter_h
#define itkTextBinningFilter_h

#include "CudaFilters/Binning.h"
#include "itkMultiThreaderBase.h"
#include "itkTextImageSink.h"
#include <cstdint>
#include <mutex>
#include <vector>

namespace itk
{
/** \class TextBinningFilter
 * \brief Adds weights of all pixels to bins by functions that are given as texts, on the CPU.
 *
 * A text tells the number of a pixel's bin; -1 leaves the pixel out, and another bin that does not exist is an
 * exception. Another text may tell the weight, an integer; without it, pixels are counted. Results are those of
 * CudaTextBinningFilter.
 *
 * \sa CudaTextBinningFilter, TextFunctionImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT TextBinningFilter : public TextImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TextBinningFilter);

  using Self = TextBinningFilter;
  using Superclass = TextImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "TextBinningFilter";
  }

  using typename Superclass::InputImageRegionType;
  using SumsType = std::vector<std::int64_t>;

  /** Sets/Gets the text of the weight. Default: empty, for a weight of 1. */
  itkSetStringMacro(Weight);
  itkGetStringMacro(Weight);

  /** Set/Get the number of bins, up to 2147483647. Default: 256. */
  /**@{*/
  itkSetClampMacro(NumberOfBins, SizeValueType, 1, 2147483647);
  itkGetConstMacro(NumberOfBins, SizeValueType);
  /**@}*/

  /** The sums of the weights of all bins, after Update(). */
  itkGetConstReferenceMacro(Sums, SumsType);

  /** The sum of one bin. */
  std::int64_t
  GetSum(SizeValueType bin) const
  {
    if (bin >= m_Sums.size())
    {
      itkExceptionMacro("There is no sum of bin " << bin << ": there are " << m_Sums.size() << " sums.");
    }
    return m_Sums[bin];
  }

protected:
  TextBinningFilter() = default;
  ~TextBinningFilter() override = default;

  CudaFilters::TextFunction
  MakeTextFunction() const override
  {
    CudaFilters::TextFunction function = Superclass::MakeTextFunction();
    function.Use = CudaFilters::TextUse::Bins;
    function.Weight = m_Weight;
    return function;
  }

  void
  BeforeStreamedGenerateData() override
  {
    Superclass::BeforeStreamedGenerateData();
    m_Sums.clear();
  }

  void
  GeneratePiece(const InputImageRegionType & region) override
  {
    this->AddPixels(region);
  }

  /** Adds the pixels of a region to the sums, on the CPU. */
  void
  AddPixels(const InputImageRegionType & region)
  {
    const CudaFilters::TextFunction    function = this->MakeTextFunction();
    const CudaFilters::HostTextProgram program =
      CudaFilters::GetHostTextProgram(CudaFilters::MakeTextProgram(function), CudaFilters::ListTexts(function));
    SumsType & allSums = this->GetModifiableSums();
    long long  badBin = 0; // a bad bin is never 0
    std::mutex mutex;
    const auto addPart = [&](const InputImageRegionType & part) {
      SumsType                   sums(m_NumberOfBins);
      long long                  badBinOfPart = 0;
      CudaFilters::TextArguments arguments = this->MakeArguments(function, part);
      arguments.Output = sums.data();
      arguments.NumberOfBins = static_cast<long long>(m_NumberOfBins);
      arguments.BadBin = &badBinOfPart;
      program(&arguments, 0, arguments.Size[1] * arguments.Size[2]);
      const std::lock_guard<std::mutex> lock(mutex);
      badBin = badBinOfPart != 0 ? badBinOfPart : badBin;
      for (std::size_t i = 0; i < sums.size(); ++i)
      {
        allSums[i] += sums[i];
      }
    };
    this->GetMultiThreader()->template ParallelizeImageRegion<TInputImage::ImageDimension>(region, addPart, nullptr);
    if (badBin != 0)
    {
      CudaFilters::ThrowBadBin(badBin, static_cast<std::int64_t>(m_NumberOfBins));
    }
  }

  /** The sums, which are 0 at first. An exception of the allocation is to come while a piece is computed: ITK expects
   * none before. */
  SumsType &
  GetModifiableSums()
  {
    m_Sums.resize(m_NumberOfBins);
    return m_Sums;
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "Weight: " << m_Weight << std::endl;
    os << indent << "NumberOfBins: " << m_NumberOfBins << std::endl;
  }

private:
  std::string   m_Weight;
  SizeValueType m_NumberOfBins = 256;
  SumsType      m_Sums;
};
} // namespace itk

#endif
