// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersDecliningFactory_h
#define itkCudaFiltersDecliningFactory_h

#include <cstddef>
#include <iosfwd>
#include <list>
#include <string>

// An object factory without overrides. The ITK of the program may be of another version: its code calls the factory as
// one of its own objects, and none of its functions can be called from here. So the class has the members and virtual
// methods of itk::ObjectFactoryBase, in the same order: they have been the same from ITK 5.2 to 6.

namespace CudaFiltersPlugin
{
/** As itk::SmartPointer, returned by value: null. */
struct NullPointer
{
  void * Pointer = nullptr;

  NullPointer() = default;
  ~NullPointer() {} // not trivial, so that functions return it as they return an itk::SmartPointer
};

/** The strings and lists of programs that were compiled with today's ABI of libstdc++. */
struct Cxx11Abi
{
  using String = std::string;
  template <typename TElement>
  using List = std::list<TElement>;
};

/** Those of programs that were compiled with _GLIBCXX_USE_CXX11_ABI=0, as many Python wheels are. */
struct OldStringAbi
{
  /** An empty string, which the program may assign: a pointer to characters behind a header with a reference count,
   * here so high that the header is never freed. */
  class String
  {
  public:
    String()
      : m_Characters(&GetHeader().Terminator)
    {}

  private:
    struct Header
    {
      std::size_t Length = 0;
      std::size_t Capacity = 0;
      int         ReferenceCount = 1 << 30;
      int         Padding = 0;
      char        Terminator = '\0';
    };
    static Header &
    GetHeader()
    {
      static Header header;
      return header;
    }

    char * m_Characters;
  };

  /** An empty list. */
  template <typename>
  struct List
  {
    List * Next = this;
    List * Previous = this;

    List() = default;
    List(const List &) = delete;
    ~List() {}
  };
};

template <typename TAbi>
class DecliningFactory
{
public:
  explicit DecliningFactory(const char * version)
    : m_Version(version)
  {}

  // ---- itk::LightObject
  virtual NullPointer
  CreateAnother() const
  {
    return {};
  }
  virtual void
  Delete()
  {}
  virtual const char *
  GetNameOfClass() const
  {
    return "CudaFiltersFactory";
  }
  // The object is never destroyed.
  virtual void
  Register() const
  {}
  virtual void
  UnRegister() const noexcept
  {}
  virtual int
  GetReferenceCount() const
  {
    return 1;
  }
  virtual void
  SetReferenceCount(int)
  {}
  virtual ~DecliningFactory() = default;
  virtual void
  PrintSelf(std::ostream &, int) const
  {}
  virtual void
  PrintHeader(std::ostream &, int) const
  {}
  virtual void
  PrintTrailer(std::ostream &, int) const
  {}
  virtual NullPointer
  InternalClone() const
  {
    return {};
  }

  // ---- itk::Object
  virtual void
  DebugOn() const
  {}
  virtual void
  DebugOff() const
  {}
  virtual unsigned long
  GetMTime() const
  {
    return m_ModifiedTime;
  }
  virtual const unsigned long &
  GetTimeStamp() const
  {
    return m_ModifiedTime;
  }
  virtual void
  Modified() const
  {}
  virtual void SetObjectName(typename TAbi::String) {}
  virtual const typename TAbi::String &
  GetObjectName() const
  {
    return m_ObjectName;
  }
  virtual void
  SetTimeStamp(const unsigned long &)
  {}

  // ---- itk::ObjectFactoryBase
  virtual const char *
  GetITKSourceVersion() const
  {
    return m_Version;
  }
  virtual const char *
  GetDescription() const
  {
    return "Filters that compute on CUDA devices: declined";
  }
  virtual typename TAbi::template List<typename TAbi::String>
  GetClassOverrideNames()
  {
    return {};
  }
  virtual typename TAbi::template List<typename TAbi::String>
  GetClassOverrideWithNames()
  {
    return {};
  }
  virtual typename TAbi::template List<typename TAbi::String>
  GetClassOverrideDescriptions()
  {
    return {};
  }
  virtual typename TAbi::template List<bool>
  GetEnableFlags()
  {
    return {};
  }
  virtual void
  SetEnableFlag(bool, const char *, const char *)
  {}
  virtual bool
  GetEnableFlag(const char *, const char *)
  {
    return false;
  }
  virtual void
  Disable(const char *)
  {}
  virtual NullPointer
  CreateObject(const char *)
  {
    return {};
  }
  virtual typename TAbi::template List<NullPointer>
  CreateAllObject(const char *)
  {
    return {};
  }

private:
  int                   m_ReferenceCount = 1;
  bool                  m_Debug = false;
  unsigned long         m_ModifiedTime = 0;
  void *                m_SubjectImplementation = nullptr;
  void *                m_MetaDataDictionary = nullptr;
  typename TAbi::String m_ObjectName;
  void *                m_OverrideMap = nullptr;
  // The program writes these.
  void *                m_LibraryHandle = nullptr;
  unsigned long         m_LibraryDate = 0;
  typename TAbi::String m_LibraryPath;
  // What ITK's class does not have.
  const char * m_Version;
};
} // namespace CudaFiltersPlugin

#endif
