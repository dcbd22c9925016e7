// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of users that go wrong: the caller gets a clear exception or the CPU's result, and the next run works.

#include "CudaFilters/DeviceError.h"
#include "CudaFilters/detail/SeparableConvolutionOperation.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkCudaTestHelpers.h"
#include "itkSeparableConvolutionImageFilter.h"
#include <stdexcept>

namespace
{
using namespace itk::CudaTest;
using itk::CudaBackendEnum;
using itk::CudaInterface;
using itk::CudaFilters::DeviceError;
using itk::CudaFilters::OperationPointer;
using itk::CudaFilters::Region3;

using Floats = itk::Image<float, 2>;
using Parent = itk::SeparableConvolutionImageFilter<Floats, Floats>;

enum class Fault
{
  None,
  DeviceError,
  OtherException,
  HugeScratch,
  RegionOutside,
  NoOperation
};

/** A convolution by an operation of this module, with a fault. */
class FaultyOperation : public itk::CudaFilters::LocalOperation
{
public:
  FaultyOperation(OperationPointer inner, Fault fault)
    : m_Inner(std::move(inner))
    , m_Fault(fault)
  {}

  Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const override
  {
    Region3 region = m_Inner->GetInputRegion(input, outputRegion);
    region.Start[0] += m_Fault == Fault::RegionOutside ? 1000 : 0;
    return region;
  }

  std::size_t
  GetScratchBytes(const itk::CudaFilters::RegionPlan & plan) const override
  {
    return m_Fault == Fault::HugeScratch ? std::size_t(1) << 60 : m_Inner->GetScratchBytes(plan);
  }

  void
  RunRegion(itk::CudaFilters::Execution & execution, const itk::CudaFilters::RegionOnDevice & region) const override
  {
    if (m_Fault == Fault::DeviceError)
    {
      throw DeviceError(DeviceError::Kind::Failure, "a planned failure");
    }
    if (m_Fault == Fault::OtherException)
    {
      throw std::runtime_error("another failure");
    }
    dynamic_cast<const LocalOperation &>(*m_Inner).RunRegion(execution, region);
  }

private:
  OperationPointer m_Inner;
  Fault            m_Fault;
};

class FaultyFilter : public itk::CudaAcceleratedImageFilter<Parent>
{
public:
  itkCudaFilterMacro(FaultyFilter, itk::CudaAcceleratedImageFilter<Parent>);

  void
  SetFault(Fault fault)
  {
    m_Fault = fault;
    this->Modified();
  }

protected:
  FaultyFilter() = default;
  ~FaultyFilter() override = default;

  OperationPointer
  MakeOperation() override
  {
    if (m_Fault == Fault::NoOperation)
    {
      return nullptr;
    }
    itk::CudaFilters::SeparableConvolutionParameters parameters;
    parameters.InDouble = true;
    parameters.Masks[0] = this->GetMask(0);
    parameters.Masks[1] = this->GetMask(1);
    return std::make_unique<FaultyOperation>(itk::CudaFilters::MakeSeparableConvolutionOperation(
                                               parameters, itk::CudaFilters::GetPixelTypes<Floats, Floats>()),
                                             m_Fault);
  }

private:
  Fault m_Fault = Fault::None;
};

class CudaOperation : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    if (!HasDevice())
    {
      GTEST_SKIP() << "needs a device";
    }
    m_Filter = FaultyFilter::New();
    m_Filter->SetCudaInterface(m_Settings);
    const auto parent = Parent::New();
    for (Parent * const filter : { static_cast<Parent *>(m_Filter), parent.GetPointer() })
    {
      filter->SetInput(m_Image);
      filter->SetMask(0, { 0.25, 0.5, 0.25 });
      filter->SetMask(1, { -0.5, 0.0, 0.5 });
    }
    parent->Update();
    m_Expected = parent->GetOutput();
  }

  /** The filter has no pixels, and runs again without the fault. */
  void
  ExpectRecovery()
  {
    EXPECT_EQ(m_Filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels(), 0u);
    this->ExpectTheRightResult();
  }

  void
  ExpectTheRightResult()
  {
    m_Filter->SetFault(Fault::None);
    m_Filter->Update();
    EXPECT_TRUE(m_Filter->GetExecutedOnDevice()) << m_Filter->GetExecutedOn();
    ExpectEqualImages<Floats>(m_Expected, m_Filter->GetOutput());
  }

  Floats::Pointer        m_Image = MakeRandomImage<Floats>({ { 45, 37 } });
  CudaInterface::Pointer m_Settings = CudaInterface::New();
  FaultyFilter::Pointer  m_Filter;
  Floats::Pointer        m_Expected;
};
} // namespace

TEST_F(CudaOperation, ThatFailsIsAnItkException)
{
  m_Filter->SetFault(Fault::DeviceError);
  const std::string error = GetExceptionOf([&] { m_Filter->Update(); });
  EXPECT_NE(error.find("a planned failure"), std::string::npos) << error;
  this->ExpectRecovery();
}

TEST_F(CudaOperation, ThatThrowsAnythingElseThrowsThat)
{
  m_Filter->SetFault(Fault::OtherException);
  EXPECT_THROW(m_Filter->Update(), std::runtime_error);
  this->ExpectRecovery();
}

TEST_F(CudaOperation, ThatAsksForARegionOutsideTheImageIsAnItkException)
{
  m_Filter->SetFault(Fault::RegionOutside);
  const std::string error = GetExceptionOf([&] { m_Filter->Update(); });
  EXPECT_NE(error.find("outside the image"), std::string::npos) << error;
  this->ExpectRecovery();
}

TEST_F(CudaOperation, ThatNeedsTooMuchMemoryRunsOnTheCpu)
{
  const Quiet quiet;
  m_Settings->SetMemoryBudget(1000000);
  m_Filter->SetFault(Fault::HugeScratch);
  m_Filter->Update();
  EXPECT_FALSE(m_Filter->GetExecutedOnDevice());
  ExpectEqualImages<Floats>(m_Expected, m_Filter->GetOutput());

  m_Settings->SetBackend(CudaBackendEnum::CUDA);
  const std::string error = GetExceptionOf([&] { m_Filter->Update(); });
  EXPECT_NE(error.find("needed"), std::string::npos) << error;
  this->ExpectRecovery();
}

TEST_F(CudaOperation, ThatDoesNotExistRunsOnTheCpu)
{
  m_Filter->SetFault(Fault::NoOperation);
  m_Filter->Update();
  EXPECT_NE(m_Filter->GetExecutedOn().find("no operation"), std::string::npos) << m_Filter->GetExecutedOn();
  ExpectEqualImages<Floats>(m_Expected, m_Filter->GetOutput());
  this->ExpectTheRightResult();
}
