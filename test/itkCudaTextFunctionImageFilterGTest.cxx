// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaTextFunctionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkMeanImageFilter.h"
#include "itksys/Directory.hxx"
#include "itksys/SystemTools.hxx"
#include <cmath>
#include <cstdlib>
#include <string>

namespace
{
using namespace itk::CudaTest;
using Bytes = itk::Image<unsigned char, 2>;
using Shorts = itk::Image<short, 2>;
using Floats = itk::Image<float, 2>;
using Volume = itk::Image<short, 3>;

/** Sets an environment variable, and its old value again at the end. */
class ScopedVariable
{
public:
  ScopedVariable(const std::string & name, const std::string & value)
    : m_Name(name)
    , m_WasSet(itksys::SystemTools::GetEnv(name, m_Old))
  {
    itksys::SystemTools::PutEnv(name + "=" + value);
  }
  ~ScopedVariable()
  {
    m_WasSet ? itksys::SystemTools::PutEnv(m_Name + "=" + m_Old) : itksys::SystemTools::UnPutEnv(m_Name);
  }

private:
  std::string m_Name;
  std::string m_Old;
  bool        m_WasSet;
};

/** Runs a filter, and compares each pixel with a function of its index. */
template <typename TFilter, typename TFunction>
void
ExpectPixels(TFilter * filter, TFunction function)
{
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice()) << filter->GetExecutedOn();
  using Output = typename TFilter::OutputImageType;
  itk::ImageRegionConstIteratorWithIndex<Output> pixel(filter->GetOutput(), filter->GetOutput()->GetBufferedRegion());
  for (; !pixel.IsAtEnd(); ++pixel)
  {
    ASSERT_EQ(pixel.Get(), static_cast<typename Output::PixelType>(function(pixel.GetIndex()))) << pixel.GetIndex();
  }
}

template <typename TInput, typename TOutput>
auto
MakeFilter(const TInput * image, const std::string & text)
{
  const auto filter = itk::CudaTextFunctionImageFilter<TInput, TOutput>::New();
  filter->SetInput(image);
  filter->SetText(text);
  return filter;
}
} // namespace

TEST(CudaTextFunction, ComputesPixels)
{
  const auto image = MakeRandomImage<Floats>({ { 61, 37 } }, 3);
  const auto filter = MakeFilter<Floats, Bytes>(image, "x > t ? 255 : 0");
  filter->SetRealParameter("t", 127.5);
  ExpectPixels(filter.GetPointer(), [&](const auto & index) { return image->GetPixel(index) > 127.5 ? 255 : 0; });
  filter->SetRealParameter("t", 50.0); // no compilation
  ExpectPixels(filter.GetPointer(), [&](const auto & index) { return image->GetPixel(index) > 50.0 ? 255 : 0; });
  filter->SetText("const double twice = 2.0 * x;\nif (twice < t)\n{\n  return 1;\n}\nreturn twice < 3 * t ? 2 : 3;");
  ExpectPixels(filter.GetPointer(), [&](const auto & index) {
    const double twice = 2.0 * image->GetPixel(index);
    return twice < 50.0 ? 1 : (twice < 150.0 ? 2 : 3);
  });
}

TEST(CudaTextFunction, KnowsThreeImagesAndTheIndex)
{
  const auto a = MakeRandomImage<Shorts>({ { 61, 37 } }, 1);
  const auto b = MakeRandomImage<Shorts>({ { 61, 37 } }, 2);
  const auto filter = MakeFilter<Shorts, Floats>(a, "min(x, y) + max(z, 3) * 2 + 0.5 * index[0] - k * index[1]");
  filter->SetInput(1, b);
  filter->SetInput(2, a); // one image twice
  filter->SetIntegerParameter("k", 7);
  ExpectPixels(filter.GetPointer(), [&](const auto & index) {
    const int x = a->GetPixel(index);
    const int y = b->GetPixel(index);
    return static_cast<float>(std::min(x, y) + std::max(x, 3) * 2 + 0.5 * index[0] - 7 * index[1]);
  });
}

TEST(CudaTextFunction, KnowsNeighboursInTwoAndThreeDimensions)
{
  const auto plane = MakeRandomImage<Floats>({ { 61, 37 } }, 3);
  const auto at = [](const auto & image, auto index, int axis, int offset) {
    const auto size = static_cast<long>(image->GetBufferedRegion().GetSize(axis));
    index[axis] = std::min(std::max<long>(index[axis] + offset, 0), size - 1);
    return image->GetPixel(index);
  };
  const auto gradient = MakeFilter<Floats, Floats>(plane, "n(1, 0) - n(-1, 0) + 2.0f * (n(0, 2) - n(0, -2))");
  gradient->SetRadius({ { 1, 2 } });
  ExpectPixels(gradient.GetPointer(), [&](const auto & index) {
    return at(plane, index, 0, 1) - at(plane, index, 0, -1) + 2.0f * (at(plane, index, 1, 2) - at(plane, index, 1, -2));
  });

  const auto volume = MakeRandomImage<Volume>({ { 13, 17, 11 } }, 3);
  const auto mean = itk::MeanImageFilter<Volume, Volume>::New();
  mean->SetInput(volume);
  mean->SetRadius(1);
  mean->Update();
  const auto sum = MakeFilter<Volume, Volume>(volume,
                                              "double sum = 0.0;\n"
                                              "for (int k = -1; k <= 1; ++k)\n"
                                              "  for (int j = -1; j <= 1; ++j)\n"
                                              "    for (int i = -1; i <= 1; ++i)\n"
                                              "      sum += n(i, j, k);\n"
                                              "return sum / 27.0;");
  sum->SetRadius({ { 1, 1, 1 } });
  ExpectPixels(sum.GetPointer(), [&](const auto & index) { return mean->GetOutput()->GetPixel(index); });
  // Again in tiles.
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(volume->GetBufferedRegion().GetNumberOfPixels() * sizeof(short));
  sum->SetCudaInterface(interface);
  ExpectPixels(sum.GetPointer(), [&](const auto & index) { return mean->GetOutput()->GetPixel(index); });
  EXPECT_EQ(sum->GetNumberOfTiles() > 1, HasDevice());
}

TEST(CudaTextFunction, KnowsTheFunctionsOfC)
{
  const auto image = MakeRandomImage<Bytes>({ { 61, 37 } }, 3);
  const auto floats = MakeRandomImage<Floats>({ { 61, 37 } }, 3);
  // With integers, with numbers of several types, and with NaN.
  ExpectPixels(MakeFilter<Bytes, Floats>(image, "sqrt(x) + floor(x / 3.0f) + fabs(x - 9) + fmod(x, 3)").GetPointer(),
               [&](const auto & index) {
                 const int x = image->GetPixel(index);
                 return static_cast<float>(std::sqrt(static_cast<double>(x)) + std::floor(x / 3.0f) + std::abs(x - 9) +
                                           x % 3);
               });
  const auto limited = MakeFilter<Floats, Bytes>(floats, "min(max(x * 2, 0), limit) // return nothing");
  limited->SetIntegerParameter("limit", 255);
  ExpectPixels(limited.GetPointer(), [&](const auto & index) {
    return static_cast<int>(std::min(std::max(floats->GetPixel(index) * 2, 0.0f), 255.0f));
  });
  ExpectPixels(
    MakeFilter<Bytes, Bytes>(image, "isnan(max(NAN, 0.0f)) && isinf(INFINITY) && M_PI > 3 ? 1 : 0").GetPointer(),
    [](const auto &) { return 1; });
}

TEST(CudaTextFunction, ComputesOnTheCpuToo)
{
  const auto image = MakeRandomImage<Shorts>({ { 61, 37 } }, 3);
  const auto filter = itk::TextFunctionImageFilter<Shorts, Shorts>::New();
  filter->SetInput(image);
  filter->SetText("n(1, 0) - x");
  filter->SetRadius({ { 1, 0 } });
  filter->Update();
  const int difference = image->GetPixel({ { 4, 4 } }) - image->GetPixel({ { 3, 4 } });
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 3, 4 } }), static_cast<short>(difference));
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 60, 4 } }), 0);
}

TEST(CudaTextFunction, TellsWhatTheCompilerSays)
{
  const auto image = MakeRandomImage<Shorts>({ { 8, 8 } }, 3);
  const auto run = [&](const std::string & text) {
    return GetExceptionOf([&] { MakeFilter<Shorts, Shorts>(image, text)->Update(); });
  };
  const std::string unknown = run("x +\nunknownName");
  EXPECT_NE(unknown.find("unknownName"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("text"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("2: unknownName"), std::string::npos) << unknown; // the line
  for (const char * const text :
       { "x + /* no end", "x + \"no end", "(x + 1", "x)", "x; return", "return", "} int f() {" })
  {
    EXPECT_NE(run(text).find("does not compile"), std::string::npos) << text;
  }
  EXPECT_NE(run(" \n").find("empty"), std::string::npos);
  EXPECT_NE(run("n(1, 0)").find("does not compile"), std::string::npos); // the radius is 0
}

TEST(CudaTextFunction, RejectsWrongParametersTypesAndInputs)
{
  const auto image = MakeRandomImage<Shorts>({ { 8, 8 } }, 3);
  for (const char * const name : { "", "1a", "a b", "x", "index", "a-b" })
  {
    const auto filter = MakeFilter<Shorts, Shorts>(image, "x");
    filter->SetRealParameter(name, 1.0);
    EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("name"), std::string::npos) << name;
  }
  using Longs = itk::Image<long long, 2>;
  const auto longs = Longs::New();
  longs->SetRegions(itk::Size<2>{ { 8, 8 } });
  longs->Allocate(true);
  EXPECT_NE(GetExceptionOf([&] { MakeFilter<Longs, Longs>(longs, "x")->Update(); }).find("8, 16 and 32 bits"),
            std::string::npos);
  using Movie = itk::Image<short, 4>;
  const auto movie = Movie::New();
  movie->SetRegions(itk::Size<4>{ { 4, 4, 2, 2 } });
  movie->Allocate(true);
  EXPECT_NE(GetExceptionOf([&] { MakeFilter<Movie, Movie>(movie, "x")->Update(); }).find("three dimensions"),
            std::string::npos);
  const auto filter = MakeFilter<Shorts, Shorts>(image, "x");
  filter->SetInput(3, image);
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("at most 3"), std::string::npos);
}

TEST(CudaTextFunction, NoticesNeighboursBeyondTheRadius)
{
  const auto image = MakeRandomImage<Shorts>({ { 8, 8 } }, 3);
  const auto filter = itk::TextFunctionImageFilter<Shorts, Shorts>::New();
  filter->SetInput(image);
  filter->SetText("n(2, 0)");
  filter->SetRadius({ { 1, 1 } });
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("beyond the radius"), std::string::npos);
}

TEST(CudaTextFunction, NeedsACompilerOnTheCpu)
{
  const auto           image = MakeRandomImage<Shorts>({ { 8, 8 } }, 3);
  const ScopedVariable compiler("CUDAFILTERS_CXX", "no-such-compiler");
  const auto           filter = itk::TextFunctionImageFilter<Shorts, Shorts>::New();
  filter->SetInput(image);
  filter->SetText("x + 17041");
  EXPECT_NE(GetExceptionOf([&] { filter->Update(); }).find("needs a C++ compiler"), std::string::npos);
}

TEST(CudaTextFunction, KeepsCompiledTextsOnDisk)
{
  const std::string folder = ::testing::TempDir() + "/cudafilters-texts";
  itksys::SystemTools::RemoveADirectory(folder);
  const ScopedVariable cache("CUDAFILTERS_CACHE", folder);
  const auto           image = MakeRandomImage<Shorts>({ { 8, 8 } }, 3);
  const auto           filter = MakeFilter<Shorts, Shorts>(image, "x + 17042");
  ExpectPixels(filter.GetPointer(), [&](const auto & index) { return image->GetPixel(index) + 17042; });
  EXPECT_EQ(itksys::Directory::GetNumberOfFilesInDirectory(folder), 3u); // ., .. and the text
  itksys::SystemTools::RemoveADirectory(folder);
}
