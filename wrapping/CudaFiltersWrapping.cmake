# What the .wrap files of this folder share.

# cudafilters_python(TEXT): adds a line to the SWIG interface of the submodule at hand, where CudaPython.i is known.
function(cudafilters_python text)
  if(NOT "${ITK_WRAP_PYTHON_SWIG_EXT}" MATCHES "CudaPython[.]i")
    string(APPEND ITK_WRAP_PYTHON_SWIG_EXT "%include CudaPython.i\n")
    file(COPY ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CudaPython.i DESTINATION ${WRAP_ITK_TYPEDEFS_DIRECTORY})
  endif()
  set(ITK_WRAP_PYTHON_SWIG_EXT "${ITK_WRAP_PYTHON_SWIG_EXT}${text}\n" PARENT_SCOPE)
endfunction()

# cudafilters_get_doc(CLASS RESULT): the comment of a class in its header, as the text of a docstring.
function(cudafilters_get_doc class result)
  file(READ ${CudaFilters_SOURCE_DIR}/include/itk${class}.h text)
  string(FIND "${text}" "/** \\class ${class}" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "*/" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  string(REGEX REPLACE "/[*][*] .class [A-Za-z]+\n" "" text "${text}")
  string(REGEX REPLACE "(^|\n) [*] ?" "\\1" text "${text}")
  string(REGEX REPLACE "[\\](ingroup|sa)[^\n]*\n?" "" text "${text}")
  string(REGEX REPLACE "[\\](code|endcode)\n" "" text "${text}")
  string(REGEX REPLACE "[\\](brief|warning|tparam) " "" text "${text}")
  string(REPLACE "\"" "'" text "${text}")
  string(STRIP "${text}" text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# cudafilters_begin_filter(CLASS BASE ...): begins the wrapping of a filter in namespace itk. Its base classes, from
# itself towards the ITK filter, are those of this project's templates named: ExactMode for CudaExactModeImageFilter,
# and so on to Accelerated. They are wrapped with it, without names that Python's users see. After that,
# cudafilters_swig_macro may be set to a macro of CudaPython.i for the filter.
macro(cudafilters_begin_filter class)
  itk_wrap_class("itk::${class}" POINTER)
  set(cudafilters_bases ${ARGN})
  set(cudafilters_swig_macro "")
  cudafilters_get_doc(${class} cudafilters_doc)
  string(
    APPEND
    cudafilters_doc
    "\n\nComputes on an NVIDIA GPU with CUDA where it can, and on the CPU otherwise; GetExecutedOn() tells which, and why. "
    "How devices are used is set by itk.CudaInterface. The result is an image whose pixels stay on the device until they "
    "are looked at."
  )
endmacro()

# cudafilters_type(TYPE NAME): a type that is wrapped without a name for Python's users.
macro(cudafilters_type type name)
  itk_wrap_simple_type("${type}" "${name}")
  itk_wrap_simple_type_swig_interface("${type}" "${name}")
endmacro()

# cudafilters_types(INPUT OUTPUT [OTHER]): the filter for images of these pixel types, in all dimensions. OTHER is a
# further parameter of the template, by ITK's short name without the dimension.
macro(cudafilters_types input output)
  foreach(d ${ITK_WRAP_IMAGE_DIMS})
    set(suffix "${ITKM_I${input}${d}}${ITKM_I${output}${d}}")
    set(parameters "${ITKT_I${input}${d}}, ${ITKT_I${output}${d}}")
    if(${ARGC} GREATER 2)
      string(APPEND suffix "${ITKM_${ARGV2}${d}}")
      string(APPEND parameters ", ${ITKT_${ARGV2}${d}}")
    endif()
    set(name "${WRAPPER_SWIG_NAME}${suffix}")
    set(path "${WRAPPER_CLASS}< ${parameters} >")
    foreach(base ${cudafilters_bases})
      string(APPEND path "::Superclass")
      cudafilters_type("${path}" "${name}_${base}")
      cudafilters_type("${path}::Pointer" "${name}_${base}_Pointer")
    endforeach()
    cudafilters_python("CUDA_FILTER(${name}_Accelerated)")
    if(cudafilters_swig_macro)
      cudafilters_python("${cudafilters_swig_macro}(${name})")
    endif()
    cudafilters_python("%feature(\"docstring\") ${name} \"${cudafilters_doc}\";")
    itk_wrap_template("${suffix}" "${parameters}")
  endforeach()
endmacro()

# cudafilters_same_types(TYPES): input and output of the same type.
macro(cudafilters_same_types)
  foreach(type ${ARGN})
    cudafilters_types(${type} ${type})
  endforeach()
endmacro()

# cudafilters_sinks(TYPES): a filter of one image, which computes numbers.
macro(cudafilters_sinks)
  foreach(type ${ARGN})
    foreach(d ${ITK_WRAP_IMAGE_DIMS})
      set(suffix "${ITKM_I${type}${d}}")
      set(name "${WRAPPER_SWIG_NAME}${suffix}")
      set(path "${WRAPPER_CLASS}< ${ITKT_I${type}${d}} >")
      foreach(base ${cudafilters_bases})
        string(APPEND path "::Superclass")
        cudafilters_type("${path}" "${name}_${base}")
        cudafilters_type("${path}::Pointer" "${name}_${base}_Pointer")
      endforeach()
      cudafilters_python("CUDA_STAGE_TIMES(${name}_Accelerated)")
      cudafilters_python("%feature(\"docstring\") ${name} \"${cudafilters_doc}\";")
      itk_wrap_template("${suffix}" "${ITKT_I${type}${d}}")
    endforeach()
  endforeach()
endmacro()

# The pixel types of everyday filters, which are many: those that most images have. itk.cuda_pixel_function() and NumPy
# serve others.
set(cudafilters_everyday_types "")
foreach(type UC SS F)
  if("${type}" IN_LIST WRAP_ITK_SCALAR)
    list(APPEND cudafilters_everyday_types ${type})
  endif()
endforeach()
