// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "PixelFunctors.h"
#include "Registration.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaImageReductionFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include <string>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
/** The natural image as 8-bit pixels. */
Image<unsigned char, 2>::Pointer
ToBytes(const Plane * image)
{
  const auto cast = CastImageFilter<Plane, Image<unsigned char, 2>>::New();
  cast->SetInput(image);
  cast->Update();
  return cast->GetOutput();
}

template <typename TPixel>
void
RegisterThreshold(const std::string & name, const std::function<typename Image<TPixel, 2>::Pointer()> & make)
{
  using Backed = CudaBackedImage<TPixel, 2>;
  constexpr int times = 8;

  Register(name, OursColumn, times, 9, [=] {
    const auto filter = CudaBinaryThresholdImageFilter<Backed, Backed>::New();
    filter->SetInput(MakeOnDevice(make().GetPointer()));
    filter->SetLowerThreshold(100);
    filter->SetInsideValue(255);
    filter->Update();
    return MakeUpdates(std::vector{ filter }, times);
  });
}

/** A filter that computes numbers, whose updates wait for the device. */
template <typename TFilter>
void
RegisterSink(const std::string & name, const Input<Plane> & input)
{
  constexpr int times = 8;

  Register(name, OursColumn, times, 9, [=] {
    const auto filter = TFilter::New();
    filter->SetInput(MakeOnDevice(input.Get()));
    filter->Update();
    return [=] {
      for (int i = 0; i < times; ++i)
      {
        filter->Update();
      }
      if (!filter->GetExecutedOnDevice())
      {
        throw std::runtime_error("not on the device");
      }
    };
  });
}
} // namespace

void
RegisterPixelFunctions(const Inputs & inputs)
{
  using Backed = CudaBackedImage<float, 2>;

  const std::string size = ToText(inputs.PlaneSize);
  const auto        natural = inputs.GetNatural(inputs.PlaneSize);
  if (!CudaInterface::GetDefault()->GetWhyNotOnDevice().empty())
  {
    return;
  }
  RegisterThreshold<float>("threshold/" + size + "/f32",
                           [natural] { return Plane::Pointer(const_cast<Plane *>(natural.Get())); });
  RegisterThreshold<unsigned char>("threshold/" + size + "/u8", [natural] { return ToBytes(natural.Get()); });
#if !defined(CUDAFILTERS_WITHOUT_KERNELS)
  RegisterSink<CudaImageReductionFilter<Backed, MaximumReducer>>("maximum/" + size + "/f32", natural);
  RegisterSink<CudaImageReductionFilter<Backed, SumReducer>>("sum/" + size + "/f32", natural);
#endif
  RegisterSink<CudaStatisticsImageFilter<Backed>>("statistics/" + size + "/f32", natural);
}
} // namespace CudaBenchmark
} // namespace itk
