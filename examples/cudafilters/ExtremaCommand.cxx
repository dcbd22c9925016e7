// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MarkingCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaRegionalMaximaImageFilter.h"
#include "itkCudaRegionalMinimaImageFilter.h"

namespace
{
/** The filters that find extrema. */
template <template <typename, typename> class TFilter>
class ExtremaCommand : public MarkingCommand<ExtremaCommand<TFilter>>
{
public:
  ExtremaCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = TFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>::New();
    m_Options.Apply(*filter);
    return filter;
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
  : MarkingCommand("regional-maxima",
                   "Find flat zones with lower pixels around them, as itk::RegionalMaximaImageFilter; writes 255 and 0")
{}
template <>
ExtremaCommand<itk::CudaRegionalMinimaImageFilter>::ExtremaCommand()
  : MarkingCommand(
      "regional-minima",
      "Find flat zones with higher pixels around them, as itk::RegionalMinimaImageFilter; writes 255 and 0")
{}

const Registration<ExtremaCommand<itk::CudaRegionalMaximaImageFilter>> registrationOfRegionalMaxima;
const Registration<ExtremaCommand<itk::CudaRegionalMinimaImageFilter>> registrationOfRegionalMinima;
} // namespace
