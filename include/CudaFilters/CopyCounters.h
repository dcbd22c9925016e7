// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_CopyCounters_h
#define CudaFilters_CopyCounters_h

#include <cstdint>

namespace itk
{
/** \brief How often, and how many bytes of, pixels crossed the bus. */
struct CudaCopyCounters
{
  std::uint64_t Uploads = 0;
  std::uint64_t Downloads = 0;
  std::uint64_t UploadedBytes = 0;
  std::uint64_t DownloadedBytes = 0;

  friend CudaCopyCounters
  operator-(CudaCopyCounters later, const CudaCopyCounters & earlier)
  {
    later.Uploads -= earlier.Uploads;
    later.Downloads -= earlier.Downloads;
    later.UploadedBytes -= earlier.UploadedBytes;
    later.DownloadedBytes -= earlier.DownloadedBytes;
    return later;
  }
};
} // namespace itk

#endif
