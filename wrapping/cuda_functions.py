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
    _set_parameters(function, parameters)
    function.Update()
    return function.GetOutput()


def _set_parameters(function, parameters):
    for name, value in parameters.items():
        if isinstance(value, numbers.Integral):
            function.SetIntegerParameter(name, int(value))
        elif isinstance(value, numbers.Real):
            function.SetRealParameter(name, float(value))
        else:
            raise TypeError(f"the parameter {name} is {value!r}, which is not a number")


def _make_sink(filters, image, text, parameters):
    """A filter that reduces the image."""
    import itk

    _find_nvrtc()
    key = itk.Image[itk.template(image)[1]]
    try:
        sink = filters[key].New()
    except KeyError:
        raise TypeError(f"texts cannot reduce {key}") from None
    sink.SetInput(image)
    sink.SetText(text)
    _set_parameters(sink, parameters)
    return sink


@helpers.accept_array_like_xarray_torch
def cuda_pixel_reduction(image, text="x", combination="a + b", identity=0.0, **parameters):
    """Reduces an image to one number by functions that are given as texts, on an NVIDIA GPU with CUDA where there is one,
    or else on the CPU.

    itk.cuda_pixel_reduction(image, "x > t", t=127)  # how many pixels are above 127?
    itk.cuda_pixel_reduction(image, "x", "max(a, b)", -math.inf)

    text: what a pixel x becomes, as in itk.cuda_pixel_function, but with one image and without neighbours. combination:
    what two numbers a and b become. identity: the number of no pixels. The result does not depend on the number of
    threads, or on where it is computed."""
    import itk

    sink = _make_sink(itk.CudaTextReductionFilter, image, text, parameters)
    sink.SetCombination(combination)
    sink.SetIdentity(identity)
    sink.Update()
    return sink.GetResult()


@helpers.accept_array_like_xarray_torch
def cuda_pixel_bins(image, text, bins, weight="", **parameters):
    """Counts the pixels of an image in bins by functions that are given as texts, on an NVIDIA GPU with CUDA where there
    is one, or else on the CPU. Returns a NumPy array of integers.

    itk.cuda_pixel_bins(image, "x / 16", 16)
    itk.cuda_pixel_bins(image, "index[1]", rows, weight="x")  # a sum for each row

    text: the number of the bin of a pixel x, as in itk.cuda_pixel_function, but with one image and without neighbours;
    -1 for none. bins: how many there are. weight: an integer, which is added to the bin; without it, 1."""
    import itk

    sink = _make_sink(itk.CudaTextBinningFilter, image, text, parameters)
    sink.SetNumberOfBins(bins)
    sink.SetWeight(weight)
    sink.Update()
    return np.array([sink.GetSum(i) for i in range(bins)], np.int64)


def cuda_pixel_function_init_docstring():
    """The functions have their docstrings already."""


cuda_pixel_reduction_init_docstring = cuda_pixel_function_init_docstring
cuda_pixel_bins_init_docstring = cuda_pixel_function_init_docstring
