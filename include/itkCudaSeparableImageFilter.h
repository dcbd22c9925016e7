// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSeparableImageFilter_h
#define itkCudaSeparableImageFilter_h

#include "itkCudaLocalImageFilter.h"
#include "CudaFilters/SeparableConvolution.h"

namespace itk
{
/** \class CudaSeparableImageFilter
 * \brief A CUDA filter that is a convolution with one 1-D mask an axis, whatever its parameters are called.
 *
 * The derived class says with what to convolve. Images of float pixels are computed in single precision, all others in
 * double precision and in the order of the CPU filter, so that every pixel is equal to the CPU's.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaSeparableImageFilter : public CudaLocalImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaSeparableImageFilter);

  using Self = CudaSeparableImageFilter;
  using Superclass = CudaLocalImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaSeparableImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputPixelType;
  using typename Superclass::OutputPixelType;
  using typename Superclass::RegionType;

  /** Compute images of float pixels in double precision, too, and so equal to the CPU filter bit by bit. Slower.
   * Default: off, which differs by at most 1e-5 of the image's range. */
  itkSetMacro(ExactMode, bool);
  itkGetConstMacro(ExactMode, bool);
  itkBooleanMacro(ExactMode);

protected:
  CudaSeparableImageFilter() = default;
  ~CudaSeparableImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** The masks, for the parameters and the input of the moment, and how the CPU filter treats the values between two
   * axes. Sizes and precision are set by this class. */
  virtual CudaFilters::SeparableConvolution
  MakeConvolution() const = 0;

  using typename Superclass::RegionOnDevice;

  void
  BeforeRegionsOnDevice() override;

  RegionType
  GetInputRegionFor(const RegionType & outputRegion) const override;

  SizeValueType
  GetScratchBytesFor(const RegionType & outputRegion) const override;

  void
  GenerateRegionOnDevice(CudaFilters::Execution & execution, const RegionOnDevice & region) override;

private:
  CudaFilters::SeparableConvolution m_Convolution;
  bool                              m_ExactMode = false;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaSeparableImageFilter.hxx"
#endif

#endif
