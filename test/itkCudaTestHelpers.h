// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTestHelpers_h
#define itkCudaTestHelpers_h

// Images to test with and ways to compare them.

#include "itkCudaInterface.h"
#include "itkImage.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkCastImageFilter.h"
#include "itkImageFileReader.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace itk
{
namespace CudaTest
{
/** The images for which there are kernels. */
using KernelImageTypes = ::testing::Types<Image<unsigned char, 2>,
                                          Image<unsigned short, 2>,
                                          Image<short, 2>,
                                          Image<float, 2>,
                                          Image<double, 2>,
                                          Image<unsigned char, 3>,
                                          Image<unsigned short, 3>,
                                          Image<short, 3>,
                                          Image<float, 3>,
                                          Image<double, 3>>;

/** Whether filters can run on a device here. The same tests run with and without one. */
inline bool
HasDevice()
{
  return CudaInterface::New()->GetWhyNotOnDevice().empty();
}

/** ITK's warnings are not shown while this lives: for tests that provoke them. */
class Quiet
{
public:
  Quiet() { Object::SetGlobalWarningDisplay(false); }
  ~Quiet() { Object::SetGlobalWarningDisplay(m_Former); }

private:
  bool m_Former = Object::GetGlobalWarningDisplay();
};

/** Copies made during a scope of a test. */
class CopyWatch
{
public:
  CudaCopyCounters
  Get() const
  {
    return CudaInterface::GetCopyCounters() - m_Before;
  }

  /** Expects so many copies where there is a device, and none where there is none. */
  void
  Expect(unsigned int uploads, unsigned int downloads) const
  {
    const CudaCopyCounters copies = this->Get();
    EXPECT_EQ(copies.Uploads, HasDevice() ? uploads : 0u);
    EXPECT_EQ(copies.Downloads, HasDevice() ? downloads : 0u);
  }

private:
  CudaCopyCounters m_Before = CudaInterface::GetCopyCounters();
};

template <typename TImage>
typename TImage::RegionType
MakeRegion(const typename TImage::SizeType & size, long firstIndex = 0)
{
  typename TImage::IndexType index;
  index.Fill(firstIndex);
  return typename TImage::RegionType(index, size);
}

/** Random pixels over the whole range of small integers, and over [-1000, 1000] of others. */
template <typename TImage>
typename TImage::Pointer
MakeRandomImage(const typename TImage::SizeType & size, unsigned int seed = 1, long firstIndex = 0)
{
  using PixelType = typename TImage::PixelType;
  constexpr bool isSmall = std::is_integral<PixelType>::value && sizeof(PixelType) <= 2;

  const auto image = TImage::New();
  image->SetRegions(MakeRegion<TImage>(size, firstIndex));
  image->Allocate();
  std::mt19937                           random(seed);
  std::uniform_real_distribution<double> values(
    isSmall ? static_cast<double>(std::numeric_limits<PixelType>::lowest()) : -1000.0,
    isSmall ? static_cast<double>(std::numeric_limits<PixelType>::max()) : 1000.0);
  for (ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<PixelType>(values(random)));
  }
  return image;
}

template <typename TImage>
typename TImage::Pointer
MakeConstantImage(const typename TImage::SizeType & size, typename TImage::PixelType value)
{
  const auto image = TImage::New();
  image->SetRegions(MakeRegion<TImage>(size));
  image->Allocate();
  for (ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(value);
  }
  return image;
}

/** The folder test/Input: where the environment's CUDAFILTERS_TEST_INPUT says, else in the source tree. (Defined in
 * itkCudaTestMain.cxx: where that tree is, the others are not to depend on, so that compiled ones serve other trees.)
 */
std::string
GetInputFolder();

/** A real image of the folder test/Input. */
template <typename TImage>
typename TImage::Pointer
ReadInput(const std::string & name)
{
  using FileImage = Image<float, TImage::ImageDimension>;

  const auto reader = ImageFileReader<FileImage>::New();
  reader->SetFileName(GetInputFolder() + "/" + name);
  const auto cast = CastImageFilter<FileImage, TImage>::New();
  cast->SetInput(reader->GetOutput());
  cast->Update();
  return cast->GetOutput();
}

/** A brain slice or a few. */
template <typename TImage>
typename TImage::Pointer
ReadBrain()
{
  return ReadInput<TImage>(TImage::ImageDimension == 2 ? "BrainProtonDensitySlice.png"
                                                       : "BrainProtonDensity3Slices.mha");
}

/** The largest difference between two images over the same region, as a share of the range of the first. A NaN is
 * equal to a NaN, and infinitely far from everything else. */
template <typename TImage>
double
GetLargestDifference(const TImage * expected, const TImage * actual)
{
  double lowest = std::numeric_limits<double>::max();
  double highest = std::numeric_limits<double>::lowest();
  double largest = 0.0;

  ImageRegionConstIterator<TImage> expectedIt(expected, expected->GetBufferedRegion());
  ImageRegionConstIterator<TImage> actualIt(actual, expected->GetBufferedRegion());
  for (; !expectedIt.IsAtEnd(); ++expectedIt, ++actualIt)
  {
    const auto a = static_cast<double>(expectedIt.Get());
    const auto b = static_cast<double>(actualIt.Get());
    if (a == b || (std::isnan(a) && std::isnan(b)))
    {
      lowest = std::min(lowest, std::isnan(a) || std::isinf(a) ? lowest : a);
      highest = std::max(highest, std::isnan(a) || std::isinf(a) ? highest : a);
      continue;
    }
    if (!std::isfinite(a) || !std::isfinite(b))
    {
      return std::numeric_limits<double>::infinity();
    }
    lowest = std::min(lowest, a);
    highest = std::max(highest, a);
    largest = std::max(largest, std::abs(a - b));
  }
  return largest == 0.0 ? 0.0 : largest / std::max(highest - lowest, std::abs(highest));
}

/** Expects the regions and every pixel to be equal. */
template <typename TImage>
void
ExpectEqualImages(const TImage * expected, const TImage * actual)
{
  ASSERT_EQ(expected->GetBufferedRegion(), actual->GetBufferedRegion());
  EXPECT_EQ(GetLargestDifference(expected, actual), 0.0);
}

/** Expects two images to be the same for a smoothing filter: equal, or, for float, within 1e-5 of the range. */
template <typename TImage>
void
ExpectSameSmoothing(const TImage * expected, const TImage * actual)
{
  ASSERT_EQ(expected->GetBufferedRegion(), actual->GetBufferedRegion());
  const double tolerance = std::is_same<typename TImage::PixelType, float>::value ? 1e-5 : 0.0;
  EXPECT_LE(GetLargestDifference(expected, actual), tolerance);
}

/** Expects the geometry of two images to be the same. */
template <typename TImage>
void
ExpectSameGeometry(const TImage * expected, const TImage * actual)
{
  EXPECT_EQ(expected->GetSpacing(), actual->GetSpacing());
  EXPECT_EQ(expected->GetOrigin(), actual->GetOrigin());
  EXPECT_EQ(expected->GetDirection(), actual->GetDirection());
  EXPECT_EQ(expected->GetLargestPossibleRegion(), actual->GetLargestPossibleRegion());
}

/** Sizes that are multiples of nothing, and degenerate ones. */
template <typename TImage>
std::vector<typename TImage::SizeType>
GetSizes()
{
  if constexpr (TImage::ImageDimension == 2)
  {
    return { { { 1, 1 } }, { { 1, 19 } }, { { 45, 1 } }, { { 2, 2 } }, { { 37, 53 } }, { { 70, 41 } } };
  }
  else
  {
    return {
      { { 1, 1, 1 } }, { { 7, 1, 9 } }, { { 1, 1, 21 } }, { { 37, 1, 1 } }, { { 33, 9, 5 } }, { { 13, 17, 11 } }
    };
  }
}

/** Makes some pixels of an image infinite, not numbers, or negative zeros, and, if huge numbers are wanted, too, as
 * large as can be. */
template <typename TImage>
typename TImage::Pointer
MakeStrange(TImage * image, bool hasHuge = false)
{
  using PixelType = typename TImage::PixelType;
  using Limits = std::numeric_limits<PixelType>;
  auto * const    pixels = image->GetBufferPointer();
  const auto      count = image->GetPixelContainer()->Size();
  std::mt19937    random(5);
  const PixelType values[] = { Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                               PixelType(-0.0),    Limits::max(),       Limits::lowest() };
  for (SizeValueType i = 0; i < count; i += 1 + random() % 97)
  {
    pixels[i] = values[random() % (hasHuge ? 6 : 4)];
  }
  return image;
}

/** Runs a function and gives the description of the itk::ExceptionObject it throws; fails if there is none. */
template <typename TFunction>
std::string
GetExceptionOf(TFunction function)
{
  try
  {
    function();
  }
  catch (const ExceptionObject & error)
  {
    return error.GetDescription();
  }
  ADD_FAILURE() << "no itk::ExceptionObject was thrown";
  return {};
}
} // namespace CudaTest
} // namespace itk

#endif
