# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that ITK's loader adds to the package. It executes this file twice: all else is in cuda_arrays."""

from itk.cuda_arrays import (  # noqa: F401
    CudaBackendEnum,
    CudaDistanceStrategyEnum,
    CudaKernelFamilyEnum,
    CudaReconstructionStrategyEnum,
    cuda_image_from_array,
    cuda_image_from_array_init_docstring,
)

swig = {}  # which the loader expects
