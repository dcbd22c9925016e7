// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Where pixels are, who has copied them how often, and that whoever looks sees the right ones.

#include "itkAddImageFilter.h"
#include "itkChangeInformationImageFilter.h"
#include "itkCudaBackedImage.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageFileWriter.h"
#include "itkLinearInterpolateImageFunction.h"
#include "itkMedianImageFilter.h"
#include "itkNeighborhoodOperatorImageFilter.h"
#include "itkResampleImageFilter.h"
#include "itkShiftScaleImageFilter.h"
#include <cstdio>

namespace
{
using namespace itk::CudaTest;
using itk::CudaPixelSideEnum;

using Floats = itk::Image<float, 2>;
using Backed = itk::CudaBackedImage<float, 2>;
using Container = itk::CudaImportImageContainer<itk::SizeValueType, float>;
using CpuGaussian = itk::DiscreteGaussianImageFilter<Floats, Floats>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats>;
using BackedGaussian = itk::CudaDiscreteGaussianImageFilter<Backed>;
using Median = itk::MedianImageFilter<Floats, Floats>;

const Floats::SizeType imageSize{ { 40, 30 } };

Floats::Pointer
MakeInput(unsigned int seed = 1)
{
  return MakeRandomImage<Floats>(imageSize, seed);
}

template <typename TFilter, typename TImage>
typename TFilter::Pointer
Smooth(TImage * image)
{
  const auto filter = TFilter::New();
  filter->SetInput(image);
  filter->SetVariance(1.5);
  return filter;
}

/** What ITK makes of an image by smoothing it so many times. */
Floats::Pointer
SmoothOnCpu(Floats * image, unsigned int times)
{
  Floats::Pointer result = image;
  for (unsigned int i = 0; i < times; ++i)
  {
    const auto filter = Smooth<CpuGaussian>(result.GetPointer());
    filter->Update();
    result = filter->GetOutput();
  }
  return result;
}

/** Where the pixels of a filter's output are. */
CudaPixelSideEnum
GetSide(const Floats * image)
{
  const auto * const backed = dynamic_cast<const Backed *>(image);
  return backed == nullptr ? CudaPixelSideEnum::None : backed->GetCudaPixelContainer()->GetValidSide();
}

CudaPixelSideEnum
OnDeviceOr(CudaPixelSideEnum side)
{
  return HasDevice() ? CudaPixelSideEnum::Device : side;
}
} // namespace

// ---- Copies -------------------------------------------------------------------------------------------------------

TEST(CudaCopies, ReaderThreeFiltersWriter)
{
  const std::string name = ::testing::TempDir() + "itkCudaCopies.mha";
  const auto        writer = itk::ImageFileWriter<Floats>::New();
  const auto        reader = itk::ImageFileReader<Floats>::New();
  const auto        input = MakeInput();
  writer->SetInput(input);
  writer->SetFileName(name);
  writer->Update();

  reader->SetFileName(name);
  const auto first = Smooth<Gaussian>(reader->GetOutput());
  const auto second = Smooth<Gaussian>(first->GetOutput());
  const auto third = Smooth<Gaussian>(second->GetOutput());
  const auto result = itk::ImageFileWriter<Floats>::New();
  result->SetInput(third->GetOutput());
  result->SetFileName(::testing::TempDir() + "itkCudaCopiesResult.mha");

  const CopyWatch copies;
  result->Update();
  copies.Expect(1, 1);

  const auto check = itk::ImageFileReader<Floats>::New();
  check->SetFileName(result->GetFileName());
  check->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(input, 3), check->GetOutput());
  std::remove(name.c_str());
  std::remove(result->GetFileName());
}

TEST(CudaCopies, CudaCpuCuda)
{
  const auto input = MakeInput();
  const auto before = Smooth<Gaussian>(input.GetPointer());
  const auto median = Median::New();
  median->SetInput(before->GetOutput());
  const auto after = Smooth<Gaussian>(median->GetOutput());

  const CopyWatch copies;
  after->Update();
  // One each way for the input and the output, and one each way around the CPU filter.
  copies.Expect(2, 2);

  const auto cpuMedian = Median::New();
  cpuMedian->SetInput(SmoothOnCpu(input, 1));
  cpuMedian->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(cpuMedian->GetOutput(), 1), after->GetOutput());
}

TEST(CudaCopies, ReadingTwiceCostsOne)
{
  const auto input = MakeInput();
  const auto filter = Smooth<BackedGaussian>(itk::CudaBackedImage<float, 2>::New().GetPointer());
  const auto image = Backed::New();
  image->Graft(input.GetPointer());
  filter->SetInput(image);
  const CopyWatch copies;
  filter->Update();
  copies.Expect(1, 0);
  const Backed * const output = filter->GetOutput();
  output->GetPixel({ { 3, 4 } });
  output->GetPixel({ { 4, 4 } });
  copies.Expect(1, 1);
  // And the device has it still.
  const auto next = Smooth<BackedGaussian>(filter->GetOutput());
  next->Update();
  copies.Expect(1, 1);
  // A pointer is no further copy; but now the pixels may be written, so that the next filter uploads them.
  EXPECT_NE(output->GetBufferPointer(), nullptr);
  EXPECT_NE(output->GetBufferPointer(), nullptr);
  copies.Expect(1, 1);
  next->Modified();
  next->Update();
  copies.Expect(2, 1);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(input, 2), next->GetOutput());
}

TEST(CudaCopies, ChainUpdatedFilterByFilterCostsNoneInBetween)
{
  const auto image = Backed::New();
  const auto input = MakeInput();
  image->Graft(input.GetPointer());

  const CopyWatch copies;
  const auto      first = Smooth<BackedGaussian>(image.GetPointer());
  first->Update();
  const auto second = Smooth<BackedGaussian>(first->GetOutput());
  second->Update();
  const auto third = Smooth<BackedGaussian>(second->GetOutput());
  third->Update();
  copies.Expect(1, 0);
  EXPECT_EQ(third->GetOutput()->GetCudaPixelContainer()->GetValidSide(), OnDeviceOr(CudaPixelSideEnum::Host));
  ExpectSameSmoothing<Floats>(SmoothOnCpu(input, 3), third->GetOutput());
  copies.Expect(1, 1);
}

TEST(CudaCopies, TwoReadersInOnePipeline)
{
  // The difference of two Gaussians: what the first branch brought to the device, the second finds there.
  const auto source = Smooth<Gaussian>(MakeInput().GetPointer());
  const auto narrow = Smooth<Gaussian>(source->GetOutput());
  const auto wide = Smooth<Gaussian>(source->GetOutput());
  wide->SetVariance(4.0);
  // This one's iterators ask for a pointer that could write.
  const auto                  median = itk::NeighborhoodOperatorImageFilter<Floats, Floats>::New();
  itk::Neighborhood<float, 2> neighborhood;
  neighborhood.SetRadius(1);
  std::fill(neighborhood.Begin(), neighborhood.End(), 0.1f);
  median->SetOperator(neighborhood);
  median->SetInput(source->GetOutput());
  const auto add = itk::AddImageFilter<Floats>::New();
  add->SetInput1(narrow->GetOutput());
  add->SetInput2(wide->GetOutput());
  const auto addMore = itk::AddImageFilter<Floats>::New();
  addMore->SetInput1(median->GetOutput());
  addMore->SetInput2(add->GetOutput());

  const CopyWatch copies;
  addMore->Update();
  // Down: the source for the CPU filter, and the two results. Up: the input alone.
  copies.Expect(1, 3);
}

namespace
{
/** A filter of two inputs that looks where they are. */
class TwoInputs : public itk::CudaAcceleratedImageFilter<itk::AddImageFilter<Floats>>
{
public:
  using Self = TwoInputs;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  std::vector<CudaPixelSideEnum> m_Sides;

protected:
  TwoInputs() { this->InPlaceOff(); }

  std::string
  GetUnsupportedReason() const override
  {
    return {};
  }

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    for (unsigned int i = 0; i < 2; ++i)
    {
      m_Sides.push_back(GetSide(static_cast<const Floats *>(this->ProcessObject::GetInput(i))));
    }
    return nullptr; // and the CPU computes
  }
};
} // namespace

TEST(CudaCopies, ACpuFilterBeforeOneInputReadsTheOther)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device";
  }
  const auto source = Smooth<Gaussian>(MakeInput().GetPointer());
  const auto shift = itk::ShiftScaleImageFilter<Floats, Floats>::New();
  shift->SetInput(source->GetOutput());
  shift->SetShift(10.0);

  // Whichever of the two comes first, the CPU filter finds its pixels, and nothing is copied that need not be.
  for (const bool cpuFirst : { true, false })
  {
    source->Modified();
    const auto two = TwoInputs::New();
    two->SetInput1(cpuFirst ? shift->GetOutput() : source->GetOutput());
    two->SetInput2(cpuFirst ? source->GetOutput() : shift->GetOutput());
    two->Update();
    const auto smooth = SmoothOnCpu(MakeInput(), 1);
    EXPECT_NEAR(two->GetOutput()->GetPixel({ { 4, 4 } }), 2 * smooth->GetPixel({ { 4, 4 } }) + 10.0f, 0.1);

    const auto noCpu = TwoInputs::New();
    const auto first = Smooth<Gaussian>(MakeInput(1).GetPointer());
    const auto second = Smooth<Gaussian>(MakeInput(2).GetPointer());
    noCpu->SetInput1(first->GetOutput());
    noCpu->SetInput2(second->GetOutput());
    noCpu->Update();
    EXPECT_EQ(noCpu->m_Sides, (std::vector<CudaPixelSideEnum>(2, CudaPixelSideEnum::Device)));
  }
}

TEST(CudaCopies, AfterDisconnectPipelineAsBefore)
{
  const auto     source = Smooth<Gaussian>(MakeInput().GetPointer());
  Floats * const between = source->GetOutput(); // asked for now, since later GetOutput() would download it
  const auto     next = Smooth<Gaussian>(between);
  for (unsigned int round = 0; round < 3; ++round)
  {
    next->SetInput(between);
    source->Modified();
    const CopyWatch copies;
    next->Update();
    copies.Expect(1, 1);
    // In sight on the host from now on, so that it is not kept on the device.
    EXPECT_EQ(GetSide(next->GetOutput()), CudaPixelSideEnum::Host);
    const Floats::Pointer taken = next->GetOutput();
    taken->DisconnectPipeline();
    EXPECT_EQ(GetSide(between), OnDeviceOr(CudaPixelSideEnum::Host));
  }
}

TEST(CudaCopies, CountersOfTheContainer)
{
  const auto image = Backed::New();
  image->Graft(MakeInput().GetPointer());
  EXPECT_EQ(image->GetCudaPixelContainer(), nullptr) << "a plain container was grafted";

  const auto own = Backed::New();
  own->SetRegions(imageSize);
  own->Allocate();
  own->FillBuffer(3.0f);
  const auto filter = Smooth<BackedGaussian>(own.GetPointer());
  filter->Update();
  EXPECT_EQ(own->GetCudaPixelContainer()->GetCopyCounters().Uploads, HasDevice() ? 1u : 0u);
  EXPECT_EQ(own->GetCudaPixelContainer()->GetCopyCounters().UploadedBytes, HasDevice() ? 40u * 30u * 4u : 0u);
  EXPECT_EQ(own->GetCudaPixelContainer()->GetValidSide(),
            HasDevice() ? CudaPixelSideEnum::Both : CudaPixelSideEnum::Host);
  // Reading leaves the device side valid, writing does not.
  const Backed & reader = *own;
  EXPECT_EQ(reader.GetPixel({ { 0, 0 } }), 3.0f);
  EXPECT_EQ(own->GetCudaPixelContainer()->GetValidSide(),
            HasDevice() ? CudaPixelSideEnum::Both : CudaPixelSideEnum::Host);
  own->SetPixel({ { 0, 0 } }, 4.0f);
  EXPECT_EQ(own->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::Host);
}

// ---- Right pixels for whoever looks ---------------------------------------------------------------------------------

class CudaRightPixels : public ::testing::Test
{
protected:
  Floats::Pointer   m_Input = MakeInput();
  Floats::Pointer   m_Expected = SmoothOnCpu(m_Input, 1);
  Gaussian::Pointer m_Filter = Smooth<Gaussian>(m_Input.GetPointer());

  static bool
  IsClose(float a, float b)
  {
    return std::abs(a - b) <= 1e-5 * 2000;
  }

  /** What smoothing makes of the output of m_Filter, after it was changed in a way that tells nobody. */
  void
  ExpectNextFilterToSee(const Floats * changed)
  {
    const auto next = Smooth<Gaussian>(m_Filter->GetOutput());
    next->Update();
    const auto copy = Floats::New();
    copy->Graft(changed);
    ExpectSameSmoothing<Floats>(SmoothOnCpu(copy, 1), next->GetOutput());
  }
};

TEST_F(CudaRightPixels, ThroughGetPixelAndBrackets)
{
  m_Filter->Update();
  const Floats * const output = m_Filter->GetOutput();
  for (const Floats::IndexType index : { Floats::IndexType{ { 0, 0 } }, Floats::IndexType{ { 39, 29 } } })
  {
    EXPECT_TRUE(IsClose(output->GetPixel(index), m_Expected->GetPixel(index)));
    EXPECT_TRUE(IsClose((*output)[index], m_Expected->GetPixel(index)));
  }
}

TEST_F(CudaRightPixels, ThroughTheContainer)
{
  m_Filter->Update();
  Floats::PixelContainer * const container = m_Filter->GetOutput()->GetPixelContainer();
  ASSERT_EQ(container->Size(), 40u * 30u);
  EXPECT_TRUE(IsClose((*container)[41], m_Expected->GetPixel({ { 1, 1 } })));
  EXPECT_TRUE(IsClose(container->GetBufferPointer()[41], m_Expected->GetPixel({ { 1, 1 } })));
}

TEST_F(CudaRightPixels, WrittenBySetPixel)
{
  m_Filter->Update();
  m_Filter->GetOutput()->SetPixel({ { 20, 15 } }, 5000.0f);
  ExpectNextFilterToSee(m_Filter->GetOutput());
}

TEST_F(CudaRightPixels, WrittenByFillBuffer)
{
  m_Filter->Update();
  m_Filter->GetOutput()->FillBuffer(7.0f);
  ExpectNextFilterToSee(MakeConstantImage<Floats>(imageSize, 7.0f));
}

TEST_F(CudaRightPixels, WrittenAfterAnotherCudaFilterHasReadThem)
{
  m_Filter->Update();
  const auto reader = Smooth<Gaussian>(m_Filter->GetOutput());
  reader->Update();
  m_Filter->GetOutput()->FillBuffer(9.0f);
  ExpectNextFilterToSee(MakeConstantImage<Floats>(imageSize, 9.0f));
}

TEST_F(CudaRightPixels, WrittenAfterACpuFilterHasReadThem)
{
  const auto median = Median::New();
  median->SetInput(m_Filter->GetOutput());
  median->Update();
  m_Filter->GetOutput()->FillBuffer(9.0f);
  ExpectNextFilterToSee(MakeConstantImage<Floats>(imageSize, 9.0f));
}

TEST_F(CudaRightPixels, WrittenByAnIterator)
{
  m_Filter->Update();
  Floats * const output = m_Filter->GetOutput();
  for (itk::ImageRegionIterator<Floats> it(output, output->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(-it.Get());
  }
  ExpectNextFilterToSee(m_Filter->GetOutput());
}

TEST_F(CudaRightPixels, WrittenThroughAPointerKeptAcrossRuns)
{
  // As with a camera whose frames all come in the same memory; Modified() tells the pipeline.
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->Allocate();
  float * const frame = image->GetBufferPointer();
  const auto    filter = Smooth<BackedGaussian>(image.GetPointer());
  for (unsigned int i = 1; i < 4; ++i)
  {
    const auto next = MakeInput(i);
    std::copy_n(next->GetBufferPointer(), 40 * 30, frame);
    image->Modified();
    filter->Update();
    ExpectSameSmoothing<Floats>(SmoothOnCpu(next, 1), filter->GetOutput());
  }
}

TEST_F(CudaRightPixels, IntermediateThroughAnIteratorWithoutUpdate)
{
  const Floats * const between = m_Filter->GetOutput();
  const auto           next = Smooth<Gaussian>(between);
  next->Update();
  EXPECT_EQ(GetSide(between), OnDeviceOr(CudaPixelSideEnum::Host));
  ExpectSameSmoothing<Floats>(m_Expected, between);
}

TEST_F(CudaRightPixels, InAResampleFilterWithLinearInterpolator)
{
  const auto resample = [](Floats * image) {
    const auto filter = itk::ResampleImageFilter<Floats, Floats>::New();
    filter->SetInput(image);
    filter->SetInterpolator(itk::LinearInterpolateImageFunction<Floats, double>::New());
    filter->SetSize(Floats::SizeType{ { 55, 33 } });
    Floats::SpacingType spacing;
    spacing.Fill(0.7);
    filter->SetOutputSpacing(spacing);
    filter->Update();
    return filter;
  };
  ExpectSameSmoothing<Floats>(resample(m_Expected)->GetOutput(), resample(m_Filter->GetOutput())->GetOutput());
}

TEST_F(CudaRightPixels, InAnInterpolatorOfItsOwn)
{
  m_Filter->Update();
  const auto interpolator = itk::LinearInterpolateImageFunction<Floats, double>::New();
  interpolator->SetInputImage(m_Filter->GetOutput());
  const auto expected = itk::LinearInterpolateImageFunction<Floats, double>::New();
  expected->SetInputImage(m_Expected);
  itk::ContinuousIndex<double, 2> index;
  index[0] = 10.25;
  index[1] = 7.75;
  EXPECT_TRUE(IsClose(interpolator->EvaluateAtContinuousIndex(index), expected->EvaluateAtContinuousIndex(index)));
}

TEST_F(CudaRightPixels, GraftedIntoAPlainImage)
{
  m_Filter->Update();
  const auto plain = Floats::New();
  plain->Graft(m_Filter->GetOutput());
  ExpectSameSmoothing<Floats>(m_Expected, plain);
  // Whoever writes there writes the pixels of both.
  plain->FillBuffer(2.0f);
  EXPECT_EQ(m_Filter->GetOutput()->GetPixel({ { 5, 5 } }), 2.0f);
  ExpectNextFilterToSee(plain);

  const auto reader = Smooth<Gaussian>(plain.GetPointer());
  reader->Update();
  plain->FillBuffer(3.0f);
  plain->Modified();
  reader->Update();
  EXPECT_TRUE(IsClose(reader->GetOutput()->GetPixel({ { 5, 5 } }), 3.0f));
}

TEST_F(CudaRightPixels, GraftedOutputIsWrittenBack)
{
  // As a composite filter does with the last filter of its mini-pipeline.
  const auto plain = Floats::New();
  plain->SetRegions(imageSize);
  plain->Allocate();
  const float * const memory = plain->GetBufferPointer();
  m_Filter->GraftOutput(plain);
  m_Filter->Update();
  plain->Graft(m_Filter->GetOutput());
  EXPECT_EQ(plain->GetBufferPointer(), memory);
  ExpectSameSmoothing<Floats>(m_Expected, plain);
}

TEST_F(CudaRightPixels, ContainerThatARunOnTheCpuHasLeftIsWrittenIfGrafted)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device: ITK's filter replaces the container";
  }
  const auto filter = itk::CudaSignedMaurerDistanceMapImageFilter<Floats, Floats>::New();
  const auto settings = itk::CudaInterface::New();
  settings->SetBackend(itk::CudaBackendEnum::CPU);
  filter->SetCudaInterface(settings);
  filter->SetBackgroundValue(m_Input->GetPixel({ { 5, 5 } }));
  filter->SetInput(m_Input);
  filter->Update();
  const auto kept = Floats::New();
  kept->Graft(filter->GetOutput());
  const std::vector<float> expected(kept->GetBufferPointer(), kept->GetBufferPointer() + 40 * 30);
  filter->GetOutput()->Initialize();
  kept->FillBuffer(-1.0f);
  filter->GraftOutput(kept);
  settings->SetBackend(itk::CudaBackendEnum::CUDA);
  filter->Update();
  EXPECT_EQ(std::vector<float>(kept->GetBufferPointer(), kept->GetBufferPointer() + 40 * 30), expected);
}

TEST_F(CudaRightPixels, GraftedOutputIsWrittenWhereItksFilterReplacesIt)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device: ITK's filter replaces the container";
  }
  using HMaxima = itk::CudaHMaximaImageFilter<Floats, Floats>;
  const auto plain = MakeConstantImage<Floats>(imageSize, -1.0f);
  const auto filter = HMaxima::New();
  const auto filterOfGrafted = HMaxima::New();
  filterOfGrafted->GraftOutput(plain);
  for (HMaxima * const each : { filter.GetPointer(), filterOfGrafted.GetPointer() })
  {
    each->SetInput(m_Input);
    each->SetHeight(3.0f);
    each->Update();
  }
  ExpectEqualImages<Floats>(filter->GetOutput(), plain);
}

TEST_F(CudaRightPixels, MemoryOfTheUserIsWritten)
{
  std::vector<float> memory(40 * 30, -1.0f);
  m_Filter->GetOutput()->GetPixelContainer()->SetImportPointer(memory.data(), memory.size(), false);
  m_Filter->Update();
  EXPECT_EQ(m_Filter->GetOutput()->GetBufferPointer(), memory.data());
  EXPECT_TRUE(IsClose(memory[41], m_Expected->GetPixel({ { 1, 1 } })));
}

TEST_F(CudaRightPixels, AfterAnInPlaceCpuFilter)
{
  using ShiftScale = itk::ShiftScaleImageFilter<Floats, Floats>;
  const auto add = itk::AddImageFilter<Floats>::New();
  add->SetInput1(m_Filter->GetOutput());
  add->SetConstant2(100.0f);
  add->InPlaceOn();
  const auto after = Smooth<Gaussian>(add->GetOutput());
  after->Update();

  const auto shift = ShiftScale::New();
  shift->SetInput(m_Expected);
  shift->SetShift(100.0);
  shift->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(shift->GetOutput(), 1), after->GetOutput());

  // The stolen pixels are made again when they are wanted again.
  m_Filter->Update();
  ExpectSameSmoothing<Floats>(m_Expected, m_Filter->GetOutput());
}

TEST_F(CudaRightPixels, AfterDisconnectPipeline)
{
  const auto next = Smooth<Gaussian>(m_Filter->GetOutput());
  next->Update();
  const Floats::Pointer image = m_Filter->GetOutput();
  image->DisconnectPipeline();
  EXPECT_NE(m_Filter->GetOutput(), image.GetPointer());
  EXPECT_TRUE(IsClose(image->GetPixel({ { 4, 4 } }), m_Expected->GetPixel({ { 4, 4 } })));

  m_Filter->SetVariance(9.0);
  m_Filter->Update();
  ExpectSameSmoothing<Floats>(m_Expected, image);
}

TEST_F(CudaRightPixels, WhenTheFilterIsGone)
{
  Floats::Pointer image;
  {
    const auto filter = Smooth<Gaussian>(m_Input.GetPointer());
    const auto next = Smooth<Gaussian>(filter->GetOutput());
    next->Update();
    image = filter->GetOutput();
  }
  EXPECT_TRUE(IsClose(image->GetPixel({ { 4, 4 } }), m_Expected->GetPixel({ { 4, 4 } })));
}

TEST_F(CudaRightPixels, WithReleaseDataFlag)
{
  m_Filter->ReleaseDataFlagOn();
  const auto next = Smooth<Gaussian>(m_Filter->GetOutput());
  next->Update();
  EXPECT_EQ(m_Filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  ExpectSameSmoothing<Floats>(SmoothOnCpu(m_Input, 2), next->GetOutput());
  next->SetVariance(1.5001);
  next->SetVariance(1.5);
  next->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(m_Input, 2), next->GetOutput());
}

TEST_F(CudaRightPixels, CompositeCpuFilterOnEitherSide)
{
  // ITK's DiscreteGaussian grafts its input and its output into a mini-pipeline.
  const auto before = Smooth<CpuGaussian>(m_Input.GetPointer());
  const auto middle = Smooth<Gaussian>(before->GetOutput());
  const auto after = Smooth<CpuGaussian>(middle->GetOutput());
  const auto last = Smooth<Gaussian>(after->GetOutput());
  last->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(m_Input, 4), last->GetOutput());
}

TEST_F(CudaRightPixels, ChangeInformationBetweenTwoCudaFilters)
{
  const auto change = itk::ChangeInformationImageFilter<Floats>::New();
  change->SetInput(m_Filter->GetOutput());
  Floats::SpacingType spacing;
  spacing.Fill(2.0);
  change->SetOutputSpacing(spacing);
  change->ChangeSpacingOn();
  const auto after = Smooth<Gaussian>(change->GetOutput());
  after->Update();

  const auto cpuChange = itk::ChangeInformationImageFilter<Floats>::New();
  cpuChange->SetInput(m_Expected);
  cpuChange->SetOutputSpacing(spacing);
  cpuChange->ChangeSpacingOn();
  cpuChange->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(cpuChange->GetOutput(), 1), after->GetOutput());
  EXPECT_EQ(after->GetOutput()->GetSpacing(), spacing);

  // And again with other pixels.
  m_Filter->SetVariance(4.0);
  after->Update();
  const auto cpuFilter = CpuGaussian::New();
  cpuFilter->SetInput(m_Input);
  cpuFilter->SetVariance(4.0);
  cpuChange->SetInput(cpuFilter->GetOutput());
  cpuChange->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(cpuChange->GetOutput(), 1), after->GetOutput());
}

TEST_F(CudaRightPixels, AfterSetPixelContainer)
{
  m_Filter->Update();
  const auto other = MakeInput(77);
  m_Filter->GetOutput()->SetPixelContainer(other->GetPixelContainer());
  ExpectNextFilterToSee(other);

  // A container of one filter's output in another image.
  const auto source = Smooth<Gaussian>(m_Input.GetPointer());
  source->Update();
  const auto image = Floats::New();
  image->SetRegions(imageSize);
  image->SetPixelContainer(source->GetOutput()->GetPixelContainer());
  const auto next = Smooth<Gaussian>(image.GetPointer());
  next->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(m_Input, 2), next->GetOutput());
}

TEST_F(CudaRightPixels, RequestedRegionSmallerThanTheBufferedOne)
{
  m_Filter->Update();
  const auto               next = Smooth<Gaussian>(m_Filter->GetOutput());
  const Floats::RegionType region({ { 11, 7 } }, { { 13, 9 } });
  next->UpdateOutputInformation();
  next->GetOutput()->SetRequestedRegion(region);
  const CopyWatch copies;
  next->Update();
  EXPECT_EQ(next->GetOutput()->GetBufferedRegion(), region);
  const auto expected = SmoothOnCpu(m_Input, 2);
  for (itk::ImageRegionConstIterator<Floats> it(next->GetOutput(), region); !it.IsAtEnd(); ++it)
  {
    ASSERT_TRUE(IsClose(it.Get(), expected->GetPixel(it.GetIndex()))) << it.GetIndex();
  }
  if (HasDevice())
  {
    EXPECT_LT(copies.Get().UploadedBytes, 40u * 30u * 4u) << "only what is needed";
  }
}

TEST_F(CudaRightPixels, BufferedRegionNotAtIndexZero)
{
  const auto input = MakeRandomImage<Floats>(imageSize, 4, -17);
  const auto first = Smooth<Gaussian>(input.GetPointer());
  const auto second = Smooth<Gaussian>(first->GetOutput());
  second->Update();
  ExpectSameSmoothing<Floats>(SmoothOnCpu(input, 2), second->GetOutput());
  EXPECT_EQ(second->GetOutput()->GetBufferedRegion().GetIndex(0), -17);
}

TEST_F(CudaRightPixels, WhileAnObserverLooksAtInputAndOutput)
{
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->Allocate();
  std::copy_n(m_Input->GetBufferPointer(), 40 * 30, image->GetBufferPointer());
  const auto filter = Smooth<BackedGaussian>(image.GetPointer());
  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    image->GetPixel({ { 0, 0 } });
    filter->GetOutput()->GetBufferPointer();
  });
  for (unsigned int i = 0; i < 3; ++i)
  {
    filter->Modified();
    filter->Update();
    ExpectSameSmoothing<Floats>(m_Expected, filter->GetOutput());
  }
  filter->RemoveAllObservers();
}

TEST_F(CudaRightPixels, TypedAsCudaBackedImage)
{
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->Allocate();
  std::copy_n(m_Input->GetBufferPointer(), 40 * 30, image->GetBufferPointer());
  const auto filter = Smooth<BackedGaussian>(image.GetPointer());

  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCudaPixelContainer()->GetValidSide(), OnDeviceOr(CudaPixelSideEnum::Host));
  EXPECT_TRUE(IsClose((*filter->GetOutput())[{ { 4, 4 } }], m_Expected->GetPixel({ { 4, 4 } })));

  filter->Modified();
  filter->Update();
  EXPECT_TRUE(IsClose((*filter->GetOutput()->GetPixelContainer())[41], m_Expected->GetPixel({ { 1, 1 } })));

  filter->Modified();
  filter->Update();
  filter->GetOutput()->SetPixel({ { 4, 4 } }, 8.0f);
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 4, 4 } }), 8.0f);
  EXPECT_TRUE(IsClose(filter->GetOutput()->GetPixel({ { 5, 4 } }), m_Expected->GetPixel({ { 5, 4 } })));

  filter->Modified();
  filter->Update();
  filter->GetOutput()->FillBuffer(6.0f);
  const auto next = Smooth<BackedGaussian>(filter->GetOutput());
  next->Update();
  EXPECT_TRUE(IsClose(next->GetOutput()->GetPixel({ { 4, 4 } }), 6.0f));

  // A plain CPU filter in a pipeline, and Graft after MakeHostValid().
  filter->Modified();
  const auto median = Median::New();
  median->SetInput(filter->GetOutput());
  median->Update();
  const auto cpuMedian = Median::New();
  cpuMedian->SetInput(m_Expected);
  cpuMedian->Update();
  ExpectSameSmoothing<Floats>(cpuMedian->GetOutput(), median->GetOutput());

  filter->Modified();
  filter->Update();
  filter->GetOutput()->MakeHostValid();
  const auto plain = Floats::New();
  plain->Graft(filter->GetOutput());
  ExpectSameSmoothing<Floats>(m_Expected, plain);
}

TEST_F(CudaRightPixels, ComparedAsImages)
{
  const auto make = [this] {
    const auto image = Backed::New();
    image->Graft(m_Input.GetPointer());
    const auto filter = Smooth<BackedGaussian>(image.GetPointer());
    filter->Update();
    return filter;
  };
  const auto a = make();
  const auto b = make();
  EXPECT_TRUE(*a->GetOutput() == *b->GetOutput());
  a->GetOutput()->SetPixel({ { 1, 1 } }, -12345.0f);
  EXPECT_TRUE(*a->GetOutput() != *b->GetOutput());
}

// ---- The container by itself ----------------------------------------------------------------------------------------

TEST(CudaContainer, BehavesAsImportImageContainer)
{
  const auto container = Container::New();
  EXPECT_EQ(container->GetValidSide(), CudaPixelSideEnum::None);
  EXPECT_EQ(container->GetBufferPointer(), nullptr);
  container->Reserve(10, true);
  EXPECT_EQ(container->Size(), 10u);
  EXPECT_EQ((*container)[9], 0.0f);
  (*container)[9] = 4.0f;
  container->Reserve(20);
  EXPECT_EQ((*container)[9], 4.0f);
  container->Reserve(5);
  EXPECT_EQ(container->Size(), 5u);
  EXPECT_EQ(container->Capacity(), 20u);
  container->Squeeze();
  EXPECT_EQ(container->Capacity(), 5u);
  container->Initialize();
  EXPECT_EQ(container->Size(), 0u);
  EXPECT_EQ(container->GetValidSide(), CudaPixelSideEnum::None);

  std::vector<float> memory{ 1, 2, 3 };
  container->SetImportPointer(memory.data(), 3, false);
  EXPECT_EQ(container->GetBufferPointer(), memory.data());
  EXPECT_EQ(container->GetValidSide(), CudaPixelSideEnum::Host);
  container->SetImportPointer(new float[4]{ 4, 5, 6, 7 }, 4, true);
  EXPECT_EQ((*container)[3], 7.0f);

  // Memory that the container was told to leave alone outlives it.
  float * left = nullptr;
  {
    const auto other = Container::New();
    other->Reserve(8);
    other->ContainerManageMemoryOff();
    left = other->GetBufferPointer();
    left[7] = 3.0f;
  }
  EXPECT_EQ(left[7], 3.0f);
  container->SetImportPointer(left, 8, true);
}

TEST(CudaContainer, KeepsWhatOnlyTheDeviceHas)
{
  const auto make = [] {
    const auto image = Backed::New();
    image->Graft(MakeInput().GetPointer());
    const auto filter = Smooth<BackedGaussian>(image.GetPointer());
    filter->Update();
    return filter;
  };
  const auto expected = SmoothOnCpu(MakeInput(), 1);
  const auto at41 = expected->GetBufferPointer()[41];
  {
    const auto filter = make();
    auto *     container = filter->GetOutput()->GetCudaPixelContainer();
    container->Reserve(40 * 30 + 100);
    EXPECT_NEAR((*container)[41], at41, 0.02);
  }
  {
    // The same by somebody who knows the superclass only.
    const auto               filter = make();
    Floats::PixelContainer * container = filter->GetOutput()->GetCudaPixelContainer();
    container->Reserve(40 * 30);
    ASSERT_NE(container->GetBufferPointer(), nullptr);
    EXPECT_NEAR((*container)[41], at41, 0.02);
  }
  {
    const auto filter = make();
    filter->GetOutput()->GetCudaPixelContainer()->Initialize();
    EXPECT_EQ(filter->GetOutput()->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::None);
  }
  {
    // An image allocated anew keeps them, too; its pixels count as changed.
    const auto filter = make();
    filter->GetOutput()->Allocate();
    EXPECT_NEAR(filter->GetOutput()->GetPixel({ { 1, 1 } }), at41, 0.02);
    EXPECT_EQ(filter->GetOutput()->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::Host);
  }
}

// As clones of ITK's images: they have no pixels.
TEST(CudaBackedImage, Clone)
{
  using Plain = itk::Image<short, 2>;
  using Backed = itk::CudaBackedImage<short, 2>;
  for (const bool isTracked : { true, false })
  {
    const auto image = Backed::New();
    image->SetHostAccessTracked(isTracked);
    image->SetRegions(Backed::SizeType{ { 5, 4 } });
    image->Allocate(true);
    const Backed::Pointer clone = image->Clone();
    ASSERT_NE(clone, nullptr);
    EXPECT_EQ(clone->GetBufferedRegion().GetNumberOfPixels(), 0u);
    EXPECT_EQ(clone->GetPixelContainer()->Size(), 0u);
    const Plain * const  plain = image;
    const Plain::Pointer cloneOfPlain = plain->Clone();
    ASSERT_NE(cloneOfPlain, nullptr);
    EXPECT_STREQ(cloneOfPlain->GetNameOfClass(), image->GetNameOfClass());
    EXPECT_EQ(cloneOfPlain->GetBufferedRegion().GetNumberOfPixels(), 0u);
  }
}

// Two images of different sizes share a container: each finds all its pixels on the device.
TEST(CudaBackedImage, ContainerOfALargerImage)
{
  using Backed = itk::CudaBackedImage<float, 2>;
  const auto large = Backed::New();
  large->SetRegions(Backed::SizeType{ { 20, 16 } });
  large->Allocate();
  for (itk::SizeValueType i = 0; i < 320; ++i)
  {
    large->GetBufferPointer()[i] = static_cast<float>(i % 37);
  }
  const auto small = Backed::New();
  small->SetRegions(Backed::SizeType{ { 20, 8 } });
  small->SetPixelContainer(large->GetPixelContainer());

  for (const auto & image : { small, large })
  {
    const auto cpu = itk::DiscreteGaussianImageFilter<Backed, Backed>::New();
    const auto cuda = itk::CudaDiscreteGaussianImageFilter<Backed>::New();
    cuda->SetInput(image);
    cuda->SetVariance(2.0);
    cuda->Update();
    cpu->SetInput(image);
    cpu->SetVariance(2.0);
    cpu->Update();
    ExpectSameSmoothing<Backed>(cpu->GetOutput(), cuda->GetOutput());
  }
  if (HasDevice())
  {
    // A buffer too small for its region is refused.
    const auto broken = Backed::New();
    broken->SetRegions(Backed::SizeType{ { 20, 17 } });
    broken->SetPixelContainer(large->GetPixelContainer());
    const auto cuda = itk::CudaDiscreteGaussianImageFilter<Backed>::New();
    cuda->SetInput(broken);
    const std::string error = GetExceptionOf([&] { cuda->Update(); });
    EXPECT_NE(error.find("a buffer of 320 pixels for a region of 340"), std::string::npos) << error;
  }
}

// A plain image that was not allocated.
TEST(CudaBackedImage, PlainInputWithoutPixels)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "On the CPU, ITK's filter reads what is not there";
  }
  const auto image = itk::Image<float, 2>::New();
  image->SetRegions(itk::Size<2>{ { 20, 17 } });
  const auto filter = itk::CudaDiscreteGaussianImageFilter<itk::Image<float, 2>>::New();
  filter->SetInput(image);
  const std::string error = GetExceptionOf([&] { filter->Update(); });
  EXPECT_NE(error.find("an image has a region, but no pixels"), std::string::npos) << error;
}
