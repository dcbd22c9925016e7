// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Draws lines of equal distance to the objects of at least a level on a picture:
// DistanceContours INPUT OUTPUT.png LEVEL [STEP]

#include "ConnectPipelines.h"
#include "WritePicture.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkImageFileReader.h"
#include "itkVTKImageExport.h"
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkContourFilter.h>
#include <vtkImageActor.h>
#include <vtkImageData.h>
#include <vtkImageImport.h>
#include <vtkImageMapper3D.h>
#include <vtkImageProperty.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

int
main(int argc, char * argv[])
{
  if (argc < 4 || argc > 5)
  {
    std::cerr << "usage: " << argv[0] << " INPUT OUTPUT.png LEVEL [STEP]" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 2>;
    using MaskType = itk::Image<unsigned char, 2>;
    const double step = argc > 4 ? std::stod(argv[4]) : 5.0;
    const auto   image = itk::ReadImage<ImageType>(argv[1]);
    const auto   threshold = itk::CudaBinaryThresholdImageFilter<ImageType, MaskType>::New();
    threshold->SetInput(image);
    threshold->SetLowerThreshold(std::stof(argv[3]));
    threshold->SetUpperThreshold(std::numeric_limits<float>::infinity());
    const auto distance = itk::CudaSignedMaurerDistanceMapImageFilter<MaskType, ImageType>::New();
    distance->SetInput(threshold->GetOutput());
    distance->SquaredDistanceOff();
    distance->UseImageSpacingOn();

    const auto pictureExporter = itk::VTKImageExport<ImageType>::New();
    pictureExporter->SetInput(image);
    const vtkNew<vtkImageImport> picture;
    ConnectPipelines(*pictureExporter, *picture);
    picture->Update();
    const auto distanceExporter = itk::VTKImageExport<ImageType>::New();
    distanceExporter->SetInput(distance->GetOutput());
    const vtkNew<vtkImageImport> distances;
    ConnectPipelines(*distanceExporter, *distances);
    distances->Update();
    std::cout << "Distances found on: " << distance->GetExecutedOn() << std::endl;

    double range[2];
    distances->GetOutput()->GetScalarRange(range);
    const vtkNew<vtkContourFilter> contours;
    contours->SetInputConnection(distances->GetOutputPort());
    int lines = 0;
    for (double level = 0.0; level <= range[1] && lines < 100; level += step)
    {
      contours->SetValue(lines++, level);
    }
    const vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(contours->GetOutputPort());
    mapper->SetScalarRange(0.0, range[1]);
    const vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetLineWidth(1.5f);
    actor->GetProperty()->LightingOff();

    double grey[2];
    picture->GetOutput()->GetScalarRange(grey);
    const vtkNew<vtkImageActor> background;
    background->GetMapper()->SetInputConnection(picture->GetOutputPort());
    background->GetProperty()->SetColorWindow(grey[1] - grey[0]);
    background->GetProperty()->SetColorLevel(0.5 * (grey[0] + grey[1]));

    const vtkNew<vtkRenderer> scene;
    scene->AddActor(background);
    scene->AddActor(actor);
    // Towards the first row of the picture is up; the camera stands on the side where x is to the right.
    double bounds[6];
    picture->GetOutput()->GetBounds(bounds);
    vtkCamera & camera = *scene->GetActiveCamera();
    camera.ParallelProjectionOn();
    camera.SetFocalPoint(0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.0);
    camera.SetPosition(0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), -1.0);
    camera.SetViewUp(0.0, -1.0, 0.0);
    camera.SetParallelScale(0.5 * (bounds[3] - bounds[2]));
    scene->ResetCameraClippingRange();
    const auto size = image->GetBufferedRegion().GetSize();
    WritePicture(*scene, static_cast<int>(3 * size[0]), static_cast<int>(3 * size[1]), argv[2]);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
