// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStreamingConnectedComponentImageFilter_h
#define itkCudaStreamingConnectedComponentImageFilter_h

#include "CudaFilters/detail/BlockLabels.h"
#include "itkCudaConnectedComponentImageFilter.h"
#include "itkImageToImageFilter.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace itk
{
/** \class CudaStreamingConnectedComponentImageFilter
 * \brief Labels the objects of an image that is read and written block by block.
 *
 * For images that exceed the host's memory. Labels, parameters and exceptions are those of
 * CudaConnectedComponentImageFilter, but neither the whole input nor the whole output is ever in memory: blocks of
 * slices (of rows, in 2-D) are requested from the input, labelled on a CUDA device or on the CPU, and connected. Then
 * any region of the output can be requested; for it, the blocks that it touches are requested from the input and
 * labelled again. So the pipeline upstream executes twice; a reader reads the file twice.
 *
 * \code
 * auto reader = itk::ImageFileReader<MaskType>::New();
 * reader->SetFileName("mask.mha"); // without compression: a format that ITK reads and writes in parts
 * auto components = itk::CudaStreamingConnectedComponentImageFilter<MaskType, LabelImageType>::New();
 * components->SetInput(reader->GetOutput());
 * components->SetNumberOfBlocks(16);
 * auto writer = itk::ImageFileWriter<LabelImageType>::New();
 * writer->SetInput(components->GetOutput());
 * writer->SetNumberOfStreamDivisions(16);
 * writer->SetFileName("labels.mha");
 * writer->Update();
 * \endcode
 *
 * The input's source must be able to provide a region at a time; otherwise it provides the whole image, and the result
 * is the same. NaN is found in the first pass, before there is any output.
 *
 * \sa CudaConnectedComponentImageFilter
 * \sa StreamingImageFilter
 * \ingroup CudaFilters
 */
template <typename TInputImage, typename TOutputImage, typename TMaskImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaStreamingConnectedComponentImageFilter
  : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  itkCudaFilterMacro(CudaStreamingConnectedComponentImageFilter, ImageToImageFilter<TInputImage, TOutputImage>);

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using MaskImageType = TMaskImage;
  using OutputPixelType = typename TOutputImage::PixelType;
  using RegionType = typename TOutputImage::RegionType;
  using LabelType = IdentifierType;

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;
  static_assert(ImageDimension == 2 || ImageDimension == 3, "Blocks touch in rows or in planes.");

  /** Set/Get whether diagonal neighbours are connected. Default: off. */
  /**@{*/
  itkSetMacro(FullyConnected, bool);
  itkGetConstMacro(FullyConnected, bool);
  itkBooleanMacro(FullyConnected);
  /**@}*/

  /** Set/Get the value of pixels that belong to no object. Default: 0. */
  /**@{*/
  itkSetMacro(BackgroundValue, OutputPixelType);
  itkGetConstMacro(BackgroundValue, OutputPixelType);
  /**@}*/

  /** Set/Get the image whose pixels that are 0 belong to no object. It is read in blocks, too. */
  /**@{*/
  itkSetInputMacro(MaskImage, MaskImageType);
  itkGetInputMacro(MaskImage, MaskImageType);
  /**@}*/

  /** Set/Get the number of blocks; there are fewer if the image has fewer slices. Default: 0, as many as make blocks of
   * at most 2^28 pixels. */
  /**@{*/
  itkSetMacro(NumberOfBlocks, unsigned int);
  itkGetConstMacro(NumberOfBlocks, unsigned int);
  /**@}*/

  /** The settings of this filter alone; nullptr, the default, for the process's. */
  /**@{*/
  void
  SetCudaInterface(CudaInterface * settings)
  {
    m_BlockFilter->SetCudaInterface(settings);
  }
  CudaInterface *
  GetCudaInterface() const
  {
    return m_BlockFilter->GetCudaInterface();
  }
  /**@}*/

  /** The number of objects, after an update. */
  const LabelType &
  GetObjectCount() const
  {
    return m_ObjectCount;
  }

  /** Where the last block was labelled: the device, or the CPU and the reason. */
  const std::string &
  GetExecutedOn() const
  {
    return m_BlockFilter->GetExecutedOn();
  }
  /** Whether it was labelled on a device. */
  bool
  GetExecutedOnDevice() const
  {
    return m_BlockFilter->GetExecutedOnDevice();
  }

  void
  PropagateRequestedRegion(DataObject * output) override;

  void
  UpdateOutputData(DataObject * output) override;

protected:
  CudaStreamingConnectedComponentImageFilter();
  ~CudaStreamingConnectedComponentImageFilter() override = default;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  using BlockLabelImageType = Image<std::uint32_t, ImageDimension>;
  using BlockFilterType = CudaConnectedComponentImageFilter<TInputImage, BlockLabelImageType, TMaskImage>;

  /** Throws if the user has aborted the run. */
  void
  ReportProgress(float progress);

  /** The blocks of the image, in its order. */
  std::vector<RegionType>
  MakeBlocks() const;

  /** Requests a block from the inputs, and labels it. */
  const BlockLabelImageType *
  LabelBlock(std::size_t block);

  /** Labels and connects all blocks, unless that has been done for these inputs and parameters. */
  void
  ConnectBlocks();

  /** Writes the labels of a block into the output, where they overlap. */
  void
  WriteBlock(std::size_t block, TOutputImage * output);

  /** When inputs and parameters were last changed. */
  ModifiedTimeType
  GetTimeOfInputs() const;

  bool            m_FullyConnected = false;
  OutputPixelType m_BackgroundValue = NumericTraits<OutputPixelType>::ZeroValue();
  unsigned int    m_NumberOfBlocks = 0;
  LabelType       m_ObjectCount = 0;

  typename BlockFilterType::Pointer         m_BlockFilter;
  std::vector<RegionType>                   m_Blocks;
  std::unique_ptr<CudaFilters::BlockLabels> m_Labels; // of all blocks, when they are connected
  ModifiedTimeType                          m_TimeOfLabels = 0;
  std::size_t                               m_LabelledBlock = 0; // whose labels the block filter has, if it has some
  bool                                      m_HasLabelledBlock = false;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaStreamingConnectedComponentImageFilter.hxx"
#endif

#endif
