// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Shows the edges in a volume as a surface: EdgeSurface INPUT OUTPUT.png [VARIANCE [UPPER [LOWER]]]

#include "ConnectPipelines.h"
#include "WritePicture.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkImageFileReader.h"
#include "itkVTKImageExport.h"
#include <cstdlib>
#include <iostream>
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageCast.h>
#include <vtkImageGaussianSmooth.h>
#include <vtkImageImport.h>
#include <vtkPlane.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

int
main(int argc, char * argv[])
{
  if (argc < 3 || argc > 6)
  {
    std::cerr << "usage: " << argv[0] << " INPUT OUTPUT.png [VARIANCE [UPPER [LOWER]]]" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    using ImageType = itk::Image<float, 3>;
    using EdgesType = itk::Image<unsigned char, 3>;
    const auto canny = itk::CudaCannyEdgeDetectionImageFilter<ImageType, EdgesType>::New();
    canny->SetInput(itk::ReadImage<ImageType>(argv[1]));
    canny->SetVariance(argc > 3 ? std::stod(argv[3]) : 2.0);
    canny->SetUpperThreshold(argc > 4 ? std::stof(argv[4]) : 10.0f);
    canny->SetLowerThreshold(argc > 5 ? std::stof(argv[5]) : 5.0f);

    const auto exporter = itk::VTKImageExport<EdgesType>::New();
    exporter->SetInput(canny->GetOutput());
    const vtkNew<vtkImageImport> importer;
    ConnectPipelines(*exporter, *importer);

    // Edges are one pixel thick: blurred a little, they have a smooth surface.
    const vtkNew<vtkImageCast> toFloat;
    toFloat->SetInputConnection(importer->GetOutputPort());
    toFloat->SetOutputScalarTypeToFloat();
    const vtkNew<vtkImageGaussianSmooth> blur;
    blur->SetInputConnection(toFloat->GetOutputPort());
    blur->SetStandardDeviation(0.8);
    const vtkNew<vtkFlyingEdges3D> surface;
    surface->SetInputConnection(blur->GetOutputPort());
    surface->SetValue(0, 0.2);
    surface->ComputeScalarsOff();
    surface->Update(); // runs the whole pipeline
    std::cout << "Edges found on: " << canny->GetExecutedOn() << "\n"
              << surface->GetOutput()->GetNumberOfPolys() << " triangles" << std::endl;

    const vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(surface->GetOutputPort());
    // Without its front half, one sees what is inside.
    const vtkNew<vtkPlane> cut;
    cut->SetOrigin(surface->GetOutput()->GetCenter());
    cut->SetNormal(0.0, 1.0, 0.0);
    mapper->AddClippingPlane(cut);
    const vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0.95, 0.75, 0.55);
    const vtkNew<vtkRenderer> scene;
    scene->AddActor(actor);
    LookFromTheFront(*scene);
    scene->GetActiveCamera()->Zoom(1.3);
    scene->ResetCameraClippingRange();
    WritePicture(*scene, 640, 560, argv[2]);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
