// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaClosingByReconstructionImageFilter.h"
#include "itkCudaOpeningByReconstructionImageFilter.h"

namespace
{
/** The filters with a structuring element: a ball. */
template <template <typename, typename, typename> class TFilter>
class OpeningCommand : public FilterCommand<OpeningCommand<TFilter>>
{
public:
  OpeningCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    using Kernel = itk::FlatStructuringElement<TImage::ImageDimension>;
    const auto filter = TFilter<TImage, TImage, Kernel>::New();
    filter->SetKernel(Kernel::Ball(itk::Size<TImage::ImageDimension>::Filled(m_Radius)));
    filter->SetPreserveIntensities(m_IsPreserving);
    m_Options.Apply(*filter);
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--radius", m_Radius, "Of the ball, in pixels, into which what is to go fits")
      ->check(CLI::Range(0u, 100u).description(""))
      ->capture_default_str();
    app.add_flag("--preserve", m_IsPreserving, "Give what stays its former brightness");
    m_Options.AddTo(app);
  }

private:
  unsigned int          m_Radius = 3;
  bool                  m_IsPreserving = false;
  ReconstructionOptions m_Options;
};

template <>
OpeningCommand<itk::CudaOpeningByReconstructionImageFilter>::OpeningCommand()
  : FilterCommand("opening", "Remove what is bright and small, as itk::OpeningByReconstructionImageFilter")
{}
template <>
OpeningCommand<itk::CudaClosingByReconstructionImageFilter>::OpeningCommand()
  : FilterCommand("closing", "Remove what is dark and small, as itk::ClosingByReconstructionImageFilter")
{}

const Registration<OpeningCommand<itk::CudaOpeningByReconstructionImageFilter>> registrationOfOpeningByReconstruction;
const Registration<OpeningCommand<itk::CudaClosingByReconstructionImageFilter>> registrationOfClosingByReconstruction;
} // namespace
