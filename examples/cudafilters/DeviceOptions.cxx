// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceOptions.h"
#include "Terminal.h"

void
DeviceOptions::AddTo(CLI::App & app)
{
  app.add_option("--backend", this->Backend, "Where to compute: auto, cuda or cpu")
    ->check(CLI::IsMember({ "auto", "cuda", "cpu" }).description(""))
    ->type_name("NAME")
    ->capture_default_str();
  app.add_option("--device", this->Device, "Number of the GPU")->check(NotNegative())->capture_default_str();
  app.add_option("--block-size",
                 this->BlockSize,
                 "Threads per block, a multiple of 32 from 32 to 1024, for convolutions, stencils and edge linking; "
                 "reconstruction has its own");
  app.add_option("--memory-budget", this->MemoryBudget, "Device memory to use at most, as in 500MB or 2GB")
    ->transform(AsBytes())
    ->type_name("BYTES");
}

void
DeviceOptions::Apply(bool timing) const
{
  itk::CudaInterface & process = *itk::CudaInterface::GetDefault();
  process.SetBackend(this->Backend == "cuda"  ? itk::CudaBackendEnum::CUDA
                     : this->Backend == "cpu" ? itk::CudaBackendEnum::CPU
                                              : itk::CudaBackendEnum::Auto);
  if (this->Backend != "cpu" && itk::CudaInterface::GetNumberOfDevices() > 0)
  {
    process.SetDeviceNumber(this->Device);
  }
  if (this->BlockSize != 0)
  {
    for (unsigned int family = 0; family < itk::CudaNumberOfKernelFamilies; ++family)
    {
      process.SetBlockSize(static_cast<itk::CudaKernelFamilyEnum>(family), this->BlockSize);
    }
  }
  process.SetMemoryBudget(this->MemoryBudget);
  process.SetTiming(timing);
  std::string  reason;
  const double startTime = TimeInMilliseconds([&] { reason = process.GetWhyNotOnDevice(); });
  if (this->Backend == "cuda" && !reason.empty())
  {
    throw UserError("--backend cuda cannot be had: " + ToOneLine(reason) + "; use --backend auto or cpu");
  }
  if (timing && reason.empty())
  {
    ShowTime("start of CUDA", startTime);
  }
}
