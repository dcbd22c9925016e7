# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs a test of ITK's with the plug-in, and checks that the device took part.

    run_test.py NAME LINES PROGRAM ARGUMENT ...

DROPIN_PLUGIN names the plug-in's folder, DROPIN_PRELOAD libraries to load first. The plug-in's lines are kept as
LINES/NAME.txt. The test fails if the program does, or if no filter ran on a device although the test is not listed below.
"""

import os
import re
import subprocess
import sys

# Tests without a run on a device, and why.
NOT_ON_DEVICE = {
    "itkConnectedComponentImageFilterTestRGB": "its pixels have colours",
    "itkConnectedComponentImageFilterTooManyObjectsTest": "the filter throws, as the test expects",
    "itkDiscreteGaussianImageFilterTest1a": "there are no kernels for its boundary condition",
    "itkDiscreteGaussianImageFilterTest1b": "there are no kernels for its boundary condition",
    "itkDiscreteGaussianImageFilterTest2": "its pixels are vectors",
    "itkGrayscaleConnectedClosingImageFilterTest": "its seed is a maximum, so that ITK's filter only copies",
    "itkHardConnectedComponentImageFilterTest": "ITK's filter has no other inside",
    "itkScalarConnectedComponentImageFilterTest": "its mask is of type bool",
    "itkSignedDanielssonDistanceMapImageFilterTest4D": "its image has four dimensions",
    "itkSignedMaurerDistanceMapImageFilterTest4D": "its image has four dimensions",
    "itkVectorConnectedComponentImageFilterTest": "its pixels are vectors",
}

# Filters that are left to ITK, unless they are asked for; and the tests for which they are not. Where two objects are at
# the same distance, ITK's algorithm chooses one by its order of pixels, and these tests expect that one.
ENABLED = "DanielssonDistanceMapImageFilter,SignedDanielssonDistanceMapImageFilter"
NOT_ENABLED = ("itkDanielssonDistanceMapImageFilterTest2", "itkSignedDanielssonDistanceMapImageFilterTest2")


def main():
    name, folder, *command = sys.argv[1:]
    environment = dict(
        os.environ,
        ITK_AUTOLOAD_PATH=os.environ["DROPIN_PLUGIN"],
        ITK_CUDA_BACKEND="cuda",
        ITK_CUDA_VERBOSE="1",
        ASAN_OPTIONS="detect_leaks=0",
    )
    if name not in NOT_ENABLED:
        environment["ITK_CUDA_ENABLE"] = ENABLED
    if os.environ.get("DROPIN_PRELOAD"):
        environment["LD_PRELOAD"] = os.environ["DROPIN_PRELOAD"]
    run = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    sys.stderr.write(run.stderr)
    lines = [line for line in run.stderr.splitlines() if line.startswith("itk-cuda: ")]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{name}.txt"), "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))
    if run.returncode != 0:
        sys.exit(f"{name}: exit status {run.returncode}")
    on_device = [line for line in lines if re.search(r"\(device \d+\)", line)]
    if name in NOT_ON_DEVICE and on_device:
        sys.exit(f"{name}: ran on a device, although it is listed: {on_device[0]}")
    if name not in NOT_ON_DEVICE and not on_device:
        sys.exit(f"{name}: no filter ran on a device")


if __name__ == "__main__":
    main()
