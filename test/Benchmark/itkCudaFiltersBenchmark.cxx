// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Times the filters on the named workloads: with the pixels on the device before and after, from and to host images,
// and ITK's CPU filter in the same run.
//
//   CudaFiltersBenchmark [--record FILE] [--data FOLDER] [--quick] [options of Google Benchmark]
//
// --record writes the medians as JSON. --data names a folder with 25-percent-mask.jpg, the tissue that the natural
// image is made of. --quick uses small images, to see that all works. --benchmark_filter=gaussian chooses by name.

#include "Recorder.h"
#include "SourceHash.h"
#include "Workloads.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkMultiThreaderBase.h"
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#ifdef CUDAFILTERS_BENCHMARK_STUDY
#  include "Study.h"
#endif

namespace itk
{
namespace CudaBenchmark
{
namespace
{
/** Where the project's test images are. */
std::string
GetInputFolder()
{
  const char * const folder = std::getenv("CUDAFILTERS_TEST_INPUT");
  return folder == nullptr ? CUDAFILTERS_TEST_INPUT : folder;
}

struct Options
{
  std::string Record;
  std::string Data = ".";
  std::string Input = GetInputFolder();
  bool        Quick = false;
};

/** An image that is made when it is first asked for, and thrown away when one of another name is: the large ones need
 * not be in memory together. */
template <typename TImage>
struct Input
{
  std::string                               Name;
  std::function<typename TImage::Pointer()> Make;

  const TImage *
  Get() const
  {
    static typename TImage::Pointer image;
    static std::string              name;
    if (!image || name != this->Name)
    {
      image = nullptr;
      image = this->Make();
      name = this->Name;
    }
    return image;
  }
};

/** A copy in one of our containers. */
template <typename TPixel, unsigned int VDimension>
typename CudaBackedImage<TPixel, VDimension>::Pointer
MakeBacked(const Image<TPixel, VDimension> * image)
{
  const auto backed = CudaBackedImage<TPixel, VDimension>::New();
  backed->CopyInformation(image);
  backed->SetRegions(image->GetBufferedRegion());
  backed->Allocate();
  std::copy_n(image->GetBufferPointer(), image->GetPixelContainer()->Size(), backed->GetBufferPointer());
  return backed;
}

double
TimeInSeconds(const std::function<void()> & function)
{
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

CudaFilters::ExecutionPointer
MakeDefaultExecution()
{
  const auto & interface = *CudaInterface::GetDefault();
  return CudaFilters::MakeExecution(interface.GetDeviceNumber(), interface.GetExecutionSettings());
}

/** Waits for the work of this thread on the default device. */
void
WaitForDevice()
{
  CudaFilters::Wait(*MakeDefaultExecution());
}

/** The version of the NVIDIA driver. */
std::string
GetDriver()
{
  std::ifstream file("/sys/module/nvidia/version");
  std::string   version;
  return file >> version ? version : "unknown";
}

/** Registers one measurement; the function does the work once, or so many times, and is timed after warming up. */
void
Register(const std::string &                            workload,
         const char *                                   column,
         int                                            times,
         int                                            repetitions,
         const std::function<std::function<void()>()> & prepare,
         const std::map<std::string, double> &          notes = {})
{
  const bool isOnCpu = column == std::string(CpuColumn);
  const auto measure = [=](benchmark::State & state) {
    try
    {
      const std::function<void()> work = prepare();
      state.counters.insert(notes.begin(), notes.end());
      if (!isOnCpu)
      {
        work();
        const CudaCopyCounters before = CudaInterface::GetCopyCounters();
        work();
        const CudaCopyCounters copies = CudaInterface::GetCopyCounters() - before;
        if (column == std::string(EndToEndColumn))
        {
          state.counters["uploads"] = static_cast<double>(copies.Uploads);
          state.counters["downloads"] = static_cast<double>(copies.Downloads);
        }
      }
      for (auto _ : state)
      {
        state.SetIterationTime(TimeInSeconds(work) / times);
      }
    }
    catch (const std::exception & error)
    {
      state.SkipWithError(error.what());
    }
  };
  auto * const registered = benchmark::RegisterBenchmark((workload + '|' + column).c_str(), measure);
  registered->UseManualTime()->Unit(benchmark::kMillisecond)->Repetitions(repetitions)->ReportAggregatesOnly();
  isOnCpu ? registered->Iterations(1) : registered->MinTime(0.05);
}

/** Registers the three measurements of a workload: so many filters of the same kind in a row. */
template <typename TImage, typename TOperation>
void
RegisterFilter(const std::string & workload, const TOperation & operation, const Input<TImage> & input, int chain = 1)
{
  using Backed = CudaBackedImage<typename TImage::PixelType, TImage::ImageDimension>;
  constexpr int repetitions = 9;

  const auto connect = [chain](auto make, auto * image) {
    std::vector<decltype(make())> filters;
    for (int i = 0; i < chain; ++i)
    {
      filters.push_back(make());
      i == 0 ? filters[i]->SetInput(image) : filters[i]->SetInput(filters[i - 1]->GetOutput());
    }
    return filters;
  };

  if (CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    // Several updates in a row, as in a long pipeline, so that the device is never idle.
    constexpr int times = 20;
    Register(
      workload,
      OursColumn,
      times,
      repetitions,
      [=] {
        const auto backed = MakeBacked(input.Get());
        const auto filters = connect([=] { return operation.template MakeCuda<Backed>(); }, backed.GetPointer());
        filters.back()->Update();
        const auto uploads = CudaInterface::GetCopyCounters().Uploads;
        return [=] {
          for (int i = 0; i < times; ++i)
          {
            filters.front()->Modified();
            filters.back()->Update();
          }
          WaitForDevice();
          if (!filters.back()->GetExecutedOnDevice() || CudaInterface::GetCopyCounters().Uploads != uploads)
          {
            throw std::runtime_error("the pixels were not on the device");
          }
        };
      },
      operation.GetNotes());
    Register(workload, EndToEndColumn, 1, repetitions, [=] {
      const auto backed = MakeBacked(input.Get());
      const auto filters =
        connect([=] { return operation.template MakeCuda<TImage>(); }, static_cast<TImage *>(backed.GetPointer()));
      return [=] {
        backed->Modified(); // the pixels on the host are new
        filters.back()->Update();
      };
    });
    Register(workload, PlainEndToEndColumn, 1, repetitions, [=] {
      const auto filters = connect([=] { return operation.template MakeCuda<TImage>(); }, input.Get());
      return [=] {
        filters.front()->Modified();
        filters.back()->Update();
      };
    });
  }
  Register(workload, CpuColumn, 1, 3, [=] {
    const auto filters = connect([=] { return operation.template MakeCpu<TImage>(); }, input.Get());
    return [=] {
      filters.front()->Modified();
      filters.back()->Update();
    };
  });
}

struct Gaussian
{
  double       Variance;
  double       MaximumError;
  unsigned int MaximumKernelWidth;

  /** What the reader of a record wants to know of the parameters. */
  std::map<std::string, double>
  GetNotes() const
  {
    GaussianOperator<float, 2> gaussian;
    gaussian.SetVariance(this->Variance);
    gaussian.SetMaximumError(this->MaximumError);
    gaussian.SetMaximumKernelWidth(this->MaximumKernelWidth);
    gaussian.CreateDirectional();
    return { { "weights", static_cast<double>(gaussian.Size()) } };
  }

  template <typename TFilter>
  typename TFilter::Pointer
  Make() const
  {
    const auto filter = TFilter::New();
    filter->SetVariance(this->Variance);
    filter->SetMaximumError(this->MaximumError);
    filter->SetMaximumKernelWidth(this->MaximumKernelWidth);
    return filter;
  }
  template <typename TImage>
  auto
  MakeCpu() const
  {
    return this->Make<DiscreteGaussianImageFilter<TImage, TImage>>();
  }
  template <typename TImage>
  auto
  MakeCuda() const
  {
    return this->Make<CudaDiscreteGaussianImageFilter<TImage, TImage>>();
  }
};

void
RegisterGaussians(const Options & options, std::string & naturalSource)
{
  using Plane = Image<float, 2>;
  using Volume = Image<float, 3>;

  const SizeValueType side = options.Quick ? 256 : 8192;
  const SizeValueType edge = options.Quick ? 32 : 512;
  const Input<Plane>  natural{ "natural", [=, &naturalSource] {
                               return MakeNaturalImage({ { side, side } }, options.Data, options.Input, naturalSource);
                             } };
  const Input<Volume> uniform{ "uniform", [=] { return MakeUniformVolume({ { edge, edge, edge } }); } };
  const std::string   plane = "gaussian/" + std::to_string(side) + "x" + std::to_string(side) + "/f32/";
  const std::string   volume =
    "gaussian/" + std::to_string(edge) + "x" + std::to_string(edge) + "x" + std::to_string(edge) + "/f32/";

  // ITK's own choice of the mask's length, where its limit of 32 does not cut it off: 9 weights for a variance of 2, 43
  // for a sigma of 8. With a smaller error, as many weights as SciPy and CuPy take: 13 and 65.
  const Gaussian small{ 2.0, 0.01, 32 };
  const Gaussian large{ 64.0, 0.01, 200 };
  RegisterFilter(plane + "var2", small, natural);
  RegisterFilter(plane + "var2/chain3", small, natural, 3);
  RegisterFilter(plane + "var2/13-weights", Gaussian{ 2.0, 1e-4, 32 }, natural);
  RegisterFilter(volume + "var2", small, uniform);
  RegisterFilter(volume + "sigma8", large, uniform);
  RegisterFilter(volume + "sigma8/65-weights", Gaussian{ 64.0, 8e-5, 200 }, uniform);
}

/** How fast pixels cross the bus by themselves. */
void
RegisterCopies(const Options & options)
{
  const std::int64_t megabytes = options.Quick ? 1 : 256;
  const std::size_t  bytes = static_cast<std::size_t>(megabytes) << 20;
  for (const bool isLocked : { true, false })
  {
    const std::string memory = isLocked ? "page-locked" : "pageable";
    for (const bool isUpload : { true, false })
    {
      const std::string workload =
        std::string("copy/") + (isUpload ? "upload/" : "download/") + std::to_string(megabytes) + "MiB/" + memory;
      Register(workload,
               OursColumn,
               1,
               9,
               [=] {
                 std::shared_ptr<void> host;
                 if (isLocked)
                 {
                   host.reset(CudaFilters::AllocateHostPixels(bytes), CudaFilters::FreeHostPixels);
                 }
                 else
                 {
                   host.reset(new char[bytes], [](void * pointer) { delete[] static_cast<char *>(pointer); });
                 }
                 std::fill_n(static_cast<char *>(host.get()), bytes, 1);
                 const CudaFilters::Grid    size{ { static_cast<std::int64_t>(bytes), 1, 1 } };
                 const CudaFilters::HostBox box{ host.get(), size, { { 0, 0, 0 } }, size, 1 };
                 const auto                 pixels = std::make_shared<CudaFilters::DevicePixels>();
                 const auto                 execution = std::shared_ptr<CudaFilters::Execution>(MakeDefaultExecution());
                 pixels->UploadBox(*execution, box);
                 return [=] {
                   CudaFilters::HostBox all = box;
                   all.Buffer = host.get();
                   isUpload ? pixels->UploadBox(*execution, all) : pixels->DownloadBox(*execution, all);
                   CudaFilters::Wait(*execution);
                 };
               },
               { { "bytes", static_cast<double>(bytes) } });
    }
  }
}

std::string
GetDate()
{
  const std::time_t now = std::time(nullptr);
  char              text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/** Takes this program's own options out of the arguments. */
Options
TakeOptions(int & argc, char ** argv)
{
  Options options;
  int     kept = 1;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    if (argument == "--quick")
    {
      options.Quick = true;
    }
    else if ((argument == "--record" || argument == "--data") && i + 1 < argc)
    {
      (argument == "--record" ? options.Record : options.Data) = argv[++i];
    }
    else
    {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return options;
}

int
Run(int argc, char ** argv)
{
  const Options options = TakeOptions(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
  {
    return EXIT_FAILURE;
  }
  const std::string whyNot = CudaInterface::GetDefault()->GetWhyNotOnDevice();
  std::cout << (whyNot.empty() ? "On " + CudaInterface::GetDeviceDescription(0) : "On the CPU alone: " + whyNot)
            << std::endl;

  std::string naturalSource;
  RegisterGaussians(options, naturalSource);
  if (whyNot.empty())
  {
    RegisterCopies(options);
#ifdef CUDAFILTERS_BENCHMARK_STUDY
    if (!options.Quick)
    {
      RegisterStudy();
    }
#endif
  }
  Recorder recorder;
  benchmark::RunSpecifiedBenchmarks(&recorder);

  if (!options.Record.empty())
  {
    std::ofstream file(options.Record);
    recorder.Write(file,
                   { { "gpu", whyNot.empty() ? CudaInterface::GetDeviceName(0) : "none" },
                     { "driver", GetDriver() },
                     { "date", GetDate() },
                     { "source_hash", SourceHash },
                     { "cpu_threads", std::to_string(MultiThreaderBase::GetGlobalDefaultNumberOfThreads()) },
                     { "natural_image", naturalSource } });
    if (!file.flush())
    {
      std::cerr << "Cannot write " << options.Record << std::endl;
      return EXIT_FAILURE;
    }
  }
  return recorder.HasErrors() ? EXIT_FAILURE : EXIT_SUCCESS;
}
} // namespace
} // namespace CudaBenchmark
} // namespace itk

int
main(int argc, char ** argv)
{
  try
  {
    return itk::CudaBenchmark::Run(argc, argv);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
  }
}
