// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaBinaryBallDilateImageFilter.h"
#include "itkCudaDirectedHausdorffDistanceImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaHausdorffDistanceImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaTwoDevices.h"
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace
{
using namespace itk::CudaTest;

/** Expects distances that differ by rounding in sums at most. */
void
ExpectClose(double expected, double actual)
{
  EXPECT_LE(std::abs(expected - actual), 1e-12 * std::abs(expected)) << expected << " and " << actual;
}

/** Compares all distances with those of ITK's filters. */
template <typename TImage1, typename TImage2>
void
CompareWithItk(const TImage1 *    image1,
               const TImage2 *    image2,
               itk::SizeValueType budget = itk::CudaInterface::NoMemoryBudget)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  const typename TImage1::SpacingType ones(1.0);
  for (const bool usesSpacing : { true, false })
  {
    if (!usesSpacing && image1->GetSpacing() == ones)
    {
      continue;
    }
    SCOPED_TRACE(usesSpacing ? "with spacing" : "without spacing");
    const auto run = [&](auto & filter) {
      filter.SetInput1(image1);
      filter.SetInput2(image2);
      filter.SetUseImageSpacing(usesSpacing);
      filter.Update();
    };
    const auto check = [&](const auto & filter) {
      EXPECT_EQ(filter.GetExecutedOnDevice(), HasDevice()) << filter.GetExecutedOn();
      if (HasDevice() && budget != itk::CudaInterface::NoMemoryBudget)
      {
        EXPECT_GT(filter.GetNumberOfTiles(), 1u);
      }
    };
    const auto directed = itk::DirectedHausdorffDistanceImageFilter<TImage1, TImage2>::New();
    const auto cudaDirected = itk::CudaDirectedHausdorffDistanceImageFilter<TImage1, TImage2>::New();
    cudaDirected->SetCudaInterface(settings);
    run(*directed);
    run(*cudaDirected);
    check(*cudaDirected);
    EXPECT_DOUBLE_EQ(directed->GetDirectedHausdorffDistance(), cudaDirected->GetDirectedHausdorffDistance());
    ExpectClose(directed->GetAverageHausdorffDistance(), cudaDirected->GetAverageHausdorffDistance());

    const auto both = itk::HausdorffDistanceImageFilter<TImage1, TImage2>::New();
    const auto cudaBoth = itk::CudaHausdorffDistanceImageFilter<TImage1, TImage2>::New();
    cudaBoth->SetCudaInterface(settings);
    run(*both);
    run(*cudaBoth);
    check(*cudaBoth);
    EXPECT_DOUBLE_EQ(both->GetHausdorffDistance(), cudaBoth->GetHausdorffDistance());
    ExpectClose(both->GetAverageHausdorffDistance(), cudaBoth->GetAverageHausdorffDistance());
    ExpectEqualImages<TImage1>(image1, cudaBoth->GetOutput());
  }
}

template <typename TImage, typename TMask>
typename TImage::Pointer
CastTo(const TMask * mask)
{
  const auto cast = itk::CastImageFilter<TMask, TImage>::New();
  cast->SetInput(mask);
  cast->Update();
  return cast->GetOutput();
}
} // namespace

TEST(CudaHausdorff, EqualsItk)
{
  const itk::Size<2> plane{ { 103, 71 } };
  const auto         drawings = GetPlaneDrawings();
  const auto         points = DrawPoints<2>(plane, 2000);
  for (const auto & [name, draw] : drawings)
  {
    SCOPED_TRACE(name);
    CompareWithItk(draw(plane).GetPointer(), points.GetPointer());
  }
  const itk::Size<3> volume{ { 35, 38, 33 } };
  CompareWithItk(DrawBlobs<3>(volume).GetPointer(), DrawPoints<3>(volume, 5000).GetPointer());
  CompareWithItk(DrawPoints<3>(volume, 300, 2).GetPointer(), DrawPoints<3>(volume, 5000).GetPointer());
}

TEST(CudaHausdorff, EqualsItkForLongLines)
{
  for (const unsigned int width : { 1300u, 4500u })
  {
    SCOPED_TRACE(width);
    CompareWithItk(DrawPoints<2>({ { width, 3 } }, 30, 2).GetPointer(),
                   DrawPoints<2>({ { width, 3 } }, 700).GetPointer());
  }
  CompareWithItk(DrawPoints<2>({ { 3, 1300 } }, 30, 2).GetPointer(), DrawPoints<2>({ { 3, 1300 } }, 700).GetPointer());
}

TEST(CudaHausdorff, EqualsItkWithSpacing)
{
  const auto compare = [](auto image1, auto image2, const std::vector<double> & spacing) {
    typename decltype(image1)::ObjectType::SpacingType imageSpacing;
    std::copy(spacing.begin(), spacing.end(), imageSpacing.Begin());
    SCOPED_TRACE(imageSpacing);
    image1->SetSpacing(imageSpacing);
    image2->SetSpacing(imageSpacing);
    CompareWithItk(image1.GetPointer(), image2.GetPointer());
  };
  compare(DrawPoints<2>({ { 90, 61 } }, 50, 2), DrawPoints<2>({ { 90, 61 } }, 500), { 2.0, 1.0 });
  compare(DrawBlobs<3>({ { 30, 33, 15 } }), DrawPoints<3>({ { 30, 33, 15 } }, 500), { 0.9375, 0.9375, 1.5 });
}

TEST(CudaHausdorff, EqualsItkForPixelTypesThatDiffer)
{
  const auto points = DrawPoints<2>({ { 67, 41 } }, 300);
  const auto others = DrawPoints<2>({ { 67, 41 } }, 30, 2);
  CompareWithItk(CastTo<itk::Image<short, 2>>(points.GetPointer()).GetPointer(),
                 CastTo<itk::Image<float, 2>>(others.GetPointer()).GetPointer());
  CompareWithItk(CastTo<itk::Image<double, 2>>(points.GetPointer()).GetPointer(),
                 CastTo<itk::Image<unsigned short, 2>>(others.GetPointer()).GetPointer());
  const auto strange = CastTo<itk::Image<float, 2>>(points.GetPointer());
  CompareWithItk(MakeStrange(strange.GetPointer()).GetPointer(), others.GetPointer());
}

TEST(CudaHausdorff, EqualsItkInTiles)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "tiles are for devices";
  }
  CompareWithItk(
    DrawPoints<2>({ { 91, 203 } }, 100, 2).GetPointer(), DrawPoints<2>({ { 91, 203 } }, 2000).GetPointer(), 20000);
  CompareWithItk(
    DrawBlobs<3>({ { 45, 38, 41 } }).GetPointer(), DrawPoints<3>({ { 45, 38, 41 } }, 5000).GetPointer(), 200000);
}

TEST(CudaHausdorff, IsSharedByDevices)
{
  const itk::Size<3> size{ { 35, 38, 33 } };
  const auto         image1 = DrawBlobs<3>(size);
  const auto         image2 = DrawPoints<3>(size, 5000);
  CompareOnTwoDevices<itk::CudaHausdorffDistanceImageFilter<Mask<3>, Mask<3>>>(
    [&](auto & filter) {
      filter.SetInput1(image1);
      filter.SetInput2(image2);
    },
    [](auto & one, auto & two) {
      EXPECT_EQ(one.GetHausdorffDistance(), two.GetHausdorffDistance());
      ExpectClose(one.GetAverageHausdorffDistance(), two.GetAverageHausdorffDistance());
    });
}

TEST(CudaHausdorff, EqualsItkOnABrain)
{
  const auto brain = ReadBrain<itk::Image<short, 3>>();
  const auto blobs = DrawBlobs<3>(brain->GetLargestPossibleRegion().GetSize());
  blobs->CopyInformation(brain);
  CompareWithItk(brain.GetPointer(), blobs.GetPointer());
}

TEST(CudaHausdorff, EqualsItkForOverlapAndForFullImages)
{
  const itk::Size<2> size{ { 70, 50 } };
  const auto         points = DrawPoints<2>(size, 100);
  const auto         full = MakeConstantImage<Mask<2>>(size, 3);
  CompareWithItk(points.GetPointer(), points.GetPointer());
  CompareWithItk(points.GetPointer(), full.GetPointer());
  CompareWithItk(full.GetPointer(), full.GetPointer());
  CompareWithItk(MakeConstantImage<Mask<2>>({ { 1, 1 } }, 1).GetPointer(),
                 MakeConstantImage<Mask<2>>({ { 1, 1 } }, 2).GetPointer());
}

TEST(CudaHausdorff, TreatsImagesWithoutObjectsAsItk)
{
  const itk::Size<2> size{ { 70, 50 } };
  const auto         points = DrawPoints<2>(size, 100);
  const auto         empty = MakeConstantImage<Mask<2>>(size, 0);

  const auto run = [&](auto filter, const Mask<2> * image1, const Mask<2> * image2) {
    filter->SetInput1(image1);
    filter->SetInput2(image2);
    filter->Update();
    return filter->GetAverageHausdorffDistance();
  };
  const auto cuda = itk::CudaDirectedHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  using Directed = itk::DirectedHausdorffDistanceImageFilter<Mask<2>, Mask<2>>;
  using CudaDirected = itk::CudaDirectedHausdorffDistanceImageFilter<Mask<2>, Mask<2>>;
  using CudaBoth = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>;
  ExpectClose(run(Directed::New(), points, empty), run(cuda, points, empty));
  EXPECT_EQ(cuda->GetExecutedOnDevice(), HasDevice()) << cuda->GetExecutedOn();
  EXPECT_THROW(run(Directed::New(), empty, points), itk::ExceptionObject);
  EXPECT_THROW(run(CudaDirected::New(), empty, points), itk::ExceptionObject);
  EXPECT_THROW(run(CudaBoth::New(), points, empty), itk::ExceptionObject);
}

/** The output shares the pixels of the first input, which must survive all runs, those that fail included. */
TEST(CudaHausdorff, LeavesInputsAlone)
{
  const itk::Size<2> size{ { 70, 50 } };
  const auto         image = DrawPoints<2>(size, 100);
  const auto         expected = DrawPoints<2>(size, 100);
  const auto         distances = itk::CudaSignedMaurerDistanceMapImageFilter<Mask<2>, itk::Image<float, 2>>::New();
  distances->SetInput(image);
  // On a device, these pixels have no host copy.
  using Filter = itk::CudaHausdorffDistanceImageFilter<itk::Image<float, 2>, Mask<2>>;
  const auto filter = Filter::New();
  filter->SetInput1(distances->GetOutput());
  filter->SetInput2(image);
  filter->Update();
  const double first = filter->GetHausdorffDistance();
  filter->Modified();
  filter->Update();
  EXPECT_EQ(filter->GetHausdorffDistance(), first);

  filter->SetInput2(MakeConstantImage<Mask<2>>(size, 0));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetInput2(image);
  filter->Update();
  EXPECT_EQ(filter->GetHausdorffDistance(), first);

  const auto reference = itk::SignedMaurerDistanceMapImageFilter<Mask<2>, itk::Image<float, 2>>::New();
  reference->SetInput(image);
  reference->Update();
  ExpectEqualImages<itk::Image<float, 2>>(reference->GetOutput(), filter->GetOutput());
  ExpectEqualImages<itk::Image<float, 2>>(reference->GetOutput(), distances->GetOutput());
  ExpectEqualImages<Mask<2>>(expected, image);
}

/** The same for pixels that are on the device alone. */
TEST(CudaHausdorff, LeavesDevicePixelsAlone)
{
  using Image = itk::CudaBackedImage<float, 2>;
  const itk::Size<2> size{ { 70, 50 } };
  const auto         image = DrawPoints<2>(size, 100);
  const auto         distances = itk::CudaSignedMaurerDistanceMapImageFilter<Mask<2>, Image>::New();
  const auto         filter = itk::CudaHausdorffDistanceImageFilter<Image, Mask<2>>::New();
  distances->SetInput(image);
  filter->SetInput1(distances->GetOutput());
  filter->SetInput2(image);
  filter->Update();
  const double first = filter->GetHausdorffDistance();

  const auto abort =
    filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) { filter->AbortGenerateDataOn(); });
  filter->Modified();
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_EQ(filter->GetHausdorffDistance(), first);
  filter->RemoveObserver(abort);
  filter->AbortGenerateDataOff();
  filter->Update();
  EXPECT_EQ(filter->GetHausdorffDistance(), first);

  // Another first image, on the CPU: the output still shares the pixels of the one before.
  const auto onCpu = itk::CudaInterface::New();
  onCpu->SetBackend(itk::CudaBackendEnum::CPU);
  const auto other = Image::New();
  other->SetRegions(size);
  other->Allocate();
  other->FillBuffer(1.0f);
  filter->SetCudaInterface(onCpu);
  filter->SetInput1(other);
  filter->Update();
  const auto reference = itk::SignedMaurerDistanceMapImageFilter<Mask<2>, itk::Image<float, 2>>::New();
  reference->SetInput(image);
  reference->Update();
  ExpectEqualImages<itk::Image<float, 2>>(reference->GetOutput(), distances->GetOutput());
}

TEST(CudaHausdorff, ReadsChangedImagesAgain)
{
  const itk::Size<2> size{ { 70, 50 } };
  const auto         image1 = DrawPoints<2>(size, 300);
  const auto         image2 = DrawPoints<2>(size, 300, 2);
  const auto         filter = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  filter->SetInput1(image1);
  filter->SetInput2(image2);
  filter->Update();
  EXPECT_GT(filter->GetHausdorffDistance(), 0.0);
  for (const auto & image : { image1, image2 })
  {
    image->FillBuffer(1);
    image->Modified();
  }
  filter->Update();
  EXPECT_EQ(filter->GetHausdorffDistance(), 0.0);
}

TEST(CudaHausdorff, UploadsEachImageOnce)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "copies are for devices";
  }
  using Image = itk::CudaBackedImage<unsigned char, 2>;
  const auto makeBacked = [](unsigned int seed) {
    const auto image = Image::New();
    const auto points = DrawPoints<2>({ { 200, 100 } }, 300, seed);
    image->SetRegions(points->GetLargestPossibleRegion());
    image->Allocate();
    std::copy_n(points->GetBufferPointer(), 200 * 100, image->GetBufferPointer());
    return image;
  };
  const auto filter = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  const auto image1 = makeBacked(1);
  const auto image2 = makeBacked(2);
  filter->SetInput1(image1);
  filter->SetInput2(image2);
  const auto before = itk::CudaInterface::GetCopyCounters();
  filter->Update();
  const auto copies = itk::CudaInterface::GetCopyCounters() - before;
  EXPECT_EQ(copies.Uploads, 2u); // one per image, though both directions read it
  EXPECT_EQ(copies.Downloads, 0u);

  const auto ofPlain = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  ofPlain->SetInput1(DrawPoints<2>({ { 200, 100 } }, 300));
  ofPlain->SetInput2(DrawPoints<2>({ { 200, 100 } }, 300, 2));
  const auto beforePlain = itk::CudaInterface::GetCopyCounters();
  ofPlain->Update();
  EXPECT_EQ((itk::CudaInterface::GetCopyCounters() - beforePlain).Uploads, 2u);
}

TEST(CudaHausdorff, ReadsResultsOfCudaFiltersOnTheDevice)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "copies are for devices";
  }
  using Image = itk::CudaBackedImage<unsigned char, 2>;
  const auto grow = [](unsigned int seed) {
    const auto filter = itk::CudaBinaryBallDilateImageFilter<Mask<2>, Image>::New();
    filter->SetInput(DrawPoints<2>({ { 200, 100 } }, 3000, seed));
    filter->SetForegroundValue(1);
    filter->SetRadius(3.0);
    filter->Update();
    return filter;
  };
  const auto first = grow(1);
  const auto second = grow(2);
  const auto filter = itk::CudaHausdorffDistanceImageFilter<Image, Image>::New();
  filter->SetInput1(first->GetOutput());
  filter->SetInput2(second->GetOutput());
  const auto before = itk::CudaInterface::GetCopyCounters();
  filter->Update();
  const auto copies = itk::CudaInterface::GetCopyCounters() - before;
  EXPECT_EQ(copies.Uploads, 0u);
  EXPECT_EQ(copies.Downloads, 0u);
}

/** ITK measures to objects outside the first image, too. */
TEST(CudaHausdorff, TreatsASecondImageThatIsLargerAsItk)
{
  const auto small = DrawMask<2>({ { 40, 30 } }, [](const itk::Index<2> & index) { return index[0] == 35; });
  const auto large =
    DrawMask<2>({ { 60, 30 } }, [](const itk::Index<2> & index) { return index[0] == 0 || index[0] == 45; });
  for (const itk::SizeValueType budget : { itk::CudaInterface::NoMemoryBudget, itk::SizeValueType{ 6000 } })
  {
    const auto settings = itk::CudaInterface::New();
    settings->SetMemoryBudget(budget);
    const auto cpu = itk::DirectedHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
    const auto cuda = itk::CudaDirectedHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
    cuda->SetCudaInterface(settings);
    cpu->SetInput1(small);
    cpu->SetInput2(large);
    cuda->SetInput1(small);
    cuda->SetInput2(large);
    cpu->Update();
    cuda->Update();
    EXPECT_EQ(cpu->GetDirectedHausdorffDistance(), 10.0);
    EXPECT_EQ(cuda->GetDirectedHausdorffDistance(), 10.0);
    EXPECT_FALSE(cuda->GetExecutedOnDevice());
  }
}

TEST(CudaHausdorff, PrintsItsResults)
{
  const auto filter = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  filter->SetInput1(DrawMask<2>({ { 40, 30 } }, [](const itk::Index<2> & index) { return index[0] == 35; }));
  filter->SetInput2(DrawMask<2>({ { 40, 30 } }, [](const itk::Index<2> & index) { return index[0] == 28; }));
  filter->Update();
  std::ostringstream text;
  filter->Print(text);
  const char * const expected = HasDevice() ? "on the device: largest 7, average 7" : "HausdorffDistance: 7";
  EXPECT_NE(text.str().find(expected), std::string::npos) << text.str();
}

TEST(CudaHausdorff, ReportsProgressAndCanBeAborted)
{
  const auto         filter = itk::CudaHausdorffDistanceImageFilter<Mask<2>, Mask<2>>::New();
  std::vector<float> progress;
  filter->SetInput1(DrawPoints<2>({ { 200, 100 } }, 300));
  filter->SetInput2(DrawPoints<2>({ { 200, 100 } }, 300, 2));
  filter->AddObserver(itk::ProgressEvent(),
                      [&](const itk::EventObject &) { progress.push_back(filter->GetProgress()); });
  filter->Update();
  ASSERT_GT(progress.size(), 2u);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  if (HasDevice()) // ITK's filter ends earlier
  {
    EXPECT_EQ(progress.back(), 1.0f);
  }

  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) { filter->AbortGenerateDataOn(); });
  filter->Modified();
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
}
