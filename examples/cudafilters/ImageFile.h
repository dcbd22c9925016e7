// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_ImageFile_h
#define cudafilters_ImageFile_h

#include "Command.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>

/** What the head of an image file says. */
struct ImageDescription
{
  unsigned int Dimension; // 2 or 3
  std::string  PixelType; // the one of those that filters have kernels for which holds all values
};

/** Looks at a file, and fails with words for a person if it is not an image that the filters take. */
ImageDescription
DescribeImage(const std::string & file);

/** A folder beside a file to be written, in which it is made, so that it appears all at once when it is whole. Goes
 * with all that is in it. */
class Workshop
{
public:
  explicit Workshop(const std::filesystem::path & file);
  ~Workshop();
  Workshop(const Workshop &) = delete;
  Workshop &
  operator=(const Workshop &) = delete;

  /** The name of the file in the workshop. */
  std::filesystem::path
  GetPath() const
  {
    return m_Folder / m_File.filename();
  }

  /** Does what writes the file. An error becomes a Failure, and leaves the workshop empty. */
  void
  Write(const std::function<void()> & write) const;

  void
  Clear() const;

  /** Fails if the disk has no room for so many bytes. */
  void
  Reserve(std::uintmax_t bytes) const;

  /** Moves all files out, the one with the name last: formats of several files have one that speaks of the others. */
  void
  Deliver() const;

private:
  std::filesystem::path m_File;
  std::filesystem::path m_Folder;
};

/** Runs what reads a file; an error becomes a Failure. */
void
Read(const std::string & file, const std::function<void()> & read);

template <typename TImage>
typename TImage::Pointer
ReadPixels(const std::string & file)
{
  typename TImage::Pointer image;
  Read(file, [&] { image = itk::ReadImage<TImage>(file); });
  return image;
}

/** Whether a format keeps just about the pixels that it is given. */
bool
IsLossy(const std::filesystem::path & file);

/** The file for the result. Made before the work begins, so that what cannot be written is refused at once. */
template <typename TImage>
class OutputFile
{
public:
  explicit OutputFile(const std::string & file)
    : m_Workshop(file)
  {
    // A few pixels of the type tell whether format and folder will take it.
    const auto                sample = TImage::New();
    typename TImage::SizeType size;
    size.Fill(2);
    sample->SetRegions(size);
    sample->Allocate(true);
    this->WriteFile(sample);
    m_Workshop.Clear();
  }

  void
  Write(const TImage * image) const
  {
    // Not every format's writer notices a full disk, and some do not survive it.
    const auto bytes = image->GetPixelContainer()->Size() * sizeof(typename TImage::PixelType);
    m_Workshop.Reserve(bytes);
    this->WriteFile(image);
    m_Workshop.Write([&] {
      const auto written = itk::ReadImage<TImage>(m_Workshop.GetPath().string());
      if (written->GetBufferedRegion().GetSize() != image->GetBufferedRegion().GetSize() ||
          (!IsLossy(m_Workshop.GetPath()) &&
           std::memcmp(written->GetBufferPointer(), image->GetBufferPointer(), bytes) != 0))
      {
        throw Failure("what was written is not what is read back");
      }
    });
    m_Workshop.Deliver();
  }

private:
  void
  WriteFile(const TImage * image) const
  {
    m_Workshop.Write([&] { itk::WriteImage(image, m_Workshop.GetPath().string()); });
  }

  Workshop m_Workshop;
};

#endif
