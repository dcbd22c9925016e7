// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// From which size on is a filter faster on the device, if it starts from an itk::Image and ends with one? Prints a row
// for each filter: the number of pixels of a plane, the nanoseconds per pixel on the CPU in the largest plane and in a
// volume, and all times.
// src/Factory/FilterDefaults.cxx holds the rounded results.
//
//   DropInCosts [FILTER ...]

#include "../Benchmark/Machine.h"
#include "itkAddImageFilter.h"
#include "itkBinaryBallStructuringElement.h"
#include "itkBinaryThresholdImageFilter.h"
#include "itkBoxSigmaImageFilter.h"
#include "itkCastImageFilter.h"
#include "itkClosingByReconstructionImageFilter.h"
#include "itkConnectedComponentImageFilter.h"
#include "itkCudaFiltersFactory.h"
#include "itkCudaInterface.h"
#include "itkDanielssonDistanceMapImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"
#include "itkExpImageFilter.h"
#include "itkGradientMagnitudeImageFilter.h"
#include "itkGrayscaleDilateImageFilter.h"
#include "itkGrayscaleErodeImageFilter.h"
#include "itkGrayscaleFillholeImageFilter.h"
#include "itkGrayscaleMorphologicalClosingImageFilter.h"
#include "itkGrayscaleMorphologicalOpeningImageFilter.h"
#include "itkHConcaveImageFilter.h"
#include "itkHConvexImageFilter.h"
#include "itkHMaximaImageFilter.h"
#include "itkHMinimaImageFilter.h"
#include "itkHausdorffDistanceImageFilter.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkLaplacianImageFilter.h"
#include "itkMeanImageFilter.h"
#include "itkMedianImageFilter.h"
#include "itkMinimumMaximumImageFilter.h"
#include "itkMultiThreaderBase.h"
#include "itkOpeningByReconstructionImageFilter.h"
#include "itkOtsuThresholdImageFilter.h"
#include "itkReconstructionByDilationImageFilter.h"
#include "itkReconstructionByErosionImageFilter.h"
#include "itkRegionalMaximaImageFilter.h"
#include "itkRegionalMinimaImageFilter.h"
#include "itkRescaleIntensityImageFilter.h"
#include "itkScalarConnectedComponentImageFilter.h"
#include "itkShiftScaleImageFilter.h"
#include "itkSignedDanielssonDistanceMapImageFilter.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"
#include "itkSobelEdgeDetectionImageFilter.h"
#include "itkStatisticsImageFilter.h"
#include "itkZeroCrossingImageFilter.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace
{
/** Smooth blobs with a little noise; in volumes, the same in all planes. */
template <typename TImage>
typename TImage::Pointer
MakeImage(itk::SizeValueType width)
{
  const auto image = TImage::New();
  image->SetRegions(TImage::SizeType::Filled(width));
  image->Allocate();
  std::uint32_t state = 1;
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    state = state * 1664525u + 1013904223u;
    const auto index = it.GetIndex();
    it.Set(static_cast<typename TImage::PixelType>(100 + 80 * std::sin(index[0] / 9.0) * std::sin(index[1] / 7.0) +
                                                   (state >> 24) % 16));
  }
  return image;
}

/** Objects on a background of 0. */
template <typename TImage>
typename TImage::Pointer
MakeObjects(itk::SizeValueType width, int step = 0)
{
  const auto image = MakeImage<TImage>(width);
  for (itk::ImageRegionIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() > 150 + step ? 1 : 0);
  }
  return image;
}

using Run = std::function<void()>;
using RunMaker = std::function<Run(itk::SizeValueType width)>;

/** A run of the filter from a plain image, which counts as changed each time. */
template <typename TFilter, typename TImage>
Run
MakeRun(
  const itk::SmartPointer<TImage> &      input,
  const std::function<void(TFilter &)> & prepare = [](TFilter &) {})
{
  const auto filter = TFilter::New();
  filter->SetInput(input);
  prepare(*filter);
  return [filter, input] {
    input->Modified();
    filter->Update();
  };
}

template <typename TFilter>
RunMaker
OfImage(const std::function<void(TFilter &)> & prepare = [](TFilter &) {})
{
  using Input = typename TFilter::InputImageType;
  return [prepare](itk::SizeValueType width) { return MakeRun<TFilter, Input>(MakeImage<Input>(width), prepare); };
}

template <typename TFilter>
RunMaker
OfObjects()
{
  using Input = typename TFilter::InputImageType;
  return [](itk::SizeValueType width) { return MakeRun<TFilter, Input>(MakeObjects<Input>(width), [](TFilter &) {}); };
}

template <typename TFilter>
RunMaker
OfMarker(double shift)
{
  using Bytes = typename TFilter::InputImageType;
  return [shift](itk::SizeValueType width) {
    const auto mask = MakeImage<Bytes>(width);
    const auto marker = MakeImage<Bytes>(width);
    for (itk::ImageRegionIteratorWithIndex<Bytes> it(marker, marker->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      it.Set(static_cast<unsigned char>(it.Get() + shift));
    }
    const auto filter = TFilter::New();
    filter->SetMarkerImage(marker);
    filter->SetMaskImage(mask);
    return Run([=] {
      marker->Modified();
      mask->Modified();
      filter->Update();
    });
  };
}

template <typename TFilter>
RunMaker
OfTwo()
{
  using Bytes = typename TFilter::InputImageType;
  return [](itk::SizeValueType width) {
    const auto first = MakeObjects<Bytes>(width);
    const auto second = MakeObjects<Bytes>(width, 10);
    const auto filter = TFilter::New();
    filter->SetInput1(first);
    filter->SetInput2(second);
    return Run([=] {
      first->Modified();
      filter->Update();
    });
  };
}

template <typename TFilter>
RunMaker
OfKernel()
{
  using Flat = itk::FlatStructuringElement<TFilter::InputImageType::ImageDimension>;
  return OfImage<TFilter>([](TFilter & filter) { filter.SetKernel(Flat::Ball(Flat::RadiusType::Filled(3))); });
}

/** All filters, for images of one dimension. */
template <unsigned int VDimension>
std::vector<std::pair<std::string, RunMaker>>
MakeFilters()
{
  using Floats = itk::Image<float, VDimension>;
  using Bytes = itk::Image<unsigned char, VDimension>;
  using Ints = itk::Image<unsigned int, VDimension>;
  using Flat = itk::FlatStructuringElement<VDimension>;
  return {
    { "DiscreteGaussianImageFilter",
      OfImage<itk::DiscreteGaussianImageFilter<Floats, Floats>>([](auto & filter) { filter.SetVariance(2.0); }) },
    { "SobelEdgeDetectionImageFilter", OfImage<itk::SobelEdgeDetectionImageFilter<Floats, Floats>>() },
    { "ZeroCrossingImageFilter", OfImage<itk::ZeroCrossingImageFilter<Floats, Floats>>() },
    { "ReconstructionByDilationImageFilter", OfMarker<itk::ReconstructionByDilationImageFilter<Bytes, Bytes>>(-20) },
    { "ReconstructionByErosionImageFilter", OfMarker<itk::ReconstructionByErosionImageFilter<Bytes, Bytes>>(20) },
    { "GrayscaleFillholeImageFilter", OfImage<itk::GrayscaleFillholeImageFilter<Bytes, Bytes>>() },
    { "HConcaveImageFilter", OfImage<itk::HConcaveImageFilter<Bytes, Bytes>>([](auto & f) { f.SetHeight(20); }) },
    { "HConvexImageFilter", OfImage<itk::HConvexImageFilter<Bytes, Bytes>>([](auto & f) { f.SetHeight(20); }) },
    { "HMaximaImageFilter", OfImage<itk::HMaximaImageFilter<Bytes, Bytes>>([](auto & f) { f.SetHeight(20); }) },
    { "HMinimaImageFilter", OfImage<itk::HMinimaImageFilter<Bytes, Bytes>>([](auto & f) { f.SetHeight(20); }) },
    { "RegionalMaximaImageFilter", OfImage<itk::RegionalMaximaImageFilter<Bytes, Bytes>>() },
    { "RegionalMinimaImageFilter", OfImage<itk::RegionalMinimaImageFilter<Bytes, Bytes>>() },
    { "OpeningByReconstructionImageFilter", OfKernel<itk::OpeningByReconstructionImageFilter<Bytes, Bytes, Flat>>() },
    { "ClosingByReconstructionImageFilter", OfKernel<itk::ClosingByReconstructionImageFilter<Bytes, Bytes, Flat>>() },
    { "SignedMaurerDistanceMapImageFilter", OfObjects<itk::SignedMaurerDistanceMapImageFilter<Bytes, Floats>>() },
    { "DanielssonDistanceMapImageFilter", OfObjects<itk::DanielssonDistanceMapImageFilter<Bytes, Floats>>() },
    { "SignedDanielssonDistanceMapImageFilter",
      OfObjects<itk::SignedDanielssonDistanceMapImageFilter<Bytes, Floats>>() },
    { "DirectedHausdorffDistanceImageFilter", OfTwo<itk::DirectedHausdorffDistanceImageFilter<Bytes, Bytes>>() },
    { "HausdorffDistanceImageFilter", OfTwo<itk::HausdorffDistanceImageFilter<Bytes, Bytes>>() },
    { "ConnectedComponentImageFilter", OfObjects<itk::ConnectedComponentImageFilter<Bytes, Ints>>() },
    { "ScalarConnectedComponentImageFilter", OfObjects<itk::ScalarConnectedComponentImageFilter<Bytes, Ints>>() },
    { "MedianImageFilter", OfImage<itk::MedianImageFilter<Bytes, Bytes>>() },
    { "MeanImageFilter", OfImage<itk::MeanImageFilter<Floats, Floats>>([](auto & f) { f.SetRadius(2); }) },
    { "BoxSigmaImageFilter", OfImage<itk::BoxSigmaImageFilter<Floats, Floats>>([](auto & f) { f.SetRadius(2); }) },
    { "GradientMagnitudeImageFilter", OfImage<itk::GradientMagnitudeImageFilter<Floats, Floats>>() },
    { "LaplacianImageFilter", OfImage<itk::LaplacianImageFilter<Floats, Floats>>() },
    { "GrayscaleErodeImageFilter", OfKernel<itk::GrayscaleErodeImageFilter<Bytes, Bytes, Flat>>() },
    { "GrayscaleDilateImageFilter", OfKernel<itk::GrayscaleDilateImageFilter<Bytes, Bytes, Flat>>() },
    { "GrayscaleMorphologicalOpeningImageFilter",
      OfKernel<itk::GrayscaleMorphologicalOpeningImageFilter<Bytes, Bytes, Flat>>() },
    { "GrayscaleMorphologicalClosingImageFilter",
      OfKernel<itk::GrayscaleMorphologicalClosingImageFilter<Bytes, Bytes, Flat>>() },
    { "OtsuThresholdImageFilter", OfImage<itk::OtsuThresholdImageFilter<Floats, Bytes>>() },
    { "AddImageFilter", OfTwo<itk::AddImageFilter<Bytes, Bytes, Bytes>>() },
    { "BinaryThresholdImageFilter", OfImage<itk::BinaryThresholdImageFilter<Floats, Bytes>>() },
    { "CastImageFilter", OfImage<itk::CastImageFilter<Bytes, Floats>>() },
    { "ExpImageFilter", OfImage<itk::ExpImageFilter<Floats, Floats>>() },
    { "MinimumMaximumImageFilter", OfImage<itk::MinimumMaximumImageFilter<Floats>>() },
    { "RescaleIntensityImageFilter", OfImage<itk::RescaleIntensityImageFilter<Floats, Bytes>>() },
    { "StatisticsImageFilter", OfImage<itk::StatisticsImageFilter<Floats>>() },
    { "ShiftScaleImageFilter",
      OfImage<itk::ShiftScaleImageFilter<Floats, Floats>>([](auto & filter) { filter.SetScale(2.0); }) },
  };
}

/** The median of some runs. */
double
GetMilliseconds(const Run & run, itk::CudaBackendEnum backend)
{
  using Clock = std::chrono::steady_clock;
  itk::CudaInterface::GetDefault()->SetBackend(backend);
  run();
  std::vector<double> times;
  const auto          begin = Clock::now();
  while (times.size() < 21 && (times.size() < 3 || Clock::now() - begin < std::chrono::milliseconds(100)))
  {
    const auto start = Clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/** Measures an image of that width. Adds its times to the text. */
std::pair<double, double>
GetTimesOnCPUAndDevice(const RunMaker & makeRun, itk::SizeValueType width, std::string & text)
{
  const Run          run = makeRun(width);
  const double       onCPU = GetMilliseconds(run, itk::CudaBackendEnum::CPU);
  const double       onDevice = GetMilliseconds(run, itk::CudaBackendEnum::CUDA);
  std::ostringstream times;
  times << std::setprecision(3) << ' ' << width << ": " << onCPU << '/' << onDevice;
  text += times.str();
  return { onCPU, onDevice };
}

void
Measure(const std::string & name, const RunMaker & makeRunOfPlane, const RunMaker & makeRunOfVolume)
{
  std::vector<std::pair<itk::SizeValueType, double>> ratios; // of pixels: the times of CPU and device
  std::string                                        times;
  double                                             nanoseconds = 0.0;
  for (itk::SizeValueType width = 32; width <= 2048; width *= 2)
  {
    const auto [onCPU, onDevice] = GetTimesOnCPUAndDevice(makeRunOfPlane, width, times);
    ratios.emplace_back(width * width, onCPU / onDevice);
    nanoseconds = 1e6 * onCPU / static_cast<double>(width * width);
  }
  // The smallest size from which on the device is always faster, between two sizes by interpolation of the logarithms.
  double pixels = 0.0;
  for (std::size_t i = ratios.size(); i-- > 0;)
  {
    if (ratios[i].second < 1.0)
    {
      if (i + 1 == ratios.size())
      {
        pixels = INFINITY;
        break;
      }
      const double below = std::log(ratios[i].second);
      const double above = std::log(ratios[i + 1].second);
      pixels = static_cast<double>(ratios[i].first) * std::pow(4.0, -below / (above - below));
      break;
    }
  }
  constexpr itk::SizeValueType width = 160;
  std::string                  timesOfVolume;
  const double                 onCPU = GetTimesOnCPUAndDevice(makeRunOfVolume, width, timesOfVolume).first;
  std::cout << name << ',' << pixels << ',' << std::setprecision(3) << nanoseconds << ','
            << 1e6 * onCPU / static_cast<double>(width * width * width) << ',' << times << ',' << timesOfVolume
            << std::endl;
}
} // namespace

int
main(int argc, char ** argv)
{
  const auto        begin = std::chrono::steady_clock::now();
  const std::string why = itk::CudaInterface::GetDefault()->GetWhyNotOnDevice();
  if (!why.empty())
  {
    std::cerr << why << std::endl;
    return EXIT_FAILURE;
  }
  itk::CudaFiltersFactory::RegisterOneFactory();
  for (const std::string & name : itk::CudaFiltersFactory::GetInstance()->GetNamesOfFilters())
  {
    itk::CudaFiltersFactory::GetInstance()->SetEnabled(name, true);
  }
  const auto ofPlanes = MakeFilters<2>();
  const auto ofVolumes = MakeFilters<3>();
  const Run  first = ofPlanes.front().second(512);
  itk::CudaInterface::GetDefault()->SetBackend(itk::CudaBackendEnum::CUDA);
  first();
  const auto facts = itk::CudaBenchmark::GetFactsOfRun();
  std::cout << "# " << facts.at("gpu") << ", driver " << facts.at("driver") << ", "
            << itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads() << " threads, " << facts.at("date")
            << ", source hash " << facts.at("source_hash") << '\n'
            << "start of the device, and a first filter: "
            << std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() << " ms\n"
            << "filter,pixels of a plane from which on the device is faster,ns per pixel on the CPU in a plane,"
               "in a volume,planes of that width: ms on CPU/device,volume\n";
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (std::size_t i = 0; i < ofPlanes.size(); ++i)
  {
    const std::string & name = ofPlanes[i].first;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
    {
      Measure(name, ofPlanes[i].second, ofVolumes[i].second);
    }
  }
  return EXIT_SUCCESS;
}
