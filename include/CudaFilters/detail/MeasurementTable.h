// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_MeasurementTable_h
#define CudaFilters_detail_MeasurementTable_h

#include "CudaFiltersExport.h"
#include "CudaFilters/detail/ObjectSums.h"
#include "itkImageBase.h"
#include "itkLabelMeasurementTable.h"
#include <array>
#include <cstdint>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Where the pixels of an image are in space. */
struct ImageGeometry
{
  unsigned int                         Dimension = 2;
  std::array<std::int64_t, 3>          Start{}; // the index of the pixel from which positions are counted
  std::array<double, 3>                Spacing{};
  std::array<double, 3>                Origin{};
  std::array<std::array<double, 3>, 3> Direction{};
};

template <unsigned int VDimension>
ImageGeometry
GetGeometry(const ImageBase<VDimension> & image, const Index<VDimension> & start)
{
  static_assert(VDimension <= 3, "Objects are measured in up to three dimensions.");
  ImageGeometry geometry;
  geometry.Dimension = VDimension;
  for (unsigned int i = 0; i < VDimension; ++i)
  {
    geometry.Start[i] = start[i];
    geometry.Spacing[i] = image.GetSpacing()[i];
    geometry.Origin[i] = image.GetOrigin()[i];
    for (unsigned int j = 0; j < VDimension; ++j)
    {
      geometry.Direction[i][j] = image.GetDirection()(i, j);
    }
  }
  return geometry;
}

/** Makes the table of objects, in their order. labels: of the objects. */
CudaFilters_EXPORT LabelMeasurementTable::Pointer
                   MakeMeasurementTable(const std::vector<LabelSums> & objects,
                                        const std::vector<double> &    labels,
                                        const ImageGeometry &          geometry,
                                        bool                           hasIntensities);
} // namespace CudaFilters
} // namespace itk

#endif
