// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A program with an ITK that the plug-in was not built for, as far as the plug-in looks at it. Loads the plug-in as ITK
// does, and calls the factory that it gets by ITK's virtual methods, with the strings and lists of its own ABI. Prints
// what they return.
//
//   OtherItk PLUGIN

#include "../../src/Plugin/DecliningFactory.h"
#include <dlfcn.h>
#include <iostream>
#include <string>

namespace itk
{
struct Version
{
  static const char *
  GetITKSourceVersion();
};

const char *
Version::GetITKSourceVersion()
{
  return "itk version 9.8.7";
}
} // namespace itk

int
main(int, char ** argv)
{
  // The layout of ITK's class; std::string is this program's, whatever its ABI is.
  using Factory = CudaFiltersPlugin::DecliningFactory<CudaFiltersPlugin::Cxx11Abi>;

  void * const library = dlopen(argv[1], RTLD_LAZY);
  const auto   load = reinterpret_cast<Factory * (*)()>(library == nullptr ? nullptr : dlsym(library, "itkLoad"));
  if (load == nullptr)
  {
    std::cerr << dlerror() << std::endl;
    return 1;
  }
  Factory * const factory = load();
  std::string     name = factory->GetObjectName();
  name += '.';
  factory->SetObjectName(name);
  std::cout << factory->GetITKSourceVersion() << ", name " << name << ", overrides "
            << factory->GetClassOverrideNames().size() << factory->GetClassOverrideWithNames().size()
            << factory->GetEnableFlags().size() << ", object " << factory->CreateObject("17itkImageIO").Pointer
            << std::endl;
  // The same address: the plug-in has found this program's own constant.
  return itk::Version::GetITKSourceVersion() == factory->GetITKSourceVersion() ? 0 : 1;
}
