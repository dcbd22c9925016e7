// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkWorkloads_h
#define itkCudaBenchmarkWorkloads_h

#include "itkImage.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace itk
{
namespace CudaBenchmark
{
/** The random numbers of NumPy's default_rng(7), so that others can make the same images with NumPy. */
class NumpyRandom
{
public:
  /** As Generator.random(dtype=numpy.float32): even in [0, 1). */
  float
  NextFloat();

  /** As Generator.integers(0, 256, dtype=numpy.uint8), in whole groups of four. */
  void
  FillBytes(unsigned char * bytes, std::size_t count);

  /** As Generator.random(). */
  double
  NextDouble();

  /** As Generator.integers(0, bound), for a power of two. */
  std::uint32_t
  NextBelow(std::uint32_t bound);

  /** Leaves out so many numbers of 64 bits. */
  void
  Skip(std::uint64_t count);

private:
  std::uint32_t
  Next32();

  std::uint64_t
  Next64();

  // default_rng(7).bit_generator.state, in two halves each
  std::uint64_t m_State[2] = { 0x9d0aecc4e7b18891u, 0x9ae2415a6b292038u };
  std::uint64_t m_Increment[2] = { 0xc4751896ce8acebfu, 0x66887f5ac070d959u };
  std::uint32_t m_Upper = 0; // half of the last 64 bits
  bool          m_HasUpper = false;
};

/** numpy.random.default_rng(7).random(shape, dtype=numpy.float32). */
Image<float, 3>::Pointer
MakeUniformVolume(const Size<3> & size);

/** Natural texture: a picture tiled until it fills the size. The picture is 25-percent-mask.jpg, tissue, in the folder
 * of data; where there is none, the slice of a brain in the folder of test images. source: the file. */
Image<float, 2>::Pointer
MakeNaturalImage(const Size<2> &     size,
                 const std::string & dataFolder,
                 const std::string & inputFolder,
                 std::string &       source);

/** A band 8 pixels wide of the given height that winds from the first corner to the middle, with as much between its
 * turns. It begins higher than it goes on. */
Image<float, 2>::Pointer
MakeSpiralImage(const Size<2> & size, float height, float firstHeight);

/** What reconstruction starts from. The marker is nowhere above the mask. */
struct MarkerAndMask
{
  using ImageType = Image<unsigned char, 2>;
  ImageType::Pointer Marker;
  ImageType::Pointer Mask;
};

/** Tissue: 50-percent-marker.jpg and 50-percent-mask.jpg of the folder of data, tiled until they fill the size; where
 * there are none, the slice of a brain, and as the marker the slice 40 levels darker. source: the file of the mask. */
MarkerAndMask
MakeTissue(const Size<2> & size, const std::string & dataFolder, const std::string & inputFolder, std::string & source);

/** Random pixels: those that NumPy's default_rng(7) gives after the other images for which the design of the benchmark
 * draws random numbers. */
MarkerAndMask
MakeRandomBytes(const Size<2> & size);

/** A mask of tissue: where the picture of MakeNaturalImage() is darker than its mean. */
Image<unsigned char, 2>::Pointer
MakeTissueMask(const Size<2> &     size,
               const std::string & dataFolder,
               const std::string & inputFolder,
               std::string &       source);

/** Masks of single pixels, with NumPy's random numbers: of a plane, one pixel of a thousand; of a cube, 2000 in all, or
 * so many; of a flat volume, 4000 in all. */
Image<unsigned char, 2>::Pointer
MakePointsInPlane(const Size<2> & size);
Image<unsigned char, 3>::Pointer
MakePointsInCube(const Size<3> & size, int points = 2000);
Image<unsigned char, 3>::Pointer
MakePointsInFlatVolume(const Size<3> & size);

/** Where smoothed random numbers are above their mean. */
Image<unsigned char, 3>::Pointer
MakeBlobsInCube(const Size<3> & size);

/** The same in a plane, smoothed more. */
Image<unsigned char, 2>::Pointer
MakeBlobsInPlane(const Size<2> & size);

/** A cube of blobs as many times as it takes to fill the size. */
Image<unsigned char, 3>::Pointer
MakeManyBlobs(const Size<3> & size, const Size<3> & cube);

/** A mask in which each pixel is chosen at random, with equal chances. */
Image<unsigned char, 2>::Pointer
MakeNoiseInPlane(const Size<2> & size);

/** The volumes of the literature on components: alternate voxels, square columns, a thin wall that winds to the middle,
 * and a path one voxel thick through the whole volume. */
Image<unsigned char, 3>::Pointer
DrawChess(const Size<3> & size);
Image<unsigned char, 3>::Pointer
DrawBlocks(const Size<3> & size);
Image<unsigned char, 3>::Pointer
DrawSpiralWall(const Size<3> & size);
Image<unsigned char, 3>::Pointer
DrawSnake(const Size<3> & size);

/** A corridor 8 pixels wide that winds from the first corner, where the one bright pixel of the marker is, to the
 * middle. */
MarkerAndMask
MakeSpiralCorridor(const Size<2> & size);
} // namespace CudaBenchmark
} // namespace itk

#endif
