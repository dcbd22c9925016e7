#!/usr/bin/env bash
# Builds and installs the ITK modules that this project uses, from Debian's source package insighttoolkit5. Needed where
# Debian has no binary package (it has one for amd64 only), and to test other versions of ITK.
#
#   Utilities/build-itk.sh [VERSION [CACHE]]
#
# VERSION is 5.2.1 (default, Debian 12) or 5.4.3 (Debian 13). For another one, or where Debian's archive is not reached,
# unpack ITK's source as CACHE/itk-VERSION/source first. The source, the build tree and the installed ITK are in
# CACHE/itk-VERSION (default of CACHE: ~/.cache/itkcudafilters), so that a second call has nothing to do.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"

version=${1:-$default_itk_version}
folder=$(get_itk_folder "$version" "${2:-}")
recipe=$(sha256sum <"$here/build-itk.sh" | cut -c1-16)
if [[ -f $folder/recipe && $(<"$folder/recipe") == "$recipe" ]]; then
  say "ITK $version is there: $folder"
  exit
fi

need_packages g++ cmake ninja-build ccache dpkg-dev zlib1g-dev libpng-dev libgdcm-dev
fetch_itk_source "$version" "$folder/source"

modules=(ITKCommon ITKSmoothing ITKImageCompare ITKImageFeature ITKImageFilterBase ITKImageGrid ITKImageIntensity
  ITKImageStatistics ITKDistanceMap ITKConnectedComponents ITKMathematicalMorphology ITKThresholding ITKVTK ITKIOBMP ITKIOGDCM
  ITKIOGIPL ITKIOJPEG ITKIOMeta ITKIONIFTI ITKIONRRD ITKIOPNG ITKIOTIFF ITKIOVTK)
say "Building ITK $version in $folder"
configure "$folder/source" "$folder/build" -Wno-dev -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
  -DBUILD_EXAMPLES=OFF -DBUILD_TESTING=OFF -DITK_BUILD_DEFAULT_MODULES=OFF -DITKGroup_Core=OFF \
  -DITK_USE_SYSTEM_ZLIB=ON -DITK_USE_SYSTEM_PNG=ON -DITK_USE_SYSTEM_GDCM=ON "-DCMAKE_INSTALL_PREFIX=$folder/installed" '-DCMAKE_INSTALL_RPATH=$ORIGIN' \
  $(printf -- '-DModule_%s=ON\n' "${modules[@]}")
cmake --build "$folder/build"
cmake --install "$folder/build" >/dev/null
echo "$recipe" >"$folder/recipe"
say "ITK $version is ready: $folder"
