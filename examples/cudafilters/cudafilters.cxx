// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The filters at the command line: cudafilters COMMAND INPUT OUTPUT [OPTIONS]

#include "Command.h"
#include "Demo.h"
#include "Supervisor.h"
#include "Terminal.h"
#include "itkCudaInterface.h"
#include <algorithm>
#include <cstdlib>
#include <iostream>

std::vector<std::unique_ptr<Command>> &
GetCommands()
{
  static std::vector<std::unique_ptr<Command>> commands;
  return commands;
}

namespace
{
constexpr int UsageError = 2;

/** How the device is to be used. */
struct DeviceOptions
{
  std::string   Backend = "auto";
  int           Device = 0;
  unsigned int  BlockSize = 0;
  std::uint64_t MemoryBudget = itk::CudaInterface::NoMemoryBudget;

  void
  AddTo(CLI::App & app)
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
  Apply(bool timing) const
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
};

int
Run(int argc, char ** argv)
{
  CLI::App app("Image filters that compute on NVIDIA GPUs, and on the CPU where there is none.", "cudafilters");
  app.require_subcommand(1);
  app.footer("'cudafilters COMMAND --help' lists the options of a command.");

  DeviceOptions device;
  auto &        commands = GetCommands();
  std::sort(
    commands.begin(), commands.end(), [](const auto & a, const auto & b) { return a->GetName() < b->GetName(); });
  for (const auto & command : commands)
  {
    CLI::App & subcommand = *app.add_subcommand(command->GetName(), command->GetDescription());
    subcommand.footer("");
    command->AddTo(subcommand);
    if (command->UsesDevice())
    {
      device.AddTo(subcommand);
    }
  }
  DemoOptions demo;
  CLI::App &  demoCommand = *app.add_subcommand("demo", "Run every filter on a picture and show the results");
  demoCommand.footer("");
  demoCommand.add_option("input", demo.Input, "Picture to read")->required();
  demoCommand.add_option("output", demo.Output, "Picture to write: input and results side by side")->required();
  device.AddTo(demoCommand);

  // The parser would only say that there is no command at all.
  const auto isNamed = [argv](const CLI::App * command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(isNamed).empty())
  {
    std::cerr << "cudafilters: there is no command '" << argv[1] << "'; 'cudafilters --help' lists those there are"
              << std::endl;
    return UsageError;
  }

  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::CallForHelp & help)
  {
    return app.exit(help);
  }
  catch (const CLI::ParseError & error)
  {
    const auto  chosen = app.get_subcommands();
    std::string name = "cudafilters";
    if (!chosen.empty())
    {
      name += ' ' + chosen.front()->get_name();
    }
    std::cerr << "cudafilters: " << ToOneLine(error.what()) << "; see '" << name << " --help'" << std::endl;
    return UsageError;
  }

  // Only from here on CUDA is used, which does not survive a fork.
  return RunSupervised([&] {
    try
    {
      if (demoCommand.parsed())
      {
        device.Apply(false);
        RunDemo(demo);
      }
      for (const auto & command : commands)
      {
        if (app.got_subcommand(command->GetName()))
        {
          if (command->UsesDevice())
          {
            device.Apply(command->WantsTiming());
          }
          command->Run();
        }
      }
      return EXIT_SUCCESS;
    }
    catch (const std::exception & error)
    {
      std::cerr << "cudafilters: " << GetReason(error) << std::endl;
      return EXIT_FAILURE;
    }
  });
}
} // namespace

int
main(int argc, char ** argv)
{
  ShowWarningsAsLines();
  return Run(argc, argv);
}
