// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_LabelCommand_h
#define cudafilters_LabelCommand_h

#include "FilterCommand.h"
#include "itkCudaLabelMeasurementImageFilter.h"
#include "itkCudaRelabelComponentImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include "itkImageRegionIterator.h"
#include "itkRGBPixel.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

using Colour = itk::RGBPixel<unsigned char>;

/** Colours that differ much from each other for labels that follow each other; 0 is black. */
inline Colour
GetColour(unsigned int label)
{
  Colour colour;
  colour.Fill(0);
  if (label == 0)
  {
    return colour;
  }
  constexpr double goldenRatio = 0.6180339887498949;
  const double     hue = std::fmod(goldenRatio * label, 1.0) * 6.0;
  const double     value = 1.0 - 0.2 * (label % 3);
  const double     least = value * (label % 2 == 0 ? 0.35 : 0.1);
  for (unsigned int i = 0; i < 3; ++i)
  {
    // A colour is full over two sixths of the circle, rises or falls over one, and is low over the others.
    const double distance = std::abs(std::fmod(hue - 2.0 * i + 9.0, 6.0) - 3.0);
    const double share = std::min(1.0, std::max(0.0, 2.0 - distance));
    colour[i] = static_cast<unsigned char>(std::lround(255.0 * (least + (value - least) * share)));
  }
  return colour;
}

/** Labels as colours: those of a picture, or of the middle slice of a volume. */
template <typename TImage>
itk::Image<Colour, 2>::Pointer
MakePicture(const TImage * labels)
{
  auto region = labels->GetBufferedRegion();
  if constexpr (TImage::ImageDimension == 3)
  {
    region.SetIndex(2, region.GetIndex(2) + static_cast<itk::IndexValueType>(region.GetSize(2) / 2));
    region.SetSize(2, 1);
  }
  const auto picture = itk::Image<Colour, 2>::New();
  picture->SetRegions(itk::Size<2>{ { region.GetSize(0), region.GetSize(1) } });
  picture->Allocate();
  itk::ImageRegionConstIterator<TImage>           from(labels, region);
  itk::ImageRegionIterator<itk::Image<Colour, 2>> to(picture, picture->GetBufferedRegion());
  for (; !to.IsAtEnd(); ++from, ++to)
  {
    to.Set(GetColour(from.Get()));
  }
  return picture;
}

/** A command that labels objects, and measures them. TCommand has MakeFilter(), and a constant HasGapsInLabels: whether
 * labels are to be replaced by consecutive ones. */
template <typename TCommand>
class LabelCommand : public FilterCommand<TCommand>
{
public:
  using FilterCommand<TCommand>::FilterCommand;

  /** The picture, if it is wanted. The table is written at once. */
  template <typename TOutputImage>
  std::unique_ptr<OutputFile>
  Prepare() const
  {
    if (!m_Table.empty())
    {
      const auto      folder = std::filesystem::absolute(m_Table).parent_path();
      std::error_code error;
      if (!std::filesystem::is_directory(folder, error) || std::filesystem::is_directory(m_Table, error))
      {
        throw UserError("cannot write '" + m_Table + "': there is no such folder, or it is a folder itself");
      }
    }
    const std::string files[] = { this->GetOutput(), m_Picture, m_Table };
    for (unsigned int i = 0; i < 3; ++i)
    {
      for (unsigned int j = 0; j < i; ++j)
      {
        if (!files[i].empty() && files[i] == files[j])
        {
          throw UserError("'" + files[i] + "' is named as two files to write; they would be the same file");
        }
      }
    }
    return m_Picture.empty() ? nullptr : std::make_unique<OutputFile>(m_Picture);
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, const std::unique_ptr<OutputFile> & picture) const
  {
    using Labels = typename TFilter::OutputImageType;
    typename Labels::Pointer labels = filter.GetOutput();
    itk::SizeValueType       objects = filter.GetObjectCount();
    if (m_IsSorted || m_MinimumSize > 0 || TCommand::HasGapsInLabels)
    {
      const auto relabel = itk::CudaRelabelComponentImageFilter<Labels, Labels>::New();
      relabel->SetInput(labels);
      relabel->SetMinimumObjectSize(m_MinimumSize);
      relabel->SetSortByObjectSize(m_IsSorted);
      relabel->Update();
      labels = relabel->GetOutput();
      objects = relabel->GetNumberOfObjects();
      m_Relabelled = labels;
    }
    m_Objects = objects;
    std::printf("%llu objects\n", static_cast<unsigned long long>(objects));
    if (!m_Table.empty())
    {
      this->WriteTable(labels.GetPointer());
    }
    if (picture)
    {
      picture->Write(MakePicture(labels.GetPointer()).GetPointer());
    }
  }

  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    const auto * const relabelled = static_cast<const TOutputImage *>(m_Relabelled.GetPointer());
    file.WriteLabels(relabelled != nullptr ? relabelled : image, m_Objects);
  }

  static std::string
  GetMeaningOfAs()
  {
    return "Read the pixels as uint8, uint16, int16, float32 or float64";
  }

protected:
  bool
  IsFull() const
  {
    return m_IsFull;
  }
  const std::string &
  GetMask() const
  {
    return m_Mask;
  }

  /** Throws if an option was given that needs the whole image, and so does not go together with the one named. */
  void
  CheckGoesTogether(const std::string & option) const
  {
    const std::pair<const char *, bool> others[] = { { "--sort", m_IsSorted },
                                                     { "--minimum-size", m_MinimumSize > 0 },
                                                     { "--stats", !m_Table.empty() },
                                                     { "--intensities", !m_Intensities.empty() },
                                                     { "--picture", !m_Picture.empty() },
                                                     { "--as", this->IsConverted() },
                                                     { "--repeat", this->IsRepeated() } };
    for (const auto & [name, isGiven] : others)
    {
      if (isGiven)
      {
        throw UserError(std::string(name) + " does not go with " + option);
      }
    }
  }

  /** Sets the parameters that all such filters have. */
  template <typename TFilter, typename TImage>
  void
  SetParameters(TFilter & filter, const TImage & image) const
  {
    filter.SetFullyConnected(m_IsFull);
    if (!m_Mask.empty())
    {
      const auto read = ReadPixels<itk::Image<double, TImage::ImageDimension>>(m_Mask, false);
      if (read->GetBufferedRegion() != image.GetBufferedRegion())
      {
        throw UserError("the image and the mask have different sizes");
      }
      const auto mask = TImage::New();
      mask->CopyInformation(&image);
      mask->SetRegions(image.GetBufferedRegion());
      mask->Allocate();
      std::transform(read->GetBufferPointer(),
                     read->GetBufferPointer() + read->GetPixelContainer()->Size(),
                     mask->GetBufferPointer(),
                     [](double pixel) { return static_cast<typename TImage::PixelType>(pixel != 0.0 ? 1 : 0); });
      filter.SetMaskImage(mask);
    }
  }

  void
  AddOptions(CLI::App & app) override
  {
    app.add_flag("--full", m_IsFull, "Diagonal neighbours are connected, too");
    app.add_option("--mask", m_Mask, "Image whose pixels that are 0 belong to no object")->type_name("FILE");
    app.add_flag("--sort", m_IsSorted, "Number objects by size, the largest first; otherwise by their first pixels");
    app.add_option("--minimum-size", m_MinimumSize, "Remove objects of fewer pixels")->type_name("PIXELS");
    app.add_option("--stats", m_Table, "Table to write: size, place, shape and intensities of each object")
      ->type_name("CSV");
    app.add_option("--intensities", m_Intensities, "Image whose intensities are measured; otherwise the input")
      ->type_name("FILE");
    app.add_option("--picture", m_Picture, "Picture to write: each object in a colour; of a volume, the middle slice")
      ->type_name("FILE");
  }

private:
  template <typename TLabels>
  void
  WriteTable(const TLabels * labels) const
  {
    using Intensities = itk::Image<double, TLabels::ImageDimension>;
    const std::string & file = m_Intensities.empty() ? this->GetInput() : m_Intensities;
    const auto          intensities = ReadPixels<Intensities>(file, false);
    if (intensities->GetBufferedRegion() != labels->GetBufferedRegion())
    {
      throw UserError("the image and that of intensities have different sizes");
    }
    intensities->CopyInformation(labels);
    const auto measurements = itk::CudaLabelMeasurementImageFilter<TLabels, Intensities>::New();
    measurements->SetInput(labels);
    measurements->SetIntensityImage(intensities);
    measurements->Update();
    measurements->GetTable()->WriteCSV(m_Table);
  }

  bool               m_IsFull = false;
  std::string        m_Mask;
  bool               m_IsSorted = false;
  itk::SizeValueType m_MinimumSize = 0;
  std::string        m_Table;
  std::string        m_Intensities;
  std::string        m_Picture;

  // Of the last run: objects with new labels, if that was asked for.
  mutable itk::DataObject::ConstPointer m_Relabelled;
  mutable itk::SizeValueType            m_Objects = 0;
};

#endif
