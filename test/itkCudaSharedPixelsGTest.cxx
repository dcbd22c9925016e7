// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Device memory that images and others use together.

#include "itkCudaBackedImage.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkCudaZeroCrossingImageFilter.h"

namespace
{
using namespace itk::CudaTest;
using itk::CudaPixelSideEnum;

using Floats = itk::Image<float, 2>;
using Backed = itk::CudaBackedImage<float, 2>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats, Backed>;
using Shared = itk::CudaSharedPixels;

const Floats::SizeType imageSize{ { 37, 23 } };

Gaussian::Pointer
Smooth(const Floats * image, double variance = 2.0)
{
  const auto filter = Gaussian::New();
  filter->SetInput(image);
  filter->SetVariance(variance);
  filter->Update();
  return filter;
}

Floats::Pointer
SmoothOnCpu(const Floats * image, double variance = 2.0)
{
  const auto filter = itk::DiscreteGaussianImageFilter<Floats, Floats>::New();
  filter->SetInput(image);
  filter->SetVariance(variance);
  filter->Update();
  return filter->GetOutput();
}

Backed::Pointer
Adopt(const Shared * pixels)
{
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->AdoptFromDevice(pixels);
  return image;
}

void
ExpectNear(const Floats * image, const Floats * expected)
{
  EXPECT_LE(GetLargestDifference(expected, image), 1e-5);
}

class CudaSharedPixels : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (!HasDevice())
    {
      GTEST_SKIP() << "needs a device";
    }
  }

  const Floats::Pointer m_Input = MakeRandomImage<Floats>(imageSize, 1);
};
} // namespace

TEST(CudaSharing, NeedsADeviceAndPixels)
{
  const auto image = Backed::New();
  EXPECT_THROW(image->ShareOnDevice(), itk::ExceptionObject);
  image->SetRegions(imageSize);
  image->Allocate(true);
  if (HasDevice())
  {
    EXPECT_NE(image->ShareOnDevice()->GetPointer(), 0u);
  }
  else
  {
    EXPECT_THROW(image->ShareOnDevice(), itk::ExceptionObject);
  }
  const auto none = Shared::New();
  EXPECT_EQ(none->GetPointer(), 0u);
  EXPECT_EQ(none->GetNumberOfBytes(), 0u);
  EXPECT_EQ(none->GetDeviceNumber(), -1);
  EXPECT_THROW(image->AdoptFromDevice(none), itk::ExceptionObject);
  EXPECT_THROW(image->AdoptFromDevice(nullptr), itk::ExceptionObject);
  float onHost[1] = { 1.0f };
  EXPECT_THROW(none->Borrow(reinterpret_cast<std::uintptr_t>(onHost), sizeof(onHost), 0, nullptr),
               itk::ExceptionObject);
}

TEST_F(CudaSharedPixels, AreLentWithoutACopy)
{
  const auto      filter = Smooth(m_Input);
  const CopyWatch copies;
  const auto      pixels = filter->GetOutput()->ShareOnDevice();
  EXPECT_NE(pixels->GetPointer(), 0u);
  EXPECT_EQ(pixels->GetNumberOfBytes(), 37u * 23u * sizeof(float));
  EXPECT_EQ(pixels->GetDeviceNumber(), 0);
  EXPECT_EQ(filter->GetOutput()->ShareOnDevice()->GetPointer(), pixels->GetPointer());
  pixels->MakeVisibleTo(1);
  pixels->MakeVisibleTo(Shared::GetStream(0));
  const auto image = Adopt(pixels);
  copies.Expect(0, 0);

  ExpectNear(image, SmoothOnCpu(m_Input));
  copies.Expect(0, 1);
}

TEST_F(CudaSharedPixels, AreUploadedIfOnlyTheHostHasThem)
{
  const auto image = Backed::New();
  image->Graft(m_Input.GetPointer());
  EXPECT_THROW(image->ShareOnDevice(), itk::ExceptionObject) << "the container is the plain image's";

  const auto own = Backed::New();
  own->SetRegions(imageSize);
  own->Allocate();
  own->FillBuffer(3.0f);
  const CopyWatch copies;
  const auto      pixels = own->ShareOnDevice();
  copies.Expect(1, 0);
  EXPECT_EQ(own->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::Both);
  EXPECT_EQ(Adopt(pixels)->GetPixel({ { 5, 7 } }), 3.0f);
}

TEST_F(CudaSharedPixels, StayWhenTheImageIsComputedAnewOrGone)
{
  auto       filter = Smooth(m_Input, 2.0);
  const auto former = filter->GetOutput()->ShareOnDevice();
  filter->SetVariance(5.0);
  filter->Update();
  const auto present = filter->GetOutput()->ShareOnDevice();
  EXPECT_NE(former->GetPointer(), present->GetPointer());
  filter = nullptr;
  ExpectNear(Adopt(former), SmoothOnCpu(m_Input, 2.0));
  ExpectNear(Adopt(present), SmoothOnCpu(m_Input, 5.0));
}

TEST_F(CudaSharedPixels, AreNotWrittenByWhoAdoptsThem)
{
  const auto filter = Smooth(m_Input);
  const auto pixels = filter->GetOutput()->ShareOnDevice();
  const auto image = Adopt(pixels);
  image->FillBuffer(7.0f);
  EXPECT_EQ(Adopt(image->ShareOnDevice())->GetPixel({ { 1, 1 } }), 7.0f);
  ExpectNear(Adopt(pixels), SmoothOnCpu(m_Input));
}

TEST_F(CudaSharedPixels, OfOthersAreReadByFiltersAndGivenBack)
{
  bool isHeld = true;
  {
    const auto lender = Smooth(m_Input)->GetOutput()->ShareOnDevice();
    auto       borrowed = Shared::New();
    borrowed->Borrow(lender->GetPointer(),
                     lender->GetNumberOfBytes(),
                     Shared::GetStream(0),
                     std::shared_ptr<void>(&isHeld, [lender](void * held) { *static_cast<bool *>(held) = false; }));
    auto image = Adopt(borrowed);
    borrowed = nullptr;

    const CopyWatch copies;
    auto            filter = Smooth(image, 3.0);
    copies.Expect(0, 0);
    ExpectNear(filter->GetOutput(), SmoothOnCpu(SmoothOnCpu(m_Input), 3.0));
    image = nullptr;
    EXPECT_TRUE(isHeld) << "the filter has the image yet";
    filter = nullptr;
    EXPECT_FALSE(isHeld);
  }
}

TEST_F(CudaSharedPixels, MayHaveNoOwner)
{
  const auto lender = Smooth(m_Input)->GetOutput()->ShareOnDevice();
  const auto inUse = itk::CudaInterface::GetDeviceBytesInUse();
  {
    const auto borrowed = Shared::New();
    borrowed->Borrow(lender->GetPointer(), lender->GetNumberOfBytes(), 0, nullptr);
    ExpectNear(Adopt(borrowed), SmoothOnCpu(m_Input));
  }
  EXPECT_EQ(itk::CudaInterface::GetDeviceBytesInUse(), inUse);
  ExpectNear(Adopt(lender), SmoothOnCpu(m_Input));
}

TEST_F(CudaSharedPixels, CountAgainThoughTheHostHasLooked)
{
  const auto lender = Smooth(m_Input)->GetOutput()->ShareOnDevice();
  const auto image = Adopt(lender);
  EXPECT_EQ(image->GetDeviceNumber(), 0);
  image->FillBuffer(1.0f);
  EXPECT_EQ(image->GetDeviceNumber(), -1);
  image->SetDeviceModified();
  EXPECT_EQ(image->GetDeviceNumber(), 0);
  ExpectNear(image, SmoothOnCpu(m_Input));

  // What is computed anew is not shared.
  const auto filter = Smooth(m_Input);
  const auto output = filter->GetOutput();
  output->ShareOnDevice();
  filter->Modified();
  filter->Update();
  output->GetBufferPointer();
  const CopyWatch copies;
  output->SetDeviceModified();
  copies.Expect(0, 0);
}

TEST_F(CudaSharedPixels, AreUploadedAgainWhereHostAccessIsNotTracked)
{
  const auto image = Backed::New();
  image->SetRegions(imageSize);
  image->Allocate();
  image->FillBuffer(1.0f);
  float * const pixels = image->GetBufferPointer();
  image->SetHostAccessTracked(false);
  Smooth(image);
  pixels[0] = 2.0f; // unseen
  EXPECT_EQ(Adopt(image->ShareOnDevice())->GetPixel({ { 0, 0 } }), 2.0f);
}

TEST_F(CudaSharedPixels, MayBeWrittenByOthers)
{
  const auto filter = Smooth(m_Input);
  const auto image = filter->GetOutput();
  const auto pixels = image->ShareOnDevice();
  image->MakeHostValid();
  EXPECT_EQ(image->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::Both);
  const auto      before = image->GetMTime();
  const CopyWatch copies;
  image->SetDeviceModified();
  EXPECT_GT(image->GetMTime(), before);
  // A program may have kept the address of the pixels on the host: they are there again.
  copies.Expect(0, 1);
  EXPECT_EQ(image->GetCudaPixelContainer()->GetValidSide(), CudaPixelSideEnum::Both);
  ExpectNear(image, SmoothOnCpu(m_Input));
}

// A slice of an array may begin at any element: filters must not load several of them at a time then.
TEST_F(CudaSharedPixels, MayBeginAtAnyElement)
{
  const Floats::SizeType largeSize{ { 40, 33 } };
  const Floats::SizeType size{ { 40, 32 } };
  const auto             large = Backed::New();
  large->SetRegions(largeSize);
  large->Allocate();
  const auto random = MakeRandomImage<Floats>(largeSize, 3);
  std::copy_n(random->GetBufferPointer(), 40 * 33, large->GetBufferPointer());
  const auto lender = large->ShareOnDevice();
  for (const unsigned int first : { 1u, 2u, 3u, 5u })
  {
    const auto borrowed = Shared::New();
    borrowed->Borrow(lender->GetPointer() + first * sizeof(float), 40 * 32 * sizeof(float), 0, nullptr);
    const auto image = Backed::New();
    image->SetRegions(size);
    image->AdoptFromDevice(borrowed);
    const auto same = Floats::New();
    same->SetRegions(size);
    same->Allocate();
    std::copy_n(random->GetBufferPointer() + first, 40 * 32, same->GetBufferPointer());

    const auto compare = [&](auto cuda, auto cpu) {
      cuda->SetInput(image);
      cpu->SetInput(same);
      cuda->Update();
      cpu->Update();
      EXPECT_TRUE(cuda->GetExecutedOnDevice()) << cuda->GetExecutedOn();
      ExpectNear(cuda->GetOutput(), cpu->GetOutput());
    };
    compare(itk::CudaSobelEdgeDetectionImageFilter<Floats, Floats>::New(),
            itk::SobelEdgeDetectionImageFilter<Floats, Floats>::New());
    compare(itk::CudaZeroCrossingImageFilter<Floats, Floats>::New(),
            itk::ZeroCrossingImageFilter<Floats, Floats>::New());
    compare(itk::CudaDiscreteGaussianImageFilter<Floats, Floats>::New(),
            itk::DiscreteGaussianImageFilter<Floats, Floats>::New());
    compare(itk::CudaHMaximaImageFilter<Floats, Floats>::New(), itk::HMaximaImageFilter<Floats, Floats>::New());
  }

  const auto misaligned = Shared::New();
  misaligned->Borrow(lender->GetPointer() + 2, 40 * 32 * sizeof(float), 0, nullptr);
  const auto image = Backed::New();
  image->SetRegions(size);
  EXPECT_NE(GetExceptionOf([&] { image->AdoptFromDevice(misaligned); }).find("multiple of 4"), std::string::npos);
}

TEST_F(CudaSharedPixels, MustFitTheImage)
{
  const auto pixels = Smooth(m_Input)->GetOutput()->ShareOnDevice();
  const auto image = Backed::New();
  EXPECT_THROW(image->AdoptFromDevice(pixels), itk::ExceptionObject);
  image->SetRegions(Floats::SizeType{ { 37, 22 } });
  EXPECT_THROW(image->AdoptFromDevice(pixels), itk::ExceptionObject);
}
