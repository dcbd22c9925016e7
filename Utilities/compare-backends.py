#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Measures what a CUDA device does for a program that uses ITK, unmodified.

    Utilities/compare-backends.py [--runs N] [--csv FILE] PROGRAM [ARGUMENT ...]

Runs the program with ITK's own filters, then with the filters of this module on the CPU and on the device, N times in
turn. Prints the medians over the N times of what each filter takes in a run, summed up by the size of the image, of the
start of the device, and of the whole program. FILE gets all times. The program must do the same in each run; what it
prints is not shown. Documentation/DropIn.md says more.
"""

import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import time

ACCELERATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "accelerate.sh")
RUN = re.compile(r"^itk-cuda: (?P<filter>\w+) (?P<size>[0-9x]+): (?P<place>.*), (?P<time>[0-9.]+) ms$")
START = re.compile(r"^itk-cuda: device \d+, (?P<place>.*), is started: (?P<time>[0-9.]+) ms$")
PROGRAM, DEVICE = "whole program", "start of the device"


def measure(backend, command):
    """Runs the program once. Returns rows: what, size of the image, place, milliseconds."""
    begin = time.perf_counter()
    done = subprocess.run(
        [ACCELERATE, "--verbose", "--backend", backend, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    milliseconds = 1000 * (time.perf_counter() - begin)
    if done.returncode != 0:
        sys.stderr.write("\n" + done.stderr)
        sys.exit(f"with the backend {backend}, the program ended with status {done.returncode}")
    rows = [(PROGRAM, "", "", milliseconds)]
    for line in done.stderr.splitlines():
        if found := RUN.match(line):
            rows.append((found["filter"], found["size"], found["place"], float(found["time"])))
        elif found := START.match(line):
            rows.append((DEVICE, "", found["place"], float(found["time"])))
    return rows


def get_medians(runs):
    """Of each filter and size: the median of its sum in a run, and all places where it ran."""
    sums, places = {}, {}
    for number, rows in enumerate(runs):
        for what, size, place, milliseconds in rows:
            times = sums.setdefault((what, size), [0.0] * len(runs))
            times[number] += milliseconds
            places.setdefault((what, size), {})[place] = True  # keeps the order
    return {key: (statistics.median(times), "; ".join(places[key])) for key, times in sums.items()}


def main():
    parser = argparse.ArgumentParser(
        description="Measures what a CUDA device does for a program that uses ITK, unmodified."
    )
    parser.add_argument("--runs", type=int, default=5, help="how often to run the program in each way (default: 5)")
    parser.add_argument("--csv", metavar="FILE", help="write all times to this file")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT ...]")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be 1 or more")
    if not arguments.command:
        parser.error("which program?")

    backends = ("off", "cpu", "auto")
    runs = {backend: [] for backend in backends}
    for number in range(arguments.runs):
        for backend in backends:
            print(f"\rRun {number + 1} of {arguments.runs}, backend {backend} ", end="", file=sys.stderr, flush=True)
            runs[backend].append(measure(backend, arguments.command))
    print(file=sys.stderr)

    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("backend", "run", "what", "size", "place", "milliseconds"))
            for backend in backends:
                for number, rows in enumerate(runs[backend]):
                    writer.writerows((backend, number + 1, *row[:3], f"{row[3]:.3f}") for row in rows)

    off, cpu, auto = (get_medians(runs[backend]) for backend in backends)
    print(f"{'milliseconds, medians of ' + str(arguments.runs):60} {'CPU':>10} {'device':>10}   place")
    for key, (milliseconds, place) in auto.items():
        what, size = key
        # The program as it is has no lines of filters.
        before = off[key] if what == PROGRAM else cpu.get(key)
        before = f"{before[0]:.1f}" if before else ""
        print(f"{(what + ' ' + size).strip():60} {before:>10} {milliseconds:10.1f}   {place}")


if __name__ == "__main__":
    main()
