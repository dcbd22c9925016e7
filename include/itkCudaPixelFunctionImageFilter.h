// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaPixelFunctionImageFilter_h
#define itkCudaPixelFunctionImageFilter_h

#include "CudaFilters/detail/PixelFunctionOperation.h"
#include "CudaFilters/detail/PixelInputs.h"
#include "itkCudaAcceleratedImageFilter.h"
#include <cstddef>
#include <string>
#include <utility>

namespace itk
{
/** \class CudaPixelFunctionImageFilter
 * \brief Base class of filters that compute each pixel from the pixels at the same place, by a function of this
 * library.
 *
 * There are kernels for all combinations of signed and unsigned integers of 8, 16 and 32 bits, float and double.
 * Results are those of the parent, pixel by pixel: they are computed in the types in which C++ computes them. Inputs
 * may be constants where the parent allows it.
 *
 * \tparam TParent the ITK filter.
 * \tparam TInputImages the types of its inputs.
 *
 * \sa CudaUnaryFunctorImageFilter, for functions of one's own
 * \ingroup CudaFilters
 */
template <typename TParent, typename... TInputImages>
class ITK_TEMPLATE_EXPORT CudaPixelFunctionImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaPixelFunctionImageFilter);

  using Self = CudaPixelFunctionImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaPixelFunctionImageFilter";
  }

  using typename Superclass::OutputImageType;

  /** Parents that derive from UnaryGeneratorImageFilter and the like would accept another function, which only the CPU
   * would compute. CudaUnaryFunctorImageFilter and CudaBinaryFunctorImageFilter are for that. */
  template <typename TFunctor>
  void
  SetFunctor(const TFunctor &) = delete;

protected:
  CudaPixelFunctionImageFilter() = default;
  ~CudaPixelFunctionImageFilter() override = default;

  /** Sets the function and what it needs beside the inputs. */
  virtual void
  DescribeFunction(CudaFilters::PixelFunctionParameters & parameters) const = 0;

  // GetUnsupportedReason() tells of the types.
  bool
  SupportsPixelTypes() const override
  {
    return true;
  }

  std::string
  GetUnsupportedReason() const override
  {
    constexpr bool areScalars =
      (CudaFilters::IsScalarImage<TInputImages>() && ...) && CudaFilters::IsScalarImage<OutputImageType>();
    constexpr bool areAlike = ((TInputImages::ImageDimension == OutputImageType::ImageDimension) && ...);
    if (!areScalars || !areAlike)
    {
      return areScalars ? "the images have different dimensions"
                        : "there are kernels for pixels of 8-bit, 16-bit and 32-bit integers, float and double only";
    }
    return CudaFilters::GetUnsupportedReason(this->MakeParameters());
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    CudaFilters::CollectPixelImages<OutputImageType, TInputImages...>(*this, images);
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    this->BeforeThreadedGenerateData(); // where parents check and derive parameters
    return CudaFilters::MakePixelFunctionOperation(this->MakeParameters());
  }

  /** The function, with its inputs as they are now. */
  CudaFilters::PixelFunctionParameters
  MakeParameters() const
  {
    CudaFilters::PixelFunctionParameters parameters;
    parameters.Output = CudaFilters::GetScalarType<typename OutputImageType::PixelType>();
    parameters.NumberOfInputs = sizeof...(TInputImages);
    this->DescribeInputs(parameters, std::index_sequence_for<TInputImages...>());
    this->DescribeFunction(parameters);
    return parameters;
  }

private:
  template <std::size_t... VInputs>
  void
  DescribeInputs(CudaFilters::PixelFunctionParameters & parameters, std::index_sequence<VInputs...>) const
  {
    (this->DescribeInput(parameters.Inputs[VInputs],
                         CudaFilters::GetPixelSource<typename TInputImages::PixelType>(*this, VInputs)),
     ...);
  }

  template <typename TPixel>
  static void
  DescribeInput(CudaFilters::ScalarInput & input, const CudaFilters::PixelSource<TPixel> & source)
  {
    input.Type = CudaFilters::GetScalarType<TPixel>();
    input.IsConstant = source.IsConstant;
    input.Constant = CudaFilters::ToDouble(source.Constant);
  }
};
} // namespace itk

#endif
