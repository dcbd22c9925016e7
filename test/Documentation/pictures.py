# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that programs have drawn."""
import pathlib
import zlib


class Image:
    """Pixels as the program drew them: rows of (red, green, blue)."""

    def __init__(self, width, height, pixels):
        self.width, self.height, self.pixels = width, height, pixels

    def get(self, x, y):
        return self.pixels[3 * (y * self.width + x) : 3 * (y * self.width + x) + 3]

    def crop(self, left, top, right, bottom):
        rows = [self.pixels[3 * (y * self.width + left) : 3 * (y * self.width + right)] for y in range(top, bottom)]
        return Image(right - left, bottom - top, b"".join(rows))

    def count_different(self, other, margin=0):
        """The number of pixels with a red, green or blue that differs by more than the margin."""
        assert (self.width, self.height) == (other.width, other.height)
        count, size = 0, 3 * self.width
        for begin in range(0, len(self.pixels), size):
            row, other_row = self.pixels[begin : begin + size], other.pixels[begin : begin + size]
            if row != other_row:
                pairs = zip(row, other_row)
                count += len({i // 3 for i, (one, two) in enumerate(pairs) if abs(one - two) > margin})
        return count

    def count(self, test):
        return sum(test(*self.pixels[i : i + 3]) for i in range(0, len(self.pixels), 3))


def inflate_png(path):
    """Width, height and the rows as they are filtered: enough to see that the file is whole."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    place, compressed = 8, b""
    while place < len(data):
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            assert body[8:10] == b"\x08\x02", "8 bits, red, green and blue"
        elif kind == b"IDAT":
            compressed += body
        place += 12 + length
    raw = zlib.decompress(compressed)
    assert len(raw) == height * (1 + 3 * width), path
    return width, height, raw


def read_png(path):
    width, height, raw = inflate_png(path)
    above, rows, size = bytearray(3 * width), [], 3 * width
    for y in range(height):
        method, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1 : (y + 1) * (size + 1)])
        for i in range(size):
            a = row[i - 3] if i >= 3 else 0
            b, c = above[i], above[i - 3] if i >= 3 else 0
            if method == 1:
                row[i] = (row[i] + a) & 255
            elif method == 2:
                row[i] = (row[i] + b) & 255
            elif method == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif method == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + nearest) & 255
        rows.append(bytes(row))
        above = row
    return Image(width, height, b"".join(rows))


def are_equal_pictures(first, second, share=0.0):
    """But for one level of a colour, which another processor may round differently, and a share of the pixels."""
    a, b = read_png(first), read_png(second)
    if (a.width, a.height) != (b.width, b.height):
        return False
    different = sum(
        any(abs(x - y) > 1 for x, y in zip(a.pixels[i : i + 3], b.pixels[i : i + 3]))
        for i in range(0, len(a.pixels), 3)
    )
    return different <= share * a.width * a.height
