# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of code in Python on the pages of the documentation do what they say, and those of the gallery compute what
the commands beside them compute."""

import importlib.util
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import itk
import numpy

from support import WHY_NO_DEVICE

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("CUDAFILTERS_PROGRAM", "")
HAS_PAGES = (PROJECT / "Documentation").is_dir()
if HAS_PAGES:
    sys.path[:0] = [str(PROJECT / "test" / "Documentation"), str(PROJECT / "Utilities")]
    import blocks
    import gallery


@unittest.skipUnless(HAS_PAGES and os.path.exists(PROGRAM), "needs the pages and the program cudafilters")
class Pages(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.programs = pathlib.Path(PROGRAM).resolve().parent
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_block(self, block, names):
        exec(compile(block.preparation, f"{block}, preparation", "exec"), names)
        exec(compile(block.text, str(block), "exec"), names)

    def test_pages(self):
        blocks.make_samples(self.folder, self.programs)
        names = {"itk": itk, "math": math, "numpy": numpy}
        done = 0
        for block in blocks.read_blocks():
            if not block.mark.startswith("run python"):
                continue
            with self.subTest(str(block)):
                if block.mark.endswith("on a device") and WHY_NO_DEVICE:
                    self.skipTest("needs a device")
                if block.mark.endswith("with CuPy"):
                    if WHY_NO_DEVICE or importlib.util.find_spec("cupy") is None:
                        self.skipTest("needs CuPy")
                    names["cupy"] = importlib.import_module("cupy")
                if "pandas" in block.text and importlib.util.find_spec("pandas") is None:
                    # The last line shows how to go on with another package.
                    block.text = "\n".join(line for line in block.text.split("\n") if "pandas" not in line)
                if block.language == "sh":
                    command = [sys.executable, *shlex.split(block.text)]
                    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                else:
                    self.run_block(block, dict(names))
                done += 1
        self.assertGreater(done, 5)

    def test_gallery(self):
        numbers, bad = gallery.run_commands(self.folder, self.programs)
        self.assertEqual(bad, [])
        names = {}
        self.run_block(blocks.of_gallery()["prepare"]["python"], names)
        for name, languages in blocks.of_gallery().items():
            if name == "prepare":
                continue
            with self.subTest(name):
                found = dict(names)
                self.run_block(languages["python"], found)
                result = found["result"]
                if numbers[name] is not None:
                    self.assertAlmostEqual(float(result), numbers[name], delta=1e-6 * abs(numbers[name]))
                else:
                    width, expected = gallery.read_mha(self.folder / f"{name}.mha")
                    pixels = itk.array_from_image(result).ravel().tolist()
                    mark = languages["sh"].mark
                    self.assertIsNone(gallery.find_difference(mark, width, expected, pixels))


if __name__ == "__main__":
    unittest.main()
