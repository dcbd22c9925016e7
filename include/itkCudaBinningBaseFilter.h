// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBinningBaseFilter_h
#define itkCudaBinningBaseFilter_h

#include "itkCudaAcceleratedImageSink.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace itk
{
/** \class CudaBinningBaseFilter
 * \brief Base class of the filters that add weights of all pixels to bins on a CUDA device.
 *
 * \tparam TParent the filter that does so on the CPU.
 *
 * \sa CudaImageBinningFilter, CudaTextBinningFilter
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaBinningBaseFilter : public CudaAcceleratedImageSink<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaBinningBaseFilter);

  using Self = CudaBinningBaseFilter;
  using Superclass = CudaAcceleratedImageSink<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaBinningBaseFilter";
  }

  using typename Superclass::InputImageType;

protected:
  CudaBinningBaseFilter() = default;
  ~CudaBinningBaseFilter() override = default;

  /** Zeros, for the sums of the next operation. */
  std::vector<std::int64_t> &
  ClearPieceSums()
  {
    m_PieceSums.assign(this->GetNumberOfBins(), 0);
    return m_PieceSums;
  }

  void
  ReduceOnHost(const typename InputImageType::RegionType & region) override
  {
    // AddPixels() adds to the result itself: TakeResult() must add zeros.
    this->ClearPieceSums();
    this->AddPixels(region);
  }

  void
  TakeResult(bool) override
  {
    auto & sums = this->GetModifiableSums();
    for (std::size_t i = 0; i < m_PieceSums.size(); ++i)
    {
      sums[i] += m_PieceSums[i];
    }
  }

private:
  std::vector<std::int64_t> m_PieceSums; // of the last operation
};
} // namespace itk

#endif
