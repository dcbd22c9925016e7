// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Times the filters on the named workloads: with the pixels on the device before and after, from and to host images,
// and ITK's CPU filter in the same run.
//
//   CudaFiltersBenchmark [--record FILE] [--data FOLDER] [--quick] [--slide] [options of Google Benchmark]
//
// --record writes the medians as JSON. --data names a folder with 25-percent-mask.jpg, the tissue that the natural
// image is made of, and 50-percent-marker.jpg and 50-percent-mask.jpg, from which tissue is reconstructed. --quick uses
// small images, to see that all works. --slide takes a whole slide of 10 gigapixels, too, for reconstruction and for
// distances, and a volume of 8.6 billion voxels for components; each takes 40 to 60 GB of the host's memory.
// --benchmark_filter=gaussian chooses by name.

#include "Machine.h"
#include "Operations.h"
#include "Registration.h"
#include "../itkCudaDistanceInputs.h"
#include "itkCudaBinaryBallDilateImageFilter.h"
#include "itkCudaDanielssonDistanceMapImageFilter.h"
#include "itkCudaHausdorffDistanceImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkMultiThreaderBase.h"
#include <algorithm>
#include <cstdlib>
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
/** Registers the three measurements of a workload: so many filters of the same kind in a row. */
template <typename TImage, typename TOperation>
void
RegisterFilter(const std::string &   workload,
               const TOperation &    operation,
               const Input<TImage> & input,
               int                   chain = 1,
               int                   cpuRepetitions = 3)
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
        const auto image = MakeOnDevice(input.Get());
        const auto filters = connect([=] { return operation.template MakeCuda<Backed>(); }, image.GetPointer());
        filters.back()->Update();
        return MakeUpdates(filters, times);
      },
      std::make_shared<const Notes>(operation.GetNotes()));
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
  Register(workload, CpuColumn, 1, cpuRepetitions, [=] {
    const auto filters = connect([=] { return operation.template MakeCpu<TImage>(); }, input.Get());
    return [=] {
      filters.front()->Modified();
      filters.back()->Update();
    };
  });
}

void
RegisterGaussians(const Inputs & inputs)
{
  const std::string plane = "gaussian/" + ToText(inputs.PlaneSize) + "/f32/";
  const std::string volume = "gaussian/" + ToText(inputs.VolumeSize) + "/f32/";
  const auto        natural = inputs.GetNatural(inputs.PlaneSize);
  const auto        uniform = inputs.GetUniform();

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

void
RegisterEdges(const Inputs & inputs)
{
  const std::string plane = ToText(inputs.PlaneSize);
  const std::string volume = ToText(inputs.VolumeSize);
  const auto        natural = inputs.GetNatural(inputs.PlaneSize);
  const auto        uniform = inputs.GetUniform();
  const Canny       canny{ 1.4 * 1.4, 7.0f, 4.0f, false };
  const Canny       exact{ 1.4 * 1.4, 7.0f, 4.0f, true };

  RegisterFilter("sobel/" + plane + "/f32", Sobel{ false }, natural);
  RegisterFilter("sobel-direction/" + plane + "/f32", Sobel{ true }, natural);
  RegisterFilter("zero-crossing/" + plane + "/f32", ZeroCrossing{}, natural);
  RegisterFilter("canny/" + plane + "/f32/sigma1.4", canny, natural, 1, 1);
  RegisterFilter("canny/" + plane + "/f32/sigma1.4/exact", exact, natural, 1, 1);
  const Input<Plane> spiral{ "spiral", [size = inputs.PlaneSize] { return MakeSpiralImage(size, 20.0f, 60.0f); } };
  RegisterFilter("canny/spiral-" + plane + "/f32/sigma1.4", canny, spiral, 1, 1);
  RegisterFilter("sobel/" + volume + "/f32", Sobel{ false }, uniform);
  // Of random numbers between 0 and 1: thresholds over which about as many pixels are edges as in a picture.
  RegisterFilter("canny/" + volume + "/f32/sigma1.4", Canny{ 1.4 * 1.4, 0.04f, 0.03f, false }, uniform, 1, 1);

  // From the size of a photograph of the Berkeley segmentation data set on, each time twice as wide and high.
  std::vector<Size<2>> sizes{ { { 481, 321 } } };
  while (!inputs.Choice.Quick && sizes.back()[0] < 10000)
  {
    sizes.push_back({ { 2 * sizes.back()[0], 2 * sizes.back()[1] } });
  }
  if (!inputs.Choice.Quick)
  {
    sizes.push_back({ { 16384, 16384 } });
  }
  for (const Size<2> & size : sizes)
  {
    RegisterFilter("canny/" + ToText(size) + "/f32/sigma1.4/series", canny, inputs.GetNatural(size), 1, 1);
  }
}

using Bytes = MarkerAndMask::ImageType;
using Strategy = CudaReconstructionStrategyEnum;

/** A pair of images, of which one at a time is kept. */
struct PairInput
{
  std::string                    Name;
  std::function<MarkerAndMask()> Make;

  const MarkerAndMask &
  Get() const
  {
    static MarkerAndMask pair;
    static std::string   name;
    if (!pair.Mask || name != this->Name)
    {
      pair = {};
      pair = this->Make();
      name = this->Name;
    }
    return pair;
  }
};

/** What the reconstructions took, by workload. */
std::map<std::string, CudaFilters::WavefrontStatistics> &
GetStatistics()
{
  static std::map<std::string, CudaFilters::WavefrontStatistics> statistics;
  return statistics;
}

template <typename TFilter, typename TImage>
typename TFilter::Pointer
MakeReconstruction(TImage * marker, TImage * mask, bool isFull = false)
{
  const auto filter = TFilter::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  filter->SetFullyConnected(isFull);
  return filter;
}

/** Registers the reconstruction of a pair on the device: so many times in a row. */
void
RegisterReconstruction(const std::string & workload, const PairInput & input, bool isFull, Strategy strategy, int times)
{
  using Backed = CudaBackedImage<unsigned char, 2>;
  Register(workload, OursColumn, times, 5, [=] {
    const auto filter = MakeReconstruction<CudaReconstructionByDilationImageFilter<Backed, Backed>, Backed>(
      MakeOnDevice(input.Get().Marker.GetPointer()), MakeOnDevice(input.Get().Mask.GetPointer()), isFull);
    filter->SetStrategy(strategy);
    filter->Update();
    GetStatistics()[workload] = { filter->GetNumberOfDeviceTiles(),
                                  filter->GetNumberOfVisits(),
                                  filter->GetNumberOfSweeps() };
    return MakeUpdates(std::vector{ filter }, times);
  });
}

/** Registers the reconstruction of a pair from the host, in our containers, and back. */
void
RegisterReconstructionEndToEnd(const std::string & workload, const PairInput & input, bool isFull)
{
  Register(workload, EndToEndColumn, 1, 5, [=] {
    const auto marker = MakeBacked(input.Get().Marker.GetPointer());
    const auto mask = MakeBacked(input.Get().Mask.GetPointer());
    const auto filter = MakeReconstruction<CudaReconstructionByDilationImageFilter<Bytes, Bytes>, Bytes>(
      marker.GetPointer(), mask.GetPointer(), isFull);
    return [=] {
      marker->Modified();
      mask->Modified();
      filter->Update();
    };
  });
}

/** Registers the reconstruction of a pair from plain images to a plain image. */
void
RegisterPlainReconstruction(const std::string & workload, const PairInput & input, bool isFull, int repetitions)
{
  Register(workload, PlainEndToEndColumn, 1, repetitions, [=] {
    const auto filter = MakeReconstruction<CudaReconstructionByDilationImageFilter<Bytes, Bytes>, Bytes>(
      input.Get().Marker, input.Get().Mask, isFull);
    return [=] {
      filter->Modified();
      filter->Update();
    };
  });
}

void
RegisterReconstructions(const Inputs & inputs, std::string & tissueSource)
{
  const bool    isQuick = inputs.Choice.Quick;
  const bool    hasDevice = CudaInterface::GetDefault()->GetWhyNotOnDevice().empty();
  const Size<2> small{ { isQuick ? 256u : 4096u, isQuick ? 256u : 4096u } };
  const auto    getTissue = [&inputs, &tissueSource](const Size<2> & size) {
    return PairInput{ "tissue50-" + ToText(size), [size, &choice = inputs.Choice, &tissueSource] {
                       return MakeTissue(size, choice.Data, choice.Input, tissueSource);
                     } };
  };
  const auto tissue = getTissue(small);
  const auto random =
    PairInput{ "random-" + ToText(inputs.PlaneSize), [size = inputs.PlaneSize] { return MakeRandomBytes(size); } };
  const auto spiral = PairInput{ "spiral-" + ToText(small), [small] { return MakeSpiralCorridor(small); } };
  const std::pair<const char *, Strategy> strategies[] = { { "", Strategy::Automatic },
                                                           { "/line-sweeps", Strategy::LineSweeps },
                                                           { "/tile-sweeps", Strategy::TileSweeps },
                                                           { "/tile-diagonals", Strategy::TileDiagonals } };

  for (const PairInput & input : { tissue, random, spiral })
  {
    for (const bool isFull : { false, true })
    {
      const std::string workload = "reconstruction/" + input.Name + "/u8/" + (isFull ? "8" : "4");
      const int         times = input.Name == spiral.Name ? 1 : 10;
      if (hasDevice)
      {
        for (const auto & [name, strategy] : strategies)
        {
          RegisterReconstruction(workload + name, input, isFull, strategy, times);
        }
        RegisterReconstructionEndToEnd(workload, input, isFull);
        RegisterPlainReconstruction(workload, input, isFull, 5);
      }
      if (!isFull)
      {
        Register(workload, CpuColumn, 1, 1, [=] {
          const auto filter = MakeReconstruction<ReconstructionByDilationImageFilter<Bytes, Bytes>, Bytes>(
            input.Get().Marker, input.Get().Mask);
          return [=] {
            filter->Modified();
            filter->Update();
          };
        });
      }
    }
  }
  if (!hasDevice)
  {
    return;
  }
  for (SizeValueType side = isQuick ? 128 : 1024; side <= (isQuick ? 256u : 65536u); side *= 2)
  {
    const auto input = getTissue({ { side, side } });
    for (const auto & [name, strategy] : strategies)
    {
      if (strategy != Strategy::Automatic)
      {
        RegisterReconstruction(
          "reconstruction/" + input.Name + "/u8/4/series" + name, input, false, strategy, side > 8192 ? 1 : 5);
      }
    }
  }
  if (inputs.Choice.Slide)
  {
    constexpr SizeValueType side = 100352;
    const auto              input = getTissue({ { side, side } });
    const std::string       workload = "reconstruction/" + input.Name + "/u8/4/slide";
    RegisterPlainReconstruction(workload, input, false, 3);
    RegisterReconstruction(workload, input, false, Strategy::Automatic, 1);
  }
}

template <typename TFilter, typename TImage>
typename TFilter::Pointer
MakeDistance(const TImage * image)
{
  const auto filter = TFilter::New();
  filter->SetInput(image);
  return filter;
}

/** Registers the distances of a mask on the device: so many times in a row. */
template <unsigned int VDimension>
void
RegisterDistanceOnDevice(const std::string &                             workload,
                         const Input<Image<unsigned char, VDimension>> & input,
                         int                                             times = 10)
{
  using Backed = CudaBackedImage<unsigned char, VDimension>;
  using BackedDistances = CudaBackedImage<float, VDimension>;
  Register(workload, OursColumn, times, 9, [=] {
    const auto filter =
      MakeDistance<CudaSignedMaurerDistanceMapImageFilter<Backed, BackedDistances>, Backed>(MakeOnDevice(input.Get()));
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
}

/** Registers the distances that a wavefront finds on the device, and by how much they exceed the exact ones at most. */
void
RegisterWavefront(const std::string &                    workload,
                  const Input<Image<unsigned char, 2>> & input,
                  CudaDistanceStrategyEnum               strategy)
{
  using Backed = CudaBackedImage<unsigned char, 2>;
  using BackedDistances = CudaBackedImage<float, 2>;
  using Filter = CudaSignedMaurerDistanceMapImageFilter<Backed, BackedDistances>;
  const auto notes = std::make_shared<Notes>();
  Register(
    workload,
    OursColumn,
    1,
    3,
    [=] {
      const auto image = MakeOnDevice(input.Get());
      const auto exact = MakeDistance<Filter, Backed>(image);
      const auto filter = MakeDistance<Filter, Backed>(image);
      filter->SetStrategy(strategy);
      exact->Update();
      filter->Update();
      const float *       expected = exact->GetOutput()->GetBufferPointer();
      const float *       found = filter->GetOutput()->GetBufferPointer();
      const SizeValueType pixels = image->GetBufferedRegion().GetNumberOfPixels();
      double              largest = 0.0;
      for (SizeValueType i = 0; i < pixels; ++i)
      {
        largest = std::max(largest, std::abs(static_cast<double>(found[i])) - std::abs(expected[i]));
      }
      (*notes)["largest_error"] = largest;
      return MakeUpdates(std::vector{ filter }, 1);
    },
    notes);
}

/** Registers the Hausdorff distance between two masks on the device. */
template <unsigned int VDimension>
void
RegisterHausdorff(const std::string &                             workload,
                  const Input<Image<unsigned char, VDimension>> & input1,
                  const Input<Image<unsigned char, VDimension>> & input2)
{
  using Backed = CudaBackedImage<unsigned char, VDimension>;
  Register(workload, OursColumn, 10, 9, [=] {
    const auto filter = CudaHausdorffDistanceImageFilter<Backed, Backed>::New();
    filter->SetInput1(MakeOnDevice(input1.Get()));
    filter->SetInput2(MakeOnDevice(input2.Get()));
    filter->Update();
    return MakeUpdates(std::vector{ filter }, 10);
  });
}

/** Registers the distances of a mask from the host and back. make(): the mask. */
template <unsigned int VDimension, typename TMake>
void
RegisterDistanceEndToEnd(const std::string & workload, const char * column, int repetitions, TMake make)
{
  using Mask = Image<unsigned char, VDimension>;
  using Distances = Image<float, VDimension>;
  Register(workload, column, 1, repetitions, [=] {
    const auto image = make();
    const auto filter = MakeDistance<CudaSignedMaurerDistanceMapImageFilter<Mask, Distances>, Mask>(image);
    return [=] {
      image->Modified();
      filter->Update();
    };
  });
}

template <unsigned int VDimension>
void
RegisterPlainDistance(const std::string &                             workload,
                      const Input<Image<unsigned char, VDimension>> & input,
                      int                                             repetitions)
{
  using Mask = Image<unsigned char, VDimension>;
  RegisterDistanceEndToEnd<VDimension>(workload, PlainEndToEndColumn, repetitions, [=] {
    return typename Mask::Pointer(const_cast<Mask *>(input.Get()));
  });
}

/** Registers the measurements of distances in one mask. */
template <unsigned int VDimension>
void
RegisterDistance(const std::string & workload, const Input<Image<unsigned char, VDimension>> & input, bool isOnCpu)
{
  if (CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    RegisterDistanceOnDevice(workload, input);
    RegisterDistanceEndToEnd<VDimension>(workload, EndToEndColumn, 5, [=] { return MakeBacked(input.Get()); });
    RegisterPlainDistance(workload, input, 5);
  }
  if (isOnCpu)
  {
    using Mask = Image<unsigned char, VDimension>;
    Register(workload, CpuColumn, 1, 1, [=] {
      const auto filter =
        MakeDistance<SignedMaurerDistanceMapImageFilter<Mask, Image<float, VDimension>>, Mask>(input.Get());
      return [=] {
        filter->Modified();
        filter->Update();
      };
    });
  }
}

/** Registers distances, labels and offsets of a mask on the device, and a copy of the distances: since a filter on the
 * device asks for them, offsets, which have no type that may stay there, are not downloaded. */
template <unsigned int VDimension>
void
RegisterNearestObjects(const std::string & workload, const Input<Image<unsigned char, VDimension>> & input)
{
  using Backed = CudaBackedImage<unsigned char, VDimension>;
  using BackedDistances = CudaBackedImage<float, VDimension>;
  constexpr int times = 5;
  Register(workload, OursColumn, times, 5, [=] {
    const auto filter = MakeDistance<CudaDanielssonDistanceMapImageFilter<Backed, BackedDistances, Backed>, Backed>(
      MakeOnDevice(input.Get()));
    const auto copy = CudaDiscreteGaussianImageFilter<BackedDistances>::New();
    copy->SetInput(filter->GetOutput());
    copy->SetVariance(0.0);
    copy->Update();
    const auto updates = MakeUpdates(std::vector{ copy }, 1);
    return [=] {
      for (int i = 0; i < times; ++i)
      {
        filter->Modified();
        updates();
      }
    };
  });
}

/** Registers the dilation of a mask by a ball on the device. */
template <unsigned int VDimension>
void
RegisterDilation(const std::string & workload, const Input<Image<unsigned char, VDimension>> & input, double radius)
{
  using Backed = CudaBackedImage<unsigned char, VDimension>;
  Register(workload, OursColumn, 10, 9, [=] {
    const auto filter = MakeDistance<CudaBinaryBallDilateImageFilter<Backed>, Backed>(MakeOnDevice(input.Get()));
    filter->SetForegroundValue(1);
    filter->SetRadius(radius);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, 10);
  });
}

void
RegisterDistances(const Inputs & inputs)
{
  const bool        isQuick = inputs.Choice.Quick;
  const std::string plane = ToText(inputs.PlaneSize);
  for (const auto & [name, draw] : CudaTest::GetPlaneDrawings())
  {
    RegisterDistance<2>("distance/" + name + "-" + plane + "/u8",
                        { "distance " + name, [draw = draw, size = inputs.PlaneSize] { return draw(size); } },
                        name == "16circles");
  }
  const auto getRandom = [](const Size<2> & size) {
    return Input<Image<unsigned char, 2>>{ "distance random " + ToText(size),
                                           [size] { return MakePointsInPlane(size); } };
  };
  RegisterDistance("distance/random-" + plane + "/u8", getRandom(inputs.PlaneSize), true);

  const std::string volume = ToText(inputs.VolumeSize);
  const auto        withSpacing = [](const Image<unsigned char, 3>::Pointer & image, double spacingAlongX) {
    auto spacing = image->GetSpacing();
    spacing[0] = spacingAlongX;
    image->SetSpacing(spacing);
    return image;
  };
  for (const double spacing : { 1.0, 2.0 })
  {
    const std::string name = spacing == 1.0 ? "" : "/spacing2";
    RegisterDistance<3>("distance/points-" + volume + "/u8" + name,
                        { "distance points" + name,
                          [=, size = inputs.VolumeSize] { return withSpacing(MakePointsInCube(size), spacing); } },
                        spacing == 1.0);
    RegisterDistance<3>("distance/blobs-" + volume + "/u8" + name,
                        { "distance blobs" + name,
                          [=, size = inputs.VolumeSize] { return withSpacing(MakeBlobsInCube(size), spacing); } },
                        false);
  }
  const Size<3> flat = isQuick ? Size<3>{ { 64, 64, 8 } } : Size<3>{ { 2048, 2048, 64 } };
  RegisterDistance<3>("distance/points-" + ToText(flat) + "/u8",
                      { "distance flat", [flat] { return MakePointsInFlatVolume(flat); } },
                      false);
  if (!CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    return;
  }
  const auto getPoints = [](SizeValueType side) {
    const auto points = std::max(1, static_cast<int>(2000 * side * side * side / (512 * 512 * 512)));
    return Input<Image<unsigned char, 3>>{ "distance points " + std::to_string(side), [side, points] {
                                            return MakePointsInCube({ { side, side, side } }, points);
                                          } };
  };
  using WavefrontStrategy = CudaDistanceStrategyEnum;
  const std::pair<const char *, WavefrontStrategy> strategies[] = {
    { "/wavefront", WavefrontStrategy::Wavefront }, { "/full-wavefront", WavefrontStrategy::FullWavefront }
  };
  for (const auto & [suffix, strategy] : strategies)
  {
    for (const auto & [name, draw] : CudaTest::GetPlaneDrawings())
    {
      RegisterWavefront("distance/" + name + "-" + plane + "/u8" + suffix,
                        { "distance " + name, [draw = draw, size = inputs.PlaneSize] { return draw(size); } },
                        strategy);
    }
    RegisterWavefront("distance/random-" + plane + "/u8" + suffix, getRandom(inputs.PlaneSize), strategy);
  }
  RegisterHausdorff<3>("hausdorff/blobs-points-" + volume + "/u8",
                       { "distance blobs", [size = inputs.VolumeSize] { return MakeBlobsInCube(size); } },
                       getPoints(inputs.VolumeSize[0]));
  RegisterNearestObjects("danielsson/random-" + plane + "/u8/with-copy", getRandom(inputs.PlaneSize));
  RegisterNearestObjects("danielsson/points-" + volume + "/u8/with-copy", getPoints(inputs.VolumeSize[0]));
  for (const int radius : { 3, 30 })
  {
    const std::string name = "/u8/radius" + std::to_string(radius);
    RegisterDilation("dilate/random-" + plane + name, getRandom(inputs.PlaneSize), radius);
    RegisterDilation("dilate/points-" + volume + name, getPoints(inputs.VolumeSize[0]), radius);
  }
  for (SizeValueType side = isQuick ? 128 : 1024; side <= (isQuick ? 256u : 32768u); side *= 2)
  {
    const Size<2> size{ { side, side } };
    RegisterDistanceOnDevice("distance/random-" + ToText(size) + "/u8/series", getRandom(size), side > 8192 ? 1 : 10);
  }
  for (SizeValueType side = isQuick ? 16 : 128; side <= (isQuick ? 32u : 1024u); side *= 2)
  {
    const Size<3> size{ { side, side, side } };
    RegisterDistanceOnDevice("distance/points-" + ToText(size) + "/u8/series", getPoints(side), side > 512 ? 1 : 10);
  }
  if (inputs.Choice.Slide)
  {
    const Size<2>                        size{ { 100352, 100352 } };
    const Input<Image<unsigned char, 2>> input{ "distance slide",
                                                [size, &choice = inputs.Choice, &source = inputs.NaturalSource] {
                                                  return MakeTissueMask(size, choice.Data, choice.Input, source);
                                                } };
    RegisterPlainDistance("distance/tissue-" + ToText(size) + "/u8", input, 3);
    RegisterDistanceOnDevice("distance/tissue-" + ToText(size) + "/u8", input, 1);
  }
}

/** Notes how long each stage of the edge detector takes on the device: medians of so many runs. */
void
NoteStages(const std::string & workload, const Inputs & inputs, Recorder & recorder)
{
  using Backed = CudaBackedImage<float, 2>;
  constexpr std::size_t runs = 9;

  const auto interface = CudaInterface::New();
  interface->SetTiming(true);
  const Canny canny{ 1.4 * 1.4, 7.0f, 4.0f, false };
  const auto  filter = canny.MakeCuda<Backed>();
  filter->SetCudaInterface(interface);
  filter->SetInput(MakeOnDevice(inputs.GetNatural(inputs.PlaneSize).Get()));
  filter->Update();
  std::map<std::string, std::vector<double>> stages;
  for (std::size_t i = 0; i < runs; ++i)
  {
    filter->Modified();
    filter->Update();
    for (const auto & stage : filter->GetStageTimes())
    {
      stages[stage.Name].push_back(stage.Milliseconds);
    }
  }
  for (auto & [name, times] : stages)
  {
    std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
    recorder.Note(workload, "stage " + name, times[runs / 2]);
  }
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
      Register(
        workload,
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
          const auto box = CudaFilters::HostBox::OfBuffer(host.get(), bytes);
          const auto pixels = std::make_shared<CudaFilters::DevicePixels>();
          const auto execution = std::shared_ptr<CudaFilters::Execution>(MakeDefaultExecution());
          pixels->UploadBox(*execution, box);
          return [=, keptAlive = host] {
            isUpload ? void(pixels->UploadBox(*execution, box)) : pixels->DownloadBox(*execution, box);
            CudaFilters::Wait(*execution);
          };
        },
        std::make_shared<const Notes>(Notes{ { "bytes", static_cast<double>(bytes) } }));
    }
  }
}

/** Where the project's test images are. */
std::string
GetInputFolder()
{
  const char * const folder = std::getenv("CUDAFILTERS_TEST_INPUT");
  return folder == nullptr ? CUDAFILTERS_TEST_INPUT : folder;
}

/** Takes this program's own options out of the arguments. */
Options
TakeOptions(int & argc, char ** argv)
{
  Options options;
  options.Input = GetInputFolder();
  int kept = 1;
  for (int i = 1; i < argc; ++i)
  {
    const std::string argument = argv[i];
    if (argument == "--quick" || argument == "--slide")
    {
      (argument == "--quick" ? options.Quick : options.Slide) = true;
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

  std::string  naturalSource;
  std::string  tissueSource;
  const Inputs inputs{ options, naturalSource };
  RegisterGaussians(inputs);
  RegisterEdges(inputs);
  RegisterReconstructions(inputs, tissueSource);
  RegisterDistances(inputs);
  RegisterComponents(inputs);
  RegisterInteraction(inputs);
  RegisterPixelFunctions(inputs);
  RegisterSkeletons(inputs);
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
  // Written after each measurement, so that what was measured stays if the run is broken off.
  Recorder   recorder;
  const auto write = [&] {
    if (options.Record.empty())
    {
      return;
    }
    for (const auto & [workload, sums] : GetStatistics())
    {
      recorder.Note(workload, "tiles", static_cast<double>(sums.Tiles));
      recorder.Note(workload, "visits", static_cast<double>(sums.Visits));
      recorder.Note(workload, "sweeps", static_cast<double>(sums.Sweeps));
    }
    GetStatistics().clear();
    auto facts = GetFactsOfRun();
    facts["cpu_threads"] = std::to_string(MultiThreaderBase::GetGlobalDefaultNumberOfThreads());
    facts["natural_image"] = naturalSource;
    facts["tissue_image"] = tissueSource;
    std::ofstream file(options.Record);
    recorder.Write(file, facts);
    if (!file.flush())
    {
      throw std::runtime_error("Cannot write " + options.Record);
    }
  };
  recorder.SetObserver(write);
  benchmark::RunSpecifiedBenchmarks(&recorder);
  ForgetPrepared();
  const std::string staged = "canny/" + ToText(inputs.PlaneSize) + "/f32/sigma1.4";
  if (recorder.Has(staged, OursColumn))
  {
    NoteStages(staged, inputs, recorder);
  }
  write();
  return recorder.HasErrors() ? EXIT_FAILURE : EXIT_SUCCESS;
}
} // namespace
} // namespace CudaBenchmark
} // namespace itk

int
main(int argc, char ** argv)
{
  return itk::CudaBenchmark::RunProgram(itk::CudaBenchmark::Run, argc, argv);
}
