#!/usr/bin/env bash
# Shows the project at work: builds the program cudafilters, runs every filter on the slice of a brain, on the GPU if there
# is one, and writes input and results side by side.
#
#   Utilities/demo.sh [PICTURE] [BUILD_FOLDER]
#
# PICTURE (default: demo.png) is the picture to write. On Debian 12, as root, missing packages are installed first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
picture=$(realpath --canonicalize-missing "${1:-demo.png}")
build=$(realpath --canonicalize-missing "${2:-$project/build-demo}")

need_program_packages

say "Building in $build"
configure "$project" "$build" -DBUILD_TESTING=OFF
cmake --build "$build" --target cudafilters

say "Running every filter on the slice of a brain"
"$build/bin/cudafilters" demo "$project/test/Input/BrainProtonDensitySlice.png" "$picture"
printf '\nInput and results side by side: %s\n' "$picture"
printf 'Try it on an image of yours: %s gaussian IN OUT --variance 2 --timing\n' "$build/bin/cudafilters"
