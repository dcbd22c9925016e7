#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy array, three CUDA filters and one of ITK's own, NumPy array: as a pipeline, with progress, and what was copied.

    pipeline.py
"""

import itk
import numpy as np


def main():
    array = np.random.default_rng(7).random((64, 256, 256), dtype=np.float32)

    smooth = itk.CudaDiscreteGaussianImageFilter.New(itk.image_view_from_array(array), variance=2.0)
    smoother = itk.CudaDiscreteGaussianImageFilter.New(smooth, variance=1.0)
    gradient = itk.CudaSobelEdgeDetectionImageFilter.New(smoother)
    scaled = itk.RescaleIntensityImageFilter.New(gradient, output_minimum=0.0, output_maximum=255.0)
    gradient.AddObserver(itk.EndEvent(), lambda: print("gradient computed on", gradient.GetExecutedOn()))
    scaled.Update()

    result = itk.array_view_from_image(scaled)
    copies = itk.CudaInterface.GetCopyCounters()
    print(f"result: {result.shape}, {result.min():.0f} to {result.max():.0f}")
    print(f"{copies.uploads} uploads, {copies.downloads} downloads")


if __name__ == "__main__":
    main()
