// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_VolumeView_h
#define cudafilters_view_VolumeView_h

#include "Plane.h"
#include <array>
#include <string>
#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>

/** A part of the window with three slices and a surface in space. */
class VolumeView
{
public:
  explicit VolumeView(vtkImageData * image);

  vtkRenderer *
  GetRenderer() const
  {
    return m_Renderer;
  }
  Plane &
  GetPlane(int axis)
  {
    return m_Planes[axis];
  }

  /** surface: nullptr for none; why: said instead. */
  void
  ShowSurface(vtkPolyData * surface, const std::string & why = {});
  void
  SetPlanesVisible(bool isVisible);

  void
  ResetCamera();
  /** Turns the view about the vertical axis. */
  void
  Turn(double degrees);

private:
  vtkImageData *            m_Image;
  std::array<Plane, 3>      m_Planes;
  vtkNew<vtkRenderer>       m_Renderer;
  vtkNew<vtkActor>          m_Surface;
  vtkNew<vtkPolyDataMapper> m_SurfaceMapper;
  vtkNew<vtkTextActor>      m_Message;
};

#endif
