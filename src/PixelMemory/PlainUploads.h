// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersPlainUploads_h
#define itkCudaFiltersPlainUploads_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/detail/DevicePixels.h"
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** Uploads of images whose containers know nothing of devices, kept for other filters of the same pipeline update: the
 * output of a file reader that several CUDA filters read is uploaded once. Before a pipeline computes pixels, it
 * updates the information of all its filters; then each CUDA filter announces the images that it will read. An upload
 * is kept as long as another filter has announced to read the same image. A drop-in whose result the program or a
 * filter of ITK requests does not use those from before the request. Thread-safe. */
class PlainUploads
{
public:
  static PlainUploads &
  GetInstance();

  /** reader: identifies the filter. */
  void
  Announce(const void * reader, const DataObject * image);

  /** The filter will not read the images that it has announced. */
  void
  Withdraw(const void * reader);

  /** Lifetime of a run of a filter. The constructor removes the filter's own announcements, so that uploads are kept
   * for other filters only; the destructor releases the uploads that no other filter has announced to read. */
  class RunScope
  {
  public:
    explicit RunScope(const void * reader);
    ~RunScope();
    RunScope(const RunScope &) = delete;
    RunScope &
    operator=(const RunScope &) = delete;
  };

  /** Returns access to the uploaded pixels of an image, or an empty lease. Only uploads after the given tick count. */
  DeviceLease
  Read(const Execution & execution, const PixelImage & image, std::uint64_t tick);

  /** An image at a certain time. */
  struct Key
  {
    bool
    operator==(const Key & other) const;

    const DataObject * Image;
    const void *       Buffer;
    ModifiedTimeType   UpdateTime;
    ModifiedTimeType   ModifiedTime;
    Region3            Region;
  };
  static Key
  MakeKey(const PixelImage & image);

  /** Keeps uploaded pixels if another filter has announced to read the image, and it is as when the upload began. */
  void
  Keep(const Key & source, const PixelImage & image, const DevicePixels & pixels);

  /** Releases the uploads of an image, or all. Returns whether there were any. */
  bool
  Release(const DataObject * image);
  bool
  ReleaseAll();

private:
  struct Upload
  {
    Key                           Source;
    std::unique_ptr<DevicePixels> Pixels;
  };

  void
  RemoveAnnouncements(const void * reader);

  bool
  IsAnnounced(const DataObject * image) const;

  /** Releases the uploads that no filter has announced to read. */
  void
  ReleaseUnannounced();

  /** Releases uploads for which the function returns true. Returns whether there were any. */
  template <typename TPredicate>
  bool
  ReleaseIf(TPredicate isToRelease);

  std::mutex                                            m_Mutex;
  std::set<std::pair<const DataObject *, const void *>> m_Announced; // image, and filter that will read it
  std::vector<Upload>                                   m_Uploads;
};
} // namespace CudaFilters
} // namespace itk

#endif
