// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "AboveOption.h"
#include "Command.h"
#include "ImageFile.h"
#include "Picture.h"
#include "Terminal.h"
#include "itkCudaHausdorffDistanceImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include <cstdio>
#include <optional>

namespace
{
class HausdorffCommand : public Command
{
public:
  HausdorffCommand()
    : Command("hausdorff", "Tell how far the objects in one image are from those in another")
  {}

  void
  AddTo(CLI::App & app) override
  {
    app.add_option("first", m_First, "Image with objects")->required();
    app.add_option("second", m_Second, "Image with other objects")->required();
    m_Above.AddTo(app);
    app.add_flag("--in-pixels", m_InPixels, "Count pixels, whatever the spacing of the images is");
    app.add_option("--at-most", m_AtMost, "Fail if the Hausdorff distance is greater")
      ->check(NotNegative())
      ->type_name("DISTANCE");
    app
      .add_option("--picture",
                  m_Picture,
                  "Picture to write: objects of both images white, of the first alone red, of the second alone blue")
      ->type_name("FILE");
    app.add_flag("--timing", m_Timing, "Report where the filter ran and how long it took");
  }

  bool
  WantsTiming() const override
  {
    return m_Timing;
  }

  void
  Run() override
  {
    const unsigned int dimension = DescribeImage(m_First).Dimension;
    if (DescribeImage(m_Second).Dimension != dimension)
    {
      throw UserError("one image has 2 dimensions and the other 3");
    }
    dimension == 2 ? this->Measure<2>() : this->Measure<3>();
  }

private:
  template <unsigned int VDimension>
  void
  Measure() const
  {
    using ImageType = itk::Image<unsigned char, VDimension>;
    const auto picture = m_Picture.empty() ? nullptr : std::make_unique<OutputFile>(m_Picture);
    const auto first = this->ReadObjects<VDimension>(m_First);
    const auto second = this->ReadObjects<VDimension>(m_Second);
    if (first->GetBufferedRegion() != second->GetBufferedRegion())
    {
      throw UserError("the images have different sizes");
    }
    const auto filter = itk::CudaHausdorffDistanceImageFilter<ImageType, ImageType>::New();
    filter->SetInput1(first);
    filter->SetInput2(second);
    filter->SetUseImageSpacing(!m_InPixels);
    ProgressBar  bar(*filter, this->GetName());
    const double milliseconds = TimeInMilliseconds([&] { filter->Update(); });
    bar.Finish();
    std::printf("Hausdorff distance %.6g\naverage distance   %.6g\n",
                static_cast<double>(filter->GetHausdorffDistance()),
                static_cast<double>(filter->GetAverageHausdorffDistance()));
    if (picture)
    {
      picture->Write(DrawTwoMasks(Slices(*first), Slices(*second)).GetPointer());
    }
    if (m_Timing)
    {
      ShowTime(this->GetName(), milliseconds, filter->GetExecutedOn());
    }
    if (m_AtMost && filter->GetHausdorffDistance() > *m_AtMost)
    {
      throw UserError("the Hausdorff distance is " + ToText(filter->GetHausdorffDistance()) +
                      ", greater than --at-most " + ToText(*m_AtMost));
    }
  }

  /** The objects of an image as pixels of 1, others 0. */
  template <unsigned int VDimension>
  typename itk::Image<unsigned char, VDimension>::Pointer
  ReadObjects(const std::string & file) const
  {
    using ImageType = itk::Image<double, VDimension>;
    using MaskType = itk::Image<unsigned char, VDimension>;
    const typename ImageType::Pointer image = ReadPixels<ImageType>(file, false);

    const auto mask = MaskType::New();
    mask->CopyInformation(image);
    mask->SetRegions(image->GetBufferedRegion());
    mask->Allocate();
    itk::ImageRegionConstIterator<ImageType> from(image, image->GetBufferedRegion());
    itk::ImageRegionIterator<MaskType>       to(mask, image->GetBufferedRegion());
    bool                                     isAny = false;
    for (; !to.IsAtEnd(); ++from, ++to)
    {
      const bool isObject = m_Above.IsObject(from.Get());
      to.Set(isObject ? 1 : 0);
      isAny = isAny || isObject;
    }
    if (!isAny)
    {
      throw UserError("there is no object in " + file);
    }
    return mask;
  }

  std::string           m_First;
  std::string           m_Second;
  AboveOption           m_Above;
  bool                  m_InPixels = false;
  std::optional<double> m_AtMost;
  std::string           m_Picture;
  bool                  m_Timing = false;
};

const Registration<HausdorffCommand> registrationOfHausdorff;
} // namespace
