// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Replaces kernels and operations if the library is built without the CUDA Toolkit. No filter calls these functions,
// since there is no device.
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/BoxSumOperation.h"
#include "CudaFilters/detail/FlatMorphologyOperation.h"
#include "CudaFilters/detail/CannyOperation.h"
#include "CudaFilters/detail/ComponentOperation.h"
#include "CudaFilters/detail/DerivativeOperation.h"
#include "CudaFilters/detail/DistanceMapOperation.h"
#include "CudaFilters/detail/HistogramOperation.h"
#include "CudaFilters/detail/MeasurementOperation.h"
#include "CudaFilters/detail/MedianOperation.h"
#include "CudaFilters/detail/PixelFunctionOperation.h"
#include "CudaFilters/detail/ReconstructionOperation.h"
#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include "CudaFilters/detail/SobelOperation.h"
#include "CudaFilters/detail/StatisticsOperation.h"
#include "CudaFilters/detail/TextFunction.h"
#include "CudaFilters/detail/ZeroCrossingOperation.h"
#include "../CopyNumbers.h"
#include "../Probe.h"

namespace itk
{
namespace CudaFilters
{
namespace
{
OperationPointer
ThrowNoDeviceCode()
{
  throw DeviceError(DeviceError::Kind::Unsuited, "this library was built without the CUDA Toolkit");
}
} // namespace

cudaError_t
ProbeKernels()
{
  return cudaErrorNoDevice;
}

void
CopyNumbers(const Execution &, const std::int64_t *, std::int64_t, std::int64_t *)
{
  ThrowNoDeviceCode();
}

OperationPointer
MakeBallOperation(const BallParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeCannyOperation(const CannyParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeComponentOperation(const ComponentParameters &, std::uint64_t &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeSimilarComponentOperation(const SimilarComponentParameters &, std::uint64_t &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeDistanceMapOperation(const DistanceMapParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeHausdorffOperation(const HausdorffParameters &, PixelType, PixelType, HausdorffDistances &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeMeasurementOperation(const MeasurementParameters &, std::vector<LabelSums> &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeNearestObjectOperation(const DistanceMapParameters &, const PixelTypes &, PixelType)
{
  return ThrowNoDeviceCode();
}

std::string
GetUnsupportedReason(const PixelFunctionParameters &)
{
  return {};
}

OperationPointer
MakePixelFunctionOperation(const PixelFunctionParameters &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeReconstructionOperation(const ReconstructionParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeRelabelOperation(const RelabelParameters &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeSeparableConvolutionOperation(const SeparableConvolutionParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeSobelOperation(const SobelParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeGradientMagnitudeOperation(unsigned int, const std::array<double, 3> &, PixelType, ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeWeightedSumOperation(unsigned int, const std::array<double, 27> &, PixelType, ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeHistogramOperation(ScalarType, const Region3 &, const HistogramBins &, std::vector<std::int64_t> &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeValueCountOperation(ScalarType, const Region3 &, std::int64_t, std::vector<std::int64_t> &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeOutOfRangeOperation(ScalarType, const Region3 &, const ShiftAndScale &, OutOfRangeCounts &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeMedianOperation(const Size3 &, PixelType, ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeBoxMeanOperation(const Size3 &, PixelType, ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeBoxSigmaOperation(const Size3 &, PixelType, ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeFlatMorphologyOperation(const FlatStructure &,
                            const std::vector<FlatStep> &,
                            const Region3 &,
                            PixelType,
                            ScalarType)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeMinimumMaximumOperation(ScalarType, const Region3 &, PixelStatistics &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeStatisticsOperation(ScalarType, const Region3 &, PixelStatistics &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeTextBinningOperation(const TextFunction &, const Region3 &, std::vector<std::int64_t> &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeTextFunctionOperation(const TextFunction &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeTextReductionOperation(const TextFunction &, double, const Region3 &, double &)
{
  return ThrowNoDeviceCode();
}

OperationPointer
MakeZeroCrossingOperation(const ZeroCrossingParameters &, const PixelTypes &)
{
  return ThrowNoDeviceCode();
}
} // namespace CudaFilters
} // namespace itk
