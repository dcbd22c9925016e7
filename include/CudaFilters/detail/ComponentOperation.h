// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ComponentOperation_h
#define CudaFilters_detail_ComponentOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelStorage.h"
#include <cstdint>
#include <functional>

namespace itk
{
namespace CudaFilters
{
/** The parameters of connected components. */
struct ComponentParameters
{
  unsigned int Dimension = 2;
  bool         IsFull = false; // whether diagonal neighbours are connected
  PixelStorage Input = PixelStorage::Other;
  PixelStorage Output = PixelStorage::Other;
  /** Of the second input, if there is one: only pixels count that are not 0 there. */
  PixelStorage Mask = PixelStorage::Other;
  /** The value of the background in the output, converted. Objects have numbers from 0 on, but not this one. */
  std::uint64_t Background = 0;
  /** The largest number of objects for which the output pixels suffice. */
  std::uint64_t MostObjects = 0;
  /** Called with a number of objects that is larger; throws. */
  std::function<void(std::uint64_t)> ThrowTooMany;
  /** Called if a pixel is NaN; throws. */
  std::function<void()> ThrowNaN;
};

/** The operation of connected components: one or two inputs, one output. objects: receives their number. */
CudaFilters_EXPORT OperationPointer
MakeComponentOperation(const ComponentParameters & parameters, std::uint64_t & objects);
} // namespace CudaFilters
} // namespace itk

#endif
