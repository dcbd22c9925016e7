// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_FilterCommand_h
#define cudafilters_FilterCommand_h

#include "Command.h"
#include "ImageFile.h"
#include "Picture.h"
#include "Terminal.h"
#include "itkCudaInterface.h"
#include "itkCastImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/** A command that reads an image, runs one filter, and writes its output. TCommand has
 *
 *   template <typename TImage> auto MakeFilter(const TImage & image) const;
 *
 * which makes the filter for an image and sets its parameters, and may have its own version of what is said to have
 * one.
 */
template <typename TCommand>
class FilterCommand : public Command
{
public:
  using Command::Command;

  void
  AddTo(CLI::App & app) override
  {
    app.add_option("input", m_Input, "Image to read: one value per pixel, 2-D or 3-D")->required();
    app.add_option("output", m_Output, "Image to write; its ending decides the format")->required();
    this->AddOptions(app);
    app.add_option("--as", m_PixelType, this->GetSelf().GetMeaningOfAs())
      ->check(CLI::IsMember({ "uint8", "uint16", "int16", "float32", "float64" }).description(""))
      ->type_name("TYPE");
    app.add_option("--picture", m_Picture, "Picture to write, too: " + this->GetSelf().GetMeaningOfPicture())
      ->type_name("FILE");
    app.add_flag("--timing", m_Timing, "Report where the filter ran and how long each step took");
    app
      .add_option("--repeat",
                  m_Repetitions,
                  "Run the filter so many times more and report the median time: without the start of CUDA and the "
                  "loading of kernels, which the first run includes")
      ->check(CLI::Range(1u, 100000u).description(""))
      ->type_name("N");
  }

  bool
  WantsTiming() const override
  {
    return m_Timing || m_Repetitions > 0;
  }

  void
  Run() override
  {
    this->CheckFilesDiffer();
    const ImageDescription description = DescribeImage(m_Input);
    const std::string      type = m_PixelType.empty() ? description.PixelType : m_PixelType;
    if (description.Dimension == 2)
    {
      this->RunInDimension<2>(type, type != description.PixelType);
    }
    else
    {
      this->RunInDimension<3>(type, type != description.PixelType);
    }
  }

  std::optional<Demonstration>
  Demonstrate(const Demonstration::ImageType * picture) override
  {
    const Demonstration::ImageType::ConstPointer image = this->GetSelf().PrepareDemonstration(picture);

    Demonstration demonstration;
    demonstration.Name = this->GetName();
    demonstration.Note = this->GetSelf().GetDemonstrationNote();
    const auto filter = this->GetSelf().MakeFilter(*image);
    filter->SetInput(image);
    filter->Update(); // so that the device and its pools are ready
    demonstration.Milliseconds = TimeInMilliseconds([&] {
      filter->Modified();
      filter->Update();
    });
    demonstration.ExecutedOn = filter->GetExecutedOn();
    demonstration.IsOnDevice = filter->GetExecutedOnDevice();
    demonstration.Result = ToDemonstration(this->GetSelf().GetResult(*filter));

    if (!demonstration.IsOnDevice)
    {
      return demonstration; // there is nothing to compare
    }
    const auto onCpu = itk::CudaInterface::New();
    onCpu->SetBackend(itk::CudaBackendEnum::CPU);
    const auto cpuFilter = this->GetSelf().MakeFilter(*image);
    cpuFilter->SetInput(image);
    cpuFilter->SetCudaInterface(onCpu);
    cpuFilter->Update();
    demonstration.CpuMilliseconds = TimeInMilliseconds([&] {
      cpuFilter->Modified();
      cpuFilter->Update();
    });

    using ImageType = Demonstration::ImageType;
    const ImageType::Pointer                 cpuResult = ToDemonstration(this->GetSelf().GetResult(*cpuFilter));
    itk::ImageRegionConstIterator<ImageType> a(cpuResult, image->GetBufferedRegion());
    itk::ImageRegionConstIterator<ImageType> b(demonstration.Result, image->GetBufferedRegion());
    for (; !a.IsAtEnd(); ++a, ++b)
    {
      const double difference = std::abs(static_cast<double>(a.Get()) - b.Get());
      if (!(difference <= demonstration.LargestDifference))
      {
        demonstration.LargestDifference = difference;
      }
    }
    return demonstration;
  }

  // Of the following, TCommand may have its own version.

  /** What the option --as does. */
  static std::string
  GetMeaningOfAs()
  {
    return "Compute and write as uint8, uint16, int16, float32 or float64";
  }

  /** The output of the filter that is written. */
  template <typename TFilter>
  static auto *
  GetResult(TFilter & filter)
  {
    return filter.GetOutput();
  }

  /** Writes the output. */
  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    file.Write(image);
  }

  /** What the picture shows. */
  static std::string
  GetMeaningOfPicture()
  {
    return "the result in grey levels";
  }

  /** Draws the picture, from the image as it was read and the filter. */
  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    return DrawGrey(Slices(*this->GetSelf().GetResult(filter)));
  }

  /** What is to be done with the input before the filter gets it. */
  template <typename TImage>
  void
  PrepareInput(TImage &) const
  {}

  /** What is made before the input is read and needed by Finish(): other files to write. */
  template <typename TOutputImage>
  std::nullptr_t
  Prepare() const
  {
    return nullptr;
  }

  /** What is to be done when the filter is up to date, and before its output is written. */
  template <typename TFilter>
  void
  Finish(TFilter &, std::nullptr_t) const
  {}

  /** What is to be said of a difference from ITK's filter in the demonstration. */
  static std::string
  GetDemonstrationNote()
  {
    return {};
  }

  /** The image on which to demonstrate the filter, from a picture. */
  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    return picture;
  }

protected:
  /** The file to read. */
  const std::string &
  GetInput() const
  {
    return m_Input;
  }

  /** The file to write. */
  const std::string &
  GetOutput() const
  {
    return m_Output;
  }

  /** Whether pixels are to be read as another type. */
  bool
  IsConverted() const
  {
    return !m_PixelType.empty();
  }

  /** Whether a picture is to be drawn. */
  bool
  HasPicture() const
  {
    return !m_Picture.empty();
  }

  /** Whether the filter is to run several times. */
  bool
  IsRepeated() const
  {
    return m_Repetitions > 0;
  }

  /** Adds the options of the filter. */
  virtual void
  AddOptions(CLI::App & app) = 0;

  /** Files to write beside the output and the picture; names may be empty. */
  virtual std::vector<std::string>
  GetOtherFiles() const
  {
    return {};
  }

  /** Files to read beside the input; names may be empty. */
  virtual std::vector<std::string>
  GetOtherInputs() const
  {
    return {};
  }

private:
  template <typename TImage>
  static Demonstration::ImageType::Pointer
  ToDemonstration(const TImage * image)
  {
    const auto cast = itk::CastImageFilter<TImage, Demonstration::ImageType>::New();
    cast->SetInput(image);
    cast->InPlaceOff();
    cast->Update();
    return cast->GetOutput();
  }

  void
  CheckFilesDiffer() const
  {
    std::vector<std::string> files = this->GetOtherFiles();
    files.push_back(m_Output);
    files.push_back(m_Picture);
    for (std::size_t i = 0; i < files.size(); ++i)
    {
      for (std::size_t j = 0; j < i; ++j)
      {
        if (AreSameFile(files[i], files[j]))
        {
          throw UserError("'" + files[i] + "' and '" + files[j] + "', which are to be written, are the same file");
        }
      }
    }
    std::vector<std::string> inputs = this->GetOtherInputs();
    inputs.push_back(m_Input);
    for (const std::string & input : inputs)
    {
      if (AreSameFile(m_Picture, input))
      {
        throw UserError("the picture would replace an input: they are the same file");
      }
    }
  }

  const TCommand &
  GetSelf() const
  {
    return static_cast<const TCommand &>(*this);
  }

  template <unsigned int VDimension>
  void
  RunInDimension(const std::string & type, bool convert)
  {
    if (type == "uint8")
    {
      this->RunOn<itk::Image<unsigned char, VDimension>>(convert);
    }
    else if (type == "uint16")
    {
      this->RunOn<itk::Image<unsigned short, VDimension>>(convert);
    }
    else if (type == "int16")
    {
      this->RunOn<itk::Image<short, VDimension>>(convert);
    }
    else if (type == "float32")
    {
      this->RunOn<itk::Image<float, VDimension>>(convert);
    }
    else
    {
      this->RunOn<itk::Image<double, VDimension>>(convert);
    }
  }

  template <typename TImage>
  void
  RunOn(bool convert)
  {
    using FilterType = typename decltype(this->GetSelf().MakeFilter(std::declval<const TImage &>()))::ObjectType;
    using OutputImageType = std::remove_pointer_t<decltype(this->GetSelf().GetResult(std::declval<FilterType &>()))>;

    const OutputFile output(m_Output);
    const auto       pictureFile = m_Picture.empty() ? nullptr : std::make_unique<OutputFile>(m_Picture);
    auto             prepared = this->GetSelf().template Prepare<OutputImageType>();

    typename TImage::Pointer image;
    Slices                   input;
    const double             readTime = TimeInMilliseconds([&] {
      image = ReadPixels<TImage>(m_Input, convert);
      input = pictureFile ? Slices(*image) : Slices(); // before the image is changed
      this->GetSelf().PrepareInput(*image);
    });

    const auto          filter = this->GetSelf().MakeFilter(*image);
    ProgressBar         bar(*filter, this->GetName());
    const double        filterTime = TimeInMilliseconds([&] {
      filter->SetInput(image);
      filter->Update();
    });
    const auto          stages = filter->GetStageTimes();
    std::vector<double> repeatedTimes;
    for (unsigned int i = 0; i < m_Repetitions; ++i)
    {
      filter->Modified();
      repeatedTimes.push_back(TimeInMilliseconds([&] { filter->Update(); }));
    }
    bar.Finish();

    const double writeTime = TimeInMilliseconds([&] {
      this->GetSelf().Finish(*filter, std::move(prepared));
      this->GetSelf().WriteOutput(output, this->GetSelf().GetResult(*filter));
    });
    const double pictureTime = TimeInMilliseconds([&] {
      if (pictureFile)
      {
        pictureFile->Write(this->GetSelf().Draw(input, *filter).GetPointer());
      }
    });
    if (this->WantsTiming())
    {
      ShowTime("read", readTime);
      ShowTime(this->GetName(), filterTime, filter->GetExecutedOn());
      for (const auto & stage : stages)
      {
        ShowTime("  " + stage.Name, stage.Milliseconds);
      }
      if (!repeatedTimes.empty())
      {
        std::sort(repeatedTimes.begin(), repeatedTimes.end());
        ShowTime("median of " + std::to_string(repeatedTimes.size()) + " repetitions",
                 repeatedTimes[repeatedTimes.size() / 2]);
      }
      ShowTime("write", writeTime);
      if (pictureFile)
      {
        ShowTime("picture", pictureTime);
      }
    }
  }

  std::string  m_Input;
  std::string  m_Output;
  std::string  m_Picture;
  std::string  m_PixelType; // empty: as in the file
  bool         m_Timing = false;
  unsigned int m_Repetitions = 0;
};

#endif
