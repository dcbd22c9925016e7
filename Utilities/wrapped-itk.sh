# What the scripts share that build or use an ITK with Python wrapping; to be sourced after common.sh.

need_wrapping_packages() {
  need_test_packages swig castxml python3-dev python3-numpy python3-pkg-resources "$@"
}

get_wrapped_itk() { echo "$1/itk-wrapped"; }

# forget_libraries TREE: external modules leave their libraries in ITK's tree, where those of one build tree would be taken
# for up to date by the other.
forget_libraries() { rm -f "$1"/Wrapping/Generators/Python/itk/{libitkCudaFilters*,_CudaFiltersPython.so}; }

# ITK and an external module must be given the same. Not Release: for that, ITK optimizes modules when they are linked, which
# takes minutes. Products and sums are not fused, so that ITK's filters and ours, which share some copies of ITK's code,
# round alike.
wrapping_options=(-DITK_USE_SYSTEM_CASTXML=ON -DITK_USE_SYSTEM_SWIG=ON -DPython3_EXECUTABLE=/usr/bin/python3
  -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -DNDEBUG -ffp-contract=off" "-DCMAKE_C_FLAGS=-O1 -DNDEBUG")
