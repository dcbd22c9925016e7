// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A program that uses ITK, and does not know of this module. It prints a line for each thing that it does: a name, and
// a number made of all pixels that it has seen. test_plugin.py compares the lines with and without the plug-in.
//
//   Program [NAME ...]
//   Program --list

#include "itkAddImageFilter.h"
#include "itkBinaryBallStructuringElement.h"
#include "itkBinaryThresholdImageFilter.h"
#include "itkBlackTopHatImageFilter.h"
#include "itkCannyEdgeDetectionImageFilter.h"
#include "itkConnectedComponentImageFilter.h"
#include "itkConstNeighborhoodIterator.h"
#include "itkContourMeanDistanceImageFilter.h"
#include "itkCreateObjectFunction.h"
#include "itkDirectedHausdorffDistanceImageFilter.h"
#include "itkFlipImageFilter.h"
#include "itkGrayscaleConnectedClosingImageFilter.h"
#include "itkGrayscaleConnectedOpeningImageFilter.h"
#include "itkGrayscaleFillholeImageFilter.h"
#include "itkGrayscaleGrindPeakImageFilter.h"
#include "itkHMaximaImageFilter.h"
#include "itkHausdorffDistanceImageFilter.h"
#include "itkImage.h"
#include "itkImageAlgorithm.h"
#include "itkImageBufferRange.h"
#include "itkImageRegionIterator.h"
#include "itkImageToHistogramFilter.h"
#include "itkImageToImageFilter.h"
#include "itkIntensityWindowingImageFilter.h"
#include "itkLabelStatisticsImageFilter.h"
#include "itkMaximumImageFilter.h"
#include "itkMedianImageFilter.h"
#include "itkMinimumMaximumImageFilter.h"
#include "itkNaryAddImageFilter.h"
#include "itkNearestNeighborInterpolateImageFunction.h"
#include "itkObjectFactoryBase.h"
#include "itkOtsuMultipleThresholdsImageFilter.h"
#include "itkOtsuThresholdImageFilter.h"
#include "itkProgressAccumulator.h"
#include "itkReconstructionByDilationImageFilter.h"
#include "itkRelabelComponentImageFilter.h"
#include "itkRescaleIntensityImageFilter.h"
#include "itkScalarConnectedComponentImageFilter.h"
#include "itkShiftScaleImageFilter.h"
#include "itkSignedDanielssonDistanceMapImageFilter.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"
#include "itkStatisticsImageFilter.h"
#include "itkStreamingImageFilter.h"
#include "itkSubtractImageFilter.h"
#include "itkThresholdMaximumConnectedComponentsImageFilter.h"
#include "itkVersion.h"
#include "itkWhiteTopHatImageFilter.h"
#include "itkZeroCrossingBasedEdgeDetectionImageFilter.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <locale>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <unistd.h>
#include <utility>
#include <vector>

namespace
{
using Bytes = itk::Image<unsigned char, 2>;
using Volume = itk::Image<short, 3>;
using Floats = itk::Image<float, 2>;
using Labels = itk::Image<unsigned short, 2>;

/** A number of all bytes that were added. */
class Sum
{
public:
  void
  Add(const void * bytes, std::size_t count)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      m_Value = (m_Value ^ static_cast<const unsigned char *>(bytes)[i]) * 1099511628211u;
    }
  }
  template <typename TValue>
  void
  Add(const TValue & value)
  {
    const TValue unsignedZero = value + TValue(0); // -0 becomes 0, which is equal
    this->Add(&unsignedZero, sizeof(unsignedZero));
  }
  std::uint64_t
  Get() const
  {
    return m_Value;
  }

private:
  std::uint64_t m_Value = 14695981039346656037u;
};

/** Blobs and noise. */
template <typename TImage>
typename TImage::Pointer
MakeImage(unsigned int seed = 1)
{
  const auto                image = TImage::New();
  typename TImage::SizeType size;
  size.Fill(TImage::ImageDimension == 2 ? 61 : 23);
  size[0] += 5;
  image->SetRegions(size);
  image->Allocate();
  std::uint32_t state = seed;
  for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    state = state * 1664525u + 1013904223u;
    const auto index = it.GetIndex();
    const bool isBlob = (index[0] / 7 + index[1] / 9) % 3 == 0;
    it.Set(static_cast<typename TImage::PixelType>((isBlob ? 90 : 10) + (state >> 24) % 60));
  }
  return image;
}

/** Reads the pixels by the methods of itk::Image that are not virtual, and looks at each in several ways. */
template <typename TImage>
void
Read(const TImage * image, Sum & sum)
{
  const auto region = image->GetBufferedRegion();
  sum.Add(image->GetPixel(region.GetIndex()));
  const auto * const pixels = const_cast<TImage *>(image)->GetPixelContainer()->GetImportPointer();
  std::for_each(pixels, pixels + region.GetNumberOfPixels(), [&](auto pixel) { sum.Add(pixel); });
  for (itk::ImageRegionConstIterator<TImage> it(image, region); !it.IsAtEnd(); ++it)
  {
    sum.Add(it.Get());
  }
  typename itk::ConstNeighborhoodIterator<TImage>::RadiusType radius;
  radius.Fill(1);
  for (itk::ConstNeighborhoodIterator<TImage> it(radius, image, region); !it.IsAtEnd(); ++it)
  {
    sum.Add(it.GetPixel(0));
  }
  for (const auto pixel : itk::ImageBufferRange<const TImage>(*image))
  {
    const typename TImage::PixelType value = pixel;
    sum.Add(value);
  }
  const auto interpolator = itk::NearestNeighborInterpolateImageFunction<TImage>::New();
  interpolator->SetInputImage(image);
  sum.Add(interpolator->EvaluateAtIndex(region.GetUpperIndex()));
}

/** Three filters, one after another. */
template <typename TImage>
struct Chain
{
  using Distances = itk::Image<float, TImage::ImageDimension>;
  using Median = itk::MedianImageFilter<TImage, TImage>;
  using Fill = itk::GrayscaleFillholeImageFilter<TImage, TImage>;
  using Distance = itk::SignedMaurerDistanceMapImageFilter<TImage, Distances>;

  typename TImage::Pointer   Input = MakeImage<TImage>();
  typename Median::Pointer   First = Median::New();
  typename Fill::Pointer     Second = Fill::New();
  typename Distance::Pointer Third = Distance::New();

  Chain()
  {
    First->SetInput(Input);
    First->SetRadius(1);
    Second->SetInput(First->GetOutput());
    Third->SetInput(Second->GetOutput());
    Third->SetBackgroundValue(60);
    Third->SquaredDistanceOn();
  }

  void
  ReadAll(Sum & sum) const
  {
    Read(First->GetOutput(), sum);
    Read(Second->GetOutput(), sum);
    Read(Third->GetOutput(), sum);
  }
};

template <typename TImage>
void
ReadChain(Sum & sum)
{
  const Chain<TImage> chain;
  chain.Third->Update();
  chain.ReadAll(sum);
}

void
ReadInReverse(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Third->Update();
  Read(chain.Third->GetOutput(), sum);
  Read(chain.First->GetOutput(), sum);
  chain.First->SetRadius(2);
  chain.Third->Update();
  Read(chain.Second->GetOutput(), sum);
  chain.ReadAll(sum);
}

void
WriteIntermediate(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Third->Update();
  Bytes * const between = chain.Second->GetOutput();
  between->SetPixel({ { 3, 4 } }, 60);
  between->GetPixelContainer()->GetImportPointer()[100] = 60;
  chain.Third->UpdateOutputData(chain.Third->GetOutput());
  chain.ReadAll(sum);
  between->SetPixel({ { 3, 5 } }, 60);
  between->Modified();
  chain.Third->Modified();
  chain.Third->UpdateOutputData(chain.Third->GetOutput());
  chain.ReadAll(sum);
  // Written without notice, and read by a filter that is new.
  std::fill_n(between->GetBufferPointer() + 200, 50, static_cast<unsigned char>(60));
  const auto other = Chain<Bytes>::Distance::New();
  const auto copy = Bytes::New();
  copy->Graft(between);
  other->SetInput(copy);
  other->SetBackgroundValue(60);
  other->Update();
  Read(other->GetOutput(), sum);
}

/** Updates the last filter while a progress observer of a filter ends the run. */
void
EndRun(itk::ProcessObject & observed, const std::function<void()> & end, itk::ProcessObject & last, Sum & sum)
{
  const auto tag = observed.AddObserver(itk::ProgressEvent(), [&end](const itk::EventObject &) { end(); });
  try
  {
    last.UpdateLargestPossibleRegion();
    sum.Add(1);
  }
  catch (const std::exception &)
  {
    sum.Add(2);
  }
  observed.RemoveObserver(tag);
}

/** Runs in place of filters in turn: the second takes the memory that the first one has taken. */
void
RunChainInPlace(Sum & sum)
{
  const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
  median->SetInput(MakeImage<Bytes>());
  itk::AddImageFilter<Bytes, Bytes, Bytes>::Pointer adds[2];
  Bytes *                                           image = median->GetOutput();
  for (auto & add : adds)
  {
    add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
    add->InPlaceOn();
    add->SetConstant2(3);
    add->SetInput1(image);
    image = add->GetOutput();
  }
  for (const unsigned int radius : { 1, 2 })
  {
    median->SetRadius(radius);
    image->Update();
    Read(image, sum);
  }
}

void
UseInPlace(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         shift = itk::ShiftScaleImageFilter<Bytes, Bytes>::New();
  shift->SetInput(chain.Second->GetOutput());
  shift->SetShift(3);
  const auto add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  add->SetInput1(shift->GetOutput());
  add->SetConstant2(5);
  add->InPlaceOn();
  add->Update();
  Read(add->GetOutput(), sum);
  add->SetConstant2(7);
  add->Update();
  Read(add->GetOutput(), sum);
  Read(chain.Second->GetOutput(), sum);

  // The input of a run in place is released: it is computed again, from a source that was written without notice.
  for (const bool isPart : { false, true })
  {
    chain.Input->GetBufferPointer()[200] = 200;
    add->SetConstant2(9);
    if (isPart)
    {
      add->GetOutput()->SetRequestedRegion(Bytes::RegionType{ { { 5, 6 } }, { { 20, 17 } } });
    }
    add->Update();
    sum.Add(shift->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
    sum.Add(shift->GetOutput()->GetDataReleased());
    Read(add->GetOutput(), sum);
  }

  // In memory of the program, which reads the result there: of an image of its own, then of a former result.
  const auto inMemory = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  inMemory->InPlaceOn();
  inMemory->SetConstant2(4);
  const Bytes::Pointer former = shift->GetOutput();
  const auto           own = MakeImage<Bytes>(5);
  for (const Bytes::Pointer & image : { own, former })
  {
    image->SetRequestedRegionToLargestPossibleRegion();
    image->Update();
    const unsigned char * const memory = image->GetBufferPointer();
    const std::size_t           size = image->GetBufferedRegion().GetNumberOfPixels();
    inMemory->SetInput1(image);
    inMemory->UpdateLargestPossibleRegion();
    sum.Add(memory, size);
    sum.Add(image->GetDataReleased());
    Read(inMemory->GetOutput(), sum);

    // The memory is the output's from now on, also without a run in place.
    inMemory->InPlaceOff();
    inMemory->SetInput1(MakeImage<Bytes>(6));
    inMemory->Update();
    sum.Add(memory, size);
    inMemory->InPlaceOn();
  }

  // A run in place gives the output the memory of its input. An image that shares the output's memory of before keeps
  // its pixels. HMaxima runs a filter in place inside.
  const auto maxima = itk::HMaximaImageFilter<Bytes, Bytes>::New();
  maxima->SetInput(shift->GetOutput());
  add->SetInput1(maxima->GetOutput());
  const auto keptAdded = Bytes::New();
  const auto keptMaxima = Bytes::New();
  for (const int height : { 3, 30 })
  {
    maxima->SetHeight(static_cast<unsigned char>(height));
    add->UpdateLargestPossibleRegion();
    keptAdded->Graft(add->GetOutput());
    maxima->UpdateLargestPossibleRegion();
    keptMaxima->Graft(maxima->GetOutput());
    maxima->SetHeight(50);
    add->UpdateLargestPossibleRegion();
    Read(keptAdded.GetPointer(), sum);
    Read(keptMaxima.GetPointer(), sum);
    Read(add->GetOutput(), sum);
  }

  // A run in place that has failed does not change a later run.
  const auto other = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  other->InPlaceOn();
  other->SetInput1(MakeImage<Bytes>(3));
  other->SetConstant2(5);
  EndRun(
    *other, [&other] { other->AbortGenerateDataOn(); }, *other, sum);
  other->InPlaceOff();
  other->SetInput1(chain.Second->GetOutput());
  chain.First->SetRadius(2);
  other->Update();
  Read(other->GetOutput(), sum);
  Read(chain.Second->GetOutput(), sum);
}

void
Disconnect(Sum & sum)
{
  Bytes::Pointer  kept;
  Floats::Pointer distances;
  {
    const Chain<Bytes> chain;
    chain.Third->Update();
    kept = chain.Second->GetOutput();
    kept->DisconnectPipeline();
    distances = chain.Third->GetOutput();
  }
  Read(kept.GetPointer(), sum);
  Read(distances.GetPointer(), sum);
}

void
Release(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.First->ReleaseDataFlagOn();
  chain.Second->ReleaseDataFlagOn();
  chain.Third->Update();
  Read(chain.Third->GetOutput(), sum);
  chain.Second->ReleaseDataFlagOff();
  chain.Second->Update();
  Read(chain.Second->GetOutput(), sum);
}

void
Stream(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         stream = itk::StreamingImageFilter<Bytes, Bytes>::New();
  stream->SetInput(chain.First->GetOutput());
  stream->SetNumberOfStreamDivisions(4);
  stream->Update();
  Read(stream->GetOutput(), sum);

  Bytes::RegionType part{ { { 5, 6 } }, { { 20, 17 } } };
  chain.First->GetOutput()->SetRequestedRegion(part);
  chain.First->GetOutput()->Update();
  Read(chain.First->GetOutput(), sum);
}

/** A filter on the CPU that throws. */
class Thrower : public itk::ImageToImageFilter<Floats, Floats>
{
public:
  using Self = Thrower;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

protected:
  void
  GenerateData() override
  {
    itkExceptionMacro("as planned");
  }
};

/** A filter on the CPU that averages its input and its own former output, and sends an event of its own then. */
class Accumulator : public itk::ImageToImageFilter<Bytes, Bytes>
{
public:
  using Self = Accumulator;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

protected:
  void
  GenerateOutputInformation() override
  {
    this->GetOutput()->SetLargestPossibleRegion(MakeImage<Bytes>()->GetBufferedRegion());
  }
  void
  GenerateData() override
  {
    const auto region = this->GetOutput()->GetRequestedRegion();
    if (!this->GetOutput()->GetBufferedRegion().IsInside(region))
    {
      this->AllocateOutputs();
      this->GetOutput()->FillBuffer(1);
    }
    if (this->GetInput()->GetBufferedRegion().IsInside(region)) // in a loop, there may be no pixels yet
    {
      itk::ImageRegionConstIterator<Bytes> in(this->GetInput(), region);
      for (itk::ImageRegionIterator<Bytes> out(this->GetOutput(), region); !out.IsAtEnd(); ++in, ++out)
      {
        out.Set(static_cast<unsigned char>(in.Get() / 2 + out.Get() / 2));
      }
    }
    this->InvokeEvent(itk::IterationEvent());
  }
};

/** An observer of a filter on the CPU, beside one on the device whose pixels it reads and writes. */
void
ObserveIterations(Sum & sum)
{
  const Bytes::IndexType index{ { 5, 7 } };
  for (const bool isWritten : { false, true })
  {
    const Chain<Bytes> chain;
    const auto         accumulator = Accumulator::New();
    accumulator->SetInput(chain.Input);
    const auto add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
    add->SetInput1(chain.First->GetOutput());
    add->SetInput2(accumulator->GetOutput());
    accumulator->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
      Bytes * const image = chain.First->GetOutput();
      sum.Add(image->GetPixel(index));
      if (isWritten)
      {
        image->GetBufferPointer()[image->ComputeOffset(index)] = 62;
      }
    });
    for (const unsigned int radius : { 1, 2 })
    {
      chain.First->SetRadius(radius);
      accumulator->Modified();
      add->Update();
      Read(add->GetOutput(), sum);
    }
  }
}

/** A filter on the CPU that calls a function of the program, and copies its input. */
class Caller : public itk::ImageToImageFilter<Bytes, Bytes>
{
public:
  using Self = Caller;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  std::function<void()> Function;

protected:
  void
  GenerateData() override
  {
    this->AllocateOutputs();
    this->Function();
    const auto region = this->GetOutput()->GetRequestedRegion();
    itk::ImageAlgorithm::Copy(this->GetInput(), this->GetOutput(), region, region);
  }
};

/** The function of a filter on the CPU reads and writes images that the same update has computed, or uploaded, for
 * others. */
void
UseImagesInFilter(Sum & sum)
{
  const Bytes::IndexType index{ { 5, 7 } };
  for (const std::string use : { "read", "write", "write what a filter has read" })
  {
    const Chain<Bytes> chain;
    Bytes * const      image = chain.First->GetOutput();
    const auto         caller = Caller::New();
    caller->SetInput(MakeImage<Bytes>(4));
    const auto maximum = itk::MaximumImageFilter<Bytes, Bytes, Bytes>::New();
    maximum->SetInput1(caller->GetOutput());
    maximum->SetInput2(chain.Input);
    const auto add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
    add->SetInput1(chain.Second->GetOutput());
    add->SetInput2(maximum->GetOutput());
    const auto other = Chain<Bytes>::Fill::New();
    other->SetInput(chain.Input);
    const auto subtract = itk::SubtractImageFilter<Bytes, Bytes, Bytes>::New();
    subtract->SetInput1(add->GetOutput());
    subtract->SetInput2(other->GetOutput());
    unsigned int runs = 0;
    caller->Function = [&] {
      sum.Add(image->GetPixel(index));
      if (use != "read")
      {
        chain.Second->GetOutput()->SetPixel(index, 62 + runs);
        chain.Input->GetBufferPointer()[chain.Input->ComputeOffset(index)] = 200 + runs;
      }
      if (use == "write what a filter has read")
      {
        const auto within = Chain<Bytes>::Median::New();
        within->SetInput(chain.Input);
        within->Update();
        Read(within->GetOutput(), sum);
        chain.Input->SetPixel(index, 210 + runs);
      }
      ++runs;
    };
    for (const unsigned int radius : { 1, 2 })
    {
      chain.First->SetRadius(radius);
      caller->Modified();
      subtract->Update();
      Read(subtract->GetOutput(), sum);
      Read(add->GetOutput(), sum);
      Read(image, sum);
      Read(chain.Second->GetOutput(), sum);
      other->Modified();
    }
  }
}

/** A pipeline whose last filter is also computed from its own former output. */
void
RunInLoop(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  const auto         accumulator = Accumulator::New();
  int                runs = 0;
  accumulator->AddObserver(itk::IterationEvent(), [&runs](const itk::EventObject &) { ++runs; });
  for (const bool isObserved : { true, false })
  {
    add->SetInput1(chain.First->GetOutput());
    add->SetInput2(accumulator->GetOutput());
    accumulator->SetInput(add->GetOutput());
    for (const unsigned int radius : { 1, 2, 3 })
    {
      chain.First->SetRadius(radius);
      accumulator->Modified();
      add->Modified();
      add->Update();
      Read(add->GetOutput(), sum);
      Read(accumulator->GetOutput(), sum);
    }
    sum.Add(runs);
    if (isObserved)
    {
      accumulator->RemoveAllObservers(); // from now on, inputs may be read on a device
    }
  }

  // A filter that asks for its own image in pieces.
  const auto    sumOfBoth = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  Bytes * const state = sumOfBoth->GetOutput();
  state->Graft(MakeImage<Bytes>(2));
  const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
  median->SetInput(state);
  const auto pieces = itk::StreamingImageFilter<Bytes, Bytes>::New();
  pieces->SetInput(median->GetOutput());
  pieces->SetNumberOfStreamDivisions(3);
  sumOfBoth->SetInput1(state);
  sumOfBoth->SetInput2(pieces->GetOutput());
  sumOfBoth->UpdateLargestPossibleRegion();
  sum.Add(state->GetBufferedRegion().GetNumberOfPixels());
  sum.Add(state->GetRequestedRegion().GetNumberOfPixels());
  sum.Add(median->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
}

void
Fail(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         thrower = Thrower::New();
  thrower->SetInput(chain.Third->GetOutput());
  try
  {
    thrower->Update();
  }
  catch (const itk::ExceptionObject &)
  {
    sum.Add(1);
  }
  chain.ReadAll(sum);

  // A filter that has two images of different sizes throws itself.
  const auto reconstruction = itk::ReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  const auto small = Bytes::New();
  small->SetRegions(Bytes::SizeType{ { 7, 7 } });
  small->Allocate(true);
  const Chain<Bytes> other;
  reconstruction->SetMarkerImage(small);
  reconstruction->SetMaskImage(other.Second->GetOutput());
  try
  {
    reconstruction->Update();
    sum.Add(2);
  }
  catch (const itk::ExceptionObject &)
  {
    sum.Add(3);
  }
  other.Third->Update();
  other.ReadAll(sum);

  // One of two inputs throws, once: ITK computes nothing until the pipeline is reset.
  const auto caller = Caller::New();
  caller->SetInput(MakeImage<Bytes>(4));
  caller->Function = [] { itkGenericExceptionMacro("as planned"); };
  const auto add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  add->SetInput1(other.Second->GetOutput());
  add->SetInput2(caller->GetOutput());
  for (const bool isReset : { false, false, true })
  {
    try
    {
      if (isReset)
      {
        add->ResetPipeline();
      }
      add->Update();
      sum.Add(4);
    }
    catch (const itk::ExceptionObject &)
    {
      sum.Add(5);
    }
    sum.Add(add->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
    caller->Function = [] {};
    caller->Modified();
  }
  Read(add->GetOutput(), sum);
}

/** Observers that read images of filters that are not updated by themselves. */
void
Observe(Sum & sum)
{
  const Chain<Bytes>     chain;
  const Bytes::IndexType index{ { 5, 7 } };
  volatile int           pixel = 0;
  const auto             observe = [&](auto & filter, const itk::EventObject & event, const Bytes * image) {
    filter.AddObserver(event, [&sum, index, image](const itk::EventObject &) { sum.Add(image->GetPixel(index)); });
  };
  observe(*chain.First, itk::EndEvent(), chain.First->GetOutput());
  observe(*chain.Third, itk::StartEvent(), chain.Second->GetOutput());
  observe(*chain.Third, itk::EndEvent(), chain.Second->GetOutput());
  chain.Third->Update();
  chain.ReadAll(sum);

  // An observer of an image, which writes it whenever it is modified and has pixels.
  const Chain<Bytes> other;
  Bytes * const      between = other.Second->GetOutput();
  unsigned char      value = 0;
  between->AddObserver(itk::ModifiedEvent(), [&](const itk::EventObject &) {
    if (between->GetBufferPointer() != nullptr && between->GetBufferedRegion().IsInside(index))
    {
      between->GetBufferPointer()[between->ComputeOffset(index)] = value;
      pixel = other.First->GetOutput()->GetPixel(index);
    }
  });
  for (const unsigned char next : { 60, 61, 60 })
  {
    value = next;
    other.First->Modified();
    other.Third->Update();
    other.ReadAll(sum);
  }

  // An observer that writes the image, and removes itself.
  between->RemoveAllObservers();
  for (int i = 0; i < 2; ++i)
  {
    unsigned long tag = 0;
    tag = other.Second->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) {
      between->SetPixel(index, 60);
      other.Second->RemoveObserver(tag);
    });
    other.First->Modified();
    other.Third->Update();
    other.ReadAll(sum);
  }

  // An observer of a filter that computes no image, and has several inputs.
  const Chain<Bytes> last;
  const auto         histogram = itk::Statistics::ImageToHistogramFilter<Bytes>::New();
  histogram->SetInput(last.Second->GetOutput());
  histogram->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    if (histogram->GetProgress() > 0.0f) // at 0, there are no pixels
    {
      pixel = last.First->GetOutput()->GetPixel(index) + last.Second->GetOutput()->GetPixel(index);
    }
  });
  histogram->Update();
  Read(last.First->GetOutput(), sum);
  Read(last.Second->GetOutput(), sum);
  sum.Add(histogram->GetOutput()->GetTotalFrequency());
}

/** An observer that reads the image that is being computed. Its pixels have any values then. */
void
ObserveProgress(Sum & sum)
{
  const Chain<Bytes> chain;
  volatile int       pixel = 0;
  int                calls[2] = { 0, 0 };
  const auto         observe = [&pixel](auto & filter, int & count) {
    filter.AddObserver(itk::ProgressEvent(), [&pixel, &filter, &count](const itk::EventObject &) {
      const Bytes::IndexType index{ { 5, 7 } };
      pixel = static_cast<int>(filter.GetOutput()->GetPixel(index));
      count += filter.GetOutput()->GetBufferedRegion().IsInside(index);
    });
  };
  for (int i = 0; i < 2000; ++i)
  {
    chain.First->RemoveObserver(chain.First->AddObserver(itk::AnyEvent(), [](const itk::EventObject &) {}));
  }
  observe(*chain.First, calls[0]);
  observe(*chain.Third, calls[1]);
  for (const unsigned int radius : { 1, 2 })
  {
    calls[0] = calls[1] = 0;
    chain.First->SetRadius(radius);
    chain.Third->Update();
    sum.Add(calls[0] > 0);
    sum.Add(calls[1] > 0);
    chain.ReadAll(sum);
  }

  // An image shares the pixels of the output, or has given it its memory. The output gets other memory in the next run.
  const auto maxima = itk::HMaximaImageFilter<Bytes, Bytes>::New();
  maxima->SetInput(chain.First->GetOutput());
  observe(*maxima, calls[0]);
  for (const bool isOwn : { false, true })
  {
    maxima->SetHeight(3);
    maxima->Update();
    const auto kept = isOwn ? MakeImage<Bytes>() : Bytes::New();
    isOwn ? maxima->GraftOutput(kept) : kept->Graft(maxima->GetOutput());
    calls[0] = 0;
    maxima->SetHeight(30);
    maxima->Update();
    sum.Add(calls[0] > 0);
    Read(kept.GetPointer(), sum);
    Read(maxima->GetOutput(), sum);
  }
}

/** A composite filter of the program. */
class Composite : public itk::ImageToImageFilter<Bytes, Bytes>
{
public:
  using Self = Composite;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  const itk::MedianImageFilter<Bytes, Bytes>::Pointer            First = itk::MedianImageFilter<Bytes, Bytes>::New();
  const itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::Pointer Second =
    itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();

protected:
  void
  GenerateData() override
  {
    const auto progress = itk::ProgressAccumulator::New();
    progress->SetMiniPipelineFilter(this);
    progress->RegisterInternalFilter(First, 0.5f);
    progress->RegisterInternalFilter(Second, 0.5f);
    First->SetInput(this->GetInput());
    Second->SetInput(First->GetOutput());
    Second->GraftOutput(this->GetOutput());
    Second->Update();
    this->GraftOutput(Second->GetOutput());
  }
};

/** An observer of a composite filter reads the images of the filters inside. */
void
ObserveComposite(Sum & sum)
{
  for (const unsigned int radius : { 1, 2 })
  {
    const auto composite = Composite::New();
    composite->SetInput(MakeImage<Bytes>());
    composite->First->SetRadius(radius);
    bool isRead = false;
    composite->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (!isRead && composite->Second->GetProgress() > 0.0f)
      {
        isRead = true;
        Read(composite->First->GetOutput(), sum);
      }
    });
    composite->Update();
    sum.Add(isRead);
    Read(composite->GetOutput(), sum);
  }
}

/** Runs that observers end: the image stays readable, with former or new pixels. */
void
EndRuns(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Third->Update();
  volatile int pixels = 0;
  const auto   update = [&](auto & filter, const std::function<void()> & observer) {
    filter.Modified();
    EndRun(filter, observer, *chain.Third, sum);
    const Bytes * const image = chain.First->GetOutput();
    sum.Add(image->GetBufferedRegion().GetNumberOfPixels());
    for (itk::ImageRegionConstIterator<Bytes> it(image, image->GetLargestPossibleRegion()); !it.IsAtEnd(); ++it)
    {
      pixels += it.Get();
    }
    chain.Third->Update();
    chain.ReadAll(sum);
  };
  update(*chain.First, [] { throw std::runtime_error("as planned"); });
  chain.First->SetRadius(2);
  update(*chain.First, [] { itkGenericExceptionMacro("as planned"); });
  chain.First->SetRadius(3);
  update(*chain.Third, [] { throw std::runtime_error("as planned"); });
  // Too late.
  update(*chain.First, [&chain] {
    if (chain.First->GetProgress() >= 1.0f)
    {
      chain.First->AbortGenerateDataOn();
    }
  });

  // A run for more of the image than before: the image has the region of the run that was ended.
  const auto    larger = Chain<Bytes>::Median::New();
  Bytes * const part = larger->GetOutput();
  larger->SetInput(chain.Input);
  part->SetRequestedRegion(Bytes::RegionType{ { { 5, 6 } }, { { 20, 17 } } });
  part->Update();
  sum.Add(part->GetBufferedRegion().GetNumberOfPixels());
  EndRun(
    *larger, [&larger] { larger->AbortGenerateDataOn(); }, *larger, sum);
  sum.Add(part->GetBufferedRegion().GetNumberOfPixels());
  for (itk::ImageRegionConstIterator<Bytes> it(part, part->GetLargestPossibleRegion()); !it.IsAtEnd(); ++it)
  {
    pixels += it.Get();
  }
  larger->Modified();
  larger->UpdateLargestPossibleRegion();
  Read(part, sum);

  // A run in place of another size: the input keeps its memory.
  const auto add = itk::AddImageFilter<Bytes, Bytes, Bytes>::New();
  add->InPlaceOn();
  add->SetConstant2(5);
  const auto makeImage = [](unsigned int side) {
    const auto image = Bytes::New();
    image->SetRegions(Bytes::SizeType{ { side, side } });
    image->Allocate(true);
    return image;
  };
  for (const unsigned int side : { 50, 70, 30 })
  {
    const auto image = makeImage(side);
    add->SetInput1(makeImage(60));
    add->UpdateLargestPossibleRegion();
    const unsigned char * const buffer = image->GetBufferPointer();
    add->SetInput1(image);
    EndRun(
      *add, [&add] { add->AbortGenerateDataOn(); }, *add, sum);
    sum.Add(image->GetPixelContainer()->Size());
    sum.Add(image->GetPixelContainer()->GetBufferPointer() == buffer);
  }

  // The program's own image takes the result of the run that follows.
  const auto mine = makeImage(40);
  const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
  const auto input = makeImage(40);
  input->FillBuffer(7);
  median->SetInput(input);
  median->GraftOutput(mine);
  EndRun(
    *median, [&median] { median->AbortGenerateDataOn(); }, *median, sum);
  median->Update();
  Read(mine.GetPointer(), sum);
}

/** How often an image says that it was modified; and an observer that writes it when it says so for the first time. */
void
CountModifications(Sum & sum)
{
  const Chain<Bytes> chain;
  Bytes * const      image = chain.First->GetOutput();
  int                count = 0;
  const auto counter = image->AddObserver(itk::ModifiedEvent(), [&count](const itk::EventObject &) { ++count; });
  const auto countOf = [&](const std::function<void()> & run) {
    count = 0;
    run();
    sum.Add(count);
    Read(image, sum);
  };
  const auto update = [&chain](unsigned int radius) {
    chain.First->SetRadius(radius);
    chain.Third->Update();
  };
  countOf([&] { update(1); });
  countOf([&] { update(2); });
  countOf([&] {
    chain.First->SetRadius(3);
    EndRun(
      *chain.First, [] { throw std::runtime_error("as planned"); }, *chain.First, sum);
    update(3);
  });
  countOf([&] {
    chain.First->SetRadius(2);
    image->SetRequestedRegion(Bytes::RegionType{ { { 5, 6 } }, { { 20, 17 } } });
    image->Update();
  });
  countOf([&] { update(1); });

  image->RemoveObserver(counter);
  unsigned long tag = 0;
  tag = image->AddObserver(itk::ModifiedEvent(), [&](const itk::EventObject &) {
    image->GetBufferPointer()[100] = 60;
    image->RemoveObserver(tag);
  });
  update(2);
  chain.ReadAll(sum);
}

/** An observer of a filter beside those on the device that reads and writes the images of those. */
void
ObserveBeside(Sum & sum)
{
  using Add = itk::AddImageFilter<Bytes, Bytes, Bytes>;
  for (const bool isWritten : { false, true })
  {
    const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
    median->SetInput(MakeImage<Bytes>());
    const auto fill = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();
    fill->SetInput(median->GetOutput());
    const auto first = Add::New();
    first->SetInput1(fill->GetOutput());
    first->SetInput2(median->GetOutput());
    const auto flip = itk::FlipImageFilter<Bytes>::New();
    flip->SetInput(MakeImage<Bytes>(2));
    const auto shift = itk::ShiftScaleImageFilter<Bytes, Bytes>::New();
    shift->SetInput(flip->GetOutput());
    const auto second = Add::New();
    second->SetInput1(first->GetOutput());
    second->SetInput2(shift->GetOutput());
    flip->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) {
      for (Bytes * const image : { median->GetOutput(), fill->GetOutput(), first->GetOutput() })
      {
        const Bytes::IndexType index{ { 5, 7 } };
        if (image->GetBufferedRegion().IsInside(index))
        {
          sum.Add(image->GetPixel(index));
          if (isWritten)
          {
            image->SetPixel(index, 62);
          }
        }
      }
    });
    for (const unsigned int radius : { 1, 2, 3 })
    {
      median->SetRadius(radius);
      flip->Modified();
      second->Update();
      Read(second->GetOutput(), sum);
    }
  }
}

/** An observer of a filter beside those on the device that writes the image that two of them read. */
void
WriteBeside(Sum & sum)
{
  const auto image = MakeImage<Bytes>();
  const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
  median->SetInput(image);
  const auto flip = itk::FlipImageFilter<Bytes>::New();
  flip->SetInput(MakeImage<Bytes>(2));
  const auto fill = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();
  fill->SetInput(image);
  const auto join = itk::NaryAddImageFilter<Bytes, Floats>::New();
  join->SetInput(0, median->GetOutput());
  join->SetInput(1, flip->GetOutput());
  join->SetInput(2, fill->GetOutput());
  unsigned char value = 0;
  flip->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) { image->SetPixel({ { 5, 7 } }, value); });
  for (const unsigned char next : { 200, 10, 120 })
  {
    value = next;
    for (itk::ProcessObject * const filter : { static_cast<itk::ProcessObject *>(median),
                                               static_cast<itk::ProcessObject *>(flip),
                                               static_cast<itk::ProcessObject *>(fill) })
    {
      filter->Modified();
    }
    join->Update();
    Read(join->GetOutput(), sum);
  }
}

/** Calls of UpdateOutputData() by the program, which writes the input before each. */
void
UpdateByHand(Sum & sum)
{
  Bytes::Pointer kept;
  {
    const Chain<Bytes> chain;
    chain.Third->Update();
    kept = chain.First->GetOutput();
    kept->DisconnectPipeline();
  }
  const auto filter = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();
  filter->SetInput(kept);
  filter->Update();
  const auto update = [&](unsigned char value) {
    kept->SetPixel({ { 3, 4 } }, value);
    filter->UpdateOutputData(filter->GetOutput());
    Read(filter->GetOutput(), sum);
  };
  update(200);
  update(10);
  // Pieces of an image, each after the input has changed.
  const auto median = itk::MedianImageFilter<Bytes, Bytes>::New();
  median->SetInput(kept);
  median->UpdateOutputInformation();
  for (int piece = 0; piece < 3; ++piece)
  {
    kept->FillBuffer(static_cast<unsigned char>(20 + piece));
    median->GetOutput()->SetRequestedRegion(Bytes::RegionType{ { { 0, 20 * piece } }, { { 66, 20 } } });
    median->GetOutput()->PropagateRequestedRegion();
    median->UpdateOutputData(median->GetOutput());
    Read(median->GetOutput(), sum);
  }
  // An image that shares a container that has become smaller: its region still fits into the memory.
  {
    const Chain<Bytes> chain;
    chain.First->Update();
    const auto copy = Bytes::New();
    copy->Graft(chain.First->GetOutput());
    chain.First->SetRadius(2);
    chain.First->GetOutput()->SetRequestedRegion(Bytes::RegionType{ { { 5, 6 } }, { { 20, 17 } } });
    chain.First->GetOutput()->Update();
    const auto other = itk::MedianImageFilter<Bytes, Bytes>::New();
    other->SetInput(copy);
    other->Update();
    Read(other->GetOutput(), sum);
  }
  // A filter that knows of its update before another one reads the same image.
  for (const Bytes::Pointer & image : { kept, MakeImage<Bytes>() })
  {
    const auto first = itk::MedianImageFilter<Bytes, Bytes>::New();
    first->SetInput(image);
    const auto second = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();
    second->SetInput(image);
    second->UpdateOutputInformation();
    first->Update();
    image->SetPixel({ { 30, 31 } }, 1);
    second->GetOutput()->SetRequestedRegionToLargestPossibleRegion();
    second->GetOutput()->PropagateRequestedRegion();
    second->GetOutput()->UpdateOutputData();
    Read(second->GetOutput(), sum);
    image->SetPixel({ { 30, 31 } }, 90);
    second->UpdateOutputData(nullptr);
    Read(second->GetOutput(), sum);
  }
}

/** Images know ITK's classes only. */
void
AskForNames(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Third->Update();
  Bytes * const image = chain.First->GetOutput();
  std::cout << image->GetNameOfClass() << ' ' << image->CreateAnother()->GetNameOfClass() << std::endl;
  const auto created = image->CreateAnother();
  auto &     another = dynamic_cast<Bytes &>(*created);
  another.SetRegions(image->GetBufferedRegion());
  another.Allocate(true);
  const auto fill = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>::New();
  fill->SetInput(&another);
  for (const unsigned char value : { 10, 20 })
  {
    another.SetPixel({ { 3, 4 } }, value);
    fill->Modified();
    fill->Update();
    Read(fill->GetOutput(), sum);
  }
}

/** Pixels and images for which there are no kernels, or of which filters of this module say that they are invalid. */
void
UseUnusualPixels(Sum & sum)
{
  const auto image = MakeImage<Floats>();
  for (itk::ImageRegionIterator<Floats> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() < 80.0f ? 0.0f : it.Get());
  }
  image->SetPixel({ { 4, 3 } }, std::nanf(""));
  const auto components = itk::ConnectedComponentImageFilter<Floats, Labels>::New();
  components->SetInput(image);
  components->Update();
  Read(components->GetOutput(), sum);
  sum.Add(components->GetObjectCount());
  const auto similar = itk::ScalarConnectedComponentImageFilter<Floats, Labels>::New();
  similar->SetInput(image);
  similar->SetDistanceThreshold(20.0f);
  similar->Update();
  Read(similar->GetOutput(), sum);
  similar->SetDistanceThreshold(40.0f); // ITK's filter does not notice
  similar->Update();
  Read(similar->GetOutput(), sum);

  // An image that a device has begun to compute, and left to the CPU, and that the program then writes.
  const auto fill = itk::GrayscaleFillholeImageFilter<Floats, Floats>::New();
  fill->SetInput(image);
  const auto median = itk::MedianImageFilter<Floats, Floats>::New();
  median->SetInput(fill->GetOutput());
  fill->Update();
  for (const float next : { 50.0f, 70.0f })
  {
    median->Update();
    Read(median->GetOutput(), sum);
    for (itk::ImageRegionIterator<Floats> it(fill->GetOutput(), fill->GetOutput()->GetBufferedRegion()); !it.IsAtEnd();
         ++it)
    {
      it.Set(next);
    }
    fill->GetOutput()->Modified();
  }
  median->Update();
  Read(median->GetOutput(), sum);

  // More areas than labels.
  const auto many = Floats::New();
  many->SetRegions(Floats::SizeType{ { 300, 301 } });
  many->Allocate();
  float value = 0.0f;
  for (itk::ImageRegionIterator<Floats> it(many, many->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(value += 1.0f);
  }
  const auto areas = itk::ScalarConnectedComponentImageFilter<Floats, Labels>::New();
  areas->SetInput(many);
  areas->Update();
  Read(areas->GetOutput(), sum);

  // ITK's filter compares sizes only.
  const auto mask = MakeImage<Bytes>();
  const auto marker = MakeImage<Bytes>(2);
  marker->SetRegions(Bytes::RegionType{ { { 2, 1 } }, marker->GetBufferedRegion().GetSize() });
  const auto reconstruction = itk::ReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  reconstruction->SetMarkerImage(marker);
  reconstruction->SetMaskImage(mask);
  try
  {
    reconstruction->Update();
    sum.Add(1);
  }
  catch (const itk::ExceptionObject &)
  {
    sum.Add(2);
  }
}

/** An image whose pixels the program has released: the filter throws. Others still run on the device. */
void
UseReleasedPixels(Sum & sum)
{
  const auto image = MakeImage<Bytes>();
  const auto threshold = itk::BinaryThresholdImageFilter<Bytes, Bytes>::New();
  threshold->SetLowerThreshold(80);
  threshold->SetInput(image);
  threshold->Update();
  Read(threshold->GetOutput(), sum);
  image->ReleaseData();
  image->Modified();
  try
  {
    threshold->Update();
    sum.Add(1);
  }
  catch (const itk::ExceptionObject &)
  {
    sum.Add(2);
  }
  threshold->SetInput(MakeImage<Bytes>(2));
  threshold->Update();
  Read(threshold->GetOutput(), sum);
}

/** A source whose image several threads share. */
class Source : public itk::ImageSource<Bytes>
{
public:
  using Self = Source;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

protected:
  void
  GenerateOutputInformation() override
  {
    this->GetOutput()->SetLargestPossibleRegion(MakeImage<Bytes>()->GetBufferedRegion());
  }
  void
  GenerateData() override
  {
    this->GetOutput()->Graft(MakeImage<Bytes>());
  }
};

void
RunInThreads(Sum & sum)
{
  const auto source = Source::New();
  source->Update();
  std::vector<Sum>         sums(4);
  std::vector<std::thread> threads;
  for (Sum & part : sums)
  {
    threads.emplace_back([&part, &source] {
      ReadChain<Bytes>(part);
      const Chain<Bytes> chain;
      chain.First->SetInput(source->GetOutput());
      for (unsigned int radius = 1; radius < 5; ++radius)
      {
        chain.First->SetRadius(radius);
        chain.Third->Update();
        chain.ReadAll(part);
      }
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  for (const Sum & part : sums)
  {
    sum.Add(part.Get());
  }
}

void
Fork(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Third->Update();
  int ends[2];
  if (pipe(ends) != 0)
  {
    return;
  }
  const pid_t child = fork();
  if (child == 0)
  {
    Sum inChild;
    try
    {
      chain.ReadAll(inChild);
      ReadChain<Bytes>(inChild);
    }
    catch (const std::exception & error)
    {
      std::cerr << error.what() << std::endl;
      _exit(2);
    }
    const auto value = inChild.Get();
    _exit(write(ends[1], &value, sizeof(value)) == sizeof(value) ? 0 : 1);
  }
  close(ends[1]);
  int status = 0;
  waitpid(child, &status, 0);
  sum.Add(status);
  std::uint64_t value = 0;
  sum.Add(read(ends[0], &value, sizeof(value)));
  sum.Add(value);
  chain.ReadAll(sum);
}

void
UseFactories(Sum & sum)
{
  const Chain<Bytes> before;
  before.Third->Update();
  itk::ObjectFactoryBase::UnRegisterAllFactories();
  before.ReadAll(sum);
  before.First->SetRadius(2);
  before.Third->Update();
  before.ReadAll(sum);
  ReadChain<Bytes>(sum);
  itk::ObjectFactoryBase::ReHash();
  ReadChain<Bytes>(sum);
}

/** The program's own median filter: it adds 1. */
class OwnMedian : public Chain<Bytes>::Median
{
public:
  using Self = OwnMedian;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

protected:
  void
  GenerateData() override
  {
    this->AllocateOutputs();
    itk::ImageRegionConstIterator<Bytes> in(this->GetInput(), this->GetOutput()->GetRequestedRegion());
    for (itk::ImageRegionIterator<Bytes> out(this->GetOutput(), in.GetRegion()); !out.IsAtEnd(); ++in, ++out)
    {
      out.Set(static_cast<unsigned char>(in.Get() + 1));
    }
  }
};

class OwnFactory : public itk::ObjectFactoryBase
{
public:
  using Self = OwnFactory;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  const char *
  GetITKSourceVersion() const override
  {
    return ITK_SOURCE_VERSION;
  }
  const char *
  GetDescription() const override
  {
    return "The program's median filter";
  }

protected:
  OwnFactory()
  {
    this->RegisterOverride(typeid(Chain<Bytes>::Median).name(),
                           typeid(OwnMedian).name(),
                           "adds 1",
                           true,
                           itk::CreateObjectFunction<OwnMedian>::New());
  }
};

/** A factory of the program, which ITK asks after the plug-in's. */
void
RegisterOwnFactory(Sum & sum)
{
  const auto factory = OwnFactory::New();
  itk::ObjectFactoryBase::RegisterFactory(factory);
  ReadChain<Bytes>(sum);
  factory->Disable(typeid(Chain<Bytes>::Median).name());
  ReadChain<Bytes>(sum);
  itk::ObjectFactoryBase::UnRegisterFactory(factory);
  ReadChain<Bytes>(sum);
}

void
CloneFilter(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         another = chain.First->CreateAnother();
  auto * const       median = dynamic_cast<Chain<Bytes>::Median *>(another.GetPointer());
  sum.Add(median != nullptr);
  sum.Add(std::strcmp(another->GetNameOfClass(), "MedianImageFilter"));
  median->SetInput(chain.Input);
  const auto fill = Chain<Bytes>::Fill::New();
  fill->SetInput(median->GetOutput());
  fill->Update();
  Read(median->GetOutput(), sum);
  Read(fill->GetOutput(), sum);
}

void
Measure(Sum & sum)
{
  const Chain<Bytes> chain;
  const auto         statistics = itk::StatisticsImageFilter<Bytes>::New();
  statistics->SetInput(chain.Second->GetOutput());
  statistics->Update();
  sum.Add(statistics->GetSum());
  sum.Add(statistics->GetMaximum());
  Read(chain.First->GetOutput(), sum);
  Read(chain.Second->GetOutput(), sum);
}

template <typename TFilter>
typename TFilter::Pointer
MakeFilter(const typename TFilter::InputImageType * input)
{
  const auto filter = TFilter::New();
  filter->SetInput(input);
  return filter;
}

void
ComputeDanielsson(Sum & sum)
{
  const auto threshold = MakeFilter<itk::BinaryThresholdImageFilter<Bytes, Bytes>>(MakeImage<Bytes>());
  threshold->SetLowerThreshold(80);
  const auto distances = MakeFilter<itk::SignedDanielssonDistanceMapImageFilter<Bytes, Floats>>(threshold->GetOutput());
  distances->Update();
  Read(distances->GetOutput(), sum);

  // ITK's filter has the new distances in another container.
  const auto kept = Floats::New();
  kept->Graft(distances->GetOutput());
  const float * const      pixels = kept->GetBufferPointer();
  const std::vector<float> former(pixels, pixels + kept->GetBufferedRegion().GetNumberOfPixels());
  threshold->SetLowerThreshold(60);
  distances->Update();
  Read(distances->GetOutput(), sum);
  std::cout << "former distances are kept: " << std::equal(former.begin(), former.end(), pixels) << std::endl;
}

/** What filters tell beside their images. */
void
AskForValues(Sum & sum)
{
  const auto image = MakeImage<Bytes>();
  const auto run = [&](auto filter, auto ask) {
    filter->Update();
    const auto value = ask(*filter);
    std::cout << filter->GetNameOfClass() << ' ' << +value << std::endl;
  };
  const auto threshold = MakeFilter<itk::BinaryThresholdImageFilter<Bytes, Bytes>>(image);
  threshold->SetLowerThreshold(80);
  using Components = itk::ConnectedComponentImageFilter<Bytes, Labels>;
  const auto components = MakeFilter<Components>(threshold->GetOutput());
  run(components, [](auto & filter) { return filter.GetObjectCount(); });
  using Relabel = itk::RelabelComponentImageFilter<Labels, Labels>;
  run(MakeFilter<Relabel>(components->GetOutput()), [](auto & f) { return f.GetSizeOfObjectsInPixels()[0]; });
  run(MakeFilter<Relabel>(components->GetOutput()), [](auto & f) { return f.GetNumberOfObjects(); });
  using Otsu = itk::OtsuThresholdImageFilter<Bytes, Bytes>;
  run(MakeFilter<Otsu>(image), [](auto & filter) { return filter.GetThreshold(); });
  using Classes = itk::OtsuMultipleThresholdsImageFilter<Bytes, Bytes>;
  run(MakeFilter<Classes>(image), [](auto & filter) { return filter.GetThresholds()[0]; });
  using Rescale = itk::RescaleIntensityImageFilter<Bytes, Bytes>;
  run(MakeFilter<Rescale>(image), [](auto & filter) { return filter.GetScale(); });
  run(MakeFilter<Rescale>(image), [](auto & filter) { return filter.GetShift(); });
  run(MakeFilter<Rescale>(image), [](auto & filter) { return filter.GetInputMaximum(); });
  run(MakeFilter<Rescale>(image), [](auto & filter) { return filter.GetFunctor()(100); });
  using Window = itk::IntensityWindowingImageFilter<Bytes, Bytes>;
  run(MakeFilter<Window>(image), [](auto & filter) { return filter.GetScale(); });
  const auto shift = MakeFilter<itk::ShiftScaleImageFilter<Bytes, Bytes>>(image);
  shift->SetScale(2.5);
  run(shift, [](auto & filter) { return filter.GetOverflowCount(); });
  run(shift, [](auto & filter) { return filter.GetUnderflowCount(); });
  using Extrema = itk::MinimumMaximumImageFilter<Bytes>;
  run(MakeFilter<Extrema>(image), [](auto & filter) { return filter.GetMaximum(); });
  using Moments = itk::StatisticsImageFilter<Bytes>;
  run(MakeFilter<Moments>(image), [](auto & filter) { return filter.GetVariance(); });
  using Histogram = itk::Statistics::ImageToHistogramFilter<Bytes>;
  const auto histogram = MakeFilter<Histogram>(image);
  histogram->SetHistogramSize(Histogram::HistogramSizeType(1, 16));
  run(histogram, [](auto & filter) { return filter.GetOutput()->GetFrequency(3); });
  const auto objects = itk::LabelStatisticsImageFilter<Bytes, Labels>::New();
  objects->SetInput(image);
  objects->SetLabelInput(components->GetOutput());
  run(objects, [](auto & filter) { return filter.GetMean(1); });
  const auto hausdorff = itk::HausdorffDistanceImageFilter<Bytes, Bytes>::New();
  const auto other = MakeFilter<itk::BinaryThresholdImageFilter<Bytes, Bytes>>(image);
  other->SetLowerThreshold(100);
  hausdorff->SetInput1(threshold->GetOutput());
  hausdorff->SetInput2(other->GetOutput());
  run(hausdorff, [](auto & filter) { return filter.GetHausdorffDistance(); });
  const auto directed = itk::DirectedHausdorffDistanceImageFilter<Bytes, Bytes>::New();
  directed->SetInput1(threshold->GetOutput());
  directed->SetInput2(other->GetOutput());
  run(directed, [](auto & filter) { return filter.GetDirectedHausdorffDistance(); });
  sum.Add(0);
}

/** Runs a filter of ITK that is not replaced, but has filters inside that are. */
template <typename TFilter>
void
RunComposite(const char * name, TFilter & filter)
{
  std::cerr << "composite: " << name << std::endl;
  filter.Update();
  Sum sum;
  using Output = std::remove_const_t<std::remove_pointer_t<decltype(filter.GetOutput())>>;
  Read(static_cast<const Output *>(filter.GetOutput()), sum);
  std::cout << name << ": " << sum.Get() << std::endl;
}

void
RunComposites(Sum & sum)
{
  using Ball = itk::BinaryBallStructuringElement<unsigned char, 2>;
  const auto input = MakeImage<Bytes>();
  Ball       ball;
  ball.SetRadius(2);
  ball.CreateStructuringElement();

  RunComposite("GrayscaleGrindPeak", *MakeFilter<itk::GrayscaleGrindPeakImageFilter<Bytes, Bytes>>(input));
  const auto opening = MakeFilter<itk::GrayscaleConnectedOpeningImageFilter<Bytes, Bytes>>(input);
  opening->SetSeed({ { 20, 20 } });
  RunComposite("GrayscaleConnectedOpening", *opening);
  const auto closing = MakeFilter<itk::GrayscaleConnectedClosingImageFilter<Bytes, Bytes>>(input);
  closing->SetSeed({ { 20, 20 } });
  RunComposite("GrayscaleConnectedClosing", *closing);
  const auto hat = MakeFilter<itk::WhiteTopHatImageFilter<Bytes, Bytes, Ball>>(input);
  hat->SetKernel(ball);
  RunComposite("WhiteTopHat", *hat);
  const auto black = MakeFilter<itk::BlackTopHatImageFilter<Bytes, Bytes, Ball>>(input);
  black->SetKernel(ball);
  RunComposite("BlackTopHat", *black);
  const auto maximum = MakeFilter<itk::ThresholdMaximumConnectedComponentsImageFilter<Bytes, Bytes>>(input);
  maximum->SetMinimumObjectSizeInPixels(3);
  RunComposite("ThresholdMaximumConnectedComponents", *maximum);

  const auto contours = itk::ContourMeanDistanceImageFilter<Bytes, Bytes>::New();
  const auto threshold = MakeFilter<itk::BinaryThresholdImageFilter<Bytes, Bytes>>(input);
  threshold->SetLowerThreshold(80);
  const auto other = MakeFilter<itk::BinaryThresholdImageFilter<Bytes, Bytes>>(input);
  other->SetLowerThreshold(100);
  contours->SetInput1(threshold->GetOutput());
  contours->SetInput2(other->GetOutput());
  threshold->Update();
  other->Update();
  std::cerr << "composite: ContourMeanDistance" << std::endl;
  contours->Update();
  std::cout << "ContourMeanDistance: " << contours->GetMeanDistance() << std::endl;

  sum.Add(0);
}

/** Runs a filter of ITK that finds edges, and writes them as a line of zeros and ones. */
template <typename TFilter>
void
WriteEdges(const char * name)
{
  std::cerr << "composite: " << name << std::endl;
  const auto filter = MakeFilter<TFilter>(MakeImage<Floats>());
  filter->SetVariance(2.0);
  filter->Update();
  for (const float pixel : itk::ImageBufferRange<Floats>(*filter->GetOutput()))
  {
    std::cout << (pixel != 0.0f);
  }
  std::cout << std::endl;
}

void
RunEdgeDetectors(Sum & sum)
{
  WriteEdges<itk::CannyEdgeDetectionImageFilter<Floats, Floats>>("CannyEdgeDetection");
  WriteEdges<itk::ZeroCrossingBasedEdgeDetectionImageFilter<Floats, Floats>>("ZeroCrossingBasedEdgeDetection");
  sum.Add(0);
}

// Destroyed when the program ends.
Bytes::Pointer                                 lastImage;
itk::HMaximaImageFilter<Bytes, Bytes>::Pointer lastFilter;

void
KeepUntilTheEnd(Sum & sum)
{
  lastFilter = itk::HMaximaImageFilter<Bytes, Bytes>::New();
  lastFilter->SetInput(MakeImage<Bytes>());
  lastFilter->SetHeight(10);
  lastFilter->Update();
  lastImage = lastFilter->GetOutput();
  Read(lastImage.GetPointer(), sum);
}

/** An image that is read by a filter on the device, and then by one on the CPU; and a streamed difference of two
 * filters that request different regions of one image. */
void
RunDiamonds(Sum & sum)
{
  const auto first = itk::MedianImageFilter<Bytes, Bytes>::New();
  first->SetInput(MakeImage<Bytes>());
  const auto second = itk::MedianImageFilter<Bytes, Bytes>::New();
  second->SetInput(first->GetOutput());
  second->SetRadius(4);
  const auto flip = itk::FlipImageFilter<Bytes>::New();
  flip->SetInput(first->GetOutput());
  const auto flipped = itk::SubtractImageFilter<Bytes, Bytes, Bytes>::New();
  flipped->SetInput1(second->GetOutput());
  flipped->SetInput2(flip->GetOutput());
  flipped->Update();
  Read(flipped->GetOutput(), sum);
  Read(second->GetOutput(), sum);

  const auto third = itk::MedianImageFilter<Bytes, Bytes>::New();
  third->SetInput(first->GetOutput());
  third->SetRadius(1);
  const auto difference = itk::SubtractImageFilter<Bytes, Bytes, Bytes>::New();
  difference->SetInput1(second->GetOutput());
  difference->SetInput2(third->GetOutput());
  const auto stream = itk::StreamingImageFilter<Bytes, Bytes>::New();
  stream->SetInput(difference->GetOutput());
  stream->SetNumberOfStreamDivisions(3);
  first->Modified();
  stream->Update();
  Read(stream->GetOutput(), sum);
}

/** An image that no filter computes, and that ITK releases after its use. */
void
ReleaseInput(Sum & sum)
{
  const Chain<Bytes> chain;
  chain.Input->ReleaseDataFlagOn();
  chain.Third->Update();
  chain.ReadAll(sum);
}

/** Two runs of one chain. test_plugin.py lets the device fail at each call of CUDA's in turn. */
void
RunTwice(Sum & sum)
{
  Chain<Bytes> chain;
  chain.Third->Update();
  chain.ReadAll(sum);
  chain.First->SetRadius(2);
  chain.Third->Update();
  chain.ReadAll(sum);
}
} // namespace

int
main(int argc, char ** argv)
{
  const std::vector<std::pair<std::string, std::function<void(Sum &)>>> parts = {
    { "chain", ReadChain<Bytes> },
    { "chain-3d", ReadChain<Volume> },
    { "reverse", ReadInReverse },
    { "written", WriteIntermediate },
    { "in-place", UseInPlace },
    { "in-place-chain", RunChainInPlace },
    { "disconnected", Disconnect },
    { "released", Release },
    { "streamed", Stream },
    { "failed", Fail },
    { "observed", Observe },
    { "progress", ObserveProgress },
    { "observed-composite", ObserveComposite },
    { "ended", EndRuns },
    { "modified", CountModifications },
    { "iterations", ObserveIterations },
    { "in-filter", UseImagesInFilter },
    { "loop", RunInLoop },
    { "beside", ObserveBeside },
    { "written-beside", WriteBeside },
    { "by-hand", UpdateByHand },
    { "names", AskForNames },
    { "unusual", UseUnusualPixels },
    { "missing", UseReleasedPixels },
    { "threads", RunInThreads },
    { "own-factory", RegisterOwnFactory },
    { "clone", CloneFilter },
    { "measured", Measure },
    { "values", AskForValues },
    { "danielsson", ComputeDanielsson },
    { "composites", RunComposites },
    { "edges", RunEdgeDetectors },
    { "diamonds", RunDiamonds },
    { "released-input", ReleaseInput },
    { "twice", RunTwice },
    { "factories", UseFactories },
    { "end", KeepUntilTheEnd },
    { "fork", Fork },
  };
  // A decimal comma, and groups of three digits.
  struct Punctuation : std::numpunct<char>
  {
    char
    do_decimal_point() const override
    {
      return ',';
    }
    char
    do_thousands_sep() const override
    {
      return '.';
    }
    std::string
    do_grouping() const override
    {
      return "\3";
    }
  };
  std::locale::global(std::locale(std::locale(), new Punctuation));
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  if (wanted == std::vector<std::string>{ "--list" })
  {
    for (const auto & part : parts)
    {
      std::cout << part.first << '\n';
    }
    return EXIT_SUCCESS;
  }
  for (const auto & part : parts)
  {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), part.first) != wanted.end())
    {
      Sum sum;
      try
      {
        part.second(sum);
        std::cout << part.first << ": " << sum.Get() << std::endl;
      }
      catch (const std::exception & error)
      {
        std::cout << part.first << ": exception " << error.what() << std::endl;
      }
    }
  }
  return EXIT_SUCCESS;
}
