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

# Whether this machine has a GPU that CUDA can use.
has_gpu() { nvidia-smi --list-gpus >/dev/null 2>&1; }

# The folder that keeps what takes long to build.
get_cache() { realpath --canonicalize-missing "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/itkcudafilters}"; }

# The version of ITK that Debian 12 has.
default_itk_version=5.2.1

# get_itk_folder VERSION [CACHE]: where Utilities/build-itk.sh builds that version.
get_itk_folder() { echo "$(get_cache "${2:-}")/itk-$1"; }

# Provides ITK: Debian's package where there is one, else a build of Debian's source package, to which ITK_DIR then points.
# An ITK_DIR that the caller has set is left alone.
need_itk() {
  if [[ -n ${ITK_DIR:-} ]]; then
    return
  elif [[ $(dpkg --print-architecture 2>/dev/null) == amd64 ]]; then
    need_packages libinsighttoolkit5-dev libfftw3-dev uuid-dev
  else
    "$(dirname "${BASH_SOURCE[0]}")/build-itk.sh"
    ITK_DIR=$(echo "$(get_itk_folder "$default_itk_version")"/installed/lib/cmake/ITK-*)
    export ITK_DIR
  fi
}

# What a build of the library and the program cudafilters needs, beside ITK.
need_program_packages() { need_packages g++ cmake ninja-build ccache libcli11-dev zlib1g-dev "$@"; }

# What a build of this project with tests needs, beside ITK.
need_test_packages() { need_program_packages libgtest-dev libbenchmark-dev libboost-context-dev python3-clang-14 "$@"; }

# Prints a file with Debian's archive in apt's newer format, which installers of Debian 12 do not use yet.
find_debian_sources() {
  local file=/etc/apt/sources.list.d/debian.sources
  if [[ ! -f $file ]]; then
    file=$(mktemp)
    awk '$1 == "deb" && !/cdrom|security|updates/ {
      for (i = 2; $i !~ /:\/\//; ++i) { }
      printf "Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n", $i, $(i + 1)
      print "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg"
      exit }' /etc/apt/sources.list >"$file"
  fi
  echo "$file"
}

# fetch_itk_source VERSION FOLDER: unpacks Debian's source package of that version of ITK as FOLDER, unless it is there,
# leaving the system's own list of package sources as it is.
fetch_itk_source() {
  local version=$1 folder=$2 apt=$2.apt suites options
  [[ ! -f $folder/CMakeLists.txt ]] || return 0
  case $version in
    5.2.1) suites='bookworm' ;;
    5.4.3) suites='trixie' ;;
    *) fail "Debian has source packages of ITK 5.2.1 and 5.4.3; unpack the source of $version as $folder" ;;
  esac
  say "Fetching the source package of ITK $version"
  mkdir -p "$apt/parts" "$apt/lists/partial"
  # The first entry is Debian's main archive, as this system reaches it; the others have security updates.
  awk -v suites="$suites" '/^$/ { exit } /^Types:/ { $0 = "Types: deb-src" } /^Suites:/ { $0 = "Suites: " suites } { print }' \
    "$(find_debian_sources)" >"$apt/parts/debian.sources"
  options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists"
    -o APT::Sandbox::User=root --quiet=2)
  apt-get "${options[@]}" update
  (cd "$apt" && apt-get "${options[@]}" source --download-only insighttoolkit5)
  rm -rf "$folder.part"
  dpkg-source --no-check --extract "$apt"/insighttoolkit5_*.dsc "$folder.part" >/dev/null
  mv "$folder.part" "$folder"
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

# configure_for_tests SOURCE BUILD: with little optimization, since compiling takes longer than the tests.
configure_for_tests() { configure "$1" "$2" "-DCMAKE_CXX_FLAGS_RELEASE=-Og -DNDEBUG"; }

# prepare_tests SOURCE BUILD [PACKAGE ...]: installs what the tests need, and configures.
prepare_tests() {
  need_test_packages "${@:3}"
  need_itk
  say "Configuring in $2"
  configure_for_tests "$1" "$2"
}
