// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Copy.h"
#include "Check.h"
#include <atomic>

namespace itk
{
namespace CudaFilters
{
namespace
{
struct Totals
{
  std::atomic<std::uint64_t> Copies{ 0 };
  std::atomic<std::uint64_t> Bytes{ 0 };

  void
  Count(std::size_t bytes)
  {
    ++this->Copies;
    this->Bytes += bytes;
  }
};

Totals uploads;
Totals downloads;

cudaPitchedPtr
MakePitched(const void * buffer, const Grid & size, std::size_t bytesPerPixel)
{
  return make_cudaPitchedPtr(const_cast<void *>(buffer), size[0] * bytesPerPixel, size[0], size[1]);
}

cudaPos
MakePosition(const Grid & start, std::size_t bytesPerPixel)
{
  return make_cudaPos(start[0] * bytesPerPixel, start[1], start[2]);
}

void
CopyBox(void *              destination,
        const BoxInBuffer & to,
        const void *        source,
        const BoxInBuffer & from,
        const Grid &        size,
        std::size_t         bytesPerPixel,
        cudaMemcpyKind      kind,
        const Stream &      stream)
{
  cudaMemcpy3DParms copy{};
  copy.srcPtr = MakePitched(source, from.Buffer, bytesPerPixel);
  copy.srcPos = MakePosition(from.Start, bytesPerPixel);
  copy.dstPtr = MakePitched(destination, to.Buffer, bytesPerPixel);
  copy.dstPos = MakePosition(to.Start, bytesPerPixel);
  copy.extent = make_cudaExtent(size[0] * bytesPerPixel, size[1], size[2]);
  copy.kind = kind;
  Check(cudaMemcpy3DAsync(&copy, stream.GetHandle()),
        kind == cudaMemcpyHostToDevice ? "Uploading pixels" : "Downloading pixels");
}
} // namespace

void
Upload(void *              device,
       const BoxInBuffer & to,
       const void *        host,
       const BoxInBuffer & from,
       const Grid &        size,
       std::size_t         bytesPerPixel,
       const Stream &      stream)
{
  CopyBox(device, to, host, from, size, bytesPerPixel, cudaMemcpyHostToDevice, stream);
  uploads.Count(GetNumberOfPixels(size) * bytesPerPixel);
}

void
Download(void *              host,
         const BoxInBuffer & to,
         const void *        device,
         const BoxInBuffer & from,
         const Grid &        size,
         std::size_t         bytesPerPixel,
         const Stream &      stream)
{
  CopyBox(host, to, device, from, size, bytesPerPixel, cudaMemcpyDeviceToHost, stream);
  downloads.Count(GetNumberOfPixels(size) * bytesPerPixel);
}

void
Upload(void * device, const void * host, std::size_t bytes, const Stream & stream)
{
  Check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream.GetHandle()), "Uploading pixels");
  uploads.Count(bytes);
}

void
Download(void * host, const void * device, std::size_t bytes, const Stream & stream)
{
  Check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream.GetHandle()), "Downloading pixels");
  downloads.Count(bytes);
}

CudaCopyCounters
GetCopyTotals()
{
  CudaCopyCounters counters;
  counters.Uploads = uploads.Copies;
  counters.UploadedBytes = uploads.Bytes;
  counters.Downloads = downloads.Copies;
  counters.DownloadedBytes = downloads.Bytes;
  return counters;
}
} // namespace CudaFilters
} // namespace itk
