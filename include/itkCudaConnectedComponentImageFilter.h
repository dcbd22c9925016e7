// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaConnectedComponentImageFilter_h
#define itkCudaConnectedComponentImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkConnectedComponentImageFilter.h"
#include "itkCudaComponentBaseImageFilter.h"

namespace itk
{
/** \class CudaConnectedComponentImageFilter
 * \brief Labels the objects of an image on a CUDA device.
 *
 * An object is a set of connected pixels that are not 0. Each of its pixels gets the object's label; all other pixels
 * get the background value. Parameters, labels and their order are those of ConnectedComponentImageFilter: labels are
 * consecutive, in the order of the objects' first pixels. Inputs may have any integer or real pixel type, outputs any
 * integer type. There is an exception if a pixel of the image or of the mask is NaN, which ITK's filter takes for an
 * object. (A drop-in, which CudaFiltersFactory creates, leaves such an image to ITK's code.)
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
  : public CudaComponentBaseImageFilter<ConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>
{
public:
  itkCudaFilterMacro(
    CudaConnectedComponentImageFilter,
    CudaComponentBaseImageFilter<ConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>);

  using OutputPixelType = typename TOutputImage::PixelType;

protected:
  CudaConnectedComponentImageFilter() = default;
  ~CudaConnectedComponentImageFilter() override = default;

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::ComponentParameters parameters;
    this->SetParameters(parameters);
    parameters.Background = static_cast<std::uint64_t>(this->GetBackgroundValue());
    parameters.ThrowTooMany = [this](std::uint64_t objects) {
      using PrintType = typename NumericTraits<OutputPixelType>::PrintType;
      itkExceptionMacro(<< "Number of objects (" << objects << ") greater than maximum of output pixel type ("
                        << static_cast<PrintType>(NumericTraits<OutputPixelType>::max()) << ").");
    };
    return CudaFilters::MakeComponentOperation(parameters, this->GetObjectsOnDevice());
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, TLabel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                             \
                       CudaConnectedComponentImageFilter,                  \
                       CudaComponentBaseImageFilter,                       \
                       ConnectedComponentImageFilter,                      \
                       Image<TPixel, VDimension>,                          \
                       Image<TLabel, VDimension>)
#define CUDAFILTERS_INSTANCE_OF_CudaConnectedComponentImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, unsigned short, VDimension);                 \
  CUDAFILTERS_INSTANCE_OF_LABELS(prefix, TPixel, unsigned int, VDimension)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaConnectedComponentImageFilter);
} // namespace itk

#endif
