// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_ImageList_h
#define CudaFilters_ImageList_h

#include "CudaFiltersExport.h"
#include "CudaFilters/DeviceError.h"
#include "CudaFilters/Region3.h"
#include "CudaFilters/detail/DeviceContainer.h"
#include "itkCudaImportImageContainer.h"
#include "itkCudaPixelHolder.h"
#include "itkImage.h"
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace itk
{
namespace CudaFilters
{
/** The region of an image of up to three dimensions. */
template <unsigned int VDimension>
Region3
GetRegion3(const ImageRegion<VDimension> & region)
{
  Region3 result{ { { 0, 0, 0 } }, { { 1, 1, 1 } } };
  for (unsigned int i = 0; i < VDimension && i < 3; ++i)
  {
    result.Start[i] = region.GetIndex(i);
    result.Size[i] = static_cast<std::int64_t>(region.GetSize(i));
  }
  return result;
}

/** An itk::Image as the runner sees it: pixels of a certain number of bytes, on the host, the device or both. */
class CudaFilters_EXPORT PixelImage
{
public:
  virtual ~PixelImage();

  /** Where there are pixels. */
  virtual Region3
  GetBufferedRegion() const = 0;

  /** The number of axes. */
  virtual unsigned int
  GetDimension() const = 0;

  /** The size of a pixel. */
  virtual std::size_t
  GetBytesPerPixel() const = 0;

  /** The pixels on the host, downloaded first if only the device has them. */
  virtual void *
  GetHostBuffer() const = 0;

  /** Allocates host memory for the buffered region, as Image::Allocate(). */
  virtual void
  AllocateHost() = 0;

  /** The container, if it knows of devices; nullptr for a plain one. */
  virtual DeviceContainer *
  GetDeviceContainer() const = 0;

  /** The image, if it is a CudaBackedImage; else nullptr. */
  virtual CudaPixelHolder *
  GetHolder() const = 0;

  /** The image itself, to recognize it. */
  virtual const DataObject *
  GetDataObject() const = 0;
};

/** An itk::Image of a certain type of pixels. */
template <typename TPixel, unsigned int VDimension>
class TypedPixelImage : public PixelImage
{
public:
  using ImageType = Image<TPixel, VDimension>;

  /** Keeps the image alive. */
  explicit TypedPixelImage(ImageType * image)
    : m_Image(image)
  {}

  Region3
  GetBufferedRegion() const override
  {
    return GetRegion3(m_Image->GetBufferedRegion());
  }
  unsigned int
  GetDimension() const override
  {
    return VDimension;
  }
  std::size_t
  GetBytesPerPixel() const override
  {
    return sizeof(TPixel);
  }
  void *
  GetHostBuffer() const override
  {
    if (DeviceContainer * const container = this->GetDeviceContainer())
    {
      container->MakeHostVisible(); // a plain itk::Image may hold this container; its accessor does not download
    }
    return const_cast<TPixel *>(static_cast<const ImageType &>(*m_Image).GetBufferPointer());
  }
  void
  AllocateHost() override
  {
    m_Image->Allocate();
  }
  DeviceContainer *
  GetDeviceContainer() const override
  {
    return CudaImportImageContainer<SizeValueType, TPixel>::Cast(m_Image->GetPixelContainer());
  }
  CudaPixelHolder *
  GetHolder() const override
  {
    return dynamic_cast<CudaPixelHolder *>(m_Image.GetPointer());
  }
  const DataObject *
  GetDataObject() const override
  {
    return m_Image;
  }

private:
  typename ImageType::Pointer m_Image; // kept, though a progress observer may disconnect it from the filter
};

/** The region of an image without its pixels. */
class CudaFilters_EXPORT PixelRegion : public PixelImage
{
public:
  /** Of an image, which is kept alive. */
  PixelRegion(const Region3 & region, unsigned int dimension, const DataObject * image);

  Region3
  GetBufferedRegion() const override;
  unsigned int
  GetDimension() const override;
  std::size_t
  GetBytesPerPixel() const override;
  void *
  GetHostBuffer() const override;
  void
  AllocateHost() override;
  DeviceContainer *
  GetDeviceContainer() const override;
  CudaPixelHolder *
  GetHolder() const override;
  const DataObject *
  GetDataObject() const override;

private:
  Region3                  m_Region;
  unsigned int             m_Dimension;
  DataObject::ConstPointer m_Image;
};

/** Whether images of a type can take part in a run on a device: itk::Image of trivially copyable pixels. */
template <typename TImage>
constexpr bool
IsDeviceImage()
{
  using Pixel = typename TImage::PixelType;
  return std::is_base_of<Image<Pixel, TImage::ImageDimension>, TImage>::value &&
         std::is_trivially_copyable<Pixel>::value;
}

/** \class ImageList
 * \brief The images of one run on a device, in the order in which the operation counts them. */
class CudaFilters_EXPORT ImageList
{
public:
  ImageList();
  ~ImageList();

  /** The image must be up to date. */
  template <typename TImage>
  void
  AddInput(const TImage * image)
  {
    if (image == nullptr)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "an input of the operation is missing");
    }
    m_Inputs.push_back(MakePixelImage(const_cast<TImage *>(image)));
  }

  /** The buffered region is set to the requested one; the runner allocates the memory. All outputs must have the same
   * region. */
  template <typename TImage>
  void
  AddOutput(TImage * image)
  {
    if (image == nullptr)
    {
      throw DeviceError(DeviceError::Kind::Unsuited, "an output of the operation is missing");
    }
    image->SetBufferedRegion(image->GetRequestedRegion());
    m_Outputs.push_back(MakePixelImage(image));
  }

  /** In the place of an output, for an operation that computes numbers from all pixels of the image's requested region,
   * and no pixels. */
  template <typename TImage>
  void
  AddRegion(const TImage * image)
  {
    m_Outputs.push_back(
      std::make_unique<PixelRegion>(GetRegion3(image->GetRequestedRegion()), TImage::ImageDimension, image));
  }

  /** The images so far. */
  const std::vector<std::unique_ptr<PixelImage>> &
  GetInputs() const
  {
    return m_Inputs;
  }
  const std::vector<std::unique_ptr<PixelImage>> &
  GetOutputs() const
  {
    return m_Outputs;
  }

private:
  template <typename TImage>
  static std::unique_ptr<PixelImage>
  MakePixelImage(TImage * image)
  {
    static_assert(IsDeviceImage<TImage>(), "Only an itk::Image of trivially copyable pixels can go to a device.");
    return std::make_unique<TypedPixelImage<typename TImage::PixelType, TImage::ImageDimension>>(image);
  }

  std::vector<std::unique_ptr<PixelImage>> m_Inputs;
  std::vector<std::unique_ptr<PixelImage>> m_Outputs;
};
} // namespace CudaFilters
} // namespace itk

#endif
