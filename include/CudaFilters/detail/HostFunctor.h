// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_detail_HostFunctor_h
#define CudaFilters_detail_HostFunctor_h

#include "CudaFilters/PixelFunction.h"
#include "itkFixedArray.h"
#include "itkMacro.h"
#include <cstring>
#include <type_traits>

namespace itk
{
namespace CudaFilters
{
/** The type by which a functor knows pixels of a type of ITK: PixelArray for kinds of itk::FixedArray, else the type
 * itself. */
template <typename TPixel>
struct FunctorPixelOf
{
private:
  template <typename TComponent, unsigned int VLength>
  static PixelArray<TComponent, static_cast<int>(VLength)>
  Find(const FixedArray<TComponent, VLength> *);
  static TPixel
  Find(...);

public:
  using Type = decltype(Find(static_cast<const TPixel *>(nullptr)));
};
template <typename TPixel>
using FunctorPixel = typename FunctorPixelOf<TPixel>::Type;

template <typename TPixel>
FunctorPixel<TPixel>
ToFunctorPixel(const TPixel & pixel)
{
  if constexpr (std::is_same<FunctorPixel<TPixel>, TPixel>::value)
  {
    return pixel;
  }
  else
  {
    FunctorPixel<TPixel> result;
    static_assert(sizeof(result) == sizeof(pixel), "Pixels lie in memory as their components do.");
    std::memcpy(&result, &pixel, sizeof(result));
    return result;
  }
}

/** Converts the result of a functor to a pixel of an ITK image. */
template <typename TPixel, typename TResult>
TPixel
ToItkPixel(const TResult & result)
{
  if constexpr (std::is_same<FunctorPixel<TPixel>, TPixel>::value)
  {
    return static_cast<TPixel>(result);
  }
  else
  {
    const auto converted = static_cast<FunctorPixel<TPixel>>(result);
    TPixel     pixel;
    std::memcpy(static_cast<void *>(&pixel), &converted, sizeof(converted));
    return pixel;
  }
}

/** A functor as ITK's filters call it: with pixels of ITK's types. */
template <typename TFunctor, typename TOutput, typename... TInputs>
class HostFunctor
{
public:
  TOutput
  operator()(const TInputs &... pixels) const
  {
    if constexpr (TakesPosition<TFunctor, FunctorPixel<TInputs>...>)
    {
      itkGenericExceptionMacro("The functor needs the position of the pixel.");
    }
    else
    {
      return ToItkPixel<TOutput>(this->Functor(ToFunctorPixel(pixels)...));
    }
  }

  bool
  operator==(const HostFunctor & other) const
  {
    return this->Functor == other.Functor;
  }
  bool
  operator!=(const HostFunctor & other) const
  {
    return !(this->Functor == other.Functor);
  }

  TFunctor Functor;
};

/** The functor of the ITK filter: the user's own if ITK can call it, else a HostFunctor. */
template <typename TFunctor, typename TOutput, typename... TInputs>
using FunctorForItk = std::conditional_t<!TakesPosition<TFunctor, FunctorPixel<TInputs>...> &&
                                           std::is_same<TOutput, FunctorPixel<TOutput>>::value &&
                                           (std::is_same<TInputs, FunctorPixel<TInputs>>::value && ...),
                                         TFunctor,
                                         HostFunctor<TFunctor, TOutput, TInputs...>>;
} // namespace CudaFilters
} // namespace itk

#endif
