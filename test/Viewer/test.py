#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the program cudafilters-view: test.py PROGRAM INPUT_FOLDER

Starts it on a virtual display (Xvfb), sends it the events of a mouse and a keyboard, and looks at the pixels that it
draws.
"""
import array
import itertools
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import Xlib.X
import Xlib.display
import Xlib.ext.xtest
import Xlib.protocol.event

PROGRAM = os.path.realpath(sys.argv[1])
INPUT = pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(INPUT.parent / "Documentation"))
from blocks import link_project, of_kind  # noqa: E402
from pictures import Image, inflate_png, read_png  # noqa: E402

VOLUME = str(INPUT / "BrainProtonDensity3Slices.mha")
PICTURE = str(INPUT / "BrainProtonDensitySlice.png")
WIDTH, HEIGHT = 1000, 700
PANEL = 330  # pixels
PATIENCE = 60  # seconds


def write_volume(path, sizes, element, pixels):
    header = f"ObjectType = Image\nNDims = {len(sizes)}\nDimSize = {' '.join(map(str, sizes))}\n"
    header += f"ElementType = {element}\nElementByteOrderMSB = False\nElementDataFile = LOCAL\n"
    path.write_bytes(header.encode() + pixels)


def make_balls(side):
    """A volume of 8 bits with some balls."""
    balls = [(0.3, 0.35, 0.4, 0.22, 220), (0.7, 0.6, 0.5, 0.18, 160), (0.5, 0.8, 0.75, 0.12, 250)]
    pixels = bytearray(side**3)
    for cx, cy, cz, radius, value in balls:
        for z in range(side):
            for y in range(side):
                left = (radius * side) ** 2 - (y - cy * side) ** 2 - (z - cz * side) ** 2
                if left > 0:
                    half = math.sqrt(left)
                    for x in range(max(0, int(cx * side - half)), min(side, int(cx * side + half) + 1)):
                        pixels[(z * side + y) * side + x] = value
    middle = (side - 1) // 2
    pixels[(middle * side + middle) * side + side - 6] = 255  # a speck
    for place in ((middle, middle, 4), (middle, 4, middle), (4, middle, middle)):
        x, y, z = place
        for i in range(3):
            for k in range(3):
                pixels[((z + (i if z == middle else 0)) * side + y + k) * side + x] = 240
    return bytes(pixels)


def write_dicom(path, side, z, pixels):
    """One slice of a series, of 8 bits."""
    root = "1.2.826.0.1.3680043.2.1143.1"

    def element(group, number, kind, value):
        if isinstance(value, int):
            value = value.to_bytes(4 if kind == "UL" else 2, "little")
        elif isinstance(value, str):
            value = value.encode()
        if len(value) % 2:
            value += b"\0" if kind in ("UI", "OB") else b" "
        length = bytes(2) + len(value).to_bytes(4, "little") if kind == "OB" else len(value).to_bytes(2, "little")
        return group.to_bytes(2, "little") + number.to_bytes(2, "little") + kind.encode() + length + value

    storage, instance = "1.2.840.10008.5.1.4.1.1.4", f"{root}.{z + 1}"
    meta = element(2, 2, "UI", storage) + element(2, 3, "UI", instance) + element(2, 0x10, "UI", "1.2.840.10008.1.2.1")
    data = element(8, 0x16, "UI", storage) + element(8, 0x18, "UI", instance) + element(8, 0x60, "CS", "MR")
    data += element(0x20, 0xD, "UI", root + ".100") + element(0x20, 0xE, "UI", root + ".101")
    data += element(0x20, 0x13, "IS", str(z + 1)) + element(0x20, 0x32, "DS", f"0\\0\\{z}")
    data += element(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0")
    data += element(0x28, 2, "US", 1) + element(0x28, 4, "CS", "MONOCHROME2")
    data += element(0x28, 0x10, "US", side) + element(0x28, 0x11, "US", side) + element(0x28, 0x30, "DS", "1\\1")
    data += element(0x28, 0x100, "US", 8) + element(0x28, 0x101, "US", 8) + element(0x28, 0x102, "US", 7)
    data += element(0x28, 0x103, "US", 0) + element(0x7FE0, 0x10, "OB", pixels)
    path.write_bytes(bytes(128) + b"DICM" + element(2, 0, "UL", len(meta)) + meta + data)


class Session:
    """The program in a window."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, *arguments, "--timing", "--size", str(WIDTH), str(HEIGHT)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines = []
        threading.Thread(target=self.read, daemon=True).start()
        self.window = self.wait(self.find_window, "a window")

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def wait(self, function, what, pause=0.02):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            result = function()
            if result:
                return result
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.process.returncode}: {self.lines}")
            time.sleep(pause)
        raise AssertionError(f"no {what}: {self.lines}")

    def find_window(self):
        for window in ROOT.query_tree().children:
            if (window.get_wm_name() or "").endswith("cudafilters-view"):
                return window
        return None

    def get_runs(self):
        """What was run so far: name and parameters."""
        return [line for line in self.lines if re.search(r": [0-9.]+ ms on ", line)]

    def wait_for_run(self, number):
        """The latest run, once there are more than that number of them."""
        self.wait(lambda: len(self.get_runs()) > number, f"run {number}")
        self.wait_for_still_picture()
        return self.get_runs()[-1]

    def wait_for_surface(self):
        """The latest run, which has drawn a surface, as none does while a slider is held."""
        self.wait(lambda: self.lines and self.lines[-1].startswith("  surface: "), "surface")
        self.wait_for_still_picture()
        return self.get_runs()[-1]

    def grab(self):
        data = self.window.get_image(0, 0, WIDTH, HEIGHT, Xlib.X.ZPixmap, 0xFFFFFFFF).data
        colours = bytearray(3 * WIDTH * HEIGHT)
        colours[0::3], colours[1::3], colours[2::3] = data[2::4], data[1::4], data[0::4]
        return Image(WIDTH, HEIGHT, bytes(colours))

    def wait_for_still_picture(self, before=None):
        """The picture, once it differs from the one before and has stayed the same for a while."""
        if before is not None:
            self.wait(lambda: self.grab().count_different(before) > 50, "change of the picture")
        picture, since = self.grab(), time.monotonic()

        def is_still():
            nonlocal picture, since
            latest = self.grab()
            if latest.pixels != picture.pixels:
                picture, since = latest, time.monotonic()
            return time.monotonic() - since > 0.4

        self.wait(is_still, "end of the picture's changes")
        return picture

    def move(self, x, y, pause=0.03):
        place = self.window.translate_coords(ROOT, 0, 0)
        Xlib.ext.xtest.fake_input(DISPLAY, Xlib.X.MotionNotify, x=x - place.x, y=y - place.y)
        DISPLAY.sync()
        time.sleep(pause)

    def press(self, button, is_down):
        kind = Xlib.X.ButtonPress if is_down else Xlib.X.ButtonRelease
        Xlib.ext.xtest.fake_input(DISPLAY, kind, button)
        DISPLAY.sync()
        time.sleep(0.05)

    def click(self, button, x, y):
        self.move(x, y)
        self.press(button, True)
        self.press(button, False)

    def drag(self, button, start, end, steps=10, pause=0.03):
        self.move(*start)
        self.press(button, True)
        for i in range(1, steps + 1):
            self.move(*(round(a + (b - a) * i / steps) for a, b in zip(start, end)), pause)
        self.press(button, False)

    def type(self, key):
        code = DISPLAY.keysym_to_keycode(key)
        for kind in (Xlib.X.KeyPress, Xlib.X.KeyRelease):
            Xlib.ext.xtest.fake_input(DISPLAY, kind, code)
            DISPLAY.sync()
            time.sleep(0.05)

    def find_knobs(self):
        """Middles of the sliders' knobs, from above: blocks of their colour."""
        image, knobs = self.grab(), []
        for y in range(4, HEIGHT - 8, 4):
            for x in range(4, PANEL - 8, 4):
                block = [image.get(x + i, y + k) for i in (0, 3, 6) for k in (0, 3, 6)]
                if all(p[0] > 240 and 200 < p[1] < 235 and p[2] < 100 for p in block):
                    if not any(abs(y - knob[1]) < 20 for knob in knobs):
                        knobs.append((x + 3, y + 3))
        return knobs

    def close(self):
        """As the button of a window's frame does."""
        protocols, close = DISPLAY.intern_atom("WM_PROTOCOLS"), DISPLAY.intern_atom("WM_DELETE_WINDOW")
        event = Xlib.protocol.event.ClientMessage(
            window=self.window, client_type=protocols, data=(32, [close, Xlib.X.CurrentTime, 0, 0, 0])
        )
        self.window.send_event(event)
        DISPLAY.sync()
        return self.process.wait(PATIENCE)


def run(*arguments, **environment):
    return subprocess.run(
        [PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
        check=False,
    )


class Viewer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.balls = str(self.folder / "balls.mha")
        write_volume(pathlib.Path(self.balls), (40, 40, 40), "MET_UCHAR", make_balls(40))

    def open(self, *arguments):
        session = Session(*arguments)
        self.addCleanup(lambda: session.process.poll() is None and session.process.kill())
        return session

    def write_screenshot(self, *arguments):
        file = self.folder / "shot.png"
        file.unlink(missing_ok=True)
        done = run(*arguments, "--size", str(WIDTH), str(HEIGHT), "--screenshot", str(file))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(inflate_png(file)[:2], (WIDTH, HEIGHT))
        return file

    def take_screenshot(self, *arguments):
        return read_png(self.write_screenshot(*arguments))

    def expect_error(self, words, *arguments, **environment):
        done = run(*arguments, **environment)
        self.assertIn(done.returncode, (1, 2), done)
        own = [line for line in done.stderr.splitlines() if line.startswith("cudafilters-view: ")]
        self.assertEqual(len(own), 1, done.stderr)
        self.assertIn(words, own[0])

    def test_a_slider_that_is_dragged_changes_picture_and_time(self):
        session = self.open(VOLUME, "--filter", "canny")
        first = session.wait_for_run(0)
        before = session.grab()
        knobs = session.find_knobs()
        self.assertEqual(len(knobs), 3)
        count = len(session.get_runs())
        session.drag(1, knobs[0], (knobs[0][0] + 100, knobs[0][1]))
        session.wait_for_run(count)
        last = session.wait_for_surface()
        after = session.grab()
        upper = [float(re.search(r"--upper ([0-9.]+)", line).group(1)) for line in (first, last)]
        self.assertGreater(upper[1], upper[0])
        lower = [re.search(r"--lower ([0-9.]+)", line).group(1) for line in (first, last)]
        self.assertEqual(lower[0], lower[1])
        red = lambda r, g, b: r > 120 and g < r // 2 and b < r // 2
        views = [image.crop(PANEL, 0, WIDTH, HEIGHT) for image in (before, after)]
        self.assertLess(views[1].count(red), views[0].count(red))
        self.assertGreater(views[0].count_different(views[1]), 500)
        status = [image.crop(0, HEIGHT - 150, PANEL, HEIGHT) for image in (before, after)]
        self.assertGreater(status[0].count_different(status[1]), 0)

        # Without a window, the same is drawn.
        session.move(WIDTH // 2, 10)
        values = re.findall(r"--(\w+) ([0-9.]+)", last)
        shot = self.take_screenshot(VOLUME, "--filter", "canny", *sum(([f"--{k}", v] for k, v in values), []))
        drawn = session.wait_for_still_picture()
        different = shot.crop(PANEL, 0, WIDTH, HEIGHT).count_different(drawn.crop(PANEL, 0, WIDTH, HEIGHT))
        self.assertLess(different, 100)
        self.assertEqual(session.close(), 0)

    def test_only_what_depends_on_a_parameter_runs_again(self):
        session = self.open(self.balls, "--filter", "components")
        session.wait_for_run(0)
        knobs = session.find_knobs()
        count = len(session.get_runs())
        session.drag(1, knobs[1], (knobs[1][0] + 40, knobs[1][1]))  # the minimum size
        session.wait_for_run(count)
        steps = [line for line in session.lines if re.match("  [a-z]", line)][-4:]
        self.assertIn("  threshold: kept", steps)
        self.assertIn("  components: kept", steps)
        self.assertTrue(any(re.match(r"  order by size: [0-9.e-]+ ms", step) for step in steps), steps)
        self.assertEqual(session.close(), 0)

    def test_results_are_shown_while_a_slider_moves_all_the_time(self):
        session = self.open(self.balls, "--filter", "threshold")
        session.wait_for_run(0)
        knob = session.find_knobs()[0]
        count = len(session.get_runs())
        session.move(*knob)
        session.press(1, True)
        places = itertools.cycle([*range(100), *range(100, 0, -1)])

        def move_on():
            session.move(knob[0] + next(places), knob[1], pause=0)
            return len(session.get_runs()) > count + 5

        session.wait(move_on, "results while the slider moves", pause=0.004)
        session.press(1, False)
        self.assertEqual(session.close(), 0)

    def test_edges_follow_a_threshold_that_is_dragged(self):
        """Tells how many results a second there are; CUDAFILTERS_VIEWER_SIDE=256 does so for a large volume."""
        side = int(os.environ.get("CUDAFILTERS_VIEWER_SIDE", "48"))
        phantom = str(self.folder / "phantom.mha")
        subprocess.run([str(INPUT.parent.parent / "Utilities" / "make-phantom.py"), phantom, str(side)], check=True)
        session = self.open(phantom, "--filter", "canny", "--variance", "3", "--upper", "12", "--lower", "6")
        session.wait_for_run(0)
        knob = session.find_knobs()[1]  # the upper threshold
        # Until the slider is released, the view in space stays as it is.
        space = ((PANEL + WIDTH) // 2 + 5, 5, WIDTH - 5, HEIGHT // 2 - 5)
        session.wait(lambda: session.grab().crop(*space).count(lambda *colour: max(colour) > 60) > 1000, "surface")
        before = session.wait_for_still_picture().crop(*space)
        session.move(*knob)
        session.press(1, True)
        for i in range(10):
            session.move(knob[0] + 2 * i, knob[1], pause=0.1)
        self.assertLess(session.grab().crop(*space).count_different(before), 100)
        session.move(*knob)
        session.press(1, False)
        session.wait_for_run(len(session.get_runs()))
        count, begin = len(session.get_runs()), time.monotonic()
        session.drag(1, knob, (knob[0] + 60, knob[1]), steps=100 if side < 100 else 600)
        seconds = time.monotonic() - begin
        results = len(session.get_runs()) - count
        print(f"{side} x {side} x {side}: {results} results in {seconds:.1f} s, {results / seconds:.2g} a second")
        print(f"the first: {session.get_runs()[0]}; the last: {session.get_runs()[-1]}")
        self.assertGreater(results, 1)
        self.assertEqual(session.close(), 0)

    def test_mouse_and_keys(self):
        session = self.open(VOLUME)
        session.wait_for_run(0)
        place = (PANEL + 100, HEIGHT // 4)
        picture = session.grab()
        actions = [
            lambda: session.click(4, *place),  # the wheel: another slice
            lambda: session.drag(1, place, (place[0] + 60, place[1] + 40)),  # brightness and contrast
            lambda: session.drag(3, place, (place[0], place[1] + 40)),  # zoom
            lambda: session.drag(2, place, (place[0] + 30, place[1])),  # move
            lambda: session.type(ord("r")),
            lambda: session.type(ord("w")),
            lambda: session.drag(1, (WIDTH - 100, 100), (WIDTH - 180, 130)),  # turn
            lambda: session.type(ord("p")),
            lambda: session.type(ord("h")),
            lambda: session.type(ord("h")),
        ]
        for number, action in enumerate(actions):
            with self.subTest(action=number):
                action()
                picture = session.wait_for_still_picture(picture)
        count = len(session.get_runs())
        session.type(0xFF54)  # down: the next filter
        self.assertIn("gaussian", session.wait_for_run(count))
        count = len(session.get_runs())
        session.click(1, 40, 14 + 33 + 7 * 22 + 10)  # the name of the eighth
        self.assertIn("threshold", session.wait_for_run(count))
        session.type(ord("q"))
        self.assertEqual(session.process.wait(PATIENCE), 0)

    def test_every_filter_draws(self):
        plain = self.take_screenshot(self.balls)
        filters = ["gaussian", "median", "opening", "h-maxima", "sobel", "canny", "threshold", "components", "distance"]
        for name in filters:
            with self.subTest(name):
                shot = self.take_screenshot(self.balls, "--filter", name)
                views = [image.crop(PANEL, 0, WIDTH, HEIGHT) for image in (plain, shot)]
                self.assertGreater(views[0].count_different(views[1]), 100)
        for name in filters:
            with self.subTest(name + " of a picture"):
                self.write_screenshot(PICTURE, "--filter", name)

    def test_closed_while_computing(self):
        big = self.folder / "big.mha"
        side = 160
        write_volume(big, (side, side, side), "MET_UCHAR", bytes(side) * side + bytes([200]) * (side**3 - side**2))
        session = self.open(str(big), "--filter", "canny", "--backend", "cpu")
        self.assertEqual(session.close(), 0, session.lines)

    def test_turning_view(self):
        done = run(self.balls, "--filter", "threshold", "--record", str(self.folder / "frames"), "--frames", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        frames = sorted((self.folder / "frames").iterdir())
        self.assertEqual([frame.name for frame in frames], ["frame-000.png", "frame-001.png", "frame-002.png"])
        images = [read_png(frame) for frame in frames]
        self.assertGreater(images[0].count_different(images[1]), 500)

    def test_strange_images(self):
        def floats(*numbers):
            return array.array("f", numbers).tobytes()

        nan, infinity = math.nan, math.inf
        images = {
            "constant": ((5, 4, 3), floats(*[7.0] * 60)),
            "numbers that are none": ((5, 4, 3), floats(*[nan] * 60)),
            "some numbers that are none": ((5, 4, 3), floats(*[nan, infinity, -infinity, 1.0] * 15)),
            "one slice": ((6, 5, 1), floats(*range(30))),
            "one pixel": ((1, 1, 1), floats(1.0)),
            "one row": ((7, 1), floats(*range(7))),
        }
        for what, (sizes, pixels) in images.items():
            file = self.folder / "strange.mha"
            write_volume(file, sizes, "MET_FLOAT", pixels)
            for name in ("image", "sobel", "canny", "threshold", "components", "distance", "opening"):
                with self.subTest(what=what, filter=name):
                    self.write_screenshot(str(file), "--filter", name)
        # Nothing is marked.
        self.write_screenshot(self.balls, "--filter", "threshold", "--lower", "1000", "--upper", "2000")
        self.write_screenshot(self.balls, "--filter", "components", "--above", "1000")

    def test_folder_of_dicom_slices(self):
        folder = self.folder / "dicom"
        folder.mkdir()
        self.expect_error("no DICOM files", str(folder))
        side = 40
        pixels = make_balls(side)
        for z in range(side):
            # The names are not in the order of the slices.
            write_dicom(folder / f"{(z * 7) % side:02}.dcm", side, z, pixels[z * side**2 : (z + 1) * side**2])
        shots = [self.take_screenshot(file, "--filter", "threshold") for file in (str(folder), self.balls)]
        views = [shot.crop(PANEL, 0, WIDTH, HEIGHT) for shot in shots]
        self.assertLess(views[0].count_different(views[1]), 100)

    def test_commands_in_documents(self):
        """The blocks that are marked by <!-- run viewer --> do what they say."""
        project = INPUT.parent.parent
        link_project(self.folder)
        blocks = of_kind("run viewer")
        self.assertGreaterEqual(len(blocks), 5)
        path = os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]
        for block in blocks:
            with self.subTest(str(block)):
                if ".png" not in block.text:
                    self.assertRegex(block.text, r"^cudafilters-view head\.mha$")
                    session = self.open(VOLUME)
                    session.wait_for_run(0)
                    self.assertEqual(session.close(), 0)
                    continue
                done = subprocess.run(
                    ["bash", "-e", "-c", block.text],
                    cwd=self.folder,
                    env={**os.environ, "PATH": path},
                    capture_output=True,
                    text=True,
                    timeout=PATIENCE,
                    check=False,
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                written = self.folder / re.findall(r"\S+\.png", block.text)[-1]
                self.assertTrue(written.stat().st_size > 0)
                published = project / "Documentation" / "viewer" / written.name
                if published.exists():
                    # A time of the last run may be in it, and another version of VTK draws a little differently. Mesa's
                    # drawing differs from processor to processor: three quarters of a picture's greys by 1 or 2 have been seen.
                    new, old = read_png(written), read_png(published)
                    left = PANEL if new.width > 1000 else 0
                    different = new.crop(left, 0, new.width, new.height).count_different(
                        old.crop(left, 0, old.width, old.height), margin=4
                    )
                    self.assertLess(different, 0.01 * new.width * new.height)

    def test_errors(self):
        self.expect_error("no such file", str(self.folder / "none.mha"))
        text = self.folder / "text.txt"
        text.write_text("this is no image")
        self.expect_error("not an image", str(text))
        colour = self.folder / "colour.mha"
        colour.write_bytes(
            b"ObjectType = Image\nNDims = 2\nDimSize = 2 1\nElementNumberOfChannels = 3\nElementType = MET_UCHAR\n"
            b"ElementDataFile = LOCAL\n\1\2\3\4\5\6"
        )
        self.expect_error("components per pixel", str(colour))
        write_volume(self.folder / "four.mha", (2, 2, 2, 2), "MET_UCHAR", bytes(16))
        self.expect_error("4 dimensions", str(self.folder / "four.mha"))
        self.expect_error("there is no filter 'cany'", VOLUME, "--filter", "cany")
        self.expect_error("has no --height", VOLUME, "--filter", "canny", "--height", "3")
        self.expect_error("less than", VOLUME, "--filter", "median", "--radius", "-1")
        self.expect_error("no display", VOLUME, DISPLAY="")
        self.expect_error("no display", VOLUME, "--screenshot", str(self.folder / "x.png"), DISPLAY=":9999")
        self.expect_error("no view in space", PICTURE, "--record", str(self.folder / "frames"))
        self.expect_error("there is no folder", VOLUME, "--screenshot", str(self.folder / "none" / "x.png"))
        self.assertFalse((self.folder / "x.png").exists())


if __name__ == "__main__":
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    try:
        os.environ["DISPLAY"] = ":" + os.read(read_end, 16).decode().strip()
        DISPLAY = Xlib.display.Display()
        ROOT = DISPLAY.screen().root
        unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
    finally:
        server.terminate()
