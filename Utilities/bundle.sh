#!/usr/bin/env bash
# Gathers programs and the libraries they need, to be run on a GPU server that has no ITK.
#
#   Utilities/bundle.sh FOLDER [ARCHITECTURES [PROGRAM ...]]
#
# ARCHITECTURES (default: 90, for Hopper) are CMake's CUDA architectures of that server. The programs are the tests and the
# benchmark, and those that are named: cudafilters, which brings the libraries of all image formats, 80 MB of them.
# Copy FOLDER there and run
#
#   FOLDER/run CudaFiltersGTest [ARGUMENT ...]
#
# The server needs a processor of the same architecture, an NVIDIA driver and a C++ runtime at least as new as this machine's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
(($# >= 1)) || fail "usage: bundle.sh FOLDER [ARCHITECTURES [PROGRAM ...]]"
folder=$(realpath --canonicalize-missing "$1")
architectures=${2:-90}
build=$project/build-bundle

need_test_packages
need_itk
command -v nvcc >/dev/null || fail "needs nvcc, the CUDA compiler, on the PATH"

say "Building for CUDA architectures $architectures in $build"
configure "$project" "$build" "-DCMAKE_CUDA_ARCHITECTURES=$architectures" -DCudaFilters_EMULATED_TESTS=OFF
targets=(CudaFiltersGTest CudaFiltersBenchmark CudaFiltersEdgeQuality "${@:3}")
cmake --build "$build" --target "${targets[@]}"

say "Gathering in $folder"
[[ ! -e $folder || -x $folder/run ]] || fail "$folder exists and is not a bundle"
rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/Input"
programs=("${targets[@]/#/$build/bin/}")
cp "${programs[@]}" "$folder"
cp "$project"/test/Input/* "$folder/Input"
# The C and C++ runtimes must be the server's own.
ldd "${programs[@]}" | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
  xargs -I{} cp -L {} "$folder/lib"
cat >"$folder/run" <<'END'
#!/usr/bin/env bash
# Runs a program of this folder with the libraries of this folder; tests fail if there is no GPU. CUDAFILTERS_PREFIX may
# name a checker to run it under: CUDAFILTERS_PREFIX="compute-sanitizer --tool memcheck" ./run CudaFiltersGTest
here=$(cd "$(dirname "$0")" && pwd)
export CUDAFILTERS_TEST_INPUT=$here/Input CUDAFILTERS_TEST_NEEDS_DEVICE=1
program=$1
shift
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec ${CUDAFILTERS_PREFIX:-} "$here/$program" "$@"
END
chmod +x "$folder/run"
du -sh "$folder" | cut -f1
