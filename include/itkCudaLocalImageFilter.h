// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLocalImageFilter_h
#define itkCudaLocalImageFilter_h

#include "itkCudaAcceleratedImageFilter.h"
#include "CudaFilters/Grid.h"
#include <atomic>

namespace itk
{
/** \class CudaLocalImageFilter
 * \brief A CUDA filter whose output pixels depend on the input pixels nearby only.
 *
 * Such a filter can compute any region of its output from the same region of its input and a rim around it. So it keeps
 * to the memory budget of the CudaInterface, or to the memory that the device has left, by working in tiles, and shares
 * the tiles out when the CudaInterface names several devices. Tiles come from and go to host memory.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaLocalImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaLocalImageFilter);

  using Self = CudaLocalImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaLocalImageFilter";
  }

  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;
  using InputPixelType = typename InputImageType::PixelType;
  using OutputPixelType = typename OutputImageType::PixelType;
  using RegionType = typename OutputImageType::RegionType;

  static constexpr unsigned int ImageDimension = OutputImageType::ImageDimension;

  /** In how many tiles the last run on a device was done. */
  itkGetConstMacro(NumberOfTiles, SizeValueType);

protected:
  CudaLocalImageFilter() = default;
  ~CudaLocalImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateDataOnDevice() override;

  /** Whether there are kernels for these types at all; the derived class adds what else it needs. */
  static constexpr bool
  HasKernelsForTypes();

  std::string
  GetWhyNoKernel() const override;

  /** Called once before the regions of a run. */
  virtual void
  BeforeRegionsOnDevice() = 0;

  /** The pixels of the input on which a region of the output depends, within the image. */
  virtual RegionType
  GetInputRegionFor(const RegionType & outputRegion) const = 0;

  /** The device memory, in bytes, that GenerateRegionOnDevice() takes for itself. */
  virtual SizeValueType
  GetScratchBytesFor(const RegionType & outputRegion) const = 0;

  /** Enqueues the computation of a dense box of output pixels. The input is a dense box, too, in which the output's
   * first pixel has its place at start; those of its pixels on which the output does not depend may not be there yet.
   */
  virtual void
  GenerateRegionOnDevice(CudaFilters::Execution &  execution,
                         const InputPixelType *    input,
                         const CudaFilters::Grid & inputSize,
                         OutputPixelType *         output,
                         const CudaFilters::Grid & outputSize,
                         const CudaFilters::Grid & start) = 0;

private:
  void
  GenerateWhole(int device);

  void
  GenerateTiles(const std::vector<int> & devices, SizeValueType bytesAllowed);

  /** The tiles of one device, so many at a time. */
  void
  GenerateTilesOn(int                               device,
                  const std::vector<RegionType> &   tiles,
                  unsigned int                      lanes,
                  std::atomic<SizeValueType> &      nextTile,
                  std::atomic<bool> &               stop,
                  bool                              reportsProgress,
                  typename Superclass::StageTimes & times);

  SizeValueType
  GetBytesFor(const RegionType & outputRegion, bool withInput) const;

  /** Cuts a region along the last axis into pieces of about so many bytes; 0: not at all. */
  static std::vector<RegionType>
  CutIntoSlabs(const RegionType & region, SizeValueType bytes);

  /** The bytes for the tile that needs most of those of a size: one in the middle of the image, where its rim is whole.
   */
  SizeValueType
  GetBytesForMiddleTile(const RegionType & region, const typename RegionType::SizeType & tileSize) const;

  /** Cuts a region into pieces that need no more than the bytes allowed, which must suffice for one pixel, and at least
   * so many. */
  std::vector<RegionType>
  CutIntoTiles(const RegionType & region, SizeValueType bytesAllowed, SizeValueType atLeast) const;

  SizeValueType m_NumberOfTiles = 0;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaLocalImageFilter.hxx"
#endif

#endif
