// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaTiledImageFilter_h
#define itkCudaTiledImageFilter_h

#include "itkCudaAcceleratedImageFilter.h"
#include "CudaFilters/DevicePixels.h"
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace itk
{
/** \class CudaTiledImageFilter
 * \brief A CUDA filter that can compute its output in tiles, each from a part of its input.
 *
 * So it keeps to the memory budget of the CudaInterface, or to the memory that the device has left, and shares the
 * tiles out when the CudaInterface names several devices. Tiles come from and go to host memory. An image that fits is
 * computed whole.
 *
 * \sa CudaLocalImageFilter
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaTiledImageFilter : public CudaAcceleratedImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaTiledImageFilter);

  using Self = CudaTiledImageFilter;
  using Superclass = CudaAcceleratedImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaTiledImageFilter";
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
  CudaTiledImageFilter() = default;
  ~CudaTiledImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateDataOnDevice() override;

  /** Whether there are kernels for these types at all; the derived class adds what else it needs. */
  static constexpr bool
  HasKernelsForTypes();

  std::string
  GetWhyNoKernel() const override;

  /** The outputs that a run computes: all over the same region. */
  virtual std::vector<OutputImageType *>
  GetOutputsOnDevice();

  /** Called once before the regions of a run. */
  virtual void
  BeforeRegionsOnDevice() = 0;

  /** The pixels of the input on which a region of the output depends, within the image. */
  virtual RegionType
  GetInputRegionFor(const RegionType & outputRegion) const = 0;

  /** A region of the output with a rim around it, within the image. */
  RegionType
  GetInputRegionAround(const RegionType & outputRegion, const typename RegionType::SizeType & radius) const;

  /** The device memory, in bytes, that the computation of a region takes besides that of input and outputs. */
  virtual SizeValueType
  GetScratchBytesFor(const RegionType & outputRegion) const = 0;

  /** Computes the outputs, whose regions are set, all at once. */
  virtual void
  GenerateWhole(int device) = 0;

  /** What one tile after the other goes through, in a stream of its own. */
  struct Lane
  {
    CudaFilters::ExecutionPointer                           Run;
    CudaFilters::DevicePixels                               Input;
    std::vector<std::unique_ptr<CudaFilters::DevicePixels>> Outputs;

    Lane(CudaFilters::ExecutionPointer run, std::size_t outputs);
    ~Lane();
  };

  /** How to go through an image in tiles. */
  struct Tiling
  {
    std::vector<int>        Devices;
    unsigned int            LanesPerDevice;
    std::vector<RegionType> Tiles;
  };

  /** Computes the outputs, which are allocated on the host, tile by tile. */
  virtual void
  GenerateTiles(const Tiling & tiling) = 0;

  /** Calls the function once for each tile, by its number, from one thread a device. What the function enqueues in its
   * lane is done when the next tile of that lane begins, or at the end. Progress goes from one number to the other. */
  using TileFunction = std::function<void(Lane &, SizeValueType)>;
  void
  ForEachTile(const Tiling & tiling, const TileFunction & function, float progressFrom = 0.0f, float progressTo = 1.0f);

private:
  void
  ForEachTileOn(std::size_t                        deviceOfTiling,
                const Tiling &                     tiling,
                const TileFunction &               function,
                const std::function<void(float)> & report,
                std::atomic<SizeValueType> &       nextTile,
                std::atomic<bool> &                stop,
                typename Superclass::StageTimes &  times);

  Tiling
  MakeTiling(const std::vector<int> & devices, SizeValueType bytesAllowed);

  SizeValueType
  GetBytesFor(const RegionType & outputRegion, bool withInput);

  /** The bytes for the tile that needs most of those of a size: one in the middle of the image, where its rim is whole.
   */
  SizeValueType
  GetBytesForMiddleTile(const RegionType & region, const typename RegionType::SizeType & tileSize);

  /** Cuts a region into pieces that need no more than the bytes allowed, which must suffice for one pixel, and at least
   * so many. */
  std::vector<RegionType>
  CutIntoTiles(const RegionType & region, SizeValueType bytesAllowed, SizeValueType atLeast);

  SizeValueType m_NumberOfTiles = 0;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaTiledImageFilter.hxx"
#endif

#endif
