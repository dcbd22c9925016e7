// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef examples_vtk_ConnectPipelines_h
#define examples_vtk_ConnectPipelines_h

#include "itkVTKImageExportBase.h"
#include <vtkImageImport.h>

/** Makes the end of an ITK pipeline the beginning of one of VTK: VTK's Update() updates ITK's filters, and VTK's image
 * has ITK's pixels, without a copy. The exporter must live as long as the importer. VTK is not told the directions of
 * the image, whose slices it shows along the axes of the image. */
inline void
ConnectPipelines(itk::VTKImageExportBase & exporter, vtkImageImport & importer)
{
  importer.SetUpdateInformationCallback(exporter.GetUpdateInformationCallback());
  importer.SetPipelineModifiedCallback(exporter.GetPipelineModifiedCallback());
  importer.SetWholeExtentCallback(exporter.GetWholeExtentCallback());
  importer.SetSpacingCallback(exporter.GetSpacingCallback());
  importer.SetOriginCallback(exporter.GetOriginCallback());
  importer.SetScalarTypeCallback(exporter.GetScalarTypeCallback());
  importer.SetNumberOfComponentsCallback(exporter.GetNumberOfComponentsCallback());
  importer.SetPropagateUpdateExtentCallback(exporter.GetPropagateUpdateExtentCallback());
  importer.SetUpdateDataCallback(exporter.GetUpdateDataCallback());
  importer.SetDataExtentCallback(exporter.GetDataExtentCallback());
  importer.SetBufferPointerCallback(exporter.GetBufferPointerCallback());
  importer.SetCallbackUserData(exporter.GetCallbackUserData());
}

#endif
