// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDistanceInputs_h
#define itkCudaDistanceInputs_h

// Inputs of distance transforms. The planes are those of M. Oliveira et al., "The Megapixel Approach for Efficient
// Execution of Irregular Wavefront Algorithms on GPUs", 2025, in proportion to any size.

#include "itkImage.h"
#include "itkImageRegionIteratorWithIndex.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaTest
{
template <unsigned int VDimension>
using Mask = Image<unsigned char, VDimension>;

/** An image that is 1 where the function of the index returns true, else 0. */
template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawMask(const Size<VDimension> & size, const std::function<bool(const Index<VDimension> &)> & isObject)
{
  const auto mask = Mask<VDimension>::New();
  mask->SetRegions(size);
  mask->Allocate();
  for (ImageRegionIteratorWithIndex<Mask<VDimension>> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(isObject(it.GetIndex()) ? 1 : 0);
  }
  return mask;
}

struct PlaneDrawing
{
  std::string                                      Name;
  std::function<Mask<2>::Pointer(const Size<2> &)> Draw;
};

/** Whether a pixel is an object, by its position and the size of the image. */
using PlaneFunction = std::function<bool(double x, double y, double width, double height)>;

inline std::vector<PlaneDrawing>
GetPlaneDrawings()
{
  const auto isOnCircle = [](double x, double y, double centerX, double centerY, double radius) {
    return std::abs(std::hypot(x - centerX, y - centerY) - radius) < 0.75;
  };
  const auto isOnDiagonal = [](double x, double y, double width, double height) {
    return std::abs(x * height - y * width) < 0.5 * std::max(width, height);
  };
  const std::pair<const char *, PlaneFunction> functions[] = {
    { "16circles",
      [=](double x, double y, double width, double height) {
        const double cellX = (std::floor(x / width * 4) + 0.5) * width / 4;
        const double cellY = (std::floor(y / height * 4) + 0.5) * height / 4;
        return isOnCircle(x, y, cellX, cellY, std::min(width, height) / 12);
      } },
    { "big-circle",
      [](double x, double y, double width, double height) {
        return std::hypot(x - width / 2, y - height / 2) > 0.49 * std::min(width, height);
      } },
    { "central-circle",
      [=](double x, double y, double width, double height) {
        return isOnCircle(x, y, width / 2, height / 2, std::min(width, height) / 4);
      } },
    { "corner-squares",
      [](double x, double y, double width, double height) {
        return std::min(x, width - 1 - x) < width / 27 && std::min(y, height - 1 - y) < height / 27;
      } },
    { "diagonal", isOnDiagonal },
    { "x",
      [=](double x, double y, double width, double height) {
        return isOnDiagonal(x, y, width, height) || isOnDiagonal(width - 1 - x, y, width, height);
      } }
  };
  std::vector<PlaneDrawing> drawings;
  for (const auto & [name, isObject] : functions)
  {
    drawings.push_back({ name, [isObject = isObject](const Size<2> & size) {
                          return DrawMask<2>(size, [&](const Index<2> & index) {
                            return isObject(static_cast<double>(index[0]),
                                            static_cast<double>(index[1]),
                                            static_cast<double>(size[0]),
                                            static_cast<double>(size[1]));
                          });
                        } });
  }
  return drawings;
}

/** Single pixels at random. */
template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawPoints(const Size<VDimension> & size, unsigned int oneIn, unsigned int seed = 1)
{
  std::mt19937 random(seed);
  return DrawMask<VDimension>(size, [&](const Index<VDimension> &) { return random() % oneIn == 0; });
}

/** Smooth objects of about ten pixels. */
template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawBlobs(const Size<VDimension> & size)
{
  return DrawMask<VDimension>(size, [](const Index<VDimension> & index) {
    double sum = 0.0;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      const auto position = static_cast<double>(index[axis]);
      sum += std::sin(0.31 * position + axis) + std::sin(0.173 * position * (axis + 1));
    }
    return sum > 0.4;
  });
}
} // namespace CudaTest
} // namespace itk

#endif
