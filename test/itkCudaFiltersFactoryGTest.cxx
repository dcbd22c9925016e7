// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Objects of this module behind New() of ITK's filters. test/DropIn tests the plug-in, and programs that know nothing
// of it.

#include "itkCudaFiltersFactory.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaGrayscaleFillholeImageFilter.h"
#include "itkCudaMedianImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkGrayscaleFillholeImageFilter.h"
#include "itkMedianImageFilter.h"
#include "itkPeriodicBoundaryCondition.h"
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <typeinfo>
#include <vector>

namespace
{
using namespace itk::CudaTest;

using Bytes = itk::Image<unsigned char, 2>;
using Median = itk::MedianImageFilter<Bytes, Bytes>;
using CudaMedian = itk::CudaMedianImageFilter<Bytes, Bytes>;
using Fillhole = itk::GrayscaleFillholeImageFilter<Bytes, Bytes>;

/** Registers the factory during a test, and asks for the device. */
class CudaDropIns : public testing::Test
{
protected:
  void
  SetUp() override
  {
    m_Backend = itk::CudaInterface::GetDefault()->GetBackend();
    itk::CudaFiltersFactory::RegisterOneFactory();
    if (!itk::CudaFiltersFactory::GetWhyDeclined().empty())
    {
      GTEST_SKIP() << itk::CudaFiltersFactory::GetWhyDeclined();
    }
    if (HasDevice())
    {
      itk::CudaInterface::GetDefault()->SetBackend(itk::CudaBackendEnum::CUDA);
    }
  }
  void
  TearDown() override
  {
    itk::CudaInterface::GetDefault()->SetBackend(m_Backend);
    auto * const factory = itk::CudaFiltersFactory::GetInstance();
    for (const std::string & name : factory->GetNamesOfFilters())
    {
      factory->SetEnabled(name, std::count(m_NotByDefault.begin(), m_NotByDefault.end(), name) == 0);
    }
    itk::CudaFiltersFactory::UnRegisterOneFactory();
  }

  static Bytes::Pointer
  MakeInput()
  {
    return MakeRandomImage<Bytes>(Bytes::SizeType{ { 40, 30 } }, 1);
  }

  const std::vector<std::string> m_NotByDefault = { "DanielssonDistanceMapImageFilter",
                                                    "SignedDanielssonDistanceMapImageFilter" };

private:
  itk::CudaBackendEnum m_Backend = itk::CudaBackendEnum::Auto;
};

TEST_F(CudaDropIns, StandForTheFiltersOfItk)
{
  const Median::Pointer filter = Median::New();
  EXPECT_NE(dynamic_cast<CudaMedian *>(filter.GetPointer()), nullptr);
  EXPECT_STREQ(filter->GetNameOfClass(), "MedianImageFilter");
  EXPECT_STREQ(CudaMedian::New()->GetNameOfClass(), "CudaMedianImageFilter");
}

TEST_F(CudaDropIns, AreCreatedForAllOverrides)
{
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  const auto                      names = factory->GetNamesOfFilters();
  EXPECT_EQ(names.size(), 55u);
  for (const std::string & name : names)
  {
    const bool isEnabled = std::count(m_NotByDefault.begin(), m_NotByDefault.end(), name) == 0;
    EXPECT_EQ(factory->GetEnabled(name), isEnabled) << name;
  }
  for (const std::string & name : m_NotByDefault)
  {
    factory->SetEnabled(name, true);
  }
  std::set<std::string> found;
  for (const std::string & type : factory->GetClassOverrideNames())
  {
    const itk::LightObject::Pointer object = itk::ObjectFactoryBase::CreateInstance(type.c_str());
    ASSERT_NE(object, nullptr) << type;
    object->UnRegister();
    const std::string name = object->GetNameOfClass();
    EXPECT_NE(type.find(name), std::string::npos) << type << " is named " << name;
    EXPECT_STREQ(object->CreateAnother()->GetNameOfClass(), name.c_str());
    found.insert(name);
  }
  EXPECT_EQ(found, std::set<std::string>(names.begin(), names.end()));
}

TEST_F(CudaDropIns, CanBeDisabled)
{
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  factory->SetEnabled("MedianImageFilter", false);
  EXPECT_FALSE(factory->GetEnabled("MedianImageFilter"));
  EXPECT_EQ(dynamic_cast<CudaMedian *>(Median::New().GetPointer()), nullptr);
  EXPECT_STREQ(Fillhole::New()->GetNameOfClass(), "GrayscaleFillholeImageFilter");
  factory->SetEnabled("MedianImageFilter", true);
  EXPECT_NE(dynamic_cast<CudaMedian *>(Median::New().GetPointer()), nullptr);
  EXPECT_THROW(factory->SetEnabled("NoImageFilter", true), itk::ExceptionObject);
  EXPECT_THROW(factory->GetEnabled("CannyEdgeDetectionImageFilter"), itk::ExceptionObject);
}

TEST_F(CudaDropIns, CanBeDisabledForOneType)
{
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  factory->SetEnableFlag(false, typeid(Median).name(), typeid(CudaMedian).name());
  EXPECT_EQ(dynamic_cast<CudaMedian *>(Median::New().GetPointer()), nullptr);
  EXPECT_TRUE(factory->GetEnabled("MedianImageFilter")); // other types
  factory->Disable(typeid(Fillhole).name());
  EXPECT_EQ((dynamic_cast<itk::CudaGrayscaleFillholeImageFilter<Bytes, Bytes> *>(Fillhole::New().GetPointer())),
            nullptr);
}

TEST_F(CudaDropIns, EndWithTheRegistration)
{
  EXPECT_TRUE(itk::CudaFiltersFactory::IsRegistered());
  itk::CudaFiltersFactory::RegisterOneFactory();
  const auto factories = itk::ObjectFactoryBase::GetRegisteredFactories();
  EXPECT_EQ(std::count(factories.begin(), factories.end(), itk::CudaFiltersFactory::GetInstance()), 1);

  const Median::Pointer before = Median::New();
  itk::CudaFiltersFactory::UnRegisterOneFactory();
  EXPECT_FALSE(itk::CudaFiltersFactory::IsRegistered());
  itk::CudaFiltersFactory::UnRegisterOneFactory();
  const Median::Pointer after = Median::New();
  EXPECT_EQ(dynamic_cast<CudaMedian *>(after.GetPointer()), nullptr);

  const auto input = MakeInput();
  for (Median * const filter : { before.GetPointer(), after.GetPointer() })
  {
    filter->SetInput(input);
    filter->Update();
  }
  ExpectEqualImages<Bytes>(after->GetOutput(), before->GetOutput());
}

TEST_F(CudaDropIns, LeaveImagesBetweenThemOnTheDevice)
{
  const auto input = MakeInput();
  const auto median = Median::New();
  median->SetInput(input);
  const auto fill = Fillhole::New();
  fill->SetInput(median->GetOutput());
  median->ReleaseDataFlagOn();
  const CopyWatch released;
  fill->Update();
  released.Expect(1, 1);

  // What a program may read is copied to the host, but not back.
  median->ReleaseDataFlagOff();
  median->Modified();
  const CopyWatch kept;
  fill->Update();
  kept.Expect(1, 2);
  const Bytes * const between = median->GetOutput();
  itk::CudaFiltersFactory::UnRegisterOneFactory();
  const auto reference = Median::New();
  reference->SetInput(input);
  reference->Update();
  EXPECT_EQ(between->GetPixel({ { 11, 12 } }), reference->GetOutput()->GetPixel({ { 11, 12 } }));
  ExpectEqualImages<Bytes>(reference->GetOutput(), between);
}

TEST_F(CudaDropIns, ComputeSmallImagesOnTheCpu)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device";
  }
  itk::CudaInterface::GetDefault()->SetBackend(itk::CudaBackendEnum::Auto);
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  const itk::SizeValueType        usual = factory->GetMinimumNumberOfPixels("MedianImageFilter");
  EXPECT_EQ(usual, 4096u);
  EXPECT_EQ(factory->GetMinimumNumberOfPixels("AddImageFilter"), itk::CudaFiltersFactory::OnlyIfOnDevice);

  const auto median = Median::New();
  median->SetInput(MakeInput());
  const auto & cuda = dynamic_cast<const CudaMedian &>(*median);
  median->Update();
  EXPECT_FALSE(cuda.GetExecutedOnDevice());
  EXPECT_NE(cuda.GetExecutedOn().find("the image is small"), std::string::npos) << cuda.GetExecutedOn();

  factory->SetMinimumNumberOfPixels("MedianImageFilter", 1200);
  median->Modified();
  median->Update();
  EXPECT_TRUE(cuda.GetExecutedOnDevice()) << cuda.GetExecutedOn();

  // An image that is on the device is computed there.
  const auto fill = Fillhole::New();
  fill->SetInput(median->GetOutput());
  median->Modified();
  fill->Update();
  EXPECT_TRUE((dynamic_cast<const itk::CudaGrayscaleFillholeImageFilter<Bytes, Bytes> &>(*fill).GetExecutedOnDevice()));
  factory->SetMinimumNumberOfPixels("MedianImageFilter", usual);
}

TEST_F(CudaDropIns, TakeTheCpuForWhatHasNoKernel)
{
  using Floats = itk::Image<float, 2>;
  // Even if the device is asked for: its program knows nothing of kernels.
  const auto                             filter = itk::DiscreteGaussianImageFilter<Floats, Floats>::New();
  itk::PeriodicBoundaryCondition<Floats> periodic;
  filter->SetInput(MakeRandomImage<Floats>(Floats::SizeType{ { 20, 20 } }, 1));
  filter->SetRealBoundaryCondition(&periodic);
  filter->SetInputBoundaryCondition(&periodic);
  filter->SetVariance(2.0);
  EXPECT_NO_THROW(filter->Update());
  EXPECT_FALSE((dynamic_cast<itk::CudaDiscreteGaussianImageFilter<Floats> &>(*filter).GetExecutedOnDevice()));
}

TEST_F(CudaDropIns, ThrowIfTheMemoryOfADeviceThatIsAskedForDoesNotSuffice)
{
  if (!HasDevice())
  {
    GTEST_SKIP() << "needs a device";
  }
  itk::CudaInterface * const settings = itk::CudaInterface::GetDefault();
  const auto                 fill = Fillhole::New();
  fill->SetInput(MakeInput());
  settings->SetMemoryBudget(1);
  EXPECT_NE(GetExceptionOf([&] { fill->Update(); }).find("allowed or free 1 bytes"), std::string::npos);
  // Otherwise the CPU computes, with a warning.
  settings->SetBackend(itk::CudaBackendEnum::Auto);
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  const itk::SizeValueType        usual = factory->GetMinimumNumberOfPixels("GrayscaleFillholeImageFilter");
  factory->SetMinimumNumberOfPixels("GrayscaleFillholeImageFilter", 1);
  EXPECT_NO_THROW(fill->Update());
  EXPECT_FALSE(
    (dynamic_cast<const itk::CudaGrayscaleFillholeImageFilter<Bytes, Bytes> &>(*fill).GetExecutedOnDevice()));
  factory->SetMinimumNumberOfPixels("GrayscaleFillholeImageFilter", usual);
  settings->SetMemoryBudget(itk::CudaInterface::NoMemoryBudget);
}

TEST(CudaFiltersFactory, TakesSettingsOnAnyMachine)
{
  itk::CudaFiltersFactory * const factory = itk::CudaFiltersFactory::GetInstance();
  factory->SetEnabled("MeanImageFilter", false);
  EXPECT_FALSE(factory->GetEnabled("MeanImageFilter"));
  factory->SetEnabled("MeanImageFilter", true);
  EXPECT_EQ(factory->GetMinimumNumberOfPixels("MeanImageFilter"), 4096u);
  EXPECT_THROW(factory->GetEnabled("NoImageFilter"), itk::ExceptionObject);
}

TEST(CudaFiltersFactory, LeavesItksObjectsWhereThereIsNoDevice)
{
  if (itk::CudaFiltersFactory::GetWhyDeclined().empty())
  {
    GTEST_SKIP() << "there may be a device";
  }
  itk::CudaFiltersFactory::RegisterOneFactory();
  EXPECT_EQ(dynamic_cast<CudaMedian *>(Median::New().GetPointer()), nullptr);
  itk::CudaFiltersFactory::UnRegisterOneFactory();
}

TEST(CudaFiltersFactory, PrintsItself)
{
  std::ostringstream text;
  itk::CudaFiltersFactory::GetInstance()->Print(text);
  for (const std::string line : { "MeanImageFilter: enabled, from 4096 pixels\n",
                                  "AddImageFilter: enabled, for images on a device\n",
                                  "DanielssonDistanceMapImageFilter: disabled, from 4096 pixels\n" })
  {
    EXPECT_NE(text.str().find(' ' + line), std::string::npos) << text.str();
  }
  EXPECT_STREQ(itk::CudaFiltersFactory::GetInstance()->GetITKSourceVersion(), ITK_SOURCE_VERSION);
}
} // namespace
