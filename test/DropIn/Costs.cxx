// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// From which size on is a filter faster on the device, if it starts from an itk::Image and ends with one? Prints a row
// for each filter: the number of pixels, the nanoseconds per pixel on the CPU, and all times.
// src/Factory/FilterDefaults.cxx holds the rounded results.
//
//   DropInCosts [FILTER ...]

#include "../Benchmark/Machine.h"
#include "itkBinaryBallStructuringElement.h"
#include "itkBoxSigmaImageFilter.h"
#include "itkClosingByReconstructionImageFilter.h"
#include "itkConnectedComponentImageFilter.h"
#include "itkCudaFiltersFactory.h"
#include "itkCudaInterface.h"
#include "itkDanielssonDistanceMapImageFilter.h"
#include "itkDiscreteGaussianImageFilter.h"
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
#include "itkMultiThreaderBase.h"
#include "itkOpeningByReconstructionImageFilter.h"
#include "itkOtsuThresholdImageFilter.h"
#include "itkReconstructionByDilationImageFilter.h"
#include "itkReconstructionByErosionImageFilter.h"
#include "itkRegionalMaximaImageFilter.h"
#include "itkRegionalMinimaImageFilter.h"
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
using Floats = itk::Image<float, 2>;
using Bytes = itk::Image<unsigned char, 2>;
using Ints = itk::Image<unsigned int, 2>;
using Flat = itk::FlatStructuringElement<2>;

/** Smooth blobs with a little noise. */
template <typename TImage>
typename TImage::Pointer
MakeImage(itk::SizeValueType width)
{
  const auto image = TImage::New();
  image->SetRegions(typename TImage::SizeType{ { width, width } });
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
  return OfImage<TFilter>([](TFilter & filter) { filter.SetKernel(Flat::Ball(Flat::RadiusType{ { 3, 3 } })); });
}

const std::vector<std::pair<std::string, RunMaker>> filters = {
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
  { "SignedDanielssonDistanceMapImageFilter", OfObjects<itk::SignedDanielssonDistanceMapImageFilter<Bytes, Floats>>() },
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
  { "StatisticsImageFilter", OfImage<itk::StatisticsImageFilter<Floats>>() },
  { "ShiftScaleImageFilter",
    OfImage<itk::ShiftScaleImageFilter<Floats, Floats>>([](auto & filter) { filter.SetScale(2.0); }) },
};

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

void
Measure(const std::string & name, const RunMaker & makeRun)
{
  std::vector<std::pair<itk::SizeValueType, double>> ratios; // of pixels: the times of CPU and device
  std::string                                        times;
  double                                             nanoseconds = 0.0;
  for (itk::SizeValueType width = 32; width <= 2048; width *= 2)
  {
    const Run    run = makeRun(width);
    const double onCPU = GetMilliseconds(run, itk::CudaBackendEnum::CPU);
    const double onDevice = GetMilliseconds(run, itk::CudaBackendEnum::CUDA);
    ratios.emplace_back(width * width, onCPU / onDevice);
    nanoseconds = 1e6 * onCPU / static_cast<double>(width * width);
    std::ostringstream text;
    text << std::setprecision(3) << ' ' << width << ": " << onCPU << '/' << onDevice;
    times += text.str();
  }
  // The last size from which on the device is always faster, between two sizes by interpolation of the logarithms.
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
  std::cout << name << ',' << pixels << ',' << std::setprecision(3) << nanoseconds << ',' << times << std::endl;
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
  const Run first = filters.front().second(512);
  itk::CudaInterface::GetDefault()->SetBackend(itk::CudaBackendEnum::CUDA);
  first();
  const auto facts = itk::CudaBenchmark::GetFactsOfRun();
  std::cout << "# " << facts.at("gpu") << ", driver " << facts.at("driver") << ", "
            << itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads() << " threads, " << facts.at("date")
            << ", source hash " << facts.at("source_hash") << '\n'
            << "start of the device: "
            << std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() << " ms\n"
            << "filter,pixels from which on the device is faster,ns per pixel on the CPU,width: ms on CPU/device\n";
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const auto & filter : filters)
  {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), filter.first) != wanted.end())
    {
      Measure(filter.first, filter.second);
    }
  }
  return EXIT_SUCCESS;
}
