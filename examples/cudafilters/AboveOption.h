// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_AboveOption_h
#define cudafilters_AboveOption_h

#include "Command.h"
#include "Mask.h"
#include <optional>

/** Which pixels are objects, as an option. */
class AboveOption
{
public:
  void
  AddTo(CLI::App & app)
  {
    app.add_option("--above", m_Level, "Objects are the pixels above this value; otherwise those that are not 0")
      ->check(Finite())
      ->type_name("VALUE");
  }

  bool
  HasLevel() const
  {
    return m_Level.has_value();
  }
  double
  GetLevel() const
  {
    return *m_Level;
  }

  bool
  IsObject(double pixel) const
  {
    return m_Level ? pixel > *m_Level : pixel != 0.0;
  }

  /** Makes the objects of an image 1 and other pixels 0, if there is a level. */
  template <typename TImage>
  void
  Apply(TImage & image) const
  {
    if (m_Level)
    {
      MakeBinary(image, *m_Level);
    }
  }

private:
  std::optional<double> m_Level;
};

#endif
