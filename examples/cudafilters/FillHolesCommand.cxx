// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaGrayscaleFillholeImageFilter.h"

namespace
{
class FillHolesCommand : public FilterCommand<FillHolesCommand>
{
public:
  FillHolesCommand()
    : FilterCommand("fill-holes",
                    "Fill dark holes that do not reach the edge of the image, as itk::GrayscaleFillholeImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = itk::CudaGrayscaleFillholeImageFilter<TImage, TImage>::New();
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

const Registration<FillHolesCommand> registrationOfFillHoles;
} // namespace
