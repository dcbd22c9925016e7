// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Plane_h
#define cudafilters_view_Plane_h

#include <vtkImageData.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkImageStack.h>
#include <vtkNew.h>
#include <vtkScalarsToColors.h>

/** A slice of an image in grey levels, and above it the same slice of another image in colours. */
class Plane
{
public:
  /** axis: the one that is at right angles to the slice. isInSpace: what is dark is transparent, since it would hide
   * what is behind it. */
  Plane(int axis, bool isInSpace);

  vtkImageStack *
  GetProp() const
  {
    return m_Stack;
  }

  void
  ShowGrey(vtkImageData * image);
  /** colours: nullptr for no overlay. */
  void
  ShowOverlay(vtkImageData * image, vtkScalarsToColors * colours);

  void
  SetSlice(int slice);
  /** The grey levels from black to white. */
  void
  SetWindow(double low, double high);

private:
  vtkNew<vtkImageStack>       m_Stack;
  vtkNew<vtkImageSlice>       m_Grey;
  vtkNew<vtkImageSlice>       m_Overlay;
  vtkNew<vtkImageSliceMapper> m_GreyMapper;
  vtkNew<vtkImageSliceMapper> m_OverlayMapper;
};

#endif
