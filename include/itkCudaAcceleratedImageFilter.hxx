// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAcceleratedImageFilter_hxx
#define itkCudaAcceleratedImageFilter_hxx

#include "itkCudaAcceleratedImageFilter.h"
#include "itkInPlaceImageFilter.h"
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The image that a filter makes for an output of the given type. */
template <typename TImage>
struct OutputImageMaker
{
  static DataObject::Pointer
  Make()
  {
    return TImage::New().GetPointer();
  }
};

template <typename TPixel, unsigned int VDimension>
struct OutputImageMaker<Image<TPixel, VDimension>>
{
  static DataObject::Pointer
  Make()
  {
    if constexpr (std::is_trivially_copyable<TPixel>::value)
    {
      auto image = CudaBackedImage<TPixel, VDimension>::New();
      image->SetHostAccessTracked(false);
      return image.GetPointer();
    }
    else
    {
      return Image<TPixel, VDimension>::New().GetPointer();
    }
  }
};

/** IsDeviceImage(), also true for the missing input of an image source. */
template <typename TImage>
constexpr bool
IsDeviceImageOrVoid()
{
  if constexpr (std::is_void<TImage>::value)
  {
    return true;
  }
  else
  {
    return IsDeviceImage<TImage>();
  }
}

/** The type of a filter's input images; void for an image source. */
template <typename TFilter, typename = void>
struct InputImageTypeOf
{
  using Type = void;
};
template <typename TFilter>
struct InputImageTypeOf<TFilter, std::void_t<typename TFilter::InputImageType>>
{
  using Type = typename TFilter::InputImageType;
};
} // namespace CudaFilters

template <typename TParent>
CudaAcceleratedImageFilter<TParent>::CudaAcceleratedImageFilter()
  : m_Core(*this)
{
  // The constructor of ImageSource made an output too, but could not yet call this class's MakeOutput().
  this->SetNthOutput(0, this->Self::MakeOutput(0));
}

template <typename TParent>
CudaAcceleratedImageFilter<TParent>::~CudaAcceleratedImageFilter()
{
  // An output that a user keeps will be read without an Update() to prepare it.
  m_Core.BeforeDestruction();
}

template <typename TParent>
ModifiedTimeType
CudaAcceleratedImageFilter<TParent>::GetMTime() const
{
  return m_Core.GetMTime(Superclass::GetMTime());
}

template <typename TParent>
auto
CudaAcceleratedImageFilter<TParent>::MakeOutput(DataObjectPointerArraySizeType index) -> DataObjectPointer
{
  return index == 0 ? CudaFilters::OutputImageMaker<OutputImageType>::Make() : Superclass::MakeOutput(index);
}

template <typename TParent>
auto
CudaAcceleratedImageFilter<TParent>::MakeOutput(const DataObjectIdentifierType & name) -> DataObjectPointer
{
  return this->IsIndexedOutputName(name) ? this->MakeOutput(this->MakeIndexFromOutputName(name))
                                         : Superclass::MakeOutput(name);
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::SetOutput(const DataObjectIdentifierType & name, DataObject * output)
{
  // DataObject::DisconnectPipeline() calls this, too.
  m_Core.BeforeReplacingOutput(this->ProcessObject::GetOutput(name), output);
  Superclass::SetOutput(name, output);
}

template <typename TParent>
template <typename TImage>
TImage *
CudaAcceleratedImageFilter<TParent>::ShowOnHost(TImage * output)
{
  if (const auto * const holder = dynamic_cast<const CudaPixelHolder *>(output))
  {
    holder->MakeHostValidUnlessTracked();
  }
  return output;
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::UpdateOutputInformation()
{
  m_Core.BeginUpdate();
  Superclass::UpdateOutputInformation();
  m_Core.AnnounceReads();
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::UpdateOutputData(DataObject * output)
{
  const bool runsOnDevice = m_Core.WillRunOnDevice([this] { return this->FindUnsupportedReason(); });
  m_Core.UpdateOutputData(output, runsOnDevice, [&] { Superclass::UpdateOutputData(output); });
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::GenerateData()
{
  m_Core.GenerateData([this] { return this->FindReasonForCPU(); },
                      [this](CudaFilters::ImageList & images) {
                        CudaFilters::OperationPointer operation = this->MakeOperation();
                        if (operation != nullptr)
                        {
                          if (this->IsDropIn() && this->KeepsFormerPixelsInParent())
                          {
                            m_Core.LeaveSharedContainers();
                          }
                          this->CollectImages(images);
                        }
                        return operation;
                      },
                      [this] { this->GenerateDataOnCPU(); });
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::ReleaseInputs()
{
  if (!this->GetExecutedOnDevice())
  {
    Superclass::ReleaseInputs();
    return;
  }
  // A run on the CPU that has failed may have left InPlaceImageFilter::m_RunningInPlace set.
  ProcessObject::ReleaseInputs();
  if (this->IsRunInPlaceInParent())
  {
    this->ProcessObject::GetInput(0)->ReleaseData();
  }
}

template <typename TParent>
bool
CudaAcceleratedImageFilter<TParent>::IsRunInPlaceInParent() const
{
  if constexpr (std::is_base_of<InPlaceImageFilter<OutputImageType, OutputImageType>, TParent>::value)
  {
    const auto * const input = dynamic_cast<const OutputImageType *>(this->ProcessObject::GetInput(0));
    const auto * const output = static_cast<const OutputImageType *>(this->ProcessObject::GetOutput(0));
    return this->IsDropIn() && input != nullptr && output != nullptr && this->GetInPlace() && this->CanRunInPlace() &&
           input->GetBufferedRegion() == output->GetRequestedRegion();
  }
  else
  {
    return false;
  }
}

template <typename TParent>
bool
CudaAcceleratedImageFilter<TParent>::KeepsFormerPixelsInParent() const
{
  return this->IsRunInPlaceInParent();
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::GenerateDataOnCPU()
{
  Superclass::GenerateData();
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::CollectImages(CudaFilters::ImageList & images)
{
  using InputImage = typename CudaFilters::InputImageTypeOf<TParent>::Type;
  if constexpr (!std::is_void<InputImage>::value)
  {
    if constexpr (CudaFilters::IsDeviceImage<InputImage>())
    {
      images.AddInput(this->GetInput());
    }
  }
  if constexpr (CudaFilters::IsDeviceImage<OutputImageType>())
  {
    for (unsigned int i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
    {
      if (auto * const output = dynamic_cast<OutputImageType *>(this->ProcessObject::GetOutput(i)))
      {
        output->SetRequestedRegion(this->GetPrimaryOutput()); // an operation computes all outputs over one region
        images.AddOutput(output);
      }
    }
  }
}

template <typename TParent>
bool
CudaAcceleratedImageFilter<TParent>::SupportsPixelTypes() const
{
  using InputImage = typename CudaFilters::InputImageTypeOf<TParent>::Type;
  if constexpr (!CudaFilters::IsDeviceImage<OutputImageType>())
  {
    return false;
  }
  else if constexpr (std::is_void<InputImage>::value)
  {
    return CudaFilters::IsKernelPixel<typename OutputImageType::PixelType>();
  }
  else
  {
    return InputImage::ImageDimension == ImageDimension && CudaFilters::IsDeviceImage<InputImage>() &&
           CudaFilters::IsKernelPixel<typename InputImage::PixelType>() &&
           CudaFilters::IsKernelPixel<typename OutputImageType::PixelType>();
  }
}

template <typename TParent>
std::string
CudaAcceleratedImageFilter<TParent>::GetUnsupportedReason() const
{
  return {};
}

template <typename TParent>
std::string
CudaAcceleratedImageFilter<TParent>::FindUnsupportedReason() const
{
  using InputImage = typename CudaFilters::InputImageTypeOf<TParent>::Type;
  if (!CudaFilters::IsDeviceImage<OutputImageType>() || !CudaFilters::IsDeviceImageOrVoid<InputImage>())
  {
    return "only an itk::Image of trivially copyable pixels can go to a device";
  }
  if (ImageDimension != 2 && ImageDimension != 3)
  {
    return "there are kernels for 2-D and 3-D images only, not for " + std::to_string(ImageDimension) + "-D";
  }
  if (!this->SupportsPixelTypes())
  {
    return "there are no kernels for these pixel types; this module has kernels for unsigned char, unsigned short, "
           "short, float and double";
  }
  const auto * const output = static_cast<const OutputImageType *>(this->ProcessObject::GetOutput(0));
  if (output != nullptr && output->GetRequestedRegion().GetNumberOfPixels() == 0)
  {
    return "the image is empty";
  }
  return this->GetUnsupportedReason();
}

template <typename TParent>
std::string
CudaAcceleratedImageFilter<TParent>::FindReasonForCPU() const
{
  if (this->IsRunInPlaceInParent())
  {
    const auto * const holder = dynamic_cast<const CudaPixelHolder *>(this->ProcessObject::GetInput(0));
    if (holder == nullptr || holder->IsHostVisible())
    {
      return "it computes in place, in memory that the program may have pointers to";
    }
  }
  return this->FindUnsupportedReason();
}

template <typename TParent>
void
CudaAcceleratedImageFilter<TParent>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  m_Core.Print(os, indent);
}
} // namespace itk

#endif
