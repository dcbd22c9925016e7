// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDistanceMap_h
#define itkCudaFiltersDistanceMap_h

#include "CudaFilters/detail/DistanceMapOperation.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/Region3.h"
#include <array>
#include <cstddef>
#include <cstdint>

namespace itk
{
namespace CudaFilters
{
/** A slab of an image, whose pixels have a range of indices along the last axis; or all of it. */
struct DistanceSlab
{
  Size3 Size;             // with margins
  int   LastAxis;         // 1 or 2
  int   MarginBefore = 0; // 1 if there are pixels of the image before the slab
  int   MarginAfter = 0;

  /** The number of pixels with the same index along the last axis. */
  std::int64_t
  GetNumberOfColumns() const
  {
    return this->LastAxis == 2 ? this->Size[0] * this->Size[1] : this->Size[0];
  }

  /** With margins. */
  std::int64_t
  GetNumberOfPixels() const
  {
    return this->GetNumberOfColumns() * this->Size[this->LastAxis];
  }

  /** The number of words of one bit per pixel. */
  std::int64_t
  GetNumberOfWords() const
  {
    return this->GetNumberOfColumns() * DivideUp(this->Size[this->LastAxis], 32);
  }
};

/** Positions in a column that stand for: no site before, or after. */
constexpr int NoSiteBefore = -(1 << 30);
constexpr int NoSiteAfter = 1 << 30;

/** Columns are at most as long, so that distances in an image are less than those to NoSiteBefore and NoSiteAfter. */
constexpr int LongestColumn = 1 << 29;

/** How squared distances are computed. */
struct DistanceArithmetic
{
  /** Whether they are integers of 32 bits. Otherwise they are of type double. */
  bool IsInteger;
  /** Squared spacings, in squared units. */
  double Weights[3];
  double Unit;
};

/** Chooses the arithmetic for an image: integers if the spacings are multiples of a common unit, small enough for all
 * squared distances in the image. */
DistanceArithmetic
ChooseDistanceArithmetic(const Size3 & size, const std::array<double, 3> & spacing);

/** Which pixels are objects, and to which of them distances are measured. */
struct ObjectChoice
{
  double Value;
  bool   ValueIsObject; // objects are the pixels of this value; otherwise, it is the background, and all others are
  bool   IsToContour;   // distances are measured to object pixels with background beside them; otherwise, to all
};

/** The objects of a slab, in device memory. */
struct SlabObjects
{
  const unsigned int * Objects;               // one word per 32 pixels of a column, see ObjectBits.cuh
  const unsigned int * Sites;                 // those of them to which distances are measured
  const int *          LastsBefore = nullptr; // the nearest site of each column before the slab, if there is any
  const int *          FirstsAfter = nullptr;
};

/** \name Steps of the distance map of a slab. objects, sites: one word per 32 pixels of a column, see ObjectBits.cuh.
 */
/**@{*/

/** Finds the objects, and those of them to which distances are measured. */
template <typename TPixel>
void
FindObjects(const Execution &    execution,
            const ObjectChoice & choice,
            const DistanceSlab & slab,
            const TPixel *       image,
            unsigned int *       objects,
            unsigned int *       sites);

/** Finds the first and the last site of each column. */
void
FindEndsOfColumns(const Execution &    execution,
                  const DistanceSlab & slab,
                  const unsigned int * sites,
                  int *                firsts,
                  int *                lasts);

/** Finds the nearest sites before and after each word. */
void
FindNearestSites(const Execution &    execution,
                 const DistanceSlab & slab,
                 const SlabObjects &  objects,
                 int *                before,
                 int *                after);

/** Computes distances with a sign. output: pixels without margins. */
template <typename TPixel>
void
ComputeDistances(const Execution &             execution,
                 const DistanceMapParameters & parameters,
                 const DistanceArithmetic &    arithmetic,
                 const DistanceSlab &          slab,
                 const SlabObjects &           objects,
                 TPixel *                      output);

/** Finds the pixels that are within a squared distance of a site, and are not sites themselves. changes: 1 for such a
 * pixel, otherwise 0; without margins. */
void
FindPixelsInBall(const Execution &          execution,
                 double                     largestSquaredDistance,
                 const DistanceArithmetic & arithmetic,
                 const DistanceSlab &       slab,
                 const SlabObjects &        objects,
                 unsigned char *            changes);

/** Copies so many pixels; those that change get a new value. */
template <typename TInput, typename TOutput>
void
ChangePixels(const Execution &     execution,
             std::int64_t          number,
             const TInput *        input,
             const unsigned char * changes,
             double                newValue,
             TOutput *             output);

/** Whether there is a site. Waits for the device. */
bool
HasSites(const Execution & execution, const DistanceSlab & slab, const unsigned int * sites);

/** Computes the offset of the nearest site for each pixel: LastAxis + 1 numbers per pixel. */
void
ComputeVectors(const Execution &          execution,
               const DistanceArithmetic & arithmetic,
               const DistanceSlab &       slab,
               const SlabObjects &        objects,
               std::int64_t *             vectors);

/** Computes the lengths of so many vectors. */
template <typename TPixel>
void
ComputeLengths(const Execution &             execution,
               const DistanceMapParameters & parameters,
               std::int64_t                  number,
               const std::int64_t *          vectors,
               TPixel *                      lengths);

/** Finds the labels of the nearest sites: their pixels in the image or, if it is binary, 1. */
template <typename TPixel, typename TLabel>
void
FindLabels(const Execution &             execution,
           const DistanceMapParameters & parameters,
           const DistanceSlab &          slab,
           const TPixel *                image,
           const std::int64_t *          vectors,
           TLabel *                      labels);

/** The device memory that ComputeDistances() and FindPixelsInBall(), or ComputeVectors(), allocate. */
std::size_t
GetDistanceScratchBytes(const DistanceSlab & slab, bool isInteger, bool isNearest);
/**@}*/
} // namespace CudaFilters
} // namespace itk

#endif
