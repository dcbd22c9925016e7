// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Runs a CUDA filter that is not part of the module, whole and in tiles, and compares it with ITK's.

#include "itkCudaMeanImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include <cstdlib>
#include <iostream>
#include <random>

namespace
{
template <typename TImage>
bool
AreEqual(const TImage * a, const TImage * b)
{
  itk::ImageRegionConstIterator<TImage> ia(a, a->GetBufferedRegion());
  itk::ImageRegionConstIterator<TImage> ib(b, a->GetBufferedRegion());
  for (; !ia.IsAtEnd(); ++ia, ++ib)
  {
    if (ia.Get() != ib.Get())
    {
      return false;
    }
  }
  return true;
}

template <typename TPixel>
bool
Test(const char * name)
{
  using ImageType = itk::Image<TPixel, 3>;

  const auto image = ImageType::New();
  image->SetRegions(typename ImageType::SizeType{ { 61, 47, 23 } });
  image->Allocate();
  std::mt19937 random(1);
  for (itk::ImageRegionIterator<ImageType> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(static_cast<TPixel>(random() % 100000));
  }
  const typename ImageType::SizeType radius{ { 2, 1, 1 } };
  const auto                         expected = itk::MeanImageFilter<ImageType, ImageType>::New();
  expected->SetInput(image);
  expected->SetRadius(radius);
  expected->Update();

  bool isEqual = true;
  for (const itk::SizeValueType budget : { itk::CudaInterface::NoMemoryBudget + 0, itk::SizeValueType(40000) })
  {
    const auto settings = itk::CudaInterface::New();
    settings->SetMemoryBudget(budget);
    const auto filter = itk::CudaMeanImageFilter<ImageType, ImageType>::New();
    filter->SetCudaInterface(settings);
    filter->SetInput(image);
    filter->SetRadius(radius);
    filter->Update();
    const bool isThisEqual = AreEqual<ImageType>(expected->GetOutput(), filter->GetOutput());
    std::cout << name << " on " << filter->GetExecutedOn() << ": "
              << (isThisEqual ? "equal to ITK's" : "DIFFERENT from ITK's") << std::endl;
    isEqual = isEqual && isThisEqual;
  }
  return isEqual;
}
} // namespace

int
main()
{
  const bool isIntEqual = Test<int>("int");
  const bool isFloatEqual = Test<float>("float");
  return isIntEqual && isFloatEqual ? EXIT_SUCCESS : EXIT_FAILURE;
}
