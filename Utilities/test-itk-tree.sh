#!/usr/bin/env bash
# Proves the two ways of building the module that need ITK's own build tree: as an external module against it, and
# inside ITK's source tree. Builds the few ITK modules needed from Debian's source package insighttoolkit5.
#
#   Utilities/test-itk-tree.sh [CACHE]
#
# CACHE (default: ~/.cache/itkcudafilters) keeps ITK's source and build tree, so that a second run is quick.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"

cache=$(realpath --canonicalize-missing "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/itkcudafilters}")
itk_source=$cache/insighttoolkit5
itk_build=$cache/itk-build
modules=(ITKCommon ITKSmoothing ITKImageFilterBase ITKImageGrid ITKImageIntensity ITKIOMeta ITKIOPNG)

need_build_packages dpkg-dev zlib1g-dev libpng-dev
mkdir -p "$cache"

if [[ ! -f $itk_source/CMakeLists.txt ]]; then
  say "Fetching ITK's source package into $cache"
  fetch_debian_source insighttoolkit5 "$cache"
fi

say "Building ITK modules: ${modules[*]}"
switches=()
for module in "${modules[@]}"; do switches+=("-DModule_$module=ON"); done
cmake -S "$itk_source" -B "$itk_build" -G Ninja -Wno-dev --log-level=WARNING \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DITK_USE_SYSTEM_ZLIB=ON -DITK_USE_SYSTEM_PNG=ON \
  -DITK_BUILD_DEFAULT_MODULES=OFF -DITKGroup_Core=OFF -DModule_CudaFilters=OFF \
  "${switches[@]}"
cmake --build "$itk_build"
