// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_HostDevice_h
#define CudaFilters_HostDevice_h

/** Marks a function that the CPU and the device execute: __host__ __device__ where a CUDA compiler reads it. */
#if defined(__CUDACC__)
#  define CUDAFILTERS_HOST_DEVICE __host__ __device__
#else
#  define CUDAFILTERS_HOST_DEVICE
#endif

#endif
