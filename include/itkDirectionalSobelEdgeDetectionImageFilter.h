// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDirectionalSobelEdgeDetectionImageFilter_h
#define itkDirectionalSobelEdgeDetectionImageFilter_h

#include "itkSobelEdgeDetectionImageFilter.h"
#include <array>

namespace itk
{
/** \class DirectionalSobelEdgeDetectionImageFilter
 * \brief Computes the magnitude and, optionally, the direction of the Sobel gradient, on the CPU.
 *
 * The first output is the gradient magnitude, as in SobelEdgeDetectionImageFilter. With ComputeDirection on, the filter
 * has a second output, and for 3-D images a third. Edge linking, orientation histograms and texture analysis use these
 * angles.
 *
 * - GetDirectionOutput(): the azimuth, the angle in the x-y plane from the x axis towards the y axis, in radians from
 *   -pi to pi: atan2(Gy, Gx).
 * - GetElevationOutput(): the elevation, the angle from the x-y plane towards the z axis, in radians from -pi/2 to
 *   pi/2: atan2(Gz, hypot(Gx, Gy)).
 *
 * The gradient (Gx, Gy, Gz) is the response to SobelOperator along each axis of the image grid. As in
 * SobelEdgeDetectionImageFilter, the spacing and the direction of the image are ignored. Where the gradient is zero,
 * the angles are zero. CudaSobelEdgeDetectionImageFilter computes the same on a CUDA device.
 *
 * \code
 * auto filter = itk::DirectionalSobelEdgeDetectionImageFilter<ImageType, ImageType>::New();
 * filter->SetInput(image);
 * filter->ComputeDirectionOn();
 * \endcode
 *
 * \sa SobelEdgeDetectionImageFilter, SobelOperator, CudaSobelEdgeDetectionImageFilter
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

  /** Set/Get whether to compute the direction of the gradient in addition to its magnitude. Default: off. */
  void
  SetComputeDirection(bool compute);
  itkGetConstMacro(ComputeDirection, bool);
  itkBooleanMacro(ComputeDirection);

  /** Returns the azimuth, or nullptr while ComputeDirection is off. */
  OutputImageType *
  GetDirectionOutput();

  /** Returns the elevation, or nullptr while ComputeDirection is off and for 2-D images. */
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
