// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersOverrides_h
#define itkCudaFiltersOverrides_h

#include "itkCreateObjectFunction.h"
#include "itkCudaAcceleratedImageFilter.h"
#include "itkCudaAcceleratedImageSink.h"
#include "itkCudaFiltersFactory.h"
#include <typeinfo>
#include <utility>

namespace itk
{
namespace CudaFilters
{
/** The ITK filter that a filter of this module derives from, however many classes are between: the overloads, which
 * are not defined, deduce it from the class that accelerates it. */
template <typename TParent>
struct ParentOf
{
  using Type = TParent;
};
template <typename TParent>
ParentOf<TParent>
FindParent(const CudaAcceleratedImageFilter<TParent> *);
template <typename TParent>
ParentOf<TParent>
FindParent(const CudaAcceleratedImageSink<TParent> *);

/** Creates the drop-ins of one class. */
template <typename TFilter>
class CreateDropInFunction : public CreateObjectFunctionBase
{
public:
  using Self = CreateDropInFunction;
  using Pointer = SmartPointer<Self>;

  static Pointer
  New(FilterCore::ReplacedFilterPointer replaced)
  {
    const Pointer function = new Self(std::move(replaced));
    function->UnRegister();
    return function;
  }

  LightObject::Pointer
  CreateObject() override
  {
    const auto filter = TFilter::New();
    DropInAccess::SetReplacedFilter(*filter, m_Replaced);
    return filter.GetPointer();
  }

private:
  explicit CreateDropInFunction(FilterCore::ReplacedFilterPointer replaced)
    : m_Replaced(std::move(replaced))
  {}

  const FilterCore::ReplacedFilterPointer m_Replaced;
};

/** Adds overrides to the factory. */
class Overrides
{
public:
  explicit Overrides(CudaFiltersFactory & factory)
    : m_Factory(factory)
  {}

  /** One override. By default, of the ITK filter that TFilter derives from. */
  template <typename TFilter,
            typename TParent = typename decltype(FindParent(static_cast<const TFilter *>(nullptr)))::Type>
  void
  Add(const char * nameOfParent)
  {
    this->Add(
      nameOfParent, typeid(TParent).name(), typeid(TFilter).name(), [](FilterCore::ReplacedFilterPointer replaced) {
        return CreateObjectFunctionBase::Pointer(CreateDropInFunction<TFilter>::New(std::move(replaced)).GetPointer());
      });
  }

private:
  using FunctionMaker = CreateObjectFunctionBase::Pointer (*)(FilterCore::ReplacedFilterPointer);

  void
  Add(const char * nameOfParent, const char * parent, const char * filter, FunctionMaker makeFunction);

  CudaFiltersFactory & m_Factory;
};

/** Adds all overrides; made by src/CMakeLists.txt. */
void
AddAllOverrides(Overrides & overrides);
} // namespace CudaFilters
} // namespace itk

#endif
