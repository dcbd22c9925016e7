// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelMeasurementImageFilter_h
#define itkCudaLabelMeasurementImageFilter_h

#include "CudaFilters/detail/MeasurementOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkLabelMeasurementImageFilter.h"
#include <utility>
#include <vector>

namespace itk
{
/** \class CudaLabelMeasurementImageFilter
 * \brief Measures all objects of a label image on a CUDA device.
 *
 * Parameters and results are those of LabelMeasurementImageFilter. Labels may have any integer type; intensities one of
 * the pixel types of this module's kernels. Labels need not be consecutive: those that occur are found first if a
 * table of all numbers up to the greatest one would be large. Images with labels of 2^32 or more are measured on the
 * CPU.
 *
 * Sums of positions are exact, and so are sums of integer intensities. On a device, sums of
 * real intensities are sums of integers, and the same in each run; the CPU adds double numbers, so that last digits may
 * differ.
 *
 * The output shares the pixels of the input. If they are on the device alone, and the output type is itk::Image, each
 * Update() of a program downloads them.
 *
 * \sa LabelMeasurementImageFilter, CudaConnectedComponentImageFilter
 * \ingroup CudaFilters
 */
template <typename TLabelImage, typename TIntensityImage = TLabelImage>
class ITK_TEMPLATE_EXPORT CudaLabelMeasurementImageFilter
  : public CudaAcceleratedImageFilter<LabelMeasurementImageFilter<TLabelImage, TIntensityImage>>
{
public:
  itkCudaFilterMacro(CudaLabelMeasurementImageFilter,
                     CudaAcceleratedImageFilter<LabelMeasurementImageFilter<TLabelImage, TIntensityImage>>);

  using LabelType = typename TLabelImage::PixelType;

protected:
  CudaLabelMeasurementImageFilter() = default;
  ~CudaLabelMeasurementImageFilter() override = default;

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::IsNumberPixel<LabelType>() &&
           (this->GetIntensityImage() == nullptr ||
            (CudaFilters::IsDeviceImage<TIntensityImage>() &&
             CudaFilters::IsKernelPixel<typename TIntensityImage::PixelType>()));
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    if constexpr (CudaFilters::IsDeviceImage<TLabelImage>())
    {
      images.AddInput(this->GetInput());
      if constexpr (CudaFilters::IsDeviceImage<TIntensityImage>())
      {
        if (this->GetIntensityImage() != nullptr)
        {
          images.AddInput(this->GetIntensityImage());
        }
      }
      const DataObject * const output = this->ProcessObject::GetOutput(0); // GetOutput() would download its pixels
      images.AddRegion(static_cast<const TLabelImage *>(output));
    }
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::MeasurementParameters parameters;
    parameters.Labels = CudaFilters::GetPixelStorage<LabelType>();
    if (this->GetIntensityImage() != nullptr)
    {
      parameters.Intensities = CudaFilters::GetPixelType<typename TIntensityImage::PixelType>();
    }
    parameters.Background = static_cast<std::uint64_t>(this->GetBackgroundValue());
    return CudaFilters::MakeMeasurementOperation(parameters, m_Sums);
  }

  void
  GenerateData() override
  {
    // A run that fails releases the pixels of the output, which may be those of an input: they are detached first.
    this->ProcessObject::GetOutput(0)->Initialize();
    Superclass::GenerateData();
    if (this->GetExecutedOnDevice())
    {
      this->MakeTable(std::move(m_Sums));
      this->GraftOutput(const_cast<TLabelImage *>(this->GetInput()));
    }
    std::vector<CudaFilters::LabelSums>().swap(m_Sums);
  }

private:
  std::vector<CudaFilters::LabelSums> m_Sums; // of the last run on a device, until they are in the table
};
} // namespace itk

#endif
