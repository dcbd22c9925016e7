# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The other side of the array protocols: a library with arrays on the device, as small as can be."""

import ctypes

import itk
import numpy as np


class CudaMemory:
    """Memory by the CUDA runtime, through ctypes."""

    def __init__(self):
        self._runtime = ctypes.CDLL("libcudart.so")

    def _call(self, name, *arguments):
        error = getattr(self._runtime, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: error {error}")

    def allocate(self, count):
        pointer = ctypes.c_void_p()
        self._call("cudaMalloc", ctypes.byref(pointer), ctypes.c_size_t(count))
        return pointer.value

    def free(self, pointer):
        self._call("cudaFree", ctypes.c_void_p(pointer))

    def wait_for(self, stream):
        self._call("cudaStreamSynchronize", ctypes.c_void_p(stream))

    def read(self, pointer, count):
        buffer = ctypes.create_string_buffer(count)
        self._call("cudaMemcpy", buffer, ctypes.c_void_p(pointer), ctypes.c_size_t(count), 2)
        return buffer.raw

    def write(self, pointer, data):
        self._call("cudaMemcpy", ctypes.c_void_p(pointer), data, ctypes.c_size_t(len(data)), 1)


class EmulatedMemory:
    """On the emulated device, whose memory is the host's, and whose runtime only our library can call."""

    def __init__(self):
        self._owners = {}

    def allocate(self, count):
        image = itk.CudaBackedImage[itk.UC, 2].New()
        image.SetRegions([count, 1])
        image.Allocate()
        pixels = image.ShareOnDevice()
        self.wait_for(0)
        self._owners[pixels.GetPointer()] = pixels
        return pixels.GetPointer()

    def free(self, pointer):
        del self._owners[pointer]

    def wait_for(self, stream):
        itk.CudaInterface.ReleaseCachedMemory()  # waits for all work

    def read(self, pointer, count):
        return ctypes.string_at(pointer, count)

    def write(self, pointer, data):
        ctypes.memmove(pointer, data, len(data))


def make_memory():
    return EmulatedMemory() if "mulated" in itk.CudaInterface.GetDeviceName(0) else CudaMemory()


class DeviceArray:
    """An array that others see through __cuda_array_interface__."""

    freed = 0

    def __init__(self, memory, array, **changes):
        self._memory = memory
        self._pointer = memory.allocate(array.nbytes)
        memory.write(self._pointer, array.tobytes())
        self.interface = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (self._pointer, False),
            "version": 3,
            **changes,
        }

    def __del__(self):
        self._memory.free(self._pointer)
        DeviceArray.freed += 1

    @property
    def __cuda_array_interface__(self):
        return self.interface

    @property
    def pointer(self):
        return self._pointer


def to_numpy(memory, interface):
    """What a library does with another's __cuda_array_interface__."""
    if interface["stream"] is not None:
        memory.wait_for(interface["stream"])
    dtype = np.dtype(interface["typestr"])
    count = int(np.prod(interface["shape"])) * dtype.itemsize
    return np.frombuffer(memory.read(interface["data"][0], count), dtype).reshape(interface["shape"])


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


class _ManagedTensor(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ManagedTensor))
_ManagedTensor._fields_ = [("tensor", _Tensor), ("manager", ctypes.c_void_p), ("delete", _Deleter)]

_api = ctypes.pythonapi
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


class TakenTensor:
    """What a library makes of a DLPack capsule; gives it back when it goes."""

    def __init__(self, capsule):
        address = _api.PyCapsule_GetPointer(capsule, b"dltensor")
        _api.PyCapsule_SetName(capsule, b"used_dltensor")
        self._managed = _ManagedTensor.from_address(address)
        self.tensor = self._managed.tensor

    @property
    def shape(self):
        return tuple(self.tensor.shape[: self.tensor.dimensions])

    def __del__(self):
        self._managed.delete(self._managed)
