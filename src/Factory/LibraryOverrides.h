// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersLibraryOverrides_h
#define itkCudaFiltersLibraryOverrides_h

#include "Overrides.h"
#include "itkBinaryBallStructuringElement.h"
#include "itkCudaClosingByReconstructionImageFilter.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkCudaDanielssonDistanceMapImageFilter.h"
#include "itkCudaDirectedHausdorffDistanceImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGrayscaleFillholeImageFilter.h"
#include "itkCudaHConcaveImageFilter.h"
#include "itkCudaHConvexImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaHMinimaImageFilter.h"
#include "itkCudaHausdorffDistanceImageFilter.h"
#include "itkCudaOpeningByReconstructionImageFilter.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaReconstructionByErosionImageFilter.h"
#include "itkCudaRegionalMaximaImageFilter.h"
#include "itkCudaRegionalMinimaImageFilter.h"
#include "itkCudaScalarConnectedComponentImageFilter.h"
#include "itkCudaSignedDanielssonDistanceMapImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaZeroCrossingImageFilter.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** Adds the overrides of filters that the library CudaFilters holds, for one pixel type and dimension. The types are
 * those of ITK's tests and wrapping. */
template <typename TPixel, unsigned int VDimension>
void
AddLibraryOverrides(Overrides & overrides)
{
  using Input = Image<TPixel, VDimension>;
  using Float = Image<float, VDimension>;
  using Double = Image<double, VDimension>;
  using UShort = Image<unsigned short, VDimension>;
  using Short = Image<short, VDimension>;
  using UInt = Image<unsigned int, VDimension>;
  using ULong = Image<unsigned long, VDimension>;
  using Flat = FlatStructuringElement<VDimension>;
  using Ball = BinaryBallStructuringElement<TPixel, VDimension>;

  overrides.Add<CudaDiscreteGaussianImageFilter<Input, Input>>("DiscreteGaussianImageFilter");
  overrides.Add<CudaZeroCrossingImageFilter<Input, Input>>("ZeroCrossingImageFilter");
  // Derives from a filter of this module, which derives from ITK's.
  using SobelImage = Image<SobelPixel<TPixel>, VDimension>;
  overrides.Add<CudaSobelEdgeDetectionImageFilter<Input, SobelImage>, SobelEdgeDetectionImageFilter<Input, SobelImage>>(
    "SobelEdgeDetectionImageFilter");

  overrides.Add<CudaReconstructionByDilationImageFilter<Input, Input>>("ReconstructionByDilationImageFilter");
  overrides.Add<CudaReconstructionByErosionImageFilter<Input, Input>>("ReconstructionByErosionImageFilter");
  overrides.Add<CudaGrayscaleFillholeImageFilter<Input, Input>>("GrayscaleFillholeImageFilter");
  overrides.Add<CudaHConcaveImageFilter<Input, Input>>("HConcaveImageFilter");
  overrides.Add<CudaHConvexImageFilter<Input, Input>>("HConvexImageFilter");
  overrides.Add<CudaHMaximaImageFilter<Input, Input>>("HMaximaImageFilter");
  overrides.Add<CudaHMinimaImageFilter<Input, Input>>("HMinimaImageFilter");
  overrides.Add<CudaRegionalMaximaImageFilter<Input, Input>>("RegionalMaximaImageFilter");
  overrides.Add<CudaRegionalMinimaImageFilter<Input, Input>>("RegionalMinimaImageFilter");
  overrides.Add<CudaOpeningByReconstructionImageFilter<Input, Input, Flat>>("OpeningByReconstructionImageFilter");
  overrides.Add<CudaOpeningByReconstructionImageFilter<Input, Input, Ball>>("OpeningByReconstructionImageFilter");
  overrides.Add<CudaClosingByReconstructionImageFilter<Input, Input, Flat>>("ClosingByReconstructionImageFilter");
  overrides.Add<CudaClosingByReconstructionImageFilter<Input, Input, Ball>>("ClosingByReconstructionImageFilter");

  overrides.Add<CudaSignedMaurerDistanceMapImageFilter<Input, Float>>("SignedMaurerDistanceMapImageFilter");
  overrides.Add<CudaDanielssonDistanceMapImageFilter<Input, Float>>("DanielssonDistanceMapImageFilter");
  overrides.Add<CudaSignedDanielssonDistanceMapImageFilter<Input, Float>>("SignedDanielssonDistanceMapImageFilter");
  overrides.Add<CudaDirectedHausdorffDistanceImageFilter<Input, Input>>("DirectedHausdorffDistanceImageFilter");
  overrides.Add<CudaHausdorffDistanceImageFilter<Input, Input>>("HausdorffDistanceImageFilter");
  if constexpr (!std::is_same_v<TPixel, float>)
  {
    overrides.Add<CudaDanielssonDistanceMapImageFilter<Input, Input>>("DanielssonDistanceMapImageFilter");
  }
  if constexpr (!std::is_same_v<TPixel, double>)
  {
    overrides.Add<CudaSignedMaurerDistanceMapImageFilter<Input, Double>>("SignedMaurerDistanceMapImageFilter");
  }

  overrides.Add<CudaConnectedComponentImageFilter<Input, UShort>>("ConnectedComponentImageFilter");
  overrides.Add<CudaConnectedComponentImageFilter<Input, Short>>("ConnectedComponentImageFilter");
  overrides.Add<CudaConnectedComponentImageFilter<Input, UInt>>("ConnectedComponentImageFilter");
  overrides.Add<CudaConnectedComponentImageFilter<Input, ULong>>("ConnectedComponentImageFilter");
  overrides.Add<CudaScalarConnectedComponentImageFilter<Input, UShort>>("ScalarConnectedComponentImageFilter");
  overrides.Add<CudaScalarConnectedComponentImageFilter<Input, UInt>>("ScalarConnectedComponentImageFilter");
  overrides.Add<CudaScalarConnectedComponentImageFilter<Input, ULong>>("ScalarConnectedComponentImageFilter");
  if constexpr (std::is_same_v<TPixel, unsigned char>)
  {
    overrides.Add<CudaConnectedComponentImageFilter<Input, Input>>("ConnectedComponentImageFilter");
    // Once for each dimension: it does not depend on TPixel.
    using Int = Image<int, VDimension>;
    overrides.Add<CudaConnectedComponentImageFilter<Int, Int>>("ConnectedComponentImageFilter");
  }
}
} // namespace CudaFilters
} // namespace itk

#endif
