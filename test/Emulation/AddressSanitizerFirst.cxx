// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// A preloaded AddressSanitizer starts in the program's first call of malloc. Where that is one of newlocale() in the
// initialisation of a library, which holds the lock of the C library's locales (libp11-kit's, which VTK loads), its
// dlsym() unlocks the lock once more than it was locked, and the process hangs when it ends. The linker has this
// library initialised before all others, so that AddressSanitizer starts here.
#include <cstdlib>

namespace
{
[[gnu::constructor]] void
StartAddressSanitizer()
{
  void * volatile const memory = std::malloc(1); // volatile: a compiler may leave out memory that nothing uses
  std::free(memory);
}
} // namespace
