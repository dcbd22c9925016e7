// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkLabelMeasurementTable.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <locale>
#include <sstream>
#include <system_error>
#include <utility>

namespace itk
{
LabelMeasurementTable::LabelMeasurementTable() = default;

LabelMeasurementTable::~LabelMeasurementTable() = default;

bool
LabelMeasurementTable::HasColumn(const std::string & name) const
{
  return std::find(m_Names.begin(), m_Names.end(), name) != m_Names.end();
}

auto
LabelMeasurementTable::GetColumn(const std::string & name) const -> const ColumnType &
{
  const auto found = std::find(m_Names.begin(), m_Names.end(), name);
  if (found == m_Names.end())
  {
    itkExceptionMacro(<< "There is no column " << name << " in the table.");
  }
  return m_Columns[static_cast<std::size_t>(found - m_Names.begin())];
}

double
LabelMeasurementTable::GetValue(const std::string & name, SizeValueType row) const
{
  const ColumnType & column = this->GetColumn(name);
  if (row >= column.size())
  {
    itkExceptionMacro(<< "There is no row " << row << " in the table, which has " << column.size() << " rows.");
  }
  return column[row];
}

SizeValueType
LabelMeasurementTable::FindRow(double label) const
{
  const ColumnType & labels = this->GetColumn("Label");
  const auto         found = std::lower_bound(labels.begin(), labels.end(), label);
  if (found == labels.end() || *found != label)
  {
    itkExceptionMacro(<< "There is no object with the label " << label << " in the table.");
  }
  return static_cast<SizeValueType>(found - labels.begin());
}

void
LabelMeasurementTable::AddColumn(const std::string & name, ColumnType values)
{
  if (this->HasColumn(name))
  {
    itkExceptionMacro(<< "There is a column " << name << " in the table already.");
  }
  if (!m_Columns.empty() && values.size() != m_Columns.front().size())
  {
    itkExceptionMacro(<< "Column " << name << " has " << values.size() << " numbers, but the table has "
                      << m_Columns.front().size() << " rows.");
  }
  m_Names.push_back(name);
  m_Columns.push_back(std::move(values));
  this->Modified();
}

void
LabelMeasurementTable::WriteCSV(std::ostream & os) const
{
  const char * separator = "";
  for (const std::string & name : m_Names)
  {
    os << separator << name;
    separator = ",";
  }
  os << '\n';

  // Streams of the user may have other settings.
  std::ostringstream line;
  line.imbue(std::locale::classic());
  line.precision(std::numeric_limits<double>::max_digits10);
  for (SizeValueType row = 0; row < this->GetNumberOfObjects(); ++row)
  {
    line.str({});
    separator = "";
    for (const ColumnType & column : m_Columns)
    {
      line << separator << column[row];
      separator = ",";
    }
    line << '\n';
    os << line.str();
  }
}

void
LabelMeasurementTable::WriteCSV(const std::string & fileName) const
{
  namespace fs = std::filesystem;
  // Behind a link, the file it leads to is replaced, and not the link. What is no file, such as a terminal, is written
  // to as it is.
  std::error_code error;
  const fs::path  target = fs::weakly_canonical(fileName, error);
  const bool      isSpecial = fs::exists(target, error) && !fs::is_regular_file(target, error);
  fs::path        part = target;
  part += isSpecial ? "" : ".part";
  std::ofstream file(part, std::ios::binary);
  this->WriteCSV(file);
  file.close();
  bool isWritten = static_cast<bool>(file);
  if (!isSpecial)
  {
    if (isWritten)
    {
      fs::rename(part, target, error);
      isWritten = !error;
    }
    fs::remove(part, error);
  }
  if (!isWritten)
  {
    itkExceptionMacro(<< "Writing " << fileName << " failed.");
  }
}

void
LabelMeasurementTable::Initialize()
{
  Superclass::Initialize();
  m_Names.clear();
  m_Columns.clear();
}

void
LabelMeasurementTable::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "NumberOfObjects: " << this->GetNumberOfObjects() << std::endl;
  os << indent << "ColumnNames:";
  for (const std::string & name : m_Names)
  {
    os << ' ' << name;
  }
  os << std::endl;
}
} // namespace itk
