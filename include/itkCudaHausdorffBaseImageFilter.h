// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaHausdorffBaseImageFilter_h
#define itkCudaHausdorffBaseImageFilter_h

#include "itkCudaDistanceMapBaseImageFilter.h"

namespace itk
{
/** \class CudaHausdorffBaseImageFilter
 * \brief What the filters of Hausdorff distances have in common: two inputs, and numbers as results.
 *
 * As in ITK's filters, the output is the first input, whose pixels it shares. If they are on the device alone, and the
 * output type is itk::Image, each Update() of a program downloads them.
 *
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaHausdorffBaseImageFilter : public CudaDistanceMapBaseImageFilter<TParent>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaHausdorffBaseImageFilter);

  using Self = CudaHausdorffBaseImageFilter;
  using Superclass = CudaDistanceMapBaseImageFilter<TParent>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaHausdorffBaseImageFilter";
  }

  using typename Superclass::InputImage1Type;
  using typename Superclass::InputImage2Type;
  using typename Superclass::RealType;

protected:
  CudaHausdorffBaseImageFilter() = default;
  ~CudaHausdorffBaseImageFilter() override = default;

  /** The superclass prints its own results, which are those of runs on the CPU. */
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    if (m_AreFromDevice)
    {
      const auto print = [&](const char * title, const CudaFilters::DirectedDistances & distances) {
        os << indent << title << ": largest " << distances.Largest << ", average " << distances.Average << std::endl;
      };
      print("Distances from the first to the second image, on the device", m_Distances.From1To2);
      print("Distances from the second to the first image, on the device", m_Distances.From2To1);
    }
  }

  bool
  SupportsPixelTypes() const override
  {
    return IsSupported<InputImage1Type>() && IsSupported<InputImage2Type>();
  }

  void
  CollectImages(CudaFilters::ImageList & images) override
  {
    if constexpr (CudaFilters::IsDeviceImage<InputImage1Type>() && CudaFilters::IsDeviceImage<InputImage2Type>())
    {
      images.AddInput(this->GetInput1());
      images.AddInput(this->GetInput2());
      const DataObject * const output = this->ProcessObject::GetOutput(0); // GetOutput() would download its pixels
      images.AddRegion(static_cast<const InputImage1Type *>(output));
    }
  }

  void
  GenerateData() override
  {
    // The pixels of an earlier run, which may be those of an input, are not to be released if this one fails.
    this->ProcessObject::GetOutput(0)->Initialize();
    Superclass::GenerateData();
    m_AreFromDevice = this->GetExecutedOnDevice();
    if (m_AreFromDevice)
    {
      this->GraftOutput(const_cast<InputImage1Type *>(this->GetInput1()));
    }
  }

  /** Measures from the first image to the second and, if it is symmetric, back. */
  CudaFilters::OperationPointer
  MakeHausdorffOperation(bool isSymmetric)
  {
    CudaFilters::HausdorffParameters parameters;
    parameters.Dimension = Superclass::ImageDimension;
    parameters.Spacing1 = this->GetSpacingOf(this->GetInput1());
    parameters.Spacing2 = this->GetSpacingOf(this->GetInput2());
    parameters.IsSymmetric = isSymmetric;
    return CudaFilters::MakeHausdorffOperation(parameters,
                                               CudaFilters::GetPixelType<typename InputImage1Type::PixelType>(),
                                               CudaFilters::GetPixelType<typename InputImage2Type::PixelType>(),
                                               m_Distances);
  }

  /** Whether a device has run the last time that a run succeeded, and its results. */
  bool
  AreDistancesFromDevice() const
  {
    return m_AreFromDevice;
  }
  const CudaFilters::HausdorffDistances &
  GetDistancesFromDevice() const
  {
    return m_Distances;
  }

private:
  template <typename TImage>
  static constexpr bool
  IsSupported()
  {
    return CudaFilters::IsDeviceImage<TImage>() && CudaFilters::IsKernelPixel<typename TImage::PixelType>();
  }

  CudaFilters::HausdorffDistances m_Distances;
  bool                            m_AreFromDevice = false;
};
} // namespace itk

#endif
