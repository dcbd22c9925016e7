// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Supervisor.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
/** What the work has told of itself, in memory that both processes see. */
struct Notes
{
  using Text = char[5000];
  Text Phase;
  Text Folders[4];
};

Notes              ownNotes{}; // where there is no such memory
Notes *            notes = &ownNotes;
std::atomic<pid_t> worker{ 0 };

void
PassOn(int signal)
{
  if (worker > 0)
  {
    kill(worker, signal);
  }
}

void
Note(Notes::Text & place, const std::string & text)
{
  std::snprintf(place, sizeof(place), "%s", text.c_str());
}
} // namespace

void
SetPhase(const std::string & phase)
{
  Note(notes->Phase, phase);
}

void
AddFolderToRemove(const std::string & folder)
{
  for (Notes::Text & place : notes->Folders)
  {
    if (place[0] == '\0')
    {
      Note(place, folder);
      return;
    }
  }
}

void
ForgetFolder(const std::string & folder)
{
  for (Notes::Text & place : notes->Folders)
  {
    if (folder == place)
    {
      Note(place, "");
    }
  }
}

int
RunSupervised(const std::function<int()> & work)
{
  void * const memory = mmap(nullptr, sizeof(Notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::cout.flush();
  if (memory != MAP_FAILED)
  {
    notes = static_cast<Notes *>(memory);
  }
  const pid_t child = memory == MAP_FAILED ? -1 : fork();
  if (child < 0)
  {
    return work(); // no process to be had: without a supervisor
  }
  if (child == 0)
  {
    const int status = work();
    std::cout.flush();
    std::fflush(nullptr);
    std::exit(status);
  }
  worker = child;
  for (const int signal : { SIGINT, SIGTERM, SIGHUP })
  {
    std::signal(signal, PassOn);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
  {}
  if (WIFEXITED(status))
  {
    return WEXITSTATUS(status);
  }

  for (const Notes::Text & folder : notes->Folders)
  {
    if (folder[0] != '\0')
    {
      std::error_code error;
      std::filesystem::remove_all(folder, error);
    }
  }
  const int signal = WTERMSIG(status);
  if (isatty(STDERR_FILENO) != 0)
  {
    std::cerr << "\r\033[K";
  }
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
  {
    std::cerr << "cudafilters: interrupted; the output was not written" << std::endl;
    return 128 + signal;
  }
  std::cerr << "cudafilters: " << notes->Phase << ": the process crashed (signal " << signal
            << "); is the file complete, and is there room on the disk?" << std::endl;
  return EXIT_FAILURE;
}
