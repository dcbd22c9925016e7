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
#include <functional>

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

  /** Without margins. */
  std::int64_t
  GetNumberOfInnerPixels() const
  {
    return this->GetNumberOfColumns() * (this->Size[this->LastAxis] - this->MarginBefore - this->MarginAfter);
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

/** Which pixels are objects. */
struct ObjectChoice
{
  double Value;
  bool   ValueIsObject; // objects are the pixels of this value; otherwise, it is the background, and all others are
};

/** The pixels to which distances are measured, the sites. */
enum class SiteChoice : std::uint8_t
{
  /** All object pixels. */
  Objects,
  /** Object pixels with background beside them, diagonally or not. */
  Contours,
  /** Background pixels, and object pixels with background among their 8 neighbours in planes, or 18 in volumes. */
  NearBackground
};

/** The objects of a slab, in device memory. */
struct SlabObjects
{
  const unsigned int * Objects;               // one word per 32 pixels of a column, see ObjectBits.cuh
  const unsigned int * Sites;                 // the pixels to which distances are measured
  const int *          LastsBefore = nullptr; // the nearest site of each column before the slab, if there is any
  const int *          FirstsAfter = nullptr;
};

/** \name Steps of the distance map of a slab. objects, sites: one word per 32 pixels of a column, see ObjectBits.cuh.
 */
/**@{*/

/** Finds the objects. */
template <typename TPixel>
void
FindObjects(const Execution &    execution,
            const ObjectChoice & choice,
            const DistanceSlab & slab,
            const TPixel *       image,
            unsigned int *       objects);

/** Finds the pixels to which distances are measured. */
void
ChooseSites(const Execution &    execution,
            SiteChoice           choice,
            const DistanceSlab & slab,
            const unsigned int * objects,
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

/** As ComputeDistances(), by a wavefront that goes from neighbour to neighbour, in a slab without margins. Waits for
 * the device. Calls betweenLaunches from time to time, which may throw to abort the computation. */
template <typename TPixel>
void
ComputeWavefrontDistances(const Execution &             execution,
                          const DistanceMapParameters & parameters,
                          const DistanceArithmetic &    arithmetic,
                          const DistanceSlab &          slab,
                          const SlabObjects &           objects,
                          const std::function<void()> & betweenLaunches,
                          TPixel *                      output);

/** The device memory that ComputeWavefrontDistances() allocates. */
std::size_t
GetWavefrontScratchBytes(const DistanceSlab & slab);

/** Statistics of the distances of some pixels to the nearest object; the distance of an object pixel is 0. */
struct DistanceStatistics
{
  double        Sum = 0.0;
  double        Largest = 0.0;
  std::uint64_t Number = 0;

  DistanceStatistics &
  operator+=(const DistanceStatistics & other)
  {
    this->Sum += other.Sum;
    this->Largest = other.Largest > this->Largest ? other.Largest : this->Largest;
    this->Number += other.Number;
    return *this;
  }
};

/** Computes the statistics of the pixels whose bit is set; pixels: one bit per pixel, packed as objects. Waits for the
 * device. */
DistanceStatistics
ComputeStatistics(const Execution &          execution,
                  const DistanceArithmetic & arithmetic,
                  const DistanceSlab &       slab,
                  const SlabObjects &        objects,
                  const unsigned int *       pixels);

/** The device memory that ComputeStatistics() allocates besides GetDistanceScratchBytes(). */
std::size_t
GetStatisticsBytes(const DistanceSlab & slab);

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

/** Computes the distances to other sites, and subtracts them from those in output; or the other way round, if inside is
 * positive. */
template <typename TPixel>
void
SubtractDistances(const Execution &             execution,
                  const DistanceMapParameters & parameters,
                  const DistanceArithmetic &    arithmetic,
                  const DistanceSlab &          slab,
                  const SlabObjects &           objects,
                  TPixel *                      output);

/** Finds the labels of the nearest sites: their pixels in the image or, if it is binary, 1. */
template <typename TPixel, typename TLabel>
void
FindLabels(const Execution &             execution,
           const DistanceMapParameters & parameters,
           const DistanceSlab &          slab,
           const TPixel *                image,
           const std::int64_t *          vectors,
           TLabel *                      labels);

/** The device memory that ComputeDistances(), FindPixelsInBall() and ComputeStatistics(), or ComputeVectors(),
 * allocate. */
std::size_t
GetDistanceScratchBytes(const DistanceSlab & slab, bool isInteger, bool isNearest);
/**@}*/
} // namespace CudaFilters
} // namespace itk

#endif
