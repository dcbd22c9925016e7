// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Many threads, shared images, random filters, budgets, aborts and exceptions: every result is right, and all memory
// comes back. CUDAFILTERS_TEST_STRESS_SECONDS sets how long; by default a few seconds.

#include "itkAddImageFilter.h"
#include "itkCudaBackedImage.h"
#include "itkCudaCannyEdgeDetectionImageFilter.h"
#include "itkCudaDiscreteGaussianImageFilter.h"
#include "itkCudaHMaximaImageFilter.h"
#include "itkCudaSignedMaurerDistanceMapImageFilter.h"
#include "itkCudaSobelEdgeDetectionImageFilter.h"
#include "itkCudaTestHelpers.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace
{
using namespace itk::CudaTest;

using Floats = itk::Image<float, 2>;
using Backed = itk::CudaBackedImage<float, 2>;

constexpr unsigned int numberOfThreads = 16;
constexpr unsigned int numberOfInputs = 4;

/** Thrown by an observer. */
struct Interruption : std::runtime_error
{
  Interruption()
    : std::runtime_error("an observer has had enough")
  {}
};

/** A filter to run: ours for an image, and what ITK makes of each input. */
struct Job
{
  using FilterPointer = itk::ImageToImageFilter<Floats, Floats>::Pointer;

  std::function<FilterPointer(const Floats *, itk::CudaInterface *)> Make;
  std::vector<Floats::Pointer>                                       Expected;
  double                                                             Tolerance; // of the largest magnitude
};

template <typename TCuda, typename TCpu, typename TSet>
Job
MakeJob(const std::vector<Floats::Pointer> & inputs, double tolerance, TSet set)
{
  Job job;
  job.Tolerance = tolerance;
  job.Make = [set](const Floats * image, itk::CudaInterface * settings) {
    const auto filter = TCuda::New();
    filter->SetInput(image);
    filter->SetCudaInterface(settings);
    set(*filter);
    return Job::FilterPointer(filter.GetPointer());
  };
  for (const Floats::Pointer & input : inputs)
  {
    const auto cpu = TCpu::New();
    cpu->SetInput(input);
    set(*cpu);
    cpu->Update();
    job.Expected.push_back(cpu->GetOutput());
  }
  return job;
}

class Stress
{
public:
  Stress()
  {
    for (unsigned int i = 0; i < numberOfInputs; ++i)
    {
      m_Inputs.push_back(MakeRandomImage<Floats>({ { 61 + 16 * i, 47 + 8 * i } }, i + 1));
      const auto backed = Backed::New();
      backed->SetRegions(m_Inputs[i]->GetBufferedRegion());
      backed->Allocate();
      std::copy_n(m_Inputs[i]->GetBufferPointer(),
                  m_Inputs[i]->GetBufferedRegion().GetNumberOfPixels(),
                  backed->GetBufferPointer());
      m_Shared.push_back(backed);
    }
    using namespace itk;
    m_Jobs.push_back(MakeJob<CudaDiscreteGaussianImageFilter<Floats>, DiscreteGaussianImageFilter<Floats, Floats>>(
      m_Inputs, 1e-5, [](auto & filter) { filter.SetVariance(2.0); }));
    m_Jobs.push_back(
      MakeJob<CudaSobelEdgeDetectionImageFilter<Floats, Floats>, SobelEdgeDetectionImageFilter<Floats, Floats>>(
        m_Inputs, 1e-5, [](auto &) {}));
    m_Jobs.push_back(MakeJob<CudaHMaximaImageFilter<Floats, Floats>, HMaximaImageFilter<Floats, Floats>>(
      m_Inputs, 0.0, [](auto & filter) { filter.SetHeight(100.0f); }));
    m_Jobs.push_back(MakeJob<CudaSignedMaurerDistanceMapImageFilter<Floats, Floats>,
                             SignedMaurerDistanceMapImageFilter<Floats, Floats>>(m_Inputs, 0.0, [](auto & filter) {
      filter.SetBackgroundValue(filter.GetInput()->GetPixel({ { 20, 30 } })); // the distance to one pixel
    }));
    m_Jobs.push_back(MakeJob<CudaCannyEdgeDetectionImageFilter<Floats, Floats>,
                             CannyEdgeDetectionImageFilter<Floats, Floats>>(m_Inputs, 0.0, [](auto & filter) {
      filter.SetVariance(2.0);
      filter.SetUpperThreshold(100.0f);
      filter.SetLowerThreshold(30.0f);
      if constexpr (!std::is_same<std::decay_t<decltype(filter)>, CannyEdgeDetectionImageFilter<Floats, Floats>>::value)
      {
        filter.ExactModeOn();
      }
    }));
  }

  void
  Run(double seconds)
  {
    const auto               end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::vector<std::thread> threads;
    for (unsigned int i = 0; i < numberOfThreads; ++i)
    {
      threads.emplace_back([this, i, end] {
        std::mt19937 random(1000 + i);
        do
        {
          this->RunOne(random);
        } while (std::chrono::steady_clock::now() < end && !m_HasFailed);
      });
    }
    for (std::thread & thread : threads)
    {
      thread.join();
    }
    std::cout << m_Finished << " updates finished, " << m_Interrupted << " were interrupted" << std::endl;
    EXPECT_GT(m_Finished, 0u);
  }

private:
  void
  RunOne(std::mt19937 & random)
  {
    const unsigned int input = random() % numberOfInputs;
    const Job &        job = m_Jobs[random() % m_Jobs.size()];
    const auto         settings = itk::CudaInterface::New();
    if (random() % 3 == 0)
    {
      settings->SetMemoryBudget(20000 + random() % 60000);
    }
    if (random() % 3 == 0)
    {
      settings->SetSlabBytes(random() % 5000);
    }
    settings->SetKernelTimeLimit(1.0 + random() % 5);

    // The plain image that all threads read, or the one with a device copy; and sometimes a filter behind another.
    const Floats * const image = random() % 2 == 0 ? m_Inputs[input].GetPointer() : m_Shared[input].GetPointer();
    const auto           filter = job.Make(image, settings);
    filter->SetNumberOfWorkUnits(1);
    const unsigned int interruption = random() % 8; // 0: abort, 1: exception
    unsigned int       eventsLeft = 1 + random() % 4;
    filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
      if (--eventsLeft == 0 && interruption == 0)
      {
        filter->AbortGenerateDataOn();
      }
      if (eventsLeft == 0 && interruption == 1)
      {
        throw Interruption();
      }
      if (random() % 4 == 0)
      {
        const Backed & shared = *m_Shared[input];
        shared.GetPixel({ { 0, 0 } });
      }
    });
    bool isFinished = false;
    try
    {
      filter->Update();
      isFinished = true;
    }
    catch (const itk::ProcessAborted &)
    {
      ++m_Interrupted;
    }
    catch (const Interruption &)
    {
      ++m_Interrupted;
    }
    catch (const std::exception & error)
    {
      this->Fail(error.what());
    }
    filter->RemoveAllObservers();
    if (!isFinished)
    {
      // The next update is right.
      filter->AbortGenerateDataOff();
      filter->Update();
    }
    this->Check(filter->GetOutput(), job.Expected[input], job.Tolerance);
    ++m_Finished;
  }

  void
  Check(const Floats * image, const Floats * expected, double tolerance)
  {
    const auto    pixels = expected->GetBufferedRegion().GetNumberOfPixels();
    const float * a = image->GetBufferPointer();
    const float * b = expected->GetBufferPointer();
    double        largest = 0.0;
    double        difference = 0.0;
    for (itk::SizeValueType i = 0; i < pixels; ++i)
    {
      largest = std::max<double>(largest, std::abs(b[i]));
      difference = std::max<double>(difference, std::abs(a[i] - b[i]));
    }
    if (image->GetBufferedRegion() != expected->GetBufferedRegion() || !(difference <= tolerance * largest))
    {
      this->Fail("a result differs by " + std::to_string(difference));
    }
  }

  void
  Fail(const std::string & what)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_HasFailed = true;
    ADD_FAILURE() << what;
  }

  std::vector<Floats::Pointer> m_Inputs;
  std::vector<Backed::Pointer> m_Shared;
  std::vector<Job>             m_Jobs;
  std::mutex                   m_Mutex;
  std::atomic<bool>            m_HasFailed{ false };
  std::atomic<unsigned int>    m_Finished{ 0 };
  std::atomic<unsigned int>    m_Interrupted{ 0 };
};
} // namespace

TEST(CudaStress, SixteenThreads)
{
  const char * const text = std::getenv("CUDAFILTERS_TEST_STRESS_SECONDS");
  const double       seconds = text == nullptr ? 4.0 : std::atof(text);
  const Quiet        quiet;
  const auto         device = itk::CudaInterface::GetDeviceBytesInUse();
  const auto         host = itk::CudaInterface::GetPageLockedBytesInUse();
  {
    Stress stress;
    stress.Run(seconds);
  }
  EXPECT_EQ(itk::CudaInterface::GetDeviceBytesInUse(), device);
  EXPECT_EQ(itk::CudaInterface::GetPageLockedBytesInUse(), host);
}
