# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that ITK's loader adds to the package. It executes this file twice: all else is in cuda_arrays
and cuda_functions."""

from itk.cuda_arrays import (  # noqa: F401
    CudaBackendEnum,
    CudaDistanceStrategyEnum,
    CudaKernelFamilyEnum,
    CudaReconstructionStrategyEnum,
    cuda_image_from_array,
    cuda_image_from_array_init_docstring,
)
from itk.cuda_functions import cuda_pixel_function, cuda_pixel_function_init_docstring  # noqa: F401

swig = {}  # which the loader expects
