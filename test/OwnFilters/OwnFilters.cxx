// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Compares filters outside the module with their parents, on the whole image and in tiles.

#include "OwnFunctors.h"
#include "OwnOperations.h"
#include "itkConstantPadImageFilter.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkGenerateImageSource.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkImageToImageFilter.h"
#include "itkMaskImageFilter.h"
#include "itkVector.h"
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

#if defined(CUDAFILTERS_WITHOUT_KERNELS)
itk::CudaFilters::OperationPointer
MakeMaskOperation(const Triple &)
{
  return nullptr;
}

itk::CudaFilters::OperationPointer
MakeDivisionOperation(std::uint64_t)
{
  return nullptr;
}

itk::CudaFilters::OperationPointer
MakePadOperation(short)
{
  return nullptr;
}

itk::CudaFilters::OperationPointer
MakeRampOperation()
{
  return nullptr;
}
#endif

namespace
{
using VectorType = itk::Vector<float, 3>;
using VectorImage = itk::Image<VectorType, 2>;
using MaskImage = itk::Image<unsigned char, 2>;
using LabelImage = itk::Image<std::uint64_t, 3>;
using RemainderImage = itk::Image<unsigned char, 3>;
using ShortImage = itk::Image<short, 2>;
using RampImage = itk::Image<unsigned short, 2>;

/** What the filters of this file have in common. */
template <typename TParent>
class OwnFilter : public itk::CudaAcceleratedImageFilter<TParent>
{
protected:
  bool
  SupportsPixelTypes() const override
  {
#if defined(CUDAFILTERS_WITHOUT_KERNELS)
    return false;
#else
    return true;
#endif
  }
};

/** Vector pixels, inputs of different types, and a parent that can run in place. */
class CudaMaskFilter : public OwnFilter<itk::MaskImageFilter<VectorImage, MaskImage>>
{
public:
  itkCudaFilterMacro(CudaMaskFilter, OwnFilter<itk::MaskImageFilter<VectorImage, MaskImage>>);

protected:
  CudaMaskFilter() = default;
  ~CudaMaskFilter() override = default;

  void
  CollectImages(itk::CudaFilters::ImageList & images) override
  {
    Superclass::CollectImages(images);
    images.AddInput(this->GetMaskImage());
  }

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    const VectorType outside = this->GetOutsideValue();
    return MakeMaskOperation({ { outside[0], outside[1], outside[2] } });
  }
};

/** Two outputs of different types, on the CPU. */
class DivisionFilter : public itk::ImageToImageFilter<LabelImage, LabelImage>
{
public:
  itkCudaFilterMacro(DivisionFilter, itk::ImageToImageFilter<LabelImage, LabelImage>);

  itkSetMacro(Divisor, std::uint64_t);
  itkGetConstMacro(Divisor, std::uint64_t);

  RemainderImage *
  GetRemainders()
  {
    return dynamic_cast<RemainderImage *>(this->ProcessObject::GetOutput(1));
  }

  using Superclass::MakeOutput;
  itk::DataObject::Pointer
  MakeOutput(DataObjectPointerArraySizeType index) override
  {
    return index == 1 ? RemainderImage::New().GetPointer() : Superclass::MakeOutput(index);
  }

protected:
  DivisionFilter()
  {
    this->SetNumberOfRequiredOutputs(2);
    this->SetNthOutput(1, this->DivisionFilter::MakeOutput(1));
  }
  ~DivisionFilter() override = default;

  void
  GenerateData() override
  {
    this->AllocateOutputs();
    const auto                                region = this->GetOutput()->GetRequestedRegion();
    itk::ImageRegionConstIterator<LabelImage> in(this->GetInput(), region);
    itk::ImageRegionIterator<LabelImage>      quotient(this->GetOutput(), region);
    itk::ImageRegionIterator<RemainderImage>  remainder(this->GetRemainders(), region);
    for (; !in.IsAtEnd(); ++in, ++quotient, ++remainder)
    {
      quotient.Set(in.Get() / m_Divisor);
      remainder.Set(static_cast<unsigned char>(in.Get() % m_Divisor));
    }
  }

private:
  std::uint64_t m_Divisor = 1;
};

class CudaDivisionFilter : public OwnFilter<DivisionFilter>
{
public:
  itkCudaFilterMacro(CudaDivisionFilter, OwnFilter<DivisionFilter>);

protected:
  CudaDivisionFilter() = default;
  ~CudaDivisionFilter() override = default;

  void
  CollectImages(itk::CudaFilters::ImageList & images) override
  {
    Superclass::CollectImages(images);
    images.AddOutput(this->GetRemainders());
  }

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    return MakeDivisionOperation(this->GetDivisor());
  }
};

/** An output that is larger than the input: some of its tiles depend on no pixel of the input. */
class CudaPadFilter : public OwnFilter<itk::ConstantPadImageFilter<ShortImage, ShortImage>>
{
public:
  itkCudaFilterMacro(CudaPadFilter, OwnFilter<itk::ConstantPadImageFilter<ShortImage, ShortImage>>);

protected:
  CudaPadFilter() = default;
  ~CudaPadFilter() override = default;

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    return MakePadOperation(this->GetConstant());
  }
};

/** No input, on the CPU. */
class RampSource : public itk::GenerateImageSource<RampImage>
{
public:
  itkCudaFilterMacro(RampSource, itk::GenerateImageSource<RampImage>);

protected:
  RampSource() = default;
  ~RampSource() override = default;

  void
  GenerateData() override
  {
    this->AllocateOutputs();
    RampImage * const                            output = this->GetOutput();
    itk::ImageRegionIteratorWithIndex<RampImage> it(output, output->GetRequestedRegion());
    for (; !it.IsAtEnd(); ++it)
    {
      it.Set(static_cast<unsigned short>(it.GetIndex()[0] + 3 * it.GetIndex()[1]));
    }
  }
};

class CudaRampSource : public OwnFilter<RampSource>
{
public:
  itkCudaFilterMacro(CudaRampSource, OwnFilter<RampSource>);

protected:
  CudaRampSource() = default;
  ~CudaRampSource() override = default;

  itk::CudaFilters::OperationPointer
  MakeOperation() override
  {
    return MakeRampOperation();
  }
};

template <typename TImage, typename TFunction>
typename TImage::Pointer
MakeImage(const typename TImage::SizeType & size, const typename TImage::IndexType & start, TFunction makePixel)
{
  const auto image = TImage::New();
  image->SetRegions({ start, size });
  image->Allocate();
  for (itk::ImageRegionIterator<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(makePixel());
  }
  return image;
}

template <typename TImage>
bool
AreEqual(const TImage * a, const TImage * b)
{
  if (a->GetBufferedRegion() != b->GetBufferedRegion())
  {
    return false;
  }
  return std::equal(
    a->GetBufferPointer(), a->GetBufferPointer() + a->GetBufferedRegion().GetNumberOfPixels(), b->GetBufferPointer());
}

bool
Report(const char * name, const std::string & executedOn, bool isEqual)
{
  std::cout << name << " on " << executedOn << ": " << (isEqual ? "equal" : "DIFFERENT") << std::endl;
  return isEqual;
}

itk::CudaInterface::Pointer
MakeSettings(itk::SizeValueType budget)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetMemoryBudget(budget);
  return settings;
}

bool
TestMask(itk::SizeValueType budget)
{
  std::mt19937 random(1);
  const auto   makeVector = [&random] {
    VectorType vector;
    for (float & component : vector)
    {
      component = static_cast<float>(random() % 1000);
    }
    return vector;
  };
  const auto makeMask = [&random] { return static_cast<unsigned char>(random() % 3); };
  const auto mask = MakeImage<MaskImage>({ { 67, 41 } }, { { -3, 5 } }, makeMask);
  bool       isEqual = true;
  for (const bool inPlace : { false, true })
  {
    const auto image = MakeImage<VectorImage>({ { 67, 41 } }, { { -3, 5 } }, makeVector);
    const auto parent = itk::MaskImageFilter<VectorImage, MaskImage>::New();
    const auto filter = CudaMaskFilter::New();
    filter->SetCudaInterface(MakeSettings(budget));
    for (itk::MaskImageFilter<VectorImage, MaskImage> * const one :
         { parent.GetPointer(), static_cast<itk::MaskImageFilter<VectorImage, MaskImage> *>(filter.GetPointer()) })
    {
      one->SetInput(image);
      one->SetMaskImage(mask);
      one->SetOutsideValue(makeVector());
      one->InPlaceOff();
    }
    parent->SetOutsideValue(filter->GetOutsideValue());
    parent->Update();
    // In place, the input may be lost; on a device it is read while the output is written, and stays.
    filter->SetInPlace(inPlace);
    filter->Update();
    isEqual = Report(inPlace ? "mask in place" : "mask",
                     filter->GetExecutedOn(),
                     AreEqual<VectorImage>(parent->GetOutput(), filter->GetOutput())) &&
              isEqual;
  }
  return isEqual;
}

bool
TestDivision(itk::SizeValueType budget)
{
  std::mt19937_64 random(2);
  const auto      image = MakeImage<LabelImage>({ { 37, 23, 11 } }, { { 2, 0, -1 } }, random);
  const auto      parent = DivisionFilter::New();
  const auto      filter = CudaDivisionFilter::New();
  filter->SetCudaInterface(MakeSettings(budget));
  for (DivisionFilter * const one : { parent.GetPointer(), static_cast<DivisionFilter *>(filter.GetPointer()) })
  {
    one->SetInput(image);
    one->SetDivisor(97);
    // Either output brings both up to date.
    one->GetRemainders()->Update();
  }
  return Report("division",
                filter->GetExecutedOn(),
                AreEqual<LabelImage>(parent->GetOutput(), filter->GetOutput()) &&
                  AreEqual<RemainderImage>(parent->GetRemainders(), filter->GetRemainders()));
}

bool
TestPad(itk::SizeValueType budget)
{
  std::mt19937 random(3);
  const auto   image =
    MakeImage<ShortImage>({ { 51, 33 } }, { { 4, -7 } }, [&random] { return static_cast<short>(random() % 1000); });
  const auto parent = itk::ConstantPadImageFilter<ShortImage, ShortImage>::New();
  const auto filter = CudaPadFilter::New();
  filter->SetCudaInterface(MakeSettings(budget));
  for (itk::ConstantPadImageFilter<ShortImage, ShortImage> * const one :
       { parent.GetPointer(), static_cast<itk::ConstantPadImageFilter<ShortImage, ShortImage> *>(filter.GetPointer()) })
  {
    one->SetInput(image);
    one->SetPadLowerBound({ { 60, 90 } });
    one->SetPadUpperBound({ { 2, 100 } });
    one->SetConstant(-5);
    one->Update();
  }
  return Report("pad", filter->GetExecutedOn(), AreEqual<ShortImage>(parent->GetOutput(), filter->GetOutput()));
}

bool
TestRamp(itk::SizeValueType budget)
{
  const auto parent = RampSource::New();
  const auto source = CudaRampSource::New();
  source->SetCudaInterface(MakeSettings(budget));
  for (RampSource * const one : { parent.GetPointer(), static_cast<RampSource *>(source.GetPointer()) })
  {
    one->SetSize({ { 301, 97 } });
    one->Update();
  }
  return Report("ramp", source->GetExecutedOn(), AreEqual<RampImage>(parent->GetOutput(), source->GetOutput()));
}
} // namespace

int
main()
{
  bool areEqual = true;
  for (const itk::SizeValueType budget : { itk::CudaInterface::NoMemoryBudget + 0, itk::SizeValueType(15000) })
  {
    areEqual = TestFunctors(budget) && areEqual;
    areEqual = TestMask(budget) && areEqual;
    areEqual = TestDivision(budget) && areEqual;
    areEqual = TestPad(budget) && areEqual;
    areEqual = TestRamp(budget) && areEqual;
  }
#if defined(OWN_FILTERS_EMULATED) || defined(CUDAFILTERS_WITHOUT_KERNELS)
  areEqual = TestNeighbourBeyondTheRadius() && areEqual;
#endif
  return areEqual ? EXIT_SUCCESS : EXIT_FAILURE;
}
