#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests of Utilities/cudafilters-convert: what it accepts, and what it says of what it does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent.parent / "Utilities" / "cudafilters-convert"


class Converter(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_converter(self, code, *options, header=None):
        (self.path / "code.c").write_text(code, encoding="utf-8")
        command = [sys.executable, PROGRAM, self.path / "code.c", "--output", self.path / "out", *options]
        if header is not None:
            (self.path / "params.h").write_text(header, encoding="utf-8")
            command += ["--header", self.path / "params.h"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def accept(self, code, *options, header=None):
        result = self.run_converter(code, *options, header=header)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse([path for path in self.path.iterdir() if path.name.startswith(".")])
        return {path.name: path.read_text(encoding="utf-8") for path in (self.path / "out").iterdir()}

    def refuse(self, code, message, *options, header=None):
        result = self.run_converter(code, *options, header=header)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse([path for path in self.path.iterdir() if path.suffix not in (".c", ".h")])

    def test_listings(self):
        result = subprocess.run(
            [sys.executable, PROGRAM, HERE / "listings.c", "--output", self.path / "out"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("Filter"), 4)

    def test_parameters_in_a_header(self):
        files = self.accept(
            "#P2P_FUNC\nstatic float f(short p, int i, data d) { return p * d.factor + LIMIT; }\n",
            header="#define LIMIT 3\n#STRUCT\ntypedef struct { float factor; int unused; } data;\n",
        )
        self.assertNotIn("#STRUCT", files["params.h"])
        self.assertIn('#include "params.h"', files["Functions.h"])
        self.assertIn("CUDAFILTERS_INSTANTIATE_PIXEL_FUNCTION(FFunctor, float, short)", files["Functors.cu"])

    def test_types_of_reductions(self):
        files = self.accept(
            "#R2S_FUNC\nstatic T f(E a, E b) { return a + b; }\n", "--pixel", "float", "--result", "double"
        )
        self.assertIn("CUDAFILTERS_INSTANTIATE_REDUCTION(FFunctor, float)", files["Functors.cu"])

    def test_increments(self):
        for increment in ("atomicAdd(&out[p / 2], 1)", "out[p / 2]++", "++out[p / 2]", "out[p / 2] += 1"):
            with self.subTest(increment):
                self.tearDown()
                self.setUp()
                files = self.accept(f"#R2V_FUNC\nstatic void f(unsigned char p, int * out, int n) {{ {increment}; }}\n")
                self.assertIn("return { p / 2, 1 };", files["Functors.h"])

    def test_directives_in_comments(self):
        self.accept("/*\n#P2P_FUNC\n*/\n#P2P_FUNC // pixels\nstatic int f(short p, int i) { return p; }\n")

    def test_refusals(self):
        p2p = "#P2P_FUNC\nstatic int f(short p, int i) {{ {} }}\n"
        cases = [
            ("", "the file is empty"),
            ("   \n", "the file is empty"),
            ("int f(int a) { return a; }\n", "there is no function with a directive"),
            ("#P2P_FUNC\n", "code.c:1: nothing follows the directive"),
            ("#P3P_FUNC\nint f(int a) { return a; }\n", "code.c:1: there is no directive #P3P_FUNC"),
            (p2p.format("return p + ;"), "code.c:2: expected expression"),
            (p2p.format("return p; }"), "code.c:2: extraneous closing brace"),
            (
                p2p.format("return p;") + p2p.format("return p;").replace(" f(", " g("),
                "code.c:3: there are two functions of the kind P2P",
            ),
            (
                "#P2P_FUNC\nstatic int f(short p, int i);\n",
                "code.c:2: the function f is declared, but not defined here",
            ),
            ("#P2P_FUNC\nint a = 3;\n", "code.c:1: #P2P_FUNC is for a function"),
            ("int total;\n" + p2p.format("total += p; return p;"), "code.c:3: uses the global variable total"),
            (p2p.format("static int n; return n++;"), "code.c:2: the static variable n would be shared"),
            (
                "#include <stdio.h>\n" + p2p.format('printf("%d", p); return p;'),
                "code.c:3: calls printf, whose source cannot be seen",
            ),
            (
                "int other(int);\n" + p2p.format("return other(p);"),
                "code.c:3: calls other, whose source cannot be seen",
            ),
            (p2p.format("return p > 0 ? f(p - 1, i) : 0;"), "code.c:2: f calls itself"),
            (
                "static int g(int a);\nstatic int h(int a) { return a ? g(a - 1) : 0; }\nstatic int g(int a) { return h(a); }\n"
                + p2p.format("return g(p);"),
                "calls itself",
            ),
            (p2p.format("short * q = &p; return *q;"), "code.c:2: q is a pointer"),
            (
                "#P2P_FUNC\nstatic int f(short p) { return p; }\n",
                "code.c:2: a function of the kind P2P has the parameters (pixel, int offset)",
            ),
            ("#P2P_FUNC\nstatic int f(short p, int i, int k) { return p; }\n", "which #STRUCT marks"),
            ("#N2P_FUNC\nstatic int f(short p[3][4], int x, int y) { return p[0][0]; }\n", "sizes are odd numbers"),
            (
                "#N2P_FUNC\nstatic int f(short p[3][3], int x, int y) { return p[0][3]; }\n",
                "code.c:2: p has no element 3 here",
            ),
            (
                "#N2P_FUNC\nstatic int f(short p[3][3], int x, int y) { return p[-1][1]; }\n",
                "code.c:2: p has no element -1",
            ),
            ("#R2S_FUNC\nstatic int f(short a, int b) { return a; }\n", "code.c:2: both pixels have the same type"),
            (
                "#R2V_FUNC\nstatic void f(short p, int * o, int n) { o[p]++; o[p + 1]++; }\n",
                "code.c:2: a pixel can be added to one bin only",
            ),
            (
                "#R2V_FUNC\nstatic void f(short p, int * o, int n) { for (int i = 0; i < n; ++i) o[i]++; }\n",
                "one bin only",
            ),
            (
                "#R2V_FUNC\nstatic void f(short p, int * o, int n) { if (o[p] < 3) o[p]++; }\n",
                "code.c:2: bins can only be incremented",
            ),
            ("#R2V_FUNC\nstatic void f(short p, int * o, int n) { }\n", "code.c:2: f increments no bin"),
            (
                "#STRUCT\ntypedef struct { int * a; } data;\n" + p2p.format("return p;"),
                "code.c:2: the parameter a is not of a basic type",
            ),
        ]
        for code, message in cases:
            with self.subTest(message):
                self.tearDown()
                self.setUp()
                self.refuse(code, message)

    def test_bad_types(self):
        self.refuse(
            "#R2S_FUNC\nstatic T f(E a, E b) { return a; }\n", "--pixel or --result is no type", "--pixel", "colour"
        )

    def test_output_that_exists(self):
        (self.path / "out").mkdir()
        result = self.run_converter("#P2P_FUNC\nstatic int f(short p, int i) { return p; }\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("exists already", result.stderr)
        self.assertFalse(list((self.path / "out").iterdir()))

    def test_missing_file(self):
        result = subprocess.run(
            [sys.executable, PROGRAM, self.path / "none.c", "--output", self.path / "out"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn("No such file", result.stderr)


if __name__ == "__main__":
    unittest.main()
