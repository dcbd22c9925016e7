// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAcceleratedImageFilter_h
#define itkCudaAcceleratedImageFilter_h

#include "itkCudaBackedImage.h"
#include "CudaFilters/Execution.h"
#include "itkCudaFiltersConfigure.h"
#include "itkCudaInterface.h"
#include "itkProcessObject.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaAcceleratedImageFilter
 * \brief An ITK filter that computes on a CUDA device where it can.
 *
 * Derives from the ITK filter TParent: parameters, regions and exceptions are the parent's. What differs is
 * GenerateData(), which calls GenerateDataOnDevice() of the derived class when there is a usable device, and the
 * parent's otherwise. GetExecutedOn() tells which it was.
 *
 * The parent's GenerateData() also serves where the derived class has no kernel for the pixel type or a parameter, and,
 * with a warning, where device memory does not suffice. When the CudaInterface asks for the backend CUDA, these are
 * exceptions instead.
 *
 * Outputs are CudaBackedImage objects also where the output type is a plain itk::Image, and inputs that are such
 * objects are read on the device without a copy.
 *
 * \tparam TParent the ITK filter, an ImageToImageFilter.
 *
 * \sa CudaInterface, CudaBackedImage
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

  using typename Superclass::InputImageType;
  using typename Superclass::OutputImageType;
  using DataObjectPointer = ProcessObject::DataObjectPointer;
  using DataObjectIdentifierType = ProcessObject::DataObjectIdentifierType;
  using DataObjectPointerArraySizeType = ProcessObject::DataObjectPointerArraySizeType;
  using StageTimes = std::vector<CudaFilters::StageTime>;

  /** The settings of this filter alone; nullptr, the default, for the process's. */
  itkSetObjectMacro(CudaInterface, CudaInterface);

  /** The settings in force: this filter's own, or the process's. */
  CudaInterface *
  GetCudaInterface() const;

  /** Where the last run took place: the device, or the CPU and why. Empty before the first. */
  itkGetConstReferenceMacro(ExecutedOn, std::string);

  /** Whether the last run took place on a device. */
  itkGetConstMacro(ExecutedOnDevice, bool);

  /** How long each stage of the last run took on the device, if CudaInterface::SetTiming() asks for it. */
  itkGetConstReferenceMacro(StageTimes, StageTimes);

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

  /** Computes the outputs on the device, or throws a CudaFilters::DeviceError. */
  virtual void
  GenerateDataOnDevice() = 0;

  /** Empty if the derived class has a kernel for the types and parameters, else why not. */
  virtual std::string
  GetWhyNoKernel() const = 0;

  using Superclass::SetOutput;
  void
  SetOutput(const DataObjectIdentifierType & name, DataObject * output) override;

  /** Reports the progress and stops the run if the user wants that. */
  void
  UpdateProgressOrAbort(float progress);

  /** To be called by GenerateDataOnDevice() at the end: the device, and whatever else is worth knowing. */
  void
  SetExecutedOnDevice(int device, const std::string & how = "");

  void
  AppendStageTimes(const StageTimes & times);

  /** When the pipeline last came by before it asked for data: nobody but the pipeline has touched an image since. */
  itkGetConstMacro(InformationTick, std::uint64_t);

  /** Calls visit for each input, or output, that may have pixels on the device. */
  template <typename TVisit>
  void
  ForEachInput(TVisit visit);
  template <typename TVisit>
  void
  ForEachOutput(TVisit visit);

private:
  std::string
  GetWhyNotOnDevice() const;

  /** On the device, or else on the host. */
  void
  GenerateDataSomewhere();

  void
  GenerateDataOnHost(const std::string & why);

  CudaInterface::Pointer m_CudaInterface;
  std::string            m_ExecutedOn;
  bool                   m_ExecutedOnDevice = false;
  StageTimes             m_StageTimes;
  std::uint64_t          m_InformationTick = 0;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaAcceleratedImageFilter.hxx"
#endif

#endif
