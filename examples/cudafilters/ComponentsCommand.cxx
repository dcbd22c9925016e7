// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "AboveOption.h"
#include "LabelCommand.h"
#include "itkBinaryThresholdImageFilter.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaStreamingConnectedComponentImageFilter.h"
#include "itkImageFileReader.h"
#include <cmath>
#include <cstdio>
#include <limits>

namespace
{
class ComponentsCommand : public LabelCommand<ComponentsCommand>
{
public:
  static constexpr bool HasGapsInLabels = false;

  ComponentsCommand()
    : LabelCommand("components",
                   "Label connected pixels, as itk::ConnectedComponentImageFilter, and measure the objects")
  {}

  void
  Run() override
  {
    if (m_Blocks == 0)
    {
      LabelCommand::Run();
      return;
    }
    this->CheckGoesTogether("--blocks");
    DescribeImage(this->GetInput()).Dimension == 2 ? this->RunInBlocks<2>() : this->RunInBlocks<3>();
  }

  template <typename TImage>
  auto
  MakeFilter(const TImage & image) const
  {
    using Labels = itk::Image<unsigned int, TImage::ImageDimension>;
    const auto filter = itk::CudaConnectedComponentImageFilter<TImage, Labels>::New();
    this->SetParameters(*filter, image);
    return filter;
  }

  template <typename TImage>
  void
  PrepareInput(TImage & image) const
  {
    m_Above.Apply(image);
  }

  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    return MakeMaskOfPicture(picture, 190.0).GetPointer();
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    m_Above.AddTo(app);
    LabelCommand::AddOptions(app);
    app
      .add_option("--blocks",
                  m_Blocks,
                  "Read, label and write so many blocks of slices one after the other, for images larger than the "
                  "memory")
      ->check(CLI::Range(1u, 1000000u).description(""))
      ->type_name("N");
  }

private:
  /** Reads each block from the files and writes it at once. */
  template <unsigned int VDimension>
  void
  RunInBlocks() const
  {
    // Real numbers hold the pixels of all types.
    using Image = itk::Image<double, VDimension>;
    using Mask = itk::Image<unsigned char, VDimension>;
    using Labels = itk::Image<unsigned int, VDimension>;
    const OutputFile output(this->GetOutput());
    const auto       open = [](const std::string & file) {
      if (DescribeImage(file).Dimension != VDimension)
      {
        throw UserError("one image has 2 dimensions and the other 3");
      }
      CheckReadableInBlocks(file);
      const auto reader = itk::ImageFileReader<Image>::New();
      reader->SetFileName(file);
      return reader;
    };
    const auto reader = open(this->GetInput());
    if (m_Above.HasLevel())
    {
      const auto threshold = itk::BinaryThresholdImageFilter<Image, Mask>::New();
      threshold->SetInput(reader->GetOutput());
      constexpr double infinity = std::numeric_limits<double>::infinity();
      threshold->SetLowerThreshold(std::nextafter(m_Above.GetLevel(), infinity));
      threshold->SetUpperThreshold(infinity);
      threshold->SetInsideValue(1);
      threshold->SetOutsideValue(0); // NaN, too
      this->LabelInBlocks<Labels>(threshold->GetOutput(), open, output);
    }
    else
    {
      this->LabelInBlocks<Labels>(reader->GetOutput(), open, output);
    }
  }

  template <typename TLabels, typename TImage, typename TOpen>
  void
  LabelInBlocks(const TImage * image, TOpen open, const OutputFile & output) const
  {
    using Image = itk::Image<double, TImage::ImageDimension>;
    const auto filter = itk::CudaStreamingConnectedComponentImageFilter<TImage, TLabels, Image>::New();
    filter->SetInput(image);
    filter->SetFullyConnected(this->IsFull());
    filter->SetNumberOfBlocks(m_Blocks);
    const auto mask = this->GetMask().empty() ? nullptr : open(this->GetMask());
    if (mask)
    {
      mask->UpdateOutputInformation();
      filter->GetInput()->GetSource()->UpdateOutputInformation();
      if (mask->GetOutput()->GetLargestPossibleRegion() != image->GetLargestPossibleRegion())
      {
        throw UserError("the image and the mask have different sizes");
      }
      filter->SetMaskImage(mask->GetOutput());
      // Pixels belong together by their place in the file.
      filter->SetCoordinateTolerance(std::numeric_limits<double>::max());
      filter->SetDirectionTolerance(std::numeric_limits<double>::max());
    }
    ProgressBar  bar(*filter, this->GetName());
    const double milliseconds = TimeInMilliseconds([&] {
      // The request of one slice connects all blocks; errors up to there are not the output's.
      filter->UpdateOutputInformation();
      auto slice = filter->GetOutput()->GetLargestPossibleRegion();
      slice.SetSize(TImage::ImageDimension - 1, 1);
      filter->GetOutput()->SetRequestedRegion(slice);
      filter->Update();
      output.WriteInBlocks(filter->GetOutput(), m_Blocks);
    });
    bar.Finish();
    std::printf("%llu objects\n", static_cast<unsigned long long>(filter->GetObjectCount()));
    if (this->WantsTiming())
    {
      ShowTime("read, " + this->GetName() + " and write", milliseconds, filter->GetExecutedOn());
    }
  }

  AboveOption  m_Above;
  unsigned int m_Blocks = 0;
};

const Registration<ComponentsCommand> registrationOfComponents;
} // namespace
