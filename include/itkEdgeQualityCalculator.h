// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkEdgeQualityCalculator_h
#define itkEdgeQualityCalculator_h

#include "itkIntTypes.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

namespace itk
{
/** \class EdgeQualityCalculator
 * \brief How well the edges in one image agree with those in a reference image.
 *
 * Pixels that are not zero are edges. With the number TP of pixels that are edges in both images, FN of those in the
 * reference alone, FP of those in the image alone, and the larger number N of edge pixels in one of the two, the
 * quality is
 *
 * - P_co = TP / N, the share of edge pixels that were found: GetCorrectFraction(),
 * - P_nd = FN / N, the share of those that were not: GetMissedFraction(),
 * - P_fa = FP / N, the share of false alarms: GetFalseAlarmFraction().
 *
 * (I. Boaventura and A. Gonzaga, V Workshop de Visao Computacional, 2009.) Where neither image has an edge, they agree:
 * P_co is 1 and the others are 0.
 *
 * \ingroup CudaFilters
 */
template <typename TReferenceImage, typename TImage = TReferenceImage>
class ITK_TEMPLATE_EXPORT EdgeQualityCalculator : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(EdgeQualityCalculator);

  using Self = EdgeQualityCalculator;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "EdgeQualityCalculator";
  }

  using ReferenceImageType = TReferenceImage;
  using ImageType = TImage;

  /** Set/Get the image with the edges as they should be. */
  itkSetConstObjectMacro(ReferenceImage, ReferenceImageType);
  itkGetConstObjectMacro(ReferenceImage, ReferenceImageType);

  /** Set/Get the image with the edges to judge. */
  itkSetConstObjectMacro(Image, ImageType);
  itkGetConstObjectMacro(Image, ImageType);

  /** Counts. Both images must be there, over the same region, with their pixels up to date. */
  void
  Compute();

  /** P_co. */
  double
  GetCorrectFraction() const;

  /** P_nd. */
  double
  GetMissedFraction() const;

  /** P_fa. */
  double
  GetFalseAlarmFraction() const;

  /** TP: pixels that are edges in both images. */
  itkGetConstMacro(NumberOfCorrectPixels, SizeValueType);

  /** FN: pixels that are edges in the reference image alone. */
  itkGetConstMacro(NumberOfMissedPixels, SizeValueType);

  /** FP: pixels that are edges in the other image alone. */
  itkGetConstMacro(NumberOfFalseAlarmPixels, SizeValueType);

protected:
  EdgeQualityCalculator() = default;
  ~EdgeQualityCalculator() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  double
  GetFraction(SizeValueType pixels, double ifNoEdges) const;

  typename ReferenceImageType::ConstPointer m_ReferenceImage;
  typename ImageType::ConstPointer          m_Image;
  SizeValueType                             m_NumberOfCorrectPixels = 0;
  SizeValueType                             m_NumberOfMissedPixels = 0;
  SizeValueType                             m_NumberOfFalseAlarmPixels = 0;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkEdgeQualityCalculator.hxx"
#endif

#endif
