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

  void
  CheckObjectCount(std::uint64_t objects) const
  {
    if (objects > this->MostObjects)
    {
      this->ThrowTooMany(objects);
    }
  }

  /** Integers need not be checked, so that the host need not wait for the device. */
  void
  CheckForNaN(const std::function<bool()> & hasNaN) const
  {
    const auto isReal = [](PixelStorage storage) {
      return storage == PixelStorage::Float || storage == PixelStorage::Double;
    };
    if ((isReal(this->Input) || isReal(this->Mask)) && hasNaN())
    {
      this->ThrowNaN();
    }
  }
};

/** The parameters of connected components of similar pixels, whose background is 0. MostObjects is compared with the
 * greatest label, since labels have gaps. */
struct SimilarComponentParameters : ComponentParameters
{
  bool          IsSigned = false;     // for integers
  std::uint64_t IntegerThreshold = 0; // the greatest difference of similar pixels, converted
  double        RealThreshold = 0.0;  // the same for real pixels
};

/** The operation of connected components: one or two inputs, one output. objects: receives their number. */
CudaFilters_EXPORT OperationPointer
MakeComponentOperation(const ComponentParameters & parameters, std::uint64_t & objects);
CudaFilters_EXPORT OperationPointer
MakeSimilarComponentOperation(const SimilarComponentParameters & parameters, std::uint64_t & objects);
} // namespace CudaFilters
} // namespace itk

#endif
