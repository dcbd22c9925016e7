#!/usr/bin/env bash
# Proves the two ways of building the module that need ITK's own build tree: as an external module against it, and
# inside ITK's source tree (for Python wrapping there is Utilities/test-python.sh). Builds the few ITK modules needed from
# Debian's source package insighttoolkit5.
#
#   Utilities/test-itk-tree.sh [CACHE]
#
# CACHE (default: ~/.cache/itkcudafilters) keeps ITK's source and build tree, so that a second run is quick.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
source "$here/wrapped-itk.sh"

cache=$(get_cache "${1:-}")
itk_source=$cache/insighttoolkit5
itk_build=$cache/itk-build
# With tests, ITK would fetch its style checkers from the network.
no_checkers=(-DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF)
# The emulated device has nothing to do with how the module is built.
test_options=(-DBUILD_TESTING=ON -DCudaFilters_EMULATED_TESTS=OFF)
modules=(ITKCommon ITKSmoothing ITKImageFeature ITKImageFilterBase ITKImageGrid ITKImageIntensity
  ITKMathematicalMorphology ITKIOMeta ITKIOPNG)

need_build_packages dpkg-dev zlib1g-dev libpng-dev
mkdir -p "$cache"

if [[ ! -f $itk_source/CMakeLists.txt ]]; then
  say "Fetching ITK's source package into $cache"
  fetch_debian_source insighttoolkit5 "$cache"
fi

# build_itk OPTION ...: the same tree for both ways, so that ITK itself is built once.
build_itk() {
  configure "$itk_source" "$itk_build" -Wno-dev -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DBUILD_EXAMPLES=OFF \
    -DITK_USE_SYSTEM_ZLIB=ON -DITK_USE_SYSTEM_PNG=ON -DITK_BUILD_DEFAULT_MODULES=OFF -DITKGroup_Core=OFF \
    "${no_checkers[@]}" "$@"
}
switch_modules() { printf -- "-DModule_%s=$1\n" "${modules[@]}"; }
run_ctest() { ctest --test-dir "$1" --parallel "$(nproc)" --output-on-failure --no-tests=error "${@:2}"; }

rm -rf "$itk_source/Modules/Remote/CudaFilters"
say "Building ITK modules: ${modules[*]}"
build_itk -DBUILD_TESTING=OFF -DModule_CudaFilters=OFF $(switch_modules ON)
cmake --build "$itk_build"

say "Building the module outside the tree, as an external module"
configure "$project" "$project/build-external" "-DITK_DIR=$itk_build" -DCMAKE_BUILD_TYPE=Release "${test_options[@]}" \
  "${no_checkers[@]}"
cmake --build "$project/build-external"
run_ctest "$project/build-external"

say "Building the module inside the tree"
# What the external module has written into ITK's build tree would be taken for ITK's own.
rm -f "$itk_build"/lib/cmake/ITK-*/Modules/{,Targets/}CudaFilters*.cmake "$itk_build"/lib/libitkCudaFilters*
mkdir -p "$itk_source/Modules/Remote/CudaFilters"
tar -C "$project" --exclude='./build*' --exclude='./bundle*' --exclude=./.git -cf - . |
  tar -C "$itk_source/Modules/Remote/CudaFilters" -xf -
build_itk "${test_options[@]}" -DModule_CudaFilters=ON $(switch_modules OFF)
cmake --build "$itk_build" --target CudaFilters-all CudaFiltersGTest
run_ctest "$itk_build/Modules/Remote/CudaFilters/test"

say "The module was built and tested outside and inside ITK's tree"
