#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Measures what a CUDA device does for a program that uses ITK, unmodified.

    Utilities/compare-backends.py [--runs N] [--csv FILE] [--result FILE] PROGRAM [ARGUMENT ...]

Runs the program N times with each of the backends off, cpu and auto, in turn. Prints medians. The row "whole program"
compares off (column CPU) with auto (column device); the rows of filters compare cpu with auto. The last column says where
a filter ran with auto. Runs of one filter on images of one size are added up.

--csv FILE gets all times, below lines with the command, the facts of the run and the comparison. --result FILE is a file
that the program writes: that of the last run with off is compared with that of the last run with auto, by pixels if it is
an .mha file that is not compressed, else by bytes. It is removed before each run. The program must do the same in each
run; what it prints is not shown. Documentation/DropIn.md says more.
"""

import argparse
import array
import csv
import datetime
import os
import re
import shlex
import statistics
import subprocess
import sys
import time

ACCELERATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "accelerate.sh")
RUN = re.compile(r"^itk-cuda: (?P<filter>\w+) (?P<size>[0-9x]+): (?P<place>.*), (?P<time>[0-9.]+) ms$")
START = re.compile(r"^itk-cuda: device \d+, (?P<place>.*), is started: (?P<time>[0-9.]+) ms$")
PROGRAM, DEVICE = "whole program", "start of the device"
TYPES = {
    "MET_UCHAR": "B",
    "MET_CHAR": "b",
    "MET_USHORT": "H",
    "MET_SHORT": "h",
    "MET_UINT": "I",
    "MET_INT": "i",
    "MET_ULONG_LONG": "Q",
    "MET_LONG_LONG": "q",
    "MET_FLOAT": "f",
    "MET_DOUBLE": "d",
}


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


def read_result(path):
    """Returns the header and the pixels of an image in MetaImage's format, or nothing and the bytes of another file."""
    with open(path, "rb") as file:
        content = file.read()
    header, end, pixels = content.partition(b"\nElementDataFile = LOCAL\n")
    if not end:
        if b"\nElementDataFile = " in content[:10000]:
            sys.exit(f"the pixels of {path} are in another file: let the program write an .mha file")
        return None, array.array("B", content)
    fields = dict(re.findall(r"^(\w+) = (.*)$", header.decode(errors="replace"), re.MULTILINE))
    code = TYPES.get(fields.get("ElementType"))
    is_plain = fields.get("BinaryData", "True") == "True" and "True" not in (
        fields.get("CompressedData"),
        fields.get("BinaryDataByteOrderMSB"),
    )
    if not is_plain or code is None or len(pixels) % array.array(code).itemsize:
        return None, array.array("B", content)
    return fields, array.array(code, pixels)


def describe_difference(one, two):
    """Compares two results. Numbers are compared: zeros of any sign are equal, and so are any two NaN."""
    (header, pixels), (other_header, other_pixels) = one, two
    unit = "bytes" if header is None else "pixels"
    if header != other_header or len(pixels) != len(other_pixels):
        return (
            f"the file has another {'length' if header is None else 'header or number of pixels'} with the backend auto"
        )
    pairs = zip(pixels, other_pixels)
    differences = array.array("d", (abs(a - b) for a, b in pairs if a != b and (a == a or b == b)))
    if not differences:
        return f"all {len(pixels):,} {unit} are the same with the backend auto"
    text = f"{len(differences):,} of {len(pixels):,} {unit} differ with the backend auto"
    if header is None:
        return text
    numbers = [difference for difference in differences if difference == difference]
    if numbers:
        text += f", by {max(numbers):.3g} at most"
    if len(numbers) < len(differences):
        text += f", {len(differences) - len(numbers):,} of them NaN on one side only"
    return text


def read_output(*command):
    """What the command prints; nothing if it is not there, or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def get_facts(runs):
    """When, where and with which sources the runs were."""
    devices = {place for rows in runs for what, _, place, _ in rows if what == DEVICE}
    driver = read_output("cat", "/sys/module/nvidia/version")
    source_hash = read_output(os.path.join(os.path.dirname(ACCELERATE), "source-hash.sh"))
    facts = [", ".join(sorted(devices)) or "no device was used", f"driver {driver}" if driver else ""]
    facts += [f"{os.cpu_count()} processors", datetime.datetime.now(datetime.timezone.utc).date().isoformat()]
    facts += [f"source hash {source_hash}" if source_hash else ""]
    return ", ".join(fact for fact in facts if fact)


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
    parser.add_argument(
        "--result",
        metavar="FILE",
        help="compare the pixels of this file, which the program writes; removed before each run",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT ...]")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be 1 or more")
    if not arguments.command:
        parser.error("which program?")

    backends = ("off", "cpu", "auto")
    runs = {backend: [] for backend in backends}
    results = {}
    for number in range(arguments.runs):
        for backend in backends:
            print(f"\rRun {number + 1} of {arguments.runs}, backend {backend} ", end="", file=sys.stderr, flush=True)
            if arguments.result and os.path.exists(arguments.result):
                os.remove(arguments.result)  # one of an earlier run must not be taken for this one's
            runs[backend].append(measure(backend, arguments.command))
            if arguments.result and backend != "cpu":
                if not os.path.exists(arguments.result):
                    sys.exit(f"with the backend {backend}, the program did not write {arguments.result}")
                results[backend] = read_result(arguments.result)
    print(file=sys.stderr)

    comparison = ""
    if results:
        comparison = f"{arguments.result}: {describe_difference(results['off'], results['auto'])}"
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            variables = [
                f"{name}={value}"
                for name, value in sorted(os.environ.items())
                if name.startswith("ITK_CUDA_") and name not in ("ITK_CUDA_BACKEND", "ITK_CUDA_VERBOSE")
            ]
            for line in (shlex.join(variables + arguments.command), get_facts(runs["auto"]), comparison):
                file.write(f"# {line}\n")
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
    if comparison:
        print(comparison)


if __name__ == "__main__":
    main()
