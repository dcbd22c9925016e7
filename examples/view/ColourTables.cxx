// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ColourTables.h"
#include "Colours.h"
#include "Window.h"
#include <algorithm>
#include <vtkLookupTable.h>
#include <vtkObjectFactory.h>

namespace
{
constexpr double maskOpacity = 0.6;
constexpr double labelOpacity = 0.75;

void
SetTableColour(vtkLookupTable & table, vtkIdType i, const Colour & colour, double opacity)
{
  table.SetTableValue(i, colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0, opacity);
}

class LabelColours : public vtkScalarsToColors
{
public:
  vtkTypeMacro(LabelColours, vtkScalarsToColors);
  static LabelColours *
  New();

  double *
  GetRange() override
  {
    return m_Range;
  }

  int
  IsOpaque() override
  {
    return 0;
  }

  const unsigned char *
  MapValue(double label) override
  {
    const Colour colour = GetLabelColour(label);
    m_Colour[0] = colour[0];
    m_Colour[1] = colour[1];
    m_Colour[2] = colour[2];
    m_Colour[3] = label == 0.0 ? 0 : static_cast<unsigned char>(255 * labelOpacity);
    return m_Colour;
  }

  void
  GetColor(double label, double rgb[3]) override
  {
    const Colour colour = GetLabelColour(label);
    for (unsigned int i = 0; i < 3; ++i)
    {
      rgb[i] = colour[i] / 255.0;
    }
  }

  void
  MapScalarsThroughTable2(void * labels, unsigned char * colours, int type, int count, int increment, int format)
    override
  {
    if (type != VTK_UNSIGNED_INT)
    {
      vtkErrorMacro("These labels are not unsigned int");
      return;
    }
    const auto * label = static_cast<const unsigned int *>(labels);
    for (int i = 0; i < count; ++i, label += increment, colours += format)
    {
      const unsigned char * const colour = this->MapValue(*label);
      std::copy_n(colour, format < 4 ? format : 4, colours); // format is the number of components
    }
  }

private:
  double        m_Range[2] = { 0.0, 1.0 };
  unsigned char m_Colour[4] = {};
};

vtkStandardNewMacro(LabelColours);
} // namespace

vtkSmartPointer<vtkScalarsToColors>
MakeGreyWithoutDark()
{
  constexpr vtkIdType count = 256;
  constexpr vtkIdType dark = 24;
  const auto          table = vtkSmartPointer<vtkLookupTable>::New();
  table->SetNumberOfTableValues(count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    const double level = static_cast<double>(i) / (count - 1);
    table->SetTableValue(i, level, level, level, i < dark ? 0.0 : 1.0);
  }
  return table;
}

vtkSmartPointer<vtkScalarsToColors>
MakeMaskColours()
{
  const auto table = vtkSmartPointer<vtkLookupTable>::New();
  table->SetNumberOfTableValues(2);
  table->SetTableRange(0.0, 1.0);
  SetTableColour(*table, 0, black, 0.0);
  SetTableColour(*table, 1, red, maskOpacity);
  return table;
}

vtkSmartPointer<vtkScalarsToColors>
MakeNumberColours(double low, double high, bool isSigned)
{
  constexpr vtkIdType count = 512;
  const auto          table = vtkSmartPointer<vtkLookupTable>::New();
  table->SetNumberOfTableValues(count);
  table->SetTableRange(low, high > low ? high : GetUpperEnd(low));
  for (vtkIdType i = 0; i < count; ++i)
  {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    SetTableColour(*table, i, isSigned ? GetColourOfSign(2.0 * share - 1.0) : GetHeat(share), 1.0);
  }
  table->SetNanColor(magenta[0] / 255.0, magenta[1] / 255.0, magenta[2] / 255.0, 1.0);
  return table;
}

vtkSmartPointer<vtkScalarsToColors>
MakeLabelColours()
{
  return vtkSmartPointer<LabelColours>::New();
}
