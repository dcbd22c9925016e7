# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The filters from Python: the same results as ITK's, in all ways of calling them."""

import os
import pydoc
import subprocess
import tempfile
import threading
import unittest

import itk
import numpy as np

from support import FILTERS, WHY_NO_DEVICE, get_dtype, make_array, make_image


def make_mask(array, image_type):
    """An image of one slice or plane."""
    dimension = itk.template(image_type)[1][1]
    return itk.image_from_array(array.astype(get_dtype(image_type)).reshape((1,) * (dimension - 2) + array.shape))


class Results(unittest.TestCase):
    def assert_equal(self, row, expected, actual):
        if actual.dtype.kind == "f" and row.tolerance > 0:
            limit = row.tolerance * np.abs(expected).max()
            self.assertLessEqual(np.abs(expected.astype(float) - actual).max(), limit)
        else:
            np.testing.assert_array_equal(expected, actual)

    def test_equal_itk_for_all_types(self):
        for row in FILTERS:
            self.assertGreater(len(row.cuda.keys()), 0)
            for key in row.cuda.keys():
                with self.subTest(filter=row.name, types=key):
                    image = make_image(key[0])
                    cuda = row.make(row.cuda, key, image)
                    cpu = row.make(row.cpu, key, image)
                    cuda.Update()
                    cpu.Update()
                    self.assertEqual(cuda.GetExecutedOnDevice(), not WHY_NO_DEVICE, cuda.GetExecutedOn())
                    self.assert_equal(row, itk.array_from_image(cpu), itk.array_from_image(cuda))

    def test_are_there_for_the_types_of_the_itk_filter(self):
        for row in FILTERS:
            with self.subTest(filter=row.name):
                if row.has_all_types:
                    self.assertLessEqual(set(row.cpu.keys()), set(row.cuda.keys()))
                self.assertEqual(
                    {key[0] for key in row.cuda.keys() if itk.template(key[0])[1][1] in (2, 3)},
                    {key[0] for key in row.cuda.keys()},
                )

    def test_canny_equals_the_filter_that_itk_wraps(self):
        for key in itk.CannyEdgeDetectionImageFilter.keys():
            with self.subTest(types=key):
                image = make_image(key[0])
                parameters = dict(variance=2.0, upper_threshold=7.0, lower_threshold=4.0)
                expected = itk.canny_edge_detection_image_filter(image, **parameters)
                actual = itk.cuda_canny_edge_detection_image_filter(image, **parameters)
                np.testing.assert_array_equal(itk.array_from_image(expected), itk.array_from_image(actual))
                self.assertGreater(itk.array_from_image(actual).sum(), 0)

    def test_statistics(self):
        for (image_type,) in itk.CudaStatisticsImageFilter.keys():
            with self.subTest(type=image_type):
                image = make_image(image_type)
                statistics = itk.CudaStatisticsImageFilter.New(image)
                statistics.Update()
                self.assertEqual(statistics.GetExecutedOnDevice(), not WHY_NO_DEVICE, statistics.GetExecutedOn())
                array = itk.array_from_image(image).astype(float)
                self.assertEqual((statistics.GetMinimum(), statistics.GetMaximum()), (array.min(), array.max()))
                self.assertAlmostEqual(statistics.GetMean(), array.mean(), places=9)
                self.assertAlmostEqual(statistics.GetSigma(), array.std(ddof=1), places=9)
        self.assertGreater(len(itk.CudaStatisticsImageFilter.keys()), 0)

    def test_nearest_objects(self):
        labels = np.zeros((29, 37), np.uint8)
        points = np.random.default_rng(3).integers(0, labels.shape, (12, 2))
        labels[tuple(points.T)] = np.arange(1, 13)
        objects = np.argwhere(labels)  # in the order of the image
        grid = np.indices(labels.shape).reshape(2, 1, -1)
        squares = ((grid - objects.T[:, :, None]) ** 2).sum(axis=0)
        distance, cells = itk.cuda_danielsson_distance_map_image_filter(
            itk.image_from_array(labels), ttype=(itk.Image[itk.UC, 2], itk.Image[itk.F, 2]), squared_distance=True
        )
        if not WHY_NO_DEVICE:  # ITK's filter is not exact, and takes other ones of several nearest objects
            np.testing.assert_array_equal(itk.array_from_image(distance).ravel(), squares.min(axis=0))
            nearest = objects[squares.argmin(axis=0)]
            np.testing.assert_array_equal(itk.array_from_image(cells).ravel(), labels[tuple(nearest.T)])
        self.assertEqual(set(np.unique(itk.array_from_image(cells))), set(np.unique(labels)) - {0})

    def test_signed_distances_and_labels(self):
        labels = np.zeros((23, 31), np.uint8)
        labels[5:15, 8:20] = 7
        types = (itk.Image[itk.UC, 2], itk.Image[itk.F, 2])
        distance, cells = itk.cuda_signed_danielsson_distance_map_image_filter(
            itk.image_from_array(labels), ttype=types, inside_is_positive=True
        )
        distance = itk.array_from_image(distance)
        self.assertEqual(distance[10, 14], 4.0)
        self.assertEqual(distance[5, 8], 0.0)
        self.assertEqual(distance[10, 2], -6.0)
        self.assertTrue((itk.array_from_image(cells) == 7).all())

    def test_wavefronts(self):
        mask = np.zeros((40, 50), np.uint8)
        mask[17, 31] = 1
        strategies = itk.CudaDistanceStrategyEnum
        expected = itk.cuda_signed_maurer_distance_map_image_filter(mask)
        for strategy in (strategies.Wavefront, strategies.FullWavefront):
            actual = itk.cuda_signed_maurer_distance_map_image_filter(mask, strategy=strategy)
            np.testing.assert_array_equal(expected, actual)
            measure = itk.CudaSignedMaurerDistanceMapImageFilter[itk.Image[itk.UC, 2], itk.Image[itk.F, 2]].New()
            measure.SetStrategy(strategy)
            self.assertEqual(measure.GetStrategy(), strategy)

    def test_hausdorff_distances(self):
        generator = np.random.default_rng(5)
        masks = [(generator.random((21, 17)) > 0.98).astype(np.uint8) for _ in range(2)]
        objects = [np.argwhere(mask) for mask in masks]
        distances = np.sqrt(((objects[0][:, None] - objects[1][None]) ** 2).sum(axis=2))
        there, back = distances.min(axis=1), distances.min(axis=0)
        for template in (itk.CudaHausdorffDistanceImageFilter, itk.CudaDirectedHausdorffDistanceImageFilter):
            self.assertGreater(len(template.keys()), 0)
            is_directed = "Directed" in template.__name__
            prefix = "Directed" if is_directed else ""
            for key in template.keys():
                with self.subTest(filter=template.__name__, types=key):
                    images = [make_mask(mask, image_type) for mask, image_type in zip(masks, key)]
                    measure = template[key].New(Input1=images[0], Input2=images[1])
                    measure.Update()
                    self.assertEqual(measure.GetExecutedOnDevice(), not WHY_NO_DEVICE, measure.GetExecutedOn())
                    largest = there.max() if is_directed else max(there.max(), back.max())
                    average = there.mean() if is_directed else (there.mean() + back.mean()) / 2
                    self.assertAlmostEqual(getattr(measure, f"Get{prefix}HausdorffDistance")(), largest, places=5)
                    self.assertAlmostEqual(measure.GetAverageHausdorffDistance(), average, places=5)
        measure = itk.CudaHausdorffDistanceImageFilter.New(Input1=make_mask(masks[0], itk.Image[itk.UC, 2]))
        self.assertEqual(itk.template(measure)[1], (itk.Image[itk.UC, 2], itk.Image[itk.UC, 2]))

    def test_components_of_masks(self):
        generator = np.random.default_rng(3)
        for shape in ((43, 71), (9, 21, 33)):
            mask = (generator.random(shape) > 0.7).astype(np.uint8)
            for fully_connected in (False, True):
                with self.subTest(shape=shape, fully_connected=fully_connected):
                    options = dict(fully_connected=fully_connected)
                    expected = itk.connected_component_image_filter(mask, **options)
                    actual = itk.cuda_connected_component_image_filter(mask, **options)
                    np.testing.assert_array_equal(expected, actual)

    def test_areas_of_equal_value(self):
        classes = np.random.default_rng(4).integers(0, 3, (43, 71)).astype(np.uint8)
        expected = itk.scalar_connected_component_image_filter(classes)
        components = itk.CudaScalarConnectedComponentImageFilter.New(itk.image_from_array(classes))
        components.Update()
        np.testing.assert_array_equal(expected, itk.array_from_image(components.GetOutput()))
        self.assertEqual(components.GetObjectCount(), len(np.unique(expected)))

    def test_components_in_blocks(self):
        mask = (np.random.default_rng(5).random((9, 21, 33)) > 0.7).astype(np.uint8)
        components = itk.CudaStreamingConnectedComponentImageFilter.New(itk.image_from_array(mask), NumberOfBlocks=4)
        components.Update()
        expected = itk.connected_component_image_filter(mask)
        np.testing.assert_array_equal(expected, itk.array_from_image(components.GetOutput()))
        self.assertEqual(components.GetObjectCount(), expected.max())

    def test_labels_stay_on_the_device(self):
        if WHY_NO_DEVICE:
            self.skipTest("needs a device")
        mask = itk.image_from_array(np.eye(20, dtype=np.uint8))
        labels = itk.cuda_connected_component_image_filter(mask, ttype=(type(mask), itk.Image[itk.UL, 2]))
        before = itk.CudaInterface.GetCopyCounters().downloads
        sorted_labels = itk.cuda_relabel_component_image_filter(
            labels, ttype=(itk.Image[itk.UL, 2], itk.Image[itk.US, 2])
        )
        self.assertEqual(itk.CudaInterface.GetCopyCounters().downloads, before)
        self.assertEqual(itk.array_from_image(sorted_labels).max(), 20)
        self.assertEqual(labels.__cuda_array_interface__["typestr"], "<u8")

    def test_measurements(self):
        generator = np.random.default_rng(4)
        labels = generator.integers(0, 6, (23, 31)).astype(np.uint16)
        intensities = generator.normal(0, 100, labels.shape).astype(np.float32)
        for prefix in ("", "Cuda"):
            with self.subTest(prefix=prefix):
                template = getattr(itk, f"{prefix}LabelMeasurementImageFilter")
                measure = template[itk.Image[itk.US, 2], itk.Image[itk.F, 2]].New()
                measure.SetInput(itk.image_from_array(labels))
                measure.SetIntensityImage(itk.image_from_array(intensities))
                measure.Update()
                table = measure.GetTable()
                self.assertEqual(len(table), 5)
                columns = dict(table)
                np.testing.assert_array_equal(columns["Label"], [1, 2, 3, 4, 5])
                for row, label in enumerate(range(1, 6)):
                    y, x = np.nonzero(labels == label)
                    values = intensities[labels == label]
                    self.assertEqual(columns["NumberOfPixels"][row], len(x))
                    self.assertEqual(columns["BoundingBoxStartX"][row], x.min())
                    self.assertEqual(columns["BoundingBoxSizeY"][row], y.max() - y.min() + 1)
                    self.assertAlmostEqual(columns["CentroidX"][row], x.mean())
                    moments = np.linalg.eigvalsh(np.cov(x, y, bias=True))
                    self.assertAlmostEqual(columns["PrincipalMoment1"][row], moments[0])
                    self.assertAlmostEqual(columns["PrincipalMoment2"][row], moments[1])
                    self.assertEqual(columns["Minimum"][row], values.min())
                    self.assertEqual(columns["Maximum"][row], values.max())
                    self.assertAlmostEqual(columns["Mean"][row], values.astype(float).mean())
                with self.assertRaises(KeyError):
                    table["Colour"]
                with tempfile.TemporaryDirectory() as folder:
                    table.WriteCSV(os.path.join(folder, "objects.csv"))
                    written = np.genfromtxt(os.path.join(folder, "objects.csv"), delimiter=",", names=True)
                    np.testing.assert_array_equal(written["Mean"], columns["Mean"])

    def test_balls(self):
        mask = np.zeros((25, 31), np.uint8)
        mask[12, 15] = 1
        grown = itk.cuda_binary_ball_dilate_image_filter(mask, radius=4.0, foreground_value=1)
        y, x = np.indices(mask.shape)
        np.testing.assert_array_equal(grown, ((y - 12) ** 2 + (x - 15) ** 2 <= 16).astype(np.uint8))
        shrunk = itk.cuda_binary_ball_erode_image_filter(grown, radius=4.0, foreground_value=1, background_value=0)
        np.testing.assert_array_equal(shrunk, mask)

    def test_equal_the_program(self):
        program = os.environ.get("CUDAFILTERS_PROGRAM", "")
        if not os.access(program, os.X_OK):
            self.skipTest("CUDAFILTERS_PROGRAM names no program")
        environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        commands = [
            (["gaussian", "--variance", "2"], itk.cuda_discrete_gaussian_image_filter, dict(variance=2.0)),
            (["sobel"], itk.cuda_sobel_edge_detection_image_filter, {}),
            (
                ["canny", "--variance", "2", "--upper", "7", "--lower", "4"],
                itk.cuda_canny_edge_detection_image_filter,
                dict(variance=2.0, upper_threshold=7.0, lower_threshold=4.0),
            ),
        ]
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "in.mha"), os.path.join(folder, "out.mha")
            for dimension in (2, 3):
                image = make_image(itk.Image[itk.F, dimension])
                itk.imwrite(image, source)
                for arguments, function, parameters in commands:
                    with self.subTest(command=arguments, dimension=dimension):
                        subprocess.run(
                            [program, arguments[0], source, target, *arguments[1:]],
                            check=True,
                            env=environment,
                            stdout=subprocess.DEVNULL,
                        )
                        expected = itk.array_from_image(itk.imread(target, itk.F))
                        actual = itk.array_from_image(function(image, **parameters))
                        if arguments[0] == "canny":
                            expected = expected > 0
                            actual = actual > 0
                        np.testing.assert_allclose(actual, expected, atol=1e-4)


class Ways(unittest.TestCase):
    """Of calling the filters."""

    image = make_image(itk.Image[itk.F, 2])

    def test_function_with_keywords(self):
        result = itk.cuda_discrete_gaussian_image_filter(self.image, variance=3.0, exact_mode=True)
        expected = itk.discrete_gaussian_image_filter(self.image, variance=3.0)
        np.testing.assert_array_equal(itk.array_from_image(result), itk.array_from_image(expected))

    def test_array_in_array_out(self):
        for image_type, _ in itk.CudaDiscreteGaussianImageFilter.keys():
            array = make_array(get_dtype(image_type), itk.template(image_type)[1][1])
            result = itk.cuda_discrete_gaussian_image_filter(array, variance=2.0)
            self.assertIsInstance(result, np.ndarray)
            self.assertEqual(result.dtype, array.dtype)
            self.assertEqual(result.shape, array.shape)

    def test_parents_methods(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(self.image)
        filter.SetVariance([1.0, 2.0])
        filter.SetMaximumKernelWidth(21)
        filter.SetUseImageSpacing(False)
        self.assertEqual(list(filter.GetVariance()), [1.0, 2.0])
        self.assertEqual(filter.GetMaximumKernelWidth(), 21)
        filter.SetExactMode(True)
        filter.Update()
        self.assertEqual(filter.GetNumberOfTiles(), 0 if WHY_NO_DEVICE else 1)
        self.assertIn("CudaDiscreteGaussianImageFilter", str(filter))

    def test_sobel_with_direction(self):
        filter = itk.CudaSobelEdgeDetectionImageFilter.New(self.image, compute_direction=True)
        filter.Update()
        angles = itk.array_from_image(filter.GetDirectionOutput())
        self.assertEqual(angles.shape, itk.array_from_image(self.image).shape)
        self.assertLessEqual(np.abs(angles).max(), np.float32(np.pi))
        filter.Modified()
        filter.Update()
        self.assertEqual(filter.GetDirectionOutput().GetPixel([3, 5]), angles[5, 3])
        magnitude, direction = itk.cuda_sobel_edge_detection_image_filter(self.image, compute_direction=True)
        np.testing.assert_array_equal(itk.array_from_image(direction), angles)
        self.assertGreater(itk.array_from_image(magnitude).max(), 0)

    def test_pipeline_with_itk_filters(self):
        first = itk.CudaDiscreteGaussianImageFilter.New(self.image, variance=2.0, exact_mode=True)
        median = itk.MedianImageFilter.New(first, radius=1)
        last = itk.CudaSobelEdgeDetectionImageFilter.New(median, exact_mode=True)
        last.Update()
        expected = itk.discrete_gaussian_image_filter(self.image, variance=2.0)
        expected = itk.sobel_edge_detection_image_filter(itk.median_image_filter(expected, radius=1))
        np.testing.assert_array_equal(itk.array_from_image(last), itk.array_from_image(expected))
        np.testing.assert_array_equal(
            itk.array_from_image(itk.median_image_filter(first.GetOutput(), radius=1)),
            itk.array_from_image(median),
        )

    def test_output_is_an_image_as_any_other(self):
        result = itk.cuda_discrete_gaussian_image_filter(self.image, variance=2.0)
        self.assertIsInstance(result, itk.Image[itk.F, 2])
        self.assertIs(type(result), itk.CudaBackedImage[itk.F, 2])
        self.assertEqual(itk.template(result), itk.template(self.image))
        array = itk.array_from_image(result)
        self.assertEqual(result.GetPixel([3, 5]), array[5, 3])
        result.SetPixel([3, 5], 42.0)
        self.assertEqual(itk.array_view_from_image(result)[5, 3], 42.0)
        self.assertEqual(result[5, 3], 42.0)
        with tempfile.TemporaryDirectory() as folder:
            itk.imwrite(result, os.path.join(folder, "result.mha"))
            again = itk.imread(os.path.join(folder, "result.mha"), itk.F)
        np.testing.assert_array_equal(itk.array_from_image(again), itk.array_from_image(result))

    def test_pixels_of_a_result_as_a_filter_gives_them(self):
        result = itk.cuda_discrete_gaussian_image_filter(self.image, variance=2.0)
        median = itk.MedianImageFilter.New(result, radius=1)
        pixel = median.GetInput().GetPixel([3, 5])
        self.assertEqual(pixel, itk.array_from_image(result)[5, 3])
        self.assertEqual(self.image.GetPixel([3, 5]), itk.array_from_image(self.image)[5, 3])

    def test_written_through_a_view(self):
        image = itk.cuda_discrete_gaussian_image_filter(self.image, variance=2.0)
        view = itk.array_view_from_image(image)
        for value in (1.0, 2.0):
            view[:] = value
            image.Modified()
            result = itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)
            np.testing.assert_allclose(itk.array_from_image(result), value, rtol=1e-6)

    def test_progress(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(self.image, variance=2.0)
        seen = []
        filter.AddObserver(itk.ProgressEvent(), lambda: seen.append(filter.GetProgress()))
        filter.Update()
        filter.RemoveAllObservers()  # which have the filter
        self.assertEqual(seen, sorted(seen))
        self.assertTrue(WHY_NO_DEVICE or seen[-1] == 1.0)

    def test_interface(self):
        interface = itk.CudaInterface.New()
        interface.SetMemoryBudget(1 << 20)
        interface.SetTiming(True)
        filter = itk.CudaDiscreteGaussianImageFilter.New(self.image, cuda_interface=interface, variance=2.0)
        filter.Update()
        self.assertEqual(filter.GetCudaInterface(), interface)
        stages = filter.GetStageTimes()
        self.assertEqual(bool(stages), not WHY_NO_DEVICE)
        for name, milliseconds in stages:
            self.assertIsInstance(name, str)
            self.assertGreaterEqual(milliseconds, 0.0)

        interface.SetBackend(itk.CudaBackendEnum.CPU)
        filter.Modified()
        filter.Update()
        self.assertFalse(filter.GetExecutedOnDevice())
        self.assertEqual(interface.GetDeviceNumber(), 0)
        self.assertEqual(list(interface.GetDeviceNumbers()), [0])
        interface.SetBlockSize(itk.CudaKernelFamilyEnum.Stencil, 128)
        self.assertEqual(interface.GetBlockSize(itk.CudaKernelFamilyEnum.Stencil), 128)
        self.assertEqual(itk.CudaInterface.GetNumberOfDevices() > 0, not WHY_NO_DEVICE)

    def test_edge_quality(self):
        edges = itk.cuda_canny_edge_detection_image_filter(
            self.image, variance=2.0, upper_threshold=7.0, lower_threshold=4.0
        )
        quality = itk.EdgeQualityCalculator[itk.Image[itk.F, 2], itk.Image[itk.F, 2]].New()
        quality.SetReferenceImage(edges)
        quality.SetImage(edges)
        quality.Compute()
        self.assertEqual(quality.GetCorrectFraction(), 1.0)
        self.assertEqual(quality.GetFalseAlarmFraction(), 0.0)

    def test_help_is_worth_reading(self):
        for row in FILTERS:
            with self.subTest(filter=row.name):
                text = pydoc.render_doc(row.snake_case)
                self.assertIn("CUDA", text)
                self.assertGreater(len(row.snake_case.__doc__), 200)
                for parameter in row.parameters:
                    self.assertIn(parameter.lower(), text.replace("_", "").lower())


class Copies(unittest.TestCase):
    def count(self, function):
        before = itk.CudaInterface.GetCopyCounters()
        result = function()
        after = itk.CudaInterface.GetCopyCounters()
        return result, (after.uploads - before.uploads, after.downloads - before.downloads)

    def expect(self, function, uploads, downloads):
        result, copies = self.count(function)
        self.assertEqual(copies, (0, 0) if WHY_NO_DEVICE else (uploads, downloads))
        return result

    def test_pipeline_of_three(self):
        array = make_array(np.dtype(np.float32), 2)

        def run():
            first = itk.CudaDiscreteGaussianImageFilter.New(itk.image_view_from_array(array), variance=2.0)
            second = itk.CudaDiscreteGaussianImageFilter.New(first, variance=1.0)
            third = itk.CudaSobelEdgeDetectionImageFilter.New(second)
            third.Update()
            return itk.array_view_from_image(third)

        self.expect(run, 1, 1)

    def test_three_functions(self):
        image = itk.image_from_array(make_array(np.dtype(np.float32), 3))

        def run():
            smooth = itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)
            smoother = itk.cuda_discrete_gaussian_image_filter(smooth, variance=1.0)
            return itk.cuda_sobel_edge_detection_image_filter(smoother)

        result = self.expect(run, 1, 0)
        view = self.expect(lambda: itk.array_view_from_image(result), 0, 1)
        again = self.expect(lambda: itk.array_view_from_image(result), 0, 0)
        np.testing.assert_array_equal(view, again)

    def test_array_to_array(self):
        array = make_array(np.dtype(np.float32), 2)
        self.expect(lambda: itk.cuda_discrete_gaussian_image_filter(array, variance=2.0), 1, 1)


class Lifetimes(unittest.TestCase):
    def test_image_outlives_filter(self):
        filter = itk.CudaDiscreteGaussianImageFilter.New(make_image(itk.Image[itk.F, 2]), variance=2.0)
        filter.Update()
        image = filter.GetOutput()
        expected = itk.array_from_image(image)
        del filter
        np.testing.assert_array_equal(itk.array_from_image(image), expected)
        self.assertEqual(image.GetReferenceCount(), 1)

    def test_array_outlives_image(self):
        image = itk.cuda_discrete_gaussian_image_filter(make_image(itk.Image[itk.F, 2]), variance=2.0)
        expected = itk.array_from_image(image)
        view = itk.array_view_from_image(image)
        del image
        # What would take the memory if it were free.
        others = [
            itk.cuda_discrete_gaussian_image_filter(make_image(itk.Image[itk.F, 2], seed), variance=9.0)
            for seed in range(4)
        ]
        [itk.array_from_image(other) for other in others]
        np.testing.assert_array_equal(view, expected)

    def test_image_outlives_array(self):
        array = make_array(np.dtype(np.float32), 2)
        image = itk.image_view_from_array(array)
        expected = itk.cuda_discrete_gaussian_image_filter(array.copy(), variance=2.0)
        del array
        np.testing.assert_array_equal(itk.cuda_discrete_gaussian_image_filter(image, variance=2.0), expected)

    def test_memory_stays_flat(self):
        def get_resident_bytes():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        array = np.random.default_rng(1).random((12, 14), dtype=np.float32)
        image = itk.image_from_array(array)

        def run(times):
            for _ in range(times):
                result = itk.cuda_discrete_gaussian_image_filter(image, variance=1.0)
                itk.array_from_image(itk.cuda_sobel_edge_detection_image_filter(result))

        run(500)
        resident, in_use = get_resident_bytes(), itk.CudaInterface.GetDeviceBytesInUse()
        run(10000)
        self.assertLess(get_resident_bytes() - resident, 4 << 20)
        self.assertEqual(itk.CudaInterface.GetDeviceBytesInUse(), in_use)

    def test_two_threads(self):
        images = [make_image(itk.Image[itk.F, 3], seed) for seed in range(2)]
        expected = [
            itk.array_from_image(itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)) for image in images
        ]
        failures = []

        def work(index):
            try:
                for _ in range(50):
                    result = itk.cuda_discrete_gaussian_image_filter(images[index], variance=2.0)
                    np.testing.assert_array_equal(itk.array_from_image(result), expected[index])
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class BadInput(unittest.TestCase):
    def assert_told(self, function, *words):
        with self.assertRaises((RuntimeError, TypeError, ValueError, KeyError, AttributeError)) as caught:
            function()
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_arrays(self):
        function = itk.cuda_discrete_gaussian_image_filter
        supported = "itk.Image[itk.F,2]"
        self.assert_told(lambda: function(np.zeros((4, 4), np.complex64), variance=1.0), "itk.complex[itk.F]")
        self.assert_told(lambda: function(np.zeros((4, 4), np.int64), variance=1.0), "itk.SL")
        self.assert_told(
            lambda: function(np.zeros((2, 2, 2, 2, 2), np.float32), variance=1.0), "itk.Image is not wrapped"
        )
        for image in ([[1.0, 2.0]], None, "image.png", 3):
            self.assert_told(lambda: function(image, variance=1.0), "CudaDiscreteGaussianImageFilter", supported)

    def test_parameters(self):
        image = make_image(itk.Image[itk.F, 2])
        self.assert_told(lambda: itk.cuda_discrete_gaussian_image_filter(image, varience=1.0), "Varience")
        self.assert_told(lambda: itk.cuda_discrete_gaussian_image_filter(image, variance="wide"), "FixedArray")
        self.assert_told(
            lambda: itk.cuda_discrete_gaussian_image_filter(image, maximum_error=2.0), "Maximum Error", "range"
        )
        self.assert_told(lambda: itk.CudaInterface.New().SetDeviceNumber(-1), "-1")
        self.assert_told(lambda: itk.CudaInterface.New().SetBlockSize(itk.CudaKernelFamilyEnum.Stencil, 7), "7", "32")

    def test_without_input(self):
        filter = itk.CudaDiscreteGaussianImageFilter[itk.Image[itk.F, 2], itk.Image[itk.F, 2]].New()
        self.assert_told(filter.Update, "Input Primary is required")

    def test_file(self):
        self.assert_told(lambda: itk.cuda_discrete_gaussian_image_filter(itk.imread("no-such.png")), "no-such.png")

    @unittest.skipUnless(WHY_NO_DEVICE, "there is a device")
    def test_device_wanted_where_there_is_none(self):
        interface = itk.CudaInterface.New()
        interface.SetBackend(itk.CudaBackendEnum.CUDA)
        filter = itk.CudaDiscreteGaussianImageFilter.New(make_image(itk.Image[itk.F, 2]), cuda_interface=interface)
        self.assert_told(filter.Update, WHY_NO_DEVICE)


if __name__ == "__main__":
    unittest.main()
