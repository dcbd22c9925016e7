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

/** A table of the objects of a region, on the way from the device to the host. */
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
    const Places places = this->FindPlaces(sizeof(LabelSums) + sizeof(IntensitySum) + sizeof(unsigned long long));
    const MeasuredImage image = MakeImage(m_Labels);
    const bool          hasIntensities = intensities.Pixels != nullptr;
    const int           bitsOfPart = this->GetBitsOfPart();
    auto * const        objects = this->Allocate<LabelSums>(places.Number);
    IntensitySum *      intensitySums = nullptr;

    const unsigned long long * greatest = nullptr;
    Launch(m_Execution,
           "ClearObjectsKernel",
           ClearObjectsKernel,
           this->GetShape(static_cast<std::int64_t>(places.Number)),
           objects,
           static_cast<std::int64_t>(places.Number),
           ObjectSums());
    if (hasIntensities)
    {
      intensitySums = this->Allocate<IntensitySum>(places.Number);
      Clear(intensitySums, places.Number * sizeof(IntensitySum), this->GetStream());
      greatest = this->FindGreatestIntensities(intensities, places);
    }
    Launch(m_Execution,
           "MeasureLabelsKernel",
           hasIntensities ? MeasureLabelsKernel<TLabel, true> : MeasureLabelsKernel<TLabel, false>,
           { GridOf(image.Blocks), dim3(BlockColumns) },
           image,
           m_Pixels,
           m_Background,
           intensities,
           bitsOfPart,
           places.Index,
           objects,
           intensitySums,
           greatest);
    Launch(m_Execution,
           "FinishObjectsKernel",
           FinishObjectsKernel,
           this->GetShape(static_cast<std::int64_t>(places.Number)),
           objects,
           static_cast<std::int64_t>(places.Number),
           places.Labels,
           intensitySums,
           bitsOfPart,
           greatest);
    std::vector<LabelSums> result(places.Number);
    CopyToHost(result.data(), objects, places.Number * sizeof(LabelSums), this->GetStream());
    result.erase(
      std::remove_if(result.begin(), result.end(), [](const LabelSums & object) { return object.Sums.Count == 0; }),
      result.end());
    return result;
  }

  std::vector<LabelCount>
  Count()
  {
    const Places        places = this->FindPlaces(sizeof(std::uint64_t));
    const MeasuredImage image = MakeImage(m_Labels);
    auto * const        counts = this->Allocate<unsigned long long>(places.Number);
    Clear(counts, places.Number * sizeof(*counts), this->GetStream());
    Launch(m_Execution,
           "CountLabelsKernel",
           CountLabelsKernel<TLabel>,
           { GridOf(image.Blocks), dim3(BlockColumns) },
           image,
           m_Pixels,
           m_Background,
           places.Index,
           counts);
    const auto                       onHost = this->Fetch<std::uint64_t>(counts, places.Number);
    const std::vector<std::uint64_t> labels = places.Labels != nullptr
                                                ? this->Fetch<std::uint64_t>(places.Labels, places.Number)
                                                : std::vector<std::uint64_t>();
    std::vector<LabelCount>          result;
    result.reserve(places.Number);
    for (std::uint64_t place = 0; place < places.Number; ++place)
    {
      if (onHost[place] != 0)
      {
        result.push_back({ labels.empty() ? place : labels[place], onHost[place] });
      }
    }
    return result;
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
    // Each warp ends with an operation that all warps do at the same place.
    constexpr std::int64_t pixelsPerThread = 64;
    auto * const           greatest = this->Allocate<unsigned long long>(1);
    Clear(greatest, sizeof(*greatest), this->GetStream());
    Launch(m_Execution,
           "FindGreatestLabelKernel",
           FindGreatestLabelKernel<TLabel>,
           this->GetShape(DivideUp(m_Count, pixelsPerThread)),
           m_Pixels,
           m_Count,
           m_Background,
           greatest);
    return this->Fetch<std::uint64_t>(greatest, 1).front();
  }

  /** Where a table has the objects: the number of its places and, if they are not the labels themselves, the labels of
   * all places in device memory. */
  struct Places
  {
    LabelIndex            Index;
    std::uint64_t         Number = 0;
    const std::uint64_t * Labels = nullptr;
  };

  Places
  FindPlaces(std::size_t bytesPerPlace)
  {
    const std::uint64_t greatest = this->FindGreatest();
    if (greatest < GetSumUpScratchBytes(m_Labels.Region.Size, m_Labels.Type) / bytesPerPlace)
    {
      Places places;
      places.Number = greatest + 1;
      return places;
    }
    return this->MarkPlaces(greatest);
  }

  /** For labels with large gaps between them. */
  Places
  MarkPlaces(std::uint64_t greatest)
  {
    constexpr std::uint64_t labelsPerSum = std::uint64_t{ LabelsPerMark } * MarksPerSum;
    if (greatest > std::numeric_limits<std::uint32_t>::max())
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "there are labels of 2^32 or more");
    }
    const std::uint64_t sums = greatest / labelsPerSum + 1;
    const std::size_t   markBytes = sums * MarksPerSum * sizeof(std::uint32_t);
    if (m_Labels.HasBudget && markBytes > GetSumUpScratchBytes(m_Labels.Region.Size, m_Labels.Type))
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
    Places places;
    places.Index = { marks, before };
    places.Number = this->Fetch<std::uint64_t>(before + sums, 1).front();
    auto * const list = this->Allocate<std::uint64_t>(places.Number);
    Launch(m_Execution, "ListLabelsKernel", ListLabelsKernel, this->GetShape(sums), marks, before, sums, list);
    places.Labels = list;
    return places;
  }

  /** The greatest absolute value of each object's intensities, in device memory; nullptr if they are integers. */
  unsigned long long *
  FindGreatestIntensities(const IntensityImage & intensities, const Places & places)
  {
    // Sums of more squares of integers may exceed 63 bits.
    constexpr std::int64_t mostSquares = std::int64_t{ 1 } << 30;
    const bool             areIntegers = intensities.Type != PixelType::Float && intensities.Type != PixelType::Double;
    if (areIntegers && (!intensities.AreSquared || m_Count <= mostSquares))
    {
      return nullptr;
    }
    const MeasuredImage image = MakeImage(m_Labels);
    auto * const        greatest = this->Allocate<unsigned long long>(places.Number);
    Clear(greatest, places.Number * sizeof(*greatest), this->GetStream());
    Launch(m_Execution,
           "FindGreatestIntensitiesKernel",
           FindGreatestIntensitiesKernel<TLabel>,
           { GridOf(image.Blocks), dim3(BlockColumns) },
           image,
           m_Pixels,
           m_Background,
           intensities,
           places.Index,
           greatest);
    return greatest;
  }

  /** The most bits of parts of intensities with which sums over all pixels have 62 bits. */
  int
  GetBitsOfPart() const
  {
    int bits = 30;
    while (m_Count >> (62 - bits) != 0)
    {
      --bits;
    }
    return bits;
  }

  /** Copies numbers to the host. */
  template <typename TItem>
  std::vector<TItem>
  Fetch(const void * from, std::uint64_t count) const
  {
    std::vector<TItem> items(count);
    CopyToHost(items.data(), from, count * sizeof(TItem), this->GetStream());
    return items;
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
SumUpObjects(Execution &            execution,
             const LabelsOnDevice & labels,
             const void *           intensities,
             PixelType              intensityType,
             bool                   areSquared)
{
  std::vector<LabelSums> result;
  WithInteger(labels.Type, [&](auto label) {
    IntensityImage image;
    image.Pixels = intensities;
    image.Type = intensityType;
    image.AreSquared = areSquared;
    result = ObjectTable<decltype(label)>(execution, labels).SumUp(image);
  });
  return result;
}

std::vector<LabelCount>
CountObjects(Execution & execution, const LabelsOnDevice & labels)
{
  std::vector<LabelCount> result;
  WithInteger(labels.Type, [&](auto label) { result = ObjectTable<decltype(label)>(execution, labels).Count(); });
  return result;
}

std::size_t
GetSumUpScratchBytes(const Size3 & size, PixelStorage type)
{
  return std::max(TableBytes, static_cast<std::size_t>(GetNumberOfPixels(size)) * GetBytesPerLabel(type));
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
