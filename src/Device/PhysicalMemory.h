// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPhysicalMemory_h
#define itkCudaFiltersPhysicalMemory_h

#include <cstddef>
#include <string>

namespace itk
{
namespace CudaFilters
{
/** The memory of this machine, or what the control group of this process (a container, a job of a cluster) may use of
 * it if that is less. */
std::size_t
GetPhysicalBytes();

/** The limit of the control groups that a file in the format of /proc/self/cgroup lists, below a folder such as
 * /sys/fs/cgroup; the greatest number if there is none. */
std::size_t
GetControlGroupBytes(const std::string & fileOfGroups, const std::string & root);
} // namespace CudaFilters
} // namespace itk

#endif
