// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_SharedImage_h
#define cudafilters_view_SharedImage_h

#include "itkVTKImageExport.h"
#include <memory>
#include <vtkImageData.h>
#include <vtkImageImport.h>
#include <vtkSmartPointer.h>

/** An image of ITK as VTK sees it: the same pixels, by ITK's bridge. They live as long as this object. */
class SharedImage
{
public:
  template <typename TImage>
  static std::shared_ptr<const SharedImage>
  Make(TImage * image)
  {
    const auto exporter = itk::VTKImageExport<TImage>::New();
    exporter->SetInput(image);
    return std::make_shared<SharedImage>(exporter);
  }

  explicit SharedImage(itk::VTKImageExportBase * exporter);

  vtkImageData *
  Get() const
  {
    return m_Importer->GetOutput();
  }

private:
  itk::VTKImageExportBase::Pointer m_Exporter; // keeps the image
  vtkSmartPointer<vtkImageImport>  m_Importer;
};

#endif
