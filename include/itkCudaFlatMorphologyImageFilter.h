// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFlatMorphologyImageFilter_h
#define itkCudaFlatMorphologyImageFilter_h

#include "CudaFilters/detail/StructuringElement.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkMathematicalMorphologyEnums.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaFlatMorphologyImageFilter
 * \brief Base class of filters that erode and dilate with a flat structuring element on a CUDA device.
 *
 * The time for a box hardly depends on its size; that for other structuring elements grows with the number of their
 * pixels. Structuring elements made of lines that are not parallel to the axes (polygons) make a filter run on the CPU.
 *
 * \tparam TParent the ITK filter to accelerate, a KernelImageFilter
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaFlatMorphologyImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaFlatMorphologyImageFilter);

  using Self = CudaFlatMorphologyImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaFlatMorphologyImageFilter";
  }

  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;

protected:
  CudaFlatMorphologyImageFilter() = default;
  ~CudaFlatMorphologyImageFilter() override = default;

  /** What the filter does, step by step. */
  virtual std::vector<CudaFilters::FlatStep>
  GetSteps() const = 0;

  std::string
  GetUnsupportedReason() const override
  {
    return CudaFilters::GetUnsupportedKernelReason(this->GetKernel());
  }

  void
  GenerateInputRequestedRegion() override
  {
    Superclass::GenerateInputRequestedRegion(); // enough for one step
    auto * const input = const_cast<InputImageType *>(this->GetInput());
    if (input != nullptr)
    {
      auto region = input->GetRequestedRegion();
      for (std::size_t i = 1; i < this->GetSteps().size(); ++i)
      {
        region.PadByRadius(this->GetKernel().GetRadius());
      }
      region.Crop(input->GetLargestPossibleRegion());
      input->SetRequestedRegion(region);
    }
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::FlatStructure structure = CudaFilters::MakeFlatStructure(this->GetKernel());
    structure.IsFinite = this->GetAlgorithm() == MathematicalMorphologyEnums::Algorithm::BASIC;
    return CudaFilters::MakeFlatMorphologyOperation(
      structure,
      this->GetSteps(),
      CudaFilters::GetRegion3(this->GetInput()->GetLargestPossibleRegion()),
      CudaFilters::GetPixelType<typename InputImageType::PixelType>(),
      CudaFilters::GetScalarType<typename OutputImageType::PixelType>());
  }
};
} // namespace itk

#endif
