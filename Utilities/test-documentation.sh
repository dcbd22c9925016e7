#!/usr/bin/env bash
# Runs the commands and the lines in C++ on the pages of the documentation, and compares what they draw with the pictures.
#
#   Utilities/test-documentation.sh [BUILD]
#
# BUILD (default: build) is the build tree of Utilities/test.sh. Blocks in Python are run by Utilities/test-python.sh, those
# with the viewer by Utilities/test-viewer.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
build=$(realpath --canonicalize-missing "${1:-$project/build}")

prepare_tests "$project" "$build"

say "Building the lines of the pages"
cmake --build "$build" --target cudafilters DetectEdges CudaFiltersPages

say "Testing"
ctest --test-dir "$build" --tests-regex '^documentation' --output-on-failure --no-tests=error --progress
