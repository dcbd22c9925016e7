// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaComponentBaseImageFilter_h
#define itkCudaComponentBaseImageFilter_h

#include "CudaFilters/detail/ComponentOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include <cmath>
#include <type_traits>

namespace itk
{
/** \class CudaComponentBaseImageFilter
 * \brief What the filters of connected components have in common: a mask, labels, and the number of objects.
 *
 * Inputs may have any integer or real pixel type, outputs any integer type. There is an exception if a pixel of the
 * image or of the mask is NaN. (A drop-in, which CudaFiltersFactory creates, leaves such an image to ITK's code.)
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaComponentBaseImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaComponentBaseImageFilter);

  using Self = CudaComponentBaseImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaComponentBaseImageFilter";
  }

  using typename Superclass::InputImageType;
  using typename Superclass::MaskImageType;
  using typename Superclass::OutputImageType;
  using InputPixelType = typename InputImageType::PixelType;
  using MaskPixelType = typename MaskImageType::PixelType;
  using OutputPixelType = typename OutputImageType::PixelType;
  using LabelType = IdentifierType;

  /** The number of objects, after an update. */
  const LabelType &
  GetObjectCount() const override
  {
    return m_ObjectCount;
  }

protected:
  CudaComponentBaseImageFilter() = default;
  ~CudaComponentBaseImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "ObjectCount, of the device or the CPU: " << m_ObjectCount << std::endl;
  }

  void
  GenerateData() override
  {
    m_ObjectCount = 0;
    if (this->GetOutputImage()->GetRequestedRegion().GetNumberOfPixels() == 0)
    {
      this->AllocateOutputs(); // ITK's filter would divide by the width
      return;
    }
    Superclass::GenerateData();
    if (this->GetExecutedOnDevice())
    {
      m_ObjectCount = static_cast<LabelType>(m_ObjectsOnDevice);
    }
  }

  void
  GenerateDataOnCPU() override
  {
    if (!this->IsDropIn())
    {
      this->CheckForNaN(this->GetInput());
      this->CheckForNaN(this->GetMaskImage());
    }
    Superclass::GenerateDataOnCPU();
    m_ObjectCount = this->CountObjectsOnCPU();
  }

  /** The number of objects, after a run of the parent. */
  virtual LabelType
  CountObjectsOnCPU() const
  {
    return TParent::GetObjectCount();
  }

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::IsDeviceImage<MaskImageType>() && CudaFilters::IsObjectPixel<InputPixelType>() &&
           CudaFilters::IsObjectPixel<MaskPixelType>() && CudaFilters::IsNumberPixel<OutputPixelType>();
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    Superclass::CollectImages(images);
    if constexpr (CudaFilters::IsDeviceImage<MaskImageType>())
    {
      if (this->GetMaskImage() != nullptr)
      {
        images.AddInput(this->GetMaskImage());
      }
    }
  }

  /** The parameters of all such operations. */
  void
  SetParameters(CudaFilters::ComponentParameters & parameters) const
  {
    parameters.Dimension = Superclass::ImageDimension;
    parameters.IsFull = this->GetFullyConnected();
    parameters.Input = CudaFilters::GetPixelStorage<InputPixelType>();
    parameters.Output = CudaFilters::GetPixelStorage<OutputPixelType>();
    if (this->GetMaskImage() != nullptr)
    {
      parameters.Mask = CudaFilters::GetPixelStorage<MaskPixelType>();
    }
    parameters.MostObjects = static_cast<std::uint64_t>(NumericTraits<OutputPixelType>::max());
    parameters.ThrowNaN = [this] { this->ThrowNaN(); };
  }

  /** Where an operation stores the number of objects. */
  std::uint64_t &
  GetObjectsOnDevice()
  {
    return m_ObjectsOnDevice;
  }

  /** The output, wherever its pixels are. */
  const OutputImageType *
  GetOutputImage() const
  {
    return static_cast<const OutputImageType *>(this->ProcessObject::GetOutput(0));
  }

private:
  void
  ThrowNaN() const
  {
    this->LeaveToParent("the image or the mask has pixels that are NaN");
    itkExceptionMacro("The image or the mask has pixels that are NaN.");
  }

  /** On the device, the operation checks. */
  template <typename TImage>
  void
  CheckForNaN(const TImage * image) const
  {
    if constexpr (std::is_floating_point<typename TImage::PixelType>::value)
    {
      if (image != nullptr)
      {
        for (ImageRegionConstIterator<TImage> it(image, this->GetOutputImage()->GetRequestedRegion()); !it.IsAtEnd();
             ++it)
        {
          if (std::isnan(it.Get()))
          {
            this->ThrowNaN();
          }
        }
      }
    }
  }

  std::uint64_t m_ObjectsOnDevice = 0; // of the last run there, whether it succeeded or not
  LabelType     m_ObjectCount = 0;
};
} // namespace itk

#endif
