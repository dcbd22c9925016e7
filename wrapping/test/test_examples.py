# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The examples run as they stand."""

import os
import subprocess
import sys
import tempfile
import unittest

from support import WHY_NO_DEVICE

HERE = os.path.dirname(os.path.abspath(__file__))


def find(*candidates):
    """In the project, or in a bundle."""
    return next(path for path in (os.path.join(HERE, name) for name in candidates) if os.path.exists(path))


EXAMPLES = find("../../examples/python", "../python")
SLICE = os.path.join(find("../../test/Input", "../Input"), "BrainProtonDensitySlice.png")


class Examples(unittest.TestCase):
    def run_example(self, name, *arguments):
        result = subprocess.run(
            [sys.executable, os.path.join(EXAMPLES, name), *arguments], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_all_are_tested(self):
        names = {name for name in os.listdir(EXAMPLES) if name.endswith(".py")}
        self.assertEqual(names, {"pipeline.py", "share_with_cupy.py", "tour.py"})

    def test_pipeline(self):
        output = self.run_example("pipeline.py")
        self.assertIn("0 to 255", output)
        self.assertIn("0 uploads, 0 downloads" if WHY_NO_DEVICE else "1 uploads, 1 downloads", output)

    def test_share_with_cupy(self):
        output = self.run_example("share_with_cupy.py")
        self.assertTrue("needs CuPy" in output or "0 uploads, 0 downloads" in output, output)

    def test_tour(self):
        with tempfile.TemporaryDirectory() as folder:
            output = self.run_example("tour.py", SLICE, folder)
            self.assertEqual(
                set(os.listdir(folder)),
                {f"{name}.png" for name in ("input", "smooth", "magnitude", "direction", "edges")},
            )
        self.assertIn("100.00% of the edges found, 0 others", output)
        usage = subprocess.run([sys.executable, os.path.join(EXAMPLES, "tour.py")], capture_output=True, text=True)
        self.assertNotEqual(usage.returncode, 0)
        self.assertIn("usage", usage.stderr)


if __name__ == "__main__":
    unittest.main()
