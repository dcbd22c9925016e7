# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share."""

import os
import unittest

import itk
import numpy as np

WHY_NO_DEVICE = itk.CudaInterface.GetDefault().GetWhyNotOnDevice()
if WHY_NO_DEVICE and os.environ.get("CUDAFILTERS_TEST_NEEDS_DEVICE"):
    raise RuntimeError(f"these tests are to run on a device: {WHY_NO_DEVICE}")

needs_device = unittest.skipIf(WHY_NO_DEVICE, "needs a device")


class Filter:
    """A filter to test: its name without Cuda, the ITK filter it equals, the parameters, and what may differ."""

    def __init__(self, name, parameters, cpu=None, tolerance=0.0, has_all_types=True):
        self.name = name
        self.cuda = getattr(itk, f"Cuda{name}ImageFilter")
        self.cpu = getattr(itk, cpu or f"{name}ImageFilter")
        self.snake_case = getattr(itk, f"cuda_{_to_snake_case(name)}_image_filter")
        self.parameters = parameters
        self.tolerance = tolerance  # of the largest value, for real pixels
        self.has_all_types = has_all_types  # for which ITK has the filter

    def make(self, template, key, image):
        """A filter of the types that are the key."""
        instance = template[key].New()
        instance.SetInput(image)
        for name, value in self.get_parameters(image).items():
            getattr(instance, f"Set{name}")(value)
        return instance

    def get_parameters(self, image):
        """The parameters, of which some depend on the image."""
        return {name: value(image) if callable(value) else value for name, value in self.parameters.items()}


def _to_snake_case(name):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _shift(levels):
    """Makes an image that is so many levels higher."""

    def make(image):
        array = itk.array_from_image(image)
        return itk.image_from_array(
            array + array.dtype.type(levels) if levels > 0 else array - array.dtype.type(-levels)
        )

    return make


def _make_ball(image):
    return itk.FlatStructuringElement[image.GetImageDimension()].Ball(2)


def _get_middle(image):
    return image.GetPixel([n // 2 for n in image.GetLargestPossibleRegion().GetSize()])


# One row for each filter that is wrapped.
FILTERS = [
    Filter("DiscreteGaussian", {"Variance": 2.0, "MaximumError": 0.01}, tolerance=1e-5),
    Filter("SeparableConvolution", {"Mask": [0.25, 0.5, 0.25]}, tolerance=1e-5),
    Filter("SobelEdgeDetection", {}, tolerance=1e-5),
    Filter("SignedMaurerDistanceMap", {"SquaredDistance": False}),
    Filter("DanielssonDistanceMap", {"SquaredDistance": True}),
    Filter("BinaryBallDilate", {"Radius": 2.5, "ForegroundValue": _get_middle}),
    Filter("BinaryBallErode", {"Radius": 1.0, "ForegroundValue": _get_middle, "BackgroundValue": 3}),
    Filter("ConnectedComponent", {"FullyConnected": True}),
    Filter("ScalarConnectedComponent", {"FullyConnected": True, "DistanceThreshold": 2}),
    Filter("RelabelComponent", {"MinimumObjectSize": 3}),
    Filter("ZeroCrossing", {"ForegroundValue": 1, "BackgroundValue": 0}),
    Filter(
        "CannyEdgeDetection",
        {"Variance": 2.0, "UpperThreshold": 7.0, "LowerThreshold": 4.0},
        cpu="CastingCannyEdgeDetectionImageFilter",
    ),
    Filter("ReconstructionByDilation", {"MaskImage": _shift(10)}),
    Filter("ReconstructionByErosion", {"MaskImage": _shift(-10), "FullyConnected": True}),
    Filter("GrayscaleFillhole", {}),
    Filter("HMaxima", {"Height": 10}),
    Filter("HMinima", {"Height": 10}),
    Filter("HConvex", {"Height": 10}),
    Filter("HConcave", {"Height": 10}),
    Filter("RegionalMaxima", {"FullyConnected": True}),
    Filter("RegionalMinima", {"FlatIsMinima": False}),
    Filter("OpeningByReconstruction", {"Kernel": _make_ball}),
    Filter("ClosingByReconstruction", {"Kernel": _make_ball, "PreserveIntensities": True}),
    Filter("Median", {"Radius": 2}, has_all_types=False),
    Filter("Mean", {"Radius": 1}, tolerance=1e-6, has_all_types=False),
    Filter("GrayscaleErode", {"Kernel": _make_ball}, has_all_types=False),
    Filter("GrayscaleDilate", {"Kernel": _make_ball}, has_all_types=False),
    Filter("RescaleIntensity", {"OutputMinimum": 10, "OutputMaximum": 200}, has_all_types=False),
    Filter("BinaryThreshold", {"LowerThreshold": 10, "UpperThreshold": 60, "InsideValue": 7}, has_all_types=False),
    Filter("OtsuThreshold", {"NumberOfHistogramBins": 50, "InsideValue": 7}, has_all_types=False),
]


def get_dtype(image_type):
    return np.dtype(itk.template(image_type)[1][0].dtype)


def make_array(dtype, dimension, seed=0):
    """Blobs and a little noise, with values on both sides of zero where there are such."""
    shape = (17, 23, 31)[-dimension:]
    grid = np.indices(shape)
    values = 60 * np.prod([np.sin(axis / 3.0 + i) for i, axis in enumerate(grid)], axis=0)
    values += np.random.default_rng(seed).normal(0, 2, shape)
    return (values if dtype.kind != "u" else values + 80).astype(dtype)


def make_image(image_type, seed=0):
    dimension = itk.template(image_type)[1][1]
    return itk.image_from_array(make_array(get_dtype(image_type), dimension, seed))
