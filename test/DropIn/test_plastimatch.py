# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""plastimatch, a program of Debian's that uses the shared ITK, unmodified, with the plug-in and without it.

    test_plastimatch.py PLUGIN IMAGE [OPTION OF UNITTEST ...]

IMAGE is a volume of few slices, between which plastimatch interpolates more. DROPIN_PRELOAD names libraries to load before
the program: those of the emulated device. Without it, the tests need a GPU.
"""

import array
import os
import subprocess
import sys
import tempfile
import unittest

PLUGIN, IMAGE = (os.path.abspath(path) for path in sys.argv[1:3])
PRELOAD = os.environ.pop("DROPIN_PRELOAD", "")
ACCELERATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Utilities/accelerate.sh")


def split(file_content):
    """The header and the pixels of a file in MetaImage's format."""
    header, _, pixels = file_content.partition(b"ElementType = MET_FLOAT\nElementDataFile = LOCAL\n")
    return header, array.array("f", pixels)


class Plastimatch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.volume, cls.mask = (os.path.join(cls.folder.name, name) for name in ("volume.mha", "mask.mha"))
        resampling = ["--dim", "40 48 16", "--spacing", "4.5 4.5 0.1875"]
        cls.run_program("resample", "--input", IMAGE, "--output", cls.volume, *resampling)
        cls.run_program("threshold", "--input", cls.volume, "--above", "150", "--output", cls.mask)

    @staticmethod
    def run_program(*arguments, **variables):
        """Runs plastimatch with the plug-in if variables are given. Returns the plug-in's lines."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ITK_")}
        command = ["plastimatch", *arguments]
        if variables:
            environment.update(variables, CUDAFILTERS_PLUGIN=os.path.dirname(PLUGIN))
            if PRELOAD:
                command = ["env", f"LD_PRELOAD={PRELOAD}", "ASAN_OPTIONS=detect_leaks=0", *command]
            command = [ACCELERATE, "--verbose", *command]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return [
            line for line in done.stderr.splitlines() if line.startswith("itk-cuda: ") and ", is started: " not in line
        ]

    def compute(self, arguments, **variables):
        """Returns the bytes of the file that plastimatch writes, and the plug-in's lines."""
        output = os.path.join(self.folder.name, "output.mha")
        lines = self.run_program(*arguments, "--output", output, **variables)
        with open(output, "rb") as file:
            return file.read(), lines

    def check(self, arguments, names, **variables):
        """The file must be the same with the plug-in, and the filters must have run on a device."""
        plain, _ = self.compute(arguments)
        accelerated, lines = self.compute(arguments, ITK_CUDA_BACKEND="cuda", **variables)
        self.assertEqual([line.split()[1] for line in lines], names)
        for line in lines:
            self.assertRegex(line, r"40x48x16: .+ \(device 0\), \d+\.\d{3} ms$")
        # Numbers are compared, since zeros may have another sign.
        self.assertTrue(split(plain) == split(accelerated), f"the file is another one with the plug-in: {arguments}")
        self.assertEqual(len(split(plain)[1]), 40 * 48 * 16)

    def test_distances(self):
        for options in ([], ["--squared-distance"], ["--inside-positive"], ["--maximum-distance", "5"]):
            arguments = ["dmap", "--algorithm", "itk-maurer", "--input", self.mask, *options]
            self.check(arguments, ["CastImageFilter", "SignedMaurerDistanceMapImageFilter"])

    def test_distances_of_danielsson(self):
        arguments = ["dmap", "--algorithm", "itk-danielsson", "--input", self.mask]
        self.check(arguments, ["CastImageFilter", "SubtractImageFilter"])  # those inside ITK's own
        plain, _ = self.compute(arguments)
        exact, lines = self.compute(
            arguments, ITK_CUDA_BACKEND="cuda", ITK_CUDA_ENABLE="SignedDanielssonDistanceMapImageFilter"
        )
        self.assertEqual(lines[-1].split()[1], "SignedDanielssonDistanceMapImageFilter")
        # An approximation is never too small.
        pairs = list(zip(split(plain)[1], split(exact)[1]))
        self.assertEqual(len(pairs), 40 * 48 * 16)
        self.assertTrue(all(abs(b) <= abs(a) + 1e-4 for a, b in pairs))
        self.assertLess(sum(abs(a - b) for a, b in pairs) / len(pairs), 0.01)

    def test_gaussian(self):
        # The Gaussian is plastimatch's own.
        self.check(["filter", "--pattern", "gauss", "--gauss-width", "6", self.volume], ["CastImageFilter"])

    def test_short_runs_start_no_device(self):
        arguments = ["dmap", "--algorithm", "itk-maurer", "--input", self.mask]
        plain, _ = self.compute(arguments)
        output, lines = self.compute(arguments, ITK_CUDA_BACKEND="auto")
        self.assertTrue(plain == output)
        copied = "the image is not on the device, and to copy it there would take longer"
        reasons = {
            "CastImageFilter": copied,
            "BinaryThresholdImageFilter": copied,  # inside Maurer's filter on the CPU
            "SignedMaurerDistanceMapImageFilter": "to start the device would take longer",
        }
        self.assertEqual(len(lines), len(reasons))
        for line, (name, why) in zip(lines, reasons.items()):
            self.assertRegex(line, rf"^itk-cuda: {name} 40x48x16: CPU \({why}\), ")


if __name__ == "__main__":
    del sys.argv[1:3]
    unittest.main(verbosity=2)
