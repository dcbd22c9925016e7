// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef PageLines_h
#define PageLines_h

#include "itkFlatStructuringElement.h"
#include "itkImage.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using ByteImage = itk::Image<unsigned char, 2>;
using FloatImage = itk::Image<float, 2>;
using LabelImage = itk::Image<unsigned short, 2>;

/** The images of the gallery, from the files of the working folder. */
struct Samples
{
  Samples();

  ByteImage::Pointer                       Image;
  ByteImage::Pointer                       Mask;
  ByteImage::Pointer                       Smaller;
  ByteImage::Pointer                       Darker;
  ByteImage::Pointer                       Brighter;
  FloatImage::Pointer                      Real;
  FloatImage::Pointer                      Smooth;
  FloatImage::Pointer                      Share;
  FloatImage::Pointer                      Curvature;
  LabelImage::Pointer                      Labels;
  itk::ImageFileReader<ByteImage>::Pointer Reader;
};

/** The names that lines of the gallery have for them. */
#define PAGE_SAMPLES(samples)                                  \
  [[maybe_unused]] const auto image = (samples).Image;         \
  [[maybe_unused]] const auto mask = (samples).Mask;           \
  [[maybe_unused]] const auto smaller = (samples).Smaller;     \
  [[maybe_unused]] const auto darker = (samples).Darker;       \
  [[maybe_unused]] const auto brighter = (samples).Brighter;   \
  [[maybe_unused]] const auto real = (samples).Real;           \
  [[maybe_unused]] const auto smooth = (samples).Smooth;       \
  [[maybe_unused]] const auto share = (samples).Share;         \
  [[maybe_unused]] const auto curvature = (samples).Curvature; \
  [[maybe_unused]] const auto labels = (samples).Labels;       \
  [[maybe_unused]] const auto reader = (samples).Reader

/** The time that the device worked in the last run of a filter, without copies, in milliseconds; 0 if it is not known.
 */
template <typename TFilter>
auto
GetDeviceMilliseconds(const TFilter & filter, int) -> decltype(filter.GetStageTimes(), 0.0)
{
  double sum = 0.0;
  for (const auto & stage : filter.GetStageTimes())
  {
    const bool isCopy = stage.Name == "upload" || stage.Name == "download" || stage.Name == "loading of kernels";
    sum += isCopy ? 0.0 : stage.Milliseconds;
  }
  return sum;
}
template <typename TFilter>
double
GetDeviceMilliseconds(const TFilter &, long)
{
  return 0.0;
}

/** Takes the result of some lines: saves it as NAME-c++.mha, or a number as NAME-c++.txt, or, without a name, only
 * looks at it. */
class Results
{
public:
  explicit Results(std::string name = {})
    : m_Name(std::move(name))
  {}

  const Samples &
  GetSamples()
  {
    if (!m_Samples)
    {
      m_Samples = std::make_unique<Samples>();
    }
    return *m_Samples;
  }

  /** The filter of the lines has run, and is about to be destroyed. */
  template <typename TFilter>
  void
  Note(const TFilter & filter)
  {
    m_DeviceMilliseconds = ::GetDeviceMilliseconds(filter, 0);
  }
  double
  GetDeviceMilliseconds() const
  {
    return m_DeviceMilliseconds;
  }

  template <typename TPixel>
  void
  Take(const itk::Image<TPixel, 2> * image)
  {
    m_Pixel = static_cast<double>(image->GetBufferPointer()[0]);
    if (!m_Name.empty())
    {
      itk::WriteImage(image, m_Name + "-c++.mha");
    }
  }
  void
  Take(double number)
  {
    m_DeviceMilliseconds = 0.0; // stages of a filter that computes numbers contain copies
    if (!m_Name.empty())
    {
      std::ofstream file(m_Name + "-c++.txt");
      file.precision(17);
      file << number << std::endl;
    }
  }

private:
  std::string              m_Name;
  std::unique_ptr<Samples> m_Samples;
  double                   m_DeviceMilliseconds = 0.0;
  volatile double          m_Pixel = 0.0; // so that the compiler reads it
};

/** What is done with lines. */
enum class Kind
{
  Page,
  Gallery,
  Compiled // and not run
};

/** The lines of a block in C++ on a page of the documentation; a static object makes them known. */
struct Lines
{
  Lines(std::string name, Kind kind, std::function<void(Results &)> run);

  std::string                    Name;
  Kind                           WhatFor;
  std::function<void(Results &)> Run;
};

#endif
