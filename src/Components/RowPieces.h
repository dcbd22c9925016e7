// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersRowPieces_h
#define itkCudaFiltersRowPieces_h

#include "CudaFilters/Region3.h"
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** The pieces of a tile, in which the objects are counted that begin there: parts of rows. */
constexpr int WordsPerPieceOfTile = 256;
constexpr int PixelsPerPieceOfTile = 32 * WordsPerPieceOfTile;

inline std::int64_t
GetPiecesPerRow(const Size3 & size)
{
  return DivideUp(size[0], PixelsPerPieceOfTile);
}

inline std::int64_t
GetNumberOfPieces(const Size3 & size)
{
  return GetPiecesPerRow(size) * size[1] * size[2];
}

} // namespace CudaFilters
} // namespace itk

#endif
