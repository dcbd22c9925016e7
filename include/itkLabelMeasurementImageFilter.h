// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkLabelMeasurementImageFilter_h
#define itkLabelMeasurementImageFilter_h

#include "CudaFilters/detail/MeasurementTable.h"
#include "CudaFilters/detail/ObjectSums.h"
#include "itkImageToImageFilter.h"
#include "itkLabelMeasurementTable.h"
#include <vector>

namespace itk
{
/** \class LabelMeasurementImageFilter
 * \brief Measures all objects of a label image in one pass, on the CPU.
 *
 * An object is the set of pixels with the same label, other than the background value. The result is a table
 * (LabelMeasurementTable) with size, bounding box, centroid, principal moments and axes of each object and, if there is
 * an image of intensities, their mean, minimum, maximum and sum: what LabelImageToShapeLabelMapFilter and
 * LabelImageToStatisticsLabelMapFilter compute of them, without a map of all lines of each object. Sums of positions
 * are exact. Labels beyond 2^53 are refused.
 *
 * The output is the label image itself, whose pixels it shares. All pixels are measured, whatever region is requested.
 *
 * \code
 * auto measurements = itk::LabelMeasurementImageFilter<LabelImageType, ImageType>::New();
 * measurements->SetInput(labels);
 * measurements->SetIntensityImage(image); // optional
 * measurements->Update();
 * measurements->GetTable()->WriteCSV("objects.csv");
 * \endcode
 *
 * \sa CudaLabelMeasurementImageFilter, ShapeLabelObject, StatisticsLabelObject
 * \ingroup CudaFilters
 */
template <typename TLabelImage, typename TIntensityImage = TLabelImage>
class ITK_TEMPLATE_EXPORT LabelMeasurementImageFilter : public ImageToImageFilter<TLabelImage, TLabelImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(LabelMeasurementImageFilter);

  using Self = LabelMeasurementImageFilter;
  using Superclass = ImageToImageFilter<TLabelImage, TLabelImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "LabelMeasurementImageFilter";
  }

  using LabelImageType = TLabelImage;
  using IntensityImageType = TIntensityImage;
  using InputImageType = TLabelImage;
  using OutputImageType = TLabelImage;
  using LabelType = typename TLabelImage::PixelType;
  using RegionType = typename TLabelImage::RegionType;
  using TableType = LabelMeasurementTable; ///< the measurements

  static constexpr unsigned int ImageDimension = TLabelImage::ImageDimension;
  static_assert(ImageDimension <= 3, "Objects are measured in up to three dimensions.");
  static_assert(std::is_integral<LabelType>::value, "Labels are integers.");

  /** Set/Get the image of intensities, of the same size as the label image; nullptr, the default, for none. */
  /**@{*/
  void
  SetIntensityImage(const TIntensityImage * image)
  {
    this->ProcessObject::SetInput("IntensityImage", const_cast<TIntensityImage *>(image));
  }
  const TIntensityImage *
  GetIntensityImage() const
  {
    return static_cast<const TIntensityImage *>(this->ProcessObject::GetInput("IntensityImage"));
  }
  /**@}*/

  /** Set/Get the label of pixels that belong to no object. Default: 0. */
  /**@{*/
  itkSetMacro(BackgroundValue, LabelType);
  itkGetConstMacro(BackgroundValue, LabelType);
  /**@}*/

  /** The measurements of the last update; empty before the first one. Another update makes another table: who needs
   * both keeps the first one by a TableType::ConstPointer. */
  const TableType *
  GetTable() const
  {
    return m_Table;
  }

protected:
  LabelMeasurementImageFilter() = default;
  ~LabelMeasurementImageFilter() override = default;

  void
  VerifyInputInformation() const override;

  void
  GenerateInputRequestedRegion() override;
  void
  EnlargeOutputRequestedRegion(DataObject * output) override;

  void
  GenerateData() override;

  /** Makes the table of objects, in any order. */
  void
  MakeTable(std::vector<CudaFilters::LabelSums> objects);

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  LabelType          m_BackgroundValue{};
  TableType::Pointer m_Table = TableType::New();
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkLabelMeasurementImageFilter.hxx"
#endif

#endif
