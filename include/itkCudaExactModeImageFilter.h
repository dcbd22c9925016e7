// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaExactModeImageFilter_h
#define itkCudaExactModeImageFilter_h

#include "itkCudaAcceleratedImageFilter.h"

namespace itk
{
/** \class CudaExactModeImageFilter
 * \brief A CUDA filter that computes float images in single or, on request, in double precision.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaExactModeImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaExactModeImageFilter);

  using Self = CudaExactModeImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaExactModeImageFilter";
  }

  /** Set/Get whether float images are computed in double precision wherever the CPU filter does, in its order of
   * operations, so that the result is equal to the CPU's bit by bit. Slower. Default: off, which differs by at most
   * 1e-5 of the largest magnitude in the result. Images of other pixels are always computed exactly. */
  itkSetMacro(ExactMode, bool);
  itkGetConstMacro(ExactMode, bool);
  itkBooleanMacro(ExactMode);

protected:
  CudaExactModeImageFilter() = default;
  ~CudaExactModeImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    os << indent << "ExactMode: " << (m_ExactMode ? "On" : "Off") << std::endl;
  }

private:
  bool m_ExactMode = false;
};
} // namespace itk

#endif
