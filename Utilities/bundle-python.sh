#!/usr/bin/env bash
# Gathers the Python wrapping, its tests and examples, and Debian's Python with NumPy, to be run on a GPU server that has
# none of them.
#
#   [ITK_DIR=TREE] Utilities/bundle-python.sh FOLDER [ARCHITECTURES]
#
# ARCHITECTURES (default: 90, for Hopper) are CMake's CUDA architectures of that server. Copy FOLDER there and run
#
#   FOLDER/run -m unittest discover FOLDER/test
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
source "$here/common.sh"
source "$here/wrapped-itk.sh"
(($# >= 1)) || fail "usage: bundle-python.sh FOLDER [ARCHITECTURES]"
folder=$(realpath --canonicalize-missing "$1")
architectures=${2:-90}
build=$project/build-bundle-python

need_wrapping_packages binutils
python=$(basename "$(readlink -f /usr/bin/python3)")
command -v nvcc >/dev/null || fail "needs nvcc, the CUDA compiler, on the PATH"
if [[ -z ${ITK_DIR:-} ]]; then
  "$here/build-wrapped-itk.sh"
  ITK_DIR=$(get_wrapped_itk "$(get_cache)")
fi

say "Building for CUDA architectures $architectures in $build"
configure "$project" "$build" "-DITK_DIR=$ITK_DIR" -DBUILD_TESTING=OFF \
  "-DCMAKE_CUDA_ARCHITECTURES=$architectures" "${wrapping_options[@]}" -DCMAKE_BUILD_TYPE=Release
forget_libraries "$ITK_DIR"
cmake --build "$build" --target CudaFilters CudaFiltersPython

say "Gathering in $folder"
rm -rf "$folder"
content=$folder/content
mkdir -p "$content/usr/bin" "$content/usr/lib" "$content/lib"
cp "/usr/bin/$python" "$content/usr/bin"
cp -r "/usr/lib/$python" "$content/usr/lib"
rm -rf "$content/usr/lib/$python"/{config-*,dist-packages,test,idlelib}
cp -rL /usr/lib/python3/dist-packages/{numpy,pkg_resources} "$content"
cp -r "$ITK_DIR/Wrapping/Generators/Python" "$content/itk"
find "$content" -name __pycache__ -prune -exec rm -r {} +
find "$content" -name '*.a' -delete
mapfile -t libraries < <(find "$content" -name '*.so*' -type f)
strip --strip-unneeded "${libraries[@]}"
# The C and C++ runtimes must be the server's own.
ldd "$content/usr/bin/$python" "${libraries[@]}" 2>/dev/null | awk '$3 ~ /^\// { print $3 }' | sort -u |
  grep -vF -e "$content" -e "$ITK_DIR" |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux-x86-64)\.so' |
  xargs -I{} cp -L {} "$content/lib"
# For the tests, which play the part of another library.
cp -L "$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")"/lib64/libcudart.so.* "$content/lib"
ln -sf "$(basename "$(find "$content/lib" -name 'libcudart.so.*' | sort | head -n 1)")" "$content/lib/libcudart.so"
ln -s "$python" "$content/usr/bin/python3"
tar -C "$content" -czf "$folder/content.tar.gz" .
rm -r "$content"
cp -r "$project/wrapping/test" "$project/examples/python" "$folder"
cp -r "$project/test/Input" "$folder"
cat >"$folder/run" <<'END'
#!/usr/bin/env bash
# Runs Python with what is in this folder; the tests fail if there is no GPU. CUDAFILTERS_PREFIX may name a checker to run
# it under.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
content=${CUDAFILTERS_CONTENT:-${TMPDIR:-/tmp}/cudafilters-python}
if [[ ! $content -nt $here/content.tar.gz ]]; then
  rm -rf "$content" "$content.part"
  mkdir -p "$content.part"
  tar -C "$content.part" -xzf "$here/content.tar.gz"
  touch "$content.part"
  mv "$content.part" "$content"
fi
export CUDAFILTERS_TEST_NEEDS_DEVICE=1 PYTHONHOME=$content/usr PYTHONPATH=$content:$content/itk PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH=$content/itk/itk:$content/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec ${CUDAFILTERS_PREFIX:-} "$content/usr/bin/python3" "$@"
END
chmod +x "$folder/run"
du -sh "$folder" | cut -f1
