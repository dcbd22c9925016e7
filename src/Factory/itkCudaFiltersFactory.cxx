// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaFiltersFactory.h"
#include "FilterDefaults.h"
#include "Overrides.h"
#include "Runner/DropInState.h"
#include "Runner/Environment.h"
#include <algorithm>
#include <cstdlib>
#include <list>
#include <sstream>

namespace itk
{
namespace
{
/** The parts of a text between commas, without spaces. */
std::vector<std::string>
Split(const std::string & text)
{
  std::vector<std::string> parts;
  std::istringstream       stream(text);
  for (std::string part; std::getline(stream, part, ',');)
  {
    part.erase(std::remove(part.begin(), part.end(), ' '), part.end());
    if (!part.empty())
    {
      parts.push_back(part);
    }
  }
  return parts;
}

bool
IsNumber(const std::string & text)
{
  return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
}

/** Whether the program has a factory of its own for a class, and ITK asks this one first only because it has loaded the
 * plug-in first. */
bool
ProgramOverrides(CudaFiltersFactory & own, const char * nameOfClass)
{
  if (*own.GetLibraryPath() == '\0')
  {
    return false; // the program has registered this factory
  }
  for (ObjectFactoryBase * const factory : ObjectFactoryBase::GetRegisteredFactories())
  {
    if (factory == &own)
    {
      continue;
    }
    const std::list<std::string> names = factory->GetClassOverrideNames();
    const std::list<bool>        areEnabled = factory->GetEnableFlags();
    auto                         isEnabled = areEnabled.begin();
    for (auto name = names.begin(); name != names.end(); ++name, ++isEnabled)
    {
      if (*isEnabled && *name == nameOfClass)
      {
        return true;
      }
    }
  }
  return false;
}
} // namespace

CudaFiltersFactory::CudaFiltersFactory()
{
  CudaFilters::Overrides overrides(*this);
  CudaFilters::AddAllOverrides(overrides);
  this->ObeyEnvironment();
}

CudaFiltersFactory::~CudaFiltersFactory() = default;

CudaFiltersFactory *
CudaFiltersFactory::GetInstance()
{
  // Never destroyed: the lists of ITK, which may be destroyed later, refer to it.
  static CudaFiltersFactory * const instance = [] {
    const Pointer created = Self::New();
    created->Register();
    return created.GetPointer();
  }();
  return instance;
}

bool
CudaFiltersFactory::IsRegistered()
{
  const auto factories = ObjectFactoryBase::GetRegisteredFactories();
  return std::find(factories.begin(), factories.end(), GetInstance()) != factories.end();
}

void
CudaFiltersFactory::RegisterOneFactory()
{
  if (!IsRegistered())
  {
    ObjectFactoryBase::RegisterFactory(GetInstance(), InsertionPositionEnum::INSERT_AT_FRONT);
  }
}

void
CudaFiltersFactory::UnRegisterOneFactory()
{
  ObjectFactoryBase::UnRegisterFactory(GetInstance());
}

std::string
CudaFiltersFactory::GetWhyDeclined()
{
  return CudaFilters::DropInState::Get().GetWhyDeclined();
}

LightObject::Pointer
CudaFiltersFactory::CreateObject(const char * nameOfClass)
{
  if (!GetWhyDeclined().empty())
  {
    return nullptr;
  }
  const LightObject::Pointer object = Superclass::CreateObject(nameOfClass);
  return object && ProgramOverrides(*this, nameOfClass) ? nullptr : object;
}

std::list<LightObject::Pointer>
CudaFiltersFactory::CreateAllObject(const char * nameOfClass)
{
  return GetWhyDeclined().empty() ? Superclass::CreateAllObject(nameOfClass) : std::list<LightObject::Pointer>();
}

std::vector<std::string>
CudaFiltersFactory::GetNamesOfFilters() const
{
  std::vector<std::string> names;
  for (const auto & filter : m_Filters)
  {
    names.push_back(filter.first);
  }
  return names;
}

auto
CudaFiltersFactory::Find(const std::string & nameOfFilter) const -> Filters::const_iterator
{
  const auto filter = m_Filters.find(nameOfFilter);
  if (filter == m_Filters.end())
  {
    itkExceptionMacro(<< "There is no override of " << nameOfFilter);
  }
  return filter;
}

void
CudaFiltersFactory::SetEnabled(const std::string & nameOfFilter, bool enabled)
{
  for (const auto & names : this->Find(nameOfFilter)->second.Classes)
  {
    this->SetEnableFlag(enabled, names.first.c_str(), names.second.c_str());
  }
}

bool
CudaFiltersFactory::GetEnabled(const std::string & nameOfFilter) const
{
  const auto & classes = this->Find(nameOfFilter)->second.Classes;
  return std::any_of(classes.begin(), classes.end(), [this](const auto & names) {
    return const_cast<Self *>(this)->GetEnableFlag(names.first.c_str(), names.second.c_str());
  });
}

void
CudaFiltersFactory::SetMinimumNumberOfPixels(const std::string & nameOfFilter, SizeValueType pixels)
{
  this->Find(nameOfFilter)->second.Replaced->SetMinimumPixels(pixels);
}

SizeValueType
CudaFiltersFactory::GetMinimumNumberOfPixels(const std::string & nameOfFilter) const
{
  return this->Find(nameOfFilter)->second.Replaced->GetMinimumPixels();
}

void
CudaFiltersFactory::ObeyEnvironment()
{
  const auto & environment = CudaFilters::Environment::Get();
  const auto   setEnabled = [this](const std::string & variable, const std::string & names, bool enabled) {
    for (const std::string & name : Split(names))
    {
      if (m_Filters.count(name) == 0)
      {
        CudaFilters::WriteLine(variable + ": there is no override of " + name);
        continue;
      }
      this->SetEnabled(name, enabled);
    }
  };
  setEnabled("ITK_CUDA_ENABLE", environment.Enabled, true);
  setEnabled("ITK_CUDA_DISABLE", environment.Disabled, false);
  for (const std::string & part : Split(environment.MinimumPixels))
  {
    const std::size_t equals = part.find('=');
    const std::string name = equals == std::string::npos ? "" : part.substr(0, equals);
    const std::string number = equals == std::string::npos ? part : part.substr(equals + 1);
    if (!IsNumber(number) || (!name.empty() && m_Filters.count(name) == 0) || equals == 0)
    {
      CudaFilters::WriteLine("ITK_CUDA_MINIMUM_PIXELS: " + part +
                             " is neither a number nor the name of a filter with an override, =, and a number");
      continue;
    }
    for (auto & filter : m_Filters)
    {
      if (name.empty() || name == filter.first)
      {
        filter.second.Replaced->SetMinimumPixels(std::strtoull(number.c_str(), nullptr, 10));
      }
    }
  }
}

void
CudaFiltersFactory::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);

  os << indent << "WhyDeclined: " << GetWhyDeclined() << std::endl;
  os << indent << "Filters: " << m_Filters.size() << std::endl;
  for (const auto & filter : m_Filters)
  {
    os << indent.GetNextIndent() << filter.first << ": " << (this->GetEnabled(filter.first) ? "enabled" : "disabled")
       << ", ";
    const SizeValueType minimum = filter.second.Replaced->GetMinimumPixels();
    if (minimum == OnlyIfOnDevice)
    {
      os << "for images on a device" << std::endl;
    }
    else
    {
      os << "from " << minimum << " pixels" << std::endl;
    }
  }
}

namespace CudaFilters
{
void
Overrides::Add(const char * nameOfParent, const char * parent, const char * filter, FunctionMaker makeFunction)
{
  CudaFiltersFactory::Filter & entry = m_Factory.m_Filters[nameOfParent];
  const FilterDefaults         defaults = GetFilterDefaults(nameOfParent);
  if (!entry.Replaced)
  {
    entry.Replaced =
      std::make_shared<ReplacedFilter>(nameOfParent, defaults.MinimumPixels, defaults.NanosecondsPerPixel);
  }
  entry.Classes[parent] = filter;
  m_Factory.RegisterOverride(
    parent, filter, "Computes on a CUDA device", defaults.IsEnabled, makeFunction(entry.Replaced).GetPointer());
}
} // namespace CudaFilters
} // namespace itk

extern "C"
{
  // For the plug-in, which loads this library.
  itk::ObjectFactoryBase *
  itkCudaFiltersGetFactory();
}

itk::ObjectFactoryBase *
itkCudaFiltersGetFactory()
{
  return itk::CudaFiltersFactory::GetInstance();
}
