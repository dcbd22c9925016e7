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
NOT_ON_DEVICE = {}


def main():
    name, folder, *command = sys.argv[1:]
    environment = dict(
        os.environ,
        ITK_AUTOLOAD_PATH=os.environ["DROPIN_PLUGIN"],
        ITK_CUDA_BACKEND="cuda",
        ITK_CUDA_VERBOSE="1",
        ASAN_OPTIONS="detect_leaks=0",
    )
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
