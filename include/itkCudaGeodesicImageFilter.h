// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicImageFilter_h
#define itkCudaGeodesicImageFilter_h

#include "CudaFilters/Reconstruction.h"
#include "itkCudaTiledImageFilter.h"
#include <vector>

namespace itk
{
/** \class CudaGeodesicImageFilter
 * \brief The CUDA filters that reconstruct an image from a marker: what they have in common.
 *
 * A marker is made from the input, reconstructed under a mask, and made into the output, all on the device. What
 * differs from filter to filter is how the marker is made, what the mask is and how it ends. An image that does not fit
 * into device memory is done in tiles, which are visited until nothing changes any more at their borders.
 *
 * Images with NaN are computed on the CPU, or, with the backend CUDA, refused: there, what becomes of NaN depends on
 * the order in which pixels are visited.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaGeodesicImageFilter : public CudaTiledImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGeodesicImageFilter);

  using Self = CudaGeodesicImageFilter;
  using Superclass = CudaTiledImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaGeodesicImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputImageType;
  using typename Superclass::InputPixelType;
  using typename Superclass::OutputImageType;
  using typename Superclass::OutputPixelType;
  using typename Superclass::RegionType;

  /** How the device goes over the image; for study, since the result is the same. Default: Automatic. */
  itkSetMacro(Strategy, CudaReconstructionStrategyEnum);
  itkGetConstMacro(Strategy, CudaReconstructionStrategyEnum);

  /** What the last run on a device took: the small tiles by which the device goes over the image, how often one of them
   * was visited, and the sweeps over tiles (or, with LineSweeps, over the image) in all; summed up where there was more
   * than one reconstruction, or parts of the image went to the device one by one. */
  /**@{*/
  SizeValueType
  GetNumberOfDeviceTiles() const
  {
    return m_Effort.Tiles;
  }
  SizeValueType
  GetNumberOfVisits() const
  {
    return m_Effort.Visits;
  }
  SizeValueType
  GetNumberOfSweeps() const
  {
    return m_Effort.Sweeps;
  }
  /**@}*/

protected:
  CudaGeodesicImageFilter() = default;
  ~CudaGeodesicImageFilter() override = default;

  using typename Superclass::Lane;
  using typename Superclass::Tiling;

  /** What a derived class does. */
  struct Recipe
  {
    bool IsErosion = false;
    /** One after the other; each but the first restores something that the reconstruction so far has lost. */
    std::vector<CudaFilters::MarkerRecipe> Markers{ 1 };
    CudaFilters::ReconstructionFinish      Finish;
    /** The value of the output where the input is the same everywhere, for extrema. */
    double FlatValue = 0.0;
  };
  virtual Recipe
  MakeRecipe() const = 0;

  /** The mask; by default the input. */
  virtual const InputImageType &
  GetMaskOnDevice() const;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  BeforeRegionsOnDevice() override;

  RegionType
  GetInputRegionFor(const RegionType & outputRegion) const override;

  SizeValueType
  GetScratchBytesFor(const RegionType & outputRegion) const override;

  void
  GenerateWhole(int device) override;

  void
  GenerateTiles(const Tiling & tiling) override;

private:
  using WorkImage = Image<InputPixelType, ImageDimension>;
  /** The tiles at whose borders something may have changed, in rounds of tiles that do not touch. */
  class Rounds;

  /** Whether the reconstructed image is the output. */
  bool
  IsWorkOutput() const;

  CudaFilters::Reconstruction
  GetReconstruction() const;

  /** Whether an image whose extrema are sought is flat; then one value is the result. */
  bool
  IsFlatResult(const CudaFilters::MarkerFindings & findings, CudaFilters::ReconstructionFinish & finish) const;

  /** Throws if the CPU is to do it. */
  static void
  CheckFindings(const CudaFilters::MarkerFindings & findings);

  void
  MakeMarkersOfTiles(const Tiling &                    tiling,
                     const CudaFilters::MarkerRecipe & marker,
                     bool                              isFirst,
                     WorkImage &                       work,
                     CudaFilters::MarkerFindings &     findings);
  void
  ReconstructTiles(const Tiling & tiling, WorkImage & work, float progress, float progressTo);

  Recipe                         m_Recipe;
  CudaFilters::WavefrontEffort   m_Effort;
  CudaReconstructionStrategyEnum m_Strategy = CudaReconstructionStrategyEnum::Automatic;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaGeodesicImageFilter.hxx"
#endif

#endif
