// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaRegionalMaximaImageFilter.h"
#include "itkCudaRegionalMinimaImageFilter.h"

namespace
{
/** The filters that find extrema. */
template <template <typename, typename> class TFilter>
class ExtremaCommand : public FilterCommand<ExtremaCommand<TFilter>>
{
public:
  ExtremaCommand();

  static std::string
  GetMeaningOfAs()
  {
    return "Compute as uint8, uint16, int16, float32 or float64";
  }

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = TFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    m_Options.Apply(*filter);
    return filter;
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the marked pixels in red on the input";
  }

  template <typename TMadeFilter>
  Picture::Pointer
  Draw(const Slices & input, TMadeFilter & filter) const
  {
    return DrawMask(input, Slices(*filter.GetOutput()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    m_Options.AddTo(app);
  }

private:
  ReconstructionOptions m_Options;
};

template <>
ExtremaCommand<itk::CudaRegionalMaximaImageFilter>::ExtremaCommand()
  : FilterCommand("regional-maxima",
                  "Find flat zones with lower pixels around them, as itk::RegionalMaximaImageFilter; writes 255 and 0")
{}
template <>
ExtremaCommand<itk::CudaRegionalMinimaImageFilter>::ExtremaCommand()
  : FilterCommand("regional-minima",
                  "Find flat zones with higher pixels around them, as itk::RegionalMinimaImageFilter; writes 255 and 0")
{}

const Registration<ExtremaCommand<itk::CudaRegionalMaximaImageFilter>> registrationOfRegionalMaxima;
const Registration<ExtremaCommand<itk::CudaRegionalMinimaImageFilter>> registrationOfRegionalMinima;
} // namespace
