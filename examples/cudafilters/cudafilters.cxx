// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The filters at the command line: cudafilters COMMAND INPUT OUTPUT [OPTIONS]

#include "Command.h"
#include "Demo.h"
#include "DeviceOptions.h"
#include "Supervisor.h"
#include "Terminal.h"
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
