// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Truncation.h"
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <zlib.h>

namespace
{
/** Whole numbers at places of a file. */
class FileReader
{
public:
  explicit FileReader(const std::string & file)
    : m_In(file, std::ios::binary)
    , m_Size(std::filesystem::file_size(file))
  {}

  std::uint64_t
  GetSize() const
  {
    return m_Size;
  }

  void
  SetBigEndian(bool bigEndian)
  {
    m_IsBigEndian = bigEndian;
  }

  bool
  Has(std::uint64_t place, std::uint64_t bytes) const
  {
    return place <= m_Size && bytes <= m_Size - place;
  }

  std::uint64_t
  Get(std::uint64_t place, unsigned int bytes)
  {
    std::array<unsigned char, 8> digits{};
    m_In.clear();
    m_In.seekg(static_cast<std::streamoff>(place));
    m_In.read(reinterpret_cast<char *>(digits.data()), bytes);
    std::uint64_t number = 0;
    for (unsigned int i = 0; i < bytes; ++i)
    {
      number = number << 8 | digits[m_IsBigEndian ? i : bytes - 1 - i];
    }
    return number;
  }

private:
  std::ifstream m_In;
  std::uint64_t m_Size;
  bool          m_IsBigEndian = false;
};

/** A JPEG file ends with the mark FF D9, which stands nowhere else in the pixels, but may in what is before them. */
bool
IsJpegCutShort(const std::string & file)
{
  FileReader reader(file);
  reader.SetBigEndian(true);
  std::uint64_t place = 2;
  while (reader.Has(place, 4) && reader.Get(place, 2) != 0xffda)
  {
    place += 2 + reader.Get(place + 2, 2);
  }
  if (!reader.Has(place, 4))
  {
    return true;
  }
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(place));
  const std::string rest{ std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>() };
  return rest.find("\xff\xd9") == std::string::npos;
}

/** A TIFF file is a chain of directories, one a page; the readers stop where it breaks. */
bool
IsTiffCutShort(const std::string & file)
{
  FileReader reader(file);
  reader.SetBigEndian(reader.Has(0, 2) && reader.Get(0, 2) == 0x4d4d);
  const bool         isBig = reader.Get(2, 2) == 43;
  const unsigned int bytesOfOffset = isBig ? 8 : 4;
  const unsigned int bytesOfCount = isBig ? 8 : 2;
  const unsigned int bytesOfEntry = isBig ? 20 : 12;
  std::uint64_t      place = reader.Get(isBig ? 8 : 4, bytesOfOffset);
  for (std::uint64_t pages = 0; place != 0 && pages < reader.GetSize(); ++pages)
  {
    if (!reader.Has(place, bytesOfCount))
    {
      return true;
    }
    const std::uint64_t entries = reader.Get(place, bytesOfCount);
    const std::uint64_t next = place + bytesOfCount + entries * bytesOfEntry;
    if (!reader.Has(next, bytesOfOffset))
    {
      return true;
    }
    place = reader.Get(next, bytesOfOffset);
  }
  return false;
}

bool
IsGzipCutShort(const std::string & file)
{
  const gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr)
  {
    return true;
  }
  std::array<char, 65536> buffer;
  int                     bytes = 0;
  do
  {
    bytes = gzread(in, buffer.data(), buffer.size());
  } while (bytes > 0);
  // The end of a whole file is where its checksum is; one that ends earlier is an error only when it is closed.
  return gzclose(in) != Z_OK || bytes < 0;
}

bool
EndsWith(const std::string & text, const std::string & end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
} // namespace

bool
IsCutShort(const std::string & file, const itk::ImageIOBase & io)
{
  const std::string format = io.GetNameOfClass();
  const auto        pixelBytes = static_cast<std::uint64_t>(io.GetImageSizeInBytes());
  const auto        fileBytes = static_cast<std::uint64_t>(std::filesystem::file_size(file));
  if (EndsWith(file, ".gz"))
  {
    return IsGzipCutShort(file);
  }
  if (format == "JPEGImageIO")
  {
    return IsJpegCutShort(file);
  }
  if (format == "TIFFImageIO")
  {
    return IsTiffCutShort(file);
  }
  if (format == "BMPImageIO")
  {
    return FileReader(file).Get(2, 4) > fileBytes; // the size that its head tells
  }
  if (format == "NiftiImageIO" && EndsWith(file, ".nii"))
  {
    constexpr std::uint64_t head = 352;
    return fileBytes < head + pixelBytes;
  }
  if (format == "MRCImageIO")
  {
    constexpr std::uint64_t head = 1024;
    return fileBytes < head + pixelBytes;
  }
  if (format == "VTKImageIO")
  {
    constexpr std::uint64_t shortestHead = 100;
    return fileBytes < shortestHead + pixelBytes;
  }
  return false;
}
