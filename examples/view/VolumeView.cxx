// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "VolumeView.h"
#include "SliceView.h"
#include <vtkCamera.h>
#include <vtkProperty.h>

VolumeView::VolumeView(vtkImageData * image)
  : m_Image(image)
  , m_Planes{ Plane(0, true), Plane(1, true), Plane(2, true) }
{
  m_Renderer->SetBackground(0.09, 0.1, 0.13);
  for (const Plane & plane : m_Planes)
  {
    m_Renderer->AddViewProp(plane.GetProp());
  }
  m_Surface->SetMapper(m_SurfaceMapper);
  m_Surface->GetProperty()->SetColor(0.95, 0.55, 0.35);
  m_Surface->GetProperty()->SetAmbient(0.2);
  m_Surface->GetProperty()->SetSpecular(0.2);
  m_Surface->VisibilityOff();
  m_Renderer->AddViewProp(m_Surface);
  PlaceText(*m_Message, 0.02, 0.98, 13);
  m_Renderer->AddViewProp(m_Message);
}

void
VolumeView::ShowSurface(vtkPolyData * surface, const std::string & why)
{
  if (surface != nullptr)
  {
    m_SurfaceMapper->SetInputData(surface);
  }
  m_Surface->SetVisibility(surface != nullptr ? 1 : 0);
  m_Message->SetInput(why.c_str());
}

void
VolumeView::SetPlanesVisible(bool isVisible)
{
  for (const Plane & plane : m_Planes)
  {
    plane.GetProp()->SetVisibility(isVisible ? 1 : 0);
  }
}

void
VolumeView::ResetCamera()
{
  double bounds[6];
  m_Image->GetBounds(bounds);
  vtkCamera & camera = *m_Renderer->GetActiveCamera();
  camera.SetFocalPoint(0.0, 0.0, 0.0);
  camera.SetPosition(0.6, -1.0, 0.45);
  camera.SetViewUp(0.0, 0.0, 1.0);
  m_Renderer->ResetCamera(bounds);
  camera.Zoom(1.3);
}

void
VolumeView::Turn(double degrees)
{
  vtkCamera & camera = *m_Renderer->GetActiveCamera();
  camera.Azimuth(degrees);
  m_Renderer->ResetCameraClippingRange();
}
