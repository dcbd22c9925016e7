// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Workloads.h"
#include "itkImageFileReader.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itksys/SystemTools.hxx"

namespace itk
{
namespace CudaBenchmark
{
std::uint64_t
NumpyRandom::Next64()
{
  // PCG XSL RR 128/64 (O'Neill, PCG: a family of simple fast space-efficient statistically good algorithms for random
  // number generation, 2014).
  using Wide = unsigned __int128;
  constexpr Wide multiplier = static_cast<Wide>(0x2360ed051fc65da4u) << 64 | 0x4385df649fccf645u;

  Wide state = static_cast<Wide>(m_State[0]) << 64 | m_State[1];
  state = state * multiplier + (static_cast<Wide>(m_Increment[0]) << 64 | m_Increment[1]);
  m_State[0] = static_cast<std::uint64_t>(state >> 64);
  m_State[1] = static_cast<std::uint64_t>(state);

  const std::uint64_t mixed = m_State[0] ^ m_State[1];
  const unsigned int  turn = static_cast<unsigned int>(m_State[0] >> 58);
  return mixed >> turn | mixed << (-turn & 63u);
}

float
NumpyRandom::NextFloat()
{
  std::uint32_t bits = m_Upper;
  if (!m_HasUpper)
  {
    const std::uint64_t both = this->Next64();
    bits = static_cast<std::uint32_t>(both);
    m_Upper = static_cast<std::uint32_t>(both >> 32);
  }
  m_HasUpper = !m_HasUpper;
  return static_cast<float>(bits >> 8) * (1.0f / 16777216.0f);
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

Image<float, 2>::Pointer
MakeNaturalImage(const Size<2> &     size,
                 const std::string & dataFolder,
                 const std::string & inputFolder,
                 std::string &       source)
{
  using ImageType = Image<float, 2>;

  source = dataFolder + "/25-percent-mask.jpg";
  if (!itksys::SystemTools::FileExists(source))
  {
    source = inputFolder + "/BrainProtonDensitySlice.png";
  }
  const auto picture = ReadImage<ImageType>(source);
  source = itksys::SystemTools::GetFilenameName(source);
  const auto pictureSize = picture->GetBufferedRegion().GetSize();
  const auto image = ImageType::New();
  image->SetRegions(size);
  image->Allocate();
  for (ImageRegionIteratorWithIndex<ImageType> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    ImageType::IndexType index = it.GetIndex();
    index[0] %= static_cast<IndexValueType>(pictureSize[0]);
    index[1] %= static_cast<IndexValueType>(pictureSize[1]);
    it.Set(picture->GetPixel(index));
  }
  return image;
}

Image<float, 2>::Pointer
MakeSpiralImage(const Size<2> & size, float height, float firstHeight)
{
  using ImageType = Image<float, 2>;
  constexpr IndexValueType width = 8;

  const auto image = ImageType::New();
  image->SetRegions(size);
  image->Allocate(true);
  const auto fill =
    [&](IndexValueType left, IndexValueType top, IndexValueType right, IndexValueType bottom, float value) {
      // In units of the width, both ends included.
      const ImageType::IndexType start{ { left * width, top * width } };
      const ImageType::SizeType  extent{ { static_cast<SizeValueType>((right - left + 1) * width),
                                           static_cast<SizeValueType>((bottom - top + 1) * width) } };
      for (ImageRegionIteratorWithIndex<ImageType> it(image, { start, extent }); !it.IsAtEnd(); ++it)
      {
        it.Set(value);
      }
    };
  IndexValueType left = 0;
  IndexValueType top = 0;
  IndexValueType right = static_cast<IndexValueType>(size[0]) / width - 1;
  IndexValueType bottom = static_cast<IndexValueType>(size[1]) / width - 1;
  for (; left < right && top < bottom; left += 2, top += 2, right -= 2, bottom -= 2)
  {
    fill(left == 0 ? 0 : left - 2, top, right, top, height);
    fill(right, top, right, bottom, height);
    fill(left, bottom, right, bottom, height);
    if (top + 2 <= bottom)
    {
      fill(left, top + 2, left, bottom, height);
    }
  }
  constexpr IndexValueType length = 8 * width;
  for (ImageRegionIteratorWithIndex<ImageType> it(image, { { { 0, 0 } }, { { length, width } } }); !it.IsAtEnd(); ++it)
  {
    it.Set(firstHeight + (height - firstHeight) * static_cast<float>(it.GetIndex()[0]) / length);
  }
  return image;
}
} // namespace CudaBenchmark
} // namespace itk
