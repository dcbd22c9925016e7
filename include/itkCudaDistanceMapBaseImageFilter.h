// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDistanceMapBaseImageFilter_h
#define itkCudaDistanceMapBaseImageFilter_h

#include "CudaFilters/detail/DistanceMapOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include <array>

namespace itk
{
/** \class CudaDistanceMapBaseImageFilter
 * \brief What filters of distances have in common: regions and spacing.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaDistanceMapBaseImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDistanceMapBaseImageFilter);

  using Self = CudaDistanceMapBaseImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaDistanceMapBaseImageFilter";
  }

protected:
  CudaDistanceMapBaseImageFilter() = default;
  ~CudaDistanceMapBaseImageFilter() override = default;

  /** A distance depends on all pixels, so all are computed, and all of the input is read. */
  void
  EnlargeOutputRequestedRegion(DataObject * output) override
  {
    Superclass::EnlargeOutputRequestedRegion(output);
    output->SetRequestedRegionToLargestPossibleRegion();
  }
  void
  GenerateInputRequestedRegion() override
  {
    Superclass::GenerateInputRequestedRegion();
    if (const auto input = const_cast<typename TParent::InputImageType *>(this->GetInput()))
    {
      input->SetRequestedRegionToLargestPossibleRegion();
    }
  }

  std::string
  GetUnsupportedReason() const override
  {
    if (!this->GetUseImageSpacing())
    {
      return {};
    }
    const auto & spacing = this->GetInput()->GetSpacing();
    const auto   size = this->GetInput()->GetLargestPossibleRegion().GetSize();
    double       largest = 0.0; // of the squared distances
    for (unsigned int axis = 0; axis < Superclass::ImageDimension; ++axis)
    {
      if (!(spacing[axis] > 0.0))
      {
        return "a spacing is not positive";
      }
      const double length = spacing[axis] * static_cast<double>(size[axis]);
      largest += length * length;
    }
    return largest < NumericTraits<double>::max() ? "" : "the spacings are too large";
  }

  /** The parameters that all distance filters have. */
  CudaFilters::DistanceMapParameters
  MakeParameters() const
  {
    CudaFilters::DistanceMapParameters parameters;
    parameters.Dimension = Superclass::ImageDimension;
    parameters.Spacing = this->GetSpacingOf(this->GetInput());
    return parameters;
  }

  /** The spacing of an image, or 1 if UseImageSpacing is off. */
  std::array<double, 3>
  GetSpacingOf(const ImageBase<Superclass::ImageDimension> * image) const
  {
    std::array<double, 3> result{ { 1.0, 1.0, 1.0 } };
    if (this->GetUseImageSpacing())
    {
      const auto & spacing = image->GetSpacing();
      result.fill(spacing[0]);
      for (unsigned int axis = 0; axis < Superclass::ImageDimension && axis < result.size(); ++axis)
      {
        result[axis] = spacing[axis];
      }
    }
    return result;
  }
};
} // namespace itk

#endif
