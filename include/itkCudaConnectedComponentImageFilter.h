// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaConnectedComponentImageFilter_h
#define itkCudaConnectedComponentImageFilter_h

#include "CudaFilters/detail/ComponentOperation.h"
#include "CudaFilters/detail/Instances.h"
#include "itkConnectedComponentImageFilter.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkImageRegionConstIterator.h"
#include <cmath>
#include <type_traits>

namespace itk
{
/** \class CudaConnectedComponentImageFilter
 * \brief Labels the objects of an image on a CUDA device.
 *
 * An object is a set of connected pixels that are not 0. Each of its pixels gets the object's label; all other pixels
 * get the background value. Parameters, labels and their order are those of ConnectedComponentImageFilter: labels are
 * consecutive, in the order of the objects' first pixels. Inputs may have any integer or real pixel type, outputs any
 * integer type. There is an exception if a pixel of the image or of the mask is NaN, which ITK's filter takes for an
 * object.
 *
 * \code
 * auto components = itk::CudaConnectedComponentImageFilter<MaskType, LabelImageType>::New();
 * components->SetInput(mask);
 * components->FullyConnectedOn(); // diagonal neighbours are connected, too
 * components->Update();
 * std::cout << components->GetObjectCount() << " objects" << std::endl;
 * \endcode
 *
 * \sa ConnectedComponentImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TMaskImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaConnectedComponentImageFilter
  : public CudaAcceleratedImageFilter<ConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>
{
public:
  itkCudaFilterMacro(CudaConnectedComponentImageFilter,
                     CudaAcceleratedImageFilter<ConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>);

  using LabelType = IdentifierType;
  using OutputPixelType = typename TOutputImage::PixelType;

  /** The number of objects, after an update. */
  const LabelType &
  GetObjectCount() const override
  {
    return m_IsCountedHere ? m_ObjectCount : Superclass::GetObjectCount();
  }

protected:
  CudaConnectedComponentImageFilter() = default;
  ~CudaConnectedComponentImageFilter() override = default;

  void
  GenerateData() override
  {
    const auto * const output = static_cast<const TOutputImage *>(this->ProcessObject::GetOutput(0));
    if (output->GetRequestedRegion().GetNumberOfPixels() == 0)
    {
      this->AllocateOutputs(); // ITK's filter would divide by the width
      m_ObjectCount = 0;
      m_IsCountedHere = true;
      return;
    }
    Superclass::GenerateData();
    m_IsCountedHere = this->GetExecutedOnDevice();
    if (m_IsCountedHere)
    {
      m_ObjectCount = static_cast<LabelType>(m_ObjectsOnDevice);
    }
    else // which is known only now
    {
      this->CheckForNaN(this->GetInput());
      this->CheckForNaN(this->GetMaskImage());
    }
  }

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::IsDeviceImage<TMaskImage>() && CudaFilters::IsObjectPixel<typename TInputImage::PixelType>() &&
           CudaFilters::IsObjectPixel<typename TMaskImage::PixelType>() &&
           CudaFilters::IsNumberPixel<OutputPixelType>();
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::ComponentParameters parameters;
    parameters.Dimension = Superclass::ImageDimension;
    parameters.IsFull = this->GetFullyConnected();
    parameters.Input = CudaFilters::GetPixelStorage<typename TInputImage::PixelType>();
    parameters.Output = CudaFilters::GetPixelStorage<OutputPixelType>();
    if (this->GetMaskImage() != nullptr)
    {
      parameters.Mask = CudaFilters::GetPixelStorage<typename TMaskImage::PixelType>();
    }
    parameters.Background = static_cast<std::uint64_t>(this->GetBackgroundValue());
    parameters.MostObjects = static_cast<std::uint64_t>(NumericTraits<OutputPixelType>::max());
    parameters.ThrowTooMany = [this](std::uint64_t objects) {
      using PrintType = typename NumericTraits<OutputPixelType>::PrintType;
      itkExceptionMacro(<< "Number of objects (" << objects << ") greater than maximum of output pixel type ("
                        << static_cast<PrintType>(NumericTraits<OutputPixelType>::max()) << ").");
    };
    parameters.ThrowNaN = [this] { this->ThrowNaN(); };
    return CudaFilters::MakeComponentOperation(parameters, m_ObjectsOnDevice);
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    Superclass::CollectImages(images);
    if constexpr (CudaFilters::IsDeviceImage<TMaskImage>())
    {
      if (this->GetMaskImage() != nullptr)
      {
        images.AddInput(this->GetMaskImage());
      }
    }
  }

private:
  void
  ThrowNaN() const
  {
    itkExceptionMacro("The image or the mask has pixels that are NaN.");
  }

  /** After a run on the CPU; on the device, the operation checks. */
  template <typename TImage>
  void
  CheckForNaN(const TImage * image) const
  {
    if constexpr (std::is_floating_point<typename TImage::PixelType>::value)
    {
      if (image != nullptr)
      {
        const auto * const output = static_cast<const TOutputImage *>(this->ProcessObject::GetOutput(0));
        for (ImageRegionConstIterator<TImage> it(image, output->GetRequestedRegion()); !it.IsAtEnd(); ++it)
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
  bool          m_IsCountedHere = false;
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, TLabel, VDimension)                                   \
  prefix template class ConnectedComponentImageFilter<Image<TPixel, VDimension>, Image<TLabel, VDimension>>; \
  prefix template class CudaAcceleratedImageFilter<                                                          \
    ConnectedComponentImageFilter<Image<TPixel, VDimension>, Image<TLabel, VDimension>>>;                    \
  prefix template class CudaConnectedComponentImageFilter<Image<TPixel, VDimension>, Image<TLabel, VDimension>>
#define CUDAFILTERS_INSTANCE_OF_CudaConnectedComponentImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, unsigned short, VDimension);                 \
  CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, unsigned int, VDimension)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaConnectedComponentImageFilter);
} // namespace itk

#endif
