// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "FilterCommand.h"
#include "ReconstructionOptions.h"
#include "itkCudaReconstructionByDilationImageFilter.h"
#include "itkCudaReconstructionByErosionImageFilter.h"
#include "itkShiftScaleImageFilter.h"

namespace
{
/** Morphological reconstruction; the input is the marker. */
template <template <typename, typename> class TFilter>
class ReconstructCommand : public FilterCommand<ReconstructCommand<TFilter>>
{
public:
  ReconstructCommand();

  template <typename TImage>
  auto
  MakeFilter(const TImage & marker) const
  {
    const auto filter = TFilter<TImage, TImage>::New();
    m_Options.Apply(*filter);
    filter->SetMaskImage(this->GetMask(marker));
    return filter;
  }

  template <typename TImage>
  void
  PrepareInput(TImage & marker) const
  {
    if (m_IsToCut)
    {
      const auto mask = this->GetMask(marker);
      if (mask->GetBufferedRegion() != marker.GetBufferedRegion())
      {
        throw UserError("marker and mask have different sizes");
      }
      itk::ImageRegionConstIterator<TImage> maskIt(mask, mask->GetBufferedRegion());
      for (itk::ImageRegionIterator<TImage> it(&marker, marker.GetBufferedRegion()); !it.IsAtEnd(); ++it, ++maskIt)
      {
        it.Set(IsErosion ? std::max(it.Get(), maskIt.Get()) : std::min(it.Get(), maskIt.Get()));
      }
    }
  }

  /** The picture without its last bright, or dark, details. */
  static Demonstration::ImageType::ConstPointer
  PrepareDemonstration(const Demonstration::ImageType * picture)
  {
    return Shift(*picture, IsErosion ? Height : -Height);
  }

protected:
  void
  AddOptions(CLI::App & app) override
  {
    app.add_option("--mask", m_MaskFile, "Image beyond which the marker does not grow")->required();
    app.add_flag("--cut", m_IsToCut, "Cut the marker where it is beyond the mask, instead of refusing it");
    m_Options.AddTo(app);
  }

  std::vector<std::string>
  GetOtherInputs() const override
  {
    return { m_MaskFile };
  }

private:
  static constexpr bool IsErosion = std::is_same<
    TFilter<Demonstration::ImageType, Demonstration::ImageType>,
    itk::CudaReconstructionByErosionImageFilter<Demonstration::ImageType, Demonstration::ImageType>>::value;
  static constexpr double Height = 50.0;

  template <typename TImage>
  static typename TImage::Pointer
  Shift(const TImage & image, double shift)
  {
    const auto filter = itk::ShiftScaleImageFilter<TImage, TImage>::New();
    filter->SetInput(&image);
    filter->SetShift(shift);
    filter->Update();
    return filter->GetOutput();
  }

  template <typename TImage>
  typename TImage::Pointer
  GetMask(const TImage & marker) const
  {
    if (m_MaskFile.empty()) // the demonstration
    {
      return Shift(marker, IsErosion ? -Height : Height);
    }
    auto mask = dynamic_cast<TImage *>(m_Mask.GetPointer());
    if (mask == nullptr)
    {
      if (DescribeImage(m_MaskFile).Dimension != TImage::ImageDimension)
      {
        throw UserError("marker and mask have different dimensions");
      }
      m_Mask = ReadPixels<TImage>(m_MaskFile, true);
      mask = static_cast<TImage *>(m_Mask.GetPointer());
    }
    return mask;
  }

  ReconstructionOptions            m_Options;
  std::string                      m_MaskFile;
  bool                             m_IsToCut = false;
  mutable itk::DataObject::Pointer m_Mask; // read once
};

template <>
ReconstructCommand<itk::CudaReconstructionByDilationImageFilter>::ReconstructCommand()
  : FilterCommand(
      "reconstruct",
      "Let a marker grow under a mask, as itk::ReconstructionByDilationImageFilter; the input is the marker")
{}
template <>
ReconstructCommand<itk::CudaReconstructionByErosionImageFilter>::ReconstructCommand()
  : FilterCommand("reconstruct-by-erosion",
                  "Let a marker sink onto a mask, as itk::ReconstructionByErosionImageFilter; the input is the marker")
{}

const Registration<ReconstructCommand<itk::CudaReconstructionByDilationImageFilter>>
  registrationOfReconstructionByDilation;
const Registration<ReconstructCommand<itk::CudaReconstructionByErosionImageFilter>>
  registrationOfReconstructionByErosion;
} // namespace
