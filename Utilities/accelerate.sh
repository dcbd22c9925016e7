#!/usr/bin/env bash
# Runs a program that uses ITK, unmodified, with the filters of this module: on a CUDA device where that is faster.
#
#   Utilities/accelerate.sh [--verbose] [--backend auto|cuda|cpu|off] PROGRAM [ARGUMENT ...]
#
#   --verbose   one line on standard error for the start of the device, and one for each run of a filter: its name, the
#               size, where it ran, and the time
#   --backend   auto: where it is faster (default); cuda: wherever there are kernels; cpu: on the CPU; off: ITK's filters
#
# The plug-in is looked for in the installation that this script is part of, and in the build tree, build; CUDAFILTERS_PLUGIN
# names another folder. Documentation/DropIn.md says more.
set -euo pipefail

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

while (($# > 0)); do
  case $1 in
    --verbose) export ITK_CUDA_VERBOSE=1 ;;
    --backend)
      [[ ${2:-} =~ ^(auto|cuda|cpu|off)$ ]] || fail "--backend needs one of auto, cuda, cpu, off"
      export ITK_CUDA_BACKEND=$2
      shift
      ;;
    --help)
      sed -n "2,/^set/{/^set/d;s/^# \{0,1\}//;s:Utilities/accelerate.sh:$(basename "$0"):;p}" "$0"
      exit
      ;;
    --*) fail "there is no option $1; try --help" ;;
    *) break ;;
  esac
  shift
done
(($# > 0)) || fail "which program? try --help"

if [[ -n ${CUDAFILTERS_PLUGIN:-} ]]; then
  plugin=$CUDAFILTERS_PLUGIN
  [[ -f $plugin/libCudaFiltersPlugin.so ]] || fail "CUDAFILTERS_PLUGIN=$plugin: the plug-in is not in this folder"
else
  here=$(cd "$(dirname "$(realpath "$0")")/.." && pwd)
  plugin=""
  for folder in "$here"/lib*/CudaFiltersPlugin "$here"/lib/*/CudaFiltersPlugin "$here"/build/lib/CudaFiltersPlugin; do
    if [[ -f $folder/libCudaFiltersPlugin.so ]]; then
      plugin=$folder
      break
    fi
  done
  [[ -n $plugin ]] || fail "the plug-in is not in $here/lib or $here/build/lib; set CUDAFILTERS_PLUGIN to its folder"
fi

export ITK_AUTOLOAD_PATH=$plugin${ITK_AUTOLOAD_PATH:+:$ITK_AUTOLOAD_PATH}
exec "$@"
