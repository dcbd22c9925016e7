# Shared by the scripts of this folder; to be sourced, not run.

# What ccache keeps serves all checkouts of the project, wherever they are.
export CCACHE_NOHASHDIR=1
CCACHE_BASEDIR=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
export CCACHE_BASEDIR

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Installs the Debian packages named that are not there yet. Without root, prints the command to run and stops.
need_packages() {
  local package missing=()
  for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    fail "this script sets up Debian; on another system install what these Debian packages hold: ${missing[*]}"
  fi
  if (($(id -u) != 0)); then
    printf '%s\n' "Some Debian packages are missing. Install them, then start this script again:" \
      "  sudo apt-get update && sudo apt-get install --yes --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  say "Installing ${missing[*]}"
  apt-get update --quiet=2
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends "${missing[@]}"
}

# What a build of the library and the program cudafilters needs.
need_program_packages() {
  need_packages g++ cmake ninja-build ccache libcli11-dev zlib1g-dev libinsighttoolkit5-dev libfftw3-dev uuid-dev "$@"
}

# What a build of this project with tests needs.
need_build_packages() {
  need_program_packages libgtest-dev libbenchmark-dev libboost-context-dev "$@"
}

# fetch_debian_source PACKAGE FOLDER: unpacks a Debian source package as FOLDER/PACKAGE, leaving the system's own list
# of package sources as it is.
fetch_debian_source() {
  local package=$1 folder=$2 apt=$2/apt options
  mkdir -p "$apt/parts" "$apt/lists/partial"
  sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$apt/parts/debian.sources"
  options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists"
    -o APT::Sandbox::User=root --quiet=2)
  apt-get "${options[@]}" update
  (cd "$apt" && apt-get "${options[@]}" source --download-only "$package")
  rm -rf "$folder/$package.part"
  dpkg-source --no-check --extract "$apt/$package"_*.dsc "$folder/$package.part" >/dev/null
  mv "$folder/$package.part" "$folder/$package"
}

# configure SOURCE BUILD [OPTION ...]: configures quietly but for the project's own messages.
configure() {
  local source=$1 build=$2 log
  shift 2
  log=$(mktemp)
  if ! cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER_LAUNCHER=ccache \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm "$log"
    fail "configuring failed"
  fi
  grep CudaFilters: "$log" || true
  rm "$log"
}
