#!/usr/bin/env bash
# Builds the viewer and tests it on a virtual display.
#
#   Utilities/test-viewer.sh [BUILD]
#
# Sets up what a fresh Debian 12 lacks: VTK, which is large, and a display without a screen. BUILD (default: build) is the
# build tree of Utilities/test.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
build=$(realpath --canonicalize-missing "${1:-$project/build}")

prepare_tests "$project" "$build" libvtk9-dev libx11-dev libgl1-mesa-dri xvfb xauth python3-xlib

say "Building the viewer and the examples with VTK"
cmake --build "$build" --target cudafilters-view ColouredComponents DistanceContours EdgeSurface MixedPipeline \
  CudaFiltersEmulatedCore

say "Testing"
ctest --test-dir "$build" --tests-regex '^viewer' --output-on-failure --no-tests=error --progress
