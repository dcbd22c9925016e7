// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkImageReductionFilter_h
#define itkImageReductionFilter_h

#include "CudaFilters/Reduction.h"
#include "CudaFilters/detail/HostFunctor.h"
#include "itkPieceImageSink.h"

namespace itk
{
/** \class ImageReductionFilter
 * \brief Reduces all pixels of an image to one value by a reducer of one's own, on the CPU.
 *
 * A reducer has the type of values, ValueType, and three methods: GetIdentity(), the value of no pixels; Transform(),
 * the value of a pixel; and Combine(), that of two values. Combine() must not depend on order or grouping but for
 * rounding errors. The order is fixed (see CudaFilters/detail/ReductionTree.h): the result does not depend on the
 * number of threads, and is that of CudaImageReductionFilter.
 *
 * \sa CudaImageReductionFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TReducer>
class ITK_TEMPLATE_EXPORT ImageReductionFilter : public PieceImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(ImageReductionFilter);

  using Self = ImageReductionFilter;
  using Superclass = PieceImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "ImageReductionFilter";
  }

  using typename Superclass::InputImageRegionType;
  using ReducerType = TReducer;                   ///< what combines pixels
  using ValueType = typename TReducer::ValueType; ///< what pixels are reduced to

  /** Set/Get the reducer. Its operator == tells whether a new one changes anything. */
  /**@{*/
  void
  SetReducer(const TReducer & reducer)
  {
    if (!(m_Reducer == reducer))
    {
      m_Reducer = reducer;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(Reducer, TReducer);
  /**@}*/

  /** The value of all pixels, after Update(). */
  itkGetConstReferenceMacro(Result, ValueType);

protected:
  ImageReductionFilter() = default;
  ~ImageReductionFilter() override = default;

  void
  BeforeStreamedGenerateData() override
  {
    Superclass::BeforeStreamedGenerateData();
    m_Result = m_Reducer.GetIdentity();
  }

  void
  GeneratePiece(const InputImageRegionType & region) override
  {
    m_Result = m_Reducer.Combine(m_Result, this->Reduce(region));
  }

  /** The value of a region, in the fixed order. */
  ValueType
  Reduce(const InputImageRegionType & region);

  /** For a derived class that computes elsewhere. */
  void
  SetResult(const ValueType & result)
  {
    m_Result = result;
  }

private:
  TReducer  m_Reducer{};
  ValueType m_Result{};
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkImageReductionFilter.hxx"
#endif

#endif
