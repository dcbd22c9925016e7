set(
  DOCUMENTATION
  "Image filters that compute on NVIDIA GPUs through CUDA, give the same results as the ITK filters they derive from,
and run on the CPU where there is no GPU."
)

itk_module(
  CudaFilters
  DEPENDS
    ITKCommon
    ITKConnectedComponents
    ITKDistanceMap
    ITKImageCompare
    ITKImageFilterBase
    ITKImageFeature
    ITKImageIntensity
    ITKImageStatistics
    ITKMathematicalMorphology
    ITKSmoothing
    ITKStatistics
    ITKThresholding
  TEST_DEPENDS
    ITKBinaryMathematicalMorphology
    ITKImageGrid
    ITKIOMeta
    ITKIOPNG
    ITKLabelMap
  EXCLUDE_FROM_DEFAULT
  ENABLE_SHARED
  DESCRIPTION "${DOCUMENTATION}"
)
