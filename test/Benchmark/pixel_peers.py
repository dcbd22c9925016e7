#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Times other libraries on the rows of functions of pixels, and adds them to a record.

    pixel_peers.py RECORD [DATA]

As peers.py, which it uses. CuPy and NPP work on the device, and return numbers to the host where ours does; OpenCV works
on the CPU, with all its threads. Results are compared with CuPy's."""
import ctypes
import json
import sys
import time

import cupy
import cupyx.scipy.ndimage
import numpy

import peers


def call(library, name, source, *arguments):
    npp, context = peers.load_npp(library)
    peers.call_npp(getattr(npp, name), *source, *arguments, context)


def npp_buffer(library, name, *arguments):
    """The memory that a function of NPP asks for by another."""
    npp, context = peers.load_npp(library)
    size = ctypes.c_size_t(0)  # int, or size_t, by the function
    peers.call_npp(getattr(npp, name), *arguments, ctypes.byref(size), context)
    return cupy.empty(max(size.value, 1), cupy.uint8)


def plain_source(image):
    return (*peers.npp_image(image), peers.Pair(image.shape[1], image.shape[0]))


def threshold_by_cupy(image):
    kernel = cupy.ElementwiseKernel("T x, T t", "T y", "y = x >= t ? 255 : 0", "threshold_peer")
    output = cupy.empty_like(image)
    t = image.dtype.type(100)
    return lambda: kernel(image, t, output)


def threshold_by_npp(image):
    """Twice: below, and not below."""
    output = cupy.empty_like(image)
    number = ctypes.c_float if image.dtype == cupy.float32 else ctypes.c_uint8
    kind = "32f" if image.dtype == cupy.float32 else "8u"
    pointer, stride, size = plain_source(image)
    below = 99.99 if image.dtype == cupy.float32 else 99

    def run():
        call(
            "nppitc",
            f"nppiThreshold_LTValGTVal_{kind}_C1R_Ctx",
            (pointer, stride, *peers.npp_image(output), size),
            number(100),
            number(0),
            number(below),
            number(255),
        )
        return output

    return run


def threshold_by_opencv(image):
    import cv2

    return lambda: cv2.threshold(image, 99.99, 255, cv2.THRESH_BINARY)[1]


def histogram_by_npp(image):
    pointer, stride, size = plain_source(image)
    levels = ctypes.c_int(257)
    counts = cupy.empty(256, cupy.int32)
    buffer = npp_buffer("nppist", "nppiHistogramEvenGetBufferSize_8u_C1R_Ctx", size, levels)

    def run():
        call(
            "nppist",
            "nppiHistogramEven_8u_C1R_Ctx",
            (pointer, stride, size),
            ctypes.c_void_p(counts.data.ptr),
            levels,
            ctypes.c_int(0),
            ctypes.c_int(256),
            ctypes.c_void_p(buffer.data.ptr),
        )
        return counts.get()

    return run


def histogram_by_opencv(image):
    import cv2

    levels = 256 if image.dtype == numpy.uint8 else 4096
    return lambda: cv2.calcHist([image], [0], None, [levels], [0, levels]).ravel().astype(numpy.int64)


def median_by_npp(image):
    pointer, stride, size = plain_source(image)
    output = cupy.zeros_like(image)
    mask, anchor = peers.Pair(3, 3), peers.Pair(1, 1)
    npp, context = peers.load_npp("nppif")
    bytes_needed = ctypes.c_uint32(0)
    peers.call_npp(npp.nppiFilterMedianGetBufferSize_8u_C1R_Ctx, size, mask, ctypes.byref(bytes_needed), context)
    buffer = cupy.empty(max(bytes_needed.value, 1), cupy.uint8)
    inner = peers.Pair(size.x - 2, size.y - 2)  # it reads beyond its region
    first = ctypes.c_void_p(pointer.value + stride.value + 1)
    target, target_stride = peers.npp_image(output)
    target = ctypes.c_void_p(target.value + target_stride.value + 1)

    def run():
        call(
            "nppif",
            "nppiFilterMedian_8u_C1R_Ctx",
            (first, stride, target, target_stride, inner),
            mask,
            anchor,
            ctypes.c_void_p(buffer.data.ptr),
        )
        return output

    return run


def median_by_opencv(image):
    import cv2

    return lambda: cv2.medianBlur(image, 3)


def get_side(row):
    """Of the box or ball of an erosion."""
    return int("".join(c for c in row["workload"].split("/")[0] if c.isdigit()))


def make_ball(side):
    radius = side // 2
    y, x = numpy.ogrid[-radius : radius + 1, -radius : radius + 1]
    return (x * x + y * y) <= (radius + 0.5) ** 2


def erosion_by_cupy(image, row):
    side = get_side(row)
    output = cupy.empty_like(image)
    if "ball" in row["workload"]:
        footprint = cupy.asarray(make_ball(side))
        return lambda: cupyx.scipy.ndimage.grey_erosion(image, footprint=footprint, output=output, mode="nearest")
    return lambda: cupyx.scipy.ndimage.minimum_filter(image, side, output=output, mode="nearest")


def erosion_by_npp(image, row):
    side = get_side(row)
    if "ball" in row["workload"]:
        raise NotImplementedError("not compared")
    source = peers.npp_source(image)
    output = cupy.empty_like(image)

    def run():
        call(
            "nppif",
            "nppiFilterMinBorder_8u_C1R_Ctx",
            (*source, *peers.npp_image(output), source[2]),
            peers.Pair(side, side),
            peers.Pair(side // 2, side // 2),
            peers.NPP_REPLICATE,
        )
        return output

    return run


def erosion_by_opencv(image, row):
    import cv2

    side = get_side(row)
    element = (
        make_ball(side).astype(numpy.uint8) if "ball" in row["workload"] else numpy.ones((side, side), numpy.uint8)
    )
    return lambda: cv2.erode(image, element)


def mean_by_cupy(image):
    output = cupy.empty_like(image)
    return lambda: cupyx.scipy.ndimage.uniform_filter(image, 5, output=output, mode="nearest")


def mean_by_npp(image):
    source = peers.npp_source(image)
    output = cupy.empty_like(image)

    def run():
        call(
            "nppif",
            "nppiFilterBoxBorder_32f_C1R_Ctx",
            (*source, *peers.npp_image(output), source[2]),
            peers.Pair(5, 5),
            peers.Pair(2, 2),
            peers.NPP_REPLICATE,
        )
        return output

    return run


def mean_by_opencv(image):
    import cv2

    return lambda: cv2.blur(image, (5, 5), borderType=cv2.BORDER_REPLICATE)


def neighbourhood_by_opencv(image):
    import cv2

    def run():
        x = cv2.Sobel(image, cv2.CV_32F, 1, 0, borderType=cv2.BORDER_REPLICATE)
        y = cv2.Sobel(image, cv2.CV_32F, 0, 1, borderType=cv2.BORDER_REPLICATE)
        return cv2.magnitude(x, y)

    return run


def maximum_by_opencv(image):
    import cv2

    return lambda: cv2.minMaxLoc(image)[1]


# By operation: the libraries on the device, and on the CPU. A function takes the image, or the image and the row.
PEERS = {
    "threshold": {
        "CuPy": threshold_by_cupy,
        "NPP": threshold_by_npp,
        "OpenCV, CPU": threshold_by_opencv,
    },
    "maximum": {"CuPy": lambda image: lambda: float(image.max()), "OpenCV, CPU": maximum_by_opencv},
    "sum": {
        "CuPy": lambda image: lambda: float(image.sum(dtype=cupy.float64)),
        "OpenCV, CPU": lambda image: lambda: __import__("cv2").sumElems(image)[0],
    },
    "histogram256": {
        "CuPy": lambda image: lambda: cupy.bincount(image.ravel(), minlength=256).get(),
        "NPP": histogram_by_npp,
        "OpenCV, CPU": histogram_by_opencv,
    },
    "histogram4096": {
        "CuPy": lambda image: lambda: cupy.bincount(image.ravel(), minlength=4096).get(),
        "OpenCV, CPU": histogram_by_opencv,
    },
    "neighbourhood3x3": {
        "CuPy": lambda image: peers.sobel_by_cupy(image, {"workload": ""}),
        "NPP": lambda image: peers.sobel_by_npp(image, {"workload": ""}),
        "OpenCV, CPU": neighbourhood_by_opencv,
    },
    "median3x3": {
        "CuPy": lambda image: lambda: cupyx.scipy.ndimage.median_filter(image, 3, mode="nearest"),
        "NPP": median_by_npp,
        "OpenCV, CPU": median_by_opencv,
    },
    "median5x5x5": {"CuPy": lambda image: lambda: cupyx.scipy.ndimage.median_filter(image, 5, mode="nearest")},
    "erosion": {"CuPy": erosion_by_cupy, "NPP": erosion_by_npp, "OpenCV, CPU": erosion_by_opencv},
    "mean5x5": {"CuPy": mean_by_cupy, "NPP": mean_by_npp, "OpenCV, CPU": mean_by_opencv},
    "text-threshold": {"CuPy": threshold_by_cupy},
}


def make_image(row, data):
    parts = row["workload"].split("/")
    name, _, size = parts[1].rpartition("-")
    size = [int(n) for n in size.split("x")]
    if len(size) == 3:
        return cupy.asarray(numpy.random.default_rng(1).integers(0, 4096, size[::-1], numpy.int16))
    if name == "noise":
        return cupy.asarray(numpy.random.default_rng(1).integers(0, 256, size[::-1], numpy.uint8))
    if name == "constant":
        return cupy.full(size[::-1], 7, cupy.uint8)
    image = peers.make_input(size, data)
    if parts[2] == "u16":
        noise = cupy.asarray(numpy.random.default_rng(1).integers(0, 16, size[::-1], numpy.uint16))
        return image.astype(cupy.uint16) * 16 + noise
    return image.astype(cupy.uint8) if parts[2] == "u8" else image


def time_on_cpu(function, repetitions=5):
    function()
    durations = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        function()
        durations.append((time.perf_counter() - begin) * 1000)
    return sorted(durations)[repetitions // 2]


def difference(expected, actual, margin):
    """Of results inside the image, as a part of the largest."""
    a, b = (numpy.asarray(x.get() if hasattr(x, "get") else x, dtype=numpy.float64) for x in (expected, actual))
    if a.ndim >= 2:
        inner = tuple(slice(margin, n - margin) for n in a.shape)
        a, b = a[inner], b[inner]
    scale = numpy.abs(a).max() / max(numpy.abs(b).max(), 1e-30)  # gradients have different factors
    return float(numpy.abs(a - b * scale).max() / max(numpy.abs(a).max(), 1e-30))


def add_peers(record_name, data):
    with open(record_name, encoding="utf-8") as file:
        record = json.load(file)
    for row in record["rows"]:
        operation = row["workload"].split("/")[0]
        operation = "erosion" if operation.startswith("erosion") else operation
        if operation not in PEERS:
            continue
        image = make_image(row, data)
        row["peers"] = {}
        expected = None
        for name, prepare in PEERS[operation].items():
            on_cpu = "CPU" in name
            try:
                pixels = image.get() if on_cpu else image
                run = prepare(pixels, row) if operation == "erosion" else prepare(pixels)
                result = run()
                if expected is None:
                    expected = result.copy() if hasattr(result, "copy") else result
                else:
                    margin = get_side(row) // 2 + 1 if operation == "erosion" else 4
                    far = difference(expected, result, margin)
                    if not far <= 1e-4:
                        raise RuntimeError(f"the result differs by {far:.2g}")
                slow = operation == "median5x5x5"
                milliseconds = time_on_cpu(run) if on_cpu else peers.median_ms(run, 3 if slow else 9, 1 if slow else 8)
                row["peers"][name] = float(f"{milliseconds:.4g}")
            except Exception as error:  # whatever a library that is not there, or not able, throws
                print(f"{row['workload']}: no {name}: {error}")
            cupy.get_default_memory_pool().free_all_blocks()
        on_device = {name: value for name, value in row["peers"].items() if "CPU" not in name}
        if on_device:
            row["peer"] = min(on_device, key=on_device.get)
            row["peer_ms"] = on_device[row["peer"]]
        print(f"{row['workload']}: ours {row.get('ours_ms')} {row['peers']}", flush=True)
        peers.write_record(record, record_name)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with cupy.cuda.Stream(non_blocking=True):
        add_peers(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else ".")
