// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ImageFile.h"
#include "Supervisor.h"
#include "Terminal.h"
#include "Truncation.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkImageIOFactory.h"
#include "itkRGBPixel.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <regex>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace
{
constexpr std::uintmax_t sampleBytes = 65536;

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
    , m_Memory(memfd_create("messages", 0))
  {
    if (m_Former < 0 || m_Memory < 0 || dup2(m_Memory, STDERR_FILENO) < 0)
    {
      throw Failure(std::string("cannot watch the libraries of image formats: ") + std::strerror(errno));
    }
  }
  ~Capture()
  {
    dup2(m_Former, STDERR_FILENO);
    close(m_Former);
    close(m_Memory);
  }
  Capture(const Capture &) = delete;
  Capture &
  operator=(const Capture &) = delete;

  std::string
  GetText() const
  {
    std::string            text;
    std::array<char, 4096> buffer;
    lseek(m_Memory, 0, SEEK_SET);
    for (ssize_t bytes = 0; (bytes = read(m_Memory, buffer.data(), buffer.size())) > 0;)
    {
      text.append(buffer.data(), static_cast<std::size_t>(bytes));
    }
    return text;
  }

private:
  int m_Former;
  int m_Memory;
};

/** Some libraries only print that the file ended too early, and go on with what they have. */
void
FailIfCutShort(const std::string & printed)
{
  static const std::regex signs("not read completely|premature|truncat|corrupt|unexpected end|incomplete",
                                std::regex::icase | std::regex::optimize);
  if (std::regex_search(printed, signs))
  {
    throw Failure(ToOneLine(printed));
  }
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

template <typename TImage>
typename TImage::Pointer
ReadImage(const std::string & file)
{
  return itk::ReadImage<TImage>(file);
}

template <typename TImage>
void
WriteImage(const TImage * image, const std::string & file)
{
  itk::WriteImage(image, file);
}

#define instantiateMacro(...)                                                          \
  template itk::SmartPointer<__VA_ARGS__> ReadImage<__VA_ARGS__>(const std::string &); \
  template void                           WriteImage(const __VA_ARGS__ *, const std::string &)
#define instantiateForPixelMacro(pixel)   \
  instantiateMacro(itk::Image<pixel, 2>); \
  instantiateMacro(itk::Image<pixel, 3>)

instantiateForPixelMacro(unsigned char);
instantiateForPixelMacro(unsigned short);
instantiateForPixelMacro(short);
instantiateForPixelMacro(float);
instantiateForPixelMacro(double);
instantiateForPixelMacro(itk::RGBPixel<unsigned char>);

void
Read(const std::string & file, const std::function<void()> & read)
{
  SetPhase("cannot read " + Quote(file));
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
  SetPhase("cannot compute");
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
  itk::ImageIOBase::Pointer io;
  Read(file, [&] {
    io = itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::ReadMode);
    if (io)
    {
      io->SetFileName(file);
      io->ReadImageInformation();
    }
  });
  if (!io)
  {
    throw Failure("cannot read " + Quote(file) + ": it is not an image of a format that is known here");
  }
  for (unsigned int i = 0; i < io->GetNumberOfDimensions(); ++i)
  {
    if (io->GetDimensions(i) == 0)
    {
      throw Failure("cannot take " + Quote(file) + ": it has no pixels");
    }
  }
  if (IsCutShort(file, *io))
  {
    throw Failure("cannot read " + Quote(file) + ": the file ends too early; get it again");
  }

  using Component = itk::ImageIOBase::IOComponentType;
  const auto component = io->GetComponentType();
  const bool mayBeGray = io->GetNumberOfComponents() == 3 && io->GetNumberOfDimensions() <= 3 &&
                         (component == Component::UCHAR || component == Component::USHORT);
  if (io->GetNumberOfComponents() != 1 && !(mayBeGray && IsGray(file)))
  {
    throw Failure("cannot take " + Quote(file) + ": it has " + std::to_string(io->GetNumberOfComponents()) +
                  " components a pixel, as colour images and those with transparency have; convert it to gray first");
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

Workshop::Workshop(const fs::path & file)
  : m_Name(file)
{
  const fs::path  folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
  {
    throw Failure("cannot write " + Quote(file) + ": there is no folder " + Quote(folder) + "; make it first");
  }
  if (file.filename().empty() || fs::is_directory(file, error))
  {
    throw Failure("cannot write " + Quote(file) + ": it is a folder; name a file");
  }
  const auto io = itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::WriteMode);
  if (io.IsNull())
  {
    throw Failure("cannot write " + Quote(file) + ": no image format is known by the ending '" +
                  file.extension().string() + "'; try .png, .tif, .mha or .nrrd");
  }
  m_IsLossy = io->GetNameOfClass() == std::string("JPEGImageIO");

  // Behind a link, the file it leads to is replaced, and not the link.
  m_File = folder / file.filename();
  for (int links = 0; links < 40 && fs::is_symlink(m_File, error); ++links)
  {
    m_File = m_File.parent_path() / fs::read_symlink(m_File);
  }
  if (fs::exists(m_File, error) && (!fs::is_regular_file(m_File, error) || access(m_File.c_str(), W_OK) != 0))
  {
    throw Failure("cannot write " + Quote(file) + ": there is something of that name that must not be replaced");
  }
  std::string name = (m_File.parent_path() / ".cudafilters-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
  {
    throw Failure("cannot write into folder " + Quote(folder) + ": " + std::strerror(errno));
  }
  m_Folder = name;
  AddFolderToRemove(name);
  this->Reserve(sampleBytes);
}

Workshop::~Workshop()
{
  std::error_code error;
  fs::remove_all(m_Folder, error);
  ForgetFolder(m_Folder.string());
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
    std::error_code ignored;
    fs::remove_all(m_Folder, ignored);
    throw Failure("cannot write " + Quote(m_Name) + ": no room for " + std::to_string(bytes + forTheHead) +
                  " bytes on the disk (" + std::strerror(error) + "); make room first");
  }
}

void
Workshop::Write(const std::function<void()> & write) const
{
  SetPhase("cannot write " + Quote(m_Name));
  try
  {
    const Capture capture;
    write();
    for (const auto & entry : fs::directory_iterator(m_Folder))
    {
      Synchronize(entry);
    }
    FailIfCutShort(capture.GetText());
  }
  catch (const std::exception & error)
  {
    // The person knows nothing of the workshop.
    std::string       reason = GetReason(error);
    const std::string path = this->GetPath().string();
    for (auto place = reason.find(path); place != std::string::npos; place = reason.find(path))
    {
      reason.replace(place, path.size(), m_Name.string());
    }
    throw Failure("cannot write " + Quote(m_Name) + ": " + reason +
                  "; --as TYPE writes other pixels, and .mha and .nrrd take all");
  }
  SetPhase("cannot compute");
}

void
Workshop::Deliver() const
{
  std::error_code       error;
  const bool            isNew = !fs::exists(m_File, error);
  std::vector<fs::path> files;
  for (const auto & entry : fs::directory_iterator(m_Folder))
  {
    if (entry.path() != this->GetPath())
    {
      const fs::path companion = m_File.parent_path() / entry.path().filename();
      if (isNew && fs::exists(companion, error))
      {
        throw Failure("cannot write " + Quote(m_Name) + ": its pixels would go to " + Quote(companion.filename()) +
                      ", which is there already and may be another image's; choose another name");
      }
      files.push_back(entry.path());
    }
  }
  files.push_back(this->GetPath());
  if (!isNew)
  {
    fs::permissions(this->GetPath(), fs::status(m_File).permissions(), error);
  }
  for (const fs::path & file : files)
  {
    fs::rename(file, m_File.parent_path() / file.filename(), error);
    if (error)
    {
      throw Failure("cannot write " + Quote(m_Name) + ": " + error.message());
    }
  }
}
