# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""SimpleITK, which contains another ITK and loads plug-ins from the same path, with the plug-in of this module.

    test_simpleitk.py PLUGIN

To be run by a Python that has SimpleITK.
"""

import os
import subprocess
import sys
import tempfile
import unittest

PLUGIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""

# Filters that have overrides; and a file, since ITK asks all factories for file formats.
PROGRAM = """
import sys
import SimpleITK

image = SimpleITK.GaussianSource(SimpleITK.sitkUInt8, [60, 40])
SimpleITK.WriteImage(image, sys.argv[1])
image = SimpleITK.ReadImage(sys.argv[1])
results = [image, SimpleITK.DiscreteGaussian(image, 3.0), SimpleITK.Median(image), SimpleITK.GrayscaleFillhole(image)]
results += [SimpleITK.SignedMaurerDistanceMap(image > 100), SimpleITK.ConnectedComponent(image > 100)]
print([SimpleITK.Hash(result) for result in results])
"""


def run(**variables):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, os.path.join(folder, "image.png")],
            env=dict(os.environ, **variables),
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
        )


class OtherItk(unittest.TestCase):
    def test_declines_and_leaves_the_results(self):
        plain = run()
        folder = os.path.dirname(PLUGIN)
        for backend in ("auto", "cuda"):
            done = run(ITK_AUTOLOAD_PATH=folder, ITK_CUDA_BACKEND=backend)
            self.assertEqual(done.stdout, plain.stdout)
            lines = done.stderr.splitlines()
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertRegex(lines[0], r"^itk-cuda: declined: this program contains an ITK of its own \(itk version \d")
        done = run(ITK_AUTOLOAD_PATH=folder, ITK_CUDA_BACKEND="off")
        self.assertEqual((done.stdout, done.stderr), (plain.stdout, ""))


if __name__ == "__main__":
    del sys.argv[1:2]
    unittest.main()
