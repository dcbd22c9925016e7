# cudafilters_add_kernels(TARGET FILE.cu ...): adds CUDA sources to a target that links CudaFilters. Products and sums are
# not fused in the target, so that functions give the same results on the device and on the CPU.
#
# They are compiled by the CUDA compiler if there is one and CudaFilters itself was built with CUDA. Otherwise they are left
# out, and the target and its users are compiled with CUDAFILTERS_WITHOUT_KERNELS, so that filters can say that they run on
# the CPU only. With CudaFilters_EMULATION, the folder test/Emulation of CudaFilters' source, and CudaFilters_EMULATED_CORE,
# the library built from it, they are compiled as plain C++ for the emulated device.
#
# Macros, because enable_language() must not be called in a function.
macro(cudafilters_add_kernels target)
  # The same function gives the same result on the CPU: see cudafilters_round_products().
  target_compile_options(
    ${target}
    PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>
      $<$<AND:$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,$<CXX_COMPILER_ID:GNU,Clang,AppleClang>>:-Xcompiler=-ffp-contract=off>
  )
  if(CudaFilters_EMULATION)
    find_package(Boost REQUIRED COMPONENTS context)
    set_source_files_properties(
      ${ARGN}
      PROPERTIES
        LANGUAGE CXX
        COMPILE_OPTIONS "-xc++"
    )
    target_sources(${target} PRIVATE ${ARGN})
    target_include_directories(${target} BEFORE PRIVATE ${CudaFilters_EMULATION}/include)
    # It has the name of the core library, and is found before it.
    cmake_path(GET CudaFilters_EMULATED_CORE PARENT_PATH cudafilters_emulated_folder)
    target_link_libraries(${target} PRIVATE ${CudaFilters_EMULATED_CORE} Boost::context)
    target_link_options(${target} PRIVATE -fsanitize=address)
    set_property(TARGET ${target} PROPERTY BUILD_RPATH ${cudafilters_emulated_folder})
  else()
    if(CudaFilters_HAS_DEVICE_CODE)
      cudafilters_enable_cuda()
    endif()
    if(CudaFilters_HAS_DEVICE_CODE AND CMAKE_CUDA_COMPILER)
      target_sources(${target} PRIVATE ${ARGN})
      target_compile_features(${target} PRIVATE cuda_std_17)
      cudafilters_round_products(${target})
      # The target may have been created before the architectures were known.
      get_target_property(cudafilters_architectures ${target} CUDA_ARCHITECTURES)
      if(NOT cudafilters_architectures)
        set_property(TARGET ${target} PROPERTY CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})
      endif()
    else()
      target_compile_definitions(${target} PUBLIC CUDAFILTERS_WITHOUT_KERNELS)
    endif()
  endif()
endmacro()

# Products and sums are fused only where the code says so, and otherwise rounded one by one, as on the CPU.
function(cudafilters_round_products target)
  target_compile_options(
    ${target}
    PRIVATE
      $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--fmad=false>
      $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-ffp-contract=off>
  )
endfunction()

# Enables the language CUDA if there is a compiler for it, which CMAKE_CUDA_COMPILER then names. If no architectures were
# requested (CMAKE_CUDA_ARCHITECTURES, or CUDAARCHS in the environment), the architecture is that of this machine's GPU or,
# without one, virtual code, which the driver compiles on first use for any GPU from Turing on.
macro(cudafilters_enable_cuda)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      find_program(CudaFilters_NVIDIA_SMI nvidia-smi)
      mark_as_advanced(CudaFilters_NVIDIA_SMI)
      set(cudafilters_gpus "")
      if(CudaFilters_NVIDIA_SMI)
        execute_process(
          COMMAND ${CudaFilters_NVIDIA_SMI} --list-gpus
          OUTPUT_VARIABLE cudafilters_gpus
          ERROR_QUIET
          TIMEOUT 10
        )
      endif()
      if("${cudafilters_gpus}" MATCHES "GPU 0" AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.24)
        set(CMAKE_CUDA_ARCHITECTURES native)
      else()
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
      endif()
    endif()
    if(NOT CMAKE_CUDA_STANDARD)
      set(CMAKE_CUDA_STANDARD 17)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    endif()
    enable_language(CUDA)
  endif()
endmacro()
