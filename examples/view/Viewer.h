// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_view_Viewer_h
#define cudafilters_view_Viewer_h

#include "Recipe.h"
#include "SliceView.h"
#include <memory>
#include <string>
#include <vector>

/** What the viewer shows at first, and how. */
struct ViewerSettings
{
  std::string Title;
  std::string Filter = "image";
  int         Width = 1280;
  int         Height = 860;
  double      Low = 0.0; // the grey levels from black to white
  double      High = 1.0;
  int         Slices[3] = { -1, -1, -1 }; // -1: the middle
  bool        HasPlanes = true;
  bool        TellsRuns = false; // prints each run
  SideLetters Letters;
};

/** The window: a panel with filters and sliders, three slices and a view in space; of a picture, the picture alone. */
class Viewer
{
public:
  /** input: the image that the recipes are for. */
  Viewer(std::shared_ptr<const SharedImage>   input,
         std::vector<std::unique_ptr<Recipe>> recipes,
         bool                                 isVolume,
         const ViewerSettings &               settings);
  ~Viewer();

  /** Opens the window and lets a person use it until it is closed. */
  void
  Run();

  /** Renders without a window, and writes what the window would show. */
  void
  WriteScreenshot(const std::string & file);

  /** Renders without a window, and writes the view in space as it turns around once: FOLDER/frame-000.png, ... */
  void
  WriteTurn(const std::string & folder, int frames);

private:
  class Implementation;
  std::unique_ptr<Implementation> m_Implementation;
};

#endif
