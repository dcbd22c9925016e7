// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Plane.h"
#include "ColourTables.h"
#include <vtkImageProperty.h>

Plane::Plane(int axis, bool isInSpace)
{
  const auto prepare = [&](vtkImageSlice & slice, vtkImageSliceMapper & mapper, int layer) {
    mapper.SetOrientation(axis);
    mapper.BorderOn(); // whole pixels at the border of the image
    slice.SetMapper(&mapper);
    slice.GetProperty()->SetInterpolationTypeToNearest();
    slice.GetProperty()->SetLayerNumber(layer);
  };
  prepare(*m_Grey, *m_GreyMapper, 0);
  prepare(*m_Overlay, *m_OverlayMapper, 1);
  m_Overlay->GetProperty()->UseLookupTableScalarRangeOn();
  m_Stack->AddImage(m_Grey);
  if (isInSpace)
  {
    m_Grey->GetProperty()->SetLookupTable(MakeGreyWithoutDark());
  }
}

void
Plane::ShowGrey(vtkImageData * image)
{
  m_GreyMapper->SetInputData(image);
}

void
Plane::ShowOverlay(vtkImageData * image, vtkScalarsToColors * colours)
{
  m_Stack->RemoveImage(m_Overlay);
  if (colours != nullptr)
  {
    m_OverlayMapper->SetInputData(image);
    m_Overlay->GetProperty()->SetLookupTable(colours);
    m_Stack->AddImage(m_Overlay);
  }
}

void
Plane::SetSlice(int slice)
{
  m_GreyMapper->SetSliceNumber(slice);
  m_OverlayMapper->SetSliceNumber(slice);
}

void
Plane::SetWindow(double low, double high)
{
  m_Grey->GetProperty()->SetColorWindow(high - low);
  m_Grey->GetProperty()->SetColorLevel(0.5 * (low + high));
}
