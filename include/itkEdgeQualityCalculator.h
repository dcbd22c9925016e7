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
 * \brief Measures how well the edges in an image agree with the edges in a reference image.
 *
 * The calculator compares two binary edge images pixel by pixel, to evaluate an edge detector against ground truth or
 * one implementation against another. A pixel is an edge if it is not zero. TP is the number of pixels that are edges
 * in both images, FN the number of pixels that are edges only in the reference image, and FP the number of pixels that
 * are edges only in the evaluated image. N is the number of edge pixels in the image that has more of them. The quality
 * measures are
 *
 * - P_co = TP / N, the fraction of correctly detected edge pixels: GetCorrectFraction(),
 * - P_nd = FN / N, the fraction of missed edge pixels: GetMissedFraction(),
 * - P_fa = FP / N, the fraction of false alarms: GetFalseAlarmFraction().
 *
 * If neither image contains an edge, P_co is 1, and P_nd and P_fa are 0. An edge that is displaced by one pixel counts
 * as both missed and false alarm.
 *
 * Reference: I. Boaventura and A. Gonzaga, V Workshop de Visao Computacional, 2009.
 *
 * \code
 * auto calculator = itk::EdgeQualityCalculator<ImageType>::New();
 * calculator->SetReferenceImage(reference);
 * calculator->SetImage(edges);
 * calculator->Compute();
 * const double quality = calculator->GetCorrectFraction();
 * \endcode
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

  /** Set/Get the reference image, which contains the expected edges. */
  itkSetConstObjectMacro(ReferenceImage, ReferenceImageType);
  itkGetConstObjectMacro(ReferenceImage, ReferenceImageType);

  /** Set/Get the image whose edges are evaluated. */
  itkSetConstObjectMacro(Image, ImageType);
  itkGetConstObjectMacro(Image, ImageType);

  /** Counts the edge pixels. Throws if an image is not set or if the buffered regions differ. Does not update the
   * images: their pixels must be up to date. */
  void
  Compute();

  /** Returns P_co, the fraction of correctly detected edge pixels. */
  double
  GetCorrectFraction() const;

  /** Returns P_nd, the fraction of missed edge pixels. */
  double
  GetMissedFraction() const;

  /** Returns P_fa, the fraction of false alarms. */
  double
  GetFalseAlarmFraction() const;

  /** Returns TP, the number of pixels that are edges in both images. */
  itkGetConstMacro(NumberOfCorrectPixels, SizeValueType);

  /** Returns FN, the number of pixels that are edges only in the reference image. */
  itkGetConstMacro(NumberOfMissedPixels, SizeValueType);

  /** Returns FP, the number of pixels that are edges only in the evaluated image. */
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
