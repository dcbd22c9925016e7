# The sources of the core library, for the library itself and for its twin on the emulated device (test/Emulation).
set(
  CudaFilters_HOST_SOURCES
  Device/Copy.cxx
  Device/DeviceError.cxx
  Device/DeviceMemory.cxx
  Device/Devices.cxx
  Device/Execution.cxx
  Device/HostMemory.cxx
  Device/Stream.cxx
  PixelMemory/DevicePixels.cxx
  PixelMemory/ImageAccess.cxx
  PixelMemory/SlabCopy.cxx
  PixelMemory/StagedUpload.cxx
  PixelMemory/ThreadTeam.cxx
  Runner/FilterCore.cxx
  Runner/Operation.cxx
  Runner/Runner.cxx
  itkCudaEnums.cxx
  itkCudaInterface.cxx
  itkCudaPixelHolder.cxx
  itkCudaSharedPixels.cxx
)
# Kernels and their drivers: CUDA, or plain C++ for the emulated device.
set(
  CudaFilters_CUDA_SOURCES
  Canny/CannyEdges.cu
  Canny/EdgeLinker.cu
  Device/Probe.cu
  Reconstruction/Reconstruction.cu
  Reconstruction/ReconstructionSteps.cu
  SeparableConvolution/SeparableConvolution.cu
  Sobel/SobelEdges.cu
  ZeroCrossing/ZeroCrossings.cu
)
# Operations that drive several passes.
set(
  CudaFilters_OPERATION_SOURCES
  Canny/CannyOperation.cxx
  Canny/EdgeBorders.cxx
  Reconstruction/ReconstructionOperation.cxx
  Reconstruction/TileRounds.cxx
)
# In the place of the last two lists, where there is no CUDA Toolkit.
set(
  CudaFilters_NO_DEVICE_SOURCES
  Device/NoToolkit/NoDeviceCode.cxx
)
