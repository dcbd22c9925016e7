#!/usr/bin/env bash
# Builds the Python wrapping and runs its tests, on this machine's GPU if it has one and on the emulated device.
#
#   [ITK_DIR=TREE] Utilities/test-python.sh [BUILD]
#
# TREE is a build tree of ITK with Python wrapping; without it, Utilities/build-wrapped-itk.sh makes one first. BUILD
# (default: build-python) keeps the build tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
source "$here/wrapped-itk.sh"
build=$(realpath --canonicalize-missing "${1:-$project/build-python}")

need_wrapping_packages
if [[ -z ${ITK_DIR:-} ]]; then
  "$here/build-wrapped-itk.sh"
  ITK_DIR=$(get_wrapped_itk "$(get_cache)")
fi

options=("-DITK_DIR=$ITK_DIR" -DBUILD_TESTING=ON "-DCMAKE_CUDA_FLAGS_NONE=-O3 -DNDEBUG" "${wrapping_options[@]}")
if ! has_gpu; then
  say "No GPU is found: the kernels are tested on the emulated device alone"
  options+=(-DCudaFilters_USE_CUDA=OFF)
fi

say "Configuring in $build, against ITK in $ITK_DIR"
configure "$project" "$build" "${options[@]}"

say "Building the wrapping"
forget_libraries "$ITK_DIR"
targets=(CudaFilters CudaFiltersPython CudaFiltersEmulatedPythonCore)
cmake --build "$build" --target "${targets[@]}"

say "Testing"
CUDAFILTERS_PROGRAM=${CUDAFILTERS_PROGRAM:-$project/build/bin/cudafilters} \
  ctest --test-dir "$build" --tests-regex '^python' --parallel "$(nproc)" --output-on-failure --no-tests=error --progress
