#!/usr/bin/env bash
# Builds the documentation as a site: the pages of README.md and Documentation, and the classes.
#
#   Utilities/documentation.sh [FOLDER]
#
# FOLDER (default: build-site) gets it; open FOLDER/README.html. Needs Debian's packages of Doxygen and Sphinx, and no
# network beyond them. Fails on every warning: what has no description, links that lead nowhere, blocks of code that no
# test runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
folder=$(realpath --canonicalize-missing "${1:-$project/build-site}")
cd "$project"

need_packages doxygen furo python3-myst-parser python3-sphinx

say "Describing the classes"
mkdir -p "$folder"
{
  cat Documentation/site/Doxyfile
  printf '%s\n' "OUTPUT_DIRECTORY = $folder" "HTML_OUTPUT = classes" "GENERATE_TAGFILE = $folder/classes.tag"
} | doxygen -
