// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaWholeImageFilter_h
#define itkCudaWholeImageFilter_h

#include "itkCastImageFilter.h"

namespace itk
{
namespace CudaTest
{
/** Copies an image, and always all of it, as readers of files that cannot be read in parts do. */
template <typename TImage>
class WholeImageFilter : public CastImageFilter<TImage, TImage>
{
public:
  using Self = WholeImageFilter;
  using Superclass = CastImageFilter<TImage, TImage>;
  using Pointer = SmartPointer<Self>;

  itkNewMacro(Self);

  /** How often the filter has run. */
  int
  GetNumberOfRuns() const
  {
    return m_NumberOfRuns;
  }

  /** Whether the filter is always run for the whole image. Default: true. */
  void
  SetEnlarges(bool enlarges)
  {
    m_Enlarges = enlarges;
  }

protected:
  void
  EnlargeOutputRequestedRegion(DataObject * output) override
  {
    if (m_Enlarges)
    {
      output->SetRequestedRegionToLargestPossibleRegion();
    }
  }

  void
  GenerateData() override
  {
    ++m_NumberOfRuns;
    Superclass::GenerateData();
  }

private:
  int  m_NumberOfRuns = 0;
  bool m_Enlarges = true;
};
} // namespace CudaTest
} // namespace itk

#endif
