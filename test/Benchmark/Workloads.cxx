// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Workloads.h"
#include "../itkCudaWindingBand.h"
#include "itkImageFileReader.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itksys/SystemTools.hxx"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
// PCG XSL RR 128/64 (O'Neill, PCG: a family of simple fast space-efficient statistically good algorithms for random
// number generation, 2014).
using Wide = unsigned __int128;
constexpr Wide Multiplier = static_cast<Wide>(0x2360ed051fc65da4u) << 64 | 0x4385df649fccf645u;

Wide
Join(const std::uint64_t (&halves)[2])
{
  return static_cast<Wide>(halves[0]) << 64 | halves[1];
}

void
Split(Wide wide, std::uint64_t (&halves)[2])
{
  halves[0] = static_cast<std::uint64_t>(wide >> 64);
  halves[1] = static_cast<std::uint64_t>(wide);
}
} // namespace

std::uint64_t
NumpyRandom::Next64()
{
  Split(Join(m_State) * Multiplier + Join(m_Increment), m_State);
  const std::uint64_t mixed = m_State[0] ^ m_State[1];
  const unsigned int  turn = static_cast<unsigned int>(m_State[0] >> 58);
  return mixed >> turn | mixed << (-turn & 63u);
}

std::uint32_t
NumpyRandom::Next32()
{
  m_HasUpper = !m_HasUpper;
  if (!m_HasUpper)
  {
    return m_Upper;
  }
  const std::uint64_t both = this->Next64();
  m_Upper = static_cast<std::uint32_t>(both >> 32);
  return static_cast<std::uint32_t>(both);
}

float
NumpyRandom::NextFloat()
{
  return static_cast<float>(this->Next32() >> 8) * (1.0f / 16777216.0f);
}

double
NumpyRandom::NextDouble()
{
  return static_cast<double>(this->Next64() >> 11) * (1.0 / 9007199254740992.0);
}

std::uint32_t
NumpyRandom::NextBelow(std::uint32_t bound)
{
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(this->Next32()) * bound >> 32);
}

void
NumpyRandom::FillBytes(unsigned char * bytes, std::size_t count)
{
  for (std::size_t i = 0; i < count; i += 4)
  {
    const std::uint32_t four = this->Next32();
    for (std::size_t j = 0; j < 4 && i + j < count; ++j)
    {
      bytes[i + j] = static_cast<unsigned char>(four >> (8 * j));
    }
  }
}

void
NumpyRandom::Skip(std::uint64_t count)
{
  // Twice as many steps at once each time.
  Wide multiplier = Multiplier;
  Wide increment = Join(m_Increment);
  Wide state = Join(m_State);
  for (; count != 0; count >>= 1)
  {
    if ((count & 1u) != 0)
    {
      state = state * multiplier + increment;
    }
    increment *= multiplier + 1;
    multiplier *= multiplier;
  }
  Split(state, m_State);
}

Image<float, 3>::Pointer
MakeUniformVolume(const Size<3> & size)
{
  const auto volume = Image<float, 3>::New();
  volume->SetRegions(size);
  volume->Allocate();
  NumpyRandom   random;
  float * const pixels = volume->GetBufferPointer();
  for (SizeValueType i = 0; i < volume->GetPixelContainer()->Size(); ++i)
  {
    pixels[i] = random.NextFloat();
  }
  return volume;
}

namespace
{
/** The picture of natural texture. source: its file. */
template <typename TImage>
typename TImage::Pointer
ReadNatural(const std::string & dataFolder, const std::string & inputFolder, std::string & source)
{
  source = dataFolder + "/25-percent-mask.jpg";
  if (!itksys::SystemTools::FileExists(source))
  {
    source = inputFolder + "/BrainProtonDensitySlice.png";
  }
  const auto picture = ReadImage<TImage>(source);
  source = itksys::SystemTools::GetFilenameName(source);
  return picture;
}

/** A picture as many times as it takes to fill the size. */
template <typename TImage>
typename TImage::Pointer
Tile(const TImage * picture, const Size<2> & size)
{
  const auto pictureSize = picture->GetBufferedRegion().GetSize();
  const auto image = TImage::New();
  image->SetRegions(size);
  image->Allocate();
  for (SizeValueType y = 0; y < size[1]; ++y)
  {
    const auto * const row = picture->GetBufferPointer() + y % pictureSize[1] * pictureSize[0];
    auto * const       to = image->GetBufferPointer() + y * size[0];
    for (SizeValueType x = 0; x < size[0]; x += pictureSize[0])
    {
      std::copy_n(row, std::min(pictureSize[0], size[0] - x), to + x);
    }
  }
  return image;
}
} // namespace

Image<float, 2>::Pointer
MakeNaturalImage(const Size<2> &     size,
                 const std::string & dataFolder,
                 const std::string & inputFolder,
                 std::string &       source)
{
  return Tile<Image<float, 2>>(ReadNatural<Image<float, 2>>(dataFolder, inputFolder, source), size);
}

Image<unsigned char, 2>::Pointer
MakeTissueMask(const Size<2> &     size,
               const std::string & dataFolder,
               const std::string & inputFolder,
               std::string &       source)
{
  using MaskType = Image<unsigned char, 2>;
  const auto            picture = ReadNatural<MaskType>(dataFolder, inputFolder, source);
  unsigned char * const begin = picture->GetBufferPointer();
  unsigned char * const end = begin + picture->GetPixelContainer()->Size();
  const double          mean = std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  std::transform(begin, end, begin, [mean](unsigned char pixel) { return pixel < mean ? 1 : 0; });
  return Tile<MaskType>(picture, size);
}

Image<float, 2>::Pointer
MakeSpiralImage(const Size<2> & size, float height, float firstHeight)
{
  using ImageType = Image<float, 2>;
  constexpr IndexValueType width = 8;

  const auto image = ImageType::New();
  image->SetRegions(size);
  image->Allocate(true);
  CudaTest::DrawWindingBand(*image, width, height);
  constexpr IndexValueType length = 8 * width;
  for (ImageRegionIteratorWithIndex<ImageType> it(image, { { { 0, 0 } }, { { length, width } } }); !it.IsAtEnd(); ++it)
  {
    it.Set(firstHeight + (height - firstHeight) * static_cast<float>(it.GetIndex()[0]) / length);
  }
  return image;
}
namespace
{
using Bytes = MarkerAndMask::ImageType;

Bytes::Pointer
MakeBytes(const Size<2> & size)
{
  const auto image = Bytes::New();
  image->SetRegions(size);
  image->Allocate();
  return image;
}

void
CutToMask(const MarkerAndMask & pair)
{
  unsigned char * const       marker = pair.Marker->GetBufferPointer();
  const unsigned char * const mask = pair.Mask->GetBufferPointer();
  std::transform(marker, marker + pair.Marker->GetPixelContainer()->Size(), mask, marker, [](auto a, auto b) {
    return std::min(a, b);
  });
}
} // namespace

MarkerAndMask
MakeTissue(const Size<2> & size, const std::string & dataFolder, const std::string & inputFolder, std::string & source)
{
  const auto make = [&size](const std::string & file, int shift) {
    const auto picture = ReadImage<Image<float, 2>>(file);
    const auto bytes = MakeBytes(picture->GetBufferedRegion().GetSize());
    std::transform(picture->GetBufferPointer(),
                   picture->GetBufferPointer() + picture->GetPixelContainer()->Size(),
                   bytes->GetBufferPointer(),
                   [shift](float value) { return static_cast<unsigned char>(std::max(value - shift, 0.0f)); });
    return Tile<Bytes>(bytes, size);
  };
  const std::string name = dataFolder + "/50-percent-";
  const bool        isThere = itksys::SystemTools::FileExists(name + "mask.jpg");
  const std::string brain = inputFolder + "/BrainProtonDensitySlice.png";
  MarkerAndMask     pair;
  pair.Mask = make(isThere ? name + "mask.jpg" : brain, 0);
  pair.Marker = make(isThere ? name + "marker.jpg" : brain, isThere ? 0 : 40);
  CutToMask(pair);
  source = itksys::SystemTools::GetFilenameName(isThere ? name + "mask.jpg" : brain);
  return pair;
}

namespace
{
// The order in which numbers of 64 bits are drawn for all images: points in a plane, blobs in a plane (of 32 bits),
// noise, blobs in a cube (of 32 bits), coordinates of points in it (of 32 bits), and two planes of bytes.
constexpr std::uint64_t PlaneNumbers = 8192 * 8192;
constexpr std::uint64_t BeforeCubeBlobs = PlaneNumbers + PlaneNumbers / 2 + PlaneNumbers;
constexpr std::uint64_t BeforeCubePoints = BeforeCubeBlobs + 512 * 512 * 512 / 2;
constexpr std::uint64_t BeforeBytes = BeforeCubePoints + 3000;
constexpr std::uint64_t BeforeFlatPoints = BeforeBytes + 2 * PlaneNumbers / 8;

template <unsigned int VDimension>
typename Image<unsigned char, VDimension>::Pointer
MakeEmptyMask(const Size<VDimension> & size)
{
  const auto mask = Image<unsigned char, VDimension>::New();
  mask->SetRegions(size);
  mask->Allocate(true);
  return mask;
}

/** How values outside an image are found. */
enum class Continuation
{
  Periodic,
  Mirrored // at the last value
};

/** Convolves with the weights of a Gaussian along an axis. */
std::vector<float>
Smooth(const std::vector<float> & from,
       const Size<3> &            size,
       unsigned int               axis,
       double                     sigma,
       int                        radius,
       Continuation               continuation)
{
  std::vector<double> weights;
  for (int i = -radius; i <= radius; ++i)
  {
    weights.push_back(std::exp(-i * i / (2.0 * sigma * sigma)));
  }
  const double       sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto         length = static_cast<std::int64_t>(size[axis]);
  const std::int64_t stride = static_cast<std::int64_t>(axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1]);
  std::vector<float> to(from.size(), 0.0f);
  const auto         all = static_cast<std::int64_t>(from.size());
  for (std::int64_t begin = 0; begin < all; begin += stride * length)
  {
    for (std::int64_t position = 0; position < length; ++position)
    {
      float * const target = to.data() + begin + position * stride;
      for (int i = -radius; i <= radius; ++i)
      {
        const auto   weight = static_cast<float>(weights[i + radius] / sum);
        std::int64_t other = position - i;
        if (continuation == Continuation::Periodic)
        {
          other = (other + length) % length;
        }
        else
        {
          other = std::abs(other);
          other = std::max<std::int64_t>(0, length - 1 - std::abs(length - 1 - other));
        }
        const float * const source = from.data() + begin + other * stride;
        for (std::int64_t j = 0; j < stride; ++j)
        {
          target[j] += source[j] * weight;
        }
      }
    }
  }
  return to;
}

/** Where values are above their mean. */
template <unsigned int VDimension>
typename Image<unsigned char, VDimension>::Pointer
MakeMaskAboveMean(const std::vector<float> & values, const Size<VDimension> & size)
{
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto   mask = MakeEmptyMask<VDimension>(size);
  std::transform(values.begin(), values.end(), mask->GetBufferPointer(), [mean](float value) {
    return static_cast<unsigned char>(value > mean ? 1 : 0);
  });
  return mask;
}

template <typename TFunction>
Image<unsigned char, 3>::Pointer
DrawVolume(const Size<3> & size, TFunction isObject)
{
  const auto      mask = MakeEmptyMask<3>(size);
  unsigned char * pixel = mask->GetBufferPointer();
  for (SizeValueType z = 0; z < size[2]; ++z)
  {
    for (SizeValueType y = 0; y < size[1]; ++y)
    {
      for (SizeValueType x = 0; x < size[0]; ++x)
      {
        *pixel++ = isObject(x, y, z) ? 1 : 0;
      }
    }
  }
  return mask;
}
} // namespace

Image<unsigned char, 2>::Pointer
MakePointsInPlane(const Size<2> & size)
{
  const auto            mask = MakeEmptyMask<2>(size);
  NumpyRandom           random;
  unsigned char * const pixels = mask->GetBufferPointer();
  for (SizeValueType i = 0; i < size[0] * size[1]; ++i)
  {
    pixels[i] = random.NextDouble() > 0.001 ? 0 : 1;
  }
  return mask;
}

Image<unsigned char, 3>::Pointer
MakePointsInCube(const Size<3> & size, int points)
{
  const auto  mask = MakeEmptyMask<3>(size);
  NumpyRandom random;
  random.Skip(BeforeCubePoints);
  for (int i = 0; i < points; ++i)
  {
    Index<3> index;
    for (int axis = 2; axis >= 0; --axis)
    {
      index[axis] = random.NextBelow(static_cast<std::uint32_t>(size[axis]));
    }
    mask->SetPixel(index, 1);
  }
  return mask;
}

Image<unsigned char, 3>::Pointer
MakePointsInFlatVolume(const Size<3> & size)
{
  const auto  mask = MakeEmptyMask<3>(size);
  NumpyRandom random;
  random.Skip(BeforeFlatPoints);
  std::vector<Index<3>> points(4000);
  for (int axis = 2; axis >= 0; --axis)
  {
    for (Index<3> & point : points)
    {
      point[axis] = random.NextBelow(static_cast<std::uint32_t>(size[axis]));
    }
  }
  for (const Index<3> & point : points)
  {
    mask->SetPixel(point, 1);
  }
  return mask;
}

Image<unsigned char, 3>::Pointer
MakeBlobsInCube(const Size<3> & size)
{
  NumpyRandom random;
  random.Skip(BeforeCubeBlobs);
  std::vector<float> values(size[0] * size[1] * size[2]);
  for (float & value : values)
  {
    value = random.NextFloat();
  }
  for (int axis = 2; axis >= 0; --axis)
  {
    values = Smooth(values, size, axis, 2.0, 6, Continuation::Periodic);
  }
  return MakeMaskAboveMean<3>(values, size);
}

Image<unsigned char, 3>::Pointer
MakeManyBlobs(const Size<3> & size, const Size<3> & cube)
{
  const auto                  blobs = MakeBlobsInCube(cube);
  const unsigned char * const from = blobs->GetBufferPointer();
  const auto                  mask = MakeEmptyMask<3>(size);
  for (SizeValueType row = 0; row < size[1] * size[2]; ++row)
  {
    const SizeValueType   y = row % size[1] % cube[1];
    const SizeValueType   z = row / size[1] % cube[2];
    unsigned char * const to = mask->GetBufferPointer() + row * size[0];
    for (SizeValueType x = 0; x < size[0]; x += cube[0])
    {
      std::copy_n(from + (z * cube[1] + y) * cube[0], std::min(cube[0], size[0] - x), to + x);
    }
  }
  return mask;
}

Image<unsigned char, 2>::Pointer
MakeBlobsInPlane(const Size<2> & size)
{
  NumpyRandom random;
  random.Skip(size[0] * size[1]);
  std::vector<float> values(size[0] * size[1]);
  for (float & value : values)
  {
    value = random.NextFloat();
  }
  for (unsigned int axis = 0; axis < 2; ++axis)
  {
    values = Smooth(values, { { size[0], size[1], 1 } }, axis, 4.0, 16, Continuation::Mirrored);
  }
  return MakeMaskAboveMean<2>(values, size);
}

Image<unsigned char, 2>::Pointer
MakeNoiseInPlane(const Size<2> & size)
{
  const auto  mask = MakeEmptyMask<2>(size);
  NumpyRandom random;
  random.Skip(size[0] * size[1] * 3 / 2);
  std::generate_n(mask->GetBufferPointer(), size[0] * size[1], [&random] {
    return static_cast<unsigned char>(random.NextDouble() > 0.5 ? 1 : 0);
  });
  return mask;
}

Image<unsigned char, 3>::Pointer
DrawChess(const Size<3> & size)
{
  return DrawVolume(size, [](auto x, auto y, auto z) { return (x + y + z) % 2 == 0; });
}

Image<unsigned char, 3>::Pointer
DrawBlocks(const Size<3> & size)
{
  return DrawVolume(size, [](auto x, auto y, auto) { return x % 16 < 12 && y % 16 < 12; });
}

Image<unsigned char, 3>::Pointer
DrawSpiralWall(const Size<3> & size)
{
  const auto plane = MakeEmptyMask<2>({ { size[0], size[1] } });
  const auto draw = [&plane](IndexValueType x, IndexValueType y) { plane->SetPixel({ { x, y } }, 1); };
  auto       right = static_cast<IndexValueType>(size[0]) - 1;
  auto       bottom = static_cast<IndexValueType>(size[1]) - 1;
  for (IndexValueType left = 0; left < right && left < bottom; left += 2, right -= 2, bottom -= 2)
  {
    const IndexValueType top = left;
    for (IndexValueType x = left; x <= right; ++x)
    {
      draw(x, top);
      draw(x, bottom);
    }
    for (IndexValueType y = top; y <= bottom; ++y)
    {
      draw(right, y);
      if (y >= top + 2)
      {
        draw(left, y);
      }
    }
    if (top + 2 <= bottom)
    {
      draw(left + 1, top + 2);
    }
  }
  return DrawVolume(size, [&](auto x, auto y, auto) { return plane->GetBufferPointer()[y * size[0] + x] != 0; });
}

Image<unsigned char, 3>::Pointer
DrawSnake(const Size<3> & size)
{
  const SizeValueType lastRow = (size[1] - 1) / 2 * 2;
  return DrawVolume(size, [&](auto x, auto y, auto z) {
    if (z % 2 == 1)
    {
      return x == 0 && y == (z / 2 % 2 == 0 ? lastRow : 0) && z + 1 < size[2];
    }
    return y % 2 == 0 || (y < lastRow && x == (y / 2 % 2 == 0 ? size[0] - 1 : 0));
  });
}

MarkerAndMask
MakeRandomBytes(const Size<2> & size)
{
  NumpyRandom random;
  random.Skip(BeforeBytes);
  MarkerAndMask pair{ MakeBytes(size), MakeBytes(size) };
  random.FillBytes(pair.Mask->GetBufferPointer(), size[0] * size[1]);
  random.FillBytes(pair.Marker->GetBufferPointer(), size[0] * size[1]);
  CutToMask(pair);
  return pair;
}

MarkerAndMask
MakeSpiralCorridor(const Size<2> & size)
{
  constexpr unsigned char level = 200;
  MarkerAndMask           pair{ MakeBytes(size), MakeBytes(size) };
  pair.Mask->FillBuffer(0);
  pair.Marker->FillBuffer(0);
  CudaTest::DrawWindingBand(*pair.Mask, 8, level);
  pair.Marker->SetPixel({ { 0, 0 } }, level);
  return pair;
}
} // namespace CudaBenchmark
} // namespace itk
