// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

/** Runs the blocks in C++ on the pages of the documentation, on the images of the working folder.
 *
 *   CudaFiltersPages pages         those of all pages but the gallery
 *   CudaFiltersPages gallery       those of the gallery; writes NAME-c++.mha, or a number to NAME-c++.txt
 *   CudaFiltersPages time RECORD   times those of the gallery on the device and on the CPU
 */
#include "../Benchmark/Machine.h"
#include "PageLines.h"
#include "itkCudaInterface.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

namespace
{
std::vector<Lines> &
GetAllLines()
{
  static std::vector<Lines> lines;
  return lines;
}

/** The median time of some runs, the fewer the longer they take. */
double
TimeInMilliseconds(const Lines & lines, Results & results)
{
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  const auto          begin = Clock::now();
  do
  {
    const auto before = Clock::now();
    lines.Run(results);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  } while (times.size() < 11 && Clock::now() - begin < std::chrono::seconds(1));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int
TimeGallery(const std::string & record)
{
  const auto         settings = itk::CudaInterface::GetDefault();
  Results            results;
  std::ostringstream file;
  file << "{\n";
  auto facts = itk::CudaBenchmark::GetFactsOfRun();
  facts["cpu_threads"] = std::to_string(itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads());
  facts["pixels"] = std::to_string(results.GetSamples().Image->GetBufferedRegion().GetNumberOfPixels());
  for (const auto & [name, fact] : facts)
  {
    file << "  \"" << name << "\": \"" << fact << "\",\n";
  }
  file << "  \"rows\": [";
  const char * separator = "\n";
  for (const Lines & lines : GetAllLines())
  {
    if (lines.WhatFor != Kind::Gallery)
    {
      continue;
    }
    settings->SetBackend(itk::CudaBackendEnum::CUDA);
    lines.Run(results); // loads kernels, and fills the pools
    const double device = TimeInMilliseconds(lines, results);
    settings->SetTiming(true);
    lines.Run(results);
    const double work = results.GetDeviceMilliseconds();
    settings->SetTiming(false);
    settings->SetBackend(itk::CudaBackendEnum::CPU);
    const double cpu = TimeInMilliseconds(lines, results);
    std::cout << lines.Name << ": " << work << " ms, with copies " << device << " ms, on the CPU " << cpu << " ms"
              << std::endl;
    file << separator << "    { \"workload\": \"" << lines.Name << "\", \"ours_ms\": " << work
         << ", \"end_to_end_ms\": " << device << ", \"itk_cpu_ms\": " << cpu << " }";
    separator = ",\n";
  }
  file << "\n  ]\n}\n";
  std::ofstream(record) << file.str();
  return EXIT_SUCCESS;
}

int
RunLines(Kind kind)
{
  int status = EXIT_SUCCESS;
  for (const Lines & lines : GetAllLines())
  {
    if (lines.WhatFor == kind)
    {
      std::cout << "-- " << lines.Name << std::endl;
      try
      {
        Results results(lines.Name);
        lines.Run(results);
      }
      catch (const std::exception & error)
      {
        std::cout << "FAILED: " << error.what() << std::endl;
        status = EXIT_FAILURE;
      }
    }
  }
  return status;
}
} // namespace

Lines::Lines(std::string name, Kind kind, std::function<void(Results &)> run)
  : Name(std::move(name))
  , WhatFor(kind)
  , Run(std::move(run))
{
  GetAllLines().push_back(*this);
}

Samples::Samples()
  : Image(itk::ReadImage<ByteImage>("brain.png"))
  , Mask(itk::ReadImage<ByteImage>("mask.mha"))
  , Smaller(itk::ReadImage<ByteImage>("smaller.mha"))
  , Darker(itk::ReadImage<ByteImage>("darker.mha"))
  , Brighter(itk::ReadImage<ByteImage>("brighter.mha"))
  , Real(itk::ReadImage<FloatImage>("brain.png"))
  , Smooth(itk::ReadImage<FloatImage>("smooth.mha"))
  , Share(itk::ReadImage<FloatImage>("share.mha"))
  , Curvature(itk::ReadImage<FloatImage>("curvature.mha"))
  , Labels(itk::ReadImage<LabelImage>("labels.mha"))
  , Reader(itk::ImageFileReader<ByteImage>::New())
{
  Reader->SetFileName("mask.mha");
}

int
main(int argc, char ** argv)
{
  return itk::CudaBenchmark::RunProgram(
    [](int number, char ** arguments) {
      const std::string what = number > 1 ? arguments[1] : "";
      if (what == "time" && number == 3)
      {
        return TimeGallery(arguments[2]);
      }
      if ((what != "pages" && what != "gallery") || number != 2)
      {
        std::cerr << "usage: CudaFiltersPages pages|gallery, or CudaFiltersPages time RECORD" << std::endl;
        return EXIT_FAILURE;
      }
      return RunLines(what == "gallery" ? Kind::Gallery : Kind::Page);
    },
    argc,
    argv);
}
