// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_ImageFile_h
#define cudafilters_ImageFile_h

#include "Command.h"
#include "itkImage.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

/** What the header of an image file says. */
struct ImageDescription
{
  unsigned int Dimension; // 2 or 3
  std::string  PixelType; // of those that the filters have kernels for, the one that holds all values
};

/** Reads the header of a file; throws a UserError if it is not an image that the filters take. */
ImageDescription
DescribeImage(const std::string & file);

/** Whether two names are of one file, or of images some of whose files have one name, as a.mhd and a.nhdr with their
 * a.raw. An empty name is of no file. */
bool
AreSameFile(const std::string & first, const std::string & second);

/** ITK's reading and writing, which takes long to compile: instantiated in ImageFile.cxx for the image types that occur
 * here. An error is a UserError. */
template <typename TImage>
typename TImage::Pointer
ReadImage(const std::string & file);

/** Throws a UserError if a file cannot be read a region at a time. */
void
CheckReadableInBlocks(const std::string & file);

/** A number as a pixel: rounded, and clamped to the range of the type. Counts those that did not fit. */
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

/** An image with pixels of another type, which a warning calls by the given name. */
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
    itkGenericOutputMacro(<< misfits << " pixels do not fit " << type << " and were clamped to its range");
  }
  return result;
}

/** Reads pixels, of the file's own type, or converted to another. */
template <typename TImage>
typename TImage::Pointer
ReadPixels(const std::string & file, bool convert)
{
  if (!convert)
  {
    return ReadImage<TImage>(file);
  }
  using RealImage = itk::Image<double, TImage::ImageDimension>;
  return ConvertPixels<TImage>(ReadImage<RealImage>(file).GetPointer(), "the type that --as asks for");
}

/** A file to be written. It is made in a temporary folder beside its place, and moved there when it is complete. */
class OutputFile
{
public:
  /** Throws a UserError if the folder cannot be written or no format has the ending of the name. */
  explicit OutputFile(const std::filesystem::path & file);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &
  operator=(const OutputFile &) = delete;

  /** Instantiated as ReadImage(). */
  template <typename TImage>
  void
  Write(const TImage * image) const;

  /** Writes the output of a pipeline, of which each block is updated when it is written. Throws a UserError if the
   * format cannot be written in blocks. Instantiated for labels. */
  template <typename TImage>
  void
  WriteInBlocks(TImage * image, unsigned int blocks) const;

  /** Writes real numbers in the first of these types that the format takes: their own, float, and, rounded, 16 and 8
   * bits. */
  template <typename TImage>
  void
  WriteReal(const TImage * image) const
  {
    constexpr unsigned int dimension = TImage::ImageDimension;
    if (!this->TryToWrite(image) && !this->TryAs<itk::Image<float, dimension>>(image, "single precision") &&
        !this->TryAs<itk::Image<unsigned short, dimension>>(image, "the 16 bits of the format"))
    {
      this->Write(ConvertPixels<itk::Image<unsigned char, dimension>>(image, "the 8 bits of the format").GetPointer());
    }
  }

  /** Writes labels in the first of these types that the format takes and that holds the greatest one: their own, 16 and
   * 8 bits. */
  template <typename TImage>
  void
  WriteLabels(const TImage * image, itk::SizeValueType greatest) const
  {
    constexpr unsigned int dimension = TImage::ImageDimension;
    using Image16 = itk::Image<unsigned short, dimension>;
    using Image8 = itk::Image<unsigned char, dimension>;
    const auto size = image->GetBufferedRegion().GetSize();
    if (this->KeepsLabels<TImage>(size, greatest))
    {
      this->Write(image);
    }
    else if (this->KeepsLabels<Image16>(size, greatest))
    {
      this->Write(ConvertPixels<Image16>(image, "16 bits").GetPointer());
    }
    else if (this->KeepsLabels<Image8>(size, greatest))
    {
      this->Write(ConvertPixels<Image8>(image, "8 bits").GetPointer());
    }
    else
    {
      throw UserError("cannot write '" + m_Name.string() + "': its format does not keep labels up to " +
                      std::to_string(greatest) + "; .mha and .nrrd do");
    }
  }

private:
  template <typename TImage>
  bool
  TryToWrite(const TImage * image) const
  {
    try
    {
      this->Write(image);
      return true;
    }
    catch (const UserError &)
    {
      return false;
    }
  }

  template <typename TWritten, typename TImage>
  bool
  TryAs(const TImage * image, const std::string & type) const
  {
    // Warnings are for the type that is written in the end.
    const auto converted = TWritten::New();
    converted->SetRegions(itk::Size<TImage::ImageDimension>::Filled(2));
    converted->Allocate(true);
    if (!this->CanHold(converted.GetPointer()))
    {
      return false;
    }
    return this->TryToWrite(ConvertPixels<TWritten>(image, type).GetPointer());
  }

  /** Whether the format takes such pixels, by a small image that is written and removed again. */
  template <typename TImage>
  bool
  CanHold(const TImage * image) const;

  /** Whether the type holds labels up to the greatest one, and the format keeps them as they are: some formats change
   * pixels a little. Found out by a small image. */
  template <typename TImage>
  bool
  KeepsLabels(typename TImage::SizeType size, itk::SizeValueType greatest) const
  {
    using Pixel = typename TImage::PixelType;
    if (greatest > std::numeric_limits<Pixel>::max())
    {
      return false;
    }
    const auto image = TImage::New();
    for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
    {
      size[axis] = std::min<itk::SizeValueType>(size[axis], 16); // some formats take a volume of one slice
    }
    image->SetRegions(size);
    image->Allocate();
    auto * const             pixels = image->GetBufferPointer();
    const itk::SizeValueType count = image->GetPixelContainer()->Size();
    for (itk::SizeValueType i = 0; i < count; ++i)
    {
      pixels[i] = static_cast<Pixel>(i % 5 == 0 ? 0 : greatest - std::min(greatest, i % 7));
    }
    return this->Keeps(image.GetPointer());
  }

  /** Whether an image can be written, and read back as it is; it is removed again. */
  template <typename TImage>
  bool
  Keeps(const TImage * image) const;

  void
  Empty() const;

  std::filesystem::path
  GetTemporaryFile() const
  {
    return m_Folder / m_File.filename();
  }

  /** Calls a function that writes the temporary file, for an image of so many pixels; then moves it to its place. */
  void
  WriteWith(itk::SizeValueType pixels, std::size_t bytesPerPixel, const std::function<void()> & write) const;

  /** Throws if the disk has no room. */
  void
  CheckRoom(std::uintmax_t bytes) const;

  /** Moves all files to their place, the one with the name last: formats of several files have one that names the
   * others.
   */
  void
  Deliver() const;

  std::filesystem::path m_Name;   // as it was given
  std::filesystem::path m_File;   // with links followed
  std::filesystem::path m_Folder; // the temporary one
};

#endif
