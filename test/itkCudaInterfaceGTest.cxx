// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaTestHelpers.h"

namespace
{
using namespace itk::CudaTest;
using itk::CudaBackendEnum;
using itk::CudaInterface;
using itk::CudaKernelFamilyEnum;

using Floats = itk::Image<float, 2>;
using Gaussian = itk::CudaDiscreteGaussianImageFilter<Floats>;

Gaussian::Pointer
MakeGaussian(CudaInterface * interface)
{
  const auto filter = Gaussian::New();
  filter->SetInput(MakeRandomImage<Floats>({ { 50, 40 } }));
  filter->SetVariance(2.0);
  filter->SetCudaInterface(interface);
  return filter;
}

bool
Contains(const std::string & text, const std::string & part)
{
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(CudaInterface, RefusesWhatCannotBe)
{
  const auto interface = CudaInterface::New();
  const auto family = CudaKernelFamilyEnum::SeparableConvolution;
  for (const unsigned int size : { 0u, 33u, 4096u, 16u, 1025u })
  {
    const std::string error = GetExceptionOf([&] { interface->SetBlockSize(family, size); });
    EXPECT_TRUE(Contains(error, "multiples of 32 from 32 to 1024")) << error;
  }
  EXPECT_EQ(interface->GetBlockSize(family), 0u);
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->GetBlockSize(static_cast<CudaKernelFamilyEnum>(99)); }),
                       "allowed are 0 to"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetDeviceNumber(-1); }), "allowed are 0"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetDeviceNumbers({}); }), "At least one"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetDeviceNumbers({ 0, 0 }); }), "twice"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetSharedMemoryCarveout(101); }), "0 to 100"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetSharedMemoryCarveout(-2); }), "0 to 100"));
  EXPECT_TRUE(Contains(GetExceptionOf([&] { CudaInterface::GetDeviceName(99); }), "no device number 99"));
  if (CudaInterface::GetNumberOfDevices() > 0)
  {
    EXPECT_TRUE(Contains(GetExceptionOf([&] { interface->SetDeviceNumber(7); }), "allowed are 0 to"));
    EXPECT_EQ(interface->GetDeviceNumber(), 0);
  }
  else
  {
    // Nothing to check against: the program goes to the CPU, as it would for device 0.
    interface->SetDeviceNumber(7);
    const auto filter = MakeGaussian(interface);
    filter->Update();
    EXPECT_TRUE(Contains(filter->GetExecutedOn(), "CPU"));
  }
}

TEST(CudaInterface, BackendCpu)
{
  const auto interface = CudaInterface::New();
  interface->SetBackend(CudaBackendEnum::CPU);
  const auto      filter = MakeGaussian(interface);
  const CopyWatch copies;
  filter->Update();
  copies.Expect(0, 0);
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  EXPECT_EQ(filter->GetExecutedOn(), "CPU (the backend is set to CPU)");
}

TEST(CudaInterface, BackendCuda)
{
  const auto interface = CudaInterface::New();
  interface->SetBackend(CudaBackendEnum::CUDA);
  const auto filter = MakeGaussian(interface);
  if (HasDevice())
  {
    filter->Update();
    EXPECT_TRUE(filter->GetExecutedOnDevice());
    EXPECT_TRUE(Contains(filter->GetExecutedOn(), CudaInterface::GetDeviceName(0)));
  }
  else
  {
    const std::string error = GetExceptionOf([&] { filter->Update(); });
    EXPECT_TRUE(Contains(error, "The backend CUDA was asked for")) << error;
    EXPECT_TRUE(Contains(error, "CUDA")) << error;
    // The same filter goes on when it is allowed to.
    interface->SetBackend(CudaBackendEnum::Auto);
    filter->Update();
    EXPECT_FALSE(filter->GetExecutedOnDevice());
  }
}

TEST(CudaInterface, EverySettingGivesTheSamePicture)
{
  const auto reference = MakeGaussian(nullptr);
  reference->Update();

  const auto compare = [&](auto configure) {
    const auto interface = CudaInterface::New();
    configure(*interface);
    const auto filter = MakeGaussian(interface);
    filter->Update();
    ExpectEqualImages<Floats>(reference->GetOutput(), filter->GetOutput());
    return filter;
  };
  for (const unsigned int size : { 32u, 96u, 512u, 1024u })
  {
    compare([size](CudaInterface & i) { i.SetBlockSize(CudaKernelFamilyEnum::SeparableConvolution, size); });
  }
  compare([](CudaInterface & i) { i.SetSharedMemoryCarveout(50); });
  compare([](CudaInterface & i) { i.SynchronousOn(); });
  const auto timed = compare([](CudaInterface & i) { i.TimingOn(); });
  for (const auto & stage : timed->GetStageTimes())
  {
    EXPECT_TRUE(stage.Name == "loading of kernels" || Contains(stage.Name, "convolution along")) << stage.Name;
  }
  // Kernels are loaded once.
  timed->Modified();
  timed->Update();
  EXPECT_EQ(timed->GetStageTimes().size(), HasDevice() ? 1u : 0u);
  for (const auto & stage : timed->GetStageTimes())
  {
    EXPECT_GE(stage.Milliseconds, 0.0);
    EXPECT_TRUE(Contains(stage.Name, "convolution along"));
  }
}

TEST(CudaInterface, AChangeRunsTheFilterAgain)
{
  const auto interface = CudaInterface::New();
  const auto filter = MakeGaussian(interface);
  filter->Update();
  interface->SetBackend(CudaBackendEnum::CPU);
  filter->Update();
  EXPECT_EQ(filter->GetExecutedOn(), "CPU (the backend is set to CPU)");
}

TEST(CudaInterface, DefaultIsOneForAll)
{
  EXPECT_EQ(CudaInterface::GetDefault(), CudaInterface::GetDefault());
  CudaInterface::GetDefault()->SetBackend(CudaBackendEnum::CPU);
  const auto filter = MakeGaussian(nullptr);
  filter->Update();
  CudaInterface::GetDefault()->SetBackend(CudaBackendEnum::Auto);
  EXPECT_FALSE(filter->GetExecutedOnDevice());
  EXPECT_EQ(filter->GetCudaInterface(), CudaInterface::GetDefault());
}

TEST(CudaInterface, PrintsBytesHeld)
{
  const auto filter = MakeGaussian(nullptr);
  filter->Update();
  std::ostringstream text;
  filter->Print(text);
  for (const char * part :
       { "Backend: Auto", "Device bytes in use: ", "Page-locked bytes in use: ", "held: ", "ExecutedOn: " })
  {
    EXPECT_TRUE(Contains(text.str(), part)) << part;
  }
  std::ostringstream imageText;
  filter->GetOutput()->Print(imageText);
  EXPECT_TRUE(Contains(imageText.str(), "HostBytes: ")) << imageText.str();
  EXPECT_TRUE(Contains(imageText.str(), "ValidSide: ")) << imageText.str();
}
