#!/usr/bin/env bash
# Gathers programs and the libraries they need, to be run on a GPU server that has no ITK.
#
#   Utilities/bundle.sh FOLDER [ARCHITECTURES [PROGRAM ...]]
#
# ARCHITECTURES (default: 90, for Hopper) are CMake's CUDA architectures of that server. FOLDER gets the tests, the
# benchmark, and each PROGRAM, which is one of
#
#   cudafilters         the command line program, with the libraries of all image formats (80 MB)
#   CudaFiltersPlugin   the plug-in for programs that use ITK (Documentation/DropIn.md), accelerate.sh, and
#                       compare-backends.py, which needs Python 3
#   TARGET              another program of the build
#   PATH/NAME           a program of this machine, with its libraries
#
# Copy FOLDER there and run
#
#   FOLDER/run CudaFiltersGTest [ARGUMENT ...]
#   FOLDER/run accelerate.sh PROGRAM [ARGUMENT ...]
#
# The server needs a processor of the same architecture, an NVIDIA driver and a C++ runtime at least as new as this machine's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
(($# >= 1)) || fail "usage: bundle.sh FOLDER [ARCHITECTURES [PROGRAM ...]]"
folder=$(realpath --canonicalize-missing "$1")
[[ ! -e $folder || -x $folder/run ]] || fail "$folder exists and is not a bundle"
architectures=${2:-90}
build=$project/build-bundle

need_test_packages
need_itk
command -v nvcc >/dev/null || fail "needs nvcc, the CUDA compiler, on the PATH"

say "Building for CUDA architectures $architectures in $build"
configure "$project" "$build" "-DCMAKE_CUDA_ARCHITECTURES=$architectures" -DCudaFilters_EMULATED_TESTS=OFF
targets=(CudaFiltersGTest CudaFiltersBenchmark CudaFiltersEdgeQuality)
programs=("${targets[@]/#/$build/bin/}")
plugin=""
for name in "${@:3}"; do
  case $name in
    */*)
      [[ -f $name && -x $name ]] || fail "there is no program $name"
      ldd "$name" >/dev/null 2>&1 || fail "$name is no program with shared libraries"
      programs+=("$name")
      ;;
    CudaFiltersPlugin)
      targets+=("$name")
      plugin=$build/lib/CudaFiltersPlugin/libCudaFiltersPlugin.so
      ;;
    *)
      targets+=("$name")
      programs+=("$build/bin/$name")
      ;;
  esac
done
cmake --build "$build" --target "${targets[@]}"

say "Gathering in $folder"
part=$folder.part
rm -rf "$part"
mkdir -p "$part/lib" "$part/Input"
cp "${programs[@]}" "$part"
cp "$project"/test/Input/* "$part/Input"
if [[ -n $plugin ]]; then
  # Where accelerate.sh looks for it.
  mkdir -p "$part/bin" "$part/lib/CudaFiltersPlugin"
  cp "$plugin" "$part/lib/CudaFiltersPlugin"
  cp "$here"/{accelerate.sh,compare-backends.py} "$part/bin"
  printf '#!/bin/sh\necho %s\n' "$("$here/source-hash.sh")" >"$part/bin/source-hash.sh" # for compare-backends.py
  chmod +x "$part/bin/source-hash.sh"
fi
# The C and C++ runtimes must be the server's own. The tests link all libraries that the plug-in opens.
ldd "${programs[@]}" | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
  xargs -I{} cp -L {} "$part/lib"
cat >"$part/run" <<'END'
#!/usr/bin/env bash
# Runs a program of this folder, or another, with the libraries of this folder; tests fail if there is no GPU.
# CUDAFILTERS_PREFIX may name a checker to run it under:
# CUDAFILTERS_PREFIX="compute-sanitizer --tool memcheck" ./run CudaFiltersGTest
here=$(cd "$(dirname "$0")" && pwd)
export CUDAFILTERS_TEST_INPUT=$here/Input CUDAFILTERS_TEST_NEEDS_DEVICE=1
export PATH=$here:$here/bin:$PATH
program=$(type -P "$1") || { echo "there is no program $1" >&2; exit 127; }
shift
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec ${CUDAFILTERS_PREFIX:-} "$program" "$@"
END
chmod +x "$part/run"
rm -rf "$folder"
mv "$part" "$folder"
du -sh "$folder" | cut -f1
