// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkRegistration_h
#define itkCudaBenchmarkRegistration_h

// What all rows of the benchmark are made with: images, and measurements.

#include "Recorder.h"
#include "Workloads.h"
#include "itkCudaBackedImage.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaInterface.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
struct Options
{
  std::string Record;
  std::string Data = ".";
  std::string Input; // the folder of the project's test images
  bool        Quick = false;
  bool        Slide = false;
};

/** An image that is made when it is first asked for, and thrown away when one of another name is: the large ones need
 * not be in memory together. */
template <typename TImage>
struct Input
{
  std::string                               Name;
  std::function<typename TImage::Pointer()> Make;

  const TImage *
  Get() const
  {
    static typename TImage::Pointer image;
    static std::string              name;
    if (!image || name != this->Name)
    {
      image = nullptr;
      image = this->Make();
      name = this->Name;
    }
    return image;
  }
};

/** A copy in one of our containers. */
template <typename TPixel, unsigned int VDimension>
typename CudaBackedImage<TPixel, VDimension>::Pointer
MakeBacked(const Image<TPixel, VDimension> * image)
{
  const auto backed = CudaBackedImage<TPixel, VDimension>::New();
  backed->CopyInformation(image);
  backed->SetRegions(image->GetBufferedRegion());
  backed->Allocate();
  std::copy_n(image->GetBufferPointer(), image->GetPixelContainer()->Size(), backed->GetBufferPointer());
  return backed;
}

/** A copy on the device only, as a filter leaves it: no update uploads it again. */
template <typename TPixel, unsigned int VDimension>
typename CudaBackedImage<TPixel, VDimension>::Pointer
MakeOnDevice(const Image<TPixel, VDimension> * image)
{
  using Backed = CudaBackedImage<TPixel, VDimension>;
  const auto copy = CudaDiscreteGaussianImageFilter<Image<TPixel, VDimension>, Backed>::New();
  copy->SetInput(image);
  copy->SetVariance(0.0);
  const typename Backed::Pointer onDevice = copy->GetOutput();
  copy->Update();
  onDevice->DisconnectPipeline();
  return onDevice;
}

CudaFilters::ExecutionPointer
MakeDefaultExecution();

/** Waits for the work of this thread on the default device. */
void
WaitForDevice();

/** What is recorded with a measurement. */
using Notes = std::map<std::string, double>;

/** Registers one measurement; the function does the work once, or so many times, and is timed after warming up. */
void
Register(const std::string &                            workload,
         const char *                                   column,
         int                                            times,
         int                                            repetitions,
         const std::function<std::function<void()>()> & prepare,
         const std::shared_ptr<const Notes> &           notes = nullptr);

/** Throws away what the last measurement was prepared with. */
void
ForgetPrepared();

/** So many updates in a row of a pipeline of filters with pixels on the device. */
template <typename TFilterPointer>
std::function<void()>
MakeUpdates(const std::vector<TFilterPointer> & filters, int times)
{
  const auto uploads = CudaInterface::GetCopyCounters().Uploads;
  return [=] {
    const TFilterPointer & last = filters.back();
    for (int i = 0; i < times; ++i)
    {
      const auto before = last->GetOutput()->GetUpdateMTime();
      filters.front()->Modified();
      last->Update();
      if (last->GetOutput()->GetUpdateMTime() == before)
      {
        throw std::runtime_error("the pipeline has not run");
      }
    }
    WaitForDevice();
    if (!last->GetExecutedOnDevice() || CudaInterface::GetCopyCounters().Uploads != uploads)
    {
      throw std::runtime_error("the pixels were not on the device");
    }
  };
}

using Plane = Image<float, 2>;
using Volume = Image<float, 3>;

/** A size as names have it: 8192x8192. */
template <unsigned int VDimension>
std::string
ToText(const Size<VDimension> & size)
{
  std::string text;
  for (unsigned int i = 0; i < VDimension; ++i)
  {
    text += (i == 0 ? "" : "x") + std::to_string(size[i]);
  }
  return text;
}

/** The images of the workloads. */
struct Inputs
{
  const Options & Choice;
  std::string &   NaturalSource;
  Size<2>         PlaneSize{ { Choice.Quick ? 256u : 8192u, Choice.Quick ? 256u : 8192u } };
  Size<3>         VolumeSize{ { Choice.Quick ? 32u : 512u, Choice.Quick ? 32u : 512u, Choice.Quick ? 32u : 512u } };

  Input<Plane>
  GetNatural(const Size<2> & size) const
  {
    return { "natural " + ToText(size), [size, &choice = Choice, &source = NaturalSource] {
              return MakeNaturalImage(size, choice.Data, choice.Input, source);
            } };
  }
  Input<Volume>
  GetUniform() const
  {
    return { "uniform", [size = VolumeSize] { return MakeUniformVolume(size); } };
  }
};

/** \name Rows of other files */
/**@{*/
void
RegisterComponents(const Inputs & inputs);
void
RegisterInteraction(const Inputs & inputs);
void
RegisterPixelFunctions(const Inputs & inputs);
void
RegisterSkeletons(const Inputs & inputs);
/**@}*/
} // namespace CudaBenchmark
} // namespace itk

#endif
