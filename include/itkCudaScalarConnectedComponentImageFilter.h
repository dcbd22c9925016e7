// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaScalarConnectedComponentImageFilter_h
#define itkCudaScalarConnectedComponentImageFilter_h

#include "CudaFilters/detail/Instances.h"
#include "itkCudaComponentBaseImageFilter.h"
#include "itkImageScanlineConstIterator.h"
#include "itkScalarConnectedComponentImageFilter.h"
#include <algorithm>
#include <type_traits>
#include <vector>

namespace itk
{
/** \class CudaScalarConnectedComponentImageFilter
 * \brief Labels the objects of a grey or multi-class image on a CUDA device.
 *
 * An object is a set of pixels that are connected by neighbours with similar values: their difference is not greater
 * than the distance threshold. With the default, 0, these are the connected areas of equal value: the cells of a label
 * image, or the plateaus of a grey image. Pixels that are 0 in the mask, if there is one, get label 0.
 *
 * Parameters and labels are those of ScalarConnectedComponentImageFilter. As there, labels are in the order of the
 * objects' first pixels, but have gaps; RelabelComponentImageFilter makes them consecutive. Infinite pixels are similar
 * to none.
 *
 * Differences from ITK's filter:
 * - GetObjectCount() is the number of objects, which ITK's filter does not count.
 * - NaN is refused with an exception.
 * - On a device, there is an exception if labels exceed the output type; ITK's filter prints a warning, and joins
 *   objects. (A drop-in, which CudaFiltersFactory creates, leaves such images, and NaN, to ITK's code.)
 * - On a device, a difference beyond the greatest value of a signed pixel type is a large difference. ITK's filter
 *   converts it to the pixel type, where C++ does not define the result.
 *
 * The image and its labels must fit into the memory of one device, with 5 bytes more per pixel, or 9 from 2^32 pixels
 * on. With less memory, or if several devices are chosen, ITK's filter computes.
 *
 * \code
 * auto components = itk::CudaScalarConnectedComponentImageFilter<ImageType, LabelImageType>::New();
 * components->SetInput(classes);
 * components->Update();
 * std::cout << components->GetObjectCount() << " connected areas" << std::endl;
 * \endcode
 *
 * \sa ScalarConnectedComponentImageFilter
 * \sa CudaConnectedComponentImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TMaskImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaScalarConnectedComponentImageFilter
  : public CudaComponentBaseImageFilter<ScalarConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>
{
public:
  itkCudaFilterMacro(
    CudaScalarConnectedComponentImageFilter,
    CudaComponentBaseImageFilter<ScalarConnectedComponentImageFilter<TInputImage, TOutputImage, TMaskImage>>);

  using typename Superclass::LabelType;
  using InputPixelType = typename TInputImage::PixelType;
  using OutputPixelType = typename TOutputImage::PixelType;

  /** As in the superclass, which does not notice that the filter must run again; nor does a drop-in. */
  void
  SetDistanceThreshold(const InputPixelType & threshold) override
  {
    if (this->GetDistanceThreshold() != threshold)
    {
      Superclass::SetDistanceThreshold(threshold);
      if (!this->IsDropIn())
      {
        this->Modified();
      }
    }
  }

protected:
  CudaScalarConnectedComponentImageFilter() = default;
  ~CudaScalarConnectedComponentImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    using PrintType = typename NumericTraits<InputPixelType>::PrintType;
    Superclass::PrintSelf(os, indent);
    os << indent << "DistanceThreshold: " << static_cast<PrintType>(this->GetThreshold()) << std::endl;
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::SimilarComponentParameters parameters;
    this->SetParameters(parameters);
    parameters.ThrowTooMany = [this](std::uint64_t greatest) { this->ThrowTooMany(greatest); };
    if constexpr (std::is_integral<InputPixelType>::value)
    {
      parameters.IsSigned = std::is_signed<InputPixelType>::value;
      parameters.IntegerThreshold = static_cast<std::uint64_t>(this->GetThreshold());
    }
    else
    {
      parameters.RealThreshold = static_cast<double>(this->GetThreshold());
    }
    return CudaFilters::MakeSimilarComponentOperation(parameters, this->GetObjectsOnDevice());
  }

  LabelType
  CountObjectsOnCPU() const override
  {
    const auto * const output = this->GetOutputImage();
    std::vector<bool>  isThere;
    for (ImageScanlineConstIterator<TOutputImage> it(output, output->GetRequestedRegion()); !it.IsAtEnd();
         it.NextLine())
    {
      for (; !it.IsAtEndOfLine(); ++it)
      {
        const auto label = static_cast<std::size_t>(it.Get());
        if (label >= isThere.size())
        {
          isThere.resize(2 * label + 1);
        }
        isThere[label] = label != 0;
      }
    }
    return static_cast<LabelType>(std::count(isThere.begin(), isThere.end(), true));
  }

private:
  /** GetDistanceThreshold() is not const. */
  InputPixelType
  GetThreshold() const
  {
    auto functor = this->GetFunctor();
    return functor.GetDistanceThreshold();
  }

  void
  ThrowTooMany(std::uint64_t greatest) const
  {
    this->LeaveToParent("there are more labels than the output pixel type has values");
    using PrintType = typename NumericTraits<OutputPixelType>::PrintType;
    itkExceptionMacro(<< "The greatest label (" << greatest << ") exceeds the maximum of the output pixel type ("
                      << static_cast<PrintType>(NumericTraits<OutputPixelType>::max()) << ").");
  }
};
} // namespace itk

/** Instantiated in the library; see CudaFilters/detail/Instances.h. */
#define CUDAFILTERS_INSTANCE_OF_CudaScalarConnectedComponentImageFilter(prefix, TPixel, VDimension) \
  CUDAFILTERS_INSTANCE(prefix,                                                                      \
                       CudaScalarConnectedComponentImageFilter,                                     \
                       CudaComponentBaseImageFilter,                                                \
                       ScalarConnectedComponentImageFilter,                                         \
                       Image<TPixel, VDimension>,                                                   \
                       Image<unsigned int, VDimension>)

namespace itk
{
CUDAFILTERS_DECLARE_INSTANCES(CUDAFILTERS_INSTANCE_OF_CudaScalarConnectedComponentImageFilter);
} // namespace itk

#endif
