// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "Mask.h"
#include "itkCudaDanielssonDistanceMapImageFilter.h"
#include "itkImageRegionIteratorWithIndex.h"

namespace
{
class GrowLabelsCommand : public FilterCommand<GrowLabelsCommand>
{
public:
  GrowLabelsCommand()
    : FilterCommand("grow-labels",
                    "Give each pixel the label of the nearest object, as the Voronoi map of "
                    "itk::DanielssonDistanceMapImageFilter")
  {}

  template <typename TImage>
  auto
  MakeFilter(const TImage &) const
  {
    const auto filter =
      itk::CudaDanielssonDistanceMapImageFilter<TImage, itk::Image<float, TImage::ImageDimension>>::New();
    filter->SetUseImageSpacing(!m_InPixels);
    filter->KeepOffsetsOnDevice();
    return filter;
  }

  template <typename TFilter>
  static auto *
  GetResult(TFilter & filter)
  {
    return filter.GetVoronoiMap();
  }

  template <typename TOutputImage>
  std::unique_ptr<OutputFile>
  Prepare() const
  {
    return m_Distance.empty() ? nullptr : std::make_unique<OutputFile>(m_Distance);
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, const std::unique_ptr<OutputFile> & file) const
  {
    if (file)
    {
      file->WriteReal(filter.GetDistanceMap());
    }
  }

  static std::string
  GetDemonstrationNote()
  {
    return "ITK's filter misses some nearest objects";
  }

  /** One pixel of a picture in each square of some pixels is an object, so that it becomes a mosaic. */
  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    constexpr unsigned int                                      side = 9;
    const Demonstration::ImageType::Pointer                     seeds = CopyPicture(picture);
    itk::ImageRegionIteratorWithIndex<Demonstration::ImageType> it(seeds, seeds->GetBufferedRegion());
    for (; !it.IsAtEnd(); ++it)
    {
      const auto         x = static_cast<unsigned int>(it.GetIndex()[0]);
      const auto         y = static_cast<unsigned int>(it.GetIndex()[1]);
      const unsigned int mixed = (x / side * 73856093u ^ y / side * 19349663u) >> 8;
      const bool         isSeed = x % side == mixed % side && y % side == mixed / side % side;
      it.Set(isSeed ? std::max(it.Get(), 1.0f) : 0.0f);
    }
    return seeds.GetPointer();
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "each label in a colour";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    return DrawLabels(Slices(*filter.GetVoronoiMap()));
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--distance", m_Distance, "Image to write: the distance to the nearest object")->type_name("FILE");
    app.add_flag("--in-pixels", m_InPixels, "Measure in pixels, whatever the spacing of the image is");
  }

  std::vector<std::string>
  GetOtherFiles() const override
  {
    return { m_Distance };
  }

private:
  std::string m_Distance;
  bool        m_InPixels = false;
};

const Registration<GrowLabelsCommand> registrationOfGrowLabels;
} // namespace
