# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that ITK's loader adds to the package. It executes this file twice: all else is in cuda_arrays,
cuda_drop_in and cuda_functions."""

from itk.cuda_arrays import (  # noqa: F401
    CudaBackendEnum,
    CudaDistanceStrategyEnum,
    CudaKernelFamilyEnum,
    CudaReconstructionStrategyEnum,
    cuda_image_from_array,
    cuda_image_from_array_init_docstring,
)
from itk.cuda_drop_in import (  # noqa: F401
    cuda_filters_register,
    cuda_filters_register_init_docstring,
    cuda_filters_unregister,
    cuda_filters_unregister_init_docstring,
)
from itk.cuda_functions import (  # noqa: F401
    cuda_pixel_bins,
    cuda_pixel_bins_init_docstring,
    cuda_pixel_function,
    cuda_pixel_function_init_docstring,
    cuda_pixel_reduction,
    cuda_pixel_reduction_init_docstring,
)

swig = {}  # which the loader expects
