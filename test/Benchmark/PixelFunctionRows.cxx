// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CubPeers.h"
#include "PixelFunctors.h"
#include "Registration.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaGrayscaleErodeImageFilter.h"
#include "itkCudaImageBinningFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaMeanImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaNeighborhoodFunctorImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaTextFunctionImageFilter.h"
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
/** The natural image as 8-bit pixels. */
Image<unsigned char, 2>::Pointer
ToBytes(const Plane * image)
{
  const auto cast = CastImageFilter<Plane, Image<unsigned char, 2>>::New();
  cast->SetInput(image);
  cast->Update();
  return cast->GetOutput();
}

template <typename TPixel>
void
RegisterThreshold(const std::string & name, const std::function<typename Image<TPixel, 2>::Pointer()> & make)
{
  using Backed = CudaBackedImage<TPixel, 2>;
  constexpr int times = 8;

  Register(name, OursColumn, times, 9, [=] {
    const auto filter = CudaBinaryThresholdImageFilter<Backed, Backed>::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    filter->SetLowerThreshold(100);
    filter->SetInsideValue(255);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
}

/** A filter that computes numbers, whose updates wait for the device. */
template <typename TFilter, typename TPixel>
void
RegisterSink(
  const std::string &                                         name,
  const std::function<typename Image<TPixel, 2>::Pointer()> & make,
  const std::function<void(TFilter &)> &                      configure = [](TFilter &) {})
{
  constexpr int times = 8;

  Register(name, OursColumn, times, 9, [=] {
    const auto filter = TFilter::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    configure(*filter);
    filter->Update();
    const auto uploads = CudaInterface::GetCopyCounters().Uploads;
    return [=] {
      for (int i = 0; i < times; ++i)
      {
        filter->Update();
      }
      if (!filter->GetExecutedOnDevice() || CudaInterface::GetCopyCounters().Uploads != uploads)
      {
        throw std::runtime_error("the pixels were not on the device");
      }
    };
  });
}

using Bytes = Image<unsigned char, 2>;

/** The natural image as 8-bit pixels, with four bits of noise below. */
Image<unsigned short, 2>::Pointer
MakeTwelveBits(const Plane * natural, const Bytes * noise)
{
  const auto image = Image<unsigned short, 2>::New();
  image->SetRegions(natural->GetBufferedRegion());
  image->Allocate();
  for (SizeValueType i = 0; i < natural->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    const auto pixel = static_cast<unsigned short>(natural->GetBufferPointer()[i]);
    image->GetBufferPointer()[i] = static_cast<unsigned short>(pixel * 16 + (noise->GetBufferPointer()[i] & 15));
  }
  return image;
}

/** Noise of 12 bits. */
Image<short, 3>::Pointer
MakeShorts(const Size<3> & size)
{
  const auto image = Image<short, 3>::New();
  image->SetRegions(size);
  image->Allocate();
  std::mt19937 random(1);
  for (SizeValueType i = 0; i < image->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    image->GetBufferPointer()[i] = static_cast<short>(random() % 4096);
  }
  return image;
}

Bytes::Pointer
MakeSevens(const Size<2> & size)
{
  const auto image = Bytes::New();
  image->SetRegions(size);
  image->Allocate();
  image->FillBuffer(7);
  return image;
}

/** A filter whose output stays on the device. */
template <typename TFilter, typename TPixel, unsigned int VDimension>
void
RegisterLocal(const std::string &                                                  name,
              const std::function<typename Image<TPixel, VDimension>::Pointer()> & make,
              const std::function<void(TFilter &)> &                               configure)
{
  constexpr int times = VDimension == 2 ? 8 : 1;

  Register(name, OursColumn, times, 9, [=] {
    const auto filter = TFilter::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    configure(*filter);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
}

template <typename TPixel, unsigned int VDimension>
void
RegisterMedian(const std::string &                                                  name,
               unsigned int                                                         radius,
               const std::function<typename Image<TPixel, VDimension>::Pointer()> & make)
{
  using Backed = CudaBackedImage<TPixel, VDimension>;
  using Filter = CudaMedianImageFilter<Backed, Backed>;
  RegisterLocal<Filter, TPixel, VDimension>(name, make, [radius](Filter & filter) { filter.SetRadius(radius); });
}

/** Erosions by boxes of several sizes and a ball, a mean, and a function as a text. */
void
RegisterOthers(const Inputs & inputs)
{
  using BackedBytes = CudaBackedImage<unsigned char, 2>;
  using Backed = CudaBackedImage<float, 2>;
  using Element = FlatStructuringElement<2>;
  using Erosion = CudaGrayscaleErodeImageFilter<BackedBytes, BackedBytes, Element>;
  using Mean = CudaMeanImageFilter<Backed, Backed>;
  using Function = CudaTextFunctionImageFilter<Backed, Backed>;

  const std::string size = ToText(inputs.PlaneSize);
  const auto        natural = inputs.GetNatural(inputs.PlaneSize);
  const auto        getBytes = [natural] { return ToBytes(natural.Get()); };
  const auto        getFloats = [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); };
  for (const unsigned int radius : { 1u, 15u, 100u })
  {
    RegisterLocal<Erosion, unsigned char, 2>(
      "erosion-box" + std::to_string(2 * radius + 1) + "/" + size + "/u8", getBytes, [radius](Erosion & filter) {
        filter.SetKernel(Element::Box({ { radius, radius } }));
      });
  }
  RegisterLocal<Erosion, unsigned char, 2>("erosion-ball11/" + size + "/u8", getBytes, [](Erosion & filter) {
    filter.SetKernel(Element::Ball({ { 5, 5 } }));
  });
  RegisterLocal<Mean, float, 2>("mean5x5/" + size + "/f32", getFloats, [](Mean & filter) { filter.SetRadius(2); });
  RegisterLocal<Function, float, 2>("text-threshold/" + size + "/f32", getFloats, [](Function & filter) {
    filter.SetText("x > t ? 255.0f : 0.0f");
    filter.SetRealParameter("t", 127.0);
  });
}

#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
/** The row of a peer, whose result must be that of the filter. make(): the peer; get(): the filter's result. */
template <typename TMake, typename TGet>
void
RegisterCub(const std::string & name, const TMake & make, const TGet & get)
{
  constexpr int times = 8;

  Register(name, CubColumn, times, 9, [=] {
    const auto run = make();
    if (run() != get())
    {
      throw std::runtime_error("CUB has another result");
    }
    return [run] {
      for (int i = 0; i < times; ++i)
      {
        run();
      }
    };
  });
}

template <typename TPixel>
std::vector<TPixel>
GetPixels(const Image<TPixel, 2> * image)
{
  const TPixel * const first = image->GetBufferPointer();
  return std::vector<TPixel>(first, first + image->GetPixelContainer()->Size());
}

/** A histogram by our filter, and by CUB. */
template <typename TPixel>
void
RegisterHistogram(const std::string & name, int bins, const std::function<typename Image<TPixel, 2>::Pointer()> & make)
{
  using Filter = CudaImageBinningFilter<CudaBackedImage<TPixel, 2>, GreyLevel>;

  RegisterSink<Filter, TPixel>(name, make, [bins](Filter & filter) { filter.SetNumberOfBins(bins); });
  RegisterCub(
    name,
    [make, bins] { return MakeCubHistogram(GetPixels(make().GetPointer()), bins); },
    [make, bins] {
      const auto filter = Filter::New();
      filter->SetInput(MakeOnDevice(make().GetPointer()));
      filter->SetNumberOfBins(bins);
      filter->Update();
      return std::vector<std::int32_t>(filter->GetSums().begin(), filter->GetSums().end());
    });
}

/** A number by our filter, and by CUB. */
template <typename TFilter, typename TMakeCub>
void
RegisterNumber(const std::string & name, const std::function<Plane::Pointer()> & make, const TMakeCub & makeCub)
{
  RegisterSink<TFilter, float>(name, make);
  RegisterCub(
    name,
    [make, makeCub] { return makeCub(GetPixels<float>(make())); },
    [make] {
      const auto filter = TFilter::New();
      filter->SetInput(MakeOnDevice<float, 2>(make()));
      filter->Update();
      return static_cast<double>(filter->GetResult());
    });
}

void
RegisterOwnFunctors(const Inputs & inputs)
{
  using Backed = CudaBackedImage<float, 2>;

  const auto        size = inputs.PlaneSize;
  const std::string text = ToText(size);
  const auto        natural = inputs.GetNatural(size);
  const auto        getNatural = [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); };
  RegisterNumber<CudaImageReductionFilter<Backed, MaximumReducer>>(
    "maximum/" + text + "/f32", getNatural, MakeCubMaximum);
  RegisterNumber<CudaImageReductionFilter<Backed, SumReducer>>("sum/" + text + "/f32", getNatural, MakeCubSum);
  RegisterHistogram<unsigned char>(
    "histogram256/noise-" + text + "/u8", 256, [size] { return MakeRandomBytes(size).Mask; });
  RegisterHistogram<unsigned char>(
    "histogram256/tissue-" + text + "/u8", 256, [natural] { return ToBytes(natural.Get()); });
  RegisterHistogram<unsigned char>("histogram256/constant-" + text + "/u8", 256, [size] { return MakeSevens(size); });
  RegisterHistogram<unsigned short>("histogram4096/" + text + "/u16", 4096, [natural, size] {
    return MakeTwelveBits(natural.Get(), MakeRandomBytes(size).Mask);
  });
  Register("neighbourhood3x3/" + text + "/f32", OursColumn, 8, 9, [=] {
    const auto filter = CudaNeighborhoodFunctorImageFilter<Backed, Backed, SobelFunctor>::New();
    filter->SetInput(MakeOnDevice(natural.Get()));
    filter->SetRadius(1);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, 8);
  });
}
#endif
} // namespace

void
RegisterPixelFunctions(const Inputs & inputs)
{
  using Backed = CudaBackedImage<float, 2>;

  const std::string size = ToText(inputs.PlaneSize);
  const auto        natural = inputs.GetNatural(inputs.PlaneSize);
  if (!CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    return;
  }
  RegisterThreshold<float>("threshold/" + size + "/f32",
                           [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); });
  RegisterThreshold<unsigned char>("threshold/" + size + "/u8", [natural] { return ToBytes(natural.Get()); });
#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
  RegisterOwnFunctors(inputs);
#endif
  RegisterMedian<unsigned char, 2>("median3x3/" + size + "/u8", 1, [natural] { return ToBytes(natural.Get()); });
  RegisterMedian<short, 3>("median5x5x5/" + ToText(inputs.VolumeSize) + "/s16", 2, [volume = inputs.VolumeSize] {
    return MakeShorts(volume);
  });
  RegisterOthers(inputs);
  RegisterSink<CudaStatisticsImageFilter<Backed>, float>(
    "statistics/" + size + "/f32", [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); });
}
} // namespace CudaBenchmark
} // namespace itk
