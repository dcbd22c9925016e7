// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Registration.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaLabelMeasurementImageFilter.h"
#include "itkCudaRelabelComponentImageFilter.h"
#include "itkCudaScalarConnectedComponentImageFilter.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
template <unsigned int VDimension>
using Mask = Image<unsigned char, VDimension>;
template <unsigned int VDimension>
using BackedMask = CudaBackedImage<unsigned char, VDimension>;
template <unsigned int VDimension>
using Labels = Image<unsigned int, VDimension>;
template <unsigned int VDimension>
using BackedLabels = CudaBackedImage<unsigned int, VDimension>;

template <typename TFilter, typename TImage>
typename TFilter::Pointer
MakeComponents(const TImage * image, bool isFull)
{
  const auto filter = TFilter::New();
  filter->SetInput(image);
  filter->SetFullyConnected(isFull);
  return filter;
}

/** The number of neighbours that a pixel is connected with. */
template <unsigned int VDimension>
std::string
GetNumberOfNeighbours(bool isFull)
{
  return VDimension == 2 ? (isFull ? "8" : "4") : (isFull ? "26" : "6");
}

/** Labels from and to host images. make(): the mask. */
template <unsigned int VDimension, typename TMake>
void
RegisterEndToEnd(const std::string & workload, const char * column, bool isFull, TMake make)
{
  Register(workload, column, 1, 5, [=] {
    const auto image = make();
    const auto filter =
      MakeComponents<CudaConnectedComponentImageFilter<Mask<VDimension>, Labels<VDimension>>, Mask<VDimension>>(image,
                                                                                                                isFull);
    return [=] {
      image->Modified();
      filter->Update();
    };
  });
}

/** Registers the measurements of labels in one mask, for both connectivities. withHost: also from and to the host, and
 * on the CPU. */
template <unsigned int VDimension>
void
RegisterBoth(const std::string & name, const Input<Mask<VDimension>> & input, bool withHost)
{
  constexpr int times = 10;
  for (const bool isFull : { true, false })
  {
    const std::string workload = name + "/u8/" + GetNumberOfNeighbours<VDimension>(isFull);
    if (CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
    {
      const auto notes = std::make_shared<Notes>();
      Register(
        workload,
        OursColumn,
        times,
        9,
        [=] {
          using Filter = CudaConnectedComponentImageFilter<BackedMask<VDimension>, BackedLabels<VDimension>>;
          const auto filter = MakeComponents<Filter, BackedMask<VDimension>>(MakeOnDevice(input.Get()), isFull);
          filter->Update();
          (*notes)["objects"] = static_cast<double>(filter->GetObjectCount());
          return MakeUpdates(std::vector{ filter }, times);
        },
        notes);
      if (withHost)
      {
        RegisterEndToEnd<VDimension>(workload, EndToEndColumn, isFull, [=] { return MakeBacked(input.Get()); });
        RegisterEndToEnd<VDimension>(workload, PlainEndToEndColumn, isFull, [=] {
          return typename Mask<VDimension>::Pointer(const_cast<Mask<VDimension> *>(input.Get()));
        });
      }
    }
    if (withHost)
    {
      Register(workload, CpuColumn, 1, 1, [=] {
        using Filter = ConnectedComponentImageFilter<Mask<VDimension>, Labels<VDimension>>;
        const auto filter = MakeComponents<Filter, Mask<VDimension>>(input.Get(), isFull);
        return [=] {
          filter->Modified();
          filter->Update();
        };
      });
    }
  }
}

/** Registers areas of equal value, for both connectivities: objects and what is between them. */
template <unsigned int VDimension>
void
RegisterAreas(const std::string & name, const Input<Mask<VDimension>> & input)
{
  constexpr int times = 10;
  for (const bool isFull : { true, false })
  {
    Register("areas/" + name + "/u8/" + GetNumberOfNeighbours<VDimension>(isFull), OursColumn, times, 9, [=] {
      using Filter = CudaScalarConnectedComponentImageFilter<BackedMask<VDimension>, BackedLabels<VDimension>>;
      const auto filter = MakeComponents<Filter, BackedMask<VDimension>>(MakeOnDevice(input.Get()), isFull);
      filter->Update();
      return MakeUpdates(std::vector{ filter }, times);
    });
  }
}

/** Labels on the device, for what follows. */
template <unsigned int VDimension>
typename BackedLabels<VDimension>::Pointer
LabelOnDevice(const Mask<VDimension> * mask)
{
  using Filter = CudaConnectedComponentImageFilter<BackedMask<VDimension>, BackedLabels<VDimension>>;
  const auto filter = MakeComponents<Filter, BackedMask<VDimension>>(MakeOnDevice(mask), true);
  const typename BackedLabels<VDimension>::Pointer labels = filter->GetOutput();
  filter->Update();
  labels->DisconnectPipeline();
  return labels;
}

/** Registers the measurements of all objects, with the mask as intensities, and new labels by their sizes. */
template <unsigned int VDimension>
void
RegisterObjects(const std::string & name, const Input<Mask<VDimension>> & input)
{
  constexpr int times = 5;
  Register("measurements/" + name + "/u32", OursColumn, times, 9, [=] {
    const auto filter = CudaLabelMeasurementImageFilter<BackedLabels<VDimension>, BackedMask<VDimension>>::New();
    filter->SetInput(LabelOnDevice(input.Get()));
    filter->SetIntensityImage(MakeOnDevice(input.Get()));
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
  Register("relabel/" + name + "/u32", OursColumn, times, 9, [=] {
    const auto filter = CudaRelabelComponentImageFilter<BackedLabels<VDimension>, BackedLabels<VDimension>>::New();
    filter->SetInput(LabelOnDevice(input.Get()));
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
}

/** Throws if labels are not 1 to objects in the order of their first voxels, where the mask has objects and nowhere
 * else. */
void
CheckLabels(const Mask<3> * mask, const Labels<3> * labels, IdentifierType objects)
{
  const auto *        isObject = mask->GetBufferPointer();
  const auto *        label = labels->GetBufferPointer();
  const SizeValueType count = labels->GetBufferedRegion().GetNumberOfPixels();
  IdentifierType      greatest = 0;
  for (SizeValueType i = 0; i < count; ++i)
  {
    if ((isObject[i] != 0) != (label[i] != 0) || label[i] > greatest + 1)
    {
      throw std::runtime_error("wrong label at voxel " + std::to_string(i));
    }
    greatest = std::max<IdentifierType>(greatest, label[i]);
  }
  if (greatest != objects)
  {
    throw std::runtime_error("the greatest label is not the number of objects");
  }
}

/** Registers a volume that may exceed the memory of the device: from and to the host, and how long each
 * stage takes. All such rows must find the same number of objects. budget: in bytes, if there is one. */
void
RegisterLarge(const std::string & workload, const Input<Mask<3>> & input, std::optional<SizeValueType> budget)
{
  const auto notes = std::make_shared<Notes>();
  Register(
    workload,
    EndToEndColumn,
    1,
    1,
    [=] {
      static IdentifierType objects = 0;

      const auto image = MakeBacked(input.Get());
      const auto filter = MakeComponents<CudaConnectedComponentImageFilter<Mask<3>, Labels<3>>, Mask<3>>(image, true);
      const auto interface = CudaInterface::New();
      if (budget)
      {
        interface->SetMemoryBudget(*budget);
      }
      filter->SetCudaInterface(interface);
      filter->Update();
      if (!filter->GetExecutedOnDevice())
      {
        throw std::runtime_error("not on the device");
      }
      if (objects != 0 && objects != filter->GetObjectCount())
      {
        throw std::runtime_error("another number of objects than in the row before");
      }
      objects = filter->GetObjectCount();
      CheckLabels(image, filter->GetOutput(), objects);
      (*notes)["objects"] = static_cast<double>(objects);
      (*notes)["tiles"] = static_cast<double>(filter->GetNumberOfTiles());
      // The first update has allocated the memory of the output, which is no part of a stage.
      interface->SetTiming(true);
      image->Modified();
      filter->Update();
      for (const auto & stage : filter->GetStageTimes())
      {
        (*notes)["stage " + stage.Name] = stage.Milliseconds;
      }
      interface->SetTiming(false);
      return [=] {
        image->Modified();
        filter->Update();
      };
    },
    notes);
}
} // namespace

void
RegisterComponents(const Inputs & inputs)
{
  const auto plane = [&inputs](const std::string & name, auto make) {
    const std::string label = "components/" + name + "-" + ToText(inputs.PlaneSize);
    return std::pair{ label, Input<Mask<2>>{ label, [make, size = inputs.PlaneSize] { return make(size); } } };
  };
  const auto volume = [&inputs](const std::string & name, auto make) {
    const std::string label = "components/" + name + "-" + ToText(inputs.VolumeSize);
    return std::pair{ label, Input<Mask<3>>{ label, [make, size = inputs.VolumeSize] { return make(size); } } };
  };
  const std::vector planes{ plane("blobs", MakeBlobsInPlane), plane("noise", MakeNoiseInPlane) };
  const std::vector volumes{ volume("blobs", MakeBlobsInCube),
                             volume("chess", DrawChess),
                             volume("blocks", DrawBlocks),
                             volume("spiral", DrawSpiralWall),
                             volume("snake", DrawSnake) };
  for (const auto & [name, input] : planes)
  {
    RegisterBoth<2>(name, input, true);
  }
  for (const auto & [name, input] : volumes)
  {
    RegisterBoth<3>(name, input, name.find("blobs") != std::string::npos);
  }
  if (!CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    return;
  }
  const auto getImage = [](const std::string & name) { return name.substr(name.find('/') + 1); };
  for (const auto & [name, input] : planes)
  {
    RegisterAreas<2>(getImage(name), input);
    RegisterObjects<2>(getImage(name), input);
  }
  for (const auto & [name, input] : volumes)
  {
    RegisterAreas<3>(getImage(name), input);
  }
  RegisterObjects<3>(getImage(volumes[0].first), volumes[0].second);
  if (inputs.Choice.Slide)
  {
    constexpr SizeValueType gigabyte = 1000000000;
    const Size<3>           size{ { 2048, 2048, 2048 } };
    const Input<Mask<3>>    input{ "many blobs", [size] { return MakeManyBlobs(size, { { 512, 512, 512 } }); } };
    RegisterLarge("components/blobs-" + ToText(size) + "/u8/26", input, std::nullopt);
    RegisterLarge("components/blobs-" + ToText(size) + "/u8/26/budget20GB", input, 20 * gigabyte);
  }
}
} // namespace CudaBenchmark
} // namespace itk
