// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_SliceView_h
#define cudafilters_view_SliceView_h

#include "Plane.h"
#include <array>
#include <string>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>

/** The letters of the patient's sides at the two ends of each axis of an image; empty for pictures. */
using SideLetters = std::array<std::array<std::string, 2>, 3>;

/** A part of the window with a slice along two axes of the image. */
class SliceView
{
public:
  /** axis: the one that is at right angles to the slice. isVolume: whether there is more than one slice to tell of. */
  SliceView(int axis, vtkImageData * image, const SideLetters & letters, bool isVolume);

  int
  GetAxis() const
  {
    return m_Axis;
  }
  vtkRenderer *
  GetRenderer() const
  {
    return m_Renderer;
  }
  Plane &
  GetPlane()
  {
    return m_Plane;
  }

  /** slice: its number in the extent of the image. */
  void
  SetSlice(int slice);
  int
  GetSlice() const
  {
    return m_Slice;
  }

  /** Makes the slice fill the view. */
  void
  ResetCamera();

private:
  int                  m_Axis;
  int                  m_Slice = 0;
  vtkImageData *       m_Image;
  bool                 m_IsVolume;
  Plane                m_Plane;
  vtkNew<vtkRenderer>  m_Renderer;
  vtkNew<vtkTextActor> m_Number;
};

/** A line of text in a renderer, at a place from 0 to 1 along its width and height. */
void
PlaceText(vtkTextActor & actor, double x, double y, int size);

#endif
