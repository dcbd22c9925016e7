#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes a volume to look at: ellipsoids that resemble a head, with noise.

    make-phantom.py OUTPUT.mha [SIDE]

SIDE (default 96) is the number of pixels along each axis. Pixels have 8 bits.
"""
import pathlib
import random
import sys

# Grey level; centre and half axes along x, y and z, where the volume reaches from -1 to 1.
ELLIPSOIDS = [
    (190, (0.0, 0.0, 0.0), (0.72, 0.9, 0.85)),  # skin
    (40, (0.0, 0.0, 0.0), (0.68, 0.86, 0.81)),  # bone
    (120, (0.0, 0.0, 0.0), (0.6, 0.78, 0.73)),  # brain
    (150, (0.0, -0.02, 0.0), (0.46, 0.62, 0.56)),
    (60, (0.14, -0.05, 0.05), (0.09, 0.3, 0.16)),  # ventricles
    (60, (-0.14, -0.05, 0.05), (0.09, 0.3, 0.16)),
    (235, (0.3, 0.3, 0.2), (0.11, 0.11, 0.11)),  # lesions
    (225, (-0.32, 0.25, -0.1), (0.07, 0.09, 0.07)),
    (230, (-0.2, -0.5, 0.25), (0.05, 0.05, 0.06)),
    (215, (0.25, -0.38, -0.3), (0.06, 0.05, 0.05)),
]
NOISE = 6


def make_phantom(side):
    chance = random.Random(1)
    pixels = bytearray(side**3)
    step = 2.0 / side
    for level, centre, axes in ELLIPSOIDS:
        for z in range(side):
            in_z = 1.0 - (((z + 0.5) * step - 1.0 - centre[2]) / axes[2]) ** 2
            if in_z <= 0.0:
                continue
            for y in range(side):
                in_y = in_z - (((y + 0.5) * step - 1.0 - centre[1]) / axes[1]) ** 2
                if in_y <= 0.0:
                    continue
                half = axes[0] * in_y**0.5
                first = max(0, round((centre[0] - half + 1.0) / step))
                last = min(side, round((centre[0] + half + 1.0) / step))
                row = (z * side + y) * side
                pixels[row + first : row + last] = bytes([level]) * max(0, last - first)
    for i, pixel in enumerate(pixels):
        pixels[i] = min(255, max(0, round(pixel + chance.gauss(0.0, NOISE))))
    return bytes(pixels)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip())
    side = int(sys.argv[2]) if len(sys.argv) == 3 else 96
    header = f"ObjectType = Image\nNDims = 3\nDimSize = {side} {side} {side}\nElementType = MET_UCHAR\n"
    pathlib.Path(sys.argv[1]).write_bytes((header + "ElementDataFile = LOCAL\n").encode() + make_phantom(side))


if __name__ == "__main__":
    main()
