// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_MarkingCommand_h
#define cudafilters_MarkingCommand_h

#include "FilterCommand.h"
#include <string>

/** A command whose filter marks pixels: its output is an image of two values, whatever the type of the input is. The
 * picture shows the marked pixels on the input. */
template <typename TCommand>
class MarkingCommand : public FilterCommand<TCommand>
{
public:
  using FilterCommand<TCommand>::FilterCommand;

  static std::string
  GetMeaningOfAs()
  {
    return "Compute as uint8, uint16, int16, float32 or float64";
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "the marked pixels in red on the input";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices & input, TFilter & filter) const
  {
    return DrawMask(input, Slices(*filter.GetOutput()));
  }
};

#endif
