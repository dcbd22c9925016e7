depends = ("CudaFilters",)
templates = (
    ("CudaBackendEnum", "itk::CudaBackendEnum", "CudaBackendEnum", True),
    ("CudaDistanceStrategyEnum", "itk::CudaDistanceStrategyEnum", "CudaDistanceStrategyEnum", True),
    ("CudaKernelFamilyEnum", "itk::CudaKernelFamilyEnum", "CudaKernelFamilyEnum", True),
    (
        "CudaReconstructionStrategyEnum",
        "itk::CudaReconstructionStrategyEnum",
        "CudaReconstructionStrategyEnum",
        True,
    ),
)
