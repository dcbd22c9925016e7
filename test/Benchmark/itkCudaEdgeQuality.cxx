// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Compares the edges that CudaCannyEdgeDetectionImageFilter finds in images with those of ITK's filter, for a sweep of
// variances and thresholds:
//
//   CudaFiltersEdgeQuality [--record FILE] IMAGE ...
//
// Images have 2 or 3 dimensions; coloured ones are taken as gray. --record writes the table as JSON.
// Utilities/edge-images.sh gathers real images.

#include "Machine.h"
#include "itkCannyEdgeDetectionImageFilter.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkEdgeQualityCalculator.h"
#include "itkImageFileReader.h"
#include "itkImageIOFactory.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <vector>

namespace itk
{
namespace CudaBenchmark
{
namespace
{
/** One setting of the filter, and what was found with it. */
struct Setting
{
  unsigned int Dimension;
  double       Variance;
  float        Upper;
  float        Lower;

  unsigned int  Images = 0;
  double        SumCorrect = 0.0; // of the shares of all images
  double        SumMissed = 0.0;
  double        SumFalse = 0.0;
  double        WorstCorrect = 1.0;
  std::string   WorstImage{};
  SizeValueType Pixels = 0;
  SizeValueType Edges = 0; // of ITK's
  SizeValueType Errors = 0;
  SizeValueType BorderPixels = 0; // those within a few of the border
  SizeValueType BorderErrors = 0;
  SizeValueType ExactErrors = 0; // in exact mode
};

template <typename TImage>
void
CountErrors(const TImage * expected, const TImage * actual, Setting & setting)
{
  constexpr IndexValueType margin = 5;

  const auto & region = expected->GetBufferedRegion();
  auto         inner = region;
  for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
  {
    const auto cut = static_cast<SizeValueType>(std::min<SizeValueType>(margin, region.GetSize(axis) / 2));
    inner.SetIndex(axis, region.GetIndex(axis) + static_cast<IndexValueType>(cut));
    inner.SetSize(axis, region.GetSize(axis) - 2 * cut);
  }
  ImageRegionConstIteratorWithIndex<TImage> a(expected, region);
  ImageRegionConstIterator<TImage>          b(actual, region);
  for (; !a.IsAtEnd(); ++a, ++b)
  {
    const bool isAtBorder = !inner.IsInside(a.GetIndex());
    const bool isWrong = a.Get() != b.Get();
    setting.Edges += a.Get() != 0 ? 1 : 0;
    setting.Errors += isWrong ? 1 : 0;
    setting.BorderPixels += isAtBorder ? 1 : 0;
    setting.BorderErrors += isAtBorder && isWrong ? 1 : 0;
  }
  setting.Pixels += region.GetNumberOfPixels();
}

template <typename TImage>
void
Compare(const TImage * image, const std::string & name, Setting & setting)
{
  const auto configure = [&](auto & filter) {
    filter.SetInput(image);
    filter.SetVariance(setting.Variance);
    filter.SetUpperThreshold(setting.Upper);
    filter.SetLowerThreshold(setting.Lower);
  };
  const auto cpu = CannyEdgeDetectionImageFilter<TImage, TImage>::New();
  configure(*cpu);
  cpu->Update();
  const auto cuda = CudaCannyEdgeDetectionImageFilter<TImage, TImage>::New();
  configure(*cuda);
  cuda->Update();

  const auto quality = EdgeQualityCalculator<TImage>::New();
  quality->SetReferenceImage(cpu->GetOutput());
  quality->SetImage(cuda->GetOutput());
  quality->Compute();
  ++setting.Images;
  setting.SumCorrect += quality->GetCorrectFraction();
  setting.SumMissed += quality->GetMissedFraction();
  setting.SumFalse += quality->GetFalseAlarmFraction();
  if (quality->GetCorrectFraction() < setting.WorstCorrect)
  {
    setting.WorstCorrect = quality->GetCorrectFraction();
    setting.WorstImage = name;
  }
  CountErrors<TImage>(cpu->GetOutput(), cuda->GetOutput(), setting);

  cuda->ExactModeOn();
  cuda->Update();
  quality->Compute();
  setting.ExactErrors += quality->GetNumberOfMissedPixels() + quality->GetNumberOfFalseAlarmPixels();
}

template <unsigned int VDimension>
void
CompareFile(const std::string & file, std::vector<Setting> & settings)
{
  const auto image = ReadImage<Image<float, VDimension>>(file);
  const auto name = file.substr(file.find_last_of('/') + 1);
  for (Setting & setting : settings)
  {
    if (setting.Dimension == VDimension)
    {
      Compare<Image<float, VDimension>>(image, name, setting);
    }
  }
}

std::vector<Setting>
MakeSettings()
{
  std::vector<Setting> settings{ { 2, 1.96, 7.0f, 4.0f }, { 3, 1.96, 7.0f, 4.0f } };
  for (const double variance : { 0.5, 1.0, 4.0, 9.0 })
  {
    for (const auto & [upper, lower] : { std::pair<float, float>{ 4.0f, 1.0f }, { 7.0f, 4.0f }, { 20.0f, 8.0f } })
    {
      settings.push_back({ 2, variance, upper, lower });
      settings.push_back({ 3, variance, upper, lower });
    }
  }
  std::stable_sort(
    settings.begin(), settings.end(), [](const Setting & a, const Setting & b) { return a.Dimension < b.Dimension; });
  return settings;
}

void
Write(const std::string & file, const std::vector<Setting> & settings)
{
  std::ofstream out(file);
  out.precision(10);
  out << "{\n";
  for (const auto & [key, value] : GetFactsOfRun())
  {
    out << "  \"" << key << "\": \"" << value << "\",\n";
  }
  out << "  \"rows\": [";
  const char * separator = "\n";
  for (const Setting & setting : settings)
  {
    if (setting.Images > 0)
    {
      out << separator << "    {\"dimension\": " << setting.Dimension << ", \"variance\": " << setting.Variance
          << ", \"upper\": " << setting.Upper << ", \"lower\": " << setting.Lower << ", \"images\": " << setting.Images
          << ", \"p_co\": " << setting.SumCorrect / setting.Images
          << ", \"p_nd\": " << setting.SumMissed / setting.Images << ", \"p_fa\": " << setting.SumFalse / setting.Images
          << ", \"worst_p_co\": " << setting.WorstCorrect << ", \"worst_image\": \"" << setting.WorstImage
          << "\", \"pixels\": " << setting.Pixels << ", \"edges\": " << setting.Edges
          << ", \"errors\": " << setting.Errors << ", \"border_pixels\": " << setting.BorderPixels
          << ", \"border_errors\": " << setting.BorderErrors << ", \"exact_errors\": " << setting.ExactErrors << "}";
      separator = ",\n";
    }
  }
  out << "\n  ]\n}\n";
  if (!out.flush())
  {
    throw std::runtime_error("Cannot write " + file);
  }
}

int
Run(int argc, char ** argv)
{
  std::string              record;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i)
  {
    if (argv[i] == std::string("--record") && i + 1 < argc)
    {
      record = argv[++i];
    }
    else
    {
      files.emplace_back(argv[i]);
    }
  }
  if (files.empty())
  {
    std::cerr << "Usage: CudaFiltersEdgeQuality [--record FILE] IMAGE ..." << std::endl;
    return EXIT_FAILURE;
  }
  std::vector<Setting> settings = MakeSettings();
  for (std::size_t i = 0; i < files.size(); ++i)
  {
    std::cerr << "\r\033[K" << i + 1 << "/" << files.size() << " " << files[i] << std::flush;
    const auto io = ImageIOFactory::CreateImageIO(files[i].c_str(), ImageIOFactory::IOFileModeEnum::ReadMode);
    if (!io)
    {
      throw std::runtime_error("Not an image: " + files[i]);
    }
    io->SetFileName(files[i]);
    io->ReadImageInformation();
    io->GetNumberOfDimensions() == 3 && io->GetDimensions(2) > 1 ? CompareFile<3>(files[i], settings)
                                                                 : CompareFile<2>(files[i], settings);
  }
  std::cerr << "\r\033[K";
  std::printf("%s\n", "dim variance upper lower images      P_co     worst   errors of edges   at border  exact");
  for (const Setting & setting : settings)
  {
    if (setting.Images > 0)
    {
      std::printf("%3u %8g %5g %5g %6u %9.7f %9.7f %8lu %8lu %11lu %6lu\n",
                  setting.Dimension,
                  setting.Variance,
                  setting.Upper,
                  setting.Lower,
                  setting.Images,
                  setting.SumCorrect / setting.Images,
                  setting.WorstCorrect,
                  setting.Errors,
                  setting.Edges,
                  setting.BorderErrors,
                  setting.ExactErrors);
    }
  }
  if (!record.empty())
  {
    Write(record, settings);
  }
  bool isGood = true;
  for (const Setting & setting : settings)
  {
    isGood =
      isGood && setting.ExactErrors == 0 && (setting.Images == 0 || setting.SumCorrect / setting.Images >= 0.9999);
  }
  std::cout << (isGood ? "Good: " : "NOT GOOD: ")
            << "wanted is a mean P_co of at least 0.9999 with each setting, and no error in exact mode" << std::endl;
  return isGood ? EXIT_SUCCESS : EXIT_FAILURE;
}
} // namespace
} // namespace CudaBenchmark
} // namespace itk

int
main(int argc, char ** argv)
{
  return itk::CudaBenchmark::RunProgram(itk::CudaBenchmark::Run, argc, argv);
}
