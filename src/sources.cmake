# The sources of the core library, for the library itself and for its twin on the emulated device (test/Emulation).
set(
  CudaFilters_HOST_SOURCES
  Components/BlockLabels.cxx
  Device/Copy.cxx
  Device/DeviceError.cxx
  Device/DeviceMemory.cxx
  Device/Devices.cxx
  Device/Execution.cxx
  Device/HostMemory.cxx
  Device/HostResult.cxx
  Device/Stream.cxx
  Device/ThreadTeam.cxx
  Measurements/MeasurementTable.cxx
  Measurements/OrderBySize.cxx
  PixelMemory/DevicePixels.cxx
  PixelMemory/ImageAccess.cxx
  PixelMemory/ImageList.cxx
  PixelMemory/PlainUploads.cxx
  PixelMemory/SlabCopy.cxx
  PixelMemory/StagedUpload.cxx
  Runner/BinningOperation.cxx
  Runner/DropIn.cxx
  Runner/Environment.cxx
  Runner/FilterCore.cxx
  Runner/FilterImages.cxx
  Runner/Intermediates.cxx
  Runner/LostPixels.cxx
  Runner/Operation.cxx
  Runner/ReductionOperation.cxx
  Runner/Runner.cxx
  Runner/TwoPassOperation.cxx
  Runner/UpstreamFiles.cxx
  TextFunctions/HostTextProgram.cxx
  TextFunctions/TextCache.cxx
  TextFunctions/TextFunction.cxx
  TextFunctions/TextParameters.cxx
  itkCudaEnums.cxx
  itkCudaInterface.cxx
  itkCudaPixelHolder.cxx
  itkCudaSharedPixels.cxx
  itkLabelMeasurementTable.cxx
)
# Kernels and their drivers: CUDA, or plain C++ for the emulated device.
set(
  CudaFilters_CUDA_SOURCES
  Canny/CannyEdges.cu
  Canny/EdgeLinker.cu
  Components/Components.cu
  Components/RowBits.cu
  Components/SimilarComponents.cu
  Device/CopyNumbers.cu
  Device/Probe.cu
  Device/Sum.cu
  DistanceMap/Ball.cu
  DistanceMap/DistanceMap.cu
  DistanceMap/DistanceStatistics.cu
  DistanceMap/NearestObjects.cu
  DistanceMap/WavefrontDistances.cu
  Measurements/Measurements.cu
  Morphology/FlatMorphology.cu
  Neighborhood/BoxSums.cu
  Neighborhood/Derivatives.cu
  Neighborhood/Median.cu
  PixelFunctions/Arithmetic.cu
  PixelFunctions/Choice.cu
  PixelFunctions/UnaryFunctions.cu
  Reconstruction/Reconstruction.cu
  Reconstruction/ReconstructionSteps.cu
  SeparableConvolution/SeparableConvolution.cu
  Sobel/SobelEdges.cu
  Statistics/Histogram.cu
  Statistics/Statistics.cu
  ZeroCrossing/ZeroCrossings.cu
)
# Operations that drive several passes.
set(
  CudaFilters_OPERATION_SOURCES
  Canny/CannyOperation.cxx
  Canny/EdgeBorders.cxx
  Components/ComponentOperation.cxx
  Components/ObjectBorders.cxx
  Components/SimilarComponentOperation.cxx
  DistanceMap/DistanceMapOperation.cxx
  DistanceMap/HausdorffOperation.cxx
  DistanceMap/NearestObjectOperation.cxx
  Measurements/MeasurementOperation.cxx
  Measurements/RelabelOperation.cxx
  PixelFunctions/PixelFunctionOperation.cxx
  Reconstruction/ReconstructionOperation.cxx
  Reconstruction/TileRounds.cxx
  TextFunctions/DeviceTextProgram.cxx
  TextFunctions/TextBinningOperation.cxx
  TextFunctions/TextFunctionOperation.cxx
  TextFunctions/TextReductionOperation.cxx
)
# In the place of the last two lists, where there is no CUDA Toolkit.
set(
  CudaFilters_NO_DEVICE_SOURCES
  Device/NoToolkit/NoDeviceCode.cxx
)

# The sources of programs that are made at run time, as text (TextFunctions/TextSources.h).
foreach(
  file
  ${CMAKE_CURRENT_LIST_DIR}/../include/CudaFilters/detail/TextArguments.h
  ${CMAKE_CURRENT_LIST_DIR}/TextFunctions/TextPrelude.h
  ${CMAKE_CURRENT_LIST_DIR}/TextFunctions/TextLoops.h
  ${CMAKE_CURRENT_LIST_DIR}/TextFunctions/TextReductionLoops.h
  ${CMAKE_CURRENT_LIST_DIR}/TextFunctions/TextBinLoops.h
)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} ${name}_SOURCE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
set(CudaFilters_TEXT_SOURCES ${CMAKE_CURRENT_BINARY_DIR}/TextSources.cxx)
configure_file(${CMAKE_CURRENT_LIST_DIR}/TextFunctions/TextSources.cxx.in ${CudaFilters_TEXT_SOURCES} @ONLY)
