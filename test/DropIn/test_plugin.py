# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the plug-in: a program of ITK's, unmodified, with it and without it.

    test_plugin.py PROGRAM PLUGIN [OPTION OF UNITTEST ...]

PROGRAM is that of Program.cxx, PLUGIN the plug-in. DROPIN_PRELOAD names libraries to load before the program: those of the
emulated device. Without it, the tests run on the machine's GPU, or as on a machine without one. CUDAFILTERS_TEST_NEEDS_DEVICE
makes them fail there.
"""

import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = os.path.dirname(PLUGIN)
PRELOAD = os.environ.pop("DROPIN_PRELOAD", "")

# The filters of ITK that are not replaced, and which filters inside them are.
COMPOSITES = {
    "GrayscaleGrindPeak": {"ReconstructionByDilationImageFilter"},
    "GrayscaleConnectedOpening": {"ReconstructionByDilationImageFilter"},
    "GrayscaleConnectedClosing": {"ReconstructionByErosionImageFilter"},
    "WhiteTopHat": {"GrayscaleMorphologicalOpeningImageFilter", "SubtractImageFilter"},
    "BlackTopHat": {"GrayscaleMorphologicalClosingImageFilter", "SubtractImageFilter"},
    "ThresholdMaximumConnectedComponents": {"BinaryThresholdImageFilter", "ConnectedComponentImageFilter"},
    "ContourMeanDistance": {"SignedMaurerDistanceMapImageFilter"},
    "CannyEdgeDetection": {"DiscreteGaussianImageFilter", "MultiplyImageFilter", "ZeroCrossingImageFilter"},
    "ZeroCrossingBasedEdgeDetection": {
        "DiscreteGaussianImageFilter",
        "LaplacianImageFilter",
        "ZeroCrossingImageFilter",
    },
}


def get_environment(**variables):
    """The environment of this process without variables of ITK and this module, and these variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ITK_")} | variables


def run_program(*parts, path=FOLDER, preload=PRELOAD, **variables):
    """The program's standard output, and the lines of standard error."""
    environment = get_environment(**variables)
    if path:
        environment["ITK_AUTOLOAD_PATH"] = path
    if preload:
        environment.update(LD_PRELOAD=preload, ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([PROGRAM, *parts], env=environment, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout, done.stderr.splitlines()


def run(*parts, **settings):
    """The program's standard output, the plug-in's lines but for the device's start, and other lines of standard error."""
    output, errors = run_program(*parts, **settings)
    others = [line for line in errors if not line.startswith(("itk-cuda: ", "composite: "))]
    lines = [line.removeprefix("itk-cuda: ") for line in errors if line.startswith("itk-cuda: ")]
    return output, [line for line in lines if ", is started: " not in line], others


def get_runs_on_device(lines):
    return [line for line in lines if re.search(r"\(device \d+\)", line)]


DECLINED = [line for line in run("chain", preload="", ITK_CUDA_VERBOSE="1")[1] if line.startswith("declined: ")]
if DECLINED not in ([], ["declined: there is no CUDA driver"], ["declined: this module was built without CUDA"]):
    sys.exit(f"the plug-in cannot be used: {DECLINED}")
HAS_DRIVER = not DECLINED
HAS_DEVICE = bool(get_runs_on_device(run("chain", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")[1]))
if not HAS_DEVICE and (PRELOAD or os.environ.get("CUDAFILTERS_TEST_NEEDS_DEVICE")):
    sys.exit("there is no device")
WITH_TESTS_OF_THEIR_OWN = ("danielsson", "edges", "fork")
PARTS = [part for part in run_program("--list", path="", preload="")[0].split() if part not in WITH_TESTS_OF_THEIR_OWN]
PLAIN = run(*PARTS, path="", preload="")[0]
assert "exception" not in PLAIN, PLAIN
needs_device = unittest.skipUnless(HAS_DEVICE, "needs a device")
needs_no_driver = unittest.skipIf(HAS_DRIVER, "this machine has a driver")


@needs_device
class OnDevice(unittest.TestCase):
    def test_same_pixels(self):
        output, lines, _ = run(*PARTS, ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")
        self.assertEqual(output, PLAIN)
        self.assertGreater(len(get_runs_on_device(lines)), 30)

    def test_same_pixels_where_the_cpu_takes_part(self):
        # Other filters run on the device only if their input is there.
        filters = ("Median", "GrayscaleFillhole", "SignedMaurerDistanceMap")
        output, lines, _ = run(
            *PARTS,
            ITK_CUDA_MINIMUM_PIXELS=",".join(f"{name}ImageFilter=1" for name in filters),
            ITK_CUDA_VERBOSE="1",
        )
        self.assertEqual(output, PLAIN)
        on_device = get_runs_on_device(lines)
        self.assertGreater(len(on_device), 30)
        self.assertGreater(len(lines) - len(on_device), 10)

    def test_forked_process(self):
        # CUDA does not work in it.
        output, lines, _ = run("fork", ITK_CUDA_MINIMUM_PIXELS="1", ITK_CUDA_VERBOSE="1")
        self.assertEqual(output, run("fork", path="", preload="")[0])
        self.assertEqual(len(get_runs_on_device(lines)), 3)

    def test_says_filter_size_place_and_time(self):
        _, lines, _ = run("chain-3d", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")
        self.assertEqual(len(lines), 3)
        for line, name in zip(lines, ("Median", "GrayscaleFillhole", "SignedMaurerDistanceMap")):
            self.assertRegex(line, rf"^{name}ImageFilter 28x23x23: .+ \(device 0\), \d+\.\d{{3}} ms$")

    def test_says_how_long_the_start_takes(self):
        errors = run_program("chain-3d", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")[1]
        self.assertRegex(errors[0], r"^itk-cuda: device 0, .+, is started: \d+\.\d{3} ms$")
        self.assertEqual(len([line for line in errors if "started" in line]), 1)
        errors = run_program("chain", ITK_CUDA_VERBOSE="1")[1]  # small images start none
        self.assertEqual([line for line in errors if "started" in line], [])

    def test_is_silent_unless_asked(self):
        _, lines, others = run("chain", ITK_CUDA_BACKEND="cuda")
        self.assertEqual((lines, others), ([], []))

    def test_filters_inside_others(self):
        _, errors = run_program("composites", "edges", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")
        found, composite = {}, None
        for line in errors:
            if line.startswith("composite: "):
                composite = found.setdefault(line.split()[1], set())
            elif get_runs_on_device([line]) and composite is not None:
                composite.add(line.split()[1])
        print("\nFilters that run on the device inside filters of ITK:")
        for name, filters in found.items():
            print(f"  {name}: {', '.join(sorted(filters))}")
        self.assertEqual(list(found), list(COMPOSITES))
        for name, filters in COMPOSITES.items():
            self.assertLessEqual(filters, found[name], name)

    def test_edges_of_filters_inside_others(self):
        # Smoothed pixels of type float may differ in the last digits, and edges with them.
        plain = run_program("edges", path="", preload="")[0].splitlines()
        edges = run_program("edges", ITK_CUDA_BACKEND="cuda")[0].splitlines()
        self.assertEqual(len(plain), 3)
        self.assertEqual(len(edges), 3)
        for line, expected in zip(edges[:2], plain[:2]):
            self.assertEqual(len(line), len(expected))
            self.assertGreater(expected.count("1"), 200)
            different = sum(a != b for a, b in zip(line, expected))
            self.assertLessEqual(different, len(line) / 1000)

    def test_small_images_stay_on_the_cpu(self):
        output, lines, _ = run("chain", ITK_CUDA_VERBOSE="1")
        self.assertIn(output.strip(), PLAIN.splitlines())
        self.assertEqual(get_runs_on_device(lines), [])
        self.assertIn("CPU (the image is small: 4026 pixels", lines[0])

    def test_runs_in_place_in_turn(self):
        _, lines, _ = run("in-place-chain", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1")
        self.assertEqual((len(get_runs_on_device(lines)), len(lines)), (6, 6))

    def test_minimum_of_pixels(self):
        for minimum, count in (("MedianImageFilter=1", 3), ("GrayscaleFillholeImageFilter=4026", 2), ("4027", 0)):
            _, lines, _ = run("chain", ITK_CUDA_VERBOSE="1", ITK_CUDA_MINIMUM_PIXELS=minimum)
            # What a filter leaves on the device is computed there further on.
            self.assertEqual(len(get_runs_on_device(lines)), count, minimum)

    def test_disabled_filter(self):
        output, lines, _ = run(
            "chain",
            ITK_CUDA_BACKEND="cuda",
            ITK_CUDA_VERBOSE="1",
            ITK_CUDA_DISABLE="GrayscaleFillholeImageFilter, NoFilter",
        )
        self.assertIn(output.strip(), PLAIN.splitlines())
        self.assertEqual(lines[0], "ITK_CUDA_DISABLE: there is no override of NoFilter")
        # ITK's own object has the filter of reconstructions inside.
        self.assertEqual(
            [line.split()[0] for line in lines[1:]],
            ["MedianImageFilter", "ReconstructionByErosionImageFilter", "SignedMaurerDistanceMapImageFilter"],
        )

    def test_enabled_filter(self):
        # Danielsson's is left to ITK, unless it is asked for; that of signed distances has two inside.
        for enabled, expected in (
            ("", set()),
            ("DanielssonDistanceMapImageFilter", {"DanielssonDistanceMapImageFilter"}),
            ("SignedDanielssonDistanceMapImageFilter", {"SignedDanielssonDistanceMapImageFilter"}),
        ):
            output, lines, _ = run("danielsson", ITK_CUDA_BACKEND="cuda", ITK_CUDA_VERBOSE="1", ITK_CUDA_ENABLE=enabled)
            self.assertIn("former distances are kept: 1", output)
            found = {line.split()[0] for line in get_runs_on_device(lines)}
            self.assertEqual({name for name in found if "Danielsson" in name}, expected)

    def test_wrong_words(self):
        for variables, expected in (
            ({"ITK_CUDA_BACKEND": "gpu"}, "ITK_CUDA_BACKEND=gpu is not auto, cuda, cpu or off; auto is taken"),
            ({"ITK_CUDA_MINIMUM_PIXELS": "many"}, "ITK_CUDA_MINIMUM_PIXELS: many is neither a number nor "),
            ({"ITK_CUDA_MINIMUM_PIXELS": "NoFilter=3"}, "ITK_CUDA_MINIMUM_PIXELS: NoFilter=3 is neither a number nor "),
        ):
            output, lines, others = run("chain", **variables)
            self.assertIn(output.strip(), PLAIN.splitlines())
            self.assertEqual((len(lines), others), (1, []))
            self.assertIn(expected, lines[0])

    def test_missing_pixels_are_no_failure_of_the_device(self):
        output, lines, others = run("missing", ITK_CUDA_MINIMUM_PIXELS="1", ITK_CUDA_VERBOSE="1")
        self.assertIn(output.strip(), PLAIN.splitlines())
        self.assertEqual(len(get_runs_on_device(lines)), 2)
        self.assertEqual((len(lines), others), (2, []))

    def test_on_the_cpu(self):
        output, lines, _ = run(*PARTS, ITK_CUDA_BACKEND="cpu", ITK_CUDA_VERBOSE="1")
        self.assertEqual(output, PLAIN)
        self.assertGreater(len(lines), 30)
        self.assertEqual(get_runs_on_device(lines), [])

    @unittest.skipUnless("libitkCudaFiltersCore" in PRELOAD, "needs the emulated device")
    def test_device_disappears(self):
        # At any call of CUDA's: a launch, a copy, an allocation, a wait.
        for part, step in (
            ("twice", 1),
            ("diamonds", 3),
            ("released-input", 3),
            ("in-place-chain", 1),
            ("observed", 5),
            ("progress", 5),
            ("ended", 7),
            ("beside", 7),
        ):
            failures = recoveries = hopeless = 0
            for calls in range(step, 1000, step):
                output, lines, others = run(
                    part, ITK_CUDA_MINIMUM_PIXELS="1", ITK_CUDA_VERBOSE="1", CUDAFILTERS_EMULATED_CALLS=str(calls)
                )
                is_hopeless = part == "released-input" and "exception" in output
                if is_hopeless:
                    hopeless += 1
                    self.assertIn("Pixels are lost, and cannot be computed again", output)
                else:
                    self.assertIn(output.splitlines()[0], PLAIN.splitlines(), (part, calls))
                warnings = [line for line in others if line.startswith("WARNING")]
                on_cpu = [line for line in lines if " CPU (" in line and "computes in place" not in line]
                if not is_hopeless and not on_cpu:
                    self.assertEqual(warnings, [])
                    break
                if not any("cannot be used" in line for line in lines):
                    failures += 1
                    recoveries += not is_hopeless
                    self.assertEqual(len(warnings), 1, others)
                    self.assertIn("Runs on the CPU: ", warnings[0])
                    self.assertIn("launch failure", warnings[0])
            else:
                self.fail(f"{part}: the device is always lost")
            self.assertGreater(failures, 5, part)
            self.assertGreater(recoveries, 2, part)
            self.assertEqual(hopeless > 0, part == "released-input")
            self.assertGreaterEqual(len(get_runs_on_device(lines)), 3)


class Comparison(unittest.TestCase):
    SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Utilities/compare-backends.py")

    def compare(self, *arguments):
        environment = get_environment(
            CUDAFILTERS_PLUGIN=FOLDER, ITK_CUDA_MINIMUM_PIXELS="1", ASAN_OPTIONS="detect_leaks=0"
        )
        return subprocess.run(
            [sys.executable, self.SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False
        )

    @needs_device
    def test_prints_medians_and_writes_all_times(self):
        with tempfile.TemporaryDirectory() as folder:
            file_name = os.path.join(folder, "times.csv")
            program = ["env", f"LD_PRELOAD={PRELOAD}", PROGRAM, "chain-3d"]
            done = self.compare("--runs", "2", "--csv", file_name, *program)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout.splitlines()
            self.assertRegex(lines[0], "^milliseconds, medians of 2 +CPU +device +place$")
            self.assertRegex(lines[1], r"^whole program +\d+\.\d +\d+\.\d *$")
            self.assertRegex(lines[2], r"^start of the device +\d+\.\d +\S.*$")
            for line, name in zip(lines[3:6], ("Median", "GrayscaleFillhole", "SignedMaurerDistanceMap")):
                self.assertRegex(line, rf"^{name}ImageFilter 28x23x23 +\d+\.\d +\d+\.\d +.+ \(device 0\)$")
            with open(file_name, encoding="utf-8") as file:
                rows = file.read().splitlines()
            self.assertEqual(rows[0], f"# ITK_CUDA_MINIMUM_PIXELS=1 {shlex.join(program)}")
            self.assertRegex(rows[1], r"^# \S.*, \d+ processors, \d{4}-\d\d-\d\d, source hash [0-9a-f]{16}$")
            self.assertEqual(rows[2:4], ["# ", "backend,run,what,size,place,milliseconds"])
            self.assertEqual(len([row for row in rows if row.startswith("off,")]), 2)
            self.assertEqual(len([row for row in rows if row.startswith("auto,2,")]), 5)

    def test_compares_the_pixels_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "result.mha")
            script = (
                "import array, os, sys; "
                "isOff = os.environ['ITK_CUDA_BACKEND'] == 'off'; "
                "pixels = eval(sys.argv[2 if isOff else 1]); "
                "file = open(sys.argv[3], 'wb'); "
                "file.write(sys.argv[4].encode()); "
                "array.array('f', pixels).tofile(file)"
            )
            header = "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"
            differ, same = "pixels differ with the backend auto", "bytes are the same with the backend auto"
            nan = "float('nan')"
            for off, auto, head, expected in (
                (f"[1, 0.0, {nan}]", f"[1, -0.0, -{nan}]", header, "all 3 pixels are the same with the backend auto"),
                ("[1, 2, 3, 4]", "[1, 2.5, 3, 3]", header, f"2 of 4 {differ}, by 1 at most"),
                (f"[1, {nan}]", "[1, 2]", header, f"1 of 2 {differ}, 1 of them NaN on one side only"),
                (
                    f"[1, {nan}, 5]",
                    "[2, 2, 5]",
                    header,
                    f"2 of 3 {differ}, by 1 at most, 1 of them NaN on one side only",
                ),
                ("[1, 2]", "[1]", header, "the file has another header or number of pixels with the backend auto"),
                ("[1, 2]", "[1]", "no image", "the file has another length with the backend auto"),
                ("[1, 2]", "[1, 2]", "CompressedData = True\n" + header, f"all {8 + 22 + len(header)} {same}"),
                ("[1, 2]", "[1, 2]", "no image", f"all 16 {same}"),
                ("[1, 0.0]", "[1, -0.0]", "no image", "1 of 16 bytes differ with the backend auto"),
            ):
                program = [sys.executable, "-c", script, auto, off, result, head]
                done = self.compare("--runs", "1", "--result", result, *program)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.splitlines()[-1], f"{result}: {expected}")
            header = "ElementType = MET_FLOAT\nElementDataFile = result.raw\n"
            program = [sys.executable, "-c", script, "[1]", "[1]", result, header]
            done = self.compare("--runs", "1", "--result", result, *program)
            self.assertEqual(done.returncode, 1)
            self.assertIn(
                f"the pixels of {result} are in another file: let the program write an .mha file", done.stderr
            )

    def test_says_what_is_wrong(self):
        for arguments, expected in (
            (
                ["--runs", "1", "--result", "none.mha", "true"],
                "with the backend off, the program did not write none.mha",
            ),
            (["--runs", "0", PROGRAM], "--runs must be 1 or more"),
            ([], "which program?"),
            (["false"], "with the backend off, the program ended with status 1"),
        ):
            done = self.compare(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(expected, done.stderr)


class Loading(unittest.TestCase):
    def test_off(self):
        output, lines, _ = run(*PARTS, ITK_CUDA_BACKEND="off", ITK_CUDA_VERBOSE="1")
        self.assertEqual((output, lines), (PLAIN, []))

    @needs_no_driver
    def test_without_a_driver(self):
        output, lines, _ = run(*PARTS, preload="")
        self.assertEqual((output, lines), (PLAIN, []))
        _, lines, _ = run("chain", preload="", ITK_CUDA_VERBOSE="1")
        self.assertEqual(lines, DECLINED)

    @needs_no_driver
    def test_forced_without_a_driver(self):
        output, _, _ = run("chain", preload="", ITK_CUDA_BACKEND="cuda")
        self.assertIn("The backend CUDA was asked for, but looked for a CUDA device, found none", output)

    @needs_no_driver
    def test_time_without_a_driver(self):
        def get_milliseconds(path):
            begin = time.perf_counter()
            run("clone", path=path, preload="")
            return 1000 * (time.perf_counter() - begin)

        # In turns, so that what else runs on the machine slows both.
        with tempfile.TemporaryDirectory() as empty:
            differences = [get_milliseconds(FOLDER) - get_milliseconds(empty) for _ in range(15)]
        difference = statistics.median(differences)
        print(f"\nLoading and declining: {difference:.1f} ms")
        self.assertLess(difference, 20)

    def test_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "link")
            os.symlink(FOLDER, other)
            for path in (f"{FOLDER}:{FOLDER}", f"{FOLDER}:{FOLDER}/", f"{FOLDER}:{other}"):
                output, lines, others = run(
                    "chain",
                    "factories",
                    path=path,
                    ITK_CUDA_BACKEND="cuda" if HAS_DEVICE else "auto",
                    ITK_CUDA_VERBOSE="1",
                )
                self.assertEqual(len(output.splitlines()), 2)
                self.assertLessEqual(set(output.splitlines()), set(PLAIN.splitlines()))
                self.assertEqual(bool(get_runs_on_device(lines)), HAS_DEVICE)
                # ITK notices that the file or the factory is the same. Of factories that decline, there are two.
                warnings = [line for line in others if line.endswith("libCudaFiltersPlugin.so is already loaded")]
                self.assertEqual(bool(warnings), HAS_DEVICE or other not in path, others)

    def test_among_other_libraries(self):
        with tempfile.TemporaryDirectory() as folder:
            plugins = os.path.join(folder, "plugins")
            os.mkdir(plugins)
            for name in os.listdir(os.path.dirname(FOLDER)):
                if ".so" in name:
                    os.symlink(os.path.join(os.path.dirname(FOLDER), name), os.path.join(folder, name))
            shutil.copy(PLUGIN, plugins)
            with open(os.path.join(plugins, "text.so"), "w", encoding="utf-8") as file:
                file.write("no library\n")
            open(os.path.join(plugins, "empty.so"), "w", encoding="utf-8").close()
            for name in ("libz.so.1", "libm.so.6"):
                path = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
                found = re.search(rf"{re.escape(name)} .* => (\S+)", path)
                shutil.copy(found.group(1), os.path.join(plugins, f"{name}.so"))
            output, lines, _ = run(
                "chain", path=plugins, ITK_CUDA_BACKEND="cuda" if HAS_DEVICE else "auto", ITK_CUDA_VERBOSE="1"
            )
            self.assertIn(output.strip(), PLAIN.splitlines())
            self.assertEqual(bool(get_runs_on_device(lines)), HAS_DEVICE)

    def test_without_its_libraries(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PLUGIN, folder)
            output, lines, _ = run("chain", path=folder, preload="")
            self.assertIn(output.strip(), PLAIN.splitlines())
            self.assertEqual(len(lines), 1)
            self.assertRegex(lines[0], "^declined: .*cannot open shared object file")


class OtherItk(unittest.TestCase):
    def test_declines(self):
        requirement = r"; the plug-in is for programs that use itk version 5\.\S+ as a shared library\n$"
        for kind, expected in (
            ("Shared", r"this program uses itk version 9\.8\.7"),
            ("Inside", r"this program contains an ITK of its own \(itk version 9\.8\.7\)"),
            ("OldStrings", r"this program contains an ITK of its own \(itk version 9\.8\.7\)"),
        ):
            program = os.path.join(os.path.dirname(PROGRAM), f"DropInOtherItk{kind}")
            done = subprocess.run([program, PLUGIN], env=get_environment(), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "itk version 9.8.7, name ., overrides 000, object 0\n", kind)
            self.assertRegex(done.stderr, "^itk-cuda: declined: " + expected + requirement)


class Script(unittest.TestCase):
    SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Utilities/accelerate.sh")

    @classmethod
    def run_script(cls, *arguments, script=SCRIPT, plugin=FOLDER, **variables):
        environment = get_environment(CUDAFILTERS_PLUGIN=plugin, **variables)
        return subprocess.run([script, *arguments], env=environment, capture_output=True, text=True, check=False)

    def test_sets_variables_and_runs_the_program(self):
        plugin = f"ITK_AUTOLOAD_PATH={FOLDER}"
        for arguments, variables, expected in (
            ([], {}, {plugin}),
            (["--verbose"], {}, {plugin, "ITK_CUDA_VERBOSE=1"}),
            (["--backend", "cpu", "--verbose"], {}, {plugin, "ITK_CUDA_VERBOSE=1", "ITK_CUDA_BACKEND=cpu"}),
            ([], {"ITK_AUTOLOAD_PATH": "/other"}, {plugin + ":/other"}),
        ):
            done = self.run_script(*arguments, "env", **variables)
            self.assertEqual({line for line in done.stdout.splitlines() if line.startswith("ITK_")}, expected)
        done = self.run_script("sh", "-c", 'echo "$1"; exit 7', "sh", "two  words")
        self.assertEqual((done.stdout, done.returncode), ("two  words\n", 7))

    def test_says_what_is_wrong(self):
        for arguments, settings, expected in (
            ([], {}, "which program? try --help"),
            (["--backend", "gpu", "env"], {}, "--backend needs one of auto, cuda, cpu, off"),
            (["--backend"], {}, "--backend needs one of auto, cuda, cpu, off"),
            (["--fast", "env"], {}, "there is no option --fast; try --help"),
            (["env"], {"plugin": "/nowhere"}, "CUDAFILTERS_PLUGIN=/nowhere: the plug-in is not in this folder"),
        ):
            done = self.run_script(*arguments, **settings)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"accelerate.sh: {expected}\n")

    def test_finds_the_plugin_of_an_installation(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "bin", "cudafilters-accelerate")
            os.mkdir(os.path.dirname(script))
            shutil.copy(self.SCRIPT, script)
            done = self.run_script("env", script=script, plugin="")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"the plug-in is not in {folder}/lib", done.stderr)
            for place in ("lib/x86_64-linux-gnu", "lib64", "lib"):
                plugin = os.path.join(folder, place, "CudaFiltersPlugin")
                os.makedirs(plugin)
                shutil.copy(PLUGIN, plugin)
                done = self.run_script("printenv", "ITK_AUTOLOAD_PATH", script=script, plugin="")
                self.assertEqual(done.stdout, plugin + "\n")
                shutil.rmtree(plugin)
            help_text = self.run_script("--help", script=script).stdout
            self.assertIn("cudafilters-accelerate [--verbose]", help_text)


if __name__ == "__main__":
    del sys.argv[1:3]
    unittest.main()
