// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaZeroCrossingImageFilter_h
#define itkCudaZeroCrossingImageFilter_h

#include "itkCudaStencilImageFilter.h"
#include "itkZeroCrossingImageFilter.h"

namespace itk
{
/** \class CudaZeroCrossingImageFilter
 * \brief Marks the pixels nearest to where the image changes its sign, on a CUDA device where there is one.
 *
 * Parameters and results are those of ZeroCrossingImageFilter, pixel by pixel.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaZeroCrossingImageFilter
  : public CudaStencilImageFilter<ZeroCrossingImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaZeroCrossingImageFilter);

  using Self = CudaZeroCrossingImageFilter;
  using Superclass = CudaStencilImageFilter<ZeroCrossingImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaZeroCrossingImageFilter";
  }

  using Superclass::ImageDimension;

protected:
  CudaZeroCrossingImageFilter() = default;
  ~CudaZeroCrossingImageFilter() override = default;

  using typename Superclass::RegionOnDevice;

  void
  GenerateRegionOnDevice(CudaFilters::Execution & execution, const RegionOnDevice & region) override;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaZeroCrossingImageFilter.hxx"
#endif

#endif
