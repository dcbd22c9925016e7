// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSobelEdgeDetectionImageFilter_h
#define itkCudaSobelEdgeDetectionImageFilter_h

#include "itkCudaStencilImageFilter.h"
#include "itkDirectionalSobelEdgeDetectionImageFilter.h"

namespace itk
{
/** \class CudaSobelEdgeDetectionImageFilter
 * \brief The magnitude of the gradient by Sobel's operators, and on request its direction, on a CUDA device where there
 * is one.
 *
 * Parameters and results are those of SobelEdgeDetectionImageFilter; what ComputeDirection adds is described in
 * DirectionalSobelEdgeDetectionImageFilter. Magnitude and angles come from one pass over the image.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaSobelEdgeDetectionImageFilter
  : public CudaStencilImageFilter<DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaSobelEdgeDetectionImageFilter);

  using Self = CudaSobelEdgeDetectionImageFilter;
  using Superclass = CudaStencilImageFilter<DirectionalSobelEdgeDetectionImageFilter<TInputImage, TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaSobelEdgeDetectionImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputPixelType;
  using typename Superclass::OutputImageType;
  using typename Superclass::OutputPixelType;
  using DataObjectPointer = ProcessObject::DataObjectPointer;
  using DataObjectPointerArraySizeType = ProcessObject::DataObjectPointerArraySizeType;

  /** Compute float images in double precision where the CPU filter does, and so the magnitude equal to the CPU's bit by
   * bit. Slower. Default: off, which differs by at most 1e-5 of the image's range. Images of double pixels are always
   * computed so. */
  itkSetMacro(ExactMode, bool);
  itkGetConstMacro(ExactMode, bool);
  itkBooleanMacro(ExactMode);

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaSobelEdgeDetectionImageFilter() = default;
  ~CudaSobelEdgeDetectionImageFilter() override = default;

  using typename Superclass::RegionOnDevice;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  std::string
  GetWhyNoKernel() const override;

  std::vector<OutputImageType *>
  GetOutputsOnDevice() override;

  void
  GenerateRegionOnDevice(CudaFilters::Execution & execution, const RegionOnDevice & region) override;

private:
  /** Angles have no meaning in whole numbers. */
  static constexpr bool HasRealOutput =
    std::is_same<OutputPixelType, float>::value || std::is_same<OutputPixelType, double>::value;

  bool m_ExactMode = false;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaSobelEdgeDetectionImageFilter.hxx"
#endif

#endif
