#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of Documentation/Distances.md. Needs NumPy and Matplotlib.

    draw-distances.py PROGRAM

PROGRAM is cudafilters, which computes what is drawn, from the slice of a brain in test/Input.
"""
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SLICE = PROJECT / "test" / "Input" / "BrainProtonDensitySlice.png"
LEVEL = 190  # objects are brighter


def read_meta_image(path):
    """An image that is not compressed, in one file."""
    data = path.read_bytes()
    end = data.index(b"ElementDataFile = LOCAL\n") + len(b"ElementDataFile = LOCAL\n")
    fields = dict(line.split(" = ", 1) for line in data[:end].decode().splitlines())
    dtype = {"MET_UCHAR": np.uint8, "MET_FLOAT": np.float32}[fields["ElementType"]]
    shape = [int(n) for n in fields["DimSize"].split()][::-1]
    return np.frombuffer(data[end:], dtype).reshape(shape)


def write_meta_image(path, array):
    size = " ".join(str(n) for n in array.shape[::-1])
    head = f"ObjectType = Image\nNDims = 2\nDimSize = {size}\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
    path.write_bytes(head.encode() + array.astype(np.uint8).tobytes())


def main(program):
    picture = np.round(plt.imread(SLICE)[..., 0] * 255)  # all channels are the same
    mask = picture > LEVEL
    rng = np.random.default_rng(1)
    seeds = np.zeros(mask.shape, np.uint8)
    places = rng.integers(0, mask.shape, (60, 2))
    seeds[tuple(places.T)] = np.arange(1, 61)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(command, array, *options):
            write_meta_image(folder / "in.mha", array)
            subprocess.run(
                [program, command, folder / "in.mha", folder / "out.mha", "--in-pixels", *options], check=True
            )
            return read_meta_image(folder / "out.mha")

        distance = run("distance", mask)
        cells = run("grow-labels", seeds)
        grown = run("dilate", mask, "--radius", "6")
        shrunk = run("erode", mask, "--radius", "1.5")

    figure, axes = plt.subplots(1, 4, figsize=(14, 4.6), constrained_layout=True)
    for axis, title in zip(axes, ("input", "distance", "dilate, mask, erode", "grow-labels")):
        axis.set_title(title)
        axis.set_axis_off()
    axes[0].imshow(picture, cmap="gray")
    limit = np.abs(distance).max()
    shown = axes[1].imshow(distance, cmap="RdBu_r", vmin=-limit, vmax=limit)
    axes[1].contour(distance, levels=[0], colors="black", linewidths=0.6)
    figure.colorbar(shown, ax=axes[1], shrink=0.8, label="pixels")
    shades = np.full((*mask.shape, 3), 0.1)
    shades[grown != 0] = (0.55, 0.75, 0.35)
    shades[mask] = (0.95, 0.85, 0.45)
    shades[shrunk != 0] = (0.75, 0.25, 0.2)
    axes[2].imshow(shades)
    colors = rng.random((256, 3)) * 0.8 + 0.2
    axes[3].imshow(colors[cells])
    axes[3].plot(places[:, 1], places[:, 0], "k.", markersize=3)
    axes[3].set_xlim(-0.5, mask.shape[1] - 0.5)
    axes[3].set_ylim(mask.shape[0] - 0.5, -0.5)
    target = PROJECT / "Documentation" / "distances" / "brain.png"
    target.parent.mkdir(exist_ok=True)
    figure.savefig(target, dpi=72)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
