// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.h"
#include "Registration.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaImageBinningFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaNeighborhoodFunctorImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
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
    return [=] {
      for (int i = 0; i < times; ++i)
      {
        filter->Update();
      }
      if (!filter->GetExecutedOnDevice())
      {
        throw std::runtime_error("not on the device");
      }
    };
  });
}

/** Pixels that are random numbers below a limit. */
template <typename TPixel>
typename Image<TPixel, 2>::Pointer
MakeNoise(const Size<2> & size, unsigned int limit)
{
  const auto image = Image<TPixel, 2>::New();
  image->SetRegions(size);
  image->Allocate();
  std::mt19937 random(1);
  for (SizeValueType i = 0; i < size[0] * size[1]; ++i)
  {
    image->GetBufferPointer()[i] = static_cast<TPixel>(random() % limit);
  }
  return image;
}

/** Random pixels over the whole range. */
Image<short, 3>::Pointer
MakeShorts(const Size<3> & size)
{
  const auto image = Image<short, 3>::New();
  image->SetRegions(size);
  image->Allocate();
  std::mt19937 random(1);
  for (SizeValueType i = 0; i < image->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    image->GetBufferPointer()[i] = static_cast<short>(random());
  }
  return image;
}

template <typename TPixel, unsigned int VDimension>
void
RegisterMedian(const std::string &                                                  name,
               unsigned int                                                         radius,
               const std::function<typename Image<TPixel, VDimension>::Pointer()> & make)
{
  using Backed = CudaBackedImage<TPixel, VDimension>;

  Register(name, OursColumn, 1, 9, [=] {
    const auto filter = CudaMedianImageFilter<Backed, Backed>::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    filter->SetRadius(radius);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, 1);
  });
}

#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
void
RegisterOwnFunctors(const Inputs & inputs)
{
  using Backed = CudaBackedImage<float, 2>;
  using BackedBytes = CudaBackedImage<unsigned char, 2>;
  using BackedShorts = CudaBackedImage<unsigned short, 2>;
  using ByteHistogram = CudaImageBinningFilter<BackedBytes, GreyLevel>;
  using ShortHistogram = CudaImageBinningFilter<BackedShorts, GreyLevel>;

  const auto        size = inputs.PlaneSize;
  const std::string text = ToText(size);
  const auto        natural = inputs.GetNatural(size);
  const auto        getNatural = [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); };
  RegisterSink<CudaImageReductionFilter<Backed, MaximumReducer>, float>("maximum/" + text + "/f32", getNatural);
  RegisterSink<CudaImageReductionFilter<Backed, SumReducer>, float>("sum/" + text + "/f32", getNatural);
  RegisterSink<ByteHistogram, unsigned char>("histogram256/noise-" + text + "/u8",
                                             [size] { return MakeNoise<unsigned char>(size, 256); });
  RegisterSink<ByteHistogram, unsigned char>("histogram256/tissue-" + text + "/u8",
                                             [natural] { return ToBytes(natural.Get()); });
  RegisterSink<ByteHistogram, unsigned char>("histogram256/constant-" + text + "/u8",
                                             [size] { return MakeNoise<unsigned char>(size, 1); });
  RegisterSink<ShortHistogram, unsigned short>(
    "histogram4096/" + text + "/u16",
    [size] { return MakeNoise<unsigned short>(size, 4096); },
    [](ShortHistogram & filter) { filter.SetNumberOfBins(4096); });
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
  RegisterSink<CudaStatisticsImageFilter<Backed>, float>(
    "statistics/" + size + "/f32", [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); });
}
} // namespace CudaBenchmark
} // namespace itk
