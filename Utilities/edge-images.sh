#!/usr/bin/env bash
# Gathers real images, photographs and medical ones, to compare edges on (Documentation/Edges.md): from Debian's packages
# opencv-doc and insighttoolkit5-examples, without installing these.
#
#   Utilities/edge-images.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"
(($# == 1)) || fail "usage: edge-images.sh FOLDER"
command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || fail "needs Debian's apt-get and dpkg-deb"
folder=$(realpath --canonicalize-missing "$1")

photographs=(alphamat/input_images/plant.jpg data/{aero1,aloeL,apple,baboon,board,building,butterfly,fruits,home,left01}.jpg
  data/{leuvenA,messi5,orange,starry_night,stuff}.jpg data/{box_in_scene,cards,chicky_512,graf1,rubberwhale1,smarties}.png
  hfs/data/000.jpg text/scenetext0{1,3,5}.jpg)
medical=({BrainMidSagittalSlice,BrainProtonDensitySlice,BrainProtonDensitySlice256x256,BrainT1Slice,FatMRISlice}.png
  {VisibleWomanEyeSlice,VisibleWomanHeadSlice}.png)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "Fetching opencv-doc and insighttoolkit5-examples"
(cd "$work" && apt-get download --quiet=2 opencv-doc insighttoolkit5-examples 2>/dev/null) ||
  fail "the packages cannot be fetched; is 'apt-get update' needed?"
for package in "$work"/*.deb; do
  dpkg-deb --extract "$package" "$work"
done
mkdir -p "$folder"
(cd "$work/usr/share/doc/opencv-doc/examples" && cp "${photographs[@]}" "$folder")
(cd "$work/usr/share/doc/insighttoolkit5-examples/examples/Data" && cp "${medical[@]}" "$folder")
say "$(find "$folder" -type f | wc -l) images in $folder"
