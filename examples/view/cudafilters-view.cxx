// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A viewer whose filters run again while a slider moves: cudafilters-view INPUT [OPTIONS]

#include "Command.h"
#include "DeviceOptions.h"
#include "Display.h"
#include "InputImage.h"
#include "Slices.h"
#include "Terminal.h"
#include "Viewer.h"
#include "Window.h"
#include "itkImageRegionConstIterator.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <vector>

namespace
{
constexpr int UsageError = 2;

struct Options
{
  std::string                   Input;
  std::string                   Filter = "image";
  std::map<std::string, double> Parameters; // those that were given
  std::vector<double>           Window;
  std::vector<int>              Slices;
  std::vector<int>              Size{ 1280, 860 };
  std::string                   Screenshot;
  std::string                   Folder;
  int                           Frames = 60;
  bool                          WithoutPlanes = false;
  bool                          Timing = false;
  DeviceOptions                 Device;

  void
  AddTo(CLI::App & app)
  {
    app.add_option("input", this->Input, "Image to read: one value per pixel, 2-D or 3-D; or a folder of DICOM slices")
      ->required();
    app.add_option("--filter", this->Filter, "Filter to begin with")->type_name("NAME")->capture_default_str();
    const std::pair<const char *, const char *> parameters[] = {
      { "above", "components, distance: objects are brighter" },
      { "full", "components, h-maxima, opening: 1 if diagonal neighbours are connected, else 0" },
      { "height", "h-maxima: of maxima that stay" },
      { "level", "distance: of the surface" },
      { "lower", "canny, threshold: the lower threshold" },
      { "minimum-size", "components: pixels of an object" },
      { "radius", "median, opening: in pixels" },
      { "upper", "canny, threshold: the upper threshold" },
      { "variance", "canny, gaussian, sobel: of the smoothing" }
    };
    for (const auto & [name, meaning] : parameters)
    {
      const std::string key = name;
      app
        .add_option_function<double>(
          "--" + key, [this, key](double value) { this->Parameters[key] = value; }, meaning)
        ->check(Finite())
        ->type_name("NUMBER")
        ->group("Parameters");
    }
    app.add_option("--window", this->Window, "Pixels that are black and white")->expected(2)->type_name("LOW HIGH");
    app.add_option("--slice", this->Slices, "Slices to begin with along x, y and z, from 0")
      ->expected(3)
      ->type_name("X Y Z");
    app.add_option("--size", this->Size, "Of the window in pixels")
      ->expected(2)
      ->check(CLI::Range(200, 10000).description(""))
      ->type_name("WIDTH HEIGHT")
      ->capture_default_str();
    app.add_flag("--without-planes", this->WithoutPlanes, "Show no slices in space");
    app
      .add_option("--screenshot", this->Screenshot, "Picture to write of what the window would show, without a window")
      ->type_name("FILE");
    app
      .add_option(
        "--record", this->Folder, "Folder for pictures of the view in space as it turns around, without a window")
      ->type_name("FOLDER");
    app.add_option("--frames", this->Frames, "Number of these pictures")
      ->check(CLI::Range(1, 10000).description(""))
      ->capture_default_str();
    app.add_flag("--timing", this->Timing, "Print each run of the filter, and how long each stage took");
    this->Device.AddTo(app);
  }
};

/** The sides of a patient: along +x, +y and +z is left, behind and above. */
template <typename TImage>
SideLetters
FindLetters(const TImage & image)
{
  SideLetters letters;
  if constexpr (TImage::ImageDimension == 3)
  {
    const char * const names[3][2] = { { "R", "L" }, { "A", "P" }, { "I", "S" } };
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      unsigned int nearest = 0;
      for (unsigned int i = 1; i < 3; ++i)
      {
        if (std::abs(image.GetDirection()[i][axis]) > std::abs(image.GetDirection()[nearest][axis]))
        {
          nearest = i;
        }
      }
      const bool isForward = image.GetDirection()[nearest][axis] > 0.0;
      letters[axis] = { names[nearest][isForward ? 0 : 1], names[nearest][isForward ? 1 : 0] };
    }
  }
  return letters;
}

template <unsigned int VDimension>
void
View(const Options & options)
{
  const auto   image = ReadInput<VDimension>(options.Input);
  const Window window = FindWindow(Slices(*image));
  float        least = std::numeric_limits<float>::max();
  float        greatest = std::numeric_limits<float>::lowest();
  for (itk::ImageRegionConstIterator<InputImage<VDimension>> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (std::isfinite(it.Get()))
    {
      least = std::min(least, it.Get());
      greatest = std::max(greatest, it.Get());
    }
  }
  if (least > greatest)
  {
    least = 0.0f; // there is no number
    greatest = 1.0f;
  }

  ViewerSettings settings;
  settings.Title = std::filesystem::path(options.Input).filename().string() + " - cudafilters-view";
  settings.Filter = options.Filter;
  settings.Width = options.Size[0];
  settings.Height = options.Size[1];
  settings.Low = options.Window.empty() ? window.Low : options.Window[0];
  settings.High = options.Window.empty() ? window.High : options.Window[1];
  if (!(settings.High > settings.Low))
  {
    settings.High = GetUpperEnd(settings.Low);
  }
  std::copy(options.Slices.begin(), options.Slices.end(), settings.Slices);
  settings.HasPlanes = !options.WithoutPlanes;
  settings.TellsRuns = options.Timing;
  settings.Letters = FindLetters(*image);

  auto        recipes = MakeRecipes(image.GetPointer(), least, greatest);
  std::string names;
  Recipe *    chosen = nullptr;
  for (const auto & recipe : recipes)
  {
    names += (names.empty() ? "" : ", ") + recipe->GetName();
    chosen = recipe->GetName() == options.Filter ? recipe.get() : chosen;
  }
  if (chosen == nullptr)
  {
    throw UserError("there is no filter '" + options.Filter + "'; there are " + names);
  }
  for (const auto & [name, value] : options.Parameters)
  {
    Parameter * const parameter = chosen->Find(name);
    if (parameter == nullptr)
    {
      throw UserError("the filter " + options.Filter + " has no --" + name);
    }
    parameter->Value = parameter->IsWhole ? std::round(value) : value;
    if (value < parameter->Lowest && parameter->HasLeast)
    {
      throw UserError("--" + name + " " + ToText(value) + " is less than " + ToText(parameter->Lowest));
    }
    // The slider reaches as far as a number of the command line.
    parameter->Lowest = std::min(parameter->Lowest, parameter->Value);
    parameter->Highest = std::max(parameter->Highest, parameter->Value);
  }

  Viewer viewer(SharedImage::Make(image.GetPointer()), std::move(recipes), VDimension == 3, settings);
  if (!options.Screenshot.empty())
  {
    viewer.WriteScreenshot(options.Screenshot);
  }
  else if (!options.Folder.empty())
  {
    viewer.WriteTurn(options.Folder, options.Frames);
  }
  else
  {
    viewer.Run();
  }
}
} // namespace

int
main(int argc, char ** argv)
{
  CLI::App app("Look at an image, and at what filters make of it while their sliders move.", "cudafilters-view");
  Options  options;
  options.AddTo(app);
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::CallForHelp & help)
  {
    return app.exit(help);
  }
  catch (const CLI::ParseError & error)
  {
    std::cerr << "cudafilters-view: " << ToOneLine(error.what()) << "; see 'cudafilters-view --help'" << std::endl;
    return UsageError;
  }
  ShowWarningsAsLines();
  try
  {
    if (!options.Screenshot.empty() && !options.Folder.empty())
    {
      throw UserError("--screenshot does not go with --record");
    }
    const unsigned int dimension = FindDimension(options.Input);
    if (!HasDisplay())
    {
      throw UserError("there is no display to draw on; without one, start it by xvfb-run of Debian's package xvfb");
    }
    options.Device.Apply(false); // stages are timed, but the start of CUDA is not printed
    itk::CudaInterface::GetDefault()->SetTiming(true);
    dimension == 2 ? View<2>(options) : View<3>(options);
    return EXIT_SUCCESS;
  }
  catch (const UserError & error)
  {
    std::cerr << "cudafilters-view: " << error.what() << std::endl;
  }
  catch (const std::exception & error)
  {
    std::cerr << "cudafilters-view: " << GetReason(error) << std::endl;
  }
  return EXIT_FAILURE;
}
