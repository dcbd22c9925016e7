// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "OwnFunctors.h"
#include "itkCudaBinaryFunctorImageFilter.h"
#include "itkCudaImageBinningFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaBackedImage.h"
#include "itkCudaNeighborhoodFunctorImageFilter.h"
#include "itkCudaTernaryFunctorImageFilter.h"
#include "itkCudaUnaryFunctorImageFilter.h"
#include "itkRGBPixel.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>
#include <string>

namespace
{
using Bytes = itk::Image<unsigned char, 2>;
using Ints = itk::Image<int, 2>;
using Floats = itk::Image<float, 2>;
using Shorts = itk::Image<short, 3>;
using Volume = itk::Image<float, 3>;
using BackedVolume = itk::CudaBackedImage<float, 3>;
using Colors = itk::Image<itk::RGBPixel<unsigned char>, 2>;

/** Random bytes as pixels; real numbers are made from 16 bits. */
template <typename TImage>
typename TImage::Pointer
MakeImage(const typename TImage::SizeType & size, unsigned int seed)
{
  typename TImage::IndexType start;
  start.Fill(-3);
  const auto image = TImage::New();
  image->SetRegions(typename TImage::RegionType(start, size));
  image->Allocate();
  std::mt19937 random(seed);
  auto * const pixels = image->GetBufferPointer();
  for (itk::SizeValueType i = 0; i < image->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    if constexpr (std::is_floating_point<typename TImage::PixelType>::value)
    {
      pixels[i] = static_cast<float>(random() % 65536) * 0.01f;
    }
    else
    {
      for (unsigned int k = 0; k < sizeof(pixels[i]); ++k)
      {
        reinterpret_cast<unsigned char *>(&pixels[i])[k] = static_cast<unsigned char>(random());
      }
    }
  }
  return image;
}

bool
Report(const std::string & name, const std::string & executedOn, bool isEqual)
{
  std::cout << name << " on " << executedOn << ": " << (isEqual ? "equal" : "DIFFERENT") << std::endl;
  return isEqual;
}

/** Runs a filter with settings for the device and, after the same configuration, for the CPU, and compares by
 * isEqual(device, cpu). A budget of less than this must lead to tiles. */
constexpr std::uint64_t budgetForTiles = 50000;

template <typename TFilter, typename TConfigure, typename TIsEqual>
bool
Compare(const std::string & name, std::uint64_t budget, TConfigure configure, TIsEqual isEqual)
{
  const bool isTiled = budget < budgetForTiles;
  const auto onDevice = TFilter::New();
  const auto onCPU = TFilter::New();
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  onDevice->SetCudaInterface(settings);
  const auto cpu = itk::CudaInterface::New();
  cpu->SetBackend(itk::CudaBackendEnum::CPU);
  onCPU->SetCudaInterface(cpu);
  configure(*onDevice);
  configure(*onCPU);
  onDevice->Update();
  onCPU->Update();
#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
  const bool hasDevice = settings->GetWhyNotOnDevice().empty();
  if (onDevice->GetExecutedOnDevice() != hasDevice || (hasDevice && isTiled != (onDevice->GetNumberOfTiles() > 1)))
  {
    return Report(name + ", not where it was expected,", onDevice->GetExecutedOn(), false);
  }
#endif
  return Report(name, onDevice->GetExecutedOn(), isEqual(*onDevice, *onCPU));
}

/** Compares the pixels of two filters. */
template <typename TFilter>
bool
AreImagesEqual(TFilter & a, TFilter & b)
{
  const auto * const first = a.GetOutput();
  const auto * const second = b.GetOutput();
  return first->GetBufferedRegion() == second->GetBufferedRegion() &&
         std::memcmp(first->GetBufferPointer(),
                     second->GetBufferPointer(),
                     first->GetBufferedRegion().GetNumberOfPixels() * sizeof(*first->GetBufferPointer())) == 0;
}

/** Whether a run throws an itk::ExceptionObject. */
template <typename TFilter>
bool
Throws(TFilter & filter)
{
  try
  {
    filter.Update();
  }
  catch (const itk::ExceptionObject &)
  {
    return true;
  }
  return false;
}
} // namespace

bool
TestFunctors(std::uint64_t budget)
{
  const auto bytes = MakeImage<Bytes>({ { 253, 61 } }, 1);
  const auto floats = MakeImage<Floats>({ { 253, 61 } }, 2);
  const auto colors = MakeImage<Colors>({ { 253, 61 } }, 3);
  const auto a = MakeImage<Shorts>({ { 61, 37, 11 } }, 4);
  const auto b = MakeImage<Shorts>({ { 61, 37, 11 } }, 5);
  const auto c = MakeImage<Shorts>({ { 61, 37, 11 } }, 6);
  const auto areImagesEqual = [](auto & first, auto & second) { return AreImagesEqual(first, second); };
  bool       areEqual = true;
  const auto note = [&](bool isEqual) { areEqual = isEqual && areEqual; };

  note(Compare<itk::CudaUnaryFunctorImageFilter<Bytes, Floats, Brighten>>(
    "brighten",
    budget,
    [&](auto & filter) {
      filter.SetInput(bytes);
      filter.SetFunctor({ 1.1f });
    },
    areImagesEqual));
  note(Compare<itk::CudaUnaryFunctorImageFilter<Bytes, Ints, Checker>>(
    "checker", budget, [&](auto & filter) { filter.SetInput(bytes); }, areImagesEqual));
  // A part of the image: positions are those of the whole.
  note(Compare<itk::CudaUnaryFunctorImageFilter<Bytes, Ints, Checker>>(
    "checker of a part",
    budget,
    [&](auto & filter) {
      filter.SetInput(bytes);
      filter.UpdateOutputInformation();
      filter.GetOutput()->SetRequestedRegion(Ints::RegionType({ { 5, 4 } }, { { 100, 40 } }));
    },
    areImagesEqual));
  note(Compare<itk::CudaUnaryFunctorImageFilter<Colors, Floats, Luminance>>(
    "luminance", budget, [&](auto & filter) { filter.SetInput(colors); }, areImagesEqual));
  note(Compare<itk::CudaUnaryFunctorImageFilter<Colors, Colors, SwapColors>>(
    "colors", budget, [&](auto & filter) { filter.SetInput(colors); }, areImagesEqual));
  note(Compare<itk::CudaBinaryFunctorImageFilter<Floats, Bytes, Floats, Blend>>(
    "blend",
    budget,
    [&](auto & filter) {
      filter.SetInput1(floats);
      filter.SetInput2(bytes);
    },
    areImagesEqual));
  note(Compare<itk::CudaBinaryFunctorImageFilter<Floats, Bytes, Floats, Blend>>(
    "blend with a constant",
    budget,
    [&](auto & filter) {
      filter.SetConstant1(3.5f);
      filter.SetInput2(bytes);
    },
    areImagesEqual));
  note(Compare<itk::CudaTernaryFunctorImageFilter<Shorts, Shorts, Shorts, Shorts, MiddleOfThree>>(
    "middle of three",
    budget,
    [&](auto & filter) {
      filter.SetInput1(a);
      filter.SetInput2(b);
      filter.SetInput3(c);
    },
    areImagesEqual));

  const auto areResultsEqual = [](auto & first, auto & second) {
    return std::memcmp(&first.GetResult(), &second.GetResult(), sizeof(first.GetResult())) == 0;
  };
  const std::uint64_t forReductions = std::max<std::uint64_t>(budget, 40000);
  note(Compare<itk::CudaImageReductionFilter<Floats, FloatSum>>(
    "sum", forReductions, [&](auto & filter) { filter.SetInput(floats); }, areResultsEqual));
  note(Compare<itk::CudaImageReductionFilter<Shorts, CenterReducer>>(
    "center", forReductions, [&](auto & filter) { filter.SetInput(a); }, areResultsEqual));

  const auto areSumsEqual = [](auto & first, auto & second) { return first.GetSums() == second.GetSums(); };
  note(Compare<itk::CudaImageBinningFilter<Bytes, GreyLevel>>(
    "histogram", budget, [&](auto & filter) { filter.SetInput(bytes); }, areSumsEqual));
  note(Compare<itk::CudaImageBinningFilter<Colors, StrongestColor>>(
    "strongest color", budget, [&](auto & filter) { filter.SetInput(colors); }, areSumsEqual));
  // A smaller budget would not suffice for the bins alone.
  note(Compare<itk::CudaImageBinningFilter<Shorts, ManyBins>>(
    "many bins",
    std::max<std::uint64_t>(budget, 600000),
    [&](auto & filter) {
      filter.SetInput(a);
      filter.SetNumberOfBins(65536);
    },
    areSumsEqual));
  note(Compare<itk::CudaImageBinningFilter<Shorts, Projection>>(
    "projection",
    budget,
    [&](auto & filter) {
      filter.SetInput(a);
      filter.SetNumberOfBins(61);
    },
    areSumsEqual));
  const auto bad = itk::CudaImageBinningFilter<Bytes, GreyLevel>::New();
  bad->SetInput(bytes);
  bad->SetNumberOfBins(200);
  note(Report("bin out of range", "any device", Throws(*bad)));

  note(Compare<itk::CudaNeighborhoodFunctorImageFilter<Floats, Floats, Gradient>>(
    "gradient",
    budget,
    [&](auto & filter) {
      filter.SetInput(floats);
      filter.SetRadius(1);
    },
    areImagesEqual));
  // Rows whose length is, and is not, a multiple of four; a radius that is, and is not, the one that was declared.
  for (const itk::SizeValueType length : { 61u, 64u })
  {
    for (const unsigned int radius : { 1u, 2u })
    {
      note(Compare<itk::CudaNeighborhoodFunctorImageFilter<Floats, Floats, FixedGradient>>(
        "gradient in registers",
        budget,
        [&](auto & filter) {
          filter.SetInput(MakeImage<Floats>({ { length, 253 } }, 2));
          filter.SetRadius(radius);
        },
        areImagesEqual));
      note(Compare<itk::CudaNeighborhoodFunctorImageFilter<Shorts, Shorts, Corners>>(
        "corners",
        budget,
        [&](auto & filter) {
          filter.SetInput(MakeImage<Shorts>({ { length, 37, 11 } }, 4));
          filter.SetRadius(radius);
        },
        areImagesEqual));
    }
  }
  // One slice of a volume, all of which is on the device until the CPU reads it.
  for (const int slice : { -3, 1, 7 })
  {
    const auto volume = itk::CudaNeighborhoodFunctorImageFilter<Volume, BackedVolume, FixedGradient>::New();
    volume->SetInput(MakeImage<Volume>({ { 64, 37, 11 } }, 7));
    volume->SetRadius(1);
    volume->Update();
    note(Compare<itk::CudaNeighborhoodFunctorImageFilter<BackedVolume, Volume, FixedGradient>>(
      "slice in registers",
      itk::CudaInterface::NoMemoryBudget,
      [&](auto & filter) {
        filter.SetInput(volume->GetOutput());
        filter.SetRadius({ { 1, 1, 0 } });
        filter.UpdateOutputInformation();
        filter.GetOutput()->SetRequestedRegion({ { { -3, -3, slice } }, { { 64, 37, 1 } } });
      },
      areImagesEqual));
  }
  note(Compare<itk::CudaNeighborhoodFunctorImageFilter<Shorts, Shorts, LargestInBox>>(
    "largest in a box",
    budget,
    [&](auto & filter) {
      filter.SetInput(a);
      filter.SetRadius({ { 2, 1, 1 } });
    },
    areImagesEqual));
  return areEqual;
}

bool
TestNeighbourBeyondTheRadius()
{
  const auto filter = itk::CudaNeighborhoodFunctorImageFilter<Shorts, Shorts, LargestInBox>::New();
  filter->SetInput(MakeImage<Shorts>({ { 61, 37, 11 } }, 4));
  filter->SetRadius(1);
  return Report("neighbour beyond the radius", "the emulated device or the CPU", Throws(*filter));
}
