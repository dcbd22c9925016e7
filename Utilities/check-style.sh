#!/usr/bin/env bash
# Checks layout and spelling with the tools that Debian has packages of: the same as .pre-commit-config.yaml. With --fix,
# corrects the layout.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"
cd "$here/.."
need_packages clang-format codespell black

mapfile -t sources < <(git ls-files '*.h' '*.hxx' '*.cxx' '*.cu' '*.cuh')
mapfile -t scripts < <(git ls-files '*.py')
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${sources[@]}"
  black --quiet --line-length 120 "${scripts[@]}"
else
  clang-format --dry-run --Werror "${sources[@]}"
  black --quiet --check --line-length 120 "${scripts[@]}" || fail "black would change: run Utilities/check-style.sh --fix"
fi
codespell $(git ls-files '*.md' '*.h' '*.hxx' '*.cxx' '*.cu' '*.cuh' '*.py' '*.sh' '*.cmake' '*.txt')
