# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of pixels that are given as texts, in Python."""

import functools
import glob
import importlib.util
import numbers
import os

import numpy as np
from itk.support import helpers


@functools.lru_cache(maxsize=None)
def _find_nvrtc():
    """NVRTC may be in one of NVIDIA's Python packages, where the library does not look for it."""
    package = importlib.util.find_spec("nvidia")
    for folder in package.submodule_search_locations if package is not None else ():
        for library in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.*")), reverse=True):
            if "builtins" not in library:
                os.environ.setdefault("CUDAFILTERS_NVRTC", library)
                return


# NumPy's and ITK's names of pixel types.
_PIXELS = {"uint8": "UC", "uint16": "US", "int16": "SS", "float32": "F", "float64": "D"}


def _get_output_type(image, output_type):
    """The type of the output: an image type, or the type of its pixels, in ITK's or NumPy's words."""
    import itk

    if output_type is None:
        return itk.Image[itk.template(image)[1]]
    if hasattr(output_type, "New"):
        return output_type
    try:
        if not isinstance(output_type, itk.support.types.itkCType):
            output_type = getattr(itk, _PIXELS[np.dtype(output_type).name])
        return itk.Image[output_type, itk.template(image)[1][1]]
    except (AttributeError, KeyError, TypeError):
        raise TypeError(f"cuda_pixel_function has no output of type {output_type}") from None


@helpers.accept_array_like_xarray_torch
def cuda_pixel_function(image, text, *others, output_type=None, radius=None, **parameters):
    """Computes an image by a function that is given as a text, on an NVIDIA GPU with CUDA where there is one, or else on
    the CPU.

    itk.cuda_pixel_function(image, "x > t ? 255 : 0", t=127)

    text: an expression in C++, or the body of a function with return. It knows x, the pixel; y and z, the pixels of up to
    two more images; index[0] to index[2]; n(dx, dy) and n(dx, dy, dz), the neighbours up to the radius; and the
    parameters, which are integers or real numbers. others: the second and the third image. output_type: the type of the
    output's pixels (itk.F, numpy.float32) or of the image; by default, that of the input. Documentation/TextFunctions.md
    says more."""
    import itk

    _find_nvrtc()
    key = (itk.Image[itk.template(image)[1]], _get_output_type(image, output_type))
    try:
        function = itk.CudaTextFunctionImageFilter[key].New()
    except KeyError:
        raise TypeError(f"cuda_pixel_function is not there for {key[0]} and {key[1]}") from None
    for i, other in enumerate((image, *others)):
        function.SetInput(i, other)
    function.SetText(text)
    if radius is not None:
        function.SetRadius(radius)
    for name, value in parameters.items():
        if isinstance(value, numbers.Integral):
            function.SetIntegerParameter(name, int(value))
        elif isinstance(value, numbers.Real):
            function.SetRealParameter(name, float(value))
        else:
            raise TypeError(f"the parameter {name} is {value!r}, which is not a number")
    function.Update()
    return function.GetOutput()


def cuda_pixel_function_init_docstring():
    """The function has its docstring already."""
