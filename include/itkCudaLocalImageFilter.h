// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLocalImageFilter_h
#define itkCudaLocalImageFilter_h

#include "itkCudaTiledImageFilter.h"
#include "CudaFilters/LocalBox.h"

namespace itk
{
/** \class CudaLocalImageFilter
 * \brief A CUDA filter whose output pixels depend on the input pixels nearby only.
 *
 * Such a filter can compute any region of its output from the same region of its input and a rim around it: the tiles
 * of a CudaTiledImageFilter, or slabs of an image that is being copied to or from the device meanwhile.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaLocalImageFilter : public CudaTiledImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaLocalImageFilter);

  using Self = CudaLocalImageFilter;
  using Superclass = CudaTiledImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaLocalImageFilter";
  }

  using Superclass::ImageDimension;
  using typename Superclass::InputImageType;
  using typename Superclass::InputPixelType;
  using typename Superclass::OutputImageType;
  using typename Superclass::OutputPixelType;
  using typename Superclass::RegionType;

protected:
  CudaLocalImageFilter() = default;
  ~CudaLocalImageFilter() override = default;

  using typename Superclass::Lane;
  using typename Superclass::Tiling;

  void
  GenerateWhole(int device) override;

  void
  GenerateTiles(const Tiling & tiling) override;

  /** Pixels on the device. Those of the input on which the outputs do not depend may not be there yet. */
  struct RegionOnDevice
  {
    const InputPixelType *         Input;
    std::vector<OutputPixelType *> Outputs; // as many as GetOutputsOnDevice()
    CudaFilters::LocalBox          Box;
  };

  /** Enqueues the computation of a region. */
  virtual void
  GenerateRegionOnDevice(CudaFilters::Execution & execution, const RegionOnDevice & region) = 0;

private:
  /** Cuts a region along the last axis into pieces of about so many bytes; 0: not at all. */
  static std::vector<RegionType>
  CutIntoSlabs(const RegionType & region, SizeValueType bytes);
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaLocalImageFilter.hxx"
#endif

#endif
