// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "CudaFilters/detail/UpstreamFiles.h"
#include "itkCudaStreamingConnectedComponentImageFilter.h"
#include "itkCudaDistanceInputs.h"
#include "itkCudaTestHelpers.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkMedianImageFilter.h"
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace
{
using namespace itk::CudaTest;

template <unsigned int VDimension, typename TLabel = unsigned int>
struct Types
{
  using Labels = itk::Image<TLabel, VDimension>;
  using Whole = itk::CudaConnectedComponentImageFilter<Mask<VDimension>, Labels>;
  using Streaming = itk::CudaStreamingConnectedComponentImageFilter<Mask<VDimension>, Labels>;
};

template <unsigned int VDimension>
typename Mask<VDimension>::Pointer
DrawNoise(const itk::Size<VDimension> & size, double density, unsigned int seed = 1)
{
  std::mt19937                random(seed);
  std::bernoulli_distribution isObject(density);
  const auto                  mask = MakeConstantImage<Mask<VDimension>>(size, 0);
  for (itk::ImageRegionIterator<Mask<VDimension>> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(isObject(random) ? 1 : 0);
  }
  return mask;
}

/** Compares with the filter that needs the whole image, for several numbers of blocks. */
template <unsigned int VDimension, typename TLabel = unsigned int>
void
CompareWithWhole(const Mask<VDimension> * image, const Mask<VDimension> * mask = nullptr, TLabel background = 0)
{
  using T = Types<VDimension, TLabel>;
  for (const bool isFull : { false, true })
  {
    const auto whole = T::Whole::New();
    whole->SetInput(image);
    whole->SetMaskImage(mask);
    whole->SetFullyConnected(isFull);
    whole->SetBackgroundValue(background);
    whole->Update();
    for (const unsigned int blocks : { 0u, 1u, 2u, 3u, 7u, 1000u })
    {
      SCOPED_TRACE((isFull ? "full, " : "faces, ") + std::to_string(blocks) + " blocks");
      const auto streaming = T::Streaming::New();
      streaming->SetInput(image);
      streaming->SetMaskImage(mask);
      streaming->SetFullyConnected(isFull);
      streaming->SetBackgroundValue(background);
      streaming->SetNumberOfBlocks(blocks);
      streaming->Update();
      EXPECT_EQ(whole->GetObjectCount(), streaming->GetObjectCount());
      ExpectEqualImages<typename T::Labels>(whole->GetOutput(), streaming->GetOutput());
      ExpectSameGeometry<typename T::Labels>(whole->GetOutput(), streaming->GetOutput());
      EXPECT_EQ(streaming->GetExecutedOnDevice(), HasDevice()) << streaming->GetExecutedOn();
    }
  }
}

/** A folder for the files of a test, which is removed at the end. */
class TemporaryFolder
{
public:
  TemporaryFolder()
    : m_Path(std::filesystem::temp_directory_path() /
             ("CudaFilters-" + std::to_string(std::random_device()()) + std::to_string(std::random_device()())))
  {
    std::filesystem::create_directory(m_Path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(m_Path); }

  std::string
  GetFile(const std::string & name) const
  {
    return (m_Path / name).string();
  }

private:
  std::filesystem::path m_Path;
};

template <typename TImage>
void
WriteImage(const TImage * image, const std::string & file)
{
  const auto writer = itk::ImageFileWriter<TImage>::New();
  writer->SetInput(image);
  writer->SetFileName(file);
  writer->Update();
}
} // namespace

TEST(CudaStreamingConnectedComponent, EqualsTheWholeImage)
{
  for (const double density : { 0.1, 0.3, 0.6, 1.0 })
  {
    SCOPED_TRACE(density);
    CompareWithWhole<2>(DrawNoise<2>({ { 61, 43 } }, density));
    CompareWithWhole<3>(DrawNoise<3>({ { 31, 17, 13 } }, density));
  }
  CompareWithWhole<3>(DrawBlobs<3>({ { 31, 27, 21 } }));
  CompareWithWhole<2>(DrawNoise<2>({ { 1, 43 } }, 0.5));
  CompareWithWhole<3>(DrawNoise<3>({ { 31, 17, 1 } }, 0.5));
  CompareWithWhole<2>(DrawNoise<2>({ { 61, 1 } }, 0.5));
}

TEST(CudaStreamingConnectedComponent, HasTheParametersOfTheWholeImage)
{
  const auto image = DrawNoise<3>({ { 31, 17, 13 } }, 0.5);
  CompareWithWhole<3>(image, DrawNoise<3>({ { 31, 17, 13 } }, 0.7, 2));
  CompareWithWhole<3, int>(image, nullptr, 20);
  CompareWithWhole<3, int>(image, nullptr, -3);
  const auto elsewhere = DrawNoise<2>({ { 61, 43 } }, 0.5);
  elsewhere->SetRegions(Mask<2>::RegionType({ { -7, 12 } }, elsewhere->GetBufferedRegion().GetSize()));
  CompareWithWhole<2>(elsewhere);
}

/** Any region can be requested, in any order. */
TEST(CudaStreamingConnectedComponent, ComputesWhatIsRequested)
{
  using T = Types<3>;
  const auto image = DrawNoise<3>({ { 31, 17, 13 } }, 0.3);
  const auto whole = T::Whole::New();
  whole->SetInput(image);
  whole->Update();
  const auto streaming = T::Streaming::New();
  streaming->SetInput(image);
  streaming->SetNumberOfBlocks(4);
  for (const long first : { 9, 0, 3, 12 })
  {
    const T::Labels::RegionType region({ { 5, 2, first } }, { { 20, 11, 1 } });
    streaming->GetOutput()->SetRequestedRegion(region);
    streaming->Update();
    ASSERT_EQ(streaming->GetOutput()->GetBufferedRegion(), region);
    for (itk::ImageRegionConstIteratorWithIndex<T::Labels> it(streaming->GetOutput(), region); !it.IsAtEnd(); ++it)
    {
      ASSERT_EQ(it.Get(), whole->GetOutput()->GetPixel(it.GetIndex())) << it.GetIndex();
    }
  }
}

/** From a file to a file: what is in memory never exceeds a block. */
TEST(CudaStreamingConnectedComponent, ReadsAndWritesBlockByBlock)
{
  using T = Types<3>;
  const TemporaryFolder folder;
  const auto            image = DrawNoise<3>({ { 31, 17, 24 } }, 0.4);
  WriteImage<Mask<3>>(image, folder.GetFile("mask.mha"));

  const auto reader = itk::ImageFileReader<Mask<3>>::New();
  reader->SetFileName(folder.GetFile("mask.mha"));
  const auto streaming = T::Streaming::New();
  streaming->SetInput(reader->GetOutput());
  streaming->SetNumberOfBlocks(6);
  std::vector<itk::SizeValueType> read;
  std::vector<itk::SizeValueType> written;
  reader->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) {
    read.push_back(reader->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
  });
  streaming->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) {
    written.push_back(streaming->GetOutput()->GetBufferedRegion().GetNumberOfPixels());
  });
  const auto writer = itk::ImageFileWriter<T::Labels>::New();
  writer->SetInput(streaming->GetOutput());
  writer->SetNumberOfStreamDivisions(6);
  writer->SetFileName(folder.GetFile("labels.mha"));
  writer->Update();

  // Each block is read once in each pass.
  constexpr itk::SizeValueType block = 31 * 17 * 4;
  EXPECT_EQ(read, std::vector<itk::SizeValueType>(12, block));
  EXPECT_EQ(written, std::vector<itk::SizeValueType>(6, block));

  const auto whole = T::Whole::New();
  whole->SetInput(image);
  whole->Update();
  const auto labels = itk::ImageFileReader<T::Labels>::New();
  labels->SetFileName(folder.GetFile("labels.mha"));
  labels->Update();
  ExpectEqualImages<T::Labels>(whole->GetOutput(), labels->GetOutput());
}

TEST(CudaStreamingConnectedComponent, TellsThatAFileEndsEarly)
{
  using T = Types<3>;
  const TemporaryFolder folder;
  const std::string     file = folder.GetFile("mask.mha");
  WriteImage<Mask<3>>(DrawNoise<3>({ { 31, 17, 24 } }, 0.4), file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 31 * 17 * 5);

  const auto reader = itk::ImageFileReader<Mask<3>>::New();
  reader->SetFileName(file);
  const auto streaming = T::Streaming::New();
  streaming->SetInput(reader->GetOutput());
  streaming->SetNumberOfBlocks(6);
  const auto writer = itk::ImageFileWriter<T::Labels>::New();
  writer->SetInput(streaming->GetOutput());
  writer->SetNumberOfStreamDivisions(6);
  writer->SetFileName(folder.GetFile("labels.mha"));
  EXPECT_NE(GetExceptionOf([&] { writer->Update(); }).find("ends early"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.GetFile("labels.mha")));

  // The filter can be used again.
  const auto image = DrawNoise<3>({ { 31, 17, 24 } }, 0.4);
  streaming->SetInput(image);
  streaming->UpdateLargestPossibleRegion();
  const auto whole = T::Whole::New();
  whole->SetInput(image);
  whole->Update();
  ExpectEqualImages<T::Labels>(whole->GetOutput(), streaming->GetOutput());
}

TEST(CudaStreamingConnectedComponent, FindsFilesThatEndEarlyByOneByte)
{
  const TemporaryFolder folder;
  const auto            image = MakeRandomImage<itk::Image<short, 3>>({ { 31, 17, 5 } });
  for (const std::string name : { "local.mha", "detached.mhd" })
  {
    SCOPED_TRACE(name);
    const std::string file = folder.GetFile(name);
    WriteImage<itk::Image<short, 3>>(image, file);
    EXPECT_NO_THROW(itk::CudaFilters::CheckMetaImageIsComplete(file));
    const std::string holder = name == "local.mha" ? file : folder.GetFile("detached.raw");
    std::filesystem::resize_file(holder, std::filesystem::file_size(holder) - 1);
    EXPECT_THROW(itk::CudaFilters::CheckMetaImageIsComplete(file), itk::ExceptionObject);
  }
  WriteImage<Mask<2>>(DrawNoise<2>({ { 31, 17 } }, 0.5), folder.GetFile("other.png"));
  EXPECT_NO_THROW(itk::CudaFilters::CheckMetaImageIsComplete(folder.GetFile("other.png")));
  EXPECT_NO_THROW(itk::CudaFilters::CheckMetaImageIsComplete(folder.GetFile("missing.mha"))); // the reader tells
}

TEST(CudaStreamingConnectedComponent, TellsThatTheOutputTypeIsTooSmall)
{
  const auto streaming = Types<2, unsigned char>::Streaming::New();
  const auto image = MakeConstantImage<Mask<2>>({ { 64, 32 } }, 0);
  for (itk::ImageRegionIteratorWithIndex<Mask<2>> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.GetIndex()[0] % 2 == 0 && it.GetIndex()[1] % 2 == 0 ? 1 : 0);
  }
  streaming->SetInput(image);
  streaming->SetNumberOfBlocks(4);
  EXPECT_NE(GetExceptionOf([&] { streaming->Update(); }).find("Number of objects (512)"), std::string::npos);
}

TEST(CudaStreamingConnectedComponent, RunsAgainAfterAChange)
{
  using T = Types<2>;
  const auto image = DrawNoise<2>({ { 61, 43 } }, 0.5);
  const auto streaming = T::Streaming::New();
  const auto whole = T::Whole::New();
  streaming->SetInput(image);
  streaming->SetNumberOfBlocks(5);
  whole->SetInput(image);
  const auto compare = [&] {
    streaming->Update();
    whole->Update();
    ExpectEqualImages<T::Labels>(whole->GetOutput(), streaming->GetOutput());
  };
  compare();
  image->SetPixel({ { 30, 20 } }, 1 - image->GetPixel({ { 30, 20 } }));
  image->Modified();
  compare();
  streaming->FullyConnectedOn();
  whole->FullyConnectedOn();
  compare();
}

TEST(CudaStreamingConnectedComponent, RefusesAMaskOfAnotherSize)
{
  const auto streaming = Types<2>::Streaming::New();
  streaming->SetInput(DrawNoise<2>({ { 31, 20 } }, 0.5));
  streaming->SetMaskImage(DrawNoise<2>({ { 30, 20 } }, 0.5));
  EXPECT_THROW(streaming->Update(), itk::ExceptionObject);
}

TEST(CudaStreamingConnectedComponent, HasNoObjectsInAnEmptyImage)
{
  const auto streaming = Types<2>::Streaming::New();
  streaming->SetInput(MakeConstantImage<Mask<2>>({ { 0, 5 } }, 1));
  streaming->Update();
  EXPECT_EQ(streaming->GetObjectCount(), 0u);
}

TEST(CudaStreamingConnectedComponent, CanBeAborted)
{
  for (const float progress : { 0.1f, 0.7f })
  {
    const auto streaming = Types<2>::Streaming::New();
    streaming->SetInput(DrawNoise<2>({ { 31, 20 } }, 0.5));
    streaming->SetNumberOfBlocks(5);
    bool isPatient = false;
    streaming->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (!isPatient && streaming->GetProgress() > progress)
      {
        streaming->AbortGenerateDataOn();
      }
    });
    EXPECT_THROW(streaming->Update(), itk::ProcessAborted);
    isPatient = true;
    EXPECT_NO_THROW(streaming->Update());
  }
}

/** Image and mask from one file, of which the mask needs more than the block. */
TEST(CudaStreamingConnectedComponent, SharesTheSourceOfTheMask)
{
  using T = Types<2>;
  const TemporaryFolder folder;
  const auto            image = DrawNoise<2>({ { 61, 43 } }, 0.6);
  WriteImage<Mask<2>>(image, folder.GetFile("mask.mha"));
  const auto reader = itk::ImageFileReader<Mask<2>>::New();
  reader->SetFileName(folder.GetFile("mask.mha"));
  unsigned int reads = 0;
  reader->AddObserver(itk::EndEvent(), [&](const itk::EventObject &) { ++reads; });
  const auto median = itk::MedianImageFilter<Mask<2>, Mask<2>>::New();
  median->SetInput(reader->GetOutput());
  const auto run = [&](auto & filter) {
    filter.SetInput(reader->GetOutput());
    filter.SetMaskImage(median->GetOutput());
    filter.Update();
  };
  const auto streaming = T::Streaming::New();
  streaming->SetNumberOfBlocks(4);
  run(*streaming);
  EXPECT_LE(reads, 16u); // image and mask, four blocks, two passes
  streaming->UpdateLargestPossibleRegion();
  streaming->GetOutput()->ReleaseData();
  reads = 0;
  streaming->Update();
  EXPECT_LE(reads, 8u); // objects need not be counted again
  const auto whole = T::Whole::New();
  run(*whole);
  ExpectEqualImages<T::Labels>(whole->GetOutput(), streaming->GetOutput());
}

TEST(CudaStreamingConnectedComponent, TellsThatPixelsAreMissing)
{
  using T = Types<2>;
  const auto image = DrawNoise<2>({ { 61, 43 } }, 0.6);
  image->ReleaseDataFlagOn(); // so that the first update leaves no pixels
  const auto streaming = T::Streaming::New();
  streaming->SetNumberOfBlocks(5);
  streaming->SetInput(image);
  streaming->Update();
  streaming->GetOutput()->SetRequestedRegion(itk::ImageRegion<2>({ { 0, 0 } }, { { 61, 3 } }));
  streaming->Modified();
  EXPECT_THROW(streaming->Update(), itk::ExceptionObject);
}

TEST(CudaStreamingConnectedComponent, TellsThatTheInputHasChanged)
{
  using T = Types<2>;
  const auto image = DrawNoise<2>({ { 61, 43 } }, 0.3);
  const auto streaming = T::Streaming::New();
  streaming->SetNumberOfBlocks(5);
  streaming->SetInput(image);
  streaming->GetOutput()->SetRequestedRegion(itk::ImageRegion<2>({ { 0, 0 } }, { { 61, 3 } }));
  streaming->Update();
  image->FillBuffer(0); // without Modified()
  streaming->GetOutput()->SetRequestedRegion(itk::ImageRegion<2>({ { 0, 20 } }, { { 61, 3 } }));
  EXPECT_NE(GetExceptionOf([&] { streaming->Update(); }).find("has changed"), std::string::npos);
}

TEST(CudaStreamingConnectedComponent, RefusesNaN)
{
  using Real = itk::Image<float, 2>;
  const auto image = MakeConstantImage<Real>({ { 31, 20 } }, 1.0f);
  image->SetPixel({ { 30, 19 } }, std::numeric_limits<float>::quiet_NaN());
  const auto streaming = itk::CudaStreamingConnectedComponentImageFilter<Real, itk::Image<unsigned int, 2>>::New();
  streaming->SetInput(image);
  streaming->SetNumberOfBlocks(3);
  EXPECT_NE(GetExceptionOf([&] { streaming->Update(); }).find("NaN"), std::string::npos);
}

/** From a filter whose output is on the device alone. */
TEST(CudaStreamingConnectedComponent, FollowsAFilterOnTheDevice)
{
  using T = Types<2>;
  const auto image = DrawNoise<2>({ { 61, 43 } }, 0.3);
  const auto first = T::Whole::New();
  first->SetInput(image);
  const auto streaming = itk::CudaStreamingConnectedComponentImageFilter<T::Labels, T::Labels>::New();
  streaming->SetInput(first->GetOutput());
  streaming->SetNumberOfBlocks(3);
  streaming->Update();
  const auto whole = T::Whole::New();
  whole->SetInput(image);
  whole->Update();
  ExpectEqualImages<T::Labels>(whole->GetOutput(), streaming->GetOutput());
}

TEST(CudaStreamingConnectedComponent, ReadsTextThatHasFewBytes)
{
  const TemporaryFolder folder;
  std::ofstream(folder.GetFile("text.mha")) << "ObjectType = Image\nNDims = 2\nBinaryData = False\nDimSize = 2 2\n"
                                            << "ElementType = MET_DOUBLE\nElementDataFile = LOCAL\n0 1 0 1\n";
  EXPECT_NO_THROW(itk::CudaFilters::CheckMetaImageIsComplete(folder.GetFile("text.mha")));
}
