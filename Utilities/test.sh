#!/usr/bin/env bash
# Builds the library and runs all its tests, on this machine's GPU if it has one and on the emulated device.
#
#   Utilities/test.sh [BUILD]
#
# Sets up what a fresh Debian 12 lacks (as root; otherwise it says what to install). BUILD (default: build) keeps the
# build tree, so that a second run is quick. Works with and without the CUDA Toolkit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
build=$(realpath --canonicalize-missing "${1:-$project/build}")

prepare_tests "$project" "$build"

say "Building"
cmake --build "$build"

say "Testing"
# The viewer and the documentation have scripts of their own: Utilities/test-viewer.sh and test-documentation.sh.
ctest --test-dir "$build" --exclude-regex '^(viewer|documentation)' --parallel "$(nproc)" --output-on-failure --no-tests=error --progress
