// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkOperations_h
#define itkCudaBenchmarkOperations_h

#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaZeroCrossingImageFilter.h"
#include <map>
#include <string>

// The operations to time: each makes the CPU filter and ours with the same parameters, and has notes, the facts that
// the reader of a record wants to know of the parameters.

namespace itk
{
namespace CudaBenchmark
{
struct Gaussian
{
  double       Variance;
  double       MaximumError;
  unsigned int MaximumKernelWidth;

  std::map<std::string, double>
  GetNotes() const
  {
    GaussianOperator<float, 2> gaussian;
    gaussian.SetVariance(this->Variance);
    gaussian.SetMaximumError(this->MaximumError);
    gaussian.SetMaximumKernelWidth(this->MaximumKernelWidth);
    gaussian.CreateDirectional();
    return { { "weights", static_cast<double>(gaussian.Size()) } };
  }

  template <typename TFilter>
  typename TFilter::Pointer
  Make() const
  {
    const auto filter = TFilter::New();
    filter->SetVariance(this->Variance);
    filter->SetMaximumError(this->MaximumError);
    filter->SetMaximumKernelWidth(this->MaximumKernelWidth);
    return filter;
  }
  template <typename TImage>
  auto
  MakeCpu() const
  {
    return this->Make<DiscreteGaussianImageFilter<TImage, TImage>>();
  }
  template <typename TImage>
  auto
  MakeCuda() const
  {
    return this->Make<CudaDiscreteGaussianImageFilter<TImage, TImage>>();
  }
};

struct Sobel
{
  bool HasDirection;

  std::map<std::string, double>
  GetNotes() const
  {
    return {};
  }

  template <typename TFilter>
  typename TFilter::Pointer
  Make() const
  {
    const auto filter = TFilter::New();
    filter->SetComputeDirection(this->HasDirection);
    return filter;
  }
  template <typename TImage>
  auto
  MakeCpu() const
  {
    return this->Make<DirectionalSobelEdgeDetectionImageFilter<TImage, TImage>>();
  }
  template <typename TImage>
  auto
  MakeCuda() const
  {
    return this->Make<CudaSobelEdgeDetectionImageFilter<TImage, TImage>>();
  }
};

struct ZeroCrossing
{
  std::map<std::string, double>
  GetNotes() const
  {
    return {};
  }
  template <typename TImage>
  auto
  MakeCpu() const
  {
    return ZeroCrossingImageFilter<TImage, TImage>::New();
  }
  template <typename TImage>
  auto
  MakeCuda() const
  {
    return CudaZeroCrossingImageFilter<TImage, TImage>::New();
  }
};

struct Canny
{
  double Variance;
  float  UpperThreshold;
  float  LowerThreshold;
  bool   IsExact;

  std::map<std::string, double>
  GetNotes() const
  {
    return { { "upper_threshold", this->UpperThreshold }, { "lower_threshold", this->LowerThreshold } };
  }

  template <typename TFilter>
  typename TFilter::Pointer
  Make() const
  {
    const auto filter = TFilter::New();
    filter->SetVariance(this->Variance);
    filter->SetUpperThreshold(this->UpperThreshold);
    filter->SetLowerThreshold(this->LowerThreshold);
    return filter;
  }
  template <typename TImage>
  auto
  MakeCpu() const
  {
    return this->Make<CannyEdgeDetectionImageFilter<TImage, TImage>>();
  }
  template <typename TImage>
  auto
  MakeCuda() const
  {
    const auto filter = this->Make<CudaCannyEdgeDetectionImageFilter<TImage, TImage>>();
    filter->SetExactMode(this->IsExact);
    return filter;
  }
};
} // namespace CudaBenchmark
} // namespace itk

#endif
