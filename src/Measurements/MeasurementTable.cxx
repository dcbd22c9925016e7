// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/MeasurementTable.h"
#include "itkMultiThreaderBase.h"
#include "vnl/algo/vnl_determinant.h"
#include "vnl/algo/vnl_symmetric_eigensystem.h"
#include "vnl/vnl_matrix.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The middle of an object's bounding box, the mean position of its pixels relative to it, and their covariances, all
 * in pixels. */
struct IndexMoments
{
  std::array<std::int64_t, 3>          Middle{};
  std::array<double, 3>                Mean{};
  std::array<std::array<double, 3>, 3> Covariances{};
};

IndexMoments
ComputeMoments(const ObjectSums & sums, unsigned int dimension)
{
  const auto            count = static_cast<double>(sums.Count);
  IndexMoments          moments;
  std::array<double, 3> extent{};
  double                volume = 1.0;
  // Numbers modulo 2^64, which become exact numbers with a sign when they are small enough.
  std::array<std::uint64_t, 3> middle{};
  for (unsigned int i = 0; i < dimension; ++i)
  {
    moments.Middle[i] = sums.Least[i] + (sums.Greatest[i] - sums.Least[i]) / 2;
    middle[i] = static_cast<std::uint64_t>(moments.Middle[i]);
    extent[i] = 1.0 + sums.Greatest[i] - sums.Least[i];
    volume *= extent[i];
    moments.Mean[i] =
      static_cast<double>(static_cast<std::int64_t>(sums.Positions[i] - sums.Count * middle[i])) / count;
  }
  unsigned int product = 0;
  for (unsigned int i = 0; i < 3; ++i)
  {
    for (unsigned int j = i; j < 3; ++j, ++product)
    {
      if (j >= dimension)
      {
        continue;
      }
      const std::uint64_t moved = sums.Products[product] - middle[i] * sums.Positions[j] -
                                  middle[j] * sums.Positions[i] + sums.Count * middle[i] * middle[j];
      // The greatest sum that so many pixels, or those of a full box, can have.
      const double most = extent[i] * extent[j] * std::min(count / 4.0, volume / 12.0);
      const double covariance =
        static_cast<double>(static_cast<std::int64_t>(moved)) / count - moments.Mean[i] * moments.Mean[j];
      const double known = most < 9.0e18 ? covariance : std::numeric_limits<double>::quiet_NaN();
      moments.Covariances[i][j] = known;
      moments.Covariances[j][i] = known;
    }
  }
  return moments;
}

/** Columns with a common beginning of their names. */
class ColumnGroup
{
public:
  ColumnGroup(std::vector<std::string> names, std::size_t rows)
    : m_Names(std::move(names))
    , m_Columns(m_Names.size(), LabelMeasurementTable::ColumnType(rows))
  {}

  void
  Set(std::size_t column, std::size_t row, double value)
  {
    m_Columns[column][row] = value;
  }

  void
  MoveTo(LabelMeasurementTable & table)
  {
    for (std::size_t i = 0; i < m_Names.size(); ++i)
    {
      table.AddColumn(m_Names[i], std::move(m_Columns[i]));
    }
  }

private:
  std::vector<std::string>                       m_Names;
  std::vector<LabelMeasurementTable::ColumnType> m_Columns;
};

const char * const axes[] = { "X", "Y", "Z" };

ColumnGroup
MakeColumnPerAxis(const std::string & name, unsigned int dimension, std::size_t rows)
{
  std::vector<std::string> names;
  for (unsigned int i = 0; i < dimension; ++i)
  {
    names.push_back(name + axes[i]);
  }
  return ColumnGroup(std::move(names), rows);
}

/** The principal moments and axes. */
class PrincipalColumns
{
public:
  PrincipalColumns(unsigned int dimension, std::size_t rows)
    : m_Dimension(dimension)
    , m_Moments(MakeNames(dimension, false), rows)
    , m_Axes(MakeNames(dimension, true), rows)
  {}

  void
  Set(std::size_t row, const IndexMoments & moments, const vnl_matrix<double> & toSpace)
  {
    vnl_matrix<double> covariances(m_Dimension, m_Dimension);
    bool               isKnown = true;
    for (unsigned int i = 0; i < m_Dimension; ++i)
    {
      for (unsigned int j = 0; j < m_Dimension; ++j)
      {
        covariances(i, j) = moments.Covariances[i][j];
        isKnown = isKnown && !std::isnan(covariances(i, j));
      }
    }
    vnl_matrix<double>  principal(m_Dimension, m_Dimension, std::numeric_limits<double>::quiet_NaN());
    std::vector<double> values(m_Dimension, std::numeric_limits<double>::quiet_NaN());
    if (isKnown)
    {
      const vnl_symmetric_eigensystem<double> eigen(toSpace * covariances * toSpace.transpose());
      principal = eigen.V.transpose();
      for (unsigned int i = 0; i < m_Dimension; ++i)
      {
        values[i] = eigen.D(i);
      }
      // A rotation, as in ShapeLabelMapFilter.
      if (vnl_determinant(principal) < 0.0)
      {
        principal.scale_row(m_Dimension - 1, -1.0);
      }
    }
    for (unsigned int i = 0; i < m_Dimension; ++i)
    {
      m_Moments.Set(i, row, values[i]);
      for (unsigned int j = 0; j < m_Dimension; ++j)
      {
        m_Axes.Set(i * m_Dimension + j, row, principal(i, j));
      }
    }
  }

  void
  MoveTo(LabelMeasurementTable & table)
  {
    m_Moments.MoveTo(table);
    m_Axes.MoveTo(table);
  }

private:
  static std::vector<std::string>
  MakeNames(unsigned int dimension, bool areAxes)
  {
    std::vector<std::string> names;
    for (unsigned int i = 0; i < dimension; ++i)
    {
      const std::string number = std::to_string(i + 1);
      if (!areAxes)
      {
        names.push_back("PrincipalMoment" + number);
      }
      for (unsigned int j = 0; areAxes && j < dimension; ++j)
      {
        names.push_back("PrincipalAxis" + number + axes[j]);
      }
    }
    return names;
  }

  unsigned int m_Dimension;
  ColumnGroup  m_Moments;
  ColumnGroup  m_Axes;
};
} // namespace

LabelMeasurementTable::Pointer
MakeMeasurementTable(const std::vector<LabelSums> & objects,
                     const std::vector<double> &    labels,
                     const ImageGeometry &          geometry,
                     bool                           hasIntensities)
{
  const unsigned int dimension = geometry.Dimension;
  vnl_matrix<double> toSpace(dimension, dimension);
  double             pixelSize = 1.0;
  for (unsigned int i = 0; i < dimension; ++i)
  {
    pixelSize *= geometry.Spacing[i];
    for (unsigned int j = 0; j < dimension; ++j)
    {
      toSpace(i, j) = geometry.Direction[i][j] * geometry.Spacing[j];
    }
  }

  const std::size_t rows = objects.size();
  ColumnGroup       sizes({ "NumberOfPixels", "PhysicalSize" }, rows);
  ColumnGroup       boxStarts = MakeColumnPerAxis("BoundingBoxStart", dimension, rows);
  ColumnGroup       boxSizes = MakeColumnPerAxis("BoundingBoxSize", dimension, rows);
  ColumnGroup       centroids = MakeColumnPerAxis("Centroid", dimension, rows);
  PrincipalColumns  principal(dimension, rows);
  ColumnGroup       intensities({ "Mean", "Minimum", "Maximum", "Sum" }, hasIntensities ? rows : 0);
  const auto        setRow = [&](SizeValueType row) {
    const ObjectSums & sums = objects[row].Sums;
    const auto         count = static_cast<double>(sums.Count);
    sizes.Set(0, row, count);
    sizes.Set(1, row, count * pixelSize);
    const IndexMoments moments = ComputeMoments(sums, dimension);
    for (unsigned int i = 0; i < dimension; ++i)
    {
      boxStarts.Set(i, row, static_cast<double>(geometry.Start[i] + sums.Least[i]));
      boxSizes.Set(i, row, 1.0 + sums.Greatest[i] - sums.Least[i]);
      double centroid = geometry.Origin[i];
      for (unsigned int j = 0; j < dimension; ++j)
      {
        centroid += toSpace(i, j) * (static_cast<double>(geometry.Start[j] + moments.Middle[j]) + moments.Mean[j]);
      }
      centroids.Set(i, row, centroid);
    }
    principal.Set(row, moments, toSpace);
    if (hasIntensities)
    {
      const bool   isAnyKnown = sums.IntensityLeast <= sums.IntensityGreatest;
      const double unknown = std::numeric_limits<double>::quiet_NaN();
      intensities.Set(0, row, sums.IntensitySum / count);
      intensities.Set(1, row, isAnyKnown ? sums.IntensityLeast : unknown);
      intensities.Set(2, row, isAnyKnown ? sums.IntensityGreatest : unknown);
      intensities.Set(3, row, sums.IntensitySum);
    }
  };
  const auto threader = MultiThreaderBase::New();
  threader->ParallelizeArray(0, rows, setRow, nullptr);

  auto table = LabelMeasurementTable::New();
  table->AddColumn("Label", labels);
  sizes.MoveTo(*table);
  boxStarts.MoveTo(*table);
  boxSizes.MoveTo(*table);
  centroids.MoveTo(*table);
  principal.MoveTo(*table);
  if (hasIntensities)
  {
    intensities.MoveTo(*table);
  }
  return table;
}
} // namespace CudaFilters
} // namespace itk
