// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_LabelCommand_h
#define cudafilters_LabelCommand_h

#include "FilterCommand.h"
#include "itkCudaLabelMeasurementImageFilter.h"
#include "itkCudaRelabelComponentImageFilter.h"
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/** A command that labels objects, and measures them. TCommand has MakeFilter(), and a constant HasGapsInLabels: whether
 * labels are to be replaced by consecutive ones. */
template <typename TCommand>
class LabelCommand : public FilterCommand<TCommand>
{
public:
  using FilterCommand<TCommand>::FilterCommand;

  template <typename TOutputImage>
  std::nullptr_t
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
    return nullptr;
  }

  template <typename TFilter>
  void
  Finish(TFilter & filter, std::nullptr_t) const
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
  }

  static std::string
  GetMeaningOfPicture()
  {
    return "each object in a colour";
  }

  template <typename TFilter>
  Picture::Pointer
  Draw(const Slices &, TFilter & filter) const
  {
    return DrawLabels(Slices(*this->GetLabels(filter.GetOutput())));
  }

  template <typename TOutputImage>
  void
  WriteOutput(const OutputFile & file, const TOutputImage * image) const
  {
    file.WriteLabels(this->GetLabels(image), m_Objects);
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
                                                     { "--picture", this->HasPicture() },
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
  }

  std::vector<std::string>
  GetOtherFiles() const override
  {
    return { m_Table };
  }

  std::vector<std::string>
  GetOtherInputs() const override
  {
    return { m_Mask, m_Intensities };
  }

private:
  /** The labels of the last run, or their replacement. */
  template <typename TLabels>
  const TLabels *
  GetLabels(const TLabels * labels) const
  {
    const auto * const relabelled = static_cast<const TLabels *>(m_Relabelled.GetPointer());
    return relabelled != nullptr ? relabelled : labels;
  }

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

  // Of the last run: objects with new labels, if that was asked for.
  mutable itk::DataObject::ConstPointer m_Relabelled;
  mutable itk::SizeValueType            m_Objects = 0;
};

#endif
