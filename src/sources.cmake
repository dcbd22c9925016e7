# The library's sources, for the library itself and for its twin on the emulated device (test/Emulation).
set(
  CudaFilters_HOST_SOURCES
  Device/Check.cxx
  Device/Copy.cxx
  Device/DeviceMemory.cxx
  Device/Devices.cxx
  Device/Execution.cxx
  Device/HostMemory.cxx
  Device/Stream.cxx
  itkCudaDevicePixels.cxx
  itkCudaExecution.cxx
  itkCudaInterface.cxx
  itkCudaPixelHolder.cxx
  itkCudaSlabCopy.cxx
  itkCudaStagedUpload.cxx
  itkCudaThreadTeam.cxx
)
set(
  CudaFilters_DEVICE_SOURCES
  SeparableConvolution/SeparableConvolution.cu
)
# Needed also where there is no device code.
set(
  CudaFilters_PROBE_SOURCES
  Device/Probe.cu
)
