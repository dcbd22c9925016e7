// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterDefaults.h"
#include <map>
#include <set>

namespace itk
{
namespace CudaFilters
{
FilterDefaults
GetFilterDefaults(const std::string & nameOfFilter)
{
  // On an H200 server with 16 cores (Documentation/benchmarks/drop-in-h200.csv), the device was faster from 32 x 32
  // pixels on for these filters, but for ScalarConnectedComponentImageFilter, from about 2,000 pixels on. Elsewhere
  // copies may take longer.
  constexpr SizeValueType minimumPixels = 4096;

  // Of 2048 x 2048 pixels, on the CPU: rounded, of one of several runs, which differ by up to a half.
  static const std::map<std::string, double> nanosecondsPerPixel = {
    { "DiscreteGaussianImageFilter", 2.7 },
    { "SobelEdgeDetectionImageFilter", 4.7 },
    { "ZeroCrossingImageFilter", 1.2 },
    { "ReconstructionByDilationImageFilter", 46.0 },
    { "ReconstructionByErosionImageFilter", 44.0 },
    { "GrayscaleFillholeImageFilter", 93.0 },
    { "HConcaveImageFilter", 44.0 },
    { "HConvexImageFilter", 47.0 },
    { "HMaximaImageFilter", 47.0 },
    { "HMinimaImageFilter", 48.0 },
    { "RegionalMaximaImageFilter", 47.0 },
    { "RegionalMinimaImageFilter", 44.0 },
    { "OpeningByReconstructionImageFilter", 51.0 },
    { "ClosingByReconstructionImageFilter", 49.0 },
    { "SignedMaurerDistanceMapImageFilter", 4.7 },
    { "DanielssonDistanceMapImageFilter", 160.0 },
    { "SignedDanielssonDistanceMapImageFilter", 260.0 },
    { "DirectedHausdorffDistanceImageFilter", 6.2 },
    { "HausdorffDistanceImageFilter", 13.0 },
    { "ConnectedComponentImageFilter", 4.2 },
    { "ScalarConnectedComponentImageFilter", 39.0 },
    { "MedianImageFilter", 7.5 },
    { "MeanImageFilter", 2.1 },
    { "BoxSigmaImageFilter", 2.9 },
    { "GradientMagnitudeImageFilter", 1.8 },
    { "LaplacianImageFilter", 1.8 },
    { "GrayscaleErodeImageFilter", 5.2 },
    { "GrayscaleDilateImageFilter", 5.2 },
    { "GrayscaleMorphologicalOpeningImageFilter", 11.0 },
    { "GrayscaleMorphologicalClosingImageFilter", 10.0 },
    { "OtsuThresholdImageFilter", 5.1 },
    { "RescaleIntensityImageFilter", 2.0 },
  };
  // Their results differ from ITK's: they are exact.
  static const std::set<std::string> notByDefault = { "DanielssonDistanceMapImageFilter",
                                                      "SignedDanielssonDistanceMapImageFilter" };

  FilterDefaults defaults;
  defaults.IsEnabled = notByDefault.count(nameOfFilter) == 0;
  const auto found = nanosecondsPerPixel.find(nameOfFilter);
  if (found != nanosecondsPerPixel.end())
  {
    defaults.MinimumPixels = minimumPixels;
    defaults.NanosecondsPerPixel = found->second;
  }
  return defaults;
}
} // namespace CudaFilters
} // namespace itk
