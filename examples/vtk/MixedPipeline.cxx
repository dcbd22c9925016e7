// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A pipeline of CUDA filters, VTK filters and CUDA filters again, and the copies between host and device that it takes:
// MixedPipeline INPUT OUTPUT

#include "ConnectPipelines.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGradientMagnitudeImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkVTKImageExport.h"
#include "itkVTKImageImport.h"
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vtkImageAnisotropicDiffusion2D.h>
#include <vtkImageExport.h>
#include <vtkImageImport.h>
#include <vtkNew.h>

namespace
{
void
ShowCopies(const char * when)
{
  static itk::CudaCopyCounters before;
  const itk::CudaCopyCounters  now = itk::CudaInterface::GetCopyCounters();
  const itk::CudaCopyCounters  copies = now - before;
  before = now;
  std::cout << when << ": " << copies.Uploads << " uploads, " << copies.Downloads << " downloads" << std::endl;
}
} // namespace

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
    using ImageType = itk::Image<float, 2>;
    using MaskType = itk::Image<unsigned char, 2>;

    // On the device: the median goes from filter to filter there.
    const auto median = itk::CudaMedianImageFilter<ImageType, ImageType>::New();
    median->SetInput(itk::ReadImage<ImageType>(argv[1]));
    median->SetRadius(1);
    const auto gaussian = itk::CudaDiscreteGaussianImageFilter<ImageType, ImageType>::New();
    gaussian->SetInput(median->GetOutput());
    gaussian->SetVariance(1.0);

    // In VTK, on the CPU.
    const auto exporter = itk::VTKImageExport<ImageType>::New();
    exporter->SetInput(gaussian->GetOutput());
    const vtkNew<vtkImageImport> toVtk;
    ConnectPipelines(*exporter, *toVtk);
    const vtkNew<vtkImageAnisotropicDiffusion2D> diffusion;
    diffusion->SetInputConnection(toVtk->GetOutputPort());
    diffusion->SetDiffusionThreshold(10.0);
    const vtkNew<vtkImageExport> fromVtk;
    fromVtk->SetInputConnection(diffusion->GetOutputPort());

    // Back on the device.
    const auto importer = itk::VTKImageImport<ImageType>::New();
    ConnectPipelines(*fromVtk, *importer);
    const auto gradient = itk::CudaGradientMagnitudeImageFilter<ImageType, ImageType>::New();
    gradient->SetInput(importer->GetOutput());
    const auto threshold = itk::CudaBinaryThresholdImageFilter<ImageType, MaskType>::New();
    threshold->SetInput(gradient->GetOutput());
    threshold->SetLowerThreshold(8.0f);
    threshold->SetUpperThreshold(std::numeric_limits<float>::infinity());

    diffusion->Update();
    ShowCopies("median, gaussian and VTK's diffusion");
    threshold->Update();
    ShowCopies("gradient and threshold");
    itk::WriteImage(threshold->GetOutput(), argv[2]);
    ShowCopies("writing");
    std::cout << "Ran on: " << threshold->GetExecutedOn() << std::endl;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
