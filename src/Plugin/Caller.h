// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersCaller_h
#define itkCudaFiltersCaller_h

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace CudaFiltersPlugin
{
/** What calls itkLoad(): ITK's shared library, or a program or library with an ITK inside. Until the plug-in knows
 * which ITK that is, it must not call its functions: this class reads the tables of the dynamic linker. */
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

  /** Whether it was compiled with libstdc++'s strings of before GCC 5 (_GLIBCXX_USE_CXX11_ABI=0): then it imports
   * methods of those, and none of today's. (It may contain copies of today's.) */
  bool
  HasOldStringAbi() const
  {
    const auto * names = static_cast<const char *>(this->FindTable(DT_STRTAB));
    const auto * symbols = static_cast<const ElfW(Sym) *>(this->FindTable(DT_SYMTAB));
    const auto * hashes = static_cast<const std::uint32_t *>(this->FindTable(DT_GNU_HASH));
    const auto * chains = static_cast<const std::uint32_t *>(this->FindTable(DT_HASH));
    // In a symbol table with a GNU hash, undefined symbols come first: hashes[1] is the index of the first defined one.
    // Of the other kind of hash, chains[1] is the number of all symbols.
    const std::uint32_t count = hashes != nullptr ? hashes[1] : chains != nullptr ? chains[1] : 0;
    constexpr char      methodOfOldString[] = "_ZNSs";
    constexpr char      methodOfNewString[] = "_ZNSt7__cxx1112basic_string";
    bool                hasOld = false;
    for (std::uint32_t i = 0; i < count && names != nullptr && symbols != nullptr; ++i)
    {
      const char * const name = names + symbols[i].st_name;
      if (symbols[i].st_shndx == SHN_UNDEF)
      {
        if (std::strncmp(name, methodOfNewString, sizeof(methodOfNewString) - 1) == 0)
        {
          return false;
        }
        hasOld = hasOld || std::strncmp(name, methodOfOldString, sizeof(methodOfOldString) - 1) == 0;
      }
    }
    return hasOld;
  }

  /** The version of the ITK inside, as itk::Version::GetITKSourceVersion() returns it, from among the caller's
   * constants; nullptr if it is not found. */
  const char *
  FindVersion() const
  {
    Search search{ reinterpret_cast<ElfW(Addr)>(m_Begin), nullptr };
    dl_iterate_phdr(
      [](dl_phdr_info * object, std::size_t, void * data) { return static_cast<Search *>(data)->LookInto(*object); },
      &search);
    return search.Version;
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
} // namespace CudaFiltersPlugin

#endif
