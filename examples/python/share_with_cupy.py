#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""A CuPy array through an ITK filter and back, all of it on the device, without a copy.

    share_with_cupy.py
"""

import itk


def main():
    try:
        import cupy
    except ImportError:
        print("needs CuPy, a library of arrays on the GPU, and a GPU")
        return

    array = cupy.random.default_rng(7).random((1024, 1024), dtype=cupy.float32)
    image = itk.cuda_image_from_array(array)
    smooth = itk.cuda_discrete_gaussian_image_filter(image, variance=2.0)
    result = cupy.asarray(smooth)

    copies = itk.CudaInterface.GetCopyCounters()
    print(f"mean {float(array.mean()):.4f} before, {float(result.mean()):.4f} after")
    print(f"standard deviation {float(array.std()):.4f} before, {float(result.std()):.4f} after")
    print(f"{copies.uploads} uploads, {copies.downloads} downloads")


if __name__ == "__main__":
    main()
