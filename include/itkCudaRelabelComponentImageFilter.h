// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaRelabelComponentImageFilter_h
#define itkCudaRelabelComponentImageFilter_h

#include "CudaFilters/detail/MeasurementOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkRelabelComponentImageFilter.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace itk
{
/** \class CudaRelabelComponentImageFilter
 * \brief Gives the objects of a label image consecutive labels in the order of their sizes, on a CUDA device.
 *
 * Parameters and results are those of RelabelComponentImageFilter, which can also remove small objects. Labels may have
 * any integer type. It does not run in place, whether InPlace is on or not.
 *
 * Ask for sizes with the methods of this class: called through a pointer to RelabelComponentImageFilter, those that are
 * not virtual there tell of runs on the CPU only.
 *
 * \sa RelabelComponentImageFilter, CudaConnectedComponentImageFilter, CudaLabelMeasurementImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaRelabelComponentImageFilter
  : public CudaAcceleratedImageFilter<RelabelComponentImageFilter<TInputImage, TOutputImage>>
{
public:
  itkCudaFilterMacro(CudaRelabelComponentImageFilter,
                     CudaAcceleratedImageFilter<RelabelComponentImageFilter<TInputImage, TOutputImage>>);

  using LabelType = typename TInputImage::PixelType;
  using OutputPixelType = typename TOutputImage::PixelType;
  using typename Superclass::ObjectSizeInPhysicalUnitsContainerType;
  using typename Superclass::ObjectSizeInPixelsContainerType;
  using typename Superclass::ObjectSizeType;

  /** The number of objects after small ones were removed, and before. */
  /**@{*/
  SizeValueType
  GetNumberOfObjects() const override
  {
    return m_IsFromDevice ? m_Objects.Sizes.size() : Superclass::GetNumberOfObjects();
  }
  SizeValueType
  GetOriginalNumberOfObjects() const override
  {
    return m_IsFromDevice ? m_Objects.OriginalNumber : Superclass::GetOriginalNumberOfObjects();
  }
  /**@}*/

  /** The sizes of all objects; that of object 1 is the first one. */
  /**@{*/
  const ObjectSizeInPixelsContainerType &
  GetSizeOfObjectsInPixels() const
  {
    return m_IsFromDevice ? m_Objects.Sizes : Superclass::GetSizeOfObjectsInPixels();
  }
  const ObjectSizeInPhysicalUnitsContainerType &
  GetSizeOfObjectsInPhysicalUnits() const
  {
    return m_IsFromDevice ? m_Objects.PhysicalSizes : Superclass::GetSizeOfObjectsInPhysicalUnits();
  }
  /**@}*/

  /** The size of an object, from 1 on; 0 if there is none. */
  /**@{*/
  ObjectSizeType
  GetSizeOfObjectInPixels(LabelType object) const
  {
    return GetItem(this->GetSizeOfObjectsInPixels(), object);
  }
  float
  GetSizeOfObjectInPhysicalUnits(LabelType object) const
  {
    return GetItem(this->GetSizeOfObjectsInPhysicalUnits(), object);
  }
  /**@}*/

protected:
  CudaRelabelComponentImageFilter() = default;
  ~CudaRelabelComponentImageFilter() override = default;

  bool
  CanRunInPlace() const override
  {
    return false;
  }

  /** All pixels are computed, whatever region is requested. */
  void
  EnlargeOutputRequestedRegion(DataObject * output) override
  {
    Superclass::EnlargeOutputRequestedRegion(output);
    output->SetRequestedRegionToLargestPossibleRegion();
  }

  bool
  SupportsPixelTypes() const override
  {
    return CudaFilters::IsNumberPixel<LabelType>() && CudaFilters::IsNumberPixel<OutputPixelType>();
  }

  CudaFilters::OperationPointer
  MakeOperation() override
  {
    CudaFilters::RelabelParameters parameters;
    parameters.Input = CudaFilters::GetPixelStorage<LabelType>();
    parameters.Output = CudaFilters::GetPixelStorage<OutputPixelType>();
    parameters.ChooseLabels = [this](std::vector<CudaFilters::RelabelledObject> & objects) {
      this->ChooseLabels(objects);
    };
    return CudaFilters::MakeRelabelOperation(parameters);
  }

  void
  GenerateData() override
  {
    Superclass::GenerateData();
    m_IsFromDevice = this->GetExecutedOnDevice();
    if (m_IsFromDevice)
    {
      std::swap(m_Objects, m_New);
    }
  }

  /** The superclass prints its own results, which are those of runs on the CPU. */
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    if (m_IsFromDevice)
    {
      os << indent << "Objects on the device: " << m_Objects.Sizes.size() << " of " << m_Objects.OriginalNumber
         << std::endl;
    }
  }

private:
  template <typename TContainer>
  static typename TContainer::value_type
  GetItem(const TContainer & items, LabelType object)
  {
    return object > 0 && static_cast<SizeValueType>(object) <= items.size()
             ? items[static_cast<SizeValueType>(object) - 1]
             : typename TContainer::value_type{};
  }

  void
  ChooseLabels(std::vector<CudaFilters::RelabelledObject> & objects)
  {
    // The device lists objects by unsigned labels; only negative ones need sorting.
    using Object = CudaFilters::RelabelledObject;
    const auto hasLesserLabel = [](const Object & a, const Object & b) {
      return static_cast<LabelType>(a.Label) < static_cast<LabelType>(b.Label);
    };
    const auto hasLesserNumber = [](const Object & a, const Object & b) { return a.Label < b.Label; };
    const bool hasNegative = !std::is_sorted(objects.begin(), objects.end(), hasLesserLabel);
    if (hasNegative)
    {
      std::sort(objects.begin(), objects.end(), hasLesserLabel);
    }
    std::vector<std::size_t> order;
    if (this->GetSortByObjectSize())
    {
      order = CudaFilters::GetOrderBySize(objects);
    }
    else
    {
      order.resize(objects.size());
      std::iota(order.begin(), order.end(), std::size_t{ 0 });
    }

    float pixelSize = 1.0f; // a float, as in the superclass
    for (unsigned int i = 0; i < Superclass::ImageDimension; ++i)
    {
      pixelSize *= this->GetInput()->GetSpacing()[i];
    }
    m_New.OriginalNumber = objects.size();
    m_New.Sizes.clear();
    m_New.PhysicalSizes.clear();
    for (const std::size_t place : order)
    {
      Object & object = objects[place];
      if (object.Size < this->GetMinimumObjectSize())
      {
        continue; // becomes background
      }
      if (m_New.Sizes.size() == static_cast<SizeValueType>(NumericTraits<OutputPixelType>::max()))
      {
        itkExceptionMacro("Output voxel range exceeded for relabeling.  Too many objects of sufficient size found!");
      }
      m_New.Sizes.push_back(object.Size);
      m_New.PhysicalSizes.push_back(object.Size * pixelSize);
      object.NewLabel = m_New.Sizes.size();
    }
    if (hasNegative)
    {
      std::sort(objects.begin(), objects.end(), hasLesserNumber);
    }
  }

  struct Objects
  {
    ObjectSizeInPixelsContainerType        Sizes;
    ObjectSizeInPhysicalUnitsContainerType PhysicalSizes;
    SizeValueType                          OriginalNumber = 0;
  };

  Objects m_Objects;              // of the last run that succeeded, if it was on a device
  Objects m_New;                  // of a run that may still fail
  bool    m_IsFromDevice = false; // whether the last run that succeeded was on a device
};
} // namespace itk

#endif
