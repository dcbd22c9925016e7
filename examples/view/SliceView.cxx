// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "SliceView.h"
#include <algorithm>
#include <vtkCamera.h>
#include <vtkCoordinate.h>
#include <vtkTextProperty.h>

namespace
{
/** Where a viewer of a slice stands: the axes of the image to the right and upwards, and whether they point there. */
struct Pose
{
  int  Right;
  int  Up;
  bool IsUpwards; // else the axis points down
};

/** For images without a direction, as radiologists look: from the feet, from the front and from the side; pictures
 * begin with their upper row. */
Pose
GetPose(int axis)
{
  return axis == 2 ? Pose{ 0, 1, false } : (axis == 1 ? Pose{ 0, 2, true } : Pose{ 1, 2, true });
}
} // namespace

void
PlaceText(vtkTextActor & actor, double x, double y, int size)
{
  actor.GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
  actor.SetPosition(x, y);
  vtkTextProperty & property = *actor.GetTextProperty();
  property.SetFontSize(size);
  property.SetFontFamilyToArial();
  property.SetColor(1.0, 1.0, 1.0);
  property.SetShadow(1);
  x < 0.34 ? property.SetJustificationToLeft()
           : (x > 0.66 ? property.SetJustificationToRight() : property.SetJustificationToCentered());
  y < 0.34 ? property.SetVerticalJustificationToBottom()
           : (y > 0.66 ? property.SetVerticalJustificationToTop() : property.SetVerticalJustificationToCentered());
}

SliceView::SliceView(int axis, vtkImageData * image, const SideLetters & letters, bool isVolume)
  : m_Axis(axis)
  , m_Image(image)
  , m_IsVolume(isVolume)
  , m_Plane(axis, false)
{
  m_Renderer->SetBackground(0.0, 0.0, 0.0);
  m_Renderer->AddViewProp(m_Plane.GetProp());
  m_Renderer->GetActiveCamera()->ParallelProjectionOn();
  PlaceText(*m_Number, 0.02, 0.98, 13);
  m_Renderer->AddViewProp(m_Number);

  const Pose pose = GetPose(axis);
  const auto write = [&](const std::string & letter, double x, double y) {
    const vtkNew<vtkTextActor> actor;
    actor->SetInput(letter.c_str());
    PlaceText(*actor, x, y, 13);
    m_Renderer->AddViewProp(actor);
  };
  write(letters[pose.Right][0], 0.02, 0.5);
  write(letters[pose.Right][1], 0.98, 0.5);
  write(letters[pose.Up][pose.IsUpwards ? 0 : 1], 0.5, 0.02);
  write(letters[pose.Up][pose.IsUpwards ? 1 : 0], 0.5, 0.98);
}

void
SliceView::SetSlice(int slice)
{
  int extent[6];
  m_Image->GetExtent(extent);
  const int first = extent[2 * m_Axis];
  const int last = extent[2 * m_Axis + 1];
  m_Slice = std::min(std::max(slice, first), last);
  m_Plane.SetSlice(m_Slice);
  if (m_IsVolume)
  {
    const char names[] = { 'x', 'y', 'z' };
    m_Number->SetInput((std::string(1, names[m_Axis]) + " " + std::to_string(m_Slice) + " of " + std::to_string(first) +
                        " to " + std::to_string(last))
                         .c_str());
  }
}

void
SliceView::ResetCamera()
{
  double bounds[6];
  m_Image->GetBounds(bounds);
  const Pose pose = GetPose(m_Axis);
  double     centre[3], length[3], up[3] = { 0.0, 0.0, 0.0 }, right[3] = { 0.0, 0.0, 0.0 };
  for (int axis = 0; axis < 3; ++axis)
  {
    centre[axis] = 0.5 * (bounds[2 * axis] + bounds[2 * axis + 1]);
    length[axis] = bounds[2 * axis + 1] - bounds[2 * axis] + m_Image->GetSpacing()[axis];
  }
  up[pose.Up] = pose.IsUpwards ? 1.0 : -1.0;
  right[pose.Right] = 1.0;
  const double distance = length[0] + length[1] + length[2];
  vtkCamera &  camera = *m_Renderer->GetActiveCamera();
  camera.SetFocalPoint(centre);
  // The camera looks along the product of up and right.
  const double towards[3] = { up[1] * right[2] - up[2] * right[1],
                              up[2] * right[0] - up[0] * right[2],
                              up[0] * right[1] - up[1] * right[0] };
  camera.SetPosition(
    centre[0] - distance * towards[0], centre[1] - distance * towards[1], centre[2] - distance * towards[2]);
  camera.SetViewUp(up);
  m_Renderer->ComputeAspect();
  const double aspect = m_Renderer->GetTiledAspectRatio();
  camera.SetParallelScale(0.5 * std::max(length[pose.Up], length[pose.Right] / aspect) * 1.02);
  m_Renderer->ResetCameraClippingRange();
}
