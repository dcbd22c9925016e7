// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Copy.h"
#include "CudaFilters/Check.cuh"
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

/** A position in a dense buffer of pixels. */
struct Place
{
  const void * Buffer;
  Size3        Size;
  Size3        Start;
};

/** Whether a box of the given size is contiguous in the buffer. */
bool
IsInOnePiece(const Place & place, const Size3 & size)
{
  const bool hasWholeRows = size[0] == place.Size[0];
  return (hasWholeRows && size[1] == place.Size[1]) || (size[2] == 1 && (hasWholeRows || size[1] == 1));
}

char *
GetAddress(const Place & place, std::size_t bytesPerPixel)
{
  const std::int64_t row = place.Start[2] * place.Size[1] + place.Start[1];
  return static_cast<char *>(const_cast<void *>(place.Buffer)) +
         static_cast<std::size_t>(row * place.Size[0] + place.Start[0]) * bytesPerPixel;
}

cudaPitchedPtr
GetPitched(const Place & place, std::size_t bytesPerPixel)
{
  return make_cudaPitchedPtr(
    const_cast<void *>(place.Buffer), place.Size[0] * bytesPerPixel, place.Size[0], place.Size[1]);
}

cudaPos
GetPosition(const Place & place, std::size_t bytesPerPixel)
{
  return make_cudaPos(place.Start[0] * bytesPerPixel, place.Start[1], place.Start[2]);
}

void
CopyBox(const Place &  to,
        const Place &  from,
        const Size3 &  size,
        std::size_t    bytesPerPixel,
        cudaMemcpyKind kind,
        const Stream & stream)
{
  if (GetNumberOfPixels(size) == 0)
  {
    return;
  }
  const char * const what = kind == cudaMemcpyHostToDevice ? "Uploading pixels" : "Downloading pixels";
  if (IsInOnePiece(to, size) && IsInOnePiece(from, size))
  {
    Check(cudaMemcpyAsync(GetAddress(to, bytesPerPixel),
                          GetAddress(from, bytesPerPixel),
                          GetNumberOfPixels(size) * bytesPerPixel,
                          kind,
                          stream.GetHandle()),
          what);
    return;
  }
  cudaMemcpy3DParms copy{};
  copy.srcPtr = GetPitched(from, bytesPerPixel);
  copy.srcPos = GetPosition(from, bytesPerPixel);
  copy.dstPtr = GetPitched(to, bytesPerPixel);
  copy.dstPos = GetPosition(to, bytesPerPixel);
  copy.extent = make_cudaExtent(size[0] * bytesPerPixel, size[1], size[2]);
  copy.kind = kind;
  Check(cudaMemcpy3DAsync(&copy, stream.GetHandle()), what);
}

/** Converts a position in the host buffer to one in device memory that holds only the box. */
Place
GetPlaceOnDevice(const void * device, const HostBox & box, const Size3 & start)
{
  return { device, box.Size, { { start[0] - box.Start[0], start[1] - box.Start[1], start[2] - box.Start[2] } } };
}
} // namespace

void
Upload(void * device, const HostBox & box, const Size3 & start, const Size3 & size, const Stream & stream)
{
  CopyBox(GetPlaceOnDevice(device, box, start),
          { box.Buffer, box.BufferSize, start },
          size,
          box.BytesPerPixel,
          cudaMemcpyHostToDevice,
          stream);
}

void
Download(const HostBox & box, const Size3 & start, const Size3 & size, const void * device, const Stream & stream)
{
  CopyBox({ box.Buffer, box.BufferSize, start },
          GetPlaceOnDevice(device, box, start),
          size,
          box.BytesPerPixel,
          cudaMemcpyDeviceToHost,
          stream);
}

void
Clear(void * device, std::size_t bytes, const Stream & stream)
{
  Check(cudaMemsetAsync(device, 0, bytes, stream.GetHandle()), "Clearing device memory");
}

void
CopyToDevice(void * device, const void * host, std::size_t bytes, const Stream & stream)
{
  const HostBox box = HostBox::OfBuffer(host, bytes);
  Upload(device, box, box.Start, box.Size, stream);
  stream.Synchronize();
}

void
CopyToHost(void * host, const void * device, std::size_t bytes, const Stream & stream)
{
  const HostBox box = HostBox::OfBuffer(host, bytes);
  Download(box, box.Start, box.Size, device, stream);
  stream.Synchronize();
}

void
CountUpload(std::size_t bytes)
{
  uploads.Count(bytes);
}

void
CountDownload(std::size_t bytes)
{
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
