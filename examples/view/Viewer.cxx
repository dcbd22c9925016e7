// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Viewer.h"
#include "ColourTables.h"
#include "Command.h"
#include "ImageFile.h"
#include "Panel.h"
#include "Picture.h"
#include "VolumeView.h"
#include "Window.h"
#include "Worker.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vtkCallbackCommand.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkRenderWindow.h>
#include <vtkScalarBarActor.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

namespace
{
constexpr int panelWidth = 330; // pixels

constexpr const char * helpText = "Choose a filter with a click, or with the arrow keys up and down.\n"
                                  "Drag a slider: the result is computed again.\n"
                                  "\n"
                                  "in a slice: wheel, or page up and down   other slices\n"
                                  "in a slice: left button                  brightness and contrast\n"
                                  "in space: left button                    turn\n"
                                  "right button, or wheel in space          zoom\n"
                                  "middle button, or shift and left         move\n"
                                  "\n"
                                  "o   result on and off\n"
                                  "p   slices in space on and off\n"
                                  "r   reset the views\n"
                                  "w   reset brightness and contrast\n"
                                  "s   save a picture: cudafilters-view.png\n"
                                  "h   this help on and off\n"
                                  "q   quit, as Escape does";

std::string
ToTime(double milliseconds)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f ms", milliseconds < 10.0 ? 2 : (milliseconds < 100.0 ? 1 : 0), milliseconds);
  return text;
}

/** A line for each step and its stages on the device. */
std::string
Describe(const Result & result, const std::string & indent)
{
  std::string lines;
  for (const Step & step : result.Steps)
  {
    lines += indent + step.Name + ": " + (step.HasRun ? ToTime(step.Milliseconds) : "kept") + "\n";
    for (const auto & stage : step.Stages)
    {
      lines += step.HasRun ? indent + "    " + stage.Name + ": " + ToTime(stage.Milliseconds) + "\n" : "";
    }
  }
  return lines;
}
} // namespace

class Viewer::Implementation
{
public:
  Implementation(std::shared_ptr<const SharedImage>   input,
                 std::vector<std::unique_ptr<Recipe>> recipes,
                 bool                                 isVolume,
                 const ViewerSettings &               settings);

  void
  Run();
  void
  WriteScreenshot(const std::string & file);
  void
  WriteTurn(const std::string & folder, int frames);

private:
  class Style;

  Recipe &
  GetRecipe() const
  {
    return *m_Recipes[m_Chosen];
  }

  void
  Choose(std::size_t recipe, vtkRenderWindowInteractor * interactor);

  /** Sets the parts of the window to their places. */
  void
  Arrange();
  void
  ResetCameras();
  void
  SetGreyWindow(double low, double high);
  void
  SetSlice(int axis, int slice);

  /** The view of a slice that a renderer belongs to; nullptr if there is none. */
  SliceView *
  FindSliceView(vtkRenderer * renderer) const;

  /** The present task. */
  Task
  MakeTask(bool wantsSurface);

  /** Shows what came of a run. */
  void
  Show(const Outcome & outcome);
  void
  ShowResult(const Result * result);

  /** Asks for a run with the present parameters, which Work() starts. Aborts the one under way, unless a slider moves.
   */
  void
  RunSoon(bool isDragging);
  /** Called often: takes what has been computed, and begins the next run. */
  void
  Work();
  void
  TellRun(const Outcome & outcome) const;

  /** Computes in this thread, for pictures without a window. */
  void
  PrepareOffScreen();
  void
  Save(const std::string & file, vtkRenderer * part = nullptr);

  void
  PressKey(const std::string & key);

  std::shared_ptr<const SharedImage>      m_Input;
  std::vector<std::unique_ptr<Recipe>>    m_Recipes;
  bool                                    m_IsVolume;
  ViewerSettings                          m_Settings;
  std::size_t                             m_Chosen = 0;
  bool                                    m_HasOverlay = true;
  bool                                    m_IsDragging = false;
  bool                                    m_NeedsRun = false;
  double                                  m_Low = 0.0;
  double                                  m_High = 1.0;
  std::shared_ptr<const Result>           m_Result;
  vtkNew<vtkRenderWindow>                 m_RenderWindow;
  std::vector<std::unique_ptr<SliceView>> m_SliceViews;
  std::unique_ptr<VolumeView>             m_VolumeView; // of a volume
  std::unique_ptr<Panel>                  m_Panel;
  vtkNew<vtkRenderer>                     m_Front; // over the whole window
  vtkNew<vtkTextActor>                    m_Help;
  vtkNew<vtkScalarBarActor>               m_Scale;
  Worker                                  m_Worker; // the last: its thread uses the others
};

/** What mouse and keys do. */
class Viewer::Implementation::Style : public vtkInteractorStyleTrackballCamera
{
public:
  vtkTypeMacro(Style, vtkInteractorStyleTrackballCamera);
  static Style *
  New();

  void
  OnLeftButtonDown() override
  {
    const int * const place = this->Interactor->GetEventPosition();
    const int         recipe = this->Owner->m_Panel->FindRecipeAt(place[0], place[1]);
    if (recipe >= 0)
    {
      this->Owner->Choose(static_cast<std::size_t>(recipe), this->Interactor);
      this->Owner->RunSoon(false);
      return;
    }
    if (!this->Poke())
    {
      return;
    }
    if (!this->Interactor->GetShiftKey() && this->Owner->FindSliceView(this->CurrentRenderer) != nullptr)
    {
      m_IsWindowing = true;
      return;
    }
    Superclass::OnLeftButtonDown();
  }

  void
  OnLeftButtonUp() override
  {
    m_IsWindowing = false;
    Superclass::OnLeftButtonUp();
  }

  void
  OnMouseMove() override
  {
    if (!m_IsWindowing)
    {
      Superclass::OnMouseMove();
      return;
    }
    // To the right: more contrast; up: darker, as a higher level is.
    const int * const now = this->Interactor->GetEventPosition();
    const int * const before = this->Interactor->GetLastEventPosition();
    Implementation &  owner = *this->Owner;
    const double      width = owner.m_High - owner.m_Low;
    const double      range = std::max(width, 1e-3 * (owner.m_Settings.High - owner.m_Settings.Low));
    const double      newWidth = width * std::exp(-0.005 * (now[0] - before[0]));
    const double      level = 0.5 * (owner.m_Low + owner.m_High) + 0.002 * range * (now[1] - before[1]);
    owner.SetGreyWindow(level - 0.5 * newWidth, level + 0.5 * newWidth);
    this->Interactor->Render();
  }

  void
  OnMouseWheelForward() override
  {
    this->Scroll(1);
  }
  void
  OnMouseWheelBackward() override
  {
    this->Scroll(-1);
  }

  void
  OnRightButtonDown() override
  {
    if (this->Poke())
    {
      Superclass::OnRightButtonDown();
    }
  }
  void
  OnMiddleButtonDown() override
  {
    if (this->Poke())
    {
      Superclass::OnMiddleButtonDown();
    }
  }

  void
  OnKeyPress() override
  {
    const std::string key = this->Interactor->GetKeySym() != nullptr ? this->Interactor->GetKeySym() : "";
    if (key == "Prior" || key == "Next")
    {
      this->Scroll(key == "Prior" ? 1 : -1);
    }
    else if (key == "q" || key == "Escape")
    {
      this->Interactor->ExitCallback();
    }
    else
    {
      this->Owner->PressKey(key);
    }
  }

  /** VTK's own keys are not used. */
  void
  OnChar() override
  {}

  Implementation * Owner = nullptr;

private:
  /** Finds the view under the mouse; returns whether there is one. */
  bool
  Poke()
  {
    const int * const place = this->Interactor->GetEventPosition();
    this->FindPokedRenderer(place[0], place[1]);
    return this->CurrentRenderer != nullptr && this->CurrentRenderer->IsInViewport(place[0], place[1]) != 0;
  }

  /** Other slices, or nearer and farther in space. */
  void
  Scroll(int step)
  {
    if (!this->Poke())
    {
      return;
    }
    if (SliceView * const view = this->Owner->FindSliceView(this->CurrentRenderer))
    {
      this->Owner->SetSlice(view->GetAxis(), view->GetSlice() + step);
      this->Interactor->Render();
    }
    else
    {
      step > 0 ? Superclass::OnMouseWheelForward() : Superclass::OnMouseWheelBackward();
    }
  }

  bool m_IsWindowing = false;
};

vtkStandardNewMacro(Viewer::Implementation::Style);

Viewer::Implementation::Implementation(std::shared_ptr<const SharedImage>   input,
                                       std::vector<std::unique_ptr<Recipe>> recipes,
                                       bool                                 isVolume,
                                       const ViewerSettings &               settings)
  : m_Input(std::move(input))
  , m_Recipes(std::move(recipes))
  , m_IsVolume(isVolume)
  , m_Settings(settings)
{
  vtkImageData * const image = m_Input->Get();
  m_Panel = std::make_unique<Panel>(m_Recipes, [this](bool isDragging) { this->RunSoon(isDragging); });
  m_RenderWindow->SetWindowName(settings.Title.c_str());
  m_RenderWindow->SetSize(settings.Width, settings.Height);
  m_RenderWindow->SetNumberOfLayers(2);
  m_RenderWindow->SetMultiSamples(0);
  m_RenderWindow->AddRenderer(m_Panel->GetRenderer());
  for (const int axis : { 2, 1, 0 })
  {
    if (isVolume || axis == 2)
    {
      m_SliceViews.push_back(std::make_unique<SliceView>(axis, image, settings.Letters, isVolume));
      m_RenderWindow->AddRenderer(m_SliceViews.back()->GetRenderer());
    }
  }
  if (isVolume)
  {
    m_VolumeView = std::make_unique<VolumeView>(image);
    m_VolumeView->SetPlanesVisible(settings.HasPlanes);
    m_RenderWindow->AddRenderer(m_VolumeView->GetRenderer());
  }
  m_Front->SetLayer(1);
  m_Front->InteractiveOff();
  m_RenderWindow->AddRenderer(m_Front);
  PlaceText(*m_Help, 0.5, 0.5, 16);
  m_Help->SetInput(helpText);
  m_Help->GetTextProperty()->SetJustificationToLeft();
  m_Help->GetTextProperty()->SetFontFamilyToCourier();
  m_Help->GetTextProperty()->SetBackgroundColor(0.05, 0.06, 0.1);
  m_Help->GetTextProperty()->SetBackgroundOpacity(0.92);
  m_Help->SetPosition(0.3, 0.5);
  m_Help->VisibilityOff();
  m_Front->AddViewProp(m_Help);
  m_Scale->SetNumberOfLabels(5);
  m_Scale->SetLabelFormat("%.3g");
  m_Scale->SetMaximumWidthInPixels(60);
  m_Scale->SetPosition(0.88, 0.2);
  m_Scale->SetPosition2(0.1, 0.6);
  m_Scale->VisibilityOff();
  m_SliceViews.front()->GetRenderer()->AddViewProp(m_Scale);

  this->ShowResult(nullptr);
  for (int axis = 0; axis < 3; ++axis)
  {
    const int * const extent = image->GetExtent();
    const int         middle = (extent[2 * axis] + extent[2 * axis + 1]) / 2;
    this->SetSlice(axis, settings.Slices[axis] >= 0 ? settings.Slices[axis] : middle);
  }
  this->SetGreyWindow(settings.Low, settings.High);
  const auto chosen =
    std::find_if(m_Recipes.begin(), m_Recipes.end(), [&](const auto & r) { return r->GetName() == settings.Filter; });
  m_Chosen = static_cast<std::size_t>(chosen - m_Recipes.begin());
}

SliceView *
Viewer::Implementation::FindSliceView(vtkRenderer * renderer) const
{
  for (const auto & view : m_SliceViews)
  {
    if (view->GetRenderer() == renderer)
    {
      return view.get();
    }
  }
  return nullptr;
}

void
Viewer::Implementation::SetSlice(int axis, int slice)
{
  for (const auto & view : m_SliceViews)
  {
    if (view->GetAxis() == axis)
    {
      view->SetSlice(slice);
      if (m_VolumeView)
      {
        m_VolumeView->GetPlane(axis).SetSlice(view->GetSlice());
      }
    }
  }
}

void
Viewer::Implementation::SetGreyWindow(double low, double high)
{
  m_Low = low;
  m_High = high;
  for (const auto & view : m_SliceViews)
  {
    view->GetPlane().SetWindow(low, high);
    if (m_VolumeView)
    {
      m_VolumeView->GetPlane(view->GetAxis()).SetWindow(low, high);
    }
  }
}

void
Viewer::Implementation::Arrange()
{
  const int * const size = m_RenderWindow->GetSize();
  const double      left = std::min(0.5, static_cast<double>(panelWidth) / std::max(size[0], 1));
  m_Panel->GetRenderer()->SetViewport(0.0, 0.0, left, 1.0);
  if (m_IsVolume)
  {
    const double middle = 0.5 * (left + 1.0);
    m_SliceViews[0]->GetRenderer()->SetViewport(left, 0.5, middle, 1.0);
    m_SliceViews[1]->GetRenderer()->SetViewport(left, 0.0, middle, 0.5);
    m_SliceViews[2]->GetRenderer()->SetViewport(middle, 0.0, 1.0, 0.5);
    m_VolumeView->GetRenderer()->SetViewport(middle, 0.5, 1.0, 1.0);
  }
  else
  {
    m_SliceViews[0]->GetRenderer()->SetViewport(left, 0.0, 1.0, 1.0);
  }
  m_Panel->Arrange();
}

void
Viewer::Implementation::ResetCameras()
{
  for (const auto & view : m_SliceViews)
  {
    view->ResetCamera();
  }
  if (m_VolumeView)
  {
    m_VolumeView->ResetCamera();
  }
}

void
Viewer::Implementation::Choose(std::size_t recipe, vtkRenderWindowInteractor * interactor)
{
  if (recipe != m_Chosen)
  {
    m_Result = nullptr;
    this->ShowResult(nullptr);
  }
  m_Chosen = recipe;
  m_Panel->Choose(recipe, interactor);
}

Task
Viewer::Implementation::MakeTask(bool wantsSurface)
{
  return { &this->GetRecipe(), this->GetRecipe().GetValues(), wantsSurface && m_VolumeView };
}

void
Viewer::Implementation::RunSoon(bool isDragging)
{
  m_IsDragging = isDragging;
  if (m_VolumeView)
  {
    m_VolumeView->GetRenderer()->SetDraw(!isDragging); // the view in space stays as it is until there is a new surface
  }
  m_NeedsRun = true;
  if (m_Worker.IsBusy() && !isDragging) // else nothing would be shown until the mouse rests
  {
    m_Worker.Abort();
  }
}

void
Viewer::Implementation::Work()
{
  if (const auto outcome = m_Worker.Take())
  {
    this->Show(*outcome);
    m_RenderWindow->Render();
    this->TellRun(*outcome);
  }
  if (m_NeedsRun && !m_Worker.IsBusy())
  {
    m_NeedsRun = false;
    m_Worker.Start(this->MakeTask(!m_IsDragging)); // while a slider moves, slices are enough
  }
}

void
Viewer::Implementation::TellRun(const Outcome & outcome) const
{
  if (m_Settings.TellsRuns && outcome.Success)
  {
    Recipe &    recipe = *outcome.Done.ToRun;
    std::string words = recipe.GetName();
    for (std::size_t i = 0; i < outcome.Done.Parameters.size(); ++i)
    {
      words += " --" + recipe.GetParameters()[i].Name + " " + ToText(outcome.Done.Parameters[i]);
    }
    std::printf(
      "%s: %.3f ms on %s\n", words.c_str(), outcome.Success->Milliseconds, outcome.Success->ExecutedOn.c_str());
    std::printf("%s", Describe(*outcome.Success, "  ").c_str());
    if (outcome.WasSurfaceWanted && outcome.Surface)
    {
      std::printf("  surface: %.1f ms, %lld triangles\n",
                  outcome.SurfaceMilliseconds,
                  static_cast<long long>(outcome.Surface->GetNumberOfPolys()));
    }
    std::fflush(stdout);
  }
}

void
Viewer::Implementation::Show(const Outcome & outcome)
{
  if (!outcome.Success)
  {
    m_Panel->ShowStatus("The filter cannot run:\n" + outcome.Error);
    std::fprintf(stderr, "cudafilters-view: %s\n", outcome.Error.c_str());
    m_Result = nullptr;
    this->ShowResult(nullptr);
    return;
  }
  if (m_Result != outcome.Success)
  {
    m_Result = outcome.Success;
    this->ShowResult(m_Result.get());
  }
  const Result & result = *m_Result;
  std::string    words;
  if (!result.Remark.empty())
  {
    words += result.Remark + "\n\n";
  }
  if (!result.Steps.empty())
  {
    words += Describe(result, "");
    words += ToTime(result.Milliseconds) + " with copies\n";
    // What follows a bracket is why it is not on a device.
    words += "on " + result.ExecutedOn.substr(0, result.ExecutedOn.find(" ("));
  }
  m_Panel->ShowStatus(words);
  if (!outcome.Error.empty())
  {
    std::fprintf(stderr, "cudafilters-view: there is no surface: %s\n", outcome.Error.c_str());
  }
  if (m_VolumeView && outcome.WasSurfaceWanted)
  {
    const bool        isFlat = std::min({ m_Input->Get()->GetDimensions()[0],
                                          m_Input->Get()->GetDimensions()[1],
                                          m_Input->Get()->GetDimensions()[2] }) < 2;
    const bool        isEmpty = outcome.Surface && outcome.Surface->GetNumberOfPolys() == 0;
    const std::string why = !outcome.Error.empty()
                              ? outcome.Error
                              : (isEmpty ? "nothing to show" : (isFlat ? "one slice has no surface" : ""));
    m_VolumeView->ShowSurface(isEmpty || !m_HasOverlay ? nullptr : outcome.Surface.Get(), why);
  }
}

void
Viewer::Implementation::ShowResult(const Result * result)
{
  vtkImageData *                      grey = m_Input->Get();
  vtkImageData *                      overlay = nullptr;
  vtkSmartPointer<vtkScalarsToColors> colours;
  m_Scale->VisibilityOff();
  if (result != nullptr && m_HasOverlay)
  {
    overlay = result->Image->Get();
    switch (this->GetRecipe().GetAppearance())
    {
      case Appearance::Grey:
        grey = overlay;
        break;
      case Appearance::Mask:
        colours = MakeMaskColours();
        break;
      case Appearance::Labels:
        colours = MakeLabelColours();
        break;
      case Appearance::ColourMap: {
        double range[2];
        overlay->GetPointData()->GetScalars()->GetFiniteRange(range);
        Window window;
        if (range[0] <= range[1])
        {
          window.Low = window.Least = range[0];
          window.High = window.Greatest = range[1];
        }
        const bool isSigned = CentreWindow(window);
        colours = MakeNumberColours(window.Low, window.High, isSigned);
        m_Scale->SetLookupTable(colours);
        m_Scale->VisibilityOn();
        break;
      }
    }
  }
  for (const auto & view : m_SliceViews)
  {
    const int axis = view->GetAxis();
    view->GetPlane().ShowGrey(grey);
    view->GetPlane().ShowOverlay(overlay, colours);
    if (m_VolumeView)
    {
      m_VolumeView->GetPlane(axis).ShowGrey(grey);
      m_VolumeView->GetPlane(axis).ShowOverlay(overlay, colours);
    }
  }
  if (m_VolumeView && result == nullptr)
  {
    m_VolumeView->ShowSurface(nullptr);
  }
}

void
Viewer::Implementation::PressKey(const std::string & key)
{
  vtkRenderWindowInteractor * const interactor = m_RenderWindow->GetInteractor();
  if (key == "Up" || key == "Down")
  {
    const std::size_t count = m_Recipes.size();
    this->Choose((m_Chosen + (key == "Up" ? count - 1 : 1)) % count, interactor);
    this->RunSoon(false);
  }
  else if (key == "h")
  {
    m_Help->SetVisibility(m_Help->GetVisibility() == 0);
  }
  else if (key == "o")
  {
    m_HasOverlay = !m_HasOverlay;
    this->ShowResult(m_Result.get());
    this->RunSoon(false); // for the surface
  }
  else if (key == "p")
  {
    m_Settings.HasPlanes = !m_Settings.HasPlanes;
    if (m_VolumeView)
    {
      m_VolumeView->SetPlanesVisible(m_Settings.HasPlanes);
    }
  }
  else if (key == "r")
  {
    this->ResetCameras();
  }
  else if (key == "w")
  {
    this->SetGreyWindow(m_Settings.Low, m_Settings.High);
  }
  else if (key == "s")
  {
    try
    {
      this->Save("cudafilters-view.png");
      m_Panel->ShowStatus("saved as cudafilters-view.png");
    }
    catch (const UserError & error)
    {
      m_Panel->ShowStatus(error.what());
    }
  }
  m_RenderWindow->Render();
}

void
Viewer::Implementation::Run()
{
  const vtkNew<vtkRenderWindowInteractor> interactor;
  interactor->SetRenderWindow(m_RenderWindow);
  const vtkNew<Style> style;
  style->Owner = this;
  interactor->SetInteractorStyle(style);
  interactor->Initialize();
  this->Arrange();
  this->Choose(m_Chosen, interactor);
  this->ResetCameras();

  const auto observe = [this](vtkObject & object, unsigned long event, vtkCallbackCommand & command, auto function) {
    command.SetCallback(function);
    command.SetClientData(this);
    object.AddObserver(event, &command);
  };
  const vtkNew<vtkCallbackCommand> onTimer;
  observe(*interactor, vtkCommand::TimerEvent, *onTimer, [](vtkObject *, unsigned long, void * self, void *) {
    static_cast<Implementation *>(self)->Work();
  });
  const vtkNew<vtkCallbackCommand> onResize;
  observe(*m_RenderWindow,
          vtkCommand::WindowResizeEvent,
          *onResize,
          [](vtkObject *, unsigned long, void * self, void *) { static_cast<Implementation *>(self)->Arrange(); });

  this->RunSoon(false);
  m_RenderWindow->Render();
  interactor->CreateRepeatingTimer(10);
  interactor->Start();
  m_Panel.reset(); // its sliders use the interactor
}

void
Viewer::Implementation::PrepareOffScreen()
{
  m_RenderWindow->SetOffScreenRendering(1);
  this->Arrange();
  this->Choose(m_Chosen, nullptr);
  this->ResetCameras();
  const Outcome outcome = RunTask(this->MakeTask(true));
  this->Show(outcome);
  this->TellRun(outcome);
  if (!m_Result)
  {
    throw UserError("there is no result to show");
  }
}

void
Viewer::Implementation::Save(const std::string & file, vtkRenderer * part)
{
  const OutputFile output(file);
  m_RenderWindow->Render();
  const vtkNew<vtkWindowToImageFilter> grabber;
  grabber->SetInput(m_RenderWindow);
  grabber->ReadFrontBufferOff();
  grabber->ShouldRerenderOff();
  if (part != nullptr)
  {
    grabber->SetViewport(part->GetViewport());
  }
  grabber->Update();
  vtkImageData * const grabbed = grabber->GetOutput();
  const int * const    size = grabbed->GetDimensions();
  const auto           picture = Picture::New();
  picture->SetRegions(
    Picture::SizeType{ { static_cast<itk::SizeValueType>(size[0]), static_cast<itk::SizeValueType>(size[1]) } });
  picture->Allocate();
  for (int y = 0; y < size[1]; ++y)
  {
    // VTK begins with the lowest row.
    const auto * const row = static_cast<const unsigned char *>(
      grabbed->GetScalarPointer(grabbed->GetExtent()[0], grabbed->GetExtent()[2] + size[1] - 1 - y, 0));
    std::copy_n(
      row, 3 * size[0], picture->GetBufferPointer()[static_cast<std::ptrdiff_t>(y) * size[0]].GetDataPointer());
  }
  output.Write(picture.GetPointer());
}

void
Viewer::Implementation::WriteScreenshot(const std::string & file)
{
  this->PrepareOffScreen();
  this->Save(file);
}

void
Viewer::Implementation::WriteTurn(const std::string & folder, int frames)
{
  if (!m_VolumeView)
  {
    throw UserError("a picture has no view in space to record");
  }
  this->PrepareOffScreen();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (int i = 0; i < frames; ++i)
  {
    char name[32];
    std::snprintf(name, sizeof(name), "frame-%03d.png", i);
    this->Save((std::filesystem::path(folder) / name).string(), m_VolumeView->GetRenderer());
    m_VolumeView->Turn(360.0 / frames);
  }
}

Viewer::Viewer(std::shared_ptr<const SharedImage>   input,
               std::vector<std::unique_ptr<Recipe>> recipes,
               bool                                 isVolume,
               const ViewerSettings &               settings)
  : m_Implementation(std::make_unique<Implementation>(std::move(input), std::move(recipes), isVolume, settings))
{}

Viewer::~Viewer() = default;

void
Viewer::Run()
{
  m_Implementation->Run();
}

void
Viewer::WriteScreenshot(const std::string & file)
{
  m_Implementation->WriteScreenshot(file);
}

void
Viewer::WriteTurn(const std::string & folder, int frames)
{
  m_Implementation->WriteTurn(folder, frames);
}
