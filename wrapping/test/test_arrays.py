# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Images and arrays of other libraries in the same device memory."""

import gc
import unittest

import itk
import numpy as np

from device_memory import DeviceArray, TakenTensor, make_memory, to_numpy
from support import WHY_NO_DEVICE, make_array, make_image, needs_device


# Labels are not smoothed.
SMOOTHED_TYPES = [key for key in itk.CudaBackedImage.keys() if key[0] is not itk.UL]


def smooth(image):
    return itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)


def get_copies():
    counters = itk.CudaInterface.GetCopyCounters()
    return counters.uploads, counters.downloads


class OnlyDLPack:
    """Passes an image's DLPack methods on, and no others."""

    def __init__(self, image):
        self.image = image

    def __dlpack__(self, stream=None):
        return self.image.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.image.__dlpack_device__()


@needs_device
class FromImages(unittest.TestCase):
    def setUp(self):
        self.memory = make_memory()

    def test_array_interface_for_all_types(self):
        for key in SMOOTHED_TYPES:
            with self.subTest(types=key):
                array = make_array(np.dtype(key[0].dtype), key[1])
                result = smooth(itk.image_from_array(array))
                before = get_copies()
                interface = result.__cuda_array_interface__
                self.assertEqual(get_copies(), before)
                self.assertEqual(interface["shape"], array.shape)
                self.assertEqual(interface["typestr"], array.dtype.str)
                self.assertIs(interface["strides"], None)
                self.assertEqual(interface["version"], 3)
                self.assertIs(interface["data"][1], False)
                self.assertNotIn(interface["stream"], (0, None))
                np.testing.assert_array_equal(to_numpy(self.memory, interface), itk.array_from_image(result))

    def read_tensor(self, image):
        taken = TakenTensor(image.__dlpack__())
        self.memory.wait_for(1)
        data = self.memory.read(taken.tensor.data, int(np.prod(taken.shape)) * 4)
        return np.frombuffer(data, np.float32).reshape(taken.shape)

    def test_pixels_of_the_host_are_uploaded(self):
        image = itk.CudaBackedImage[itk.F, 2].New()
        image.SetRegions([5, 3])
        image.Allocate()
        image.FillBuffer(2.5)
        np.testing.assert_array_equal(self.read_tensor(image), np.full((3, 5), 2.5))

    def test_output_of_a_filter_that_has_not_run(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(make_image(itk.Image[itk.F, 2]), variance=2.0)
        np.testing.assert_array_equal(self.read_tensor(filter.GetOutput()), itk.array_from_image(filter))

    def test_inspection_has_no_effect(self):
        def inspect(image):
            hasattr(image, "__cuda_array_interface__")
            for name in dir(image):
                if name == "__cuda_array_interface__":
                    getattr(image, name, None)

        filter = itk.CudaDiscreteGaussianImageFilter.New(make_image(itk.Image[itk.F, 2]), variance=2.0)
        before = get_copies()
        inspect(filter.GetOutput())
        self.assertEqual(filter.GetExecutedOn(), "")
        filter.Update()
        view = itk.array_view_from_image(filter.GetOutput())
        expected = view.copy()
        after = get_copies()
        self.assertEqual(after, (before[0] + 1, before[1] + 1))
        inspect(filter.GetOutput())
        self.assertEqual(get_copies(), after)
        view += 1
        np.testing.assert_array_equal(itk.array_from_image(filter.GetOutput()), expected + 1)
        on_host = itk.CudaBackedImage[itk.F, 2].New()
        on_host.SetRegions([5, 3])
        on_host.Allocate()
        inspect(on_host)
        self.assertEqual(on_host.GetDeviceNumber(), -1)

    def test_others_write(self):
        image = smooth(make_image(itk.Image[itk.F, 2]))
        interface = image.__cuda_array_interface__
        values = np.arange(np.prod(interface["shape"]), dtype=np.float32).reshape(interface["shape"])
        self.memory.wait_for(interface["stream"])
        self.memory.write(interface["data"][0], values.tobytes())
        np.testing.assert_array_equal(itk.array_from_image(image), values)

        # After the host has seen them, the image must be told.
        smoothed = itk.CudaDiscreteGaussianImageFilter.New(image, variance=2.0)
        smoothed.Update()
        itk.array_from_image(image)
        self.memory.write(interface["data"][0], (2 * values).tobytes())
        image.SetDeviceModified()
        smoothed.Update()
        np.testing.assert_array_equal(itk.array_from_image(image), 2 * values)
        expected = itk.cuda_discrete_gaussian_image_filter(2 * values, variance=2.0)
        np.testing.assert_array_equal(itk.array_from_image(smoothed), expected)

    def test_memory_stays_while_somebody_has_the_image(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(make_image(itk.Image[itk.F, 2]), variance=2.0)
        filter.Update()
        image = filter.GetOutput()
        interface = image.__cuda_array_interface__
        expected = to_numpy(self.memory, interface)
        filter.SetVariance(7.0)
        filter.Update()
        self.assertNotEqual(filter.GetOutput().__cuda_array_interface__["data"], interface["data"])
        np.testing.assert_array_equal(to_numpy(self.memory, interface), expected)

    def test_dlpack(self):
        for key in SMOOTHED_TYPES:
            with self.subTest(types=key):
                source = make_array(np.dtype(key[0].dtype), key[1])
                image = smooth(itk.image_from_array(source))
                self.assertEqual(image.__dlpack_device__(), (2, 0))
                for stream in (None, 1, 2, -1):
                    taken = TakenTensor(image.__dlpack__(stream=stream))
                    self.memory.wait_for(1)
                    tensor = taken.tensor
                    dtype = np.dtype(key[0].dtype)
                    self.assertEqual((tensor.device_type, tensor.device, tensor.lanes), (2, 0, 1))
                    self.assertEqual(
                        (tensor.code, tensor.bits), ({"i": 0, "u": 1, "f": 2}[dtype.kind], 8 * dtype.itemsize)
                    )
                    self.assertEqual(taken.shape, source.shape)
                    strides = tuple(tensor.strides[: tensor.dimensions])
                    self.assertEqual(strides, tuple(stride // dtype.itemsize for stride in source.strides))
                    self.assertEqual(tensor.data, image.__cuda_array_interface__["data"][0])

    def test_dlpack_keeps_the_memory(self):
        gc.collect()
        image = smooth(make_image(itk.Image[itk.F, 2]))
        before = itk.CudaInterface.GetDeviceBytesInUse()
        taken = TakenTensor(image.__dlpack__())
        unused = image.__dlpack__()
        expected = itk.array_from_image(image)
        del image, unused
        self.assertEqual(itk.CudaInterface.GetDeviceBytesInUse(), before)
        data = self.memory.read(taken.tensor.data, expected.nbytes)
        np.testing.assert_array_equal(np.frombuffer(data, np.float32).reshape(expected.shape), expected)
        del taken
        gc.collect()
        self.assertLess(itk.CudaInterface.GetDeviceBytesInUse(), before)

    def test_dlpack_refuses(self):
        image = smooth(make_image(itk.Image[itk.F, 2]))
        with self.assertRaisesRegex(BufferError, "stream"):
            image.__dlpack__(stream=0)
        with self.assertRaisesRegex(BufferError, "copy"):
            image.__dlpack__(copy=True)
        with self.assertRaisesRegex(BufferError, "dl_device"):
            image.__dlpack__(dl_device=(2, 77))
        with self.assertRaisesRegex(BufferError, "copy"):
            image.__dlpack__(dl_device=(1, 0), copy=False)

    def test_dlpack_to_the_host(self):
        image = smooth(make_image(itk.Image[itk.F, 2]))

        class OnHost(OnlyDLPack):
            def __dlpack__(self, **options):
                return self.image.__dlpack__(dl_device=(1, 0))

            def __dlpack_device__(self):
                return (1, 0)

        array = np.from_dlpack(OnHost(image))
        np.testing.assert_array_equal(array, itk.array_from_image(image))
        expected = array.copy()
        del image
        gc.collect()
        np.testing.assert_array_equal(array, expected)

    def test_dlpack_device_is_that_of_the_capsule(self):
        for device in range(itk.CudaInterface.GetNumberOfDevices()):
            settings = itk.CudaInterface.New()
            settings.SetDeviceNumber(device)
            filter = itk.CudaDiscreteGaussianImageFilter.New(
                make_image(itk.Image[itk.F, 2]), variance=2.0, cuda_interface=settings
            )
            image = filter.GetOutput()
            where = image.__dlpack_device__()
            taken = TakenTensor(image.__dlpack__())
            self.assertEqual(where, (2, device))
            self.assertEqual((taken.tensor.device_type, taken.tensor.device), where)


@needs_device
class FromArrays(unittest.TestCase):
    def setUp(self):
        self.memory = make_memory()

    def test_for_all_types(self):
        for key in SMOOTHED_TYPES:
            with self.subTest(types=key):
                array = make_array(np.dtype(key[0].dtype), key[1])
                source = DeviceArray(self.memory, array)
                before = get_copies()
                image = itk.cuda_image_from_array(source)
                result = smooth(image)
                self.assertEqual(get_copies(), before)
                self.assertEqual(image.__cuda_array_interface__["data"][0], source.pointer)
                np.testing.assert_array_equal(
                    itk.array_from_image(result), itk.cuda_discrete_gaussian_image_filter(array, variance=2.0)
                )
                np.testing.assert_array_equal(itk.array_from_image(image), array)

    def test_streams_strides_and_flags(self):
        array = make_array(np.dtype(np.float32), 2)
        for changes in (
            {"stream": None},
            {"stream": 1},
            {"stream": 2},
            {"stream": itk.CudaSharedPixels.GetStream(0)},
            {"strides": None},
            {"strides": array.strides},
            {"version": 2},
            {"version": 2, "strides": array.strides},
        ):
            with self.subTest(changes=changes):
                image = itk.cuda_image_from_array(DeviceArray(self.memory, array, **changes))
                np.testing.assert_array_equal(itk.array_from_image(image), array)

    def test_strides_of_axes_of_one_element_do_not_count(self):
        array = make_array(np.dtype(np.float32), 2)[:1]
        image = itk.cuda_image_from_array(DeviceArray(self.memory, array, strides=(12345, 4)))
        np.testing.assert_array_equal(itk.array_from_image(image), array)

    def test_written_by_its_owner(self):
        array = make_array(np.dtype(np.float32), 2)
        source = DeviceArray(self.memory, array)
        image = itk.cuda_image_from_array(source)
        np.testing.assert_array_equal(itk.array_from_image(image), array)
        filter = itk.CudaDiscreteGaussianImageFilter.New(image, variance=2.0)
        filter.Update()
        self.memory.write(source.pointer, (array + 1).tobytes())
        image.SetDeviceModified()
        np.testing.assert_array_equal(itk.array_from_image(image), array + 1)
        filter.Update()
        expected = itk.cuda_discrete_gaussian_image_filter(array + 1, variance=2.0)
        np.testing.assert_array_equal(itk.array_from_image(filter), expected)

    def test_read_only_array_is_never_written(self):
        array = make_array(np.dtype(np.float32), 2)
        source = DeviceArray(self.memory, array)
        source.interface["data"] = (source.pointer, True)
        image = itk.cuda_image_from_array(source)
        image.FillBuffer(1.0)
        self.assertEqual(itk.array_from_image(smooth(image)).max(), 1.0)
        data = self.memory.read(source.pointer, array.nbytes)
        np.testing.assert_array_equal(np.frombuffer(data, np.float32).reshape(array.shape), array)

    def test_owner_lives_as_long_as_the_image(self):
        gc.collect()
        freed = DeviceArray.freed
        image = itk.cuda_image_from_array(DeviceArray(self.memory, make_array(np.dtype(np.float32), 2)))
        filter = itk.CudaDiscreteGaussianImageFilter.New(image, variance=2.0)
        del image
        filter.Update()
        gc.collect()
        self.assertEqual(DeviceArray.freed, freed)
        del filter
        gc.collect()
        self.assertEqual(DeviceArray.freed, freed + 1)

    def test_dlpack(self):
        for key in SMOOTHED_TYPES:
            with self.subTest(types=key):
                lender = smooth(make_image(itk.Image[key]))
                image = itk.cuda_image_from_array(OnlyDLPack(lender))
                self.assertEqual(image.__cuda_array_interface__["data"], lender.__cuda_array_interface__["data"])
                expected = itk.array_from_image(lender)
                del lender
                np.testing.assert_array_equal(itk.array_from_image(image), expected)

    def test_no_leak(self):
        gc.collect()
        before, freed = itk.CudaInterface.GetDeviceBytesInUse(), DeviceArray.freed
        array = make_array(np.dtype(np.float32), 2)
        for _ in range(200):
            image = smooth(itk.cuda_image_from_array(DeviceArray(self.memory, array)))
            other = itk.cuda_image_from_array(OnlyDLPack(image))
            TakenTensor(other.__dlpack__())
            to_numpy(self.memory, other.__cuda_array_interface__)
        del image, other
        gc.collect()
        self.assertEqual(DeviceArray.freed, freed + 200)
        self.assertEqual(itk.CudaInterface.GetDeviceBytesInUse(), before)

    def test_capsule_is_used_once(self):
        capsule = smooth(make_image(itk.Image[itk.F, 2])).__dlpack__()

        class Same(OnlyDLPack):
            def __dlpack__(self, stream=None):
                return capsule

        lender = Same(smooth(make_image(itk.Image[itk.F, 2])))
        itk.cuda_image_from_array(lender)
        with self.assertRaisesRegex(ValueError, "array: .*used already"):
            itk.cuda_image_from_array(lender)

    def test_refused(self):
        array = make_array(np.dtype(np.float32), 2)
        for changes, error, words in (
            ({"typestr": "<f2"}, TypeError, "float16.*float32"),
            ({"typestr": "<c8"}, TypeError, "complex64"),
            ({"shape": (array.size,)}, ValueError, "1 dimensions"),
            ({"shape": (1, 1, *array.shape)}, ValueError, "4 dimensions"),
            ({"shape": (0, 5)}, ValueError, "empty"),
            ({"strides": (4, 4 * array.shape[0])}, ValueError, "C order"),
            ({"strides": (8 * array.shape[1], 8)}, ValueError, "C order"),
            ({"strides": (4,)}, ValueError, "C order"),
            ({"mask": object()}, TypeError, "mask"),
            ({"typestr": "no such"}, TypeError, "__cuda_array_interface__"),
            ({"data": None}, TypeError, "__cuda_array_interface__"),
            ({"stream": 0}, ValueError, "stream"),
            ({"data": (array.ctypes.data, False)}, ValueError, "not in a CUDA device"),
        ):
            with self.subTest(changes=changes):
                with self.assertRaisesRegex(error, f"array: .*{words}"):
                    itk.cuda_image_from_array(DeviceArray(self.memory, array, **changes))


class OnTheHost(unittest.TestCase):
    def test_refused(self):
        for array in (None, [[1.0, 2.0]], "array", 3):
            with self.assertRaisesRegex(TypeError, "array: .*__cuda_array_interface__"):
                itk.cuda_image_from_array(array)
        with self.assertRaisesRegex(TypeError, "image_view_from_array"):
            itk.cuda_image_from_array(np.zeros((3, 3), np.float32))
        with self.assertRaises(TypeError):
            itk.cuda_image_from_array()

    @unittest.skipUnless(WHY_NO_DEVICE, "there is a device")
    def test_images_are_arrays_of_the_host(self):
        image = smooth(make_image(itk.Image[itk.F, 2]))
        self.assertFalse(hasattr(image, "__cuda_array_interface__"))
        self.assertEqual(image.__dlpack_device__(), (1, 0))
        array = np.from_dlpack(image)
        np.testing.assert_array_equal(array, itk.array_from_image(image))
        with self.assertRaisesRegex(BufferError, "stream"):
            image.__dlpack__(stream=1)


if __name__ == "__main__":
    unittest.main()
