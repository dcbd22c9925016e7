// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.h"
#include "Registration.h"
#include "itkCastImageFilter.h"
#include "itkCudaImageBinningFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaNeighborhoodFunctorImageFilter.h"
#include "itkCudaUnaryFunctorImageFilter.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// Sequential loops, and the same functions as filters: without copies, and from the host to the host.

namespace itk
{
namespace CudaBenchmark
{
#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
namespace
{
using Bytes = Image<unsigned char, 2>;
using BackedBytes = CudaBackedImage<unsigned char, 2>;
using MakeBytes = std::function<Bytes::Pointer()>;

/** A sky: brighter towards the horizon, 40 grey levels, large areas of one. */
Bytes::Pointer
MakeSky(const Size<2> & size)
{
  const auto image = Bytes::New();
  image->SetRegions(size);
  image->Allocate();
  for (SizeValueType y = 0; y < size[1]; ++y)
  {
    std::fill_n(image->GetBufferPointer() + y * size[0], size[0], static_cast<unsigned char>(180 + 40 * y / size[1]));
  }
  return image;
}

Bytes::Pointer
MakeEqual(const Size<2> & size)
{
  const auto image = Bytes::New();
  image->SetRegions(size);
  image->Allocate();
  image->FillBuffer(200);
  return image;
}

/** The pixels of an image for a loop, with the nearest pixel in the place of those outside. */
struct Window
{
  const unsigned char * Pixels;
  long                  Width;
  long                  Height;
  long                  X;
  long                  Y;

  unsigned char
  operator()(int x, int y) const
  {
    const long column = std::min(std::max(this->X + x, 0L), this->Width - 1);
    const long row = std::min(std::max(this->Y + y, 0L), this->Height - 1);
    return this->Pixels[row * this->Width + column];
  }
};

// The results of a loop, and of a filter, as lists of numbers.
using Numbers = std::vector<std::int64_t>;

void
RunBinarization(const Bytes & image, std::vector<unsigned char> & output)
{
  const Binarize              function;
  const unsigned char * const pixels = image.GetBufferPointer();
  for (std::size_t i = 0; i < output.size(); ++i)
  {
    output[i] = function(pixels[i]);
  }
}

void
RunSobel(const Bytes & image, std::vector<unsigned char> & output)
{
  const SobelOfBytes function;
  const auto         size = image.GetBufferedRegion().GetSize();
  Window             window{ image.GetBufferPointer(), static_cast<long>(size[0]), static_cast<long>(size[1]), 0, 0 };
  std::size_t        i = 0;
  for (window.Y = 0; window.Y < window.Height; ++window.Y)
  {
    for (window.X = 0; window.X < window.Width; ++window.X)
    {
      output[i++] = function(window);
    }
  }
}

Numbers
RunMaximum(const Bytes & image)
{
  const unsigned char * const pixels = image.GetBufferPointer();
  int                         maximum = 0;
  for (std::size_t i = 0; i < image.GetPixelContainer()->Size(); ++i)
  {
    maximum = std::max<int>(maximum, pixels[i]);
  }
  return { maximum };
}

Numbers
RunHistogram(const Bytes & image)
{
  const unsigned char * const pixels = image.GetBufferPointer();
  Numbers                     counts(256);
  for (std::size_t i = 0; i < image.GetPixelContainer()->Size(); ++i)
  {
    ++counts[pixels[i]];
  }
  return counts;
}

void
CheckEqual(bool areEqual)
{
  if (!areEqual)
  {
    throw std::runtime_error("the filter has another result than the loop");
  }
}

/** A function whose result is an image: TFilter<TImage> is the filter for images of a type. */
template <template <typename> class TFilter>
void
RegisterImageFunction(const std::string &                                                      name,
                      const MakeBytes &                                                        make,
                      const std::function<void(const Bytes &, std::vector<unsigned char> &)> & loop)
{
  Register(name, SequentialColumn, 1, 5, [=] {
    const auto image = make();
    const auto output = std::make_shared<std::vector<unsigned char>>(image->GetPixelContainer()->Size());
    return [=] { loop(*image, *output); };
  });
  Register(name, OursColumn, 8, 9, [=] {
    const auto filter = TFilter<BackedBytes>::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    filter->Update();
    return MakeUpdates(std::vector{ filter }, 8);
  });
  Register(name, EndToEndColumn, 1, 9, [=] {
    const auto image = make();
    const auto backed = MakeBacked(image.GetPointer());
    const auto filter = TFilter<Bytes>::New();
    filter->SetInput(backed);
    filter->Update();
    std::vector<unsigned char> expected(image->GetPixelContainer()->Size());
    loop(*image, expected);
    CheckEqual(std::equal(expected.begin(), expected.end(), filter->GetOutput()->GetBufferPointer()));
    return [=] {
      backed->Modified();
      filter->Update();
    };
  });
}

/** A function whose result is numbers. get(filter): those of the filter. */
template <template <typename> class TFilter, typename TGet>
void
RegisterNumbers(const std::string &                           name,
                const MakeBytes &                             make,
                const std::function<Numbers(const Bytes &)> & loop,
                const TGet &                                  get)
{
  Register(name, SequentialColumn, 1, 5, [=] {
    const auto image = make();
    const auto result = std::make_shared<Numbers>();
    return [=] { *result = loop(*image); };
  });
  Register(name, OursColumn, 8, 9, [=] {
    const auto filter = TFilter<BackedBytes>::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    return [=] {
      for (int i = 0; i < 8; ++i)
      {
        filter->Modified();
        filter->Update();
      }
    };
  });
  Register(name, EndToEndColumn, 1, 9, [=] {
    const auto image = make();
    const auto backed = MakeBacked(image.GetPointer());
    const auto filter = TFilter<Bytes>::New();
    filter->SetInput(backed);
    filter->Update();
    CheckEqual(filter->GetExecutedOnDevice() && get(*filter) == loop(*image));
    return [=] {
      backed->Modified();
      filter->Update();
    };
  });
}

template <typename TImage>
using BinarizationFilter = CudaUnaryFunctorImageFilter<TImage, TImage, Binarize>;
template <typename TImage>
using MaximumFilter = CudaImageReductionFilter<TImage, MaximumOfBytes>;
template <typename TImage>
using HistogramFilter = CudaImageBinningFilter<TImage, GreyLevel>;

/** With its radius. */
template <typename TImage>
class SobelFilter : public CudaNeighborhoodFunctorImageFilter<TImage, TImage, SobelOfBytes>
{
public:
  using Self = SobelFilter;
  using Pointer = SmartPointer<Self>;
  itkNewMacro(Self);

protected:
  SobelFilter() { this->SetRadius(1); }
};
} // namespace

void
RegisterSkeletons(const Inputs & inputs)
{
  if (!CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    return;
  }
  const std::vector<Size<2>> sizes =
    inputs.Choice.Quick
      ? std::vector<Size<2>>{ { { 192, 108 } } }
      : std::vector<Size<2>>{ { { 1920, 1080 } }, { { 3840, 2160 } }, { { 7680, 4320 } }, { { 16384, 16384 } } };
  for (const Size<2> & size : sizes)
  {
    const std::string end = ToText(size) + "/u8";
    const auto        natural = inputs.GetNatural(size);
    const MakeBytes   tissue = [natural] {
      const auto cast = CastImageFilter<Plane, Bytes>::New();
      cast->SetInput(natural.Get());
      cast->Update();
      return Bytes::Pointer(cast->GetOutput());
    };
    RegisterImageFunction<BinarizationFilter>("skeleton-binarisation/tissue-" + end, tissue, RunBinarization);
    RegisterImageFunction<SobelFilter>("skeleton-sobel/tissue-" + end, tissue, RunSobel);
    RegisterNumbers<MaximumFilter>("skeleton-maximum/tissue-" + end, tissue, RunMaximum, [](const auto & filter) {
      return Numbers{ filter.GetResult() };
    });
    const auto registerHistogram = [&](const std::string & name, const MakeBytes & make) {
      RegisterNumbers<HistogramFilter>(
        "skeleton-histogram/" + name + "-" + end, make, RunHistogram, [](const auto & filter) {
          return Numbers(filter.GetSums().begin(), filter.GetSums().end());
        });
    };
    registerHistogram("tissue", tissue);
    registerHistogram("sky", [size] { return MakeSky(size); });
    registerHistogram("constant", [size] { return MakeEqual(size); });
  }
}
#else
void
RegisterSkeletons(const Inputs &)
{}
#endif
} // namespace CudaBenchmark
} // namespace itk
