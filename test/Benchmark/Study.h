// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBenchmarkStudy_h
#define itkCudaBenchmarkStudy_h

namespace itk
{
namespace CudaBenchmark
{
/** Registers the small kernels of the optimisation study: Documentation/OptimisationStudy.md. */
void
RegisterStudy();
} // namespace CudaBenchmark
} // namespace itk

#endif
