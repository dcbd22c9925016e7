// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaTextBinningFilter.h"
#include "itkCudaTextFunctionImageFilter.h"
#include "itkCudaTextReductionFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkImageReductionFilter.h"
#include "itksys/DynamicLoader.hxx"
#include "itksys/SystemTools.hxx"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace
{
using namespace itk::CudaTest;
using Bytes = itk::Image<unsigned char, 2>;
using Floats = itk::Image<float, 2>;
using Volume = itk::Image<short, 3>;

/** The same reductions in C++. */
template <typename TPixel>
struct Squares
{
  using ValueType = double;

  double
  GetIdentity() const
  {
    return 0.0;
  }
  double
  Transform(TPixel pixel) const
  {
    return static_cast<double>(pixel) * pixel;
  }
  double
  Combine(double a, double b) const
  {
    return a + b;
  }
  bool
  operator==(const Squares &) const
  {
    return true;
  }
};

template <typename TImage>
double
SumSquares(const TImage * image)
{
  const auto filter = itk::ImageReductionFilter<TImage, Squares<typename TImage::PixelType>>::New();
  filter->SetInput(image);
  filter->Update();
  return filter->GetResult();
}

template <typename TImage>
auto
MakeReduction(const TImage * image, const std::string & text, const std::string & combination, double identity = 0.0)
{
  const auto filter = itk::CudaTextReductionFilter<TImage>::New();
  filter->SetInput(image);
  filter->SetText(text);
  filter->SetCombination(combination);
  filter->SetIdentity(identity);
  return filter;
}

template <typename TFilter>
double
GetResult(TFilter * filter)
{
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice()) << filter->GetExecutedOn();
  return filter->GetResult();
}

template <typename TImage>
auto
MakeBins(const TImage * image, const std::string & text, unsigned int bins)
{
  const auto filter = itk::CudaTextBinningFilter<TImage>::New();
  filter->SetInput(image);
  filter->SetText(text);
  filter->SetNumberOfBins(bins);
  return filter;
}

/** Compares all bins with those of a function of pixel and index, which may be -1. */
template <typename TFilter, typename TImage, typename TGetBin, typename TGetWeight>
void
ExpectBins(TFilter * filter, const TImage * image, TGetBin getBin, TGetWeight getWeight)
{
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOnDevice(), HasDevice()) << filter->GetExecutedOn();
  std::vector<std::int64_t> sums(filter->GetNumberOfBins());
  for (itk::ImageRegionConstIteratorWithIndex<TImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const long bin = static_cast<long>(getBin(it.Get(), it.GetIndex()));
    if (bin >= 0)
    {
      sums[bin] += static_cast<std::int64_t>(getWeight(it.Get(), it.GetIndex()));
    }
  }
  EXPECT_EQ(filter->GetSums(), sums);
}
} // namespace

TEST(CudaTextReduction, CombinesInTheOrderOfOtherReductions)
{
  for (const auto & size : GetSizes<Floats>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<Floats>(size, 3, -4);
    const auto filter = MakeReduction<Floats>(image, "static_cast<double>(x) * x", "a + b");
    EXPECT_EQ(GetResult(filter.GetPointer()), SumSquares<Floats>(image));
  }
  // Several leaves.
  const auto image = MakeRandomImage<Floats>({ { 301, 203 } }, 3);
  EXPECT_EQ(GetResult(MakeReduction<Floats>(image, "double(x) * x", "return a + b;").GetPointer()),
            SumSquares<Floats>(image));
  const auto volume = MakeRandomImage<Volume>({ { 61, 37, 23 } }, 3);
  const auto ofVolume = MakeReduction<Volume>(volume, "x * double(x)", "a + b");
  EXPECT_EQ(GetResult(ofVolume.GetPointer()), SumSquares<Volume>(volume));
  // In tiles, the same to the last bit.
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(60000);
  ofVolume->SetCudaInterface(interface);
  EXPECT_EQ(GetResult(ofVolume.GetPointer()), SumSquares<Volume>(volume));
  EXPECT_EQ(ofVolume->GetNumberOfTiles() > 1, HasDevice());
}

TEST(CudaTextReduction, KnowsParametersAndTheIndex)
{
  const auto   image = MakeRandomImage<Bytes>({ { 131, 67 } }, 3, -4);
  const double nothing = -std::numeric_limits<double>::infinity();
  const auto   filter = MakeReduction<Bytes>(image, "x == level ? index[0] + 1000 * index[1] : -1e9", "max(a, b)");
  filter->SetIdentity(nothing);
  filter->SetIntegerParameter("level", 77);
  double expected = nothing;
  for (itk::ImageRegionConstIteratorWithIndex<Bytes> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    const double place = static_cast<double>(it.GetIndex()[0] + 1000 * it.GetIndex()[1]);
    expected = std::max(expected, it.Get() == 77 ? place : -1e9);
  }
  EXPECT_EQ(GetResult(filter.GetPointer()), expected);
  // Another value, and parameters in the combination.
  const auto scaled = MakeReduction<Bytes>(image, "1", "k * (a + b)");
  scaled->SetRealParameter("k", 1.0);
  EXPECT_EQ(GetResult(scaled.GetPointer()), 131.0 * 67.0);
  scaled->SetIdentity(0.0);
  scaled->SetText("x > 100");
  double above = 0.0;
  for (itk::ImageRegionConstIteratorWithIndex<Bytes> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    above += it.Get() > 100 ? 1.0 : 0.0;
  }
  EXPECT_EQ(GetResult(scaled.GetPointer()), above);
}

TEST(CudaTextReduction, SeesTheSignOfAParameter)
{
  const auto image = MakeRandomImage<Bytes>({ { 8, 8 } }, 3);
  const auto filter = MakeReduction<Bytes>(image, "1 / t", "a", 0.0);
  filter->SetCombination("isinf(a) ? a : b");
  filter->SetRealParameter("t", 0.0);
  EXPECT_EQ(GetResult(filter.GetPointer()), std::numeric_limits<double>::infinity());
  filter->SetRealParameter("t", -0.0);
  EXPECT_EQ(GetResult(filter.GetPointer()), -std::numeric_limits<double>::infinity());
}

TEST(CudaTextReduction, IsTheSameOnTheCpu)
{
  const auto image = MakeRandomImage<Floats>({ { 301, 203 } }, 3);
  const auto filter = itk::TextReductionFilter<Floats>::New();
  filter->SetInput(image);
  filter->SetText("double(x) * x");
  filter->Update();
  EXPECT_EQ(filter->GetResult(), SumSquares<Floats>(image));
  EXPECT_NE(filter->GetProgram().find("double(x) * x"), std::string::npos);
}

TEST(CudaTextReduction, TellsWhatIsWrong)
{
  const auto image = MakeRandomImage<Floats>({ { 8, 8 } }, 3);
  const auto run = [&](const std::string & text, const std::string & combination, const std::string & name = "k") {
    const auto filter = MakeReduction<Floats>(image, text, combination);
    filter->SetRealParameter(name, 1.0);
    return GetExceptionOf([&] { filter->Update(); });
  };
  EXPECT_NE(run("x", "a +\nunknownName").find("2: unknownName"), std::string::npos);
  EXPECT_NE(run("x", "a +").find("does not compile"), std::string::npos);
  EXPECT_NE(run("x +", "a + b").find("does not compile"), std::string::npos);
  EXPECT_NE(run("x", "x").find("does not compile"), std::string::npos);
  EXPECT_NE(run("", "a + b").find("empty"), std::string::npos);
  EXPECT_NE(run("x", " ").find("combination is empty"), std::string::npos);
  EXPECT_NE(run("x", "a + b", "a").find("name"), std::string::npos);
}

TEST(CudaTextBins, CountPixels)
{
  const auto one = [](auto, const auto &) { return 1; };
  for (const auto & size : GetSizes<Bytes>())
  {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    const auto image = MakeRandomImage<Bytes>(size, 3, -4);
    ExpectBins(
      MakeBins<Bytes>(image, "x / 16", 16).GetPointer(),
      image.GetPointer(),
      [](int x, const auto &) { return x / 16; },
      one);
  }
  const auto image = MakeRandomImage<Bytes>({ { 131, 167 } }, 3);
  const auto filter = MakeBins<Bytes>(image, "if (x < low)\n{\n  return -1;\n}\nreturn x;", 256);
  filter->SetIntegerParameter("low", 100);
  const auto fromLow = [](int x, const auto &) { return x < 100 ? -1 : x; };
  ExpectBins(filter.GetPointer(), image.GetPointer(), fromLow, one);
  filter->SetNumberOfStreamDivisions(3);
  filter->Modified();
  ExpectBins(filter.GetPointer(), image.GetPointer(), fromLow, one);
  filter->SetNumberOfStreamDivisions(1);
  const auto interface = itk::CudaInterface::New();
  interface->SetMemoryBudget(15000);
  filter->SetCudaInterface(interface);
  ExpectBins(filter.GetPointer(), image.GetPointer(), fromLow, one);
  EXPECT_EQ(filter->GetNumberOfTiles() > 1, HasDevice());
  // More bins than shared memory holds, and real numbers.
  const auto floats = MakeRandomImage<Floats>({ { 131, 167 } }, 3);
  ExpectBins(
    MakeBins<Floats>(floats, "(x + 1000) * 10", 20001).GetPointer(),
    floats.GetPointer(),
    [](float x, const auto &) { return (x + 1000) * 10; },
    one);
}

TEST(CudaTextBins, AddWeightsByTheIndex)
{
  const auto image = MakeRandomImage<Volume>({ { 31, 17, 11 } }, 3);
  const auto projection = MakeBins<Volume>(image, "index[2]", 11);
  projection->SetWeight("x");
  ExpectBins(
    projection.GetPointer(),
    image.GetPointer(),
    [](short, const auto & index) { return index[2]; },
    [](short x, const auto &) { return x; });
  EXPECT_EQ(projection->GetSum(4), projection->GetSums()[4]);
}

TEST(CudaTextBins, AreTheSameOnTheCpu)
{
  const auto image = MakeRandomImage<Bytes>({ { 131, 167 } }, 3);
  const auto filter = itk::TextBinningFilter<Bytes>::New();
  filter->SetInput(image);
  filter->SetText("x % 5");
  filter->SetWeight("2 * x");
  filter->SetNumberOfBins(5);
  filter->Update();
  std::vector<std::int64_t> sums(5);
  for (itk::ImageRegionConstIteratorWithIndex<Bytes> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    sums[it.Get() % 5] += 2 * it.Get();
  }
  EXPECT_EQ(filter->GetSums(), sums);
}

TEST(CudaTextBins, ThatDoNotExistAreAnError)
{
  const auto image = MakeRandomImage<Floats>({ { 8, 8 } }, 3);
  const auto run = [&](const std::string & text) {
    return GetExceptionOf([&] { MakeBins<Floats>(image, text, 10)->Update(); });
  };
  EXPECT_NE(run("10").find("bin 10"), std::string::npos);
  EXPECT_NE(run("-2").find("bin -2"), std::string::npos);
  EXPECT_NE(run("NAN").find("bin -9223372036854775808"), std::string::npos);
  EXPECT_NE(run("1e30").find("bin -9223372036854775808"), std::string::npos);
  EXPECT_NE(run("x +").find("does not compile"), std::string::npos);
  EXPECT_NO_THROW(MakeBins<Floats>(image, "-1", 10)->Update());
  const auto bins = MakeBins<Floats>(image, "-1", 10);
  EXPECT_NE(GetExceptionOf([&] { bins->GetSum(0); }).find("no sum of bin 0"), std::string::npos);
  bins->Update();
  EXPECT_EQ(bins->GetSum(9), 0);
  EXPECT_NE(GetExceptionOf([&] { bins->GetSum(10); }).find("no sum of bin 10"), std::string::npos);
}

// NVRTC needs no device: where its library is, texts are compiled as for one.
TEST(CudaTexts, CompileWithNvrtc)
{
  using itksys::DynamicLoader;
  std::string home;
  if (!itksys::SystemTools::GetEnv("CUDA_HOME", home))
  {
    home = "/usr/local/cuda";
  }
  DynamicLoader::LibraryHandle library = DynamicLoader::OpenLibrary("libnvrtc.so");
  for (const char * const folder : { "/lib64/", "/targets/sbsa-linux/lib/", "/targets/x86_64-linux/lib/" })
  {
    library = library == nullptr ? DynamicLoader::OpenLibrary(home + folder + "libnvrtc.so") : library;
  }
  if (library == nullptr)
  {
    GTEST_SKIP() << "There is no NVRTC.";
  }
  const auto find = [&](auto & function, const char * name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(DynamicLoader::GetSymbolAddress(library, name));
    ASSERT_NE(function, nullptr) << name;
  };
  int (*create)(void **, const char *, const char *, int, const char * const *, const char * const *) = nullptr;
  int (*compile)(void *, int, const char * const *) = nullptr;
  int (*getLogSize)(void *, std::size_t *) = nullptr;
  int (*getLog)(void *, char *) = nullptr;
  int (*destroy)(void **) = nullptr;
  find(create, "nvrtcCreateProgram");
  find(compile, "nvrtcCompileProgram");
  find(getLogSize, "nvrtcGetProgramLogSize");
  find(getLog, "nvrtcGetProgramLog");
  find(destroy, "nvrtcDestroyProgram");
  const auto getErrors = [&](const std::string & program) {
    const char * const options[] = { "--gpu-architecture=compute_90", "--std=c++17", "--fmad=false" };
    void *             handle = nullptr;
    EXPECT_EQ(create(&handle, program.c_str(), "function.cu", 0, nullptr, nullptr), 0);
    const int   status = compile(handle, 3, options);
    std::size_t length = 0;
    getLogSize(handle, &length);
    std::string log(length, '\0');
    getLog(handle, &log[0]);
    destroy(&handle);
    return status == 0 ? std::string() : log;
  };

  // All functions of C, for integers, for real numbers and for both.
  const std::string one =
    "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor ilogb isfinite isinf isnan "
    "isnormal lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint rint round signbit sin sinh sqrt "
    "tan tanh tgamma trunc";
  const std::string two = "atan2 copysign fdim fmax fmin fmod hypot max min nextafter pow remainder";
  std::string       calls = "ldexp(x, 3) + fma(x, 2, t) + fma(x, x, x) + M_E + M_SQRT1_2 + HUGE_VAL + NAN";
  std::string       name;
  for (std::istringstream names(one); names >> name;)
  {
    calls += " + " + name + "(x) + " + name + "(t)";
  }
  for (std::istringstream names(two); names >> name;)
  {
    calls += " + " + name + "(x, x) + " + name + "(x, t) + " + name + "(t, 1) + " + name + "(x, 2.0f)";
  }
  const auto check = [&](auto filter) {
    filter->SetText(calls);
    filter->SetRealParameter("t", 0.5);
    EXPECT_EQ(getErrors(filter->GetProgram()), "");
    filter->SetInput(MakeRandomImage<typename decltype(filter)::ObjectType::InputImageType>({ { 4, 4 } }));
    EXPECT_NO_THROW(filter->Update()); // as the CPU compiles it
  };
  check(itk::TextReductionFilter<Bytes>::New());
  check(itk::TextReductionFilter<Floats>::New());
  check(itk::TextReductionFilter<itk::Image<unsigned int, 2>>::New());
  check(itk::TextReductionFilter<itk::Image<double, 2>>::New());

  const auto function = itk::TextFunctionImageFilter<Volume, Volume>::New();
  function->SetInput(0, MakeRandomImage<Volume>({ { 4, 4, 4 } }));
  function->SetInput(1, MakeRandomImage<Volume>({ { 4, 4, 4 } }));
  function->SetRadius({ { 1, 2, 1 } });
  function->SetRealParameter("t", 2.0);
  function->SetIntegerParameter("k", 2);
  function->SetText("sqrt(x) + min(x, y) * n(1, -2) + n(0, 0, 1) + floor(t) + pow(x, k) + index[2] + isnan(t)");
  EXPECT_EQ(getErrors(function->GetProgram()), "");
  function->SetText("x + unknownName");
  EXPECT_NE(getErrors(function->GetProgram()).find("unknownName"), std::string::npos);
  const auto reduction = itk::TextReductionFilter<Volume>::New();
  reduction->SetText("x * index[0]");
  reduction->SetCombination("max(a, b) + k");
  reduction->SetRealParameter("k", 0.0);
  EXPECT_EQ(getErrors(reduction->GetProgram()), "");
  const auto bins = itk::TextBinningFilter<Volume>::New();
  bins->SetText("if (x < 0.5f)\n{\n  return -1;\n}\nreturn x / 2.5;");
  EXPECT_EQ(getErrors(bins->GetProgram()), "");
  bins->SetWeight("x");
  bins->SetText("x");
  EXPECT_EQ(getErrors(bins->GetProgram()), "");
}
