// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "ImageFile.h"
#include "Supervisor.h"
#include "Terminal.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkImageIOFactory.h"
#include "itkRGBPixel.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
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

/** Runs what reads a file; an error becomes a UserError. */
template <typename TFunction>
void
Read(const std::string & file, const TFunction & read)
{
  SetPhase("cannot read " + Quote(file));
  try
  {
    read();
  }
  catch (const std::exception & error)
  {
    throw UserError("cannot read " + Quote(file) + ": " + GetReason(error) +
                    " (is the file complete, and an image of the kind its name says?)");
  }
  SetPhase("cannot compute");
}

/** What has read the header of a file; nothing, if its format is not known. */
itk::ImageIOBase::Pointer
ReadHeader(const std::string & file)
{
  const itk::ImageIOBase::Pointer io =
    itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::ReadMode);
  if (io)
  {
    io->SetFileName(file);
    io->ReadImageInformation();
  }
  return io;
}

/** Whether a colour image shows nothing but grey, as images with a palette of greys do. */
bool
IsGrey(const std::string & file)
{
  using ImageType = itk::Image<itk::RGBPixel<unsigned short>, 3>;

  typename ImageType::Pointer image;
  Read(file, [&] { image = itk::ReadImage<ImageType>(file); });
  const auto * const pixels = image->GetBufferPointer();
  return std::all_of(pixels, pixels + image->GetPixelContainer()->Size(), [](const auto & pixel) {
    return pixel[0] == pixel[1] && pixel[1] == pixel[2];
  });
}
} // namespace

template <typename TImage>
typename TImage::Pointer
ReadImage(const std::string & file)
{
  typename TImage::Pointer image;
  Read(file, [&] { image = itk::ReadImage<TImage>(file); });
  return image;
}

bool
AreSameFile(const std::string & first, const std::string & second)
{
  if (first.empty() || second.empty())
  {
    return false;
  }
  std::error_code error;
  fs::path        a = fs::weakly_canonical(fs::absolute(first), error);
  fs::path        b = fs::weakly_canonical(fs::absolute(second), error);
  const auto      hasSeveralFiles = [](const fs::path & file) {
    const std::string ending = file.extension().string();
    return ending == ".mhd" || ending == ".nhdr" || ending == ".hdr" || ending == ".img" || ending == ".raw";
  };
  if (hasSeveralFiles(a) && hasSeveralFiles(b))
  {
    a.replace_extension();
    b.replace_extension();
  }
  return a == b;
}

ImageDescription
DescribeImage(const std::string & file)
{
  std::error_code error;
  if (!fs::exists(file, error))
  {
    throw UserError("cannot read " + Quote(file) + ": there is no such file");
  }
  if (fs::is_directory(file, error))
  {
    throw UserError("cannot read " + Quote(file) + ": it is a folder; name one file");
  }
  if (fs::is_regular_file(file, error) && fs::file_size(file, error) == 0)
  {
    throw UserError("cannot read " + Quote(file) + ": the file is empty");
  }
  if (access(file.c_str(), R_OK) != 0)
  {
    throw UserError("cannot read " + Quote(file) + ": " + std::strerror(errno));
  }
  itk::ImageIOBase::Pointer io;
  Read(file, [&] { io = ReadHeader(file); });
  if (!io)
  {
    throw UserError("cannot read " + Quote(file) + ": it is not an image of a format that is known here");
  }
  for (unsigned int i = 0; i < io->GetNumberOfDimensions(); ++i)
  {
    if (io->GetDimensions(i) == 0)
    {
      throw UserError("cannot take " + Quote(file) + ": it has no pixels");
    }
  }
  using Component = itk::ImageIOBase::IOComponentType;
  const auto component = io->GetComponentType();
  const bool mayBeGrey = io->GetNumberOfComponents() == 3 && io->GetNumberOfDimensions() <= 3 &&
                         (component == Component::UCHAR || component == Component::USHORT);
  if (io->GetNumberOfComponents() != 1 && !(mayBeGrey && IsGrey(file)))
  {
    throw UserError(
      "cannot take " + Quote(file) + ": it has " + std::to_string(io->GetNumberOfComponents()) +
      " components per pixel, as colour images and those with transparency have; convert it to grey first");
  }
  unsigned int dimension = io->GetNumberOfDimensions();
  while (dimension > 3 && io->GetDimensions(dimension - 1) == 1)
  {
    --dimension;
  }
  if (dimension != 2 && dimension != 3)
  {
    throw UserError("cannot take " + Quote(file) + ": it has " + std::to_string(dimension) +
                    " dimensions; the filters take images of 2 or 3");
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

OutputFile::OutputFile(const fs::path & file)
  : m_Name(file)
{
  const fs::path  folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
  {
    throw UserError("cannot write " + Quote(file) + ": there is no folder " + Quote(folder) + "; make it first");
  }
  if (file.filename().empty() || fs::is_directory(file, error))
  {
    throw UserError("cannot write " + Quote(file) + ": it is a folder; name a file");
  }
  const auto io = itk::ImageIOFactory::CreateImageIO(file.c_str(), itk::ImageIOFactory::IOFileModeEnum::WriteMode);
  if (io.IsNull())
  {
    throw UserError("cannot write " + Quote(file) + ": no image format is known by the ending '" +
                    file.extension().string() + "'; try .png, .tif, .mha or .nrrd");
  }

  // Behind a link, the file it leads to is replaced, and not the link.
  m_File = folder / file.filename();
  for (int links = 0; links < 40 && fs::is_symlink(m_File, error); ++links)
  {
    m_File = m_File.parent_path() / fs::read_symlink(m_File);
  }
  if (fs::exists(m_File, error) && (!fs::is_regular_file(m_File, error) || access(m_File.c_str(), W_OK) != 0))
  {
    throw UserError("cannot write " + Quote(file) + ": there is something of that name that must not be replaced");
  }
  std::string name = (m_File.parent_path() / ".cudafilters-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
  {
    throw UserError("cannot write into folder " + Quote(folder) + ": " + std::strerror(errno));
  }
  m_Folder = name;
  AddFolderToRemove(name);
}

OutputFile::~OutputFile()
{
  std::error_code error;
  fs::remove_all(m_Folder, error);
  ForgetFolder(m_Folder.string());
}

void
CheckReadableInBlocks(const std::string & file)
{
  bool canStream = false;
  Read(file, [&] {
    const auto io = ReadHeader(file);
    canStream = io && io->CanStreamRead();
  });
  if (!canStream)
  {
    throw UserError("cannot read " + Quote(file) +
                    " in blocks: ITK reads its format as a whole; .mha and .mhd without " +
                    "compression can be read so");
  }
}

template <typename TImage>
void
OutputFile::Write(const TImage * image) const
{
  this->WriteWith(image->GetPixelContainer()->Size(), sizeof(typename TImage::PixelType), [&] {
    itk::WriteImage(image, this->GetTemporaryFile().string());
    constexpr bool isColour = std::is_same<typename TImage::PixelType, itk::RGBPixel<unsigned char>>::value;
    const auto     io = ReadHeader(this->GetTemporaryFile().string());
    if (isColour && (!io || io->GetNumberOfComponents() != 3))
    {
      throw UserError("the format does not hold colours");
    }
  });
}

template <typename TImage>
void
OutputFile::WriteInBlocks(TImage * image, unsigned int blocks) const
{
  const auto io = itk::ImageIOFactory::CreateImageIO(m_Name.c_str(), itk::ImageIOFactory::IOFileModeEnum::WriteMode);
  if (!io->CanStreamWrite())
  {
    throw UserError("cannot write " + Quote(m_Name) +
                    " in blocks: ITK writes its format as a whole; .mha and .mhd can " + "be written so");
  }
  image->UpdateOutputInformation();
  this->WriteWith(image->GetLargestPossibleRegion().GetNumberOfPixels(), sizeof(typename TImage::PixelType), [&] {
    const auto writer = itk::ImageFileWriter<TImage>::New();
    writer->SetInput(image);
    writer->SetFileName(this->GetTemporaryFile().string());
    writer->SetNumberOfStreamDivisions(blocks);
    writer->Update();
  });
}

void
OutputFile::WriteWith(itk::SizeValueType pixels, std::size_t bytesPerPixel, const std::function<void()> & write) const
{
  SetPhase("cannot write " + Quote(m_Name));
  this->CheckRoom(pixels * bytesPerPixel);
  try
  {
    write();
    const auto io = ReadHeader(this->GetTemporaryFile().string());
    if (!io || static_cast<itk::SizeValueType>(io->GetImageSizeInPixels()) != pixels)
    {
      throw UserError("the format does not hold such an image"); // some keep the first slice of a volume
    }
  }
  catch (const std::exception & error)
  {
    // The user knows nothing of the temporary folder.
    std::string       reason = GetReason(error);
    const std::string path = this->GetTemporaryFile().string();
    for (auto place = reason.find(path); place != std::string::npos; place = reason.find(path))
    {
      reason.replace(place, path.size(), m_Name.string());
    }
    throw UserError("cannot write " + Quote(m_Name) + ": " + reason +
                    "; .mha and .nrrd take all pixels, and --as TYPE writes others");
  }
  this->Deliver();
  SetPhase("cannot compute");
}

template <typename TImage>
bool
OutputFile::CanHold(const TImage * image) const
{
  bool canHold = true;
  try
  {
    itk::WriteImage(image, this->GetTemporaryFile().string());
  }
  catch (const std::exception &)
  {
    canHold = false;
  }
  this->Empty();
  return canHold;
}

template <typename TImage>
bool
OutputFile::Keeps(const TImage * image) const
{
  bool isKept = false;
  try
  {
    itk::WriteImage(image, this->GetTemporaryFile().string());
    const auto         read = itk::ReadImage<TImage>(this->GetTemporaryFile().string());
    const auto * const written = image->GetBufferPointer();
    const auto         count = image->GetPixelContainer()->Size();
    isKept =
      read->GetPixelContainer()->Size() == count && std::equal(written, written + count, read->GetBufferPointer());
  }
  catch (const std::exception &)
  {}
  this->Empty();
  return isKept;
}

void
OutputFile::Empty() const
{
  for (const auto & entry : fs::directory_iterator(m_Folder))
  {
    fs::remove(entry);
  }
}

#define instantiateMacro(...)                                                             \
  template itk::SmartPointer<__VA_ARGS__> ReadImage<__VA_ARGS__>(const std::string &);    \
  template void                           OutputFile::Write(const __VA_ARGS__ *) const;   \
  template bool                           OutputFile::CanHold(const __VA_ARGS__ *) const; \
  template bool                           OutputFile::Keeps(const __VA_ARGS__ *) const
#define instantiateForPixelMacro(pixel)   \
  instantiateMacro(itk::Image<pixel, 2>); \
  instantiateMacro(itk::Image<pixel, 3>)

instantiateForPixelMacro(unsigned char);
instantiateForPixelMacro(unsigned short);
instantiateForPixelMacro(short);
instantiateForPixelMacro(unsigned int);
instantiateForPixelMacro(float);
instantiateForPixelMacro(double);
instantiateForPixelMacro(itk::RGBPixel<unsigned char>);

template void
OutputFile::WriteInBlocks(itk::Image<unsigned int, 2> *, unsigned int) const;
template void
OutputFile::WriteInBlocks(itk::Image<unsigned int, 3> *, unsigned int) const;

void
OutputFile::CheckRoom(std::uintmax_t bytes) const
{
  // Not every writer notices a full disk.
  const fs::path file = m_Folder / "room";
  const int      handle = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  const int      error =
    handle < 0 ? errno : posix_fallocate(handle, 0, static_cast<off_t>(std::max<std::uintmax_t>(bytes, 1)));
  if (handle >= 0)
  {
    close(handle);
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  if (error != 0)
  {
    throw UserError("cannot write " + Quote(m_Name) + ": no room for " + std::to_string(bytes) +
                    " bytes on the disk (" + std::strerror(error) + "); make room first");
  }
}

void
OutputFile::Deliver() const
{
  std::error_code       error;
  const bool            isNew = !fs::exists(m_File, error);
  std::vector<fs::path> files;
  for (const auto & entry : fs::directory_iterator(m_Folder))
  {
    if (entry.path() != this->GetTemporaryFile())
    {
      const fs::path companion = m_File.parent_path() / entry.path().filename();
      if (isNew && fs::exists(companion, error))
      {
        throw UserError("cannot write " + Quote(m_Name) + ": its pixels would go to " + Quote(companion.filename()) +
                        ", which is there already and may be another image's; choose another name");
      }
      files.push_back(entry.path());
    }
  }
  files.push_back(this->GetTemporaryFile());
  if (!isNew)
  {
    fs::permissions(this->GetTemporaryFile(), fs::status(m_File).permissions(), error);
  }
  for (const fs::path & file : files)
  {
    fs::rename(file, m_File.parent_path() / file.filename(), error);
    if (error)
    {
      throw UserError("cannot write " + Quote(m_Name) + ": " + error.message());
    }
  }
}
