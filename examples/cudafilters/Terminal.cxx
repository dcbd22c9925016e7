// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "Terminal.h"
#include "itkOutputWindow.h"
#include <cstdio>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace
{
/** The text behind the class name and address that ITK's macros put before it. */
std::string
GetMessage(const std::string & text)
{
  const auto address = text.find("(0x");
  const auto head = text.find("): ");
  return ToOneLine(address == std::string::npos || head == std::string::npos || head < address ? text
                                                                                               : text.substr(head + 3));
}

class LineWindow : public itk::OutputWindow
{
public:
  using Self = LineWindow;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  void
  DisplayText(const char * text) override
  {
    std::cerr << "cudafilters: " << ToOneLine(text) << std::endl;
  }
  void
  DisplayWarningText(const char * text) override
  {
    // Some things are warned of once an axis and once a thread.
    const std::string message = GetMessage(text);
    if (message != m_Last)
    {
      m_Last = message;
      std::cerr << (isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "") << "cudafilters: warning: " << message << std::endl;
    }
  }
  void
  DisplayGenericOutputText(const char * text) override
  {
    this->DisplayWarningText(text);
  }

private:
  std::string m_Last;
};
} // namespace

ProgressBar::ProgressBar(itk::ProcessObject & filter, std::string name)
  : m_Filter(&filter)
  , m_Name(std::move(name))
  , m_IsActive(isatty(STDERR_FILENO) != 0)
{
  if (m_IsActive)
  {
    m_Observer = m_Filter->AddObserver(itk::ProgressEvent(),
                                       [this](const itk::EventObject &) { this->Show(m_Filter->GetProgress()); });
    this->Show(0.0f);
  }
}

ProgressBar::~ProgressBar() { this->Finish(); }

void
ProgressBar::Finish()
{
  if (m_IsActive)
  {
    m_Filter->RemoveObserver(m_Observer);
    std::fprintf(stderr, "\r\033[K");
    m_IsActive = false;
  }
}

void
ProgressBar::Show(float progress)
{
  constexpr int width = 40;
  const int     percent = static_cast<int>(progress * 100.0f + 0.5f);
  if (percent != m_Shown)
  {
    m_Shown = percent;
    const int done = percent * width / 100;
    std::fprintf(stderr,
                 "\r%s [%s%s] %3d%%",
                 m_Name.c_str(),
                 std::string(done, '#').c_str(),
                 std::string(width - done, ' ').c_str(),
                 percent);
    std::fflush(stderr);
  }
}

void
ShowWarningsAsLines()
{
  itk::OutputWindow::SetInstance(LineWindow::New());
}

std::string
ToOneLine(const std::string & text)
{
  std::istringstream in(text);
  std::string        word;
  std::string        line;
  while (in >> word)
  {
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

std::string
GetReason(const std::exception & error)
{
  const auto * const itkError = dynamic_cast<const itk::ExceptionObject *>(&error);
  return GetMessage(itkError != nullptr ? itkError->GetDescription() : error.what());
}

void
ShowTime(const std::string & what, double milliseconds, const std::string & remark)
{
  std::printf("%-32s %10.3f ms%s%s\n", what.c_str(), milliseconds, remark.empty() ? "" : "  on ", remark.c_str());
}
