// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// What programs may do with images around our filters: every pixel is the one that ITK's own filters would show.

#include "itkAddImageFilter.h"
#include "itkConstNeighborhoodIterator.h"
#include "itkCudaBackedImage.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageBufferRange.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkImageScanlineIterator.h"
#include "itkMedianImageFilter.h"
#include "itkShiftScaleImageFilter.h"
#include "itkUnaryGeneratorImageFilter.h"
#include "CudaFilters/detail/GaussianMasks.h"
#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>
#if defined(__unix__)
#  include <sys/types.h>
#  include <sys/wait.h>
#  include <unistd.h>
#endif
#if defined(__linux__)
#  include <dlfcn.h>
#  include <pthread.h>
#endif

namespace
{
using namespace itk::CudaTest;
using itk::CudaPixelSideEnum;

using Floats = itk::Image<float, 2>;
using Backed = itk::CudaBackedImage<float, 2>;
using CpuGaussian = itk::DiscreteGaussianImageFilter<Floats, Floats>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats>;
using BackedGaussian = itk::CudaDiscreteGaussianImageFilter<Backed>;

const Floats::SizeType imageSize{ { 40, 30 } };
constexpr unsigned int numberOfPixels = 40 * 30;

Floats::Pointer
MakeInput(unsigned int seed = 1)
{
  return MakeRandomImage<Floats>(imageSize, seed);
}

/** A CudaBackedImage with random pixels on the host. */
Backed::Pointer
MakeBacked(unsigned int seed = 1)
{
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->Allocate();
  std::copy_n(MakeInput(seed)->GetBufferPointer(), numberOfPixels, image->GetBufferPointer());
  return image;
}

template <typename TFilter, typename TImage>
typename TFilter::Pointer
Smooth(const TImage * image, double variance = 1.5)
{
  const auto filter = TFilter::New();
  filter->SetInput(image);
  filter->SetVariance(variance);
  return filter;
}

/** An independent copy of an image, as it can be read now. */
Floats::Pointer
Copy(const Floats * image)
{
  const auto copy = Floats::New();
  copy->CopyInformation(image);
  copy->SetRegions(image->GetBufferedRegion());
  copy->Allocate();
  std::copy_n(image->GetBufferPointer(), image->GetBufferedRegion().GetNumberOfPixels(), copy->GetBufferPointer());
  return copy;
}

Floats::Pointer
SmoothOnCpu(const Floats * image, double variance = 1.5)
{
  const auto filter = Smooth<CpuGaussian>(image, variance);
  filter->Update();
  return filter->GetOutput();
}

/** Expects of a new CUDA filter that it sees the image as it is on the host now. */
void
ExpectNextFilterToSee(const Floats * expected, Backed * image)
{
  const auto next = Smooth<BackedGaussian>(image);
  next->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(expected), next->GetOutput());
}

void
AddToAll(float * pixels, float value)
{
  for (unsigned int i = 0; i < numberOfPixels; ++i)
  {
    pixels[i] += value;
  }
}

/** Adds 500 to all pixels of an image, in place. */
template <typename TImage>
typename itk::AddImageFilter<TImage, TImage, TImage>::Pointer
AddInPlace(const TImage * image)
{
  const auto add = itk::AddImageFilter<TImage, TImage, TImage>::New();
  add->SetInput1(image);
  add->SetConstant2(500.0f);
  add->InPlaceOn();
  return add;
}

/** Expects of two filters, with such a filter between them, that both compute anew as ITK's would. */
template <typename TFilter>
void
ExpectAddedBetween(const Floats * image, TFilter & before, TFilter & after)
{
  for (unsigned int round = 0; round < 3; ++round)
  {
    before.SetVariance(1.0 + round);
    after.Update();
    const auto expected = SmoothOnCpu(Copy(image), 1.0 + round);
    AddToAll(expected->GetBufferPointer(), 500.0f);
    ExpectSameSmoothing<Floats>(SmoothOnCpu(expected), after.GetOutput());
  }
}

template <typename TIterator>
void
WriteTwice()
{
  const auto image = MakeBacked();
  // The filter reads; so the device has the pixels.
  ExpectNextFilterToSee(Copy(image), image);
  for (unsigned int round = 1; round < 4; ++round)
  {
    for (TIterator it(image, image->GetBufferedRegion()); !it.IsAtEnd();)
    {
      it.Set(it.Get() + 100.0f * static_cast<float>(round));
      ++it;
      if constexpr (std::is_same<TIterator, itk::ImageScanlineIterator<Backed>>::value)
      {
        if (it.IsAtEndOfLine())
        {
          it.NextLine();
        }
      }
    }
    ExpectNextFilterToSee(Copy(image), image);
  }
}
} // namespace

// ---- Writers that tell nobody ---------------------------------------------------------------------------------------

TEST(CudaItkUses, WritesByAnImageRegionIterator) { WriteTwice<itk::ImageRegionIterator<Backed>>(); }

TEST(CudaItkUses, WritesByAnImageScanlineIterator) { WriteTwice<itk::ImageScanlineIterator<Backed>>(); }

TEST(CudaItkUses, WritesByAnImageRegionIteratorWithIndex) { WriteTwice<itk::ImageRegionIteratorWithIndex<Backed>>(); }

TEST(CudaItkUses, IteratorThatOutlivesTheUpdate)
{
  const auto image = MakeBacked();
  const auto first = Smooth<BackedGaussian>(image.GetPointer());
  const auto second = Smooth<BackedGaussian>(first->GetOutput());
  first->Update();

  itk::ImageRegionIterator<Backed> it(first->GetOutput(), first->GetOutput()->GetBufferedRegion());
  for (unsigned int round = 0; round < 3; ++round)
  {
    for (it.GoToBegin(); !it.IsAtEnd(); ++it)
    {
      it.Set(it.Get() + 100.0f);
    }
    second->Modified();
    second->Update();
    ExpectSameSmoothing<Floats>(SmoothOnCpu(Copy(first->GetOutput())), second->GetOutput());
  }
}

// GetPixel() const and the container's operator[] const read only: what the device has stays trusted.
TEST(CudaItkUses, ConstGetPixelCostsNoUpload)
{
  const auto image = MakeBacked();
  const auto first = Smooth<BackedGaussian>(image.GetPointer());
  first->Update();
  const CopyWatch      copies;
  const Backed * const output = first->GetOutput();
  const float          pixel = output->GetPixel({ { 5, 6 } });
  EXPECT_EQ((*output)[Backed::IndexType({ { 5, 6 } })], pixel);
  EXPECT_EQ((*output->GetCudaPixelContainer())[6 * 40 + 5], pixel);
  copies.Expect(0, 1);
  Smooth<BackedGaussian>(output)->Update();
  copies.Expect(0, 1);
}

// A CPU filter that reads in the same update, by iterators that could write, costs no upload.
TEST(CudaItkUses, ReadingNeighborhoodsInOneUpdateCostsNoUpload)
{
  const auto first = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  const auto median = itk::MedianImageFilter<Backed, Floats>::New(); // by a ConstNeighborhoodIterator
  median->SetInput(first->GetOutput());
  const auto second = Smooth<itk::CudaDiscreteGaussianImageFilter<Backed, Floats>>(first->GetOutput());
  const auto add = itk::AddImageFilter<Floats>::New();
  add->SetInput1(median->GetOutput());
  add->SetInput2(second->GetOutput());
  const CopyWatch copies;
  add->Update();
  copies.Expect(1, 2);
}

// ---- Filters that run in place --------------------------------------------------------------------------------------

TEST(CudaItkUses, InPlaceCpuFilterBetweenCudaFilters)
{
  const auto image = MakeBacked();
  const auto before = Smooth<BackedGaussian>(image.GetPointer());
  const auto add = AddInPlace<Backed>(before->GetOutput());
  const auto after = Smooth<BackedGaussian>(add->GetOutput());
  ExpectAddedBetween(image, *before, *after);
}

namespace
{
/** ITK's AddImageFilter, which runs in place, with an operation for no device: always falls back to the CPU. */
template <typename TImage>
class FallbackAdd : public itk::CudaAcceleratedImageFilter<itk::AddImageFilter<TImage>>
{
public:
  itkCudaFilterMacro(FallbackAdd, itk::CudaAcceleratedImageFilter<itk::AddImageFilter<TImage>>);

protected:
  FallbackAdd() = default;

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    return nullptr;
  }
};

template <typename TImage>
void
FallBackInPlace()
{
  using CudaFilter = itk::CudaDiscreteGaussianImageFilter<TImage>;
  const auto image = MakeBacked();
  const auto before = Smooth<CudaFilter>(image.GetPointer());
  const auto add = FallbackAdd<TImage>::New();
  add->SetInput1(before->GetOutput());
  add->SetConstant2(500.0f);
  add->InPlaceOn();
  const auto after = Smooth<CudaFilter>(add->GetOutput());
  ExpectAddedBetween(image, *before, *after);
}
} // namespace

TEST(CudaItkUses, InPlaceParentThatFallsBack) { FallBackInPlace<Backed>(); }

TEST(CudaItkUses, InPlaceParentOfPlainImagesThatFallsBack) { FallBackInPlace<Floats>(); }

// ---- Pointers and views that are kept -------------------------------------------------------------------------------

TEST(CudaItkUses, KeptPointerShowsTheNextResult)
{
  const auto image = MakeBacked();
  const auto filter = Smooth<BackedGaussian>(image.GetPointer());
  filter->Update();
  const float * const view = filter->GetOutput()->GetBufferPointer();
  filter->SetVariance(9.0);
  filter->Update();
  const auto expected = SmoothOnCpu(Copy(image), 9.0);
  EXPECT_NEAR(view[41], expected->GetBufferPointer()[41], 0.02);
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), view);

  // The filter in the middle of a pipeline, too.
  const auto next = Smooth<BackedGaussian>(filter->GetOutput());
  filter->SetVariance(2.0);
  next->Update();
  EXPECT_NEAR(view[41], SmoothOnCpu(Copy(image), 2.0)->GetBufferPointer()[41], 0.02);
}

TEST(CudaItkUses, WritesThroughAKeptPointerCount)
{
  const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  filter->Update();
  float * const view = filter->GetOutput()->GetBufferPointer();
  filter->SetVariance(9.0);
  filter->Update();
  AddToAll(view, 300.0f);
  filter->GetOutput()->Modified();
  const auto changed = Copy(filter->GetOutput());
  EXPECT_EQ(changed->GetBufferPointer()[41], view[41]);
  ExpectNextFilterToSee(changed, filter->GetOutput());
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 1, 1 } }), view[41]);
}

TEST(CudaItkUses, ImagesThatNobodyReadOnTheHostStayOnTheDevice)
{
  const auto      first = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  const auto      second = Smooth<BackedGaussian>(first->GetOutput());
  const CopyWatch copies;
  for (unsigned int round = 0; round < 3; ++round)
  {
    first->SetVariance(1.0 + round);
    first->Update();
    second->Update();
  }
  EXPECT_EQ(copies.Get().Downloads, 0u);
}

TEST(CudaItkUses, GraftOfAnUntrackedImageIntoATrackedOne)
{
  const auto filter = Smooth<Gaussian>(MakeInput().GetPointer());
  const auto next = Smooth<Gaussian>(filter->GetOutput());
  next->Update();
  Floats * const output = filter->GetOutput();
  output->GetBufferPointer(); // the host has the pixels, and the device, too
  const auto tracked = Backed::New();
  tracked->Graft(output);
  output->FillBuffer(7.0f); // by ITK's own method, which tells nobody
  ExpectNextFilterToSee(MakeConstantImage<Floats>(imageSize, 7.0f), tracked);
}

// ---- Observers ------------------------------------------------------------------------------------------------------

namespace
{
using Edit = std::function<void(Backed *)>;

/** An observer of the first filter's event edits its output while the second filter is updated. */
void
EditDuringUpdate(const itk::EventObject & event, bool lookBefore, const Edit & edit)
{
  const auto first = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  if (lookBefore)
  {
    first->Update();
    first->GetOutput()->GetBufferPointer();
    first->Modified();
  }
  const auto second = Smooth<BackedGaussian>(first->GetOutput());
  bool       isEdited = false;
  first->AddObserver(event, [&](const itk::EventObject & happened) {
    const bool isLast = !itk::ProgressEvent().CheckEvent(&happened) || first->GetProgress() >= 1.0f;
    if (isLast && !isEdited)
    {
      isEdited = true;
      edit(first->GetOutput());
    }
  });
  second->Update();
  first->RemoveAllObservers();
  ASSERT_TRUE(isEdited);
  const auto expected = SmoothOnCpu(Copy(MakeBacked()));
  AddToAll(expected->GetBufferPointer(), 500.0f);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(expected), second->GetOutput());
}

void
EditByPointer(Backed * image)
{
  AddToAll(image->GetBufferPointer(), 500.0f);
}

void
EditByIterator(Backed * image)
{
  for (itk::ImageRegionIterator<Backed> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() + 500.0f);
  }
}

/** By accessors of itk::Image, once the pixels are visible there. */
void
EditAsPlainImage(Backed * image)
{
  image->MakeHostValid();
  Floats & plain = *image;
  for (itk::ImageRegionConstIterator<Floats> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    plain.SetPixel(it.GetIndex(), it.Get() + 500.0f);
  }
}
} // namespace

TEST(CudaItkUses, EndEventObserverEditsTheOutput)
{
  for (const bool lookBefore : { false, true })
  {
    EditDuringUpdate(itk::EndEvent(), lookBefore, EditByPointer);
    EditDuringUpdate(itk::EndEvent(), lookBefore, EditByIterator);
    EditDuringUpdate(itk::EndEvent(), lookBefore, EditAsPlainImage);
  }
}

TEST(CudaItkUses, LastProgressEventObserverEditsTheOutput)
{
  if (HasDevice()) // on the CPU, ITK reports the last progress before the last pixels
  {
    for (const bool lookBefore : { false, true })
    {
      EditDuringUpdate(itk::ProgressEvent(), lookBefore, EditByIterator);
    }
  }
}

// ---- Code that knows itk::Image only --------------------------------------------------------------------------------

// The output of a filter in the middle of a pipeline, asked from that filter after the pipeline has run.
TEST(CudaItkUses, IntermediateOutputAsPlainImage)
{
  const auto first = Smooth<Gaussian>(MakeInput().GetPointer());
  const auto other = Smooth<Gaussian>(MakeInput(2).GetPointer());
  Smooth<Gaussian>(first->GetOutput())->Update();
  Smooth<Gaussian>(other->GetOutput())->Update();

  const auto expected = SmoothOnCpu(MakeInput());
  EXPECT_NEAR(first->GetOutput()->GetPixel({ { 1, 1 } }), expected->GetPixel({ { 1, 1 } }), 0.02);
  EXPECT_FALSE(*first->GetOutput() == *other->GetOutput());
  ASSERT_NE(first->GetOutput()->GetPixelContainer()->GetBufferPointer(), nullptr);
  const itk::ImageBufferRange<Floats> range(*first->GetOutput());
  ASSERT_EQ(range.size(), numberOfPixels);
  EXPECT_NEAR(range[41], expected->GetBufferPointer()[41], 0.02);
}

TEST(CudaItkUses, ComparisonOfImagesOnTheDevice)
{
  const auto a = Smooth<BackedGaussian>(MakeBacked(1).GetPointer());
  const auto b = Smooth<BackedGaussian>(MakeBacked(2).GetPointer());
  const auto c = Smooth<BackedGaussian>(MakeBacked(1).GetPointer());
  a->Update();
  b->Update();
  c->Update();
  EXPECT_FALSE(*a->GetOutput() == *b->GetOutput());
  EXPECT_TRUE(*a->GetOutput() == *c->GetOutput());
}

// ---- Who owns the memory --------------------------------------------------------------------------------------------

TEST(CudaItkUses, MemoryTakenOverIsDeletedByDelete)
{
  for (const bool lookBefore : { true, false })
  {
    float * taken = nullptr;
    {
      const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
      filter->Update();
      Backed * const image = filter->GetOutput();
      if (lookBefore)
      {
        taken = image->GetBufferPointer();
      }
      image->GetPixelContainer()->ContainerManageMemoryOff();
      taken = image->GetBufferPointer();
    }
    EXPECT_NEAR(taken[41], SmoothOnCpu(Copy(MakeBacked()))->GetBufferPointer()[41], 0.02);
    delete[] taken;
  }
  // Of an image that ITK knows as its own.
  float * taken = nullptr;
  {
    const auto filter = Smooth<Gaussian>(MakeInput().GetPointer());
    filter->Update();
    taken = filter->GetOutput()->GetBufferPointer();
    filter->GetOutput()->GetPixelContainer()->SetContainerManageMemory(false);
  }
  delete[] taken;
}

TEST(CudaItkUses, MemoryGivenByTheUserIsNotFreed)
{
  std::vector<float> memory(numberOfPixels, -1.0f);
  {
    const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
    filter->GetOutput()->SetRegions(imageSize);
    filter->GetOutput()->GetPixelContainer()->SetImportPointer(memory.data(), memory.size(), false);
    filter->Update();
    EXPECT_NEAR(memory[41], SmoothOnCpu(Copy(MakeBacked()))->GetBufferPointer()[41], 0.02);
    filter->GetOutput()->Allocate();
    EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), memory.data());
  }
  memory.assign(numberOfPixels, 1.0f);

  // Larger results need memory of their own.
  std::vector<float> little(10, -1.0f);
  {
    const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
    filter->GetOutput()->GetPixelContainer()->SetImportPointer(little.data(), little.size(), false);
    filter->Update();
    EXPECT_NE(filter->GetOutput()->GetBufferPointer(), little.data());
    ExpectSameSmoothing<Floats>(SmoothOnCpu(Copy(MakeBacked())), filter->GetOutput());
  }
  EXPECT_EQ(little, std::vector<float>(10, -1.0f));
}

// ---- Threads --------------------------------------------------------------------------------------------------------

namespace
{
/** Whether all the functions end within a minute, each in a thread of its own. */
bool
EndInTime(const std::vector<std::function<void()>> & functions)
{
  std::vector<std::future<void>> results;
  for (const auto & function : functions)
  {
    std::packaged_task<void()> task(function);
    results.push_back(task.get_future());
    std::thread(std::move(task)).detach();
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (const auto & result : results)
  {
    if (result.wait_until(end) != std::future_status::ready)
    {
      return false;
    }
  }
  for (auto & result : results)
  {
    result.get();
  }
  return true;
}

/** Waits until so many threads have come here, or for a while: which is not to be needed. */
class Meeting
{
public:
  explicit Meeting(int expected)
    : m_Expected(expected)
  {}

  void
  Wait()
  {
    std::unique_lock<std::mutex> lock(m_Mutex);
    ++m_Arrived;
    m_Condition.notify_all();
    m_Condition.wait_for(lock, std::chrono::seconds(2), [this] { return m_Arrived >= m_Expected; });
  }

private:
  std::mutex              m_Mutex;
  std::condition_variable m_Condition;
  int                     m_Arrived = 0;
  const int               m_Expected;
};
} // namespace

// Two threads read the same two images, each in the other order, and meet in a progress event.
TEST(CudaItkUses, SwappedInputsInTwoThreads)
{
  using Bytes = itk::CudaBackedImage<unsigned char, 2>;
  using Reconstruction = itk::CudaReconstructionByDilationImageFilter<Bytes, Bytes>;
  const auto make = [](unsigned char value) {
    const auto image = Bytes::New();
    image->SetRegions(imageSize);
    image->Allocate();
    image->FillBuffer(value);
    return image;
  };
  const auto a = make(100);
  const auto b = make(100);
  Meeting    meeting(2);
  const auto reconstruct = [&meeting](Bytes * marker, Bytes * mask) {
    const auto filter = Reconstruction::New();
    filter->SetMarkerImage(marker);
    filter->SetMaskImage(mask);
    bool isFirst = true;
    filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (isFirst)
      {
        isFirst = false;
        meeting.Wait();
      }
    });
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetPixel({ { 3, 4 } }), 100);
    filter->RemoveAllObservers();
  };
  for (unsigned int i = 0; i < 20; ++i)
  {
    // Both are on the host alone again.
    a->FillBuffer(100);
    b->FillBuffer(100);
    ASSERT_TRUE(EndInTime({ [&] { reconstruct(a, b); }, [&] { reconstruct(b, a); } })) << "a deadlock";
  }
}

// A progress observer of one filter waits for another thread that reads the same image.
TEST(CudaItkUses, ProgressObserverWaitsForAnotherReader)
{
  const auto image = MakeBacked();
  const auto settings = itk::CudaInterface::New();
  settings->SetSlabBytes(40 * sizeof(float) * 4);
  bool isSeen = true;
  ASSERT_TRUE(EndInTime({ [&] {
    const auto filter = Smooth<BackedGaussian>(image.GetPointer());
    filter->SetCudaInterface(settings);
    filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      auto other = std::async(std::launch::async, [&] {
        const Backed & constImage = *image;
        constImage.GetPixel({ { 0, 0 } });
        image->GetBufferPointer();
        image->GetCudaPixelContainer()->GetValidSide();
        Smooth<BackedGaussian>(image.GetPointer())->Update();
      });
      isSeen = isSeen && other.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
    });
    filter->Update();
    filter->RemoveAllObservers();
  } }));
  EXPECT_TRUE(isSeen) << "the other thread had to wait for the filter";
}

// ---- A process with others ------------------------------------------------------------------------------------------

TEST(CudaSharedProcess, PageLockedMemoryHasALimit)
{
  itk::CudaInterface::ReleaseCachedMemory();
  const double former = itk::CudaInterface::GetPageLockedShare();
  const auto   before = itk::CudaInterface::GetPageLockedBytesHeld();
  EXPECT_NEAR(former, 0.5, 1e-6);
  itk::CudaInterface::SetPageLockedShare(0.0);
  {
    const auto image = MakeBacked();
    const auto filter = Smooth<BackedGaussian>(image.GetPointer());
    filter->Update();
    ExpectSameSmoothing<Floats>(SmoothOnCpu(Copy(image)), filter->GetOutput());
    EXPECT_EQ(itk::CudaInterface::GetPageLockedBytesHeld(), before);
  }
  itk::CudaInterface::SetPageLockedShare(former);
  {
    const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
    filter->Update();
    filter->GetOutput()->GetBufferPointer();
    EXPECT_EQ(itk::CudaInterface::GetPageLockedBytesHeld() > before, HasDevice());
  }
  EXPECT_THROW(itk::CudaInterface::SetPageLockedShare(-0.1), itk::ExceptionObject);
  EXPECT_THROW(itk::CudaInterface::SetPageLockedShare(1.1), itk::ExceptionObject);
}

TEST(CudaSharedProcess, DeviceMemoryKeptForReuseHasALimit)
{
  itk::CudaInterface::ReleaseCachedMemory();
  const double former = itk::CudaInterface::GetDeviceCacheShare();
  const auto   run = [] {
    const auto filter = Smooth<Gaussian>(MakeRandomImage<Floats>({ { 600, 500 } }).GetPointer());
    filter->Update();
  };
  run();
  EXPECT_EQ(itk::CudaInterface::GetDeviceBytesHeld() > 0, HasDevice());
  itk::CudaInterface::SetDeviceCacheShare(0.0);
  run();
  // The next wait for the device gives the memory back; here, that of an image's accessor.
  const auto filter = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  filter->Update();
  filter->GetOutput()->GetBufferPointer();
  EXPECT_LT(itk::CudaInterface::GetDeviceBytesHeld(), 40u << 20);
  itk::CudaInterface::SetDeviceCacheShare(former);
  EXPECT_THROW(itk::CudaInterface::SetDeviceCacheShare(2.0), itk::ExceptionObject);
}

#if defined(__unix__)
// CUDA does not work in a forked process: filters run on the CPU there, and say why.
TEST(CudaSharedProcess, ForkedProcessRunsOnTheCpu)
{
  const auto image = MakeBacked();
  const auto expected = SmoothOnCpu(Copy(image));
  const auto filter = Smooth<BackedGaussian>(image.GetPointer()); // has pixels on the device when the process forks
  filter->Update();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
  {
    int result = 1;
    try
    {
      // The threads of ITK's pool are not there, either.
      const auto smooth = Smooth<Gaussian>(Copy(image).GetPointer());
      smooth->SetNumberOfWorkUnits(1);
      itk::MultiThreaderBase::SetGlobalMaximumNumberOfThreads(1);
      smooth->Update();
      const bool isEqual = GetLargestDifference<Floats>(expected, smooth->GetOutput()) <= 1e-5;
      const bool isOnCpu = !smooth->GetExecutedOnDevice();
      const bool saysWhy = !HasDevice() && smooth->GetExecutedOn().find("fork") != std::string::npos;
      const bool neverUsed = smooth->GetExecutedOn().find("no CUDA") != std::string::npos ||
                             smooth->GetExecutedOn().find("found none") != std::string::npos;
      result = isEqual && isOnCpu && (saysWhy || neverUsed) ? 0 : 2;
    }
    catch (const std::exception & error)
    {
      std::cerr << error.what() << std::endl;
    }
    _exit(result);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  // And the parent goes on.
  filter->Modified();
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice());
}
#endif

namespace
{
/** Destroyed after all that the library has made since. */
struct Globals
{
  BackedGaussian::Pointer Filter;
  Backed::Pointer         Image;
  Floats::Pointer         Plain;
};
Globals globals;
} // namespace

TEST(CudaSharedProcess, ImagesAndFiltersWithStaticLifetime)
{
  EXPECT_EXIT(
    {
      globals.Image = MakeBacked();
      globals.Filter = Smooth<BackedGaussian>(globals.Image.GetPointer());
      globals.Filter->Update();
      const auto plain = Smooth<Gaussian>(MakeInput().GetPointer());
      plain->Update();
      globals.Plain = plain->GetOutput();
      std::exit(0);
    },
    ::testing::ExitedWithCode(0),
    "");
}

#if defined(__linux__)
namespace
{
std::atomic<int> threadsLeft{ -1 }; // -1: no limit
}

/** Takes the place of the system's function, to fail on request. */
extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t * thread, const pthread_attr_t * attributes, void * (*function)(void *), void * argument)
{
  using Function = int (*)(pthread_t *, const pthread_attr_t *, void * (*)(void *), void *);
  static const auto create = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threadsLeft == 0)
  {
    return EAGAIN;
  }
  if (threadsLeft > 0)
  {
    --threadsLeft;
  }
  return create(thread, attributes, function, argument);
}

TEST(CudaSharedProcess, ThreadThatCannotBeStarted)
{
  const auto image = MakeInput();
  const auto expected = SmoothOnCpu(image);
  const auto filter = Smooth<Gaussian>(image.GetPointer());
  if (itk::CudaInterface::GetNumberOfDevices() > 1)
  {
    const auto settings = itk::CudaInterface::New();
    settings->SetDeviceNumbers({ 0, 1 });
    filter->SetCudaInterface(settings);
    threadsLeft = 0;
    const std::string error = GetExceptionOf([&] { filter->Update(); });
    threadsLeft = -1;
    EXPECT_NE(error.find("thread"), std::string::npos) << error;
  }
  filter->Update();
  ExpectSameSmoothing<Floats>(expected, filter->GetOutput());

  if (HasDevice())
  {
    // An upload from pageable memory by several threads makes do with one.
    const auto large = MakeRandomImage<Floats>({ { 2100, 600 } });
    const auto whole = Smooth<Gaussian>(large.GetPointer());
    threadsLeft = 0;
    whole->Update();
    threadsLeft = -1;
    EXPECT_TRUE(whole->GetExecutedOnDevice());
    ExpectSameSmoothing<Floats>(SmoothOnCpu(large), whole->GetOutput());
  }
}
#endif

// ---- Copies that are not needed -------------------------------------------------------------------------------------

TEST(CudaItkUses, PlainImageReadByTwoFiltersIsUploadedOnce)
{
  const auto image = MakeInput();
  const auto narrow = Smooth<Gaussian>(image.GetPointer(), 1.0);
  const auto wide = Smooth<Gaussian>(image.GetPointer(), 4.0);
  const auto add = itk::AddImageFilter<Floats>::New();
  add->SetInput1(narrow->GetOutput());
  add->SetInput2(wide->GetOutput());
  const auto expect = [&] {
    const auto a = SmoothOnCpu(image, narrow->GetVariance()[0]);
    const auto b = SmoothOnCpu(image, wide->GetVariance()[0]);
    for (unsigned int i = 0; i < numberOfPixels; ++i)
    {
      a->GetBufferPointer()[i] += b->GetBufferPointer()[i];
    }
    ExpectSameSmoothing<Floats>(a, add->GetOutput());
  };
  {
    const CopyWatch copies;
    add->Update();
    copies.Expect(1, 2);
    expect();
  }
  {
    // Only one of them runs again; the pixels have changed meanwhile, and nobody was told.
    image->FillBuffer(7.0f);
    narrow->SetVariance(2.0);
    narrow->Update();
    ExpectSameSmoothing<Floats>(SmoothOnCpu(image, 2.0), narrow->GetOutput());
    image->FillBuffer(9.0f);
    image->Modified();
    const CopyWatch copies;
    add->Update();
    copies.Expect(1, 2);
    expect();
  }
  // The device keeps the two results, and nothing else.
  EXPECT_EQ(itk::CudaInterface::GetDeviceBytesInUse(), HasDevice() ? 2 * numberOfPixels * sizeof(float) : 0);
}

namespace
{
/** A composite filter: computes on the CPU with a filter of its own, whose output it grafts. */
template <typename TImage>
class Composite : public itk::ImageToImageFilter<TImage, TImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(Composite);
  using Self = Composite;
  using Superclass = itk::ImageToImageFilter<TImage, TImage>;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  itkSetMacro(Variance, double);
  itkSetMacro(Grafts, bool);

protected:
  Composite() = default;

  void
  GenerateData() override
  {
    m_Inner->SetInput(this->GetInput());
    m_Inner->SetVariance(m_Variance);
    m_Shift->SetInput(m_Inner->GetOutput());
    if (m_Grafts)
    {
      m_Shift->GraftOutput(this->GetOutput());
    }
    m_Shift->Update();
    this->GraftOutput(m_Shift->GetOutput());
  }

  double m_Variance = 1.5;
  bool   m_Grafts = true;

private:
  using Inner = itk::DiscreteGaussianImageFilter<TImage, TImage>;
  typename Inner::Pointer                                      m_Inner = Inner::New();
  typename itk::ShiftScaleImageFilter<TImage, TImage>::Pointer m_Shift =
    itk::ShiftScaleImageFilter<TImage, TImage>::New();
};

class CudaComposite : public itk::CudaAcceleratedImageFilter<Composite<Floats>>
{
public:
  itkCudaFilterMacro(CudaComposite, itk::CudaAcceleratedImageFilter<Composite<Floats>>);

protected:
  CudaComposite() = default;

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    const auto gaussian = CpuGaussian::New();
    gaussian->SetVariance(this->m_Variance);
    return itk::CudaFilters::MakeSeparableConvolutionOperation(
      itk::CudaFilters::MakeGaussianConvolution(*gaussian, this->GetInput()->GetSpacing()),
      itk::CudaFilters::GetPixelTypes<Floats, Floats>());
  }
};
} // namespace

// A run on the CPU in between leaves nothing behind, neither a container that costs copies nor pixels of another run.
TEST(CudaItkUses, CompositeFilterAfterARunOnTheCpu)
{
  for (const bool grafts : { true, false })
  {
    const auto image = MakeInput();
    const auto settings = itk::CudaInterface::New();
    const auto filter = CudaComposite::New();
    filter->SetInput(image);
    filter->SetGrafts(grafts);
    filter->SetCudaInterface(settings);
    const auto next = Smooth<Gaussian>(filter->GetOutput());
    const auto expect = [&](bool onCpu, double variance, unsigned int uploads, unsigned int downloads) {
      SCOPED_TRACE(::testing::Message() << grafts << ' ' << onCpu << ' ' << variance);
      settings->SetBackend(onCpu ? itk::CudaBackendEnum::CPU : itk::CudaBackendEnum::Auto);
      filter->SetVariance(variance);
      const CopyWatch copies;
      next->Update();
      EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice() && !onCpu);
      ExpectSameSmoothing<Floats>(SmoothOnCpu(SmoothOnCpu(image, variance)), next->GetOutput());
      if (uploads + downloads > 0)
      {
        copies.Expect(uploads, downloads);
      }
    };
    expect(false, 1.0, 1, 1);
    expect(true, 2.0, 0, 0);
    expect(false, 3.0, 0, 0);
    // The pixels are not in sight of a program, so that they do not pass through host memory again.
    if (!grafts)
    {
      expect(false, 4.0, 1, 1);
    }
    expect(true, 2.0, 0, 0);
    expect(false, 2.0, 0, 0);
    expect(true, 3.0, 0, 0);
  }
}

// ---- Settings and statistics ----------------------------------------------------------------------------------------

TEST(CudaItkUses, StatisticsOfARunOnTheCpuAreZero)
{
  using Bytes = itk::Image<unsigned char, 2>;
  const auto filter = itk::CudaReconstructionByDilationImageFilter<Bytes, Bytes>::New();
  const auto settings = itk::CudaInterface::New();
  const auto mask = MakeRandomImage<Bytes>({ { 70, 50 } });
  filter->SetMarkerImage(mask);
  filter->SetMaskImage(mask);
  filter->SetCudaInterface(settings);
  settings->SetTiming(true);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfDeviceTiles() > 0, HasDevice());
  EXPECT_EQ(filter->GetNumberOfTiles(), HasDevice() ? 1u : 0u);
  settings->SetBackend(itk::CudaBackendEnum::CPU);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfDeviceTiles(), 0u);
  EXPECT_EQ(filter->GetNumberOfVisits(), 0u);
  EXPECT_EQ(filter->GetNumberOfSweeps(), 0u);
  EXPECT_EQ(filter->GetNumberOfLaunches(), 0u);
  EXPECT_EQ(filter->GetNumberOfTiles(), 0u);
  EXPECT_TRUE(filter->GetStageTimes().empty());
}

TEST(CudaItkUses, MemoryBudgetOfZeroIsNoMemory)
{
  const auto settings = itk::CudaInterface::New();
  EXPECT_EQ(settings->GetMemoryBudget(), itk::CudaInterface::NoMemoryBudget + 0);
  settings->SetMemoryBudget(0);
  const auto filter = Smooth<Gaussian>(MakeInput().GetPointer());
  filter->SetCudaInterface(settings);
  const Quiet quiet;
  filter->Update();
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  ExpectSameSmoothing<Floats>(SmoothOnCpu(MakeInput()), filter->GetOutput());
}

// ---- Kernels that take long -----------------------------------------------------------------------------------------

namespace
{
using Bytes = itk::Image<unsigned char, 2>;
using Reconstruction = itk::CudaReconstructionByDilationImageFilter<Bytes, Bytes>;

/** A corridor that winds from row to row, with one bright pixel at its beginning; long enough for some milliseconds. */
Reconstruction::Pointer
MakeLongReconstruction(itk::CudaInterface * settings)
{
  const bool isEmulated = HasDevice() && itk::CudaInterface::GetDeviceName(0).find("mulated") != std::string::npos;
  const Bytes::SizeType size{ { isEmulated ? 120u : 2048u, isEmulated ? 90u : 2048u } };
  const auto            mask = MakeConstantImage<Bytes>(size, 200);
  for (itk::ImageRegionIteratorWithIndex<Bytes> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const auto index = it.GetIndex();
    const bool isWall = index[1] % 6 == 5;
    const bool isGap = index[1] % 12 == 5 ? index[0] >= static_cast<long>(size[0]) - 3 : index[0] < 3;
    it.Set(isWall && !isGap ? 0 : 200);
  }
  const auto marker = MakeConstantImage<Bytes>(size, 0);
  marker->SetPixel({ { 0, 0 } }, 150);
  const auto filter = Reconstruction::New();
  filter->SetMarkerImage(marker);
  filter->SetMaskImage(mask);
  filter->SetCudaInterface(settings);
  return filter;
}
} // namespace

TEST(CudaKernelTime, LimitDoesNotChangeTheResult)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetKernelTimeLimit(1.0);
  for (const auto strategy : { itk::CudaReconstructionStrategyEnum::TileSweeps,
                               itk::CudaReconstructionStrategyEnum::TileDiagonals,
                               itk::CudaReconstructionStrategyEnum::LineSweeps })
  {
    const auto filter = MakeLongReconstruction(settings);
    filter->SetStrategy(strategy);
    filter->Update();
    for (itk::ImageRegionConstIterator<Bytes> it(filter->GetOutput(), filter->GetOutput()->GetBufferedRegion());
         !it.IsAtEnd();
         ++it)
    {
      ASSERT_EQ(it.Get(), std::min<int>(filter->GetMaskImage()->GetPixel(it.GetIndex()), 150));
    }
    if (HasDevice() && strategy != itk::CudaReconstructionStrategyEnum::LineSweeps)
    {
      EXPECT_GT(filter->GetNumberOfLaunches(), 1u);
    }
  }
  EXPECT_THROW(settings->SetKernelTimeLimit(0.5), itk::ExceptionObject);
}

TEST(CudaKernelTime, AbortIsNoticedBetweenLaunches)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetKernelTimeLimit(1.0);
  const auto   filter = MakeLongReconstruction(settings);
  unsigned int events = 0;
  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    // The first events are before the propagation.
    if (++events == 4)
    {
      filter->AbortGenerateDataOn();
    }
  });
  if (HasDevice())
  {
    EXPECT_THROW(filter->Update(), itk::ProcessAborted);
    EXPECT_EQ(events, 4u);
  }
  filter->RemoveAllObservers();
  filter->AbortGenerateDataOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 5, 5 } }),
            std::min<int>(filter->GetMaskImage()->GetPixel({ { 5, 5 } }), 150));
}

// ---- Errors and observers in the middle of a run --------------------------------------------------------------------

// A run that begins on the device and ends on the CPU leaves the pixels of the CPU, whoever has looked before.
TEST(CudaItkUses, VisibleOutputOfARunThatEndsOnTheCpu)
{
  const auto image = MakeInput();
  image->SetPixel({ { 7, 7 } }, std::numeric_limits<float>::quiet_NaN()); // which the device leaves to the CPU
  const auto filter = itk::CudaReconstructionByDilationImageFilter<Backed, Backed>::New();
  const auto backed = Backed::New();
  backed->Graft(image.GetPointer());
  filter->SetMarkerImage(backed);
  filter->SetMaskImage(backed);
  filter->Update();
  const float * const view = filter->GetOutput()->GetBufferPointer();
  filter->Modified();
  Smooth<BackedGaussian>(filter->GetOutput())->Update();
  const Backed & output = *filter->GetOutput();
  EXPECT_EQ(output.GetPixel({ { 1, 1 } }), image->GetPixel({ { 1, 1 } }));
  EXPECT_EQ(view[41], image->GetPixel({ { 1, 1 } }));
}

TEST(CudaItkUses, KeptPointerAfterAnAbort)
{
  const auto image = MakeBacked();
  const auto filter = Smooth<BackedGaussian>(image.GetPointer());
  filter->Update();
  float * const view = filter->GetOutput()->GetBufferPointer();
  filter->SetVariance(3.0);
  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) { filter->AbortGenerateDataOn(); });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  filter->RemoveAllObservers();
  view[41] = 5.0f; // the memory is there
  filter->AbortGenerateDataOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), view);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(Copy(image), 3.0), filter->GetOutput());
}

TEST(CudaItkUses, ProgressObserverLooksAtTheFirstOutput)
{
  const auto   filter = Smooth<Gaussian>(MakeInput().GetPointer());
  unsigned int looks = 0;
  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    Floats * const output = filter->GetOutput();
    if (output->GetBufferedRegion().GetNumberOfPixels() > 0)
    {
      output->GetPixel({ { 1, 1 } });
      itk::ImageRegionConstIterator<Floats>(output, output->GetBufferedRegion()).Get();
      ++looks;
    }
  });
  filter->Update();
  filter->RemoveAllObservers();
  EXPECT_GT(looks, 0u);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(MakeInput()), filter->GetOutput());
}

TEST(CudaItkUses, StartEventObserverEditsTheInput)
{
  const auto first = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  const auto second = Smooth<BackedGaussian>(first->GetOutput());
  second->AddObserver(itk::StartEvent(), [&](const itk::EventObject &) { EditByIterator(first->GetOutput()); });
  second->Update();
  second->RemoveAllObservers();
  const auto expected = SmoothOnCpu(Copy(MakeBacked()));
  AddToAll(expected->GetBufferPointer(), 500.0f);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(expected), second->GetOutput());
}

// An upload that is kept for another filter must be that of the pixels which the other filter would see.
TEST(CudaItkUses, ObserverEditsAPlainImageWhileItIsUploaded)
{
  const auto image = MakeInput();
  const auto settings = itk::CudaInterface::New();
  settings->SetSlabBytes(40 * sizeof(float) * 4);
  const auto narrow = Smooth<Gaussian>(image.GetPointer(), 1.0);
  const auto wide = Smooth<Gaussian>(image.GetPointer(), 4.0);
  narrow->SetCudaInterface(settings);
  bool isEdited = false;
  narrow->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    if (narrow->GetProgress() > 0.5f && !isEdited)
    {
      isEdited = true;
      image->FillBuffer(7.0f);
      image->Modified();
    }
  });
  const auto add = itk::AddImageFilter<Floats>::New();
  add->SetInput1(narrow->GetOutput());
  add->SetInput2(wide->GetOutput());
  add->Update();
  narrow->RemoveAllObservers();
  ASSERT_TRUE(isEdited);
  ExpectSameSmoothing<Floats>(MakeConstantImage<Floats>(imageSize, 7.0f), wide->GetOutput());
}

TEST(CudaItkUses, UploadsForOtherFiltersDoNotPileUp)
{
  const auto image = MakeInput();
  const auto narrow = Smooth<Gaussian>(image.GetPointer(), 1.0);
  const auto wide = Smooth<Gaussian>(image.GetPointer(), 4.0);
  const auto before = itk::CudaInterface::GetDeviceBytesInUse();
  wide->UpdateOutputInformation(); // and no update follows
  for (unsigned int i = 0; i < 10; ++i)
  {
    narrow->SetVariance(1.0 + i);
    narrow->Update();
  }
  EXPECT_LE(itk::CudaInterface::GetDeviceBytesInUse(), before + numberOfPixels * sizeof(float));
}

TEST(CudaItkUses, ImageOfImpossibleSize)
{
  const auto image = Backed::New();
  image->SetRegions(Backed::SizeType{ { itk::SizeValueType(1) << 31, itk::SizeValueType(1) << 31 } });
  EXPECT_THROW(image->Allocate(), itk::MemoryAllocationError);
}

TEST(CudaItkUses, MemoryManagementSwitchedOffTooEarly)
{
  // As in ITK, an allocation switches it on again: nothing leaks, and nothing is freed twice.
  const auto filter = Smooth<Gaussian>(MakeInput().GetPointer());
  filter->GetOutput()->GetPixelContainer()->ContainerManageMemoryOff();
  filter->Update();
  EXPECT_TRUE(filter->GetOutput()->GetPixelContainer()->GetContainerManageMemory());
}

// A plain image that shares the container of an image on the device, in a run in tiles.
TEST(CudaItkUses, PlainImageWithPixelsOnTheDeviceInTiles)
{
  const auto first = Smooth<BackedGaussian>(MakeBacked().GetPointer());
  first->Update();
  const auto plain = Floats::New();
  plain->Graft(static_cast<const Floats *>(first->GetOutput()));
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(5000);
  const auto second = Smooth<Gaussian>(plain.GetPointer());
  second->SetCudaInterface(settings);
  second->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(SmoothOnCpu(Copy(MakeBacked()))), second->GetOutput());
}
