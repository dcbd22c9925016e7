// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0

// The plug-in: ITK loads it from a folder that ITK_AUTOLOAD_PATH names, and asks it for an object factory. It is not
// linked to ITK, since programs with any ITK load it. If the caller is the shared ITK that this module was built for,
// it loads the library with the factory; otherwise it declines.

#include "DecliningFactory.h"
#include "itkVersion.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>

namespace CudaFiltersPlugin
{
namespace
{
void
WriteLine(const std::string & text)
{
  std::fputs(("itk-cuda: " + text + "\n").c_str(), stderr);
}

bool
IsVariable(const char * name, const char * value)
{
  const char * const actual = std::getenv(name);
  return actual != nullptr && std::strcmp(actual, value) == 0;
}

/** The program or library that calls this one. */
class Caller
{
public:
  explicit Caller(const void * address)
  {
    Dl_info    info{};
    link_map * map = nullptr;
    if (dladdr1(address, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) != 0)
    {
      m_Begin = info.dli_fbase;
      m_Map = map;
    }
  }

  /** Returns a function that the caller itself contains and exports, or nullptr. */
  void *
  Find(const char * name) const
  {
    void * const handle = m_Map == nullptr           ? nullptr
                          : m_Map->l_name[0] == '\0' ? dlopen(nullptr, RTLD_LAZY)
                                                     : dlopen(m_Map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr)
    {
      return nullptr;
    }
    void * const function = dlsym(handle, name);
    dlclose(handle);
    Dl_info info{};
    return function != nullptr && dladdr(function, &info) != 0 && info.dli_fbase == m_Begin ? function : nullptr;
  }

  /** Whether it was compiled with libstdc++'s strings of before GCC 5: then it imports methods of those, and none of
   * today's. (It may contain copies of today's.) */
  bool
  HasFormerAbi() const
  {
    const auto * names = static_cast<const char *>(this->FindTable(DT_STRTAB));
    const auto * symbols = static_cast<const ElfW(Sym) *>(this->FindTable(DT_SYMTAB));
    const auto * hashes = static_cast<const std::uint32_t *>(this->FindTable(DT_GNU_HASH));
    const auto * chains = static_cast<const std::uint32_t *>(this->FindTable(DT_HASH));
    // In a table of GNU's, what is imported comes before what is exported.
    const std::uint32_t count = hashes != nullptr ? hashes[1] : chains != nullptr ? chains[1] : 0;
    constexpr char      former[] = "_ZNSs";
    constexpr char      present[] = "_ZNSt7__cxx1112basic_string";
    bool                hasFormer = false;
    for (std::uint32_t i = 0; i < count && names != nullptr && symbols != nullptr; ++i)
    {
      const char * const name = names + symbols[i].st_name;
      if (symbols[i].st_shndx == SHN_UNDEF)
      {
        if (std::strncmp(name, present, sizeof(present) - 1) == 0)
        {
          return false;
        }
        hasFormer = hasFormer || std::strncmp(name, former, sizeof(former) - 1) == 0;
      }
    }
    return hasFormer;
  }

  /** The version of the ITK inside, as ITK's method returns it, from among the caller's constants; or this plug-in's.
   */
  const char *
  FindVersion() const
  {
    Search search{ reinterpret_cast<ElfW(Addr)>(m_Begin), nullptr };
    dl_iterate_phdr(
      [](dl_phdr_info * object, std::size_t, void * data) { return static_cast<Search *>(data)->LookInto(*object); },
      &search);
    return search.Version == nullptr ? ITK_SOURCE_VERSION : search.Version;
  }

private:
  /** The address of a table of the dynamic linker, or nullptr. */
  const void *
  FindTable(ElfW(Sxword) tag) const
  {
    for (const ElfW(Dyn) * entry = m_Map == nullptr ? nullptr : m_Map->l_ld;
         entry != nullptr && entry->d_tag != DT_NULL;
         ++entry)
    {
      if (entry->d_tag == tag)
      {
        // Most systems have added the address at which the library is.
        const ElfW(Addr) address = entry->d_un.d_ptr;
        return reinterpret_cast<const void *>(address < m_Map->l_addr ? address + m_Map->l_addr : address);
      }
    }
    return nullptr;
  }

  struct Search
  {
    ElfW(Addr) Begin;
    const char * Version;

    int
    LookInto(const dl_phdr_info & object)
    {
      const ElfW(Phdr) * const first = object.dlpi_phdr;
      bool                     isCaller = false;
      for (const ElfW(Phdr) * part = first; part != first + object.dlpi_phnum; ++part)
      {
        isCaller = isCaller || (part->p_type == PT_LOAD && object.dlpi_addr + part->p_vaddr - part->p_offset == Begin);
      }
      for (const ElfW(Phdr) * part = first; isCaller && part != first + object.dlpi_phnum; ++part)
      {
        if (part->p_type == PT_LOAD && (part->p_flags & PF_R) != 0 && (part->p_flags & PF_W) == 0)
        {
          this->LookInto(reinterpret_cast<const char *>(object.dlpi_addr + part->p_vaddr), part->p_filesz);
        }
      }
      return isCaller ? 1 : 0;
    }

    void
    LookInto(const char * begin, std::size_t size)
    {
      static constexpr char word[] = "itk version ";
      constexpr std::size_t length = sizeof(word) - 1;
      const char * const    end = begin + size;
      while (Version == nullptr && begin < end)
      {
        const auto * const found = static_cast<const char *>(memmem(begin, end - begin, word, length));
        if (found == nullptr)
        {
          return;
        }
        const std::size_t rest = strnlen(found, end - found);
        if (rest > length && rest < 40 && found + rest < end && found[length] >= '0' && found[length] <= '9')
        {
          Version = found;
        }
        begin = found + length;
      }
    }
  };

  const void *     m_Begin = nullptr;
  const link_map * m_Map = nullptr;
};

/** Returns a factory without overrides. The line says why; empty: nothing is said. */
void *
Decline(const Caller & caller, const std::string & line)
{
  if (!line.empty())
  {
    WriteLine(line);
  }
  if (caller.HasFormerAbi())
  {
    return new DecliningFactory<FormerAbi>(caller.FindVersion());
  }
  return new DecliningFactory<PresentAbi>(caller.FindVersion());
}

/** Opens a library of this module: the one that the process has already, or the one in the folder above this plug-in's.
 */
void *
Open(const char * name)
{
  void * handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr)
  {
    Dl_info     info{};
    std::string path = dladdr(reinterpret_cast<void *>(&Open), &info) != 0 ? info.dli_fname : "";
    path.erase(path.find_last_of('/') + 1);
    handle = dlopen((path + "../" + name).c_str(), RTLD_LAZY);
  }
  return handle;
}

void *
Load(const Caller & caller)
{
  if (IsVariable("ITK_CUDA_BACKEND", "off"))
  {
    return Decline(caller, "");
  }

  constexpr const char * nameOfVersion =
    "_ZN3itk7Version19GetITKSourceVersionEv"; // itk::Version::GetITKSourceVersion()
  void * const      getVersion = caller.Find(nameOfVersion);
  const std::string ofCaller = caller.FindVersion();
  const std::string intention = " the plug-in is for programs that use " ITK_SOURCE_VERSION " as a shared library";
  if (getVersion == nullptr)
  {
    return Decline(caller, "declined: this program contains an ITK of its own (" + ofCaller + ");" + intention);
  }
  if (std::strcmp(reinterpret_cast<const char * (*)()>(getVersion)(), ITK_SOURCE_VERSION) != 0)
  {
    return Decline(caller, "declined: this program uses " + ofCaller + ";" + intention);
  }

  // The core first: it is small, and knows whether there may be a device.
  void * const core = Open(CUDAFILTERS_CORE);
  if (core == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  if (dlsym(core, nameOfVersion) != getVersion)
  {
    return Decline(caller,
                   "declined: this program uses another file of ITK than the plug-in was built with;" + intention);
  }
  const auto whyNot = reinterpret_cast<const char * (*)()>(dlsym(core, "itkCudaFiltersWhyDeclined"));
  if (whyNot == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  const std::string reason = whyNot();
  if (!reason.empty())
  {
    const char * const verbose = std::getenv("ITK_CUDA_VERBOSE");
    const bool         isVerbose = verbose != nullptr && *verbose != '\0' && std::strcmp(verbose, "0") != 0;
    return Decline(caller, isVerbose ? "declined: " + reason : "");
  }

  void * const library = Open(CUDAFILTERS_FACTORY);
  void * const getFactory = library == nullptr ? nullptr : dlsym(library, "itkCudaFiltersGetFactory");
  if (getFactory == nullptr)
  {
    return Decline(caller, std::string("declined: ") + dlerror());
  }
  return reinterpret_cast<void * (*)()>(getFactory)();
}
} // namespace
} // namespace CudaFiltersPlugin

extern "C"
{
  // What ITK looks for. It must not return null.
  __attribute__((visibility("default"), noinline)) void *
  itkLoad();
}

void *
itkLoad()
{
  return CudaFiltersPlugin::Load(CudaFiltersPlugin::Caller(__builtin_return_address(0)));
}
