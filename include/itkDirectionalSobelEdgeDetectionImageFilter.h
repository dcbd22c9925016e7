// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDirectionalSobelEdgeDetectionImageFilter_h
#define itkDirectionalSobelEdgeDetectionImageFilter_h

#include "itkSobelEdgeDetectionImageFilter.h"
#include <array>

namespace itk
{
/** \class DirectionalSobelEdgeDetectionImageFilter
 * \brief A SobelEdgeDetectionImageFilter that also tells the direction of the gradient, on the CPU.
 *
 * The first output is SobelEdgeDetectionImageFilter's. With ComputeDirection on there is a second output, and for 3-D
 * images a third:
 *
 * - GetDirectionOutput(): the azimuth, the angle in the x-y plane from the x axis towards the y axis, in radians from
 *   -pi to pi: atan2(Gy, Gx).
 * - GetElevationOutput(): the elevation, the angle above the x-y plane towards the z axis, in radians from -pi/2 to
 *   pi/2: atan2(Gz, hypot(Gx, Gy)).
 *
 * The gradient (Gx, Gy, Gz) is the response to SobelOperator along each axis of the image's grid; as in
 * SobelEdgeDetectionImageFilter, spacing and direction of the image are left out of account. Where the gradient is
 * zero, so are the angles.
 *
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT DirectionalSobelEdgeDetectionImageFilter
  : public SobelEdgeDetectionImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DirectionalSobelEdgeDetectionImageFilter);

  using Self = DirectionalSobelEdgeDetectionImageFilter;
  using Superclass = SobelEdgeDetectionImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "DirectionalSobelEdgeDetectionImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;
  using typename Superclass::OutputPixelType;

  /** Compute the direction of the gradient, too. Default: off. */
  void
  SetComputeDirection(bool compute);
  itkGetConstMacro(ComputeDirection, bool);
  itkBooleanMacro(ComputeDirection);

  /** The azimuth; nullptr while ComputeDirection is off. */
  OutputImageType *
  GetDirectionOutput();

  /** The elevation; nullptr while ComputeDirection is off, and for 2-D images. */
  OutputImageType *
  GetElevationOutput();

protected:
  DirectionalSobelEdgeDetectionImageFilter() = default;
  ~DirectionalSobelEdgeDetectionImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateData() override;

private:
  static constexpr unsigned int NumberOfAngles = ImageDimension > 2 ? 2 : 1;

  void
  GenerateDirection();

  std::array<DataObject::Pointer, NumberOfAngles> m_Angles;
  bool                                            m_ComputeDirection = false;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkDirectionalSobelEdgeDetectionImageFilter.hxx"
#endif

#endif
