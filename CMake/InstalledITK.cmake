# Builds the module against an installed ITK: what ITKModuleExternal.cmake does against a build tree.

include(CMakePackageConfigHelpers)
include(CTest)
include(GNUInstallDirs)

option(BUILD_SHARED_LIBS "Build shared libraries" ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# An ITK outside the system's folders is found from the installed libraries and programs, too.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CudaFilters_INSTALL_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/CudaFilters)
set(package_destination ${CMAKE_INSTALL_LIBDIR}/cmake/CudaFilters)

add_subdirectory(src)
# The name that users of the installed package know, for projects that contain this one.
add_library(CudaFilters::CudaFilters ALIAS CudaFilters)
add_library(CudaFilters::CudaFiltersFactory ALIAS CudaFiltersFactory)

install(
  DIRECTORY include/
  DESTINATION ${CudaFilters_INSTALL_INCLUDE_DIR}
  COMPONENT Development
)
install(
  FILES ${CudaFilters_BINARY_DIR}/include/CudaFiltersExport.h
  DESTINATION ${CudaFilters_INSTALL_INCLUDE_DIR}
  COMPONENT Development
)
install(
  TARGETS CudaFilters CudaFiltersCore CudaFiltersFactory
  EXPORT CudaFiltersTargets
  INCLUDES DESTINATION ${CudaFilters_INSTALL_INCLUDE_DIR}
)
install(
  EXPORT CudaFiltersTargets
  NAMESPACE CudaFilters::
  DESTINATION ${package_destination}
)
configure_package_config_file(
  CMake/CudaFiltersConfig.cmake.in
  ${PROJECT_BINARY_DIR}/CudaFiltersConfig.cmake
  INSTALL_DESTINATION ${package_destination}
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/CudaFiltersConfigVersion.cmake
  COMPATIBILITY SameMinorVersion
)
install(
  FILES
    ${PROJECT_BINARY_DIR}/CudaFiltersConfig.cmake
    ${PROJECT_BINARY_DIR}/CudaFiltersConfigVersion.cmake
    CMake/CudaFiltersKernels.cmake
  DESTINATION ${package_destination}
)

install(
  PROGRAMS Utilities/cudafilters-convert
  DESTINATION ${CMAKE_INSTALL_BINDIR}
)

option(CudaFilters_BUILD_EXAMPLES "Build the examples, and the program cudafilters among them" ON)
if(CudaFilters_BUILD_EXAMPLES)
  add_subdirectory(examples)
endif()

if(BUILD_TESTING)
  add_subdirectory(test)
endif()
