// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAcceleratedImageFilter_h
#define itkCudaAcceleratedImageFilter_h

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/ImageList.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/DropInAccess.h"
#include "CudaFilters/detail/FilterCore.h"
#include "CudaFilters/detail/PixelType.h"
#include "itkCudaBackedImage.h"
#include "itkCudaInterface.h"
#include "itkProcessObject.h"
#include <string>
#include <vector>

/** Declares what every ITK class begins with: aliases, New() and GetNameOfClass(). The name of the superclass may
 * contain commas. CreateAnother() of a drop-in creates a drop-in. */
#define itkCudaFilterMacro(thisClass, ...)                                      \
  ITK_DISALLOW_COPY_AND_MOVE(thisClass);                                        \
                                                                                \
  using Self = thisClass;                                                       \
  using Superclass = __VA_ARGS__;                                               \
  using Pointer = ::itk::SmartPointer<Self>;                                    \
  using ConstPointer = ::itk::SmartPointer<const Self>;                         \
                                                                                \
  itkSimpleNewMacro(Self);                                                      \
  itkCloneMacro(Self);                                                          \
                                                                                \
  const char * GetNameOfClass() const override                                  \
  {                                                                             \
    return ::itk::CudaFilters::DropInAccess::GetNameOfClass(*this, #thisClass); \
  }                                                                             \
                                                                                \
  ::itk::LightObject::Pointer CreateAnother() const override                    \
  {                                                                             \
    const Pointer another = Self::New();                                        \
    ::itk::CudaFilters::DropInAccess::Copy(*this, *another);                    \
    return another.GetPointer();                                                \
  }

namespace itk
{
/** \class CudaAcceleratedImageFilter
 * \brief An ITK filter that computes on a CUDA device if it can.
 *
 * Derives from the ITK filter TParent: parameters, regions and exceptions are the parent's. A derived class overrides
 * MakeOperation(), which describes the computation of the outputs on a device. GenerateData() executes the operation if
 * there is a usable device, and calls GenerateDataOnCPU() otherwise: the parent's GenerateData(), unless overridden.
 * GetExecutedOn() reports which it was.
 *
 * GenerateDataOnCPU() also runs if GetUnsupportedReason() is not empty, and, with a warning, if device memory
 * does not suffice even for tiles. If the CudaInterface demands the backend CUDA, these cases throw instead.
 *
 * Outputs are CudaBackedImage objects even if the output type is a plain itk::Image, and inputs that are such objects
 * are read on the device without a copy.
 *
 * \tparam TParent the ITK filter, an ImageSource or ImageToImageFilter.
 *
 * \sa CudaInterface, CudaBackedImage, CudaFilters::Operation
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaAcceleratedImageFilter : public TParent
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaAcceleratedImageFilter);

  using Self = CudaAcceleratedImageFilter;
  using Superclass = TParent;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaAcceleratedImageFilter";
  }

  using typename Superclass::OutputImageType;
  using DataObjectPointer = ProcessObject::DataObjectPointer;
  using DataObjectIdentifierType = ProcessObject::DataObjectIdentifierType;
  using DataObjectPointerArraySizeType = ProcessObject::DataObjectPointerArraySizeType;
  using StageTimes = std::vector<CudaFilters::StageTime>;

  static constexpr unsigned int ImageDimension = OutputImageType::ImageDimension;

  /** The settings of this filter alone; nullptr, the default, for the process's. */
  void
  SetCudaInterface(CudaInterface * settings)
  {
    if (m_Core.SetCudaInterface(settings))
    {
      this->Modified();
    }
  }

  /** The settings in effect: this filter's own, or the process's. */
  CudaInterface *
  GetCudaInterface() const
  {
    return m_Core.GetCudaInterface();
  }

  /** Where the last run took place: the device, or the CPU and the reason. Empty before the first run. */
  const std::string &
  GetExecutedOn() const
  {
    return m_Core.GetExecutedOn();
  }

  /** Whether the last run took place on a device. */
  bool
  GetExecutedOnDevice() const
  {
    return m_Core.GetExecutedOnDevice();
  }

  /** The number of tiles of the last run on a device. */
  SizeValueType
  GetNumberOfTiles() const
  {
    return m_Core.GetNumberOfTiles();
  }

  /** How long each stage of the last run on a device took, if CudaInterface::SetTiming() is on. Stages of several tiles
   * overlap; some stages are on the host. */
  const StageTimes &
  GetStageTimes() const
  {
    return m_Core.GetStageTimes();
  }

  /** As in the superclass. If the output type is itk::Image and the pixels are on the device alone, because only
   * filters downstream were updated so far, this downloads them, so that all methods of itk::Image can be used. Not
   * virtual: GetOutput() through a pointer to a superclass does not download. */
  /**@{*/
  OutputImageType *
  GetOutput()
  {
    return ShowOnHost(Superclass::GetOutput());
  }
  const OutputImageType *
  GetOutput() const
  {
    return ShowOnHost(Superclass::GetOutput());
  }
  OutputImageType *
  GetOutput(unsigned int index)
  {
    return ShowOnHost(Superclass::GetOutput(index));
  }
  /**@}*/

  ModifiedTimeType
  GetMTime() const override;

  void
  UpdateOutputInformation() override;

  void
  UpdateOutputData(DataObject * output) override;

  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;
  DataObjectPointer
  MakeOutput(const DataObjectIdentifierType & name) override;

protected:
  CudaAcceleratedImageFilter();
  ~CudaAcceleratedImageFilter() override;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  void
  GenerateData() override;

  /** As in the superclass. A device does not compute in place, but a drop-in releases the first input as its parent
   * does after a run in place. */
  void
  ReleaseInputs() override;

  /** Computes the outputs on the CPU, where no device is used. Default: the parent's GenerateData(). */
  virtual void
  GenerateDataOnCPU();

  /** Creates the operation that computes the outputs with the present parameters. If it returns nullptr,
   * GenerateDataOnCPU() runs. */
  virtual CudaFilters::OperationPointer
  MakeOperation() = 0;

  /** The images of the operation, in its order. Default: the first input, and all indexed outputs of type
   * OutputImageType. */
  virtual void
  CollectImages(CudaFilters::ImageList & images);

  /** Empty if the operation supports the parameters, else the reason, which begins in lower case. Called after the
   * checks of this class: the dimension, SupportsPixelTypes(), and that the image is not empty. Default: empty. */
  virtual std::string
  GetUnsupportedReason() const;

  /** Whether an object factory has made this filter in place of the parent: then it accepts what the parent accepts. */
  bool
  IsDropIn() const
  {
    return m_Core.IsDropIn();
  }

  /** For MakeOperation() and operations that find an error where the parent finds none: makes a drop-in compute as the
   * parent, by an exception that GenerateData() catches. Returns if this is no drop-in. */
  void
  LeaveToParent(const char * reason) const
  {
    if (this->IsDropIn())
    {
      throw CudaFilters::DeviceError(CudaFilters::DeviceError::Kind::Unsuited, reason);
    }
  }

  /** Whether the operation supports the pixel types. Default: whether those of the first input and the output are among
   * the types of this module's kernels. */
  virtual bool
  SupportsPixelTypes() const;

  /** Makes the pixels of an output valid on the host, unless its accessors do that. Returns the output. */
  template <typename TImage>
  static TImage *
  ShowOnHost(TImage * output);

  using Superclass::SetOutput;
  void
  SetOutput(const DataObjectIdentifierType & name, DataObject * output) override;

  /** Whether the parent would take another pixel container for the output in this run, and leave the pixels of the
   * present one as they are: images that share it keep them. Default: whether IsRunInPlaceInParent(). */
  virtual bool
  KeepsFormerPixelsInParent() const;

private:
  friend class CudaFilters::DropInAccess;

  /** Whether this is a drop-in whose parent would compute this run in place. */
  bool
  IsRunInPlaceInParent() const;

  /** The checks of this class, then GetUnsupportedReason(). */
  std::string
  FindUnsupportedReason() const;

  /** Why this run takes place on the CPU, asked when the inputs are up to date: FindUnsupportedReason(), or that a
   * drop-in must compute in the memory of its input, as its parent would. Empty: it need not. */
  std::string
  FindReasonForCPU() const;

  CudaFilters::FilterCore m_Core;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaAcceleratedImageFilter.hxx"
#endif

#endif
