// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNearestObjectBaseImageFilter_h
#define itkCudaNearestObjectBaseImageFilter_h

#include "itkCudaBackedImage.h"
#include "itkCudaDistanceMapBaseImageFilter.h"

namespace itk
{
/** \class CudaNearestObjectBaseImageFilter
 * \brief What the filters have in common that find the nearest object pixel of each pixel: the three outputs.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaNearestObjectBaseImageFilter : public CudaDistanceMapBaseImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNearestObjectBaseImageFilter);

  using Self = CudaNearestObjectBaseImageFilter;
  using Superclass = CudaDistanceMapBaseImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaNearestObjectBaseImageFilter";
  }

  using typename Superclass::DataObjectPointer;
  using typename Superclass::DataObjectPointerArraySizeType;
  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;
  using typename Superclass::VectorImageType;
  using typename Superclass::VoronoiImageType;

  /** The outputs, as in the superclass, with valid pixels on the host (see CudaAcceleratedImageFilter::GetOutput()). */
  /**@{*/
  OutputImageType *
  GetDistanceMap()
  {
    return Superclass::ShowOnHost(Superclass::GetDistanceMap());
  }
  VoronoiImageType *
  GetVoronoiMap()
  {
    return Superclass::ShowOnHost(Superclass::GetVoronoiMap());
  }
  VectorImageType *
  GetVectorDistanceMap();
  /**@}*/

  /** Keeps the offsets on the device until this class's GetVectorDistanceMap() is called. Otherwise, each Update() of a
   * program downloads them, 8 bytes per axis and pixel, since an image of their type cannot tell when it is read. Call
   * it if nothing else reads the third output. */
  void
  KeepOffsetsOnDevice();

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaNearestObjectBaseImageFilter();
  ~CudaNearestObjectBaseImageFilter() override = default;

  bool
  SupportsPixelTypes() const override;

  void
  CollectImages(CudaFilters::ImageList & images) override;

  /** The operation of both filters. parameters: those of MakeParameters(), with the ones in which the filters differ:
   * IsBinary, IsSigned, InsideIsPositive. */
  CudaFilters::OperationPointer
  MakeNearestOperation(CudaFilters::DistanceMapParameters parameters) const;

private:
  using BackedVectorImageType = CudaBackedImage<typename VectorImageType::PixelType, VectorImageType::ImageDimension>;

  /** The offsets, if they may stay on the device. */
  BackedVectorImageType *
  GetBackedOffsets();
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNearestObjectBaseImageFilter.hxx"
#endif

#endif
