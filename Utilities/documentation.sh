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
[[ ! -e $folder || -f $folder/README.html ]] || fail "$folder exists and is not a site"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "Looking for blocks of code that no test runs"
test/Documentation/blocks.py check

say "Describing the classes"
{
  cat Documentation/site/Doxyfile
  printf '%s = "%s"\n' OUTPUT_DIRECTORY "$work/site" HTML_OUTPUT classes GENERATE_TAGFILE "$work/classes.tag"
} >"$work/Doxyfile"
mkdir "$work/site"
doxygen "$work/Doxyfile"

say "Making the pages"
CUDAFILTERS_CLASSES=$work/classes.tag /usr/bin/python3 -m sphinx -b html -c Documentation/site -d "$work/trees" -W \
  --keep-going -q . "$work/site"

say "Checking the links"
Documentation/site/check_links.py "$work/site"

rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/site" "$folder"
chmod 755 "$folder"
say "The site is $folder/README.html"
