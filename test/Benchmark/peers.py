#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Times other libraries on the workloads of a record and adds them to it.

    peers.py RECORD [DATA]

RECORD is the JSON that CudaFiltersBenchmark --record wrote on the same machine. DATA is a folder with 25-percent-mask.jpg.
Measures what is there of CuPy, cuCIM, PyTorch and NPP, device-resident, with CUDA events: medians after warming up. Each
convolves with masks of as many weights as ours. The fastest becomes the row's peer.
"""
import ctypes
import json
import os
import statistics
import sys

import cupy
import cupyx.scipy.ndimage
import numpy


def median_ms(function, repetitions=9, times=20):
    """Of one call of so many in a row, as ours are timed; in CuPy's current stream, where all the work must be."""
    for _ in range(3):
        function()
    medians = []
    for _ in range(repetitions):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        for _ in range(times):
            function()
        end.record()
        end.synchronize()
        medians.append(cupy.cuda.get_elapsed_time(begin, end) / times)
    return statistics.median(medians)


def make_weights(variance, count):
    x = numpy.arange(count) - count // 2
    weights = numpy.exp(-x * x / (2 * variance))
    return weights / weights.sum()


def gaussian_by_cupy(image, variance, weights):
    sigma = variance**0.5
    output = cupy.empty_like(image)
    truncate = (len(weights) // 2) / sigma
    return lambda: cupyx.scipy.ndimage.gaussian_filter(image, sigma, output=output, mode="nearest", truncate=truncate)


def gaussian_by_cupy_passes(image, variance, weights):
    """One call an axis, with weights in single precision."""
    single = cupy.asarray(weights, dtype=cupy.float32)
    buffers = [cupy.empty_like(image), cupy.empty_like(image)]

    def run():
        source = image
        for axis in range(image.ndim):
            target = buffers[axis % 2]
            cupyx.scipy.ndimage.correlate1d(source, single, axis, output=target, mode="nearest")
            source = target
        return source

    return run


def gaussian_by_cucim(image, variance, weights):
    import cucim.skimage.filters

    sigma = variance**0.5
    truncate = (len(weights) // 2) / sigma
    return lambda: cucim.skimage.filters.gaussian(image, sigma, mode="nearest", truncate=truncate, preserve_range=True)


def gaussian_by_torch(image, variance, weights):
    """One convolution an axis, in full single precision, with zeros beyond the border."""
    import torch

    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    pixels = torch.from_dlpack(image)[None, None]
    convolve = torch.nn.functional.conv2d if image.ndim == 2 else torch.nn.functional.conv3d
    masks = []
    for axis in range(image.ndim):
        shape = [1, 1] + [len(weights) if i == axis else 1 for i in range(image.ndim)]
        padding = [len(weights) // 2 if i == axis else 0 for i in range(image.ndim)]
        masks.append((torch.tensor(weights, dtype=torch.float32, device="cuda").reshape(shape), padding))
    stream = torch.cuda.ExternalStream(cupy.cuda.get_current_stream().ptr)
    torch.cuda.synchronize()

    def run():
        with torch.no_grad(), torch.cuda.stream(stream):
            result = pixels
            for mask, padding in masks:
                result = convolve(result, mask, padding=padding)
            return cupy.asarray(result[0, 0])

    return run


class NppStreamContext(ctypes.Structure):
    _fields_ = [
        ("stream", ctypes.c_void_p),
        ("device", ctypes.c_int),
        ("multiprocessors", ctypes.c_int),
        ("threads_a_multiprocessor", ctypes.c_int),
        ("threads_a_block", ctypes.c_int),
        ("shared_bytes_a_block", ctypes.c_size_t),
        ("major", ctypes.c_int),
        ("minor", ctypes.c_int),
        ("stream_flags", ctypes.c_uint),
        ("reserved", ctypes.c_int),
    ]


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


def gaussian_by_npp(image, variance, weights):
    if image.ndim != 2:
        raise NotImplementedError("NPP has images of two dimensions only")
    for name in ("libnppif.so", "libnppif.so.13", "libnppif.so.12"):
        try:
            npp = ctypes.CDLL(name)
            break
        except OSError:
            continue
    else:
        raise ImportError("NPP was not found")
    output = cupy.empty_like(image)
    mask = cupy.asarray(weights, dtype=cupy.float32)
    attributes = cupy.cuda.Device().attributes
    capability = cupy.cuda.Device().compute_capability
    context = NppStreamContext(
        stream=cupy.cuda.get_current_stream().ptr,
        device=cupy.cuda.Device().id,
        multiprocessors=attributes["MultiProcessorCount"],
        threads_a_multiprocessor=attributes["MaxThreadsPerMultiProcessor"],
        threads_a_block=attributes["MaxThreadsPerBlock"],
        shared_bytes_a_block=attributes["MaxSharedMemoryPerBlock"],
        major=int(capability[:-1]),
        minor=int(capability[-1]),
    )
    replicate = 2
    size = Pair(image.shape[1], image.shape[0])
    function = npp.nppiFilterGaussAdvancedBorder_32f_C1R_Ctx

    def run():
        status = function(
            ctypes.c_void_p(image.data.ptr), ctypes.c_int(image.strides[0]), size, Pair(0, 0),
            ctypes.c_void_p(output.data.ptr), ctypes.c_int(output.strides[0]), size,
            ctypes.c_int(len(weights)), ctypes.c_void_p(mask.data.ptr), ctypes.c_int(replicate), context,
        )
        if status != 0:
            raise RuntimeError(f"NPP returned {status}")
        return output

    return run


HIGHEST_BANDWIDTH = 8e12  # bytes a second; more than any device has

PEERS = {
    "CuPy": gaussian_by_cupy,
    "CuPy, one call an axis": gaussian_by_cupy_passes,
    "cuCIM": gaussian_by_cucim,
    "PyTorch": gaussian_by_torch,
    "NPP": gaussian_by_npp,
}


def make_input(size, data):
    if len(size) == 3:
        return cupy.asarray(numpy.random.default_rng(7).random(size[::-1], dtype=numpy.float32))
    try:
        import cv2

        picture = cv2.imread(os.path.join(data, "25-percent-mask.jpg"), 0)
    except ImportError:
        picture = None
    if picture is None:
        print("no 25-percent-mask.jpg could be read: uses noise instead, which takes the same time")
        picture = numpy.random.default_rng(7).integers(0, 256, (4096, 4096))
    tiles = [-(-size[1] // picture.shape[0]), -(-size[0] // picture.shape[1])]
    return cupy.asarray(numpy.tile(picture, tiles)[: size[1], : size[0]].astype(numpy.float32))


def main(record_name, data="."):
    # Not the default stream, which stands for different things in different libraries.
    with cupy.cuda.Stream(non_blocking=True):
        add_peers(record_name, data)


def add_peers(record_name, data):
    with open(record_name, encoding="utf-8") as file:
        record = json.load(file)
    for row in record["rows"]:
        parts = row["workload"].split("/")
        if parts[0] != "gaussian" or "chain3" in parts or "ours_ms" not in row:
            continue
        variance = {"var2": 2.0, "sigma8": 64.0}[parts[3]]
        weights = make_weights(variance, int(row["weights"]))
        image = make_input([int(n) for n in parts[1].split("x")], data)
        expected = gaussian_by_cupy(image, variance, weights)()
        inner = tuple(slice(len(weights), -len(weights)) for _ in range(image.ndim))
        row["peers"] = {}
        for name, prepare in PEERS.items():
            try:
                run = prepare(image, variance, weights)
                difference = float(cupy.abs(run() - expected)[inner].max() / cupy.abs(expected).max())
                if not difference <= 1e-4:
                    raise RuntimeError(f"the result differs by {difference:.2g}")
                milliseconds = median_ms(run)
                if milliseconds < 2 * image.nbytes / HIGHEST_BANDWIDTH * 1000:
                    raise RuntimeError(f"{milliseconds} ms is less than one read and one write take: was it timed at all?")
                row["peers"][name] = float(f"{milliseconds:.4g}")
            except Exception as error:  # whatever a library that is not there, or not able, throws
                print(f"{row['workload']}: no {name}: {error}")
            cupy.get_default_memory_pool().free_all_blocks()
        row["peer"] = min(row["peers"], key=row["peers"].get)
        row["peer_ms"] = row["peers"][row["peer"]]
        print(f"{row['workload']}: {row['peers']}", flush=True)

    # One row a line, as the benchmark wrote them.
    facts = {key: value for key, value in record.items() if key != "rows"}
    facts["peer_versions"] = f"CuPy {cupy.__version__}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}"
    rows = ",\n".join("    " + json.dumps(row) for row in record["rows"])
    text = json.dumps(facts, indent=2)[:-2] + ',\n  "rows": [\n' + rows + "\n  ]\n}\n"
    with open(record_name, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
