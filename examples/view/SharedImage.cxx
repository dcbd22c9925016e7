// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "SharedImage.h"
#include "ConnectPipelines.h"

SharedImage::SharedImage(itk::VTKImageExportBase * exporter)
  : m_Exporter(exporter)
  , m_Importer(vtkSmartPointer<vtkImageImport>::New())
{
  ConnectPipelines(*exporter, *m_Importer);
  m_Importer->Update();
}
