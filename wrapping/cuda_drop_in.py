# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA filters in place of ITK's, in Python."""


def cuda_filters_register():
    """Puts the CUDA filters behind ITK's filters of this process: itk.discrete_gaussian_image_filter() and the like compute
    on an NVIDIA GPU where that is faster. Returns the itk.CudaFiltersFactory, by which filters can be left out."""
    import itk

    itk.CudaFiltersFactory.RegisterOneFactory()
    return itk.CudaFiltersFactory.GetInstance()


def cuda_filters_unregister():
    """Ends what itk.cuda_filters_register() began, for filters that are created from now on."""
    import itk

    itk.CudaFiltersFactory.UnRegisterOneFactory()


def cuda_filters_register_init_docstring():
    """The functions have their docstrings already."""


cuda_filters_unregister_init_docstring = cuda_filters_register_init_docstring
