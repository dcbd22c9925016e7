// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ImageFile.h"
#include "Terminal.h"
#include "itkImageIOFactory.h"
#include "itkRGBPixel.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace
{
std::string
Quote(const fs::path & file)
{
  return "'" + file.string() + "'";
}

/** While this lives, what the libraries of image formats print themselves is kept instead. */
class Capture
{
public:
  Capture()
    : m_Former(dup(STDERR_FILENO))
    , m_File(std::tmpfile())
  {
    if (m_File != nullptr)
    {
      dup2(fileno(m_File), STDERR_FILENO);
    }
  }
  ~Capture()
  {
    if (m_Former >= 0)
    {
      dup2(m_Former, STDERR_FILENO);
      close(m_Former);
    }
    if (m_File != nullptr)
    {
      std::fclose(m_File);
    }
  }
  Capture(const Capture &) = delete;
  Capture &
  operator=(const Capture &) = delete;

  std::string
  GetText() const
  {
    std::string text;
    if (m_File != nullptr)
    {
      std::rewind(m_File);
      for (int c = std::fgetc(m_File); c != EOF; c = std::fgetc(m_File))
      {
        text += static_cast<char>(c);
      }
    }
    return text;
  }

private:
  int         m_Former;
  std::FILE * m_File;
};

/** Some libraries only print that the file ended too early, and go on with what they have. */
void
FailIfCutShort(const std::string & printed)
{
  static const std::regex signs("not read completely|premature|truncat|corrupt|unexpected end",
                                std::regex::icase | std::regex::optimize);
  if (std::regex_search(printed, signs))
  {
    throw Failure(ToOneLine(printed));
  }
}

/** Whether a JPEG file has an end: the mark FF D9, which stands nowhere else in the pixels. Readers fill up what is
 * missing and say nothing. */
bool
HasEndOfJpeg(const std::string & file)
{
  constexpr std::streamoff most = 65536;
  std::ifstream            in(file, std::ios::binary | std::ios::ate);
  in.seekg(-std::min<std::streamoff>(in.tellg(), most), std::ios::end);
  const std::string tail{ std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>() };
  return tail.find("\xff\xd9") != std::string::npos;
}

/** Whether a colour image shows nothing but gray, as images with a palette of grays do. */
bool
IsGray(const std::string & file)
{
  using ImageType = itk::Image<itk::RGBPixel<unsigned short>, 3>;

  typename ImageType::Pointer image;
  Read(file, [&] { image = itk::ReadImage<ImageType>(file); });
  const auto * const pixels = image->GetBufferPointer();
  return std::all_of(pixels, pixels + image->GetPixelContainer()->Size(), [](const auto & pixel) {
    return pixel[0] == pixel[1] && pixel[1] == pixel[2];
  });
}

/** Fails if not all of a file has arrived on the disk. */
void
Synchronize(const fs::path & file)
{
  const int handle = open(file.c_str(), O_RDONLY);
  if (handle < 0 || fsync(handle) != 0)
  {
    const std::string reason = std::strerror(errno);
    if (handle >= 0)
    {
      close(handle);
    }
    throw Failure(reason);
  }
  close(handle);
}
} // namespace

void
Read(const std::string & file, const std::function<void()> & read)
{
  try
  {
    const Capture capture;
    read();
    FailIfCutShort(capture.GetText());
  }
  catch (const std::exception & error)
  {
    throw Failure("cannot read " + Quote(file) + ": " + GetReason(error) +
                  " (is the file whole, and an image of the kind its name says?)");
  }
}

ImageDescription
DescribeImage(const std::string & file)
{
  std::error_code error;
  if (!fs::exists(file, error))
  {
    throw Failure("cannot read " + Quote(file) + ": there is no such file");
  }
  if (fs::is_directory(file, error))
  {
    throw Failure("cannot read " + Quote(file) + ": it is a folder; name one file");
  }
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) == 0)
  {
    throw Failure("cannot read " + Quote(file) + ": the file is empty");
  }
  if (access(file.c_str(), R_OK) != 0)
  {
    throw Failure("cannot read " + Quote(file) + ": " + std::strerror(errno));
  }
  const itk::ImageIOBase::Pointer io =
    itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::ReadMode);
  if (io.IsNull())
  {
    throw Failure("cannot read " + Quote(file) + ": it is not an image of a format that is known here");
  }
  Read(file, [&] {
    io->SetFileName(file);
    io->ReadImageInformation();
  });

  if (IsLossy(file) && !HasEndOfJpeg(file))
  {
    throw Failure("cannot read " + Quote(file) + ": the file ends too early");
  }

  using Component = itk::ImageIOBase::IOComponentType;
  const auto component = io->GetComponentType();
  const bool mayBeGray = io->GetNumberOfComponents() == 3 && io->GetNumberOfDimensions() <= 3 &&
                         (component == Component::UCHAR || component == Component::USHORT);
  if (io->GetNumberOfComponents() != 1 && !(mayBeGray && IsGray(file)))
  {
    throw Failure("cannot take " + Quote(file) + ": it has " + std::to_string(io->GetNumberOfComponents()) +
                  " components a pixel, as colour images have; convert it to gray first");
  }
  unsigned int dimension = io->GetNumberOfDimensions();
  while (dimension > 3 && io->GetDimensions(dimension - 1) == 1)
  {
    --dimension;
  }
  if (dimension != 2 && dimension != 3)
  {
    throw Failure("cannot take " + Quote(file) + ": it has " + std::to_string(dimension) +
                  " dimensions; images of 2 or 3 can be taken");
  }

  ImageDescription description{ dimension, "float64" };
  switch (component)
  {
    case Component::UCHAR:
      description.PixelType = "uint8";
      break;
    case Component::USHORT:
      description.PixelType = "uint16";
      break;
    case Component::CHAR:
    case Component::SHORT:
      description.PixelType = "int16";
      break;
    case Component::FLOAT:
      description.PixelType = "float32";
      break;
    default:
      break;
  }
  return description;
}

bool
IsLossy(const fs::path & file)
{
  std::string extension = file.extension().string();
  std::transform(
    extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension == ".jpg" || extension == ".jpeg";
}

Workshop::Workshop(const fs::path & file)
  : m_File(file)
{
  const fs::path  folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
  {
    throw Failure("cannot write " + Quote(file) + ": there is no folder " + Quote(folder));
  }
  if (file.filename().empty() || fs::is_directory(file, error))
  {
    throw Failure("cannot write " + Quote(file) + ": it is a folder; name a file");
  }
  if (itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::WriteMode).IsNull())
  {
    throw Failure("cannot write " + Quote(file) + ": no image format is known by the ending '" +
                  file.extension().string() + "'; try .png, .tif, .mha or .nrrd");
  }
  std::string name = (folder / ".cudafilters-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
  {
    throw Failure("cannot write into folder " + Quote(folder) + ": " + std::strerror(errno));
  }
  m_Folder = name;
}

Workshop::~Workshop()
{
  std::error_code error;
  fs::remove_all(m_Folder, error);
}

void
Workshop::Clear() const
{
  for (const auto & entry : fs::directory_iterator(m_Folder))
  {
    fs::remove_all(entry);
  }
}

void
Workshop::Reserve(std::uintmax_t bytes) const
{
  constexpr std::uintmax_t forTheHead = 4096;
  const fs::path           file = m_Folder / "room";
  const int                handle = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  const int error = handle < 0 ? errno : posix_fallocate(handle, 0, static_cast<off_t>(bytes + forTheHead));
  if (handle >= 0)
  {
    close(handle);
  }
  fs::remove(file);
  if (error != 0)
  {
    throw Failure("cannot write " + Quote(m_File) + ": no room for " + std::to_string(bytes + forTheHead) +
                  " bytes on the disk: " + std::strerror(error));
  }
}

void
Workshop::Write(const std::function<void()> & write) const
{
  try
  {
    const Capture capture;
    write();
    FailIfCutShort(capture.GetText());
    for (const auto & entry : fs::directory_iterator(m_Folder))
    {
      Synchronize(entry);
    }
  }
  catch (const std::exception & error)
  {
    throw Failure("cannot write " + Quote(m_File) + ": " + GetReason(error));
  }
}

void
Workshop::Deliver() const
{
  std::vector<fs::path> files;
  for (const auto & entry : fs::directory_iterator(m_Folder))
  {
    if (entry.path() != this->GetPath())
    {
      files.push_back(entry.path());
    }
  }
  files.push_back(this->GetPath());
  for (const fs::path & file : files)
  {
    std::error_code error;
    fs::rename(file, m_File.parent_path() / file.filename(), error);
    if (error)
    {
      throw Failure("cannot write " + Quote(m_File) + ": " + error.message());
    }
  }
}
