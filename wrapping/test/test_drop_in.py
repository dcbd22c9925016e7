# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""ITK's own functions, with the CUDA filters behind them."""

import unittest

import itk
import numpy as np
from support import WHY_NO_DEVICE, make_image, needs_device


class DropIns(unittest.TestCase):
    image = make_image(itk.Image[itk.F, 2])

    def setUp(self):
        self.settings = itk.CudaInterface.GetDefault()
        self.backend = self.settings.GetBackend()

    def tearDown(self):
        self.settings.SetBackend(self.backend)
        itk.cuda_filters_unregister()

    def smooth(self):
        """By ITK's function; and the number of copies to a device meanwhile."""
        before = itk.CudaInterface.GetCopyCounters().uploads
        array = itk.array_from_image(itk.discrete_gaussian_image_filter(self.image, variance=2.0))
        return array, itk.CudaInterface.GetCopyCounters().uploads - before

    @needs_device
    def test_function_runs_on_the_device(self):
        expected, uploads = self.smooth()
        self.assertEqual(uploads, 0)
        factory = itk.cuda_filters_register()
        self.assertIn("DiscreteGaussianImageFilter", factory.GetNamesOfFilters())
        self.settings.SetBackend(itk.CudaBackendEnum.CUDA)
        actual, uploads = self.smooth()
        self.assertEqual(uploads, 1)
        np.testing.assert_allclose(actual, expected, atol=1e-5 * np.abs(expected).max())
        factory.SetEnabled("DiscreteGaussianImageFilter", False)
        self.assertEqual(self.smooth()[1], 0)
        factory.SetEnabled("DiscreteGaussianImageFilter", True)
        itk.cuda_filters_unregister()
        self.assertEqual(self.smooth()[1], 0)

    @needs_device
    def test_small_images_stay_on_the_cpu(self):
        factory = itk.cuda_filters_register()
        usual = factory.GetMinimumNumberOfPixels("DiscreteGaussianImageFilter")
        self.assertEqual(self.smooth()[1], 0)
        factory.SetMinimumNumberOfPixels("DiscreteGaussianImageFilter", 1)
        self.assertEqual(self.smooth()[1], 1)
        factory.SetMinimumNumberOfPixels("DiscreteGaussianImageFilter", usual)

    @needs_device
    def test_pipeline_of_itks_filters(self):
        itk.cuda_filters_register()
        self.settings.SetBackend(itk.CudaBackendEnum.CUDA)
        image = make_image(itk.Image[itk.SS, 3])
        median = itk.MedianImageFilter.New(image, radius=1)
        maxima = itk.HMaximaImageFilter.New(median, height=10)
        distances = itk.SignedMaurerDistanceMapImageFilter.New(maxima)
        before = itk.CudaInterface.GetCopyCounters().uploads
        distances.Update()
        self.assertEqual(itk.CudaInterface.GetCopyCounters().uploads - before, 1)
        views = [itk.array_from_image(filter.GetOutput()) for filter in (median, maxima, distances)]
        itk.cuda_filters_unregister()
        expected = itk.median_image_filter(image, radius=1)
        np.testing.assert_array_equal(views[0], itk.array_from_image(expected))
        expected = itk.h_maxima_image_filter(expected, height=10)
        np.testing.assert_array_equal(views[1], itk.array_from_image(expected))
        expected = itk.signed_maurer_distance_map_image_filter(expected)
        np.testing.assert_array_equal(views[2], itk.array_from_image(expected))

    def test_without_a_device(self):
        if not WHY_NO_DEVICE:
            self.skipTest("there is a device")
        expected, _ = self.smooth()
        itk.cuda_filters_register()
        np.testing.assert_array_equal(self.smooth()[0], expected)


if __name__ == "__main__":
    unittest.main()
