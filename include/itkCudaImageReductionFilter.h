// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageReductionFilter_h
#define itkCudaImageReductionFilter_h

#include "CudaFilters/detail/PixelInputs.h"
#include "itkCudaAcceleratedImageSink.h"
#include "itkImageReductionFilter.h"

namespace itk
{
/** \class CudaImageReductionFilter
 * \brief Reduces all pixels of an image to one value by a reducer of one's own, on a CUDA device.
 *
 * The reducer is a class that can be copied by its bytes, whose methods the CPU and the device can execute:
 *
 * \code
 * struct SumOfSquares // in SumOfSquares.h
 * {
 *   using ValueType = double;
 *
 *   CUDAFILTERS_HOST_DEVICE double GetIdentity() const { return 0.0; }
 *   CUDAFILTERS_HOST_DEVICE double Transform(float pixel) const { return double(pixel) * pixel; }
 *   CUDAFILTERS_HOST_DEVICE double Combine(double a, double b) const { return a + b; }
 *   bool operator==(const SumOfSquares &) const { return true; }
 * };
 *
 * CUDAFILTERS_INSTANTIATE_REDUCTION(SumOfSquares, float); // in SumOfSquares.cu
 *
 * auto filter = itk::CudaImageReductionFilter<ImageType, SumOfSquares>::New();
 * filter->SetInput(image);
 * filter->Update();
 * std::cout << filter->GetResult();
 * \endcode
 *
 * Transform() may take a CudaFilters::PixelPosition behind the pixel. The result is the same on the CPU, on all
 * devices, in tiles and in each run, if Transform() and Combine() use integers, and sums, products, quotients and
 * square roots of real numbers only.
 *
 * \sa ImageReductionFilter, CudaStatisticsImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TReducer>
class ITK_TEMPLATE_EXPORT CudaImageReductionFilter
  : public CudaAcceleratedImageSink<ImageReductionFilter<TInputImage, TReducer>>
{
public:
  itkCudaFilterMacro(CudaImageReductionFilter, CudaAcceleratedImageSink<ImageReductionFilter<TInputImage, TReducer>>);

protected:
  CudaImageReductionFilter() = default;
  ~CudaImageReductionFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return HasKernels;
  }

  CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) override
  {
    if constexpr (HasKernels)
    {
      using Maker =
        CudaFilters::ReductionOperationMaker<TReducer, CudaFilters::FunctorPixel<typename TInputImage::PixelType>>;
      return Maker::Make(
        this->GetReducer(), region, CudaFilters::GetRegion3(this->GetInput()->GetLargestPossibleRegion()), m_OfPiece);
    }
    else
    {
      return nullptr;
    }
  }

  void
  ReduceOnHost(const typename TInputImage::RegionType & region) override
  {
    m_OfPiece = this->Reduce(region);
  }

  void
  TakeResult(bool isFirst) override
  {
    this->SetResult(
      this->GetReducer().Combine(isFirst ? this->GetReducer().GetIdentity() : this->GetResult(), m_OfPiece));
  }

private:
  static constexpr bool HasKernels = CudaFilters::HasFunctorKernels<TInputImage>;

  typename TReducer::ValueType m_OfPiece{};
};
} // namespace itk

#endif
