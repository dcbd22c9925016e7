// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ReconstructionOperation_h
#define CudaFilters_detail_ReconstructionOperation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/PixelType.h"
#include "CudaFilters/detail/WavefrontStatistics.h"
#include "itkCudaEnums.h"
#include <array>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** How the marker is made from the input. */
struct MarkerRecipe
{
  enum class Kind
  {
    /** The marker is the input. */
    Copy,
    /** Shift is added to the input, in double, and clamped to the range of the pixel type. */
    Shift,
    /** The next value that is farther from the mask. */
    Step,
    /** The input at the border of the image; inside, the value from which nothing propagates. */
    Border,
    /** For dilation, the minimum under a flat structuring element; for erosion, the maximum. */
    Structure,
    /** The mask, where the image reconstructed so far equals what Structure gives; elsewhere the value from which
     * nothing propagates. */
    Restore
  };

  Kind   How = Kind::Copy;
  double Shift = 0.0;
  /** The pixels of the structuring element relative to its centre. */
  std::vector<std::array<int, 3>> Offsets;
};

/** How the output is made from the reconstructed image. */
struct ReconstructionFinish
{
  enum class Kind
  {
    /** The reconstructed image is the output. */
    Cast,
    /** The output is its distance from the mask. */
    Difference,
    /** Foreground where it differs from the mask, which are the regional extrema after MarkerRecipe::Kind::Step. */
    Extrema,
    /** Background everywhere. */
    Background
  };

  Kind   How = Kind::Cast;
  double Foreground = 0.0;
  double Background = 0.0;
};

struct ReconstructionParameters
{
  unsigned int                   Dimension = 2;
  bool                           IsErosion = false;
  bool                           IsFullyConnected = false;
  CudaReconstructionStrategyEnum Strategy = CudaReconstructionStrategyEnum::Automatic;
  /** Markers that are reconstructed one after the other; each one but the first restores something that was lost. */
  std::vector<MarkerRecipe> Markers{ 1 };
  ReconstructionFinish      Finish;
  /** For extrema: the output if all pixels of the input are equal. */
  double FlatValue = 0.0;
  /** If given, the work of the run is added there. */
  WavefrontStatistics * Statistics = nullptr;
};

/** Morphological reconstruction of a marker that is made from the first input, under the second input, or, if there is
 * none, under the first input itself. */
CudaFilters_EXPORT OperationPointer
MakeReconstructionOperation(const ReconstructionParameters & parameters, const PixelTypes & types);
} // namespace CudaFilters
} // namespace itk

#endif
