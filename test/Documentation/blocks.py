#!/usr/bin/env python3
# Copyright the ITKCudaFilters contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of code on the pages of the documentation, and the tests that run them.

    blocks.py check                    Every block has a mark, and the files that it names have its lines.
    blocks.py write-cpp FOLDER         Writes the blocks in C++ as functions for CudaFiltersPages.
    blocks.py run-cpp BUILD            Runs them, but those of the gallery, with the programs of a build tree.
    blocks.py run-shell BUILD          Runs the commands with cudafilters.
    blocks.py run-build                Runs the commands that build.
    blocks.py expect NAME COMMAND ...  Runs a command, whose output must be that of the block of a name.

A mark is a comment in the line before a block, and tells which test runs it:

    <!-- run shell -->                 Commands with cudafilters, on small images of the names that they use.
    <!-- run build -->                 Commands that build, without CUDA.
    <!-- run viewer -->                Commands with cudafilters-view and VTK: test/Viewer/test.py.
    <!-- run c++ -->                   Compiled and run. Further lines in the mark come before those of the block.
    <!-- compile c++ -->               Compiled, since what it needs is not there.
    <!-- run python -->                Run by the tests of the Python wrapping. Further lines as in C++. Some are for
                                       a machine with a GPU: run python on a device, run python with CuPy.
    <!-- gallery NAME -->              As these; the results of the blocks of one name are compared (Utilities/gallery.py).
                                       In C++, ": EXPRESSION" tells what the result is; in a shell, ": WORDS" what is before
                                       a number in the output, or what may differ: " margin N" pixels at the border,
                                       " times N" as much, " within N", " same regions" of other numbers, " in 99%" alone.
    <!-- part of FILE -->              Lines of a file that other tests compile or run; ... stands for any lines.
    <!-- output NAME -->               What a command prints, or lines in C++ that are in the mark; ... stands for any text.
    <!-- run by .ci/run -->            A script that continuous integration calls.
    <!-- not run: WHY -->              What no test can run.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from pictures import are_equal_pictures

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
INPUT = PROJECT / "test" / "Input"
MOST_NOT_RUN = 5
# Classes that filters derive from.
NOT_FOR_USERS = re.compile("Base|Accelerated|ExactMode|PixelFunction|FlatMorphology|BallMorphology")


@dataclasses.dataclass
class Block:
    """Lines of code on a page."""

    page: str
    line: int  # of the first line of the code
    language: str
    mark: str
    preparation: str  # the further lines of the mark
    text: str

    def __str__(self):
        return f"{self.page}:{self.line}"


def read_blocks():
    blocks = []
    for path in [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "Documentation").glob("*.md"))]:
        page = path.read_text(encoding="utf-8")
        found = list(re.finditer(r"(?:<!-- ((?:(?!-->).)*?) ?-->\n)?( *)```(\w*)\n(.*?)\n *```\n", page, re.DOTALL))
        if len(re.findall(r"^ *(?:```|~~~)", page, re.MULTILINE)) != 2 * len(found):
            sys.exit(f"{path}: not every block is of the form that is known")
        for match in found:
            mark, _, preparation = (match[1] or "").partition("\n")
            indent = match[2]
            text = "\n".join(line[len(indent) :] for line in match[4].split("\n"))
            line = page[: match.start(4)].count("\n") + 1
            blocks.append(Block(str(path.relative_to(PROJECT)), line, match[3], mark, preparation, text))
    return blocks


def of_kind(mark):
    return [block for block in read_blocks() if block.mark == mark]


def of_gallery():
    """The blocks of the gallery by their names: {name: {language: block}}."""
    names = {}
    for block in read_blocks():
        if match := re.match(r"gallery ([\w-]+)", block.mark):
            languages = names.setdefault(match[1], {})
            if block.language in languages:
                sys.exit(f"{block} and {languages[block.language]} have the same name")
            languages[block.language] = block
    return names


def is_part(text, whole):
    """Whether the lines of a text, in which ... stands for any text, are lines of another."""
    lines = [re.escape(line.strip()).replace(r"\.\.\.", ".*?") for line in text.split("\n") if line.strip()]
    pattern = r"^" + r"\n+".join(lines) + r"$"
    return lines and re.search(pattern, "\n".join(line.strip() for line in whole.split("\n")), re.DOTALL | re.MULTILINE)


def check():
    bad, not_run = [], []
    for block in read_blocks():
        if match := re.fullmatch(r"part of (\S+)", block.mark):
            if not is_part(block.text, (PROJECT / match[1]).read_text(encoding="utf-8")):
                bad.append(f"{block}: these lines are not in {match[1]}")
        elif block.mark == "run by .ci/run":
            called = (PROJECT / ".ci" / "run").read_text(encoding="utf-8").split("\n")
            if not {f"part {line}" for line in block.text.split("\n")} <= set(called):
                bad.append(f"{block}: .ci/run does not call this")
        elif match := re.fullmatch(r"not run: (.+)", block.mark):
            not_run.append(f"{block}: {match[1]}")
        elif not re.match(
            r"(run (shell|build|viewer|c\+\+|python( on a device| with CuPy)?)$|compile c\+\+$|output [\w-]+$|gallery [\w-]+(: .*| margin \d+| times \d+| within \d+| same regions| in \d+%)?$)",
            block.mark,
        ):
            bad.append(f"{block}: no mark says which test runs this")
    for name, languages in of_gallery().items():
        if name != "prepare" and set(languages) != {"cpp", "python", "sh"}:
            bad.append(f"the gallery shows {name} in {', '.join(languages)} alone")
    shown = (PROJECT / "Documentation" / "Gallery.md").read_text(encoding="utf-8")
    for header in sorted((PROJECT / "include").glob("itkCuda*Filter.h")):
        name = header.stem[len("itk") :]
        if name not in shown and not NOT_FOR_USERS.search(name):
            bad.append(f"the gallery does not show {name}")
    if len(not_run) > MOST_NOT_RUN:
        bad.append(f"{len(not_run)} blocks are not run")
    print(f"{len(read_blocks())} blocks; not run are\n" + "\n".join(not_run))
    if bad:
        sys.exit("\n".join(bad))


def get_headers(text):
    """The headers of the classes of this module that a text names."""
    names = re.findall(r"itk::(?:Statistics::)?(\w+)", text)
    return sorted({f"itk{name}.h" for name in names if (PROJECT / "include" / f"itk{name}.h").exists()})


def write_file(path, text):
    """Unless it has the text already, so that nothing is compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_cpp(folder):
    pages = [
        block
        for block in read_blocks()
        if block.mark in ("run c++", "compile c++") or block.mark.startswith("output ") and block.preparation
    ]
    gallery = [blocks["cpp"] for blocks in of_gallery().values() if "cpp" in blocks]
    third = (len(gallery) + 2) // 3
    groups = {"Pages.cxx": pages}
    for i in range(3):
        groups[f"Gallery{i}.cxx"] = gallery[i * third : (i + 1) * third]
    for file, blocks in groups.items():
        includes, functions = {'#include "PageLines.h"'}, []
        for block in blocks:
            code = block.preparation + "\n" + block.text
            includes |= set(re.findall(r"^#include .*$", code, re.MULTILINE))
            if "#include" not in block.text:
                includes |= {f'#include "{header}"' for header in get_headers(code)}
            lines = [f'#line 1 "mark of {block}"', block.preparation] if block.preparation else []
            if not block.mark.startswith("output "):
                lines.append(f'#line {block.line} "{block.page}"')
                lines.append(re.sub(r"^#include .*$", "", block.text, flags=re.MULTILINE))
            match = re.match(r"gallery ([\w-]+)(?:: (.*))?", block.mark)
            name = match[1] if match else f"{block.page}:{block.line}"
            if match:
                lines.append("filter->Update();")
                lines.append("results.Note(*filter);")
                lines.append(f"results.Take({match[2] or 'filter->GetOutput()'});")
            identifier = re.sub(r"\W", "_", name)
            functions.append(
                f"void\nRun_{identifier}([[maybe_unused]] Results & results)\n{{\n"
                + ("PAGE_SAMPLES(results.GetSamples());\n" if match else "")
                + "\n".join(lines)
                + f"\n}}\nconst Lines lines_{identifier}("
                + f'"{name}", Kind::{"Compiled" if block.mark == "compile c++" else "Gallery" if match else "Page"}, Run_{identifier});\n'
            )
        text = "// Made by test/Documentation/blocks.py\n" + "\n".join(sorted(includes)) + "\n\nnamespace\n{\n"
        write_file(folder / file, text + "\n".join(functions) + "} // namespace\n")


def run(command, folder, programs, **environment):
    # The emulated device of Python's tests is not for other programs.
    inherited = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**inherited, "PATH": f"{programs}:{os.environ['PATH']}", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def link_project(folder):
    for name in ("Utilities", "test", "examples"):
        (folder / name).symlink_to(PROJECT / name)


# The images that the pages speak of, all from those in test/Input.
SAMPLES = """
cp test/Input/BrainProtonDensitySlice.png brain.png
cp brain.png in.png
cudafilters function test/Input/BrainProtonDensity3Slices.mha volume.mha --text x
cp volume.mha image.mha
cudafilters threshold volume.mha mask.mha --lower 191
cudafilters function mask.mha tumour.mha --text 'x > 0'
cudafilters dilate tumour.mha reference.mha --radius 2
cp mask.mha large.mha
cudafilters components mask.mha labels.mha
cudafilters otsu-classes volume.mha classes.mha
cudafilters function brain.png marker.png --text 'x > 50 ? x - 50 : 0'
cp brain.png mask.png
"""


def make_samples(folder, programs):
    link_project(folder)
    done = run(SAMPLES, folder, programs)
    if done.returncode:
        sys.exit(done.stdout)


def find_other_pictures(block, folder):
    """Pictures that commands have drawn, and that are not those of the same names on the page."""
    page = PROJECT / block.page
    bad = []
    for shown in re.findall(r"\]\(([\w./-]+\.png)\)", page.read_text(encoding="utf-8")):
        drawn = folder / os.path.basename(shown)
        is_drawn = f"--picture {drawn.name}" in block.text
        if is_drawn and not are_equal_pictures(drawn, page.parent / shown):
            bad.append(f"{shown} is not what the command draws")
    return bad


def run_shell(build):
    """The blocks of a page share a folder."""
    build = pathlib.Path(build).resolve()
    failed = 0
    pages = {}
    for block in of_kind("run shell"):
        pages.setdefault(block.page, []).append(block)
    for page, blocks in pages.items():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_samples(folder, build / "bin")
            (folder / "build").symlink_to(build)
            for block in blocks:
                done = run(block.text, folder, build / "bin")
                bad = [done.stdout] if done.returncode else find_other_pictures(block, folder)
                print(f"{block}: {'failed' if bad else 'done'}")
                if bad:
                    print("\n".join(bad))
                    failed += 1
    sys.exit(failed)


def run_build():
    """Runs commands that build, in a copy of the project, without CUDA and with little optimization."""
    with tempfile.TemporaryDirectory() as name:
        folder, home = pathlib.Path(name) / "project", pathlib.Path(name) / "home"
        home.mkdir()
        folder.mkdir()
        for part in ("CMake", "Utilities", "examples", "include", "src", "test", "wrapping"):
            shutil.copytree(PROJECT / part, folder / part)
        for part in ("CMakeLists.txt", "LICENSE", "README.md", "itk-module.cmake"):
            shutil.copy(PROJECT / part, folder)
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
        environment = {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(cache),
            "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(cache / "ccache")),
            "CCACHE_BASEDIR": str(folder),
            "CCACHE_NOHASHDIR": "1",
            "CMAKE_BUILD_TYPE": "Debug",
            "CMAKE_C_COMPILER_LAUNCHER": "ccache",
            "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
            "CUDACXX": "none",
        }
        (folder / "in.png").symlink_to(INPUT / "BrainProtonDensitySlice.png")
        for block in of_kind("run build"):
            begin = time.monotonic()
            command = block.text
            if block.language == "cmake":
                # A project of a user's own.
                own = folder / "yours"
                own.mkdir()
                shutil.copy(PROJECT / "examples" / "SmoothImage.cxx", own)
                (own / "CMakeLists.txt").write_text(
                    "cmake_minimum_required(VERSION 3.22)\nproject(Own C CXX)\nadd_executable(yours SmoothImage.cxx)\n"
                    + block.text,
                    encoding="utf-8",
                )
                command = "cmake -S yours -B yours/build -G Ninja -DCMAKE_PREFIX_PATH=$HOME/cudafilters"
                command += " && cmake --build yours/build && yours/build/yours in.png out.png"
            done = run(command, folder, "/usr/bin", **environment)
            print(f"{block}: {'failed' if done.returncode else 'done'}, {time.monotonic() - begin:.0f} s", flush=True)
            if done.returncode:
                sys.exit(done.stdout)


def check_output(block, output):
    if not is_part(block.text, output):
        sys.exit(f"{block} shows\n{block.text}\nand not\n{output}")


def expect(name, command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check_output(of_kind(f"output {name}")[0], done.stdout)
    sys.exit(done.returncode)


def run_cpp(build):
    """Runs the lines in C++ of all pages but the gallery."""
    programs = pathlib.Path(build).resolve() / "bin"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_samples(folder, programs)
        # Messages of a compiler are on a page.
        done = run("CudaFiltersPages pages", folder, programs, LC_ALL="C", CUDAFILTERS_CXX="/usr/bin/c++")
    print(done.stdout)
    for block in read_blocks():
        if block.mark.startswith("output ") and block.preparation:
            check_output(block, done.stdout)
    sys.exit(done.returncode)


def main(arguments):
    if arguments == ["check"]:
        check()
    elif arguments[:1] == ["write-cpp"] and len(arguments) == 2:
        write_cpp(pathlib.Path(arguments[1]))
    elif arguments[:1] == ["run-cpp"] and len(arguments) == 2:
        run_cpp(arguments[1])
    elif arguments[:1] == ["run-shell"] and len(arguments) == 2:
        run_shell(arguments[1])
    elif arguments == ["run-build"]:
        run_build()
    elif arguments[:1] == ["expect"] and len(arguments) > 2:
        expect(arguments[1], arguments[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
