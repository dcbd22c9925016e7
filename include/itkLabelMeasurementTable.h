// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkLabelMeasurementTable_h
#define itkLabelMeasurementTable_h

#include "CudaFiltersExport.h"
#include "itkDataObject.h"
#include "itkIntTypes.h"
#include "itkObjectFactory.h"
#include <ostream>
#include <string>
#include <vector>

namespace itk
{
/** \class LabelMeasurementTable
 * \brief Measurements of the objects of a label image: a row for each object, and named columns of numbers.
 *
 * Rows are in the order of the labels. The columns, with X, Y, Z as far as the image has these axes:
 *
 * - Label, NumberOfPixels, PhysicalSize;
 * - BoundingBoxStartX, ..., the index of the box's first pixel, and BoundingBoxSizeX, ..., in pixels;
 * - CentroidX, ..., a physical point;
 * - PrincipalMoment1, ..., in ascending order, and PrincipalAxis1X, PrincipalAxis1Y, ...: the axis of the first moment,
 *   and so on. Moments are NaN if their sums exceed 64 bits: those of objects of billions of pixels that are much
 * longer than wide;
 * - Mean, Minimum, Maximum and Sum of the intensities, if there was an image of intensities.
 *
 * They mean what the methods of ShapeLabelObject and StatisticsLabelObject with these names return.
 *
 * \sa LabelMeasurementImageFilter
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT LabelMeasurementTable : public DataObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(LabelMeasurementTable);

  using Self = LabelMeasurementTable;
  using Superclass = DataObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ColumnType = std::vector<double>;     ///< one number for each object
  using NamesType = std::vector<std::string>; ///< one name for each column

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "LabelMeasurementTable";
  }

  /** The number of rows. */
  SizeValueType
  GetNumberOfObjects() const
  {
    return m_Columns.empty() ? 0 : m_Columns.front().size();
  }

  /** What is measured, in the order of the columns. */
  const NamesType &
  GetColumnNames() const
  {
    return m_Names;
  }

  /** Whether there is a column of a name. */
  bool
  HasColumn(const std::string & name) const;

  /** The numbers of all objects. Throws an exception if there is no such column. */
  const ColumnType &
  GetColumn(const std::string & name) const;

  /** The number of one object; rows are counted from 0. */
  double
  GetValue(const std::string & name, SizeValueType row) const;

  /** The row of the object with a label. Throws an exception if there is none. */
  SizeValueType
  FindRow(double label) const;

  /** Adds a column, as long as those that are there already. */
  void
  AddColumn(const std::string & name, ColumnType values);

  /** Writes comma-separated values: a line with the names, and a line for each object. Numbers have up to 17 digits, so
   * that they can be read back as they are. The file appears under its name when it is complete. */
  /**@{*/
  void
  WriteCSV(std::ostream & os) const;
  void
  WriteCSV(const std::string & fileName) const;
  /**@}*/

  void
  Initialize() override;

protected:
  LabelMeasurementTable();
  ~LabelMeasurementTable() override;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  NamesType               m_Names;
  std::vector<ColumnType> m_Columns;
};
} // namespace itk

#endif
