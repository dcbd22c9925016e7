// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_ImageFile_h
#define cudafilters_ImageFile_h

#include "Command.h"
#include "itkImage.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

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

  /** Whether the format keeps just about the pixels that it is given. */
  bool
  IsLossy() const
  {
    return m_IsLossy;
  }

private:
  std::filesystem::path m_Name; // as it was given
  std::filesystem::path m_File; // behind links
  std::filesystem::path m_Folder;
  bool                  m_IsLossy = false;
};

/** Runs what reads a file; an error becomes a Failure. */
void
Read(const std::string & file, const std::function<void()> & read);

/** ITK's reading and writing, which takes long to compile: made once, in ImageFile.cxx, for the image types that occur
 * here. */
template <typename TImage>
typename TImage::Pointer
ReadImage(const std::string & file);
template <typename TImage>
void
WriteImage(const TImage * image, const std::string & file);

/** A number as a pixel: rounded, and the nearest there is if it does not fit. Counts those that do not. */
template <typename TPixel>
TPixel
ToPixel(double value, itk::SizeValueType & misfits)
{
  if constexpr (std::is_integral<TPixel>::value)
  {
    const double low = std::numeric_limits<TPixel>::lowest();
    const double high = std::numeric_limits<TPixel>::max();
    const double rounded = std::round(value);
    if (!(rounded >= low && rounded <= high))
    {
      ++misfits;
      return static_cast<TPixel>(rounded > high ? high : (rounded < low ? low : 0.0));
    }
    return static_cast<TPixel>(rounded);
  }
  else
  {
    return static_cast<TPixel>(value);
  }
}

/** An image with pixels of another type; type: as a warning calls it. */
template <typename TTo, typename TFrom>
typename TTo::Pointer
ConvertPixels(const TFrom * image, const std::string & type)
{
  const auto result = TTo::New();
  result->CopyInformation(image);
  result->SetRegions(image->GetBufferedRegion());
  result->Allocate();
  itk::SizeValueType misfits = 0;
  const auto * const from = image->GetBufferPointer();
  auto * const       to = result->GetBufferPointer();
  for (itk::SizeValueType i = 0; i < image->GetPixelContainer()->Size(); ++i)
  {
    to[i] = ToPixel<typename TTo::PixelType>(static_cast<double>(from[i]), misfits);
  }
  if (misfits > 0)
  {
    itkGenericOutputMacro(<< misfits << " pixels do not fit " << type << " and became the nearest that do");
  }
  return result;
}

/** Reads pixels, of the file's own type, or converted to another. */
template <typename TImage>
typename TImage::Pointer
ReadPixels(const std::string & file, bool convert)
{
  typename TImage::Pointer image;
  if (!convert)
  {
    Read(file, [&] { image = ReadImage<TImage>(file); });
    return image;
  }
  using RealImage = itk::Image<double, TImage::ImageDimension>;
  typename RealImage::Pointer real;
  Read(file, [&] { real = ReadImage<RealImage>(file); });
  return ConvertPixels<TImage>(real.GetPointer(), "the type that --as asks for");
}

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
    this->Make(sample);
    m_Workshop.Clear();
  }

  void
  Write(const TImage * image) const
  {
    // Not every format's writer notices a full disk, and some do not survive it.
    m_Workshop.Reserve(GetBytes(image));
    this->Make(image);
    m_Workshop.Deliver();
  }

private:
  static std::size_t
  GetBytes(const TImage * image)
  {
    return image->GetPixelContainer()->Size() * sizeof(typename TImage::PixelType);
  }

  /** Makes the file in the workshop, and reads it again to see that it is right. */
  void
  Make(const TImage * image) const
  {
    m_Workshop.Write([&] { WriteImage(image, m_Workshop.GetPath().string()); });
    m_Workshop.Write([&] {
      const auto written = ReadImage<TImage>(m_Workshop.GetPath().string());
      if (written->GetBufferedRegion().GetSize() != image->GetBufferedRegion().GetSize() ||
          (!m_Workshop.IsLossy() &&
           std::memcmp(written->GetBufferPointer(), image->GetBufferPointer(), GetBytes(image)) != 0))
      {
        throw Failure("the format does not hold such an image, or the disk did not take it");
      }
    });
  }

  Workshop m_Workshop;
};

/** The file for a result of real numbers: as they are if the format takes them, else in single precision, else rounded
 * to 16 or 8 bits. */
template <typename TImage>
class RealOutputFile
{
public:
  explicit RealOutputFile(const std::string & file)
  {
    constexpr unsigned int dimension = TImage::ImageDimension;
    if (!this->Try<TImage>(file, "its own type") &&
        !this->Try<itk::Image<float, dimension>>(file, "single precision") &&
        !this->Try<itk::Image<unsigned short, dimension>>(file, "the 16 bits of the format"))
    {
      this->Open<itk::Image<unsigned char, dimension>>(file, "the 8 bits of the format");
    }
  }

  void
  Write(const TImage * image) const
  {
    m_Write(image);
  }

private:
  template <typename TWritten>
  void
  Open(const std::string & file, const std::string & type)
  {
    m_Write = [output = std::make_shared<OutputFile<TWritten>>(file), type](const TImage * image) {
      if constexpr (std::is_same<TWritten, TImage>::value)
      {
        output->Write(image);
      }
      else
      {
        output->Write(ConvertPixels<TWritten>(image, type));
      }
    };
  }

  template <typename TWritten>
  bool
  Try(const std::string & file, const std::string & type)
  {
    try
    {
      this->Open<TWritten>(file, type);
      return true;
    }
    catch (const Failure &)
    {
      return false;
    }
  }

  std::function<void(const TImage *)> m_Write;
};

#endif
