# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Results of CUDA filters in the hands of ITK's own classes and of Python's libraries."""

import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import unittest

import itk
import numpy as np

from support import WHY_NO_DEVICE, make_array, make_image


def smooth(image, variance=2.0):
    return itk.cuda_discrete_gaussian_image_filter(image, variance=variance)


def smooth_on_cpu(image, variance=2.0):
    return itk.discrete_gaussian_image_filter(image, variance=variance)


def smooth_in_child(array):
    """In a process that was forked from one that has used the device."""
    image = itk.image_from_array(array)
    filter = itk.CudaDiscreteGaussianImageFilter.New(image, variance=2.0)
    filter.SetNumberOfWorkUnits(1)
    filter.Update()
    return filter.GetExecutedOn(), itk.array_from_image(filter)


class OwnClasses(unittest.TestCase):
    """ITK's classes read pixels by methods that are not virtual: a result of ours must have them on the host then."""

    def setUp(self):
        self.image = make_image(itk.Image[itk.F, 2])
        self.expected = itk.array_from_image(smooth_on_cpu(self.image))

    @unittest.skipUnless(hasattr(itk, "LinearInterpolateImageFunction"), "ITK was built without interpolators")
    def test_interpolator(self):
        interpolator = itk.LinearInterpolateImageFunction[itk.Image[itk.F, 2], itk.D].New()
        interpolator.SetInputImage(smooth(self.image))
        self.assertAlmostEqual(interpolator.EvaluateAtIndex([3, 4]), float(self.expected[4, 3]), places=3)

    def test_statistics_and_duplicator(self):
        duplicator = itk.ImageDuplicator[itk.Image[itk.F, 2]].New()
        duplicator.SetInputImage(smooth(self.image))
        duplicator.Update()
        np.testing.assert_allclose(itk.array_from_image(duplicator.GetOutput()), self.expected, atol=1e-3)

    def test_comparison(self):
        first, second = smooth(self.image), smooth(make_image(itk.Image[itk.F, 2], 1))
        self.assertFalse(np.array_equal(itk.array_from_image(first), itk.array_from_image(second)))

    def test_input_of_a_cpu_filter_and_back(self):
        result = smooth(self.image)
        median = itk.MedianImageFilter.New(result, radius=1)
        median.Update()
        back = median.GetInput()
        np.testing.assert_allclose(itk.array_from_image(back), self.expected, atol=1e-3)
        self.assertAlmostEqual(back.GetPixel([3, 4]), float(self.expected[4, 3]), places=3)

    def test_input_of_a_cuda_filter_and_back(self):
        first = itk.CudaDiscreteGaussianImageFilter.New(self.image, variance=2.0)
        second = itk.CudaDiscreteGaussianImageFilter.New(first, variance=2.0)
        second.Update()
        self.assertAlmostEqual(second.GetInput().GetPixel([3, 4]), float(self.expected[4, 3]), places=3)

    def test_kept_view_shows_the_next_result(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(self.image, variance=2.0)
        filter.Update()
        view = itk.array_view_from_image(filter.GetOutput())
        filter.SetVariance(9.0)
        filter.Update()
        np.testing.assert_allclose(view, itk.array_from_image(smooth_on_cpu(self.image, 9.0)), atol=1e-3)
        view[:] = 5.0
        filter.GetOutput().Modified()
        result = itk.array_from_image(smooth(filter.GetOutput()))
        np.testing.assert_allclose(result, np.full_like(result, 5.0), atol=1e-4)

    @unittest.skipIf(WHY_NO_DEVICE, "needs a device")
    def test_results_stay_on_the_device_between_cuda_filters(self):
        before = itk.CudaInterface.GetCopyCounters()
        result = smooth(smooth(smooth(self.image)))
        after = itk.CudaInterface.GetCopyCounters()
        self.assertEqual((after.uploads - before.uploads, after.downloads - before.downloads), (1, 0))
        del result


class PythonLibraries(unittest.TestCase):
    def check_plain(self, image, original):
        self.assertIs(type(image), itk.Image[itk.F, 2])
        np.testing.assert_array_equal(itk.array_from_image(image), itk.array_from_image(original))
        self.assertEqual(list(image.GetSpacing()), list(original.GetSpacing()))
        self.assertEqual(list(image.GetOrigin()), list(original.GetOrigin()))
        np.testing.assert_array_equal(
            itk.array_from_matrix(image.GetDirection()), itk.array_from_matrix(original.GetDirection())
        )

    def test_pickle_and_copy(self):
        source = make_image(itk.Image[itk.F, 2])
        source.SetSpacing([0.5, 2.0])
        source.SetOrigin([3.0, -4.0])
        source.SetDirection(itk.matrix_from_array(np.array([[0.0, 1.0], [-1.0, 0.0]])))
        result = smooth(source)
        self.check_plain(pickle.loads(pickle.dumps(result)), result)
        self.check_plain(copy.deepcopy(result), result)

    def test_other_processes(self):
        result = smooth(make_image(itk.Image[itk.F, 2]))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            np.testing.assert_array_equal(pool.apply(np.asarray, (result,)), itk.array_from_image(result))

    def test_forked_process(self):
        array = make_array(np.dtype(np.float32), 2)
        expected = itk.array_from_image(smooth(itk.image_from_array(array)))
        with multiprocessing.get_context("fork").Pool(1) as pool:
            executed_on, result = pool.apply_async(smooth_in_child, (array,)).get(60)
        self.assertTrue(executed_on.startswith("CPU"), executed_on)
        if not WHY_NO_DEVICE:
            self.assertIn("fork", executed_on)
        np.testing.assert_allclose(result, expected, atol=1e-3)

    def test_array_keeps_its_memory(self):
        source = make_array(np.dtype(np.float32), 2)
        expected = itk.array_from_image(smooth_on_cpu(itk.image_from_array(source)))
        arrays = [np.asarray(smooth(source)) for _ in range(3)]
        arrays += [np.asarray(smooth(itk.image_from_array(source))) for _ in range(3)]
        arrays += [
            np.asarray(itk.array_view_from_image(smooth(itk.image_from_array(source))))[1:][:-1] for _ in range(3)
        ]
        gc.collect()
        others = [smooth(make_array(np.dtype(np.float32), 2, seed)) for seed in range(20)]
        for array in arrays:
            rows = expected if array.shape == expected.shape else expected[1:-1]
            np.testing.assert_allclose(array, rows, atol=1e-3)
        del others

    def test_callbacks_and_threads(self):
        """A progress callback waits for another thread that reads the same image."""
        image = smooth(make_image(itk.Image[itk.F, 2]))
        itk.array_view_from_image(image)
        seen = []

        def read():
            smooth(image)
            seen.append(itk.array_view_from_image(image).max())

        def wait():
            thread = threading.Thread(target=read)
            thread.start()
            thread.join(20)
            self.assertFalse(thread.is_alive())

        filter = itk.CudaDiscreteGaussianImageFilter.New(image, variance=2.0)
        filter.AddObserver(itk.ProgressEvent(), wait)
        filter.Update()
        self.assertGreater(len(seen), 0)


class Loading(unittest.TestCase):
    def run_python(self, code):
        result = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, env=os.environ, timeout=300
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_module_is_executed_once(self):
        output = self.run_python(
            """
            import itk, sys
            itk.CudaInterface
            first = sys.modules["itk.cuda_arrays"].CudaBackendEnum
            itk.cuda_discrete_gaussian_image_filter
            import itk.cuda_arrays
            print(first is itk.cuda_arrays.CudaBackendEnum, itk.CudaBackendEnum is first)
            """
        )
        self.assertEqual(output.split(), ["True", "True"])

    def test_methods_of_plain_images_are_itks_own(self):
        output = self.run_python(
            """
            import itk
            plain = itk.Image[itk.F, 2]
            before = plain.GetPixel, plain.SetPixel, plain.FillBuffer, plain.GetPixelContainer
            image = itk.image_from_array(__import__("numpy").zeros((9, 9), "float32"))
            itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)
            print(before == (plain.GetPixel, plain.SetPixel, plain.FillBuffer, plain.GetPixelContainer))
            """
        )
        self.assertEqual(output.split(), ["True"])

    def test_first_use_in_several_threads(self):
        output = self.run_python(
            """
            import threading
            import itk
            import numpy as np
            start = threading.Barrier(8)
            results = []
            def work():
                start.wait()
                results.append(itk.cuda_discrete_gaussian_image_filter(np.ones((9, 9), np.float32), variance=2.0))
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(len(results), all(np.allclose(result, 1.0) for result in results))
            """
        )
        self.assertEqual(output.split(), ["8", "True"])


if __name__ == "__main__":
    unittest.main()
