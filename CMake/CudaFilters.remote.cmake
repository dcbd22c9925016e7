# For ITK's folder Modules/Remote: makes the module known to ITK's build as Module_CudaFilters.
itk_fetch_module(
  CudaFilters
  "Image filters that compute on NVIDIA GPUs through CUDA and give the same results as the ITK filters they derive from."
  MODULE_COMPLIANCE_LEVEL 3
  GIT_REPOSITORY ${git_protocol}://github.com/InsightSoftwareConsortium/ITKCudaFilters.git
  GIT_TAG main
)
