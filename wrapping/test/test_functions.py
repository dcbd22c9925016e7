# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of pixels as texts."""

import unittest

import itk
import numpy as np

from support import WHY_NO_DEVICE, make_image


class Texts(unittest.TestCase):
    def test_compute_pixels_of_all_types(self):
        for key in itk.CudaTextFunctionImageFilter.keys():
            with self.subTest(types=key):
                image = make_image(key[0])
                result = itk.cuda_pixel_function(image, "x > t ? 255 : 0", output_type=key[1], t=40)
                expected = np.where(itk.array_from_image(image) > 40, 255, 0)
                np.testing.assert_array_equal(itk.array_from_image(result), expected)

    def test_know_parameters_other_images_and_neighbours(self):
        random = np.random.default_rng(2)
        a = random.random((23, 31), np.float32)
        b = random.random((23, 31), np.float32)
        result = itk.cuda_pixel_function(a, "x * factor + y - shift", b, factor=2.5, shift=np.int64(3))
        self.assertIsInstance(result, np.ndarray)
        expected = a.astype(np.float64) * 2.5 + b - 3  # as parameters are double
        np.testing.assert_array_equal(result, expected.astype(np.float32))
        image = itk.image_from_array(a)
        gradient = itk.cuda_pixel_function(image, "n(1, 0) - n(-1, 0)", radius=1)
        np.testing.assert_array_equal(itk.array_from_image(gradient)[:, 1:-1], a[:, 2:] - a[:, :-2])
        mask = itk.cuda_pixel_function(image, "x > 0.5", output_type=np.uint8)
        self.assertEqual(itk.array_from_image(mask).dtype, np.uint8)
        np.testing.assert_array_equal(itk.array_from_image(mask), a > 0.5)

    def test_stay_on_the_device(self):
        image = make_image(itk.Image[itk.F, 2])
        first = itk.cuda_pixel_function(image, "x * 2.0f")
        before = itk.CudaInterface.GetCopyCounters()
        second = itk.cuda_pixel_function(first, "x + 1.0f")
        copies = itk.CudaInterface.GetCopyCounters()
        if not WHY_NO_DEVICE:
            self.assertEqual((copies.uploads, copies.downloads), (before.uploads, before.downloads))
        np.testing.assert_array_equal(itk.array_from_image(second), itk.array_from_image(image) * 2 + 1)

    def test_reduce_images_of_all_types(self):
        self.assertGreater(len(itk.CudaTextReductionFilter.keys()), 0)
        for (image_type,) in itk.CudaTextReductionFilter.keys():
            with self.subTest(type=image_type):
                image = make_image(image_type)
                array = itk.array_from_image(image)
                self.assertEqual(itk.cuda_pixel_reduction(image, "x > t", t=40), (array > 40).sum())
                self.assertEqual(itk.cuda_pixel_reduction(image, "x", "max(a, b)", -np.inf), array.max())
                bins = itk.cuda_pixel_bins(image, "x < low ? -1 : min((x - low) / 16, 9)", 10, low=-5)
                expected = np.minimum((array[array >= -5].astype(float) + 5) // 16, 9).astype(int)
                np.testing.assert_array_equal(bins, np.bincount(expected, minlength=10))
        rows = itk.cuda_pixel_bins(np.arange(12, dtype=np.uint8).reshape(3, 4), "index[1]", 3, weight="x")
        np.testing.assert_array_equal(rows, [6, 22, 38])
        self.assertEqual(rows.dtype, np.int64)
        with self.assertRaisesRegex(RuntimeError, "belongs to bin 7"):
            itk.cuda_pixel_bins(np.zeros((3, 4), np.uint8), "7", 3)

    def test_tell_errors(self):
        image = make_image(itk.Image[itk.F, 2])
        with self.assertRaisesRegex(RuntimeError, "(?s)does not compile.*2: wrongName"):
            itk.cuda_pixel_function(image, "x +\nwrongName")
        with self.assertRaisesRegex(TypeError, "no output of type"):
            itk.cuda_pixel_function(image, "x", output_type="float16")
        with self.assertRaisesRegex(TypeError, "is not a number"):
            itk.cuda_pixel_function(image, "x + t", t="3")
        with self.assertRaisesRegex(RuntimeError, "the name 'x'"):
            itk.cuda_pixel_function(image, "x", **{"x": 3})


if __name__ == "__main__":
    unittest.main()
