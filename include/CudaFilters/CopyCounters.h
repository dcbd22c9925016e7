// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_CopyCounters_h
#define CudaFilters_CopyCounters_h

#include <cstdint>

namespace itk
{
/** \brief Number and size of the copies of pixels between host and device. */
struct CudaCopyCounters
{
  std::uint64_t Uploads = 0;         ///< copies to a device
  std::uint64_t Downloads = 0;       ///< copies to the host
  std::uint64_t UploadedBytes = 0;   ///< their bytes
  std::uint64_t DownloadedBytes = 0; ///< their bytes

  /** Adds other copies. */
  CudaCopyCounters &
  operator+=(const CudaCopyCounters & other)
  {
    this->Uploads += other.Uploads;
    this->Downloads += other.Downloads;
    this->UploadedBytes += other.UploadedBytes;
    this->DownloadedBytes += other.DownloadedBytes;
    return *this;
  }

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
