depends = ("CudaFilters",)
templates = (
    ("CudaBackendEnum", "itk::CudaBackendEnum", "CudaBackendEnum", True),
    ("CudaKernelFamilyEnum", "itk::CudaKernelFamilyEnum", "CudaKernelFamilyEnum", True),
    (
        "CudaReconstructionStrategyEnum",
        "itk::CudaReconstructionStrategyEnum",
        "CudaReconstructionStrategyEnum",
        True,
    ),
)
