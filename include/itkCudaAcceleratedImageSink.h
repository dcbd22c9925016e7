// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAcceleratedImageSink_h
#define itkCudaAcceleratedImageSink_h

#include "CudaFilters/ImageList.h"
#include "CudaFilters/Operation.h"
#include "CudaFilters/detail/FilterCore.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkCudaInterface.h"
#include "itkImageSink.h"
#include <string>
#include <vector>

namespace itk
{
/** \class CudaAcceleratedImageSink
 * \brief An ITK filter that computes numbers, but no image, on a CUDA device if it can.
 *
 * Derives from the ITK filter TParent, a kind of ImageSink: what CudaAcceleratedImageFilter is for filters with image
 * outputs. A derived class overrides MakeOperation() and TakeResult(). For each piece of the image (one, unless the
 * user asks for more stream divisions), the operation reads the input on the device and computes its result; where no
 * device is used, the parent computes on the CPU.
 *
 * \sa CudaAcceleratedImageFilter, CudaFilters::ReductionOperation
 * \ingroup CudaFilters
 */
template <typename TParent>
class ITK_TEMPLATE_EXPORT CudaAcceleratedImageSink : public TParent
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaAcceleratedImageSink);

  using Self = CudaAcceleratedImageSink;
  using Superclass = TParent;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "CudaAcceleratedImageSink";
  }

  using typename Superclass::InputImageType;
  using StageTimes = std::vector<CudaFilters::StageTime>;

  /** As in CudaAcceleratedImageFilter. */
  /**@{*/
  void
  SetCudaInterface(CudaInterface * settings)
  {
    if (m_Core.SetCudaInterface(settings))
    {
      this->Modified();
    }
  }
  CudaInterface *
  GetCudaInterface() const
  {
    return m_Core.GetCudaInterface();
  }
  const std::string &
  GetExecutedOn() const
  {
    return m_Core.GetExecutedOn();
  }
  bool
  GetExecutedOnDevice() const
  {
    return m_Core.GetExecutedOnDevice();
  }
  SizeValueType
  GetNumberOfTiles() const
  {
    return m_Core.GetNumberOfTiles();
  }
  const StageTimes &
  GetStageTimes() const
  {
    return m_Core.GetStageTimes();
  }
  /**@}*/

  ModifiedTimeType
  GetMTime() const override
  {
    return m_Core.GetMTime(Superclass::GetMTime());
  }

  void
  UpdateOutputInformation() override
  {
    m_Core.BeginUpdate();
    Superclass::UpdateOutputInformation();
    m_Core.AnnounceReads();
  }

  void
  UpdateOutputData(DataObject * output) override
  {
    const bool runsOnDevice = m_Core.WillRunOnDevice([this] { return this->FindUnsupportedReason(); });
    m_Core.UpdateOutputData(output, runsOnDevice, [&] { Superclass::UpdateOutputData(output); });
  }

protected:
  CudaAcceleratedImageSink()
    : m_Core(*this)
  {}
  ~CudaAcceleratedImageSink() override = default;

  /** Creates the operation that reduces a region of the input. */
  virtual CudaFilters::OperationPointer
  MakeOperation(const CudaFilters::Region3 & region) = 0;

  /** Sets the outputs from the result of the operation. isFirst: of the first piece; else the result is combined with
   * those before. */
  virtual void
  TakeResult(bool isFirst) = 0;

  /** Whether the operation supports the pixels of the input. */
  virtual bool
  SupportsPixelTypes() const = 0;

  /** Empty if the operation supports the parameters, else the reason why the parent computes on the CPU. Default:
   * empty.
   */
  virtual std::string
  GetUnsupportedReason() const
  {
    return {};
  }

  /** Adds the inputs of the operation. Default: the first input of the filter. */
  virtual void
  CollectInputs(CudaFilters::ImageList & images)
  {
    if constexpr (CudaFilters::IsDeviceImage<InputImageType>())
    {
      images.AddInput(this->GetInput());
    }
  }

  /** Computes the operation's result for a piece on the CPU: called if the device fails after it has computed others.
   */
  virtual void
  ReduceOnHost(const typename InputImageType::RegionType & region) = 0;

  void
  BeforeStreamedGenerateData() override
  {
    Superclass::BeforeStreamedGenerateData();
    m_IsOnDevice = false;
  }

  void
  GenerateNthInputRequestedRegion(unsigned int piece) override
  {
    Superclass::GenerateNthInputRequestedRegion(piece);
    m_PieceRegion = this->GetInput()->GetRequestedRegion(); // filters upstream may enlarge the request
    if (m_Core.WillRunOnDevice([this] { return this->FindUnsupportedReason(); }))
    {
      m_Core.UpdateInputsOfPiece();
    }
  }

  /** Whether TakeResult() has set the outputs. (GetExecutedOnDevice() tells where the last piece was computed.) */
  bool
  HasTakenResult() const
  {
    return m_IsOnDevice;
  }

  /** The region of the present piece. */
  const typename InputImageType::RegionType &
  GetPieceRegion() const
  {
    return m_PieceRegion;
  }

  void
  StreamedGenerateData(unsigned int piece) override
  {
    const auto region = m_PieceRegion;
    if (piece == 0 || m_IsOnDevice)
    {
      m_Core.GenerateData([this] { return this->FindUnsupportedReason(); },
                          [&](CudaFilters::ImageList & images) { return this->PrepareOperation(images, region); },
                          [&] { piece == 0 ? Superclass::StreamedGenerateData(piece) : this->ReduceOnHost(region); });
      m_IsOnDevice = m_IsOnDevice || m_Core.GetExecutedOnDevice();
      if (m_IsOnDevice)
      {
        this->TakeResult(piece == 0);
      }
    }
    else
    {
      Superclass::StreamedGenerateData(piece);
    }
  }

  void
  AfterStreamedGenerateData() override
  {
    // The parent would set the outputs from what it has computed itself.
    if (!m_IsOnDevice)
    {
      Superclass::AfterStreamedGenerateData();
    }
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);

    m_Core.Print(os, indent);
  }

private:
  friend class CudaFilters::DropInAccess;

  CudaFilters::OperationPointer
  PrepareOperation(CudaFilters::ImageList & images, const typename InputImageType::RegionType & region)
  {
    if constexpr (CudaFilters::IsDeviceImage<InputImageType>())
    {
      const auto piece = ImageBase<InputImageType::ImageDimension>::New();
      piece->SetRegions(region);
      this->CollectInputs(images);
      images.AddRegion(piece.GetPointer());
      return this->MakeOperation(CudaFilters::GetRegion3(region));
    }
    else
    {
      return nullptr;
    }
  }

  std::string
  FindUnsupportedReason() const
  {
    if (!CudaFilters::IsDeviceImage<InputImageType>())
    {
      return "only an itk::Image of trivially copyable pixels can go to a device";
    }
    if (InputImageType::ImageDimension != 2 && InputImageType::ImageDimension != 3)
    {
      return "there are kernels for 2-D and 3-D images only, not for " +
             std::to_string(InputImageType::ImageDimension) + "-D";
    }
    if (!this->SupportsPixelTypes())
    {
      return "there are no kernels for this pixel type";
    }
    if (this->GetInput()->GetLargestPossibleRegion().GetNumberOfPixels() == 0)
    {
      return "the image is empty";
    }
    return this->GetUnsupportedReason();
  }

  CudaFilters::FilterCore             m_Core;
  bool                                m_IsOnDevice = false;
  typename InputImageType::RegionType m_PieceRegion;
};
} // namespace itk

#endif
