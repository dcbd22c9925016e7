// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReconstructionBaseImageFilter_h
#define itkCudaReconstructionBaseImageFilter_h

#include "CudaFilters/detail/ReconstructionOperation.h"
#include "itkCudaAcceleratedImageFilter.h"

namespace itk
{
/** \class CudaReconstructionBaseImageFilter
 * \brief What the CUDA filters have in common that are based on morphological reconstruction.
 *
 * A marker is made from the input, reconstructed under a mask, and made into the output, all on the device. A derived
 * class describes the three steps in Describe(). The image is divided into small tiles; warps take tiles from a queue
 * and propagate values in them until no tile changes any more. An image that does not fit into device memory is
 * reconstructed in parts until nothing changes at their borders. See L. Vincent, Morphological Grayscale Reconstruction
 * in Image Analysis, IEEE Transactions on Image Processing, 1993.
 *
 * Images that contain NaN are computed on the CPU, or, with the backend CUDA, throw: ITK's result for them depends on
 * the order in which it visits pixels.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaReconstructionBaseImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaReconstructionBaseImageFilter);

  using Self = CudaReconstructionBaseImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaReconstructionBaseImageFilter";
  }

  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;

  /** Set/Get how values are propagated on the device; the result is always the same. Default: Automatic. */
  itkSetMacro(Strategy, CudaReconstructionStrategyEnum);
  itkGetConstMacro(Strategy, CudaReconstructionStrategyEnum);

  /** \name Statistics of the last run, summed over all reconstructions and parts of the image; 0 after a run on the
   * CPU. */
  /**@{*/

  /** The number of small tiles into which the image was divided. */
  SizeValueType
  GetNumberOfDeviceTiles() const
  {
    return this->GetStatistics().Tiles;
  }
  /** How often a warp took a tile from the queue. */
  SizeValueType
  GetNumberOfVisits() const
  {
    return this->GetStatistics().Visits;
  }
  /** The number of sweeps over tiles, or, with LineSweeps, over the image. */
  SizeValueType
  GetNumberOfSweeps() const
  {
    return this->GetStatistics().Sweeps;
  }
  /** How often the kernel that visits tiles was started. More than once per reconstruction if it reached the limit of
   * CudaInterface::SetKernelTimeLimit(). */
  SizeValueType
  GetNumberOfLaunches() const
  {
    return this->GetStatistics().Launches;
  }
  /**@}*/

protected:
  CudaReconstructionBaseImageFilter() = default;
  ~CudaReconstructionBaseImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** Sets what differs from filter to filter: erosion or dilation, markers and finish. Default: reconstruction of the
   * input by dilation. */
  virtual void
  Describe(CudaFilters::ReconstructionParameters &) const
  {}

  /** The mask. Default: the input. */
  virtual const InputImageType *
  GetReconstructionMask() const
  {
    return this->GetInput();
  }

  CudaFilters::OperationPointer
  MakeOperation() override;

  void
  CollectImages(CudaFilters::ImageList & images) override;

private:
  CudaFilters::WavefrontStatistics
  GetStatistics() const
  {
    return this->GetExecutedOnDevice() ? m_Statistics : CudaFilters::WavefrontStatistics();
  }

  CudaFilters::WavefrontStatistics m_Statistics;
  CudaReconstructionStrategyEnum   m_Strategy = CudaReconstructionStrategyEnum::Automatic;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaReconstructionBaseImageFilter.hxx"
#endif

#endif
