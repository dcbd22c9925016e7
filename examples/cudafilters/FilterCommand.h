// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_FilterCommand_h
#define cudafilters_FilterCommand_h

#include "Command.h"
#include "ImageFile.h"
#include "Terminal.h"
#include "itkCudaInterface.h"
#include "itkImageRegionConstIterator.h"
#include <algorithm>
#include <cmath>

/** A command that reads an image, runs one filter, and writes an image of the same kind. TCommand has
 *
 *   template <typename TImage> auto MakeFilter(const TImage & image) const;
 *
 * which makes the filter for an image and sets its parameters. */
template <typename TCommand>
class FilterCommand : public Command
{
public:
  using Command::Command;

  void
  Run(const ImageOptions & options) override
  {
    const ImageDescription description = DescribeImage(options.Input);
    const std::string      type = options.PixelType.empty() ? description.PixelType : options.PixelType;
    if (description.Dimension == 2)
    {
      this->RunInDimension<2>(options, type, type != description.PixelType);
    }
    else
    {
      this->RunInDimension<3>(options, type, type != description.PixelType);
    }
  }

  Demonstration
  Demonstrate(const Demonstration::ImageType * image) override
  {
    using ImageType = Demonstration::ImageType;

    Demonstration demonstration;
    demonstration.Name = this->GetName();
    const auto filter = this->GetSelf().MakeFilter(*image);
    filter->SetInput(image);
    filter->Update(); // so that the device and its pools are ready
    demonstration.Milliseconds = TimeInMilliseconds([&] {
      filter->Modified();
      filter->Update();
    });
    demonstration.ExecutedOn = filter->GetExecutedOn();
    demonstration.Result = filter->GetOutput();

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

    itk::ImageRegionConstIterator<ImageType> a(cpuFilter->GetOutput(), image->GetBufferedRegion());
    itk::ImageRegionConstIterator<ImageType> b(filter->GetOutput(), image->GetBufferedRegion());
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

private:
  const TCommand &
  GetSelf() const
  {
    return static_cast<const TCommand &>(*this);
  }

  template <unsigned int VDimension>
  void
  RunInDimension(const ImageOptions & options, const std::string & type, bool convert)
  {
    if (type == "uint8")
    {
      this->RunOn<itk::Image<unsigned char, VDimension>>(options, convert);
    }
    else if (type == "uint16")
    {
      this->RunOn<itk::Image<unsigned short, VDimension>>(options, convert);
    }
    else if (type == "int16")
    {
      this->RunOn<itk::Image<short, VDimension>>(options, convert);
    }
    else if (type == "float32")
    {
      this->RunOn<itk::Image<float, VDimension>>(options, convert);
    }
    else
    {
      this->RunOn<itk::Image<double, VDimension>>(options, convert);
    }
  }

  template <typename TImage>
  void
  RunOn(const ImageOptions & options, bool convert)
  {
    OutputFile<TImage> output(options.Output);

    typename TImage::Pointer image;
    const double             readTime = TimeInMilliseconds([&] { image = ReadPixels<TImage>(options.Input, convert); });

    const auto   filter = this->GetSelf().MakeFilter(*image);
    ProgressBar  bar(*filter, this->GetName());
    const double filterTime = TimeInMilliseconds([&] {
      filter->SetInput(image);
      filter->Update();
    });
    bar.Finish();

    const double writeTime = TimeInMilliseconds([&] { output.Write(filter->GetOutput()); });
    if (options.Timing)
    {
      ShowTime("read", readTime);
      ShowTime(this->GetName(), filterTime, filter->GetExecutedOn());
      for (const auto & stage : filter->GetStageTimes())
      {
        ShowTime("  " + stage.Name, stage.Milliseconds);
      }
      ShowTime("write", writeTime);
    }
  }
};

#endif
