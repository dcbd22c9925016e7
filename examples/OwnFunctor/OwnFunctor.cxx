// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A pipeline of one's own functions of pixels, on the device and on the CPU: Documentation/PixelFunctions.md.

#include "Functors.h"
#include "itkCudaImageBinningFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaNeighborhoodFunctorImageFilter.h"
#include "itkCudaUnaryFunctorImageFilter.h"
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace
{
using ByteImage = itk::Image<unsigned char, 2>;
using FloatImage = itk::Image<float, 2>;

struct Results
{
  double                    Sum;
  std::vector<std::int64_t> Histogram;
  std::string               ExecutedOn;
};

Results
Run(ByteImage * image, itk::CudaInterface * settings)
{
  const auto brighten = itk::CudaUnaryFunctorImageFilter<ByteImage, FloatImage, Brighten>::New();
  brighten->SetInput(image);
  brighten->SetFunctor({ 2.0f });
  brighten->SetCudaInterface(settings);

  const auto steps = itk::CudaNeighborhoodFunctorImageFilter<FloatImage, FloatImage, LargestStep>::New();
  steps->SetInput(brighten->GetOutput());
  steps->SetRadius(1);
  steps->SetCudaInterface(settings);

  const auto sum = itk::CudaImageReductionFilter<FloatImage, Sum>::New();
  sum->SetInput(steps->GetOutput());
  sum->SetCudaInterface(settings);
  sum->Update();

  const auto histogram = itk::CudaImageBinningFilter<ByteImage, GreyLevel>::New();
  histogram->SetInput(image);
  histogram->SetNumberOfBins(256);
  histogram->SetCudaInterface(settings);
  histogram->Update();
  return { sum->GetResult(), histogram->GetSums(), sum->GetExecutedOn() };
}
} // namespace

int
main()
{
  const auto image = ByteImage::New();
  image->SetRegions(ByteImage::SizeType{ { 640, 480 } });
  image->Allocate();
  std::mt19937 random(1);
  for (itk::SizeValueType i = 0; i < 640 * 480; ++i)
  {
    image->GetBufferPointer()[i] = static_cast<unsigned char>(random());
  }

  const auto device = itk::CudaInterface::New();
  const auto tiles = itk::CudaInterface::New();
  tiles->SetMemoryBudget(400000);
  const auto cpu = itk::CudaInterface::New();
  cpu->SetBackend(itk::CudaBackendEnum::CPU);

  const Results expected = Run(image, cpu);
  bool          areEqual = true;
  for (itk::CudaInterface * const settings : { device.GetPointer(), tiles.GetPointer() })
  {
    const Results results = Run(image, settings);
    const bool    isEqual = results.Sum == expected.Sum && results.Histogram == expected.Histogram;
    std::cout << "sum " << results.Sum << " on " << results.ExecutedOn << ": "
              << (isEqual ? "equal to the CPU's" : "DIFFERENT from the CPU's") << std::endl;
    areEqual = areEqual && isEqual;
  }
  return areEqual ? EXIT_SUCCESS : EXIT_FAILURE;
}
