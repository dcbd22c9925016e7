// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "MarkingCommand.h"
#include "VarianceOption.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkImageRegionIterator.h"

namespace
{
class CannyCommand : public MarkingCommand<CannyCommand>
{
public:
  CannyCommand()
    : MarkingCommand("canny", "Find edges, as itk::CannyEdgeDetectionImageFilter; writes 255 on them, 0 elsewhere")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    using FilterType =
      itk::CudaCannyEdgeDetectionImageFilter<TImage, itk::Image<unsigned char, TImage::ImageDimension>>;
    using RealType = typename FilterType::RealPixelType;

    const auto filter = FilterType::New();
    m_Variance.Apply(*filter, image, false);
    filter->SetUpperThreshold(static_cast<RealType>(m_UpperThreshold));
    filter->SetLowerThreshold(static_cast<RealType>(m_LowerThreshold));
    filter->SetExactMode(m_Exact);
    return filter;
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, std::nullptr_t) const
  {
    auto & edges = *filter.GetOutput();
    for (itk::ImageRegionIterator<typename TFilter::OutputImageType> it(&edges, edges.GetBufferedRegion());
         !it.IsAtEnd();
         ++it)
    {
      it.Set(it.Get() != 0 ? 255 : 0);
    }
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the edges in red on the input";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices & input, TFilter & filter) const
  {
    return DrawEdges(input, Slices(*filter.GetOutput()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    m_Variance.AddTo(app);
    app.add_option("--upper", m_UpperThreshold, "Magnitude of the gradient over which a pixel is an edge by itself")
      ->check(Finite())
      ->capture_default_str();
    app.add_option("--lower", m_LowerThreshold, "Magnitude over which it is one if it hangs together with one")
      ->check(Finite())
      ->capture_default_str();
    app.add_flag("--exact", m_Exact, "Compute as ITK's filter does, equal on every pixel; slower");
  }

private:
  VarianceOption m_Variance{ 1.96 };
  double         m_UpperThreshold = 7.0;
  double         m_LowerThreshold = 4.0;
  bool           m_Exact = false;
};

const Registration<CannyCommand> registrationOfCanny;
} // namespace
