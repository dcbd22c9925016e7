// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGradientMagnitudeImageFilter.h"
#include "itkCudaGrayscaleDilateImageFilter.h"
#include "itkCudaMaskImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaOtsuThresholdImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaRescaleIntensityImageFilter.h"
#include "itkCudaShiftScaleImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaSubtractImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include <string>

namespace
{
using namespace itk::CudaTest;
using Bytes = itk::Image<unsigned char, 2>;
using Floats = itk::Image<float, 2>;

/** Finds the bright spots of a picture that have strong edges: twelve filters and a sink between a reader and a writer.
 * Returns the number of filters that ran on a device. */
int
FindSpots(const std::string & from, const std::string & to, itk::CudaBackendEnum backend)
{
  const auto settings = itk::CudaInterface::New();
  settings->SetBackend(backend);
  int        onDevice = 0;
  const auto add = [&](auto filter) {
    filter->SetCudaInterface(settings);
    filter->AddObserver(itk::EndEvent(), [&onDevice, raw = filter.GetPointer()](const itk::EventObject &) {
      onDevice += raw->GetExecutedOnDevice() ? 1 : 0;
    });
    return filter;
  };

  const auto reader = itk::ImageFileReader<Bytes>::New();
  reader->SetFileName(from);
  const auto median = add(itk::CudaMedianImageFilter<Bytes, Bytes>::New());
  median->SetInput(reader->GetOutput());
  const auto cast = add(itk::CudaCastImageFilter<Bytes, Floats>::New());
  cast->SetInput(median->GetOutput());
  const auto smoothed = add(itk::CudaDiscreteGaussianImageFilter<Floats, Floats>::New());
  smoothed->SetInput(cast->GetOutput());
  smoothed->SetVariance(1.5);
  const auto gradient = add(itk::CudaGradientMagnitudeImageFilter<Floats, Floats>::New());
  gradient->SetInput(smoothed->GetOutput());

  const auto statistics = add(itk::CudaStatisticsImageFilter<Floats>::New());
  statistics->SetInput(gradient->GetOutput());
  const auto edges = add(itk::CudaBinaryThresholdImageFilter<Floats, Bytes>::New());
  edges->SetInput(gradient->GetOutput());
  const auto masked = add(itk::CudaMaskImageFilter<Floats, Bytes, Floats>::New());
  masked->SetInput(smoothed->GetOutput());
  masked->SetMaskImage(edges->GetOutput());
  const auto marker = add(itk::CudaShiftScaleImageFilter<Floats, Floats>::New());
  marker->SetInput(masked->GetOutput());
  marker->SetShift(-20.0);
  const auto background = add(itk::CudaReconstructionByDilationImageFilter<Floats, Floats>::New());
  background->SetMarkerImage(marker->GetOutput());
  background->SetMaskImage(masked->GetOutput());
  const auto spots = add(itk::CudaSubtractImageFilter<Floats, Floats, Floats>::New());
  spots->SetInput1(masked->GetOutput());
  spots->SetInput2(background->GetOutput());
  const auto rescaled = add(itk::CudaRescaleIntensityImageFilter<Floats, Bytes>::New());
  rescaled->SetInput(spots->GetOutput());
  rescaled->SetOutputMinimum(0);
  rescaled->SetOutputMaximum(255);
  using Kernel = itk::FlatStructuringElement<2>;
  const auto dilated = add(itk::CudaGrayscaleDilateImageFilter<Bytes, Bytes, Kernel>::New());
  dilated->SetInput(rescaled->GetOutput());
  dilated->SetKernel(Kernel::Box({ { 1, 1 } }));
  const auto otsu = add(itk::CudaOtsuThresholdImageFilter<Bytes, Bytes>::New());
  otsu->SetInput(dilated->GetOutput());
  otsu->SetInsideValue(0);
  otsu->SetOutsideValue(255);

  const auto writer = itk::ImageFileWriter<Bytes>::New();
  writer->SetFileName(to);
  writer->SetInput(otsu->GetOutput());

  statistics->Update();
  edges->SetLowerThreshold(static_cast<float>(statistics->GetMean()));
  writer->Update();
  return onDevice;
}
} // namespace

TEST(CudaPipeline, OfTwelveFiltersCopiesAnImageOnceEachWay)
{
  const std::string from = GetInputFolder() + "/BrainProtonDensitySlice.png";
  const std::string folder = ::testing::TempDir();
  const CopyWatch   copies;
  const int         onDevice = FindSpots(from, folder + "/SpotsOnDevice.png", itk::CudaBackendEnum::Auto);
  copies.Expect(1, 1);
  EXPECT_EQ(onDevice, HasDevice() ? 13 : 0);

  EXPECT_EQ(FindSpots(from, folder + "/SpotsOnCpu.png", itk::CudaBackendEnum::CPU), 0);
  const auto read = [&](const char * name) {
    const auto reader = itk::ImageFileReader<Bytes>::New();
    reader->SetFileName(folder + "/" + name);
    reader->Update();
    return Bytes::Pointer(reader->GetOutput());
  };
  // Pixels on the border of a threshold may differ, since real numbers are rounded in another order.
  const auto                           ofDevice = read("SpotsOnDevice.png");
  const auto                           ofCpu = read("SpotsOnCpu.png");
  itk::ImageRegionConstIterator<Bytes> a(ofDevice, ofDevice->GetBufferedRegion());
  itk::ImageRegionConstIterator<Bytes> b(ofCpu, ofDevice->GetBufferedRegion());
  itk::SizeValueType                   different = 0;
  itk::SizeValueType                   inside = 0;
  for (; !a.IsAtEnd(); ++a, ++b)
  {
    different += a.Get() != b.Get() ? 1 : 0;
    inside += b.Get() != 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 100u);
  EXPECT_LT(different, inside / 100);
}
