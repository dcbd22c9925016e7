// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/UpstreamFiles.h"
#include "itkProcessObject.h"
#include "itkSimpleDataObjectDecorator.h"
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

// What is upstream of an image: whether its files are complete, and when its pipeline was last changed.

namespace itk
{
namespace CudaFilters
{
namespace
{
/** The header of a MetaImage: its fields, and where it ends in the file. */
struct MetaHeader
{
  std::map<std::string, std::string> Fields;
  std::uint64_t                      End = 0;

  std::string
  Get(const std::string & name) const
  {
    const auto found = this->Fields.find(name);
    return found != this->Fields.end() ? found->second : std::string();
  }
};

std::string
Trim(const std::string & text)
{
  const char * const blanks = " \t\r";
  const auto         first = text.find_first_not_of(blanks);
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

MetaHeader
ReadHeader(const std::string & file)
{
  constexpr int mostLines = 1000; // for files that are something else
  MetaHeader    header;
  std::ifstream stream(file, std::ios::binary);
  std::string   line;
  for (int i = 0; i < mostLines && std::getline(stream, line); ++i)
  {
    const auto equals = line.find('=');
    if (equals == std::string::npos)
    {
      continue;
    }
    const std::string name = Trim(line.substr(0, equals));
    header.Fields[name] = Trim(line.substr(equals + 1));
    if (name == "ElementDataFile") // the last one
    {
      header.End = static_cast<std::uint64_t>(stream.tellg());
      break;
    }
  }
  return header;
}

/** The size of all pixels, or 0 if the header does not tell. */
std::uint64_t
CountBytes(const MetaHeader & header)
{
  static const std::map<std::string, std::uint64_t> sizes{
    { "MET_CHAR", 1 },      { "MET_UCHAR", 1 },      { "MET_SHORT", 2 }, { "MET_USHORT", 2 },
    { "MET_INT", 4 },       { "MET_UINT", 4 },       { "MET_LONG", 4 },  { "MET_ULONG", 4 },
    { "MET_LONG_LONG", 8 }, { "MET_ULONG_LONG", 8 }, { "MET_FLOAT", 4 }, { "MET_DOUBLE", 8 },
  };
  const auto type = sizes.find(header.Get("ElementType"));
  if (type == sizes.end())
  {
    return 0;
  }
  std::uint64_t      bytes = type->second;
  std::istringstream dimensions(header.Get("DimSize"));
  for (std::uint64_t size = 0; dimensions >> size;)
  {
    bytes *= size;
  }
  std::istringstream channels(header.Get("ElementNumberOfChannels"));
  std::uint64_t      number = 1;
  return channels >> number ? bytes * number : bytes;
}

bool
HasEnding(const std::string & text, const std::string & ending)
{
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}
} // namespace

void
CheckMetaImageIsComplete(const std::string & file)
{
  namespace fs = std::filesystem;
  if (!HasEnding(file, ".mha") && !HasEnding(file, ".mhd"))
  {
    return;
  }
  const MetaHeader  header = ReadHeader(file);
  const std::string compressed = header.Get("CompressedData");
  const std::string data = header.Get("ElementDataFile");
  const std::string binary = header.Get("BinaryData"); // text has as many bytes as it has digits
  if (data.empty() || compressed == "True" || compressed == "true" || binary == "False" || binary == "false")
  {
    return;
  }
  const bool     isLocal = data == "LOCAL" || data == "Local" || data == "local";
  const fs::path holder = isLocal ? fs::path(file) : fs::path(file).parent_path() / data;
  std::uint64_t  before = isLocal ? header.End : 0;
  if (std::int64_t size = 0; !isLocal && std::istringstream(header.Get("HeaderSize")) >> size && size > 0)
  {
    before = static_cast<std::uint64_t>(size);
  }
  std::error_code     error;
  const std::uint64_t size = fs::file_size(holder, error);
  if (error)
  {
    return; // a list of files, for example; the reader finds out
  }
  const std::uint64_t wanted = CountBytes(header);
  const std::uint64_t there = size - std::min(size, before);
  if (there < wanted)
  {
    itkGenericExceptionMacro(<< "The file '" << holder.string() << "' ends early: it has " << there
                             << " bytes of pixels, and the image has " << wanted << ".");
  }
}

namespace
{
/** Calls a function for each data object upstream of an image that has no source, and another one for each source. */
template <typename TDataFunction, typename TSourceFunction>
void
WalkUpstream(const DataObject * image, TDataFunction forData, TSourceFunction forSource)
{
  std::set<const ProcessObject *>    seen;
  std::vector<const ProcessObject *> left;
  const auto                         add = [&](const DataObject * data) {
    const ProcessObject * const source = data != nullptr ? data->GetSource().GetPointer() : nullptr;
    if (source != nullptr && seen.insert(source).second)
    {
      left.push_back(source);
    }
    else if (data != nullptr && source == nullptr)
    {
      forData(*data);
    }
  };
  add(image);
  while (!left.empty())
  {
    const ProcessObject * const source = left.back();
    left.pop_back();
    forSource(*source);
    for (const auto & input : const_cast<ProcessObject *>(source)->GetInputs())
    {
      add(input);
    }
  }
}
} // namespace

void
CheckFilesUpstreamOf(const DataObject * image)
{
  WalkUpstream(
    image,
    [](const DataObject &) {},
    [](const ProcessObject & source) {
      if (source.GetNameOfClass() != std::string("ImageFileReader"))
      {
        return;
      }
      for (const auto & input : const_cast<ProcessObject &>(source).GetInputs())
      {
        if (const auto * const file = dynamic_cast<const SimpleDataObjectDecorator<std::string> *>(input.GetPointer()))
        {
          CheckMetaImageIsComplete(file->Get());
        }
      }
    });
}

ModifiedTimeType
GetMTimeUpstreamOf(const DataObject * image)
{
  ModifiedTimeType time = 0;
  const auto       add = [&time](const Object & object) { time = std::max(time, object.GetMTime()); };
  WalkUpstream(image, add, add);
  return time;
}
} // namespace CudaFilters
} // namespace itk
