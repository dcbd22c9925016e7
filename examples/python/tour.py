#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# A tour: from a picture to its edges, step by step. Editors that know cells run it cell by cell; as a script,
#
#     tour.py INPUT FOLDER
#
# writes the pictures into a folder.

# %% A picture, as NumPy shows it
import os
import sys

import itk
import numpy as np

if len(sys.argv) != 3:
    sys.exit("usage: tour.py INPUT FOLDER")
source, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def show(name, image, low=None, high=None):
    """Writes a picture, from black for low to white for high."""
    array = itk.array_view_from_image(image)
    low = array.min() if low is None else low
    high = array.max() if high is None else high
    grey = np.clip((array - low) * (255.0 / (high - low)), 0, 255).astype(np.uint8)
    itk.imwrite(itk.image_view_from_array(grey), os.path.join(folder, f"{name}.png"))
    print(f"{name}: {array.shape}, {array.dtype}, {array.min():.1f} to {array.max():.1f}")


image = itk.imread(source, itk.F)
show("input", image)

# %% Smoothed
smooth = itk.cuda_discrete_gaussian_image_filter(image, variance=4.0)
show("smooth", smooth)

# %% How steep it is, and which way up: two results of one pass
magnitude, direction = itk.cuda_sobel_edge_detection_image_filter(image, compute_direction=True)
show("magnitude", magnitude)
show("direction", direction, -np.pi, np.pi)

# %% Its edges
edges = itk.cuda_canny_edge_detection_image_filter(image, variance=2.0, upper_threshold=7.0, lower_threshold=4.0)
show("edges", edges)

# %% How well they agree with those of ITK's own filter
quality = itk.EdgeQualityCalculator[type(image), type(image)].New()
quality.SetReferenceImage(
    itk.canny_edge_detection_image_filter(image, variance=2.0, upper_threshold=7.0, lower_threshold=4.0)
)
quality.SetImage(edges)
quality.Compute()
print(f"{100 * quality.GetCorrectFraction():.2f}% of the edges found, {quality.GetNumberOfFalseAlarmPixels()} others")

# %% Where all that was computed
why_not = itk.CudaInterface.GetDefault().GetWhyNotOnDevice()
print(f"on the CPU: {why_not}" if why_not else f"on {itk.CudaInterface.GetDeviceDescription(0)}")
