# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Images on the device in Python: when their pixels are copied, and how arrays of other libraries share them."""

import collections
import contextlib
import enum
import functools
import sys

import numpy as np
from itk import itkCudaInterfacePython as _interface
from itk.support import template_class

CopyCounters = collections.namedtuple("CopyCounters", "uploads downloads uploaded_bytes downloaded_bytes")

# Device types and type codes of DLPack.
_CPU, _CUDA, _CUDA_MANAGED = 1, 2, 13
_CODES = {"i": 0, "u": 1, "f": 2}
_KINDS = {code: kind for kind, code in _CODES.items()}


def _make_enum(name):
    prefix = f"itk{name}_"
    values = {key[len(prefix) :]: value for key, value in vars(_interface).items() if key.startswith(prefix)}
    return enum.IntEnum(name, values, module=__name__)


CudaBackendEnum = _make_enum("CudaBackendEnum")
CudaDistanceStrategyEnum = _make_enum("CudaDistanceStrategyEnum")
CudaKernelFamilyEnum = _make_enum("CudaKernelFamilyEnum")
CudaReconstructionStrategyEnum = _make_enum("CudaReconstructionStrategyEnum")


def _accept_cuda_images(template):
    """Lets templates take CudaBackedImage as the Image it is: itk.ImageFileWriter[type(image)] and the like."""
    get_item = template.__getitem__

    def replace(parameter):
        is_cuda_image = isinstance(parameter, type) and parameter.__name__.startswith("itkCudaBackedImage")
        return parameter.__bases__[0] if is_cuda_image else parameter

    def get_item_for_images(self, parameters):
        if isinstance(parameters, (list, tuple)):
            return get_item(self, type(parameters)(map(replace, parameters)))
        return get_item(self, replace(parameters))

    template.__getitem__ = get_item_for_images


_accept_cuda_images(template_class.itkTemplate)


def _cast(image):
    """An image as the CudaBackedImage it is behind its type, or else None."""
    import itk

    try:
        return itk.CudaBackedImage[itk.template(image)[1]].cast(image)
    except (KeyError, RuntimeError, TypeError):
        return None


@contextlib.contextmanager
def _keep_on_device():
    """Images that are passed to a method of ITK meanwhile stay on the device. Otherwise, their pixels are downloaded, since
    ITK's own classes read them on the host."""
    from itk import itkCudaBackedImagePython

    itkCudaBackedImagePython.KeepImagesOnDevice(True)
    try:
        yield
    finally:
        itkCudaBackedImagePython.KeepImagesOnDevice(False)


def _keeping_images_on_device(method):
    @functools.wraps(method)
    def set_image(self, *args):
        with _keep_on_device():
            return method(self, *args)

    set_image.keeps_images_on_device = True
    return set_image


def _returning_cuda_image(method):
    @functools.wraps(method)
    def get_image(self, *args):
        return as_cuda_image(method(self, *args))

    get_image.keeps_images_on_device = True
    return get_image


def keep_images_on_device(filter_class):
    """Lets a class of CUDA filters take images as inputs without a copy to the host."""
    for names, decorate in (
        (("SetInput", "SetMarkerImage", "SetMaskImage"), _keeping_images_on_device),
        (("GetInput", "GetMarkerImage", "GetMaskImage"), _returning_cuda_image),
    ):
        for name in names:
            method = getattr(filter_class, name, None)
            if method is not None and not hasattr(method, "keeps_images_on_device"):
                setattr(filter_class, name, decorate(method))


class _Pixels:
    """The pixels of an image as NumPy's array interface. The array that NumPy makes of it keeps this object, and so does
    every view of that array."""

    def __init__(self, view, image):
        self.__array_interface__ = view.__array_interface__
        self._image = image


@functools.lru_cache(maxsize=None)
def _let_arrays_keep_images():
    """ITK's views of images refer to the image by an attribute, which numpy.asarray() drops. Views of a CudaBackedImage
    keep it in any case."""
    import itk

    itk.PyBuffer  # loads the module
    view_type = sys.modules["itk.itkPyBufferPython"].NDArrayITKBase
    make_view = view_type.__new__

    def make_view_that_keeps_image(cls, input_array, itk_base=None):
        if type(itk_base).__name__.startswith("itkCudaBackedImage"):
            input_array = np.asarray(_Pixels(input_array, itk_base))
        return make_view(cls, input_array, itk_base)

    view_type.__new__ = make_view_that_keeps_image


def as_cuda_image(image):
    """A filter's output as a CudaBackedImage, whose pixels are downloaded when they are accessed."""
    cuda_image = None if image is None else _cast(image)
    if cuda_image is None:
        return image
    _let_arrays_keep_images()
    # Python passes the image to ITK's own classes only by way of a conversion that downloads the pixels.
    cuda_image.SetHostAccessTracked(True)
    return cuda_image


def restore_image(array, spacing, origin, direction):
    """A plain image, for pickle."""
    import itk

    image = itk.image_from_array(array)
    image.SetSpacing(spacing)
    image.SetOrigin(origin)
    image.SetDirection(itk.matrix_from_array(direction))
    return image


def reduce_image(image):
    """What pickle stores of an image: that of a plain image with the same pixels."""
    import itk

    state = (
        itk.array_from_image(image),
        tuple(image.GetSpacing()),
        tuple(image.GetOrigin()),
        itk.array_from_matrix(image.GetDirection()),
    )
    return restore_image, state


def _get_dtype(image):
    import itk

    return np.dtype(itk.template(image)[1][0].dtype)


def _get_shape(image):
    return tuple(int(length) for length in reversed(image.GetBufferedRegion().GetSize()))


def _update(image):
    source = image.GetSource()
    if source:
        source.UpdateLargestPossibleRegion()


def get_cuda_array_interface(image):
    """The pixels, if they are on the device. Only then: to inspect an image neither runs a filter nor copies pixels, and
    libraries read pixels on the host by NumPy's protocols."""
    import itk

    if image.GetDeviceNumber() < 0 or image.IsHostVisible():
        raise AttributeError("the pixels are not on a device, or may have changed on the host since; see __dlpack__()")
    pixels = image.ShareOnDevice()
    stream = itk.CudaSharedPixels.GetStream(pixels.GetDeviceNumber())
    pixels.MakeVisibleTo(stream)
    # A library that takes the array keeps the image, and so the memory, even if the image is computed again elsewhere.
    lent = image.__dict__.setdefault("_lent", {})
    lent[pixels.GetPointer()] = pixels
    return {
        "shape": _get_shape(image),
        "typestr": _get_dtype(image).str,
        "data": (pixels.GetPointer(), False),
        "strides": None,
        "stream": stream,
        "version": 3,
    }


def get_dlpack_device(image):
    import itk

    _update(image)
    if image.GetDeviceNumber() >= 0:
        return (_CUDA, image.GetDeviceNumber())
    settings = itk.CudaInterface.GetDefault()
    return (_CPU, 0) if settings.GetWhyNotOnDevice() else (_CUDA, settings.GetDeviceNumber())


def get_dlpack(image, stream=None, max_version=None, dl_device=None, copy=None):
    import itk

    # max_version: an older one is always allowed.
    device = get_dlpack_device(image)
    wanted = device if dl_device is None else tuple(int(number) for number in dl_device)
    if wanted not in (device, (_CPU, 0)):
        raise BufferError(f"dl_device: the pixels are on {device}, or can be copied to {(_CPU, 0)}, not to {wanted}")
    if wanted[0] == _CPU:
        if stream is not None:
            raise BufferError("stream: must be None, since the pixels are on the CPU")
        if copy is False and device[0] != _CPU:
            raise BufferError("copy: pixels on the device must be copied to be on the CPU")
        array = itk.array_from_image(image) if copy else itk.array_view_from_image(image)
        return np.asarray(array).__dlpack__()
    if copy:
        raise BufferError("copy: the pixels are shared, never copied; copy the array")
    pixels = image.ShareOnDevice()
    if stream != -1:
        if stream == 0:
            raise BufferError("stream: 0 is ambiguous; give 1 for the legacy default stream or 2 for the thread's")
        pixels.MakeVisibleTo(1 if stream is None else stream)
    dtype = _get_dtype(image)
    return pixels._ToDLPack(list(_get_shape(image)), _CODES[dtype.kind], 8 * dtype.itemsize)


def _get_words(error):
    """What an ITK exception says, without the place in the source."""
    return str(error).rsplit("): ", 1)[-1]


def _is_dense(shape, strides, itemsize):
    """Whether elements lie one after the other, the last axis fastest. Axes of one element have any stride."""
    if len(strides) != len(shape):
        return False
    expected = itemsize
    for length, stride in zip(reversed(shape), reversed(strides)):
        if length != 1 and stride != expected:
            return False
        expected *= length
    return True


def _make_image(address, shape, strides, dtype, stream, owner):
    """stream: as in __cuda_array_interface__; -1 if it is not known."""
    import itk

    accepted = sorted({str(np.dtype(key[0].dtype)) for key in itk.CudaBackedImage.keys()})
    dimensions = sorted({key[1] for key in itk.CudaBackedImage.keys()})
    pixel_type = next((key[0] for key in itk.CudaBackedImage.keys() if np.dtype(key[0].dtype) == dtype), None)
    if pixel_type is None:
        raise TypeError(f"array: elements are {dtype}; accepted are {', '.join(accepted)}")
    if len(shape) not in dimensions:
        raise ValueError(f"array: has {len(shape)} dimensions; accepted are {' and '.join(map(str, dimensions))}")
    if 0 in shape:
        raise ValueError(f"array: is empty, its shape is {tuple(shape)}")
    if strides is not None and not _is_dense(shape, strides, dtype.itemsize):
        raise ValueError(
            f"array: strides of {tuple(strides)} bytes for a shape of {tuple(shape)}; accepted are dense arrays in "
            "C order; make it one, as cupy.ascontiguousarray() and torch.Tensor.contiguous() do"
        )
    pixels = itk.CudaSharedPixels.New()
    try:
        pixels._Borrow(address, int(np.prod(shape, dtype=np.int64)) * dtype.itemsize, max(stream, 0), owner)
        if stream < 0:
            pixels.WaitForDevice()
    except RuntimeError as error:
        raise ValueError(f"array: {_get_words(error)}") from error
    image = itk.CudaBackedImage[pixel_type, len(shape)].New()
    image.SetRegions([int(length) for length in reversed(shape)])
    image.AdoptFromDevice(pixels)
    return as_cuda_image(image)


def _from_cuda_array_interface(interface, owner):
    try:
        address = int(interface["data"][0])
        shape = tuple(int(length) for length in interface["shape"])
        strides = interface.get("strides")
        strides = None if strides is None else tuple(int(stride) for stride in strides)
        dtype = np.dtype(interface["typestr"])
        version = int(interface["version"])
        stream = interface.get("stream")
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise TypeError(f"array: its __cuda_array_interface__ is none: {error!r}") from error
    if interface.get("mask") is not None:
        raise TypeError("array: has a mask; accepted are arrays without")
    if stream == 0:
        raise ValueError("array: its stream is 0, which __cuda_array_interface__ does not allow")
    # Before version 3, nothing is said about streams.
    return _make_image(address, shape, strides, dtype, -1 if version < 3 else stream or 0, owner)


def _from_dlpack(array):
    import itk

    device_type, device = array.__dlpack_device__()
    if device_type not in (_CUDA, _CUDA_MANAGED):
        raise TypeError("array: is not on a CUDA device; for arrays on the CPU there is itk.image_view_from_array()")
    try:
        stream = itk.CudaSharedPixels.GetStream(device)
        capsule = array.__dlpack__(stream=stream)
        _, _, address, code, bits, lanes, shape, strides, owner = itk.CudaSharedPixels._FromDLPack(capsule)
    except RuntimeError as error:
        raise ValueError(f"array: {_get_words(error)}") from error
    if lanes != 1 or code not in _KINDS or bits not in (8, 16, 32, 64):
        raise TypeError(
            f"array: its elements (DLPack's type code {code}, {bits} bits, {lanes} lanes) are no numbers that ITK has; "
            "accepted are integers and real numbers"
        )
    dtype = np.dtype(f"{_KINDS[code]}{bits // 8}")
    if strides is not None:
        strides = [stride * dtype.itemsize for stride in strides]
    return _make_image(address, shape or (), strides, dtype, stream, owner)


def cuda_image_from_array(array):
    """An image whose pixels are those of an array on the device, without a copy.

    array: any object with ``__cuda_array_interface__`` or ``__dlpack__``, such as a CuPy array or a PyTorch tensor on a
    CUDA device; dense, in C order, of two or three dimensions, and of a pixel type for which ITK is wrapped. As for
    itk.image_view_from_array(), the last axis of the array is the first of the image.

    The image keeps the array. Filters read its memory as it is when they run, and never write it. Whoever changes the
    array after the image was made calls image.SetDeviceModified(), so that filters wait for that, and run again.
    """
    has_dlpack = hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__")
    interface = getattr(array, "__cuda_array_interface__", None)
    # DLPack knows about streams; of __cuda_array_interface__, version 3 does.
    if isinstance(interface, dict) and (interface.get("version", 0) >= 3 or not has_dlpack):
        return _from_cuda_array_interface(interface, array)
    if has_dlpack:
        return _from_dlpack(array)
    raise TypeError(
        f"array: {type(array).__name__} has neither __cuda_array_interface__ nor __dlpack__; accepted are arrays on a "
        "CUDA device, as CuPy's and PyTorch's; for arrays on the CPU there is itk.image_view_from_array()"
    )


def cuda_image_from_array_init_docstring():
    """Which ITK's loader expects, too."""
