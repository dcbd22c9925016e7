// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "InputImage.h"
#include "Command.h"
#include "ImageFile.h"
#include "Terminal.h"
#include <cstdio>
#include <filesystem>
#include <vector>
#ifdef CUDAFILTERS_HAS_DICOM
#  include "itkGDCMImageIO.h"
#  include "itkGDCMSeriesFileNames.h"
#  include "itkImageSeriesReader.h"
#endif

namespace
{
bool
IsFolder(const std::string & input)
{
  std::error_code error;
  return std::filesystem::is_directory(input, error);
}

InputImage<3>::Pointer
ReadFolder(const std::string & folder)
{
#ifdef CUDAFILTERS_HAS_DICOM
  const auto names = itk::GDCMSeriesFileNames::New();
  names->SetUseSeriesDetails(true);
  names->SetDirectory(folder);
  std::vector<std::string> files;
  for (const std::string & series : names->GetSeriesUIDs())
  {
    const auto & candidates = names->GetFileNames(series);
    if (candidates.size() > files.size())
    {
      files = candidates;
    }
  }
  if (files.empty())
  {
    throw UserError("cannot read '" + folder + "': there are no DICOM files in this folder");
  }
  if (names->GetSeriesUIDs().size() > 1)
  {
    std::printf("%s: %zu series; this is the longest, of %zu slices\n",
                folder.c_str(),
                names->GetSeriesUIDs().size(),
                files.size());
  }
  const auto reader = itk::ImageSeriesReader<InputImage<3>>::New();
  reader->SetImageIO(itk::GDCMImageIO::New());
  reader->SetFileNames(files);
  try
  {
    reader->Update();
  }
  catch (const std::exception & error)
  {
    throw UserError("cannot read the slices in '" + folder + "': " + GetReason(error));
  }
  return reader->GetOutput();
#else
  throw UserError("cannot read '" + folder + "': it is a folder, and this ITK reads no DICOM; name one file");
#endif
}
} // namespace

unsigned int
FindDimension(const std::string & input)
{
  return IsFolder(input) ? 3 : DescribeImage(input).Dimension;
}

template <unsigned int VDimension>
typename InputImage<VDimension>::Pointer
ReadInput(const std::string & input)
{
  if constexpr (VDimension == 3)
  {
    if (IsFolder(input))
    {
      return ReadFolder(input);
    }
  }
  return ReadImage<InputImage<VDimension>>(input);
}

template InputImage<2>::Pointer
ReadInput<2>(const std::string &);
template InputImage<3>::Pointer
ReadInput<3>(const std::string &);
