// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFactoryOnlyOverrides_h
#define itkCudaFiltersFactoryOnlyOverrides_h

#include "Overrides.h"
#include "itkBinaryBallStructuringElement.h"
#include "itkCudaAbsImageFilter.h"
#include "itkCudaAbsoluteValueDifferenceImageFilter.h"
#include "itkCudaAddImageFilter.h"
#include "itkCudaBinaryThresholdImageFilter.h"
#include "itkCudaBoxSigmaImageFilter.h"
#include "itkCudaCastImageFilter.h"
#include "itkCudaDivideImageFilter.h"
#include "itkCudaExpImageFilter.h"
#include "itkCudaGradientMagnitudeImageFilter.h"
#include "itkCudaGrayscaleDilateImageFilter.h"
#include "itkCudaGrayscaleErodeImageFilter.h"
#include "itkCudaGrayscaleMorphologicalClosingImageFilter.h"
#include "itkCudaGrayscaleMorphologicalOpeningImageFilter.h"
#include "itkCudaImageToHistogramFilter.h"
#include "itkCudaIntensityWindowingImageFilter.h"
#include "itkCudaInvertIntensityImageFilter.h"
#include "itkCudaLaplacianImageFilter.h"
#include "itkCudaLogImageFilter.h"
#include "itkCudaMaskImageFilter.h"
#include "itkCudaMaskNegatedImageFilter.h"
#include "itkCudaMaximumImageFilter.h"
#include "itkCudaMeanImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaMinimumImageFilter.h"
#include "itkCudaMinimumMaximumImageFilter.h"
#include "itkCudaMultiplyImageFilter.h"
#include "itkCudaOtsuThresholdImageFilter.h"
#include "itkCudaRescaleIntensityImageFilter.h"
#include "itkCudaShiftScaleImageFilter.h"
#include "itkCudaSqrtImageFilter.h"
#include "itkCudaSquareImageFilter.h"
#include "itkCudaStatisticsImageFilter.h"
#include "itkCudaSubtractImageFilter.h"
#include "itkCudaThresholdImageFilter.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Adds the overrides of filters that the factory's library holds, not CudaFilters, for one pixel type and dimension.
 * The types are those of ITK's tests and wrapping. A filter with results that only methods of this module return, since
 * those of ITK's class are not virtual, cannot stand for it: RelabelComponentImageFilter, LabelStatisticsImageFilter,
 * OtsuMultipleThresholdsImageFilter. */
template <typename TPixel, unsigned int VDimension>
void
AddFactoryOnlyOverrides(Overrides & overrides)
{
  using Input = Image<TPixel, VDimension>;
  using Byte = Image<unsigned char, VDimension>;
  using Float = Image<float, VDimension>;
  using Flat = FlatStructuringElement<VDimension>;
  using Ball = BinaryBallStructuringElement<TPixel, VDimension>;

  overrides.Add<CudaMedianImageFilter<Input, Input>>("MedianImageFilter");
  overrides.Add<CudaMeanImageFilter<Input, Input>>("MeanImageFilter");
  overrides.Add<CudaGradientMagnitudeImageFilter<Input, Input>>("GradientMagnitudeImageFilter");
  overrides.Add<CudaBoxSigmaImageFilter<Input, Input>>("BoxSigmaImageFilter");
  if constexpr (std::is_floating_point_v<TPixel>)
  {
    overrides.Add<CudaLaplacianImageFilter<Input, Input>>("LaplacianImageFilter");
    overrides.Add<CudaExpImageFilter<Input, Input>>("ExpImageFilter");
    overrides.Add<CudaLogImageFilter<Input, Input>>("LogImageFilter");
  }
  overrides.Add<CudaGrayscaleErodeImageFilter<Input, Input, Flat>>("GrayscaleErodeImageFilter");
  overrides.Add<CudaGrayscaleErodeImageFilter<Input, Input, Ball>>("GrayscaleErodeImageFilter");
  overrides.Add<CudaGrayscaleDilateImageFilter<Input, Input, Flat>>("GrayscaleDilateImageFilter");
  overrides.Add<CudaGrayscaleDilateImageFilter<Input, Input, Ball>>("GrayscaleDilateImageFilter");
  overrides.Add<CudaGrayscaleMorphologicalOpeningImageFilter<Input, Input, Flat>>(
    "GrayscaleMorphologicalOpeningImageFilter");
  overrides.Add<CudaGrayscaleMorphologicalOpeningImageFilter<Input, Input, Ball>>(
    "GrayscaleMorphologicalOpeningImageFilter");
  overrides.Add<CudaGrayscaleMorphologicalClosingImageFilter<Input, Input, Flat>>(
    "GrayscaleMorphologicalClosingImageFilter");
  overrides.Add<CudaGrayscaleMorphologicalClosingImageFilter<Input, Input, Ball>>(
    "GrayscaleMorphologicalClosingImageFilter");

  overrides.Add<CudaStatisticsImageFilter<Input>>("StatisticsImageFilter");
  overrides.Add<CudaMinimumMaximumImageFilter<Input>>("MinimumMaximumImageFilter");
  overrides.Add<Statistics::CudaImageToHistogramFilter<Input>>("ImageToHistogramFilter");
  overrides.Add<CudaOtsuThresholdImageFilter<Input, Byte>>("OtsuThresholdImageFilter");

  overrides.Add<CudaCastImageFilter<Input, Float>>("CastImageFilter");
  overrides.Add<CudaCastImageFilter<Input, Byte>>("CastImageFilter");
  overrides.Add<CudaBinaryThresholdImageFilter<Input, Byte>>("BinaryThresholdImageFilter");
  overrides.Add<CudaRescaleIntensityImageFilter<Input, Byte>>("RescaleIntensityImageFilter");
  overrides.Add<CudaIntensityWindowingImageFilter<Input, Byte>>("IntensityWindowingImageFilter");
  overrides.Add<CudaMaskImageFilter<Input, Byte>>("MaskImageFilter");
  overrides.Add<CudaMaskNegatedImageFilter<Input, Byte>>("MaskNegatedImageFilter");
  if constexpr (!std::is_same_v<TPixel, float>)
  {
    overrides.Add<CudaCastImageFilter<Float, Input>>("CastImageFilter");
    overrides.Add<CudaBinaryThresholdImageFilter<Input, Float>>("BinaryThresholdImageFilter");
  }
  if constexpr (!std::is_same_v<TPixel, unsigned char>)
  {
    overrides.Add<CudaBinaryThresholdImageFilter<Input, Input>>("BinaryThresholdImageFilter");
    overrides.Add<CudaRescaleIntensityImageFilter<Input, Input>>("RescaleIntensityImageFilter");
    overrides.Add<CudaIntensityWindowingImageFilter<Input, Input>>("IntensityWindowingImageFilter");
  }
  overrides.Add<CudaThresholdImageFilter<Input>>("ThresholdImageFilter");
  overrides.Add<CudaShiftScaleImageFilter<Input, Input>>("ShiftScaleImageFilter");
  overrides.Add<CudaInvertIntensityImageFilter<Input, Input>>("InvertIntensityImageFilter");
  overrides.Add<CudaAbsImageFilter<Input, Input>>("AbsImageFilter");
  overrides.Add<CudaSquareImageFilter<Input, Input>>("SquareImageFilter");
  overrides.Add<CudaSqrtImageFilter<Input, Input>>("SqrtImageFilter");
  overrides.Add<CudaAddImageFilter<Input>>("AddImageFilter");
  overrides.Add<CudaSubtractImageFilter<Input>>("SubtractImageFilter");
  overrides.Add<CudaMultiplyImageFilter<Input>>("MultiplyImageFilter");
  overrides.Add<CudaDivideImageFilter<Input>>("DivideImageFilter");
  overrides.Add<CudaMaximumImageFilter<Input>>("MaximumImageFilter");
  overrides.Add<CudaMinimumImageFilter<Input>>("MinimumImageFilter");
  overrides.Add<CudaAbsoluteValueDifferenceImageFilter<Input, Input, Input>>("AbsoluteValueDifferenceImageFilter");
}
} // namespace CudaFilters
} // namespace itk

#endif
