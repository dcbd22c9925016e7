#!/usr/bin/env bash
# Runs ITK's own tests of many filters that this module replaces: as they are, and with the plug-in, on this machine's GPU
# if it has one and otherwise on the emulated device. Does the same with plastimatch where the project is built with
# Debian's package of ITK (amd64, no TREE), which Debian's plastimatch uses. Then runs SimpleITK, a program with another
# ITK, with the plug-in.
#
#   [ITK_DIR=TREE] Utilities/test-drop-in.sh [BUILD]
#
# BUILD (default: build) is the project's build tree, which Utilities/test.sh makes; the tests are built in
# BUILD/itk-tests. TREE is the ITK that it was built with, if that is not the one of Utilities/test.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
build=$(realpath --canonicalize-missing "${1:-$project/build}")

need_test_packages dpkg-dev python3-venv
need_itk
version=$default_itk_version
if [[ -z ${ITK_DIR:-} ]]; then
  need_packages plastimatch
else
  version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' "$ITK_DIR/ITKConfigVersion.cmake")
  [[ -n $version ]] || fail "no version of ITK is found in $ITK_DIR"
fi
source_tree=$(get_itk_folder "$version")/source
fetch_itk_source "$version" "$source_tree"
[[ -f $build/CMakeCache.txt ]] || fail "$build is no build tree: run Utilities/test.sh first"

is_set() { grep -q "^$1:[A-Z]*=$2" "$build/CMakeCache.txt"; }

targets=(CudaFiltersPlugin)
if has_gpu && is_set CudaFilters_USE_CUDA ON && is_set CMAKE_CUDA_COMPILER /; then
  is_emulated=false
else
  say "No GPU is found, or BUILD has no kernels: the tests run on the emulated device"
  is_emulated=true
  targets+=(CudaFiltersEmulatedCore)
fi
say "Building the plug-in in $build"
cmake --build "$build" --target "${targets[@]}"
plugin=$(dirname "$(find "$build" -name libCudaFiltersPlugin.so | head -1)")
[[ -f $plugin/libCudaFiltersPlugin.so ]] || fail "$build has no plug-in"
preload=""
! $is_emulated || preload=$(<"$build/test/DropIn/preload.txt")

say "Building ITK's tests in $build/itk-tests"
configure "$project/test/DropIn/ItkTests" "$build/itk-tests" -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O0" \
  "-DITK_DIR=${ITK_DIR:-}" "-DITK_SOURCE=$source_tree" "-DDropIn_PLUGIN=$plugin" "-DDropIn_PRELOAD=$preload"
cmake --build "$build/itk-tests"

say "Testing"
ctest --test-dir "$build/itk-tests" --parallel "$(nproc)" --output-on-failure --no-tests=error --progress

if [[ -z ${ITK_DIR:-} ]]; then
  say "Testing the plug-in in plastimatch"
  DROPIN_PRELOAD=$preload python3 "$project/test/DropIn/test_plastimatch.py" "$plugin/libCudaFiltersPlugin.so" \
    "$project/test/Input/BrainProtonDensity3Slices.mha"
fi

simpleitk_version=2.5.7
python=$(get_cache)/simpleitk-$simpleitk_version/bin/python3
if [[ ! -x $python ]] || ! "$python" -c 'import SimpleITK' 2>/dev/null; then
  say "Installing SimpleITK $simpleitk_version for the test"
  python3 -m venv "$(get_cache)/simpleitk-$simpleitk_version"
  "$python" -m pip install --quiet --disable-pip-version-check "SimpleITK==$simpleitk_version"
fi
say "Testing the plug-in in a program with another ITK"
"$python" "$project/test/DropIn/test_simpleitk.py" "$plugin/libCudaFiltersPlugin.so"
