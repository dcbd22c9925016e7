// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Panel.h"
#include <cmath>
#include <cstdio>
#include <vtkCommand.h>
#include <vtkCoordinate.h>
#include <vtkProperty2D.h>
#include <vtkSliderRepresentation2D.h>
#include <vtkTextProperty.h>

namespace
{
// In pixels.
constexpr int margin = 14;
constexpr int lineHeight = 22;
constexpr int sliderHeight = 58;
constexpr int fontSize = 14;

vtkSmartPointer<vtkTextActor>
MakeText(vtkRenderer & renderer, const std::string & text, int size)
{
  const auto actor = vtkSmartPointer<vtkTextActor>::New();
  actor->SetInput(text.c_str());
  actor->GetPositionCoordinate()->SetCoordinateSystemToViewport();
  actor->GetTextProperty()->SetFontSize(size);
  actor->GetTextProperty()->SetFontFamilyToArial();
  actor->GetTextProperty()->SetColor(0.85, 0.87, 0.9);
  actor->GetTextProperty()->SetVerticalJustificationToTop();
  renderer.AddViewProp(actor);
  return actor;
}

std::string
Describe(const Parameter & parameter)
{
  char number[32];
  std::snprintf(number, sizeof(number), parameter.IsWhole ? "%.0f" : "%.4g", parameter.Value);
  return parameter.Name + " " + number + "  (" + parameter.Meaning + ")";
}
} // namespace

class Panel::SliderCallback : public vtkCommand
{
public:
  static SliderCallback *
  New()
  {
    return new SliderCallback;
  }

  void
  Execute(vtkObject * caller, unsigned long event, void *) override
  {
    auto * const slider = static_cast<vtkSliderWidget *>(caller);
    auto * const representation = static_cast<vtkSliderRepresentation *>(slider->GetRepresentation());
    Parameter &  parameter = *this->Target;
    const double value = representation->GetValue();
    const double chosen = parameter.IsWhole ? std::round(value) : value;
    const bool   isDragging = event == vtkCommand::InteractionEvent;
    const bool   isNew = chosen != parameter.Value;
    parameter.Value = chosen;
    this->Text->SetInput(Describe(parameter).c_str());
    if (!isDragging)
    {
      representation->SetValue(chosen);
    }
    if (isNew || !isDragging)
    {
      this->Owner->m_Change(isDragging);
    }
  }

  Panel *        Owner = nullptr;
  Parameter *    Target = nullptr;
  vtkTextActor * Text = nullptr;
};

Panel::Panel(const std::vector<std::unique_ptr<Recipe>> & recipes, ChangeFunction change)
  : m_Recipes(recipes)
  , m_Change(std::move(change))
{
  m_Renderer->SetBackground(0.16, 0.17, 0.2);
  m_Renderer->InteractiveOff();
  for (const auto & recipe : recipes)
  {
    m_Names.push_back(MakeText(*m_Renderer, recipe->GetName() + ": " + recipe->GetDescription(), fontSize));
  }
  m_Title->SetInput("h: help");
  for (vtkTextActor * const actor : { m_Title.Get(), m_Status.Get() })
  {
    actor->GetPositionCoordinate()->SetCoordinateSystemToViewport();
    actor->GetTextProperty()->SetFontSize(fontSize - 1);
    actor->GetTextProperty()->SetFontFamilyToArial();
    actor->GetTextProperty()->SetColor(0.62, 0.8, 0.45);
    actor->GetTextProperty()->SetLineSpacing(1.25);
    m_Renderer->AddViewProp(actor);
  }
  m_Title->GetTextProperty()->SetVerticalJustificationToTop();
  m_Status->GetTextProperty()->SetVerticalJustificationToBottom();
}

void
Panel::Choose(std::size_t recipe, vtkRenderWindowInteractor * interactor)
{
  for (std::size_t i = 0; i < m_Names.size(); ++i)
  {
    const bool isChosen = i == recipe;
    m_Names[i]->GetTextProperty()->SetBold(isChosen);
    isChosen ? m_Names[i]->GetTextProperty()->SetColor(1.0, 0.85, 0.3)
             : m_Names[i]->GetTextProperty()->SetColor(0.85, 0.87, 0.9);
  }
  for (const auto & text : m_SliderTexts)
  {
    m_Renderer->RemoveViewProp(text);
  }
  m_SliderTexts.clear();
  for (const auto & slider : m_Sliders)
  {
    slider->ReleaseFocus(); // a key may have been pressed while it was dragged
    slider->EnabledOff();
  }
  m_Sliders.clear();

  for (Parameter & parameter : m_Recipes[recipe]->GetParameters())
  {
    m_SliderTexts.push_back(MakeText(*m_Renderer, Describe(parameter), fontSize));

    const vtkNew<vtkSliderRepresentation2D> representation;
    representation->SetMinimumValue(parameter.Lowest);
    representation->SetMaximumValue(parameter.Highest);
    representation->SetValue(parameter.Value);
    representation->ShowSliderLabelOff();
    representation->SetSliderLength(0.035);
    representation->SetSliderWidth(0.022);
    representation->SetTubeWidth(0.006);
    representation->SetEndCapLength(0.004);
    representation->SetEndCapWidth(0.016);
    representation->GetSliderProperty()->SetColor(1.0, 0.85, 0.3);
    representation->GetSelectedProperty()->SetColor(1.0, 1.0, 0.8);
    representation->GetTubeProperty()->SetColor(0.45, 0.47, 0.52);
    representation->GetCapProperty()->SetColor(0.45, 0.47, 0.52);
    representation->GetPoint1Coordinate()->SetCoordinateSystemToDisplay();
    representation->GetPoint2Coordinate()->SetCoordinateSystemToDisplay();

    const auto slider = vtkSmartPointer<vtkSliderWidget>::New();
    slider->SetRepresentation(representation);
    slider->SetAnimationModeToJump();
    slider->KeyPressActivationOff();
    slider->SetDefaultRenderer(m_Renderer);
    const vtkNew<SliderCallback> callback;
    callback->Owner = this;
    callback->Target = &parameter;
    callback->Text = m_SliderTexts.back();
    slider->AddObserver(vtkCommand::InteractionEvent, callback);
    slider->AddObserver(vtkCommand::EndInteractionEvent, callback);
    m_Sliders.push_back(slider);
    if (interactor != nullptr)
    {
      slider->SetInteractor(interactor);
      slider->SetCurrentRenderer(m_Renderer);
    }
    else
    {
      representation->SetRenderer(m_Renderer);
      m_Renderer->AddViewProp(representation);
    }
  }
  this->Arrange();
  for (const auto & slider : m_Sliders)
  {
    if (interactor != nullptr)
    {
      slider->EnabledOn();
    }
    else
    {
      slider->GetRepresentation()->BuildRepresentation();
    }
  }
}

void
Panel::Arrange()
{
  const int * const size = m_Renderer->GetSize();
  int               y = size[1] - margin;
  m_Title->SetPosition(margin, y);
  y -= lineHeight + lineHeight / 2;
  for (const auto & name : m_Names)
  {
    name->SetPosition(margin, y);
    y -= lineHeight;
  }
  y -= lineHeight / 2;
  for (std::size_t i = 0; i < m_Sliders.size(); ++i)
  {
    m_SliderTexts[i]->SetPosition(margin, y);
    auto * const      representation = static_cast<vtkSliderRepresentation2D *>(m_Sliders[i]->GetRepresentation());
    const int * const origin = m_Renderer->GetOrigin();
    representation->GetPoint1Coordinate()->SetValue(origin[0] + margin, origin[1] + y - lineHeight - 8);
    representation->GetPoint2Coordinate()->SetValue(origin[0] + size[0] - margin, origin[1] + y - lineHeight - 8);
    representation->Modified();
    y -= sliderHeight;
  }
  m_Status->SetPosition(margin, margin);
}

int
Panel::FindRecipeAt(int x, int y) const
{
  const int * const origin = m_Renderer->GetOrigin();
  const int * const size = m_Renderer->GetSize();
  if (x < origin[0] || x >= origin[0] + size[0])
  {
    return -1;
  }
  for (std::size_t i = 0; i < m_Names.size(); ++i)
  {
    const double top = origin[1] + m_Names[i]->GetPosition()[1];
    if (y <= top && y > top - lineHeight)
    {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void
Panel::ShowStatus(const std::string & text)
{
  m_Status->SetInput(text.c_str());
}
