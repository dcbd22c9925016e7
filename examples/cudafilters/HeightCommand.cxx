// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaHConcaveImageFilter.h"
#include "itkCudaHConvexImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaHMinimaImageFilter.h"

namespace
{
/** The filters with a height. */
template <template <typename, typename> class TFilter>
class HeightCommand : public FilterCommand<HeightCommand<TFilter>>
{
public:
  HeightCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter = TFilter<TImage, TImage>::New();
    filter->SetHeight(static_cast<typename TImage::PixelType>(m_Height));
    m_Options.Apply(*filter);
    return filter;
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--height", m_Height, "How far from its surroundings what is to stay must be")
      ->check(NotNegative())
      ->capture_default_str();
    m_Options.AddTo(app);
  }

private:
  double                m_Height = 30.0;
  ReconstructionOptions m_Options;
};

template <>
HeightCommand<itk::CudaHMaximaImageFilter>::HeightCommand()
  : FilterCommand("h-maxima", "Suppress maxima that are not high enough, as itk::HMaximaImageFilter")
{}
template <>
HeightCommand<itk::CudaHMinimaImageFilter>::HeightCommand()
  : FilterCommand("h-minima", "Suppress minima that are not deep enough, as itk::HMinimaImageFilter")
{}
template <>
HeightCommand<itk::CudaHConvexImageFilter>::HeightCommand()
  : FilterCommand("h-convex", "Show what h-maxima takes away, as itk::HConvexImageFilter")
{}
template <>
HeightCommand<itk::CudaHConcaveImageFilter>::HeightCommand()
  : FilterCommand("h-concave", "Show what h-minima takes away, as itk::HConcaveImageFilter")
{}

const Registration<HeightCommand<itk::CudaHMaximaImageFilter>>  registrationOfHMaxima;
const Registration<HeightCommand<itk::CudaHMinimaImageFilter>>  registrationOfHMinima;
const Registration<HeightCommand<itk::CudaHConvexImageFilter>>  registrationOfHConvex;
const Registration<HeightCommand<itk::CudaHConcaveImageFilter>> registrationOfHConcave;
} // namespace
