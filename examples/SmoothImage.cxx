// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Smooths an image on the GPU where there is one: SmoothImage INPUT OUTPUT

#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include <cstdlib>
#include <iostream>

int
main(int argc, char * argv[])
{
  if (argc != 3)
  {
    std::cerr << "usage: " << argv[0] << " INPUT OUTPUT" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<unsigned char, 2>;
    const auto smooth = itk::CudaDiscreteGaussianImageFilter<ImageType>::New();
    smooth->SetInput(itk::ReadImage<ImageType>(argv[1]));
    smooth->SetVariance(4.0);
    smooth->Update();
    itk::WriteImage(smooth->GetOutput(), argv[2]);
    std::cout << "Smoothed on: " << smooth->GetExecutedOn() << std::endl;
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
