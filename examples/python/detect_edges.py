#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds the edges in a picture and writes them beside it.

    detect_edges.py INPUT OUTPUT.png [VARIANCE UPPER LOWER]
"""

import sys

import itk
import numpy as np


def main():
    if len(sys.argv) not in (3, 6):
        sys.exit(__doc__)
    source, target = sys.argv[1:3]
    variance, upper, lower = map(float, sys.argv[3:]) if len(sys.argv) == 6 else (2.0, 7.0, 4.0)

    image = itk.imread(source, itk.F)
    edges = itk.cuda_canny_edge_detection_image_filter(
        image, variance=variance, upper_threshold=upper, lower_threshold=lower
    )

    # Side by side: the picture, and its edges.
    picture = itk.array_view_from_image(image)
    white = 255 * itk.array_view_from_image(edges)
    together = np.concatenate([np.clip(picture, 0, 255), white], axis=-1).astype(np.uint8)
    itk.imwrite(itk.image_view_from_array(together), target)

    copies = itk.CudaInterface.GetCopyCounters()
    where = itk.CudaInterface.GetDefault().GetWhyNotOnDevice()
    print(f"computed on {'the CPU: ' + where if where else itk.CudaInterface.GetDeviceDescription(0)}")
    print(f"{int(white.sum() // 255)} pixels are edges; {copies.uploads} uploads, {copies.downloads} downloads")


if __name__ == "__main__":
    main()
