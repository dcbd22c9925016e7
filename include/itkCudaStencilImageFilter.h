// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStencilImageFilter_h
#define itkCudaStencilImageFilter_h

#include "itkCudaLocalImageFilter.h"

namespace itk
{
/** \class CudaStencilImageFilter
 * \brief A CUDA filter whose output pixels depend on the input pixels at the same place and next to it only.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaStencilImageFilter : public CudaLocalImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaStencilImageFilter);

  using Self = CudaStencilImageFilter;
  using Superclass = CudaLocalImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaStencilImageFilter";
  }

  using typename Superclass::RegionType;

protected:
  CudaStencilImageFilter() = default;
  ~CudaStencilImageFilter() override = default;

  void
  BeforeRegionsOnDevice() override
  {}

  RegionType
  GetInputRegionFor(const RegionType & outputRegion) const override
  {
    return this->GetInputRegionAround(outputRegion, RegionType::SizeType::Filled(1));
  }

  SizeValueType
  GetScratchBytesFor(const RegionType &) const override
  {
    return 0;
  }
};
} // namespace itk

#endif
