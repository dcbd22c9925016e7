// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Panel_h
#define cudafilters_view_Panel_h

#include "Recipe.h"
#include <functional>
#include <string>
#include <vector>
#include <vtkNew.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>
#include <vtkSliderWidget.h>
#include <vtkSmartPointer.h>
#include <vtkTextActor.h>

/** The left part of the window: the filters to choose from, a slider for each parameter of the chosen one, and what the
 * last run told. */
class Panel
{
public:
  /** What the sliders call: a parameter has a new value; dragging goes on, or has ended. */
  using ChangeFunction = std::function<void(bool isDragging)>;

  Panel(const std::vector<std::unique_ptr<Recipe>> & recipes, ChangeFunction change);

  vtkRenderer *
  GetRenderer() const
  {
    return m_Renderer;
  }

  /** Shows the sliders of a recipe. interactor: nullptr without a window; the sliders are then only drawn. */
  void
  Choose(std::size_t recipe, vtkRenderWindowInteractor * interactor);

  /** The number of the filter whose name is at a place in the window, in pixels; -1 if there is none. */
  int
  FindRecipeAt(int x, int y) const;

  void
  ShowStatus(const std::string & text);

  /** Puts everything to its place in a window of another size. */
  void
  Arrange();

private:
  class SliderCallback;

  const std::vector<std::unique_ptr<Recipe>> &  m_Recipes;
  ChangeFunction                                m_Change;
  vtkNew<vtkRenderer>                           m_Renderer;
  vtkNew<vtkTextActor>                          m_Title;
  vtkNew<vtkTextActor>                          m_Status;
  std::vector<vtkSmartPointer<vtkTextActor>>    m_Names;
  std::vector<vtkSmartPointer<vtkTextActor>>    m_SliderTexts;
  std::vector<vtkSmartPointer<vtkSliderWidget>> m_Sliders;
};

#endif
