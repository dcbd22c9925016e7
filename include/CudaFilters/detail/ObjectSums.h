// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_ObjectSums_h
#define CudaFilters_detail_ObjectSums_h

#include <algorithm>
#include <cstdint>
#include <limits>

namespace itk
{
namespace CudaFilters
{
/** What one pass over an image tells of an object, on the device and on the CPU. Positions are counted from the first
 * pixel of the image. Sums of positions and of their products are formed modulo 2^64: moved to the middle of the object
 * (MakeMeasurementTable()), they are exact nevertheless. */
struct ObjectSums
{
  std::uint64_t Count = 0;
  std::uint64_t Positions[3] = { 0, 0, 0 };         // along x, y, z
  std::uint64_t Products[6] = { 0, 0, 0, 0, 0, 0 }; // xx, xy, xz, yy, yz, zz
  std::int32_t  Least[3] = { std::numeric_limits<std::int32_t>::max(),
                             std::numeric_limits<std::int32_t>::max(),
                             std::numeric_limits<std::int32_t>::max() };
  std::int32_t  Greatest[3] = { -1, -1, -1 };
  double        IntensitySum = 0.0;
  double        IntensitySquares = 0.0; // their sum, if it is asked for
  double        IntensityLeast = std::numeric_limits<double>::infinity();
  double        IntensityGreatest = -std::numeric_limits<double>::infinity();

  void
  AddIntensity(double value)
  {
    // NaN is in the sum alone.
    this->IntensitySum += value;
    this->IntensityLeast = value < this->IntensityLeast ? value : this->IntensityLeast;
    this->IntensityGreatest = value > this->IntensityGreatest ? value : this->IntensityGreatest;
  }

  /** Adds adjacent pixels of a row. */
  void
  AddRun(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t length)
  {
    // Longer runs could have sums of squares that 64 bits do not hold before they are divided.
    constexpr std::int32_t longest = 1 << 16;
    while (length > longest)
    {
      this->AddRun(x, y, z, longest);
      x += longest;
      length -= longest;
    }
    const auto          n = static_cast<std::uint64_t>(length);
    const auto          first = static_cast<std::uint64_t>(x);
    const auto          row = static_cast<std::uint64_t>(y);
    const auto          slice = static_cast<std::uint64_t>(z);
    const std::uint64_t triangle = n * (n - 1) / 2;
    const std::uint64_t sum = n * first + triangle;
    this->Count += n;
    this->Positions[0] += sum;
    this->Positions[1] += n * row;
    this->Positions[2] += n * slice;
    this->Products[0] += first * (n * first + 2 * triangle) + triangle * (2 * n - 1) / 3;
    this->Products[1] += sum * row;
    this->Products[2] += sum * slice;
    this->Products[3] += n * row * row;
    this->Products[4] += n * row * slice;
    this->Products[5] += n * slice * slice;
    const std::int32_t last[] = { x + length - 1, y, z };
    const std::int32_t begin[] = { x, y, z };
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      this->Least[axis] = std::min(this->Least[axis], begin[axis]);
      this->Greatest[axis] = std::max(this->Greatest[axis], last[axis]);
    }
  }

  ObjectSums &
  operator+=(const ObjectSums & other)
  {
    this->Count += other.Count;
    for (unsigned int i = 0; i < 3; ++i)
    {
      this->Positions[i] += other.Positions[i];
      this->Least[i] = std::min(this->Least[i], other.Least[i]);
      this->Greatest[i] = std::max(this->Greatest[i], other.Greatest[i]);
    }
    for (unsigned int i = 0; i < 6; ++i)
    {
      this->Products[i] += other.Products[i];
    }
    this->IntensitySum += other.IntensitySum;
    this->IntensitySquares += other.IntensitySquares;
    this->IntensityLeast = std::min(this->IntensityLeast, other.IntensityLeast);
    this->IntensityGreatest = std::max(this->IntensityGreatest, other.IntensityGreatest);
    return *this;
  }
};

/** The sums of the object with a label. */
struct LabelSums
{
  std::uint64_t Label; // becomes the label again when it is converted to the pixel type
  ObjectSums    Sums;
};
} // namespace CudaFilters
} // namespace itk

#endif
