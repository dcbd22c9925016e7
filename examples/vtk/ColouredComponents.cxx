// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Shows the objects of at least a level in colours, and a table of their sizes: ColouredComponents INPUT OUTPUT.png
// LEVEL

#include "ConnectPipelines.h"
#include "WritePicture.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaRelabelComponentImageFilter.h"
#include "itkImageFileReader.h"
#include "itkVTKImageExport.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vtkActor.h>
#include <vtkDiscreteFlyingEdges3D.h>
#include <vtkImageImport.h>
#include <vtkLookupTable.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataNormals.h>
#include <vtkWindowedSincPolyDataFilter.h>

int
main(int argc, char * argv[])
{
  if (argc != 4)
  {
    std::cerr << "usage: " << argv[0] << " INPUT OUTPUT.png LEVEL" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    constexpr unsigned int most = 20; // objects that are shown
    using ImageType = itk::Image<float, 3>;
    using MaskType = itk::Image<unsigned char, 3>;
    using LabelsType = itk::Image<unsigned int, 3>;
    const auto image = itk::ReadImage<ImageType>(argv[1]);
    const auto threshold = itk::CudaBinaryThresholdImageFilter<ImageType, MaskType>::New();
    threshold->SetInput(image);
    threshold->SetLowerThreshold(std::stof(argv[3]));
    threshold->SetUpperThreshold(std::numeric_limits<float>::infinity());
    const auto components = itk::CudaConnectedComponentImageFilter<MaskType, LabelsType>::New();
    components->SetInput(threshold->GetOutput());
    const auto order = itk::CudaRelabelComponentImageFilter<LabelsType, LabelsType>::New();
    order->SetInput(components->GetOutput());
    const auto exporter = itk::VTKImageExport<LabelsType>::New();
    exporter->SetInput(order->GetOutput());
    const vtkNew<vtkImageImport> importer;
    ConnectPipelines(*exporter, *importer);
    importer->Update();

    // The largest objects have the smallest labels.
    const auto shown = static_cast<int>(std::min<itk::SizeValueType>(order->GetNumberOfObjects(), most));
    std::printf("%llu objects, found on: %s\n",
                static_cast<unsigned long long>(order->GetNumberOfObjects()),
                components->GetExecutedOn().c_str());
    if (shown == 0)
    {
      throw std::runtime_error(std::string("no pixel is as bright as ") + argv[3]);
    }
    std::printf("%6s %10s %12s\n", "label", "pixels", "volume");
    for (int i = 0; i < shown; ++i)
    {
      std::printf("%6d %10llu %12.1f\n",
                  i + 1,
                  static_cast<unsigned long long>(order->GetSizeOfObjectInPixels(i + 1)),
                  static_cast<double>(order->GetSizeOfObjectInPhysicalUnits(i + 1)));
    }

    const vtkNew<vtkDiscreteFlyingEdges3D> surfaces;
    surfaces->SetInputConnection(importer->GetOutputPort());
    surfaces->GenerateValues(shown, 1, shown);
    const vtkNew<vtkWindowedSincPolyDataFilter> smooth;
    smooth->SetInputConnection(surfaces->GetOutputPort());
    const vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputConnection(smooth->GetOutputPort());
    const vtkNew<vtkLookupTable> colours;
    colours->SetNumberOfTableValues(std::max(shown, 1));
    colours->SetTableRange(1, std::max(shown, 2));
    colours->SetHueRange(0.0, 0.85);
    colours->SetSaturationRange(0.65, 0.65);
    colours->Build();
    const vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(normals->GetOutputPort());
    mapper->SetLookupTable(colours);
    mapper->UseLookupTableScalarRangeOn();
    const vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    const vtkNew<vtkRenderer> scene;
    scene->AddActor(actor);
    LookFromTheFront(*scene);
    WritePicture(*scene, 640, 560, argv[2]);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
