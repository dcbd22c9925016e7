// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Surface.h"
#include "Colours.h"
#include <algorithm>
#include <cmath>
#include <vtkFlyingEdges3D.h>
#include <vtkImageThreshold.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

namespace
{
/** Gives each point the colour of the greatest label around it: on one side of a surface of labels is the background.
 */
void
ColourByLabel(vtkPolyData & surface, vtkImageData & labels)
{
  int    extent[6];
  double origin[3], spacing[3];
  labels.GetExtent(extent);
  labels.GetOrigin(origin);
  labels.GetSpacing(spacing);
  const auto * const pixels = static_cast<const unsigned int *>(labels.GetScalarPointer());
  const vtkIdType    width = extent[1] - extent[0] + 1;
  const vtkIdType    height = extent[3] - extent[2] + 1;

  const vtkNew<vtkUnsignedCharArray> colours;
  colours->SetNumberOfComponents(3);
  colours->SetNumberOfTuples(surface.GetNumberOfPoints());
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    double point[3];
    surface.GetPoint(i, point);
    int from[3], to[3];
    for (int axis = 0; axis < 3; ++axis)
    {
      const double place = (point[axis] - origin[axis]) / spacing[axis];
      from[axis] = std::max(static_cast<int>(std::floor(place + 1e-6)), extent[2 * axis]);
      to[axis] = std::min(static_cast<int>(std::ceil(place - 1e-6)), extent[2 * axis + 1]);
    }
    unsigned int label = 0;
    for (int z = from[2]; z <= to[2]; ++z)
    {
      for (int y = from[1]; y <= to[1]; ++y)
      {
        for (int x = from[0]; x <= to[0]; ++x)
        {
          label = std::max(label, pixels[((z - extent[4]) * height + y - extent[2]) * width + x - extent[0]]);
        }
      }
    }
    const Colour colour = GetLabelColour(label);
    colours->SetTypedTuple(i, colour.GetDataPointer());
  }
  surface.GetPointData()->SetScalars(colours);
}
} // namespace

vtkSmartPointer<vtkPolyData>
MakeSurface(const Result & result, Appearance appearance, const double * level)
{
  vtkImageData * const image = result.Image->Get();
  const int * const    size = image->GetDimensions();
  const bool           isSolid = appearance == Appearance::Mask || appearance == Appearance::Labels;
  if ((!isSolid && level == nullptr) || std::min({ size[0], size[1], size[2] }) < 2)
  {
    return nullptr;
  }
  const vtkNew<vtkFlyingEdges3D>  contour;
  const vtkNew<vtkImageThreshold> objects;
  if (appearance == Appearance::Labels)
  {
    // Where two objects touch there is no surface between them, and normals of unsigned int would be wrong.
    objects->SetInputData(image);
    objects->ThresholdByUpper(1.0);
    objects->SetInValue(1.0);
    objects->SetOutValue(0.0);
    objects->SetOutputScalarTypeToUnsignedChar();
    contour->SetInputConnection(objects->GetOutputPort());
  }
  else
  {
    contour->SetInputData(image);
  }
  contour->SetValue(0, isSolid ? 0.5 : *level);
  contour->ComputeScalarsOff();
  contour->ComputeNormalsOn();
  contour->Update();
  const vtkSmartPointer<vtkPolyData> surface = contour->GetOutput();
  if (appearance == Appearance::Labels)
  {
    ColourByLabel(*surface, *image);
  }
  return surface;
}
