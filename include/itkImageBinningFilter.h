// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkImageBinningFilter_h
#define itkImageBinningFilter_h

#include "CudaFilters/Binning.h"
#include "itkPieceImageSink.h"
#include <cstdint>
#include <vector>

namespace itk
{
/** \class ImageBinningFilter
 * \brief Adds weights of all pixels to bins by a binner of one's own, on the CPU: histograms, projections, counts.
 *
 * The binner's operator() returns the number of the pixel's bin, or a CudaFilters::PixelBin with the bin and an integer
 * weight; CudaFilters::NoBin leaves the pixel out. Another bin that does not exist is an exception. Sums of integers do
 * not depend on the order: results are those of CudaImageBinningFilter.
 *
 * \sa CudaImageBinningFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TBinner>
class ITK_TEMPLATE_EXPORT ImageBinningFilter : public PieceImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(ImageBinningFilter);

  using Self = ImageBinningFilter;
  using Superclass = PieceImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "ImageBinningFilter";
  }

  using typename Superclass::InputImageRegionType;
  using BinnerType = TBinner; ///< the function that maps a pixel to a bin
  using SumsType = std::vector<std::int64_t>;

  /** Set/Get the binner. Its operator == tells whether a new one changes anything. */
  /**@{*/
  void
  SetBinner(const TBinner & binner)
  {
    if (!(m_Binner == binner))
    {
      m_Binner = binner;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(Binner, TBinner);
  /**@}*/

  /** Set/Get the number of bins, up to 2147483647. Default: 256. */
  /**@{*/
  itkSetClampMacro(NumberOfBins, SizeValueType, 1, 2147483647);
  itkGetConstMacro(NumberOfBins, SizeValueType);
  /**@}*/

  /** The sums of the weights of all bins, after Update(). */
  itkGetConstReferenceMacro(Sums, SumsType);

protected:
  ImageBinningFilter() = default;
  ~ImageBinningFilter() override = default;

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
  AddPixels(const InputImageRegionType & region);

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

    os << indent << "NumberOfBins: " << m_NumberOfBins << std::endl;
  }

private:
  TBinner       m_Binner{};
  SizeValueType m_NumberOfBins = 256;
  SumsType      m_Sums;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkImageBinningFilter.hxx"
#endif

#endif
