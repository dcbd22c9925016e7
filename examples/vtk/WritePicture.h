// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef examples_vtk_WritePicture_h
#define examples_vtk_WritePicture_h

#include <string>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkWindowToImageFilter.h>

/** Looks at a surface from the front, and a little from above, before a dark background. */
inline void
LookFromTheFront(vtkRenderer & scene)
{
  scene.SetBackground(0.09, 0.1, 0.13);
  scene.GetActiveCamera()->SetPosition(0.6, -1.0, 0.45);
  scene.GetActiveCamera()->SetViewUp(0.0, 0.0, 1.0);
  scene.ResetCamera();
}

/** Draws a scene without a window and writes it as PNG. */
inline void
WritePicture(vtkRenderer & scene, int width, int height, const std::string & file)
{
  const vtkNew<vtkRenderWindow> window;
  window->SetOffScreenRendering(1);
  window->SetMultiSamples(0);
  window->SetSize(width, height);
  window->AddRenderer(&scene);
  window->Render();
  const vtkNew<vtkWindowToImageFilter> grabber;
  grabber->SetInput(window);
  grabber->ReadFrontBufferOff();
  const vtkNew<vtkPNGWriter> writer;
  writer->SetInputConnection(grabber->GetOutputPort());
  writer->SetFileName(file.c_str());
  writer->Write();
}

#endif
