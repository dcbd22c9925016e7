#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Times other libraries on the workloads of a record and adds them to it.

    peers.py RECORD [DATA]

RECORD is the JSON that CudaFiltersBenchmark --record wrote on the same machine. DATA is a folder with 25-percent-mask.jpg.
Measures what is there of CuPy, cuCIM, PyTorch and NPP, device-resident, with CUDA events: medians after warming up. Each
convolves with masks of as many weights as ours, and finds the same gradient of a plane; of edges there are as many
definitions as libraries. Distances of peers have no sign. The fastest becomes the row's peer.
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


def parameters_of(row):
    """Variance and weights of a workload of the Gaussian."""
    variance = {"var2": 2.0, "sigma8": 64.0}[row["workload"].split("/")[3]]
    x = numpy.arange(int(row["weights"])) - int(row["weights"]) // 2
    weights = numpy.exp(-x * x / (2 * variance))
    return variance, weights / weights.sum()


def gaussian_by_cupy(image, row):
    variance, weights = parameters_of(row)
    sigma = variance**0.5
    output = cupy.empty_like(image)
    truncate = (len(weights) // 2) / sigma
    return lambda: cupyx.scipy.ndimage.gaussian_filter(image, sigma, output=output, mode="nearest", truncate=truncate)


def gaussian_by_cupy_passes(image, row):
    """One call an axis, with weights in single precision."""
    _, weights = parameters_of(row)
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


def gaussian_by_cucim(image, row):
    import cucim.skimage.filters

    variance, weights = parameters_of(row)
    sigma = variance**0.5
    truncate = (len(weights) // 2) / sigma
    return lambda: cucim.skimage.filters.gaussian(image, sigma, mode="nearest", truncate=truncate, preserve_range=True)


def gaussian_by_torch(image, row):
    """One convolution an axis, in full single precision, with zeros beyond the border."""
    import torch

    _, weights = parameters_of(row)
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


def load_npp(library):
    """A library of NPP, and the context that its functions take."""
    for name in (f"lib{library}.so", f"lib{library}.so.13", f"lib{library}.so.12"):
        try:
            npp = ctypes.CDLL(name)
            break
        except OSError:
            continue
    else:
        raise ImportError("NPP was not found")
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
    return npp, context


NPP_REPLICATE = ctypes.c_int(2)
NPP_MASK_3X3 = ctypes.c_int(200)
NPP_NORM_L2 = ctypes.c_int(2)
NPP_SOBEL = ctypes.c_int(0)


def npp_image(array):
    """Pointer and stride; of no array, none."""
    if array is None:
        return ctypes.c_void_p(0), ctypes.c_int(0)
    return ctypes.c_void_p(array.data.ptr), ctypes.c_int(array.strides[0])


def npp_source(image):
    """Pointer, stride, size, and the place where to begin."""
    if image.ndim != 2:
        raise NotImplementedError("NPP has images of two dimensions only")
    return (*npp_image(image), Pair(image.shape[1], image.shape[0]), Pair(0, 0))


def call_npp(function, *arguments):
    status = function(*arguments)
    if status != 0:
        raise RuntimeError(f"NPP returned {status}")


def gaussian_by_npp(image, row):
    source = npp_source(image)
    npp, context = load_npp("nppif")
    output = cupy.empty_like(image)
    _, weights = parameters_of(row)
    mask = cupy.asarray(weights, dtype=cupy.float32)

    def run():
        call_npp(
            npp.nppiFilterGaussAdvancedBorder_32f_C1R_Ctx,
            *source,
            *npp_image(output),
            source[2],
            ctypes.c_int(len(weights)),
            ctypes.c_void_p(mask.data.ptr),
            NPP_REPLICATE,
            context,
        )
        return output

    return run


def sobel_by_cupy(image, row):
    """Magnitude, and angle where it is wanted. In 3-D CuPy's weights are others than ITK's, and as many."""
    buffers = [cupy.empty_like(image) for _ in range(image.ndim)]
    combine = cupy.ElementwiseKernel(
        ", ".join(f"float32 g{i}" for i in range(image.ndim)),
        "float32 magnitude",
        "magnitude = sqrtf(" + " + ".join(f"g{i} * g{i}" for i in range(image.ndim)) + ")",
        "sobel_magnitude",
    )
    magnitude, angle = cupy.empty_like(image), cupy.empty_like(image)

    def run():
        for axis in range(image.ndim):
            cupyx.scipy.ndimage.sobel(image, axis, output=buffers[axis], mode="nearest")
        combine(*buffers, magnitude)
        if "direction" in row["workload"]:
            cupy.arctan2(buffers[0], buffers[1], out=angle)
        return magnitude

    return run


def sobel_by_cucim(image, row):
    import cucim.skimage.filters

    if "direction" in row["workload"]:
        raise NotImplementedError("cuCIM gives no direction")
    return lambda: cucim.skimage.filters.sobel(image, mode="nearest")


def sobel_by_npp(image, row):
    source = npp_source(image)
    npp, context = load_npp("nppif")
    magnitude = cupy.empty_like(image)
    angle = cupy.empty_like(image) if "direction" in row["workload"] else None

    def run():
        call_npp(
            npp.nppiGradientVectorSobelBorder_32f_C1R_Ctx,
            *source,
            *npp_image(None),
            *npp_image(None),
            *npp_image(magnitude),
            *npp_image(angle),
            source[2],
            NPP_MASK_3X3,
            NPP_NORM_L2,
            NPP_REPLICATE,
            context,
        )
        return magnitude

    return run


def canny_by_cucim(image, row):
    import cucim.skimage.feature

    # Its gradient is not divided by the sum of the weights.
    low, high = (8 * row[name] for name in ("lower_threshold", "upper_threshold"))
    return lambda: cucim.skimage.feature.canny(image, sigma=1.4, low_threshold=low, high_threshold=high, mode="nearest")


def canny_by_npp(image, row):
    """Of 8-bit pixels, and without smoothing."""
    pixels = image.astype(cupy.uint8)
    source = npp_source(pixels)
    npp, context = load_npp("nppif")
    output = cupy.empty_like(pixels)
    size = ctypes.c_int(0)
    call_npp(npp.nppiFilterCannyBorderGetBufferSize, source[2], ctypes.byref(size))
    buffer = cupy.empty(size.value, dtype=cupy.uint8)
    # Its gradient is not divided by the sum of the weights.
    low, high = (ctypes.c_short(int(8 * row[name])) for name in ("lower_threshold", "upper_threshold"))

    def run():
        call_npp(
            npp.nppiFilterCannyBorder_8u_C1R_Ctx,
            *source,
            *npp_image(output),
            source[2],
            NPP_SOBEL,
            NPP_MASK_3X3,
            low,
            high,
            NPP_NORM_L2,
            NPP_REPLICATE,
            ctypes.c_void_p(buffer.data.ptr),
            context,
        )
        return output

    return run


def distance_by_cupy(image, row):
    """cuCIM has the same code."""
    if image.ndim == 3 and max(image.shape) ** 3 >= 2**31:
        raise NotImplementedError("it makes a cube of the longest side, and numbers its voxels with 32 bits")
    sampling = (1, 1, 2) if "spacing2" in row["workload"] else None
    return lambda: cupyx.scipy.ndimage.distance_transform_edt(image, sampling=sampling)


def distance_by_npp(image, row):
    """By the parallel banding algorithm."""
    source, step, size, _ = npp_source(image)
    npp, context = load_npp("nppif")
    output = cupy.empty(image.shape, dtype=cupy.float32)
    bytes_needed = ctypes.c_size_t(0)
    call_npp(npp.nppiDistanceTransformPBAGetBufferSize, size, ctypes.byref(bytes_needed))
    buffer = cupy.empty(bytes_needed.value, dtype=cupy.uint8)
    site = ctypes.c_ubyte(0)

    def run():
        call_npp(
            npp.nppiDistanceTransformPBA_8u32f_C1R_Ctx,
            source,
            step,
            site,
            site,
            *npp_image(None),
            *npp_image(None),
            *npp_image(None),
            *npp_image(output),
            size,
            ctypes.c_void_p(buffer.data.ptr),
            context,
        )
        return output

    return run


def is_full(row):
    """Whether diagonal neighbours are connected."""
    return row["workload"].split("/")[3] in ("8", "26")


def components_by_cupy(image, row):
    structure = numpy.ones((3,) * image.ndim) if is_full(row) else None
    _, objects = cupyx.scipy.ndimage.label(image, structure)
    check_objects(int(objects), row)
    return lambda: cupyx.scipy.ndimage.label(image, structure)[0]


def components_by_npp(image, row):
    source, step, size, _ = npp_source(image)
    npp, context = load_npp("nppif")
    output = cupy.empty(image.shape, dtype=cupy.uint32)
    bytes_needed = ctypes.c_int(0)
    call_npp(npp.nppiLabelMarkersUFGetBufferSize_32u_C1R, size, ctypes.byref(bytes_needed))
    buffer = cupy.empty(bytes_needed.value, dtype=cupy.uint8)
    norm = ctypes.c_int(0 if is_full(row) else 1)  # infinite, or L1

    def run():
        call_npp(
            npp.nppiLabelMarkersUF_8u32u_C1R_Ctx,
            source,
            step,
            *npp_image(output),
            size,
            norm,
            ctypes.c_void_p(buffer.data.ptr),
            context,
        )
        return output

    result = run()
    check_objects(len(cupy.unique(result[image != 0])), row)
    return run


def areas_by_cupy(image, row):
    """Labels the pixels of each of both values."""
    structure = numpy.ones((3,) * image.ndim) if is_full(row) else None
    label = lambda value: cupyx.scipy.ndimage.label(image == value, structure)

    def run():
        ones, objects = label(1)
        zeros, _ = label(0)
        return cupy.where(image != 0, ones, zeros + objects)

    return run


def check_objects(found, row):
    """The blobs differ slightly from the benchmark's, so that their number is not checked."""
    if "blobs" not in row["workload"] and found != row["objects"]:
        raise RuntimeError(f"{found} objects instead of {row['objects']}")


HIGHEST_BANDWIDTH = 8e12  # bytes a second; more than any device has

PEERS = {
    "gaussian": {
        "CuPy": gaussian_by_cupy,
        "CuPy, one call per axis": gaussian_by_cupy_passes,
        "cuCIM": gaussian_by_cucim,
        "PyTorch": gaussian_by_torch,
        "NPP": gaussian_by_npp,
    },
    "sobel": {"CuPy": sobel_by_cupy, "cuCIM": sobel_by_cucim, "NPP": sobel_by_npp},
    "sobel-direction": {"CuPy": sobel_by_cupy, "NPP": sobel_by_npp},
    "canny": {"cuCIM": canny_by_cucim, "NPP, 8 bits, no smoothing": canny_by_npp},
    "distance": {"CuPy": distance_by_cupy, "NPP": distance_by_npp},
    "components": {"CuPy": components_by_cupy, "NPP, labels not consecutive": components_by_npp},
    "areas": {"CuPy, one call per value": areas_by_cupy},
}

# What is done with masks, which the workload names.
MASKS = ("distance", "components", "areas")

# Peers that do less have a column of their own, and are never the fastest peer.
LESSER_WORK = ("no smoothing", "labels not consecutive")

# Of how many pixels at the border peers may make something else, and where all may.
MARGINS = {
    "gaussian": lambda row: int(row["weights"]),
    "sobel": lambda row: 1,
    "sobel-direction": lambda row: 1,
    "distance": lambda row: 0,
}


def draw_plane(name, width, height):
    """The planes of the benchmark's distances: 1 in objects."""
    x = cupy.arange(width, dtype=cupy.float64)[None, :]
    y = cupy.arange(height, dtype=cupy.float64)[:, None]
    least = min(width, height)

    def circle(center_x, center_y, radius):
        return cupy.abs(cupy.hypot(x - center_x, y - center_y) - radius) < 0.75

    def diagonal(from_side):
        return cupy.abs(from_side * height - y * width) < 0.5 * max(width, height)

    drawings = {
        "16circles": lambda: circle(
            (cupy.floor(x / width * 4) + 0.5) * width / 4, (cupy.floor(y / height * 4) + 0.5) * height / 4, least / 12
        ),
        "big-circle": lambda: cupy.hypot(x - width / 2, y - height / 2) > 0.49 * least,
        "central-circle": lambda: circle(width / 2, height / 2, least / 4),
        "corner-squares": lambda: (cupy.minimum(x, width - 1 - x) < width / 27)
        & (cupy.minimum(y, height - 1 - y) < height / 27),
        "diagonal": lambda: diagonal(x),
        "x": lambda: diagonal(x) | diagonal(width - 1 - x),
        "random": lambda: cupy.asarray(numpy.random.default_rng(7).random((height, width)) <= 0.001),
    }
    return drawings[name]()


def draw_volume(name, size):
    """Points as close as in the benchmark, and blobs of the same size: 1 in objects."""
    shape = size[::-1]
    if name == "blobs":
        values = cupyx.scipy.ndimage.gaussian_filter(cupy.random.default_rng(7).random(shape, dtype=cupy.float32), 2)
        return values > values.mean()
    points = 4000 if size[0] != size[2] else max(1, 2000 * size[0] ** 3 // 512**3)
    mask = cupy.zeros(shape, dtype=bool)
    mask[tuple(cupy.asarray(numpy.random.default_rng(7).integers(0, n, points)) for n in shape)] = True
    return mask


def make_mask(name, size):
    """0 in objects, from which peers measure, and 1 elsewhere."""
    mask = draw_plane(name, *size) if len(size) == 2 else draw_volume(name, size)
    return (~mask).astype(cupy.uint8)


def draw_wall(side):
    """A thin wall that winds to the middle."""
    plane = numpy.zeros((side, side), dtype=bool)
    first, last = 0, side - 1
    while first < last:
        plane[first, first : last + 1] = plane[last, first : last + 1] = True
        plane[first : last + 1, last] = plane[first + 2 : last + 1, first] = True
        if first + 2 <= last:
            plane[first + 2, first : first + 2] = True
        first, last = first + 2, last - 2
    return plane


def make_objects(name, size):
    """The images of the benchmark's components: 1 in objects."""
    if len(size) == 2:
        random = numpy.random.default_rng(7)
        random.random(size)  # for the points of distances
        blobs = random.random(size, dtype=numpy.float32)
        if name == "noise":
            return cupy.asarray(random.random(size) > 0.5).astype(cupy.uint8)
        blobs = cupyx.scipy.ndimage.gaussian_filter(cupy.asarray(blobs), 4, mode="mirror")
        return (blobs > blobs.mean()).astype(cupy.uint8)
    if name == "blobs":
        return draw_volume(name, size).astype(cupy.uint8)
    side = size[0]
    axis = cupy.arange(side)
    z, y, x = axis[:, None, None], axis[None, :, None], axis[None, None, :]
    drawings = {
        "chess": lambda: (x + y + z) % 2 == 0,
        "blocks": lambda: (y % 16 < 12) & (x % 16 < 12) & (z >= 0),
        "spiral": lambda: cupy.asarray(draw_wall(side))[None] & (z >= 0),
        "snake": lambda: ((z % 2 == 0) & ((y % 2 == 0) | ((y < side - 2) & (x == (1 - y // 2 % 2) * (side - 1)))))
        | ((z % 2 == 1) & (z + 1 < side) & (x == 0) & (y == (1 - z // 2 % 2) * (side - 2))),
    }
    return drawings[name]().astype(cupy.uint8)


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
        operation, (mask, _, size) = parts[0], parts[1].rpartition("-")
        if operation not in PEERS or (mask != "") != (operation in MASKS) or "ours_ms" not in row:
            continue
        if any(part in ("chain3", "exact", "wavefront", "full-wavefront") for part in parts) or (
            "series" in parts and operation != "distance"
        ):
            continue
        size = [int(n) for n in size.split("x")]
        if numpy.prod(size) >= 2**31:
            continue  # pixels are numbered with 32 bits there
        if operation in ("components", "areas"):
            image = make_objects(mask, size)
        else:
            image = make_mask(mask, size) if operation == "distance" else make_input(size, data)
        row["peers"] = {}
        expected = None
        for name, prepare in PEERS[operation].items():
            try:
                run = prepare(image, row)
                result = run()
                if operation in MARGINS and expected is None:
                    expected = result.copy()
                elif operation in MARGINS:
                    margin = MARGINS[operation](row)
                    inner = tuple(slice(margin, n - margin) for n in image.shape)
                    # Libraries divide by different sums of weights.
                    scale = float(cupy.abs(expected[inner]).max() / cupy.abs(result[inner]).max())
                    scale = scale if operation == "sobel" else 1.0
                    difference = float(cupy.abs(scale * result - expected)[inner].max() / cupy.abs(expected).max())
                    if not difference <= 1e-4:
                        raise RuntimeError(f"the result differs by {difference:.2g}")
                milliseconds = median_ms(run)
                if milliseconds < (image.nbytes + result.nbytes) / 4 / HIGHEST_BANDWIDTH * 1000:
                    raise RuntimeError(
                        f"{milliseconds} ms is less than to read and to write takes: was it timed at all?"
                    )
                row["peers"][name] = float(f"{milliseconds:.4g}")
            except Exception as error:  # whatever a library that is not there, or not able, throws
                print(f"{row['workload']}: no {name}: {error}")
            cupy.get_default_memory_pool().free_all_blocks()
        if row["peers"]:
            alike = {
                name: value for name, value in row["peers"].items() if not any(less in name for less in LESSER_WORK)
            }
            if alike:
                row["peer"] = min(alike, key=alike.get)
                row["peer_ms"] = alike[row["peer"]]
        else:
            del row["peers"]
        print(f"{row['workload']}: {row.get('peers')}", flush=True)
        write_record(record, record_name)  # an error on the device may end the program


def write_record(record, name):
    """One row a line, as the benchmark wrote them."""
    facts = {key: value for key, value in record.items() if key != "rows"}
    facts["peer_versions"] = f"CuPy {cupy.__version__}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}"
    rows = ",\n".join("    " + json.dumps(row) for row in record["rows"])
    text = json.dumps(facts, indent=2)[:-2] + ',\n  "rows": [\n' + rows + "\n  ]\n}\n"
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
