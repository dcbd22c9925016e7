// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkPieceImageSink_h
#define itkPieceImageSink_h

#include "itkImageSink.h"

namespace itk
{
/** \class PieceImageSink
 * \brief Base class of sinks that compute each piece of a streamed image as a whole, and not region by region in
 * threads.
 * \ingroup CudaFilters
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT PieceImageSink : public ImageSink<TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(PieceImageSink);

  using Self = PieceImageSink;
  using Superclass = ImageSink<TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  const char *
  GetNameOfClass() const override
  {
    return "PieceImageSink";
  }

  using typename Superclass::InputImageRegionType;

  /** Set/Get the number of pieces. */
  /**@{*/
  void
  SetNumberOfStreamDivisions(const unsigned int number) override
  {
    Superclass::SetNumberOfStreamDivisions(number);
  }
  unsigned int
  GetNumberOfStreamDivisions() const override
  {
    return Superclass::GetNumberOfStreamDivisions();
  }
  /**@}*/

protected:
  PieceImageSink() = default;
  ~PieceImageSink() override = default;

  void
  GenerateNthInputRequestedRegion(unsigned int piece) override
  {
    Superclass::GenerateNthInputRequestedRegion(piece);
    m_PieceRegion = this->GetInput()->GetRequestedRegion(); // filters upstream may enlarge the request
  }

  /** Computes a piece. */
  virtual void
  GeneratePiece(const InputImageRegionType & region) = 0;

  void
  StreamedGenerateData(unsigned int) override
  {
    this->GetMultiThreader()->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    this->GeneratePiece(m_PieceRegion);
  }

  void
  ThreadedStreamedGenerateData(const InputImageRegionType &) override
  {}

private:
  InputImageRegionType m_PieceRegion;
};
} // namespace itk

#endif
