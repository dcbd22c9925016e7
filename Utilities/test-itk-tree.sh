#!/usr/bin/env bash
# Proves the two ways of building the module that need ITK's own build tree: as an external module against it, and
# inside ITK's source tree (for Python wrapping there is Utilities/test-python.sh).
#
#   Utilities/test-itk-tree.sh [VERSION [CACHE]]
#
# VERSION and CACHE are those of Utilities/build-itk.sh, which builds ITK first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"

version=${1:-$default_itk_version}
folder=$(get_itk_folder "$version" "${2:-}")
itk_source=$folder/source
itk_build=$folder/build
module_in_itk=$itk_source/Modules/Remote/CudaFilters
# With tests, ITK would fetch its style checkers from the network.
no_checkers=(-DITK_USE_KWSTYLE=OFF -DITK_USE_CLANGFORMAT=OFF -DITK_USE_CLANG_FORMAT=OFF)
# The emulated device has nothing to do with how the module is built.
test_options=(-DBUILD_TESTING=ON -DCudaFilters_EMULATED_TESTS=OFF "${no_checkers[@]}")

need_test_packages
"$here/build-itk.sh" "$version" "${2:-}"

run_ctest() { ctest --test-dir "$1" --parallel "$(nproc)" --output-on-failure --no-tests=error "${@:2}"; }

# What one way of building has written into ITK's build tree would be taken for ITK's own by the other.
forget_module() {
  rm -f "$itk_build"/lib/cmake/ITK-*/Modules/{,Targets/}CudaFilters*.cmake "$itk_build"/lib/lib*CudaFilters*
  rm -rf "$module_in_itk"
}
# ITK's tree is left as Utilities/build-itk.sh made it.
restore_itk() {
  forget_module
  cmake -S "$itk_source" -B "$itk_build" -Wno-dev -DBUILD_TESTING=OFF -DModule_CudaFilters=OFF >/dev/null
}
trap restore_itk EXIT
forget_module

say "Building the module outside the tree of ITK $version, as an external module"
configure "$project" "$project/build-external-$version" "-DITK_DIR=$itk_build" -DCMAKE_BUILD_TYPE=Release \
  "${test_options[@]}"
cmake --build "$project/build-external-$version"
run_ctest "$project/build-external-$version"

say "Building the module inside the tree of ITK $version"
forget_module
mkdir -p "$module_in_itk"
tar -C "$project" --exclude='./build*' --exclude='./bundle*' --exclude=./.git -cf - . | tar -C "$module_in_itk" -xf -
configure "$itk_source" "$itk_build" -Wno-dev "${test_options[@]}" -DModule_CudaFilters=ON
cmake --build "$itk_build" --target CudaFilters-all CudaFiltersGTest
run_ctest "$itk_build/Modules/Remote/CudaFilters/test"

say "The module was built and tested outside and inside the tree of ITK $version"
