// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaImageBinningFilter_h
#define itkCudaImageBinningFilter_h

#include "CudaFilters/detail/HostFunctor.h"
#include "CudaFilters/detail/PixelInputs.h"
#include "itkCudaBinningBaseFilter.h"
#include "itkImageBinningFilter.h"

namespace itk
{
/** \class CudaImageBinningFilter
 * \brief Adds weights of all pixels to bins by a binner of one's own, on a CUDA device: histograms, projections,
 * counts.
 *
 * The binner is a class that can be copied by its bytes, whose operator() the CPU and the device can execute:
 *
 * \code
 * struct GreyLevel // in GreyLevel.h
 * {
 *   CUDAFILTERS_HOST_DEVICE int operator()(unsigned char pixel) const { return pixel; }
 *   bool operator==(const GreyLevel &) const { return true; }
 * };
 *
 * CUDAFILTERS_INSTANTIATE_BINNING(GreyLevel, unsigned char); // in GreyLevel.cu
 *
 * auto histogram = itk::CudaImageBinningFilter<ImageType, GreyLevel>::New();
 * histogram->SetInput(image);
 * histogram->SetNumberOfBins(256);
 * histogram->Update();
 * histogram->GetSums();
 * \endcode
 *
 * Each block of threads counts in its own shared memory, if 48 KiB hold the bins (12,286 counts, or 6,142 weights),
 * else in global memory.
 *
 * \sa ImageBinningFilter, CudaImageReductionFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TBinner>
class ITK_TEMPLATE_EXPORT CudaImageBinningFilter
  : public CudaBinningBaseFilter<ImageBinningFilter<TInputImage, TBinner>>
{
public:
  itkCudaFilterMacro(CudaImageBinningFilter, CudaBinningBaseFilter<ImageBinningFilter<TInputImage, TBinner>>);

protected:
  CudaImageBinningFilter() = default;
  ~CudaImageBinningFilter() override = default;

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
        CudaFilters::BinningOperationMaker<TBinner, CudaFilters::FunctorPixel<typename TInputImage::PixelType>>;
      return Maker::Make(this->GetBinner(),
                         region,
                         CudaFilters::GetRegion3(this->GetInput()->GetLargestPossibleRegion()),
                         this->ClearPieceSums());
    }
    else
    {
      return nullptr;
    }
  }

private:
  static constexpr bool HasKernels = CudaFilters::HasFunctorKernels<TInputImage>;
};
} // namespace itk

#endif
