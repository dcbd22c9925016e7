// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_Instances_h
#define CudaFilters_detail_Instances_h

// The library holds explicit instantiations of the filters, and of the ITK filters they derive from, for the pixel
// types of this module's kernels in 2-D and 3-D (src/Instances). Each filter's header declares them, so that programs
// do not compile them again. Other types are instantiated from the headers, as usual.
//
// A header defines a macro NAME(prefix, TPixel, VDimension) that lists the instantiations of its filter for one kind of
// image, and passes it to CUDAFILTERS_DECLARE_INSTANCES.

/** One filter, the class of this module that it derives from, and its ITK parent, for template arguments that are the
 * same for filter and parent. */
#define CUDAFILTERS_INSTANCE(prefix, filter, base, parent, ...)          \
  prefix template class parent<__VA_ARGS__>;                             \
  prefix template class CudaAcceleratedImageFilter<parent<__VA_ARGS__>>; \
  prefix template class base<parent<__VA_ARGS__>>;                       \
  prefix template class filter<__VA_ARGS__>

#if defined(_MSC_VER) || defined(CUDAFILTERS_WITHOUT_INSTANCES)
#  define CUDAFILTERS_DECLARE_INSTANCES(macro)
#else
#  define CUDAFILTERS_DECLARE_INSTANCES(macro) \
    macro(extern, unsigned char, 2);           \
    macro(extern, unsigned char, 3);           \
    macro(extern, unsigned short, 2);          \
    macro(extern, unsigned short, 3);          \
    macro(extern, short, 2);                   \
    macro(extern, short, 3);                   \
    macro(extern, float, 2);                   \
    macro(extern, float, 3);                   \
    macro(extern, double, 2);                  \
    macro(extern, double, 3)
#endif

#endif
