// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaGrayscaleDilateImageFilter.h"
#include "itkCudaGrayscaleErodeImageFilter.h"
#include "itkCudaGrayscaleMorphologicalClosingImageFilter.h"
#include "itkCudaGrayscaleMorphologicalOpeningImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkStreamingImageFilter.h"
#include <algorithm>
#include <cmath>
#include <string>

namespace
{
using namespace itk::CudaTest;

template <typename TImage>
using Element = itk::FlatStructuringElement<TImage::ImageDimension>;

/** Compares a filter with its parent. configure: sets what is special. The algorithm for boxes that ITK chooses by
 * itself fails for images of one row, and writes to the console: usesBasic selects the one that has no such limits. */
template <template <typename, typename, typename> class TCuda,
          template <typename, typename, typename>
          class TParent,
          typename TImage,
          typename TOutput = TImage,
          typename TKernel,
          typename TConfigure>
void
ExpectSameAsItk(const TImage *     image,
                const TKernel &    kernel,
                TConfigure         configure,
                bool               usesBasic = true,
                bool               runsOnDevice = HasDevice(),
                itk::SizeValueType budget = 0)
{
  const auto cpu = TParent<TImage, TOutput, TKernel>::New();
  SCOPED_TRACE(::testing::Message() << cpu->GetNameOfClass() << ", radius " << kernel.GetRadius() << ", "
                                    << itk::CudaFilters::GetOffsets(kernel).size() << " pixels, basic " << usesBasic);
  cpu->SetInput(image);
  cpu->SetKernel(kernel);
  configure(*cpu);
  const auto choose = [&](auto & filter) {
    if (usesBasic)
    {
      filter.SetAlgorithm(itk::MathematicalMorphologyEnums::Algorithm::BASIC);
    }
  };
  choose(*cpu);
  cpu->Update();
  const auto cuda = TCuda<TImage, TOutput, TKernel>::New();
  if (budget != 0)
  {
    const auto interface = itk::CudaInterface::New();
    interface->SetMemoryBudget(budget);
    cuda->SetCudaInterface(interface);
  }
  cuda->SetInput(image);
  cuda->SetKernel(kernel);
  configure(*cuda);
  choose(*cuda);
  cuda->Update();
  EXPECT_EQ(cuda->GetExecutedOnDevice(), runsOnDevice) << cuda->GetExecutedOn();
  EXPECT_EQ(cuda->GetNumberOfTiles() > 1, runsOnDevice && budget != 0);
  if (usesBasic)
  {
    ExpectEqualImages<TOutput>(cpu->GetOutput(), cuda->GetOutput());
  }
  else
  {
    ExpectSameSmoothing<TOutput>(cpu->GetOutput(), cuda->GetOutput());
  }
}

/** Compares all four filters with their parents. */
template <typename TImage, typename TKernel>
void
ExpectAllSameAsItk(const TImage *     image,
                   const TKernel &    kernel,
                   bool               usesBasic = true,
                   bool               runsOnDevice = HasDevice(),
                   itk::SizeValueType budget = 0)
{
  const auto nothing = [](auto &) {};
  ExpectSameAsItk<itk::CudaGrayscaleErodeImageFilter, itk::GrayscaleErodeImageFilter, TImage>(
    image, kernel, nothing, usesBasic, runsOnDevice, budget);
  ExpectSameAsItk<itk::CudaGrayscaleDilateImageFilter, itk::GrayscaleDilateImageFilter, TImage>(
    image, kernel, nothing, usesBasic, runsOnDevice, budget);
  for (const bool isSafe : { true, false })
  {
    SCOPED_TRACE(::testing::Message() << "safe border " << isSafe);
    const auto set = [&](auto & filter) { filter.SetSafeBorder(isSafe); };
    ExpectSameAsItk<itk::CudaGrayscaleMorphologicalOpeningImageFilter,
                    itk::GrayscaleMorphologicalOpeningImageFilter,
                    TImage>(image, kernel, set, usesBasic, runsOnDevice, budget);
    ExpectSameAsItk<itk::CudaGrayscaleMorphologicalClosingImageFilter,
                    itk::GrayscaleMorphologicalClosingImageFilter,
                    TImage>(image, kernel, set, usesBasic, runsOnDevice, budget);
  }
}

template <typename TImage>
class CudaFlatMorphology : public ::testing::Test
{};
// All pixel types and both dimensions, but not all pairs, since ITK's filters take long to compile.
using MorphologyImageTypes = ::testing::Types<itk::Image<unsigned char, 2>,
                                              itk::Image<unsigned short, 3>,
                                              itk::Image<short, 2>,
                                              itk::Image<float, 3>,
                                              itk::Image<double, 2>>;
TYPED_TEST_SUITE(CudaFlatMorphology, MorphologyImageTypes);
} // namespace

TYPED_TEST(CudaFlatMorphology, EqualsItkForAllSizes)
{
  for (const auto & size : GetSizes<TypeParam>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto                   image = MakeRandomImage<TypeParam>(size, 3, -4);
    typename TypeParam::SizeType radius;
    radius.Fill(1);
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius));
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Ball(radius));
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Cross(radius));
    radius[0] = 3;
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius));
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Ball(radius));
  }
}

TYPED_TEST(CudaFlatMorphology, OfOnePixelChangesNothing)
{
  const auto run = [](auto filter) {
    const auto                   image = MakeRandomImage<TypeParam>(GetSizes<TypeParam>().back(), 3, -4);
    typename TypeParam::SizeType radius;
    radius.Fill(0);
    filter->SetInput(image);
    filter->SetKernel(Element<TypeParam>::Box(radius)); // for which some of ITK's filters crash
    filter->Update();
    ExpectEqualImages<TypeParam>(image, filter->GetOutput());
  };
  if (HasDevice())
  {
    using Kernel = Element<TypeParam>;
    run(itk::CudaGrayscaleErodeImageFilter<TypeParam, TypeParam, Kernel>::New());
    run(itk::CudaGrayscaleDilateImageFilter<TypeParam, TypeParam, Kernel>::New());
    run(itk::CudaGrayscaleMorphologicalOpeningImageFilter<TypeParam, TypeParam, Kernel>::New());
    run(itk::CudaGrayscaleMorphologicalClosingImageFilter<TypeParam, TypeParam, Kernel>::New());
  }
}

TYPED_TEST(CudaFlatMorphology, EqualsItkForLargeElementsTilesAndOtherTypes)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device: ITK's filter, which takes long, would be compared with itself";
  }
  typename TypeParam::SizeType size;
  size.Fill(TypeParam::ImageDimension == 2 ? 92 : 16);
  size[1] = TypeParam::ImageDimension == 2 ? 37 : 13;
  const auto                   image = MakeRandomImage<TypeParam>(size, 5);
  typename TypeParam::SizeType radius;
  radius.Fill(TypeParam::ImageDimension == 2 ? 13 : 5); // two passes along each axis
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius));
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Ball(radius));
  radius.Fill(1);
  radius[0] = size[0] + 4; // more than the image
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius));
  radius.Fill(2);
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius), false);
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Ball(radius), false);
  const auto budget = image->GetBufferedRegion().GetNumberOfPixels() * sizeof(typename TypeParam::PixelType) * 2;
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius), true, true, budget);
  ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Ball(radius), true, true, budget);
  // ITK's opening and closing need outputs of the same type.
  using Doubles = itk::Image<double, TypeParam::ImageDimension>;
  const auto nothing = [](auto &) {};
  ExpectSameAsItk<itk::CudaGrayscaleErodeImageFilter, itk::GrayscaleErodeImageFilter, TypeParam, Doubles>(
    image.GetPointer(), Element<TypeParam>::Ball(radius), nothing);
  ExpectSameAsItk<itk::CudaGrayscaleDilateImageFilter, itk::GrayscaleDilateImageFilter, TypeParam, Doubles>(
    image.GetPointer(), Element<TypeParam>::Box(radius), nothing);
}

// Rows that are multiples of 16 bytes: squares are one pass.
TYPED_TEST(CudaFlatMorphology, EqualsItkForSquares)
{
  typename TypeParam::SizeType size;
  size.Fill(5);
  size[1] = 37;
  typename TypeParam::SizeType radius;
  radius.Fill(1);
  for (const unsigned int width : { 16, 48 })
  {
    size[0] = width;
    const auto image = MakeRandomImage<TypeParam>(size, 3, -4);
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius));
    const auto budget = image->GetBufferedRegion().GetNumberOfPixels() * sizeof(typename TypeParam::PixelType) * 2;
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(radius), true, HasDevice(), budget);
    auto flat = radius;
    flat[TypeParam::ImageDimension - 1] = TypeParam::ImageDimension == 2 ? 1 : 0;
    ExpectAllSameAsItk<TypeParam>(image, Element<TypeParam>::Box(flat));
    // Wide rows whose output has another type.
    using Doubles = itk::Image<double, TypeParam::ImageDimension>;
    ExpectSameAsItk<itk::CudaGrayscaleErodeImageFilter, itk::GrayscaleErodeImageFilter, TypeParam, Doubles>(
      image.GetPointer(), Element<TypeParam>::Box(radius), [](auto &) {});
  }
}

namespace
{
using Plane = itk::Image<short, 2>;
} // namespace

TEST(CudaMorphologyOfAPlane, RunsOnTheCpuWithABoundaryValueOrAPolygon)
{
  const auto image = MakeRandomImage<Plane>({ { 50, 40 } }, 3);
  const auto element = Element<Plane>::Ball({ { 2, 2 } });
  ExpectSameAsItk<itk::CudaGrayscaleErodeImageFilter, itk::GrayscaleErodeImageFilter, Plane>(
    image.GetPointer(), element, [](auto & filter) { filter.SetBoundary(-5); }, false, false);
  ExpectSameAsItk<itk::CudaGrayscaleDilateImageFilter, itk::GrayscaleDilateImageFilter, Plane>(
    image.GetPointer(), element, [](auto & filter) { filter.SetBoundary(5); }, false, false);
  ExpectAllSameAsItk<Plane>(image, Element<Plane>::Polygon({ { 5, 5 } }, 4), false, false);
}

TEST(CudaMorphologyOfAPlane, EqualsItkForAnElementWithHolesThatIsNotSymmetric)
{
  const auto                 image = MakeRandomImage<Plane>({ { 50, 40 } }, 3);
  itk::Neighborhood<bool, 2> kernel;
  kernel.SetRadius({ { 2, 4 } });
  for (unsigned int i = 0; i < kernel.Size(); ++i)
  {
    kernel[i] = i % 3 == 1 || i > 30;
  }
  ExpectAllSameAsItk<Plane>(image, kernel);
}

TEST(CudaMorphologyOfAPlane, RejectsAnElementWithoutPixelsAsItk)
{
  itk::Neighborhood<bool, 2> kernel;
  kernel.SetRadius({ { 2, 1 } });
  std::fill(kernel.Begin(), kernel.End(), false);
  const auto getError = [&](auto filter) {
    filter->SetInput(MakeRandomImage<Plane>({ { 50, 40 } }, 3));
    return GetExceptionOf([&] {
      filter->SetKernel(kernel);
      filter->Update();
    });
  };
  using Kernel = itk::Neighborhood<bool, 2>;
  const auto message = "must contain at least one point";
  EXPECT_NE(getError(itk::GrayscaleErodeImageFilter<Plane, Plane, Kernel>::New()).find(message), std::string::npos);
  EXPECT_NE(getError(itk::CudaGrayscaleErodeImageFilter<Plane, Plane, Kernel>::New()).find(message), std::string::npos);
}

TEST(CudaMorphologyOfAPlane, EqualsItkForInfinitePixelsInside)
{
  using Floats = itk::Image<float, 2>;
  const auto image = MakeRandomImage<Floats>({ { 50, 40 } }, 3);
  for (int y = 10; y < 30; ++y)
  {
    for (int x = 10; x < 30; ++x)
    {
      image->SetPixel({ { x, y } }, x < 20 ? INFINITY : -INFINITY);
    }
  }
  ExpectAllSameAsItk<Floats>(image, Element<Floats>::Box({ { 2, 2 } }));
  ExpectAllSameAsItk<Floats>(image, Element<Floats>::Ball({ { 2, 2 } }));
  ExpectAllSameAsItk<Floats>(image, Element<Floats>::Box({ { 2, 2 } }), false);
}

TEST(CudaMorphologyOfAPlane, StreamsTheSamePixels)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "ITK's opening does not ask for enough pixels.";
  }
  const auto image = MakeRandomImage<Plane>({ { 50, 61 } }, 3);
  using Kernel = Element<Plane>;
  const auto whole = itk::GrayscaleMorphologicalOpeningImageFilter<Plane, Plane, Kernel>::New();
  whole->SetInput(image);
  whole->SetKernel(Kernel::Box({ { 3, 2 } }));
  whole->Update();
  const auto source = itk::CudaGrayscaleMorphologicalOpeningImageFilter<Plane, Plane, Kernel>::New();
  source->SetInput(image);
  source->SetKernel(Kernel::Box({ { 3, 2 } }));
  const auto streaming = itk::StreamingImageFilter<Plane, Plane>::New();
  streaming->SetInput(source->GetOutput());
  streaming->SetNumberOfStreamDivisions(5);
  streaming->Update();
  ExpectEqualImages<Plane>(whole->GetOutput(), streaming->GetOutput());
}
