# cudafilters_add_kernels(TARGET FILE.cu ...): adds CUDA sources to a target that links CudaFilters.
#
# They are compiled by the CUDA compiler if there is one. Otherwise they are left out, and the target is compiled with
# CUDAFILTERS_WITHOUT_KERNELS, so that its filters can say that they run on the CPU only. With CudaFilters_EMULATION, the
# folder test/Emulation of CudaFilters' source, and CudaFilters_EMULATED_CORE, the library built from it, they are compiled
# as plain C++ for the emulated device.
#
# Products and sums are not fused, as in CudaFilters itself, so that results can equal those of the CPU.
#
# A macro, because enable_language() must not be called in a function.
macro(cudafilters_add_kernels target)
  include(CheckLanguage)
  check_language(CUDA)
  if(CudaFilters_EMULATION)
    find_package(Boost REQUIRED COMPONENTS context)
    set_source_files_properties(
      ${ARGN}
      PROPERTIES
        LANGUAGE CXX
        COMPILE_OPTIONS "-xc++;-ffp-contract=off"
    )
    target_sources(${target} PRIVATE ${ARGN})
    target_include_directories(${target} BEFORE PRIVATE ${CudaFilters_EMULATION}/include)
    # It has the name of the core library, and is found before it.
    cmake_path(GET CudaFilters_EMULATED_CORE PARENT_PATH cudafilters_emulated_folder)
    target_link_libraries(${target} PRIVATE ${CudaFilters_EMULATED_CORE} Boost::context)
    target_link_options(${target} PRIVATE -fsanitize=address)
    set_property(TARGET ${target} PROPERTY BUILD_RPATH ${cudafilters_emulated_folder})
  elseif(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_STANDARD)
      set(CMAKE_CUDA_STANDARD 17)
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
    endif()
    enable_language(CUDA)
    target_sources(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
  else()
    target_compile_definitions(${target} PRIVATE CUDAFILTERS_WITHOUT_KERNELS)
  endif()
endmacro()
