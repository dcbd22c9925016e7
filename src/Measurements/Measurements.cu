// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Measurements.h"
#include "MeasureLabels.cuh"
#include "ReplaceLabels.cuh"
#include "CudaFilters/DeviceError.h"
#include "../Device/Copy.h"
#include "../Device/PixelDispatch.h"
#include "../Device/Sum.h"
#include <algorithm>
#include <limits>

namespace itk
{
namespace CudaFilters
{
namespace
{
constexpr unsigned int ThreadsPerBlock = 256;
/** A table may always have this size. */
constexpr std::size_t TableBytes = std::size_t{ 1 } << 20;

std::size_t
GetBytesPerLabel(PixelStorage type)
{
  std::size_t bytes = 0;
  WithInteger(type, [&bytes](auto pixel) { bytes = sizeof(pixel); });
  return bytes;
}

/** How large a table may be whose places are labels. */
std::size_t
GetMostTableBytes(const Size3 & size, PixelStorage type)
{
  return std::max(TableBytes, static_cast<std::size_t>(GetNumberOfPixels(size)) * GetBytesPerLabel(type));
}

MeasuredImage
MakeImage(const LabelsOnDevice & labels)
{
  MeasuredImage image{};
  const Index3  start = GetStartWithin(Region3{ labels.StartOfImage, labels.Region.Size }, labels.Region);
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t end = start[axis] + labels.Region.Size[axis];
    if (end > std::numeric_limits<std::int32_t>::max())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "the image is too long");
    }
    image.Start[axis] = static_cast<int>(start[axis]);
    image.Size[axis] = static_cast<int>(labels.Region.Size[axis]);
  }
  image.BlocksAlongX = static_cast<int>(DivideUp(image.Size[0], BlockColumns));
  image.BlocksAlongY = static_cast<int>(DivideUp(image.Size[1], BlockRows));
  image.Blocks = static_cast<std::int64_t>(image.BlocksAlongX) * image.BlocksAlongY * image.Size[2];
  return image;
}

/** The sums of the objects of a region, on the way from the device to the host. */
template <typename TLabel>
class ObjectTable
{
public:
  ObjectTable(Execution & execution, const LabelsOnDevice & labels)
    : m_Execution(execution)
    , m_Labels(labels)
    , m_Pixels(static_cast<const TLabel *>(labels.Pixels))
    , m_Count(GetNumberOfPixels(labels.Region.Size))
    , m_Background(static_cast<TLabel>(labels.Background))
  {}

  std::vector<LabelSums>
  SumUp(const IntensityImage & intensities)
  {
    const std::uint64_t greatest = this->FindGreatest();
    const std::size_t   most = GetMostTableBytes(m_Labels.Region.Size, m_Labels.Type);
    if (greatest < most / sizeof(ObjectSums))
    {
      return this->SumUpInPlaces(intensities, {}, greatest + 1, [](std::uint64_t place) { return place; });
    }
    return this->SumUpMarked(intensities, greatest);
  }

private:
  template <typename TItem>
  TItem *
  Allocate(std::uint64_t count)
  {
    m_Memory.push_back(m_Execution.Allocate(count * sizeof(TItem)));
    return static_cast<TItem *>(m_Memory.back()->GetPointer());
  }

  LaunchShape
  GetShape(std::int64_t count) const
  {
    return { GridOf(DivideUp(count, ThreadsPerBlock)), dim3(ThreadsPerBlock) };
  }

  const Stream &
  GetStream() const
  {
    return *m_Execution.GetStream();
  }

  std::uint64_t
  FindGreatest()
  {
    auto * const greatest = this->Allocate<unsigned long long>(1);
    Clear(greatest, sizeof(*greatest), this->GetStream());
    // Each warp ends with an operation that all warps do at the same place.
    constexpr std::int64_t pixelsPerThread = 64;
    Launch(m_Execution,
           "FindGreatestLabelKernel",
           FindGreatestLabelKernel<TLabel>,
           this->GetShape(DivideUp(m_Count, pixelsPerThread)),
           m_Pixels,
           m_Count,
           m_Background,
           greatest);
    std::uint64_t result = 0;
    CopyToHost(&result, greatest, sizeof(result), this->GetStream());
    return result;
  }

  /** For labels with large gaps between them. */
  std::vector<LabelSums>
  SumUpMarked(const IntensityImage & intensities, std::uint64_t greatest)
  {
    constexpr std::uint64_t labelsPerSum = std::uint64_t{ LabelsPerMark } * MarksPerSum;
    if (greatest > std::numeric_limits<std::uint32_t>::max())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "there are labels of 2^32 or more");
    }
    const std::uint64_t sums = greatest / labelsPerSum + 1;
    const std::size_t   markBytes = sums * MarksPerSum * sizeof(std::uint32_t);
    if (m_Labels.HasBudget && markBytes > GetMostTableBytes(m_Labels.Region.Size, m_Labels.Type))
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "labels are so great that the memory budget does not suffice");
    }
    auto * const marks = this->Allocate<std::uint32_t>(sums * MarksPerSum);
    auto * const before = this->Allocate<std::uint64_t>(sums + 1);
    Clear(marks, markBytes, this->GetStream());
    Launch(m_Execution,
           "MarkLabelsKernel",
           MarkLabelsKernel<TLabel>,
           this->GetShape(m_Count),
           m_Pixels,
           m_Count,
           m_Background,
           marks);
    Launch(m_Execution, "CountMarkedLabelsKernel", CountMarkedLabelsKernel, this->GetShape(sums), marks, sums, before);
    SumBefore(m_Execution, before, static_cast<std::int64_t>(sums));
    std::uint64_t objects = 0;
    CopyToHost(&objects, before + sums, sizeof(objects), this->GetStream());
    auto * const list = this->Allocate<std::uint64_t>(objects);
    Launch(m_Execution, "ListLabelsKernel", ListLabelsKernel, this->GetShape(sums), marks, before, sums, list);
    std::vector<std::uint64_t> labels(objects);
    CopyToHost(labels.data(), list, objects * sizeof(std::uint64_t), this->GetStream());
    return this->SumUpInPlaces(
      intensities, { marks, before }, objects, [&labels](std::uint64_t place) { return labels[place]; });
  }

  template <typename TGetLabel>
  std::vector<LabelSums>
  SumUpInPlaces(const IntensityImage & intensities, const LabelIndex & index, std::uint64_t places, TGetLabel getLabel)
  {
    auto * const        objects = this->Allocate<ObjectSums>(places);
    const MeasuredImage image = MakeImage(m_Labels);
    Launch(m_Execution,
           "ClearObjectsKernel",
           ClearObjectsKernel,
           this->GetShape(static_cast<std::int64_t>(places)),
           objects,
           places,
           ObjectSums());
    Launch(m_Execution,
           "MeasureLabelsKernel",
           intensities.Pixels != nullptr ? MeasureLabelsKernel<TLabel, true> : MeasureLabelsKernel<TLabel, false>,
           { GridOf(image.Blocks), dim3(BlockColumns) },
           image,
           m_Pixels,
           m_Background,
           intensities,
           index,
           objects);
    if (intensities.Pixels != nullptr)
    {
      Launch(m_Execution,
             "DecodeIntensitiesKernel",
             DecodeIntensitiesKernel,
             this->GetShape(static_cast<std::int64_t>(places)),
             objects,
             places);
    }
    std::vector<ObjectSums> onHost(places);
    CopyToHost(onHost.data(), objects, places * sizeof(ObjectSums), this->GetStream());
    const auto             isObject = [](const ObjectSums & sums) { return sums.Count != 0; };
    std::vector<LabelSums> result;
    result.reserve(std::count_if(onHost.begin(), onHost.end(), isObject));
    for (std::uint64_t place = 0; place < places; ++place)
    {
      if (isObject(onHost[place]))
      {
        result.push_back({ getLabel(place), onHost[place] });
      }
    }
    return result;
  }

  Execution &                                m_Execution;
  LabelsOnDevice                             m_Labels;
  const TLabel *                             m_Pixels;
  std::int64_t                               m_Count;
  TLabel                                     m_Background;
  std::vector<std::unique_ptr<DeviceBuffer>> m_Memory;
};
} // namespace

std::vector<LabelSums>
SumUpObjects(Execution & execution, const LabelsOnDevice & labels, const void * intensities, PixelType intensityType)
{
  std::vector<LabelSums> result;
  WithInteger(labels.Type, [&](auto label) {
    result = ObjectTable<decltype(label)>(execution, labels).SumUp(IntensityImage{ intensities, intensityType });
  });
  return result;
}

std::size_t
GetSumUpScratchBytes(const Size3 & size, PixelStorage type)
{
  return GetMostTableBytes(size, type);
}

void
ReplaceLabels(Execution &                        execution,
              const LabelsOnDevice &             labels,
              const std::vector<std::uint64_t> & from,
              const std::vector<std::uint64_t> & to,
              void *                             output,
              PixelStorage                       outputType)
{
  const std::size_t                   bytes = std::max<std::size_t>(from.size(), 1) * sizeof(std::uint64_t);
  const std::unique_ptr<DeviceBuffer> fromOnDevice = execution.Allocate(bytes);
  const std::unique_ptr<DeviceBuffer> toOnDevice = execution.Allocate(bytes);
  if (!from.empty())
  {
    CopyToDevice(fromOnDevice->GetPointer(), from.data(), bytes, *execution.GetStream());
    CopyToDevice(toOnDevice->GetPointer(), to.data(), bytes, *execution.GetStream());
  }
  const LabelList    list{ static_cast<const std::uint64_t *>(fromOnDevice->GetPointer()),
                        static_cast<const std::uint64_t *>(toOnDevice->GetPointer()),
                        static_cast<std::int64_t>(from.size()) };
  const std::int64_t count = GetNumberOfPixels(labels.Region.Size);
  WithInteger(labels.Type, [&](auto label) {
    WithInteger(outputType, [&](auto pixel) {
      using Label = decltype(label);
      using Output = decltype(pixel);
      Launch(execution,
             "ReplaceLabelsKernel",
             ReplaceLabelsKernel<Label, Output>,
             { GridOf(DivideUp(count, ThreadsPerBlock)), dim3(ThreadsPerBlock) },
             static_cast<const Label *>(labels.Pixels),
             count,
             list,
             static_cast<Output *>(output));
    });
  });
}
} // namespace CudaFilters
} // namespace itk
