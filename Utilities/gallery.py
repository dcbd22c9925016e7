#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of Documentation/Gallery.md by the commands on that page.

    gallery.py [--update | --lines] BUILD
    gallery.py --time RECORD BUILD

BUILD is a build tree with the program cudafilters. Fails if a picture is not that in Documentation/gallery: by more than
one level of a colour, which another processor may round differently. --update replaces those that are not. --lines also
compares the results of the commands with those of the lines in C++, by the program CudaFiltersPages.

--time has CudaFiltersPages time these lines on large images, on a machine with a GPU, and writes a record for
Utilities/benchmark-report.py.
"""
import array
import math
import pathlib
import re
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "test" / "Documentation"))
from blocks import link_project, of_gallery, run  # noqa: E402
from pictures import are_equal_pictures  # noqa: E402

PICTURES = PROJECT / "Documentation" / "gallery"
TYPES = {
    "MET_UCHAR": "B",
    "MET_USHORT": "H",
    "MET_SHORT": "h",
    "MET_UINT": "I",
    "MET_INT": "i",
    "MET_ULONG_LONG": "Q",
    "MET_FLOAT": "f",
    "MET_DOUBLE": "d",
}


def read_mha(path):
    """The width and the pixels of an image in two dimensions."""
    header, pixels = path.read_bytes().split(b"ElementDataFile = LOCAL\n", 1)
    fields = dict(line.split(" = ", 1) for line in header.decode().splitlines())
    assert fields.get("CompressedData", "False") == "False", path
    return int(fields["DimSize"].split()[0]), array.array(TYPES[fields["ElementType"]], pixels).tolist()


def find_difference(mark, width, expected, found):
    """What is wrong with pixels, or None. The mark tells what may differ."""
    if len(expected) != len(found):
        return f"{len(found)} pixels, not {len(expected)}"
    if mark.endswith(" same regions"):
        # Labels may be others: each is always with the same one.
        pairs = set(zip(expected, found))
        return None if len(pairs) == len(set(expected)) == len(set(found)) else "other regions"
    factor = int(match[1]) if (match := re.search(r" times (\d+)$", mark)) else 1
    margin = int(match[1]) if (match := re.search(r" margin (\d+)$", mark)) else 0
    within = int(match[1]) if (match := re.search(r" within (\d+)$", mark)) else 0
    if match := re.search(r" in (\d+)%$", mark):
        equal = sum(a == b for a, b in zip(expected, found))
        return None if 100 * equal >= int(match[1]) * len(found) else f"{len(found) - equal} other pixels"
    height = len(expected) // width
    is_real = any(isinstance(value, float) for value in (expected[0], found[0]))
    most = max(within, 1e-5 * max(abs(value) for value in expected if math.isfinite(value)) if is_real else 0)
    for y in range(margin, height - margin):
        for x in range(margin, width - margin):
            i = y * width + x
            if not abs(factor * found[i] - expected[i]) <= most:
                return f"pixel ({x}, {y}) is {factor * found[i]}, not {expected[i]}"
    return None


def find_number(block, output):
    """The number that a command tells, if the mark of the block names it; else None."""
    words = re.match(r"gallery [\w-]+: (.*)", block.mark)
    if not words:
        return None
    return float(re.findall(rf"^{words[1]}\s+(\S+)$", output, re.MULTILINE)[-1])


def run_commands(folder, programs):
    """Runs the commands of the page in a folder. Returns the numbers that some of them tell, and what has failed."""
    link_project(folder)
    numbers, bad = {}, []
    for name, blocks in of_gallery().items():
        done = run(blocks["sh"].text, folder, programs)
        if done.returncode:
            bad.append(f"{blocks['sh']}: {done.stdout}")
        else:
            numbers[name] = find_number(blocks["sh"], done.stdout)
    return numbers, bad


def compare_pictures(folder, update):
    bad, gallery = [], of_gallery()
    made = {path.name for path in folder.glob("*.png")} - {"brain.png"}
    for name in sorted(made):
        published = PICTURES / name
        block = gallery.get(published.stem, {}).get("sh")
        share = 0.01 * (100 - int(match[1])) if block and (match := re.search(r" in (\d+)%$", block.mark)) else 0.0
        if not published.exists() or not are_equal_pictures(folder / name, published, share):
            if update:
                PICTURES.mkdir(exist_ok=True)
                published.write_bytes((folder / name).read_bytes())
                print(f"new: {published.relative_to(PROJECT)}")
            else:
                bad.append(f"{published.relative_to(PROJECT)} is not what the command draws")
    for path in PICTURES.glob("*.png"):
        if path.name not in made:
            bad.append(f"no command draws {path.relative_to(PROJECT)}")
    return bad


def compare_lines(folder, programs, numbers):
    """The results of the lines in C++ with those of the commands."""
    done = run("CudaFiltersPages gallery", folder, programs)
    bad = [done.stdout] if done.returncode else []
    gallery = of_gallery()
    for name in numbers:
        blocks = gallery[name]
        number, image = folder / f"{name}-c++.txt", folder / f"{name}-c++.mha"
        if number.exists():
            found = float(number.read_text(encoding="utf-8"))
            if not abs(found - numbers[name]) <= 1e-6 * abs(found):
                bad.append(f"{name}: {found} in C++, and {numbers[name]} at the command line")
        elif image.exists():
            width, expected = read_mha(folder / f"{name}.mha")
            difference = find_difference(blocks["sh"].mark, width, expected, read_mha(image)[1])
            if difference:
                bad.append(f"{name} in C++: {difference}")
        elif name != "prepare":
            bad.append(f"{name} has no result in C++")
    return bad


def make_large_samples(folder, programs, side=4096):
    """The images of the page, from a slice that is enlarged twice and repeated, each time mirrored."""
    link_project(folder)
    copy, rest = of_gallery()["prepare"]["sh"].text.split("\n", 1)  # the first line copies the slice
    done = run(copy + "\ncudafilters function brain.png small.mha --text x", folder, programs)
    if done.returncode:
        sys.exit(done.stdout)
    width, pixels = read_mha(folder / "small.mha")

    def mirror(i, size):
        i = i // 2 % (2 * size)
        return i if i < size else 2 * size - 1 - i

    rows = [bytes(pixels[y * width : (y + 1) * width]) for y in range(len(pixels) // width)]
    columns = [mirror(x, width) for x in range(side)]
    header = (
        f"ObjectType = Image\nNDims = 2\nDimSize = {side} {side}\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
    )
    wide = [bytes(row[x] for x in columns) for row in rows]
    large = b"".join(wide[mirror(y, len(wide))] for y in range(side))
    (folder / "large.mha").write_bytes(header.encode() + large)
    done = run("cudafilters function large.mha brain.png --text x\n" + rest, folder, programs)
    if done.returncode:
        sys.exit(done.stdout)


def time_lines(record, build):
    programs = pathlib.Path(build).resolve() / "bin"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_large_samples(folder, programs)
        done = run(f"CudaFiltersPages time '{pathlib.Path(record).resolve()}'", folder, programs)
        print(done.stdout)
        sys.exit(done.returncode)


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--time":
        time_lines(*arguments[1:])
    update, lines = "--update" in arguments, "--lines" in arguments
    builds = [argument for argument in arguments if argument not in ("--update", "--lines")]
    if len(builds) != 1:
        sys.exit(__doc__)
    programs = pathlib.Path(builds[0]).resolve() / "bin"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        numbers, bad = run_commands(folder, programs)
        bad += compare_pictures(folder, update)
        if lines:
            bad += compare_lines(folder, programs, numbers)
    print(f"{len(numbers) - 1} filters")
    if bad:
        sys.exit("\n".join(bad))


if __name__ == "__main__":
    main(sys.argv[1:])
