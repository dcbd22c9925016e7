#!/usr/bin/env bash
# Builds the part of ITK that the Python tests need, with its Python wrapping, from Debian's source package
# insighttoolkit5, for Debian's python3.
#
#   Utilities/build-wrapped-itk.sh [CACHE]
#
# Prints the build tree at the end: CACHE/itk-wrapped (default of CACHE: ~/.cache/itkcudafilters). Half an hour on two
# cores the first time; stopped and started again, it goes on where it was. ITK's wrapping as a whole would take hours:
# only the filters that ours derive from, and what is needed around them, are wrapped, for unsigned char, unsigned short,
# short and float.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"
source "$here/wrapped-itk.sh"

need_wrapping_packages dpkg-dev zlib1g-dev libpng-dev

cache=$(get_cache "${1:-}")
tree=$(get_wrapped_itk "$cache")
recipe=$(cat "$here/build-wrapped-itk.sh" "$here/wrapped-itk.sh" | sha256sum | cut -c1-16)
if [[ -f $tree/recipe && $(<"$tree/recipe") == "$recipe" ]]; then
  say "The wrapped ITK is there: $tree"
  exit
fi

# ---- The source, reduced ------------------------------------------------------------------------------------------
# The modules to wrap, and which of their classes; + for all.
declare -A wrapped=(
  [Core/Common]=+
  [Filtering/ImageFilterBase]="itkBoxImageFilter itkCastImageFilter itkUnaryGeneratorImageFilter"
  [Filtering/Smoothing]="itkDiscreteGaussianImageFilter itkMeanImageFilter itkMedianImageFilter"
  [Filtering/ImageFeature]="itkCannyEdgeDetectionImageFilter itkSobelEdgeDetectionImageFilter itkZeroCrossingImageFilter"
  [Filtering/ImageIntensity]="itkRescaleIntensityImageFilter"
  [Filtering/ImageStatistics]="itkStatisticsImageFilter"
  [Filtering/Thresholding]="itkBinaryThresholdImageFilter itkHistogramThresholdImageFilter itkOtsuThresholdImageFilter"
  [Filtering/MathematicalMorphology]="itkFlatStructuringElement itkMathematicalMorphologyEnums
    itkGrayscaleDilateImageFilter itkGrayscaleErodeImageFilter
    itkReconstructionByDilationImageFilter itkReconstructionByErosionImageFilter itkGrayscaleFillholeImageFilter
    itkHConcaveImageFilter itkHConvexImageFilter itkHMaximaImageFilter itkHMinimaImageFilter
    itkRegionalMaximaImageFilter itkRegionalMinimaImageFilter itkOpeningByReconstructionImageFilter
    itkClosingByReconstructionImageFilter"
  [Filtering/DistanceMap]="itkDanielssonDistanceMapImageFilter itkDirectedHausdorffDistanceImageFilter
    itkHausdorffDistanceImageFilter itkSignedDanielssonDistanceMapImageFilter itkSignedMaurerDistanceMapImageFilter"
  [Segmentation/ConnectedComponents]="itkConnectedComponentImageFilter itkRelabelComponentImageFilter
    itkScalarConnectedComponentImageFilter"
  [IO/ImageBase]="ITKIOImageBaseBase itkImageFileReader itkImageFileWriter"
  [IO/PNG]=+
  [IO/NRRD]=+
  [IO/Meta]=+
  [Bridge/NumPy]=+
)
# leave_out FOLDER CLASS: the class is not wrapped.
leave_out() {
  rm "$1/$2.wrap"
  sed -i "/^ *$2 *\$/d" "$1/CMakeLists.txt"
}

# Of the core, what none of these needs.
unneeded=(itkAnnulusOperator itkBSplineInterpolationWeightFunction itkBackwardDifferenceOperator itkBoundingBox
  itkDefaultDynamicMeshTraits itkDefaultStaticMeshTraits itkDerivativeOperator itkDiffusionTensor3D
  itkForwardDifferenceOperator itkGaussianDerivativeOperator itkImageKernelOperator itkKernelFunctionBase
  itkLaplacianOperator itkPointSet itkPointSetToImageFilter itkSpatialFunction itkTriangleHelper itkVersor vnl_c_vector
  vnl_cost_function vnl_diag_matrix vnl_file_matrix vnl_file_vector vnl_fortran_copy vnl_least_squares_function
  vnl_unary_function)

itk_source=$(get_itk_folder "$default_itk_version" "$cache")/source
fetch_itk_source "$default_itk_version" "$itk_source"
reduced=$cache/itk-wrapped-source
if [[ ! -f $reduced/recipe || $(<"$reduced/recipe") != "$recipe" ]]; then
  say "Reducing the wrapping of ITK's source in $reduced"
  rm -rf "$reduced"
  # Links, not copies; what changes is written anew.
  cp --archive --link "$itk_source" "$reduced"
  rm -rf "$reduced/Modules/Remote/CudaFilters"
  for folder in "$reduced"/Modules/*/*/wrapping; do
    module=${folder#"$reduced/Modules/"}
    module=${module%/wrapping}
    if [[ -z ${wrapped[$module]:-} ]]; then
      rm -r "$folder"
    elif [[ ${wrapped[$module]} != + ]]; then
      for file in "$folder"/*.wrap; do
        name=$(basename "$file" .wrap)
        [[ " ${wrapped[$module]//$'\n'/ } " == *" $name "* ]] || leave_out "$folder" "$name"
      done
    fi
  done
  for name in "${unneeded[@]}"; do
    leave_out "$reduced/Modules/Core/Common/wrapping" "$name"
  done
  # There are no images of vectors here, and some files do not expect that.
  sed -i 's/VectorTypes ${WRAP_ITK_VECTOR})/VectorTypes "${WRAP_ITK_VECTOR}")/' \
    "$reduced/Modules/Core/Common/wrapping/itkImageDuplicator.wrap"
  sed -i '/WRAP_ITK_VECTOR/d' "$reduced/Modules/Segmentation/ConnectedComponents/wrapping/itkConnectedComponentImageFilter.wrap"
  # Where those in between are left out, the base classes are still in these two.
  python3 - "$reduced/Wrapping/TypedefMacros.cmake" <<'END'
import sys
path = sys.argv[1]
text = open(path).read()
place = '  # set(WRAPPER_LIBRARY_DEPENDS ${ITK_MODULE_${library_name}_DEPENDS})\n'
assert place in text
addition = '''  foreach(base ITKCommon ITKImageFilterBase)
    if("${base}" IN_LIST WRAP_ITK_MODULES AND NOT "${library_name}" MATCHES "^ITKPy|^${base}$")
      list(APPEND WRAPPER_LIBRARY_DEPENDS ${base})
    endif()
  endforeach()
  if(WRAPPER_LIBRARY_DEPENDS)
    list(REMOVE_DUPLICATES WRAPPER_LIBRARY_DEPENDS)
  endif()
'''
import os
os.remove(path)
open(path, 'w').write(text.replace(place, addition))
END
  # Named in a message only.
  sed -i 's/^\( *\)itk\.\(ImageSeriesReader\|MeshFileReader\),$/\1getattr(itk, "\2", None),/' \
    "$reduced/Wrapping/Generators/Python/itk/support/extras.py"
  # Gone from SWIG 4.1, and from NumPy 1.24.
  sed -i '/ios_base_sync_with_stdio\|ios_base_xalloc/d' "$reduced/Wrapping/Generators/Python/PyBase/CMakeLists.txt"
  sed -i 's/np\.bool)/np.bool_)/' "$reduced/Wrapping/Generators/Python/itk/support/types.py"
  echo "$recipe" >"$reduced/recipe"
fi

# ---- The build ----------------------------------------------------------------------------------------------------
modules=(ITKCommon ITKImageCompare ITKImageFilterBase ITKSmoothing ITKImageFeature ITKImageIntensity ITKImageStatistics
  ITKThresholding ITKMathematicalMorphology ITKDistanceMap ITKConnectedComponents ITKIOImageBase ITKIOPNG ITKIONRRD ITKIOMeta ITKBridgeNumPy)
say "Building ITK with Python wrapping in $tree"
configure "$reduced" "$tree" -Wno-dev $(printf -- '-DModule_%s=ON\n' "${modules[@]}") \
  -DITK_BUILD_DEFAULT_MODULES=OFF -DITKGroup_Core=OFF -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DBUILD_SHARED_LIBS=ON \
  -DITK_USE_SYSTEM_ZLIB=ON -DITK_USE_SYSTEM_PNG=ON \
  -DITK_WRAP_PYTHON=ON "-DITK_WRAP_IMAGE_DIMS=2;3" "${wrapping_options[@]}" \
  -DITK_WRAP_unsigned_short=ON -DITK_WRAP_double=OFF -DITK_WRAP_vector_float=OFF -DITK_WRAP_covariant_vector_float=OFF \
  -DITK_WRAP_rgb_unsigned_char=OFF -DITK_WRAP_rgba_unsigned_char=OFF -DITK_WRAP_complex_float=OFF
cmake --build "$tree"
PYTHONPATH=$tree/Wrapping/Generators/Python /usr/bin/python3 -c '
import itk, numpy
image = itk.image_from_array(numpy.arange(12, dtype=numpy.float32).reshape(3, 4))
assert itk.array_from_image(itk.discrete_gaussian_image_filter(image, variance=1.0)).shape == (3, 4)'
echo "$recipe" >"$tree/recipe"
say "The wrapped ITK is ready: $tree"
