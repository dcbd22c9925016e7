// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Finds the edges in a picture, tells how long each stage took on the device, and compares with ITK's own filter:
//
//   DetectEdges INPUT OUTPUT [VARIANCE [UPPER [LOWER]]]

#include "itkCannyEdgeDetectionImageFilter.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkEdgeQualityCalculator.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkRescaleIntensityImageFilter.h"
#include "itkTimeProbe.h"
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace
{
void
Show(const std::string & stage, double milliseconds)
{
  std::printf("%-34s %9.3f ms\n", stage.c_str(), milliseconds);
}

/** Updates a filter that has run before, and gives the time that took. */
template <typename TFilter>
double
TimeUpdate(TFilter & filter)
{
  itk::TimeProbe probe;
  filter.Modified();
  probe.Start();
  filter.Update();
  probe.Stop();
  return probe.GetTotal() * 1000.0;
}
} // namespace

int
main(int argc, char * argv[])
{
  if (argc < 3 || argc > 6)
  {
    std::cerr << "Usage: DetectEdges INPUT OUTPUT [VARIANCE [UPPER [LOWER]]]" << std::endl;
    return EXIT_FAILURE;
  }
  using ImageType = itk::Image<float, 2>;
  using PictureType = itk::Image<unsigned char, 2>;

  try
  {
    const double variance = argc > 3 ? std::stod(argv[3]) : 1.96;
    const float  upper = argc > 4 ? std::stof(argv[4]) : 7.0f;
    const float  lower = argc > 5 ? std::stof(argv[5]) : 4.0f;
    const auto   image = itk::ReadImage<ImageType>(argv[1]);
    const auto   configure = [&](auto & filter) {
      filter.SetInput(image);
      filter.SetVariance(variance);
      filter.SetUpperThreshold(upper);
      filter.SetLowerThreshold(lower);
      filter.Update(); // once, so that devices and threads are ready
    };

    const auto cuda = itk::CudaCannyEdgeDetectionImageFilter<ImageType, ImageType>::New();
    const auto interface = itk::CudaInterface::New();
    interface->SetTiming(true);
    cuda->SetCudaInterface(interface);
    configure(*cuda);
    const double total = TimeUpdate(*cuda);

    std::cout << "Ran on: " << cuda->GetExecutedOn() << std::endl;
    double onDevice = 0.0;
    for (const auto & stage : cuda->GetStageTimes())
    {
      Show("  " + stage.Name, stage.Milliseconds);
      onDevice += stage.Milliseconds;
    }
    if (cuda->GetExecutedOnDevice())
    {
      Show("  copies, and the pipeline", total - onDevice);
    }
    Show("Update()", total);

    const auto cpu = itk::CannyEdgeDetectionImageFilter<ImageType, ImageType>::New();
    configure(*cpu);
    Show("ITK's Update(), on the CPU", TimeUpdate(*cpu));

    const auto quality = itk::EdgeQualityCalculator<ImageType>::New();
    quality->SetReferenceImage(cpu->GetOutput());
    quality->SetImage(cuda->GetOutput());
    quality->Compute();
    std::printf("Edges as ITK's: P_co %.6f, P_nd %.6f, P_fa %.6f\n",
                quality->GetCorrectFraction(),
                quality->GetMissedFraction(),
                quality->GetFalseAlarmFraction());

    const auto rescale = itk::RescaleIntensityImageFilter<ImageType, PictureType>::New();
    rescale->SetInput(cuda->GetOutput());
    rescale->Update();
    itk::WriteImage(rescale->GetOutput(), argv[2]);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
