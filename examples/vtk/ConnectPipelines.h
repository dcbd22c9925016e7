// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef examples_vtk_ConnectPipelines_h
#define examples_vtk_ConnectPipelines_h

/** Makes the end of an ITK pipeline, an itk::VTKImageExport, the beginning of one of VTK, a vtkImageImport; or the end
 * of one of VTK, a vtkImageExport, the beginning of one of ITK, an itk::VTKImageImport. An update behind the connection
 * updates the filters before it, and both sides use the same pixels, without a copy. The exporter must live as long as
 * the importer. The direction of an image is not passed on: VTK shows slices along the axes of the image. */
template <typename TExporter, typename TImporter>
void
ConnectPipelines(TExporter & exporter, TImporter & importer)
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
