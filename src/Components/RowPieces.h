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
/** The pieces into which rows are divided to count the objects that begin there. */
constexpr int WordsPerPiece = 256;
constexpr int PixelsPerPiece = 32 * WordsPerPiece;

inline std::int64_t
GetPiecesPerRow(const Size3 & size)
{
  return DivideUp(size[0], PixelsPerPiece);
}

inline std::int64_t
GetNumberOfPieces(const Size3 & size)
{
  return GetPiecesPerRow(size) * size[1] * size[2];
}

} // namespace CudaFilters
} // namespace itk

#endif
