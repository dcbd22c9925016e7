// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaPythonArrays_h
#define itkCudaPythonArrays_h

// Conversion of images, and memory that they share with arrays, for Python. Included by the wrapping, after Python.h.

#include "itkCudaSharedPixels.h"
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace itk
{
namespace CudaPython
{
/** While this exists, the calling thread has the global interpreter lock, whether or not it had it before. */
class GlobalLock
{
public:
  GlobalLock()
    : m_State(PyGILState_Ensure())
  {}
  ~GlobalLock() { PyGILState_Release(m_State); }
  GlobalLock(const GlobalLock &) = delete;
  GlobalLock &
  operator=(const GlobalLock &) = delete;

private:
  PyGILState_STATE m_State;
};

/** How many times the calling thread has asked that images stay on the device when they are passed to ITK. */
inline thread_local int numberOfKeepers = 0;

/** Lets SWIG download the pixels of a CudaBackedImage whenever Python passes it to a function that expects an Image.
 * Most of ITK's classes read pixels by methods that are not virtual, and would find no pixels on the host.
 * swig_type_info and swig_cast_info are SWIG's: a type has a list of the types that can be converted to it. */
template <typename TCudaImage, typename TImage, typename TTypeInfo>
void
DownloadWhenPassedAs(const TTypeInfo * cudaImage, TTypeInfo * image)
{
  for (auto * cast = image->cast; cast != nullptr; cast = cast->next)
  {
    if (cast->type == cudaImage)
    {
      cast->converter = [](void * pointer, int *) -> void * {
        auto * const converted = static_cast<TCudaImage *>(pointer);
        if (numberOfKeepers == 0)
        {
          try
          {
            converted->MakeHostValid();
          }
          catch (const std::exception & error)
          {
            PyErr_WarnEx(PyExc_RuntimeWarning, error.what(), 1);
          }
        }
        return static_cast<TImage *>(converted);
      };
    }
  }
}

/** Keeps a Python object, until the last copy goes, in whatever thread. */
inline std::shared_ptr<void>
Hold(PyObject * object)
{
  const GlobalLock lock;
  Py_INCREF(object);
  return std::shared_ptr<void>(object, [](void * held) {
    if (Py_IsInitialized())
    {
      const GlobalLock lock;
      Py_DECREF(static_cast<PyObject *>(held));
    }
  });
}

/** \name The structures of DLPack, as its specification lays them out in memory. */
/**@{*/
struct DLPackTensor
{
  void *         Data;
  std::int32_t   DeviceType;
  std::int32_t   DeviceNumber;
  std::int32_t   NumberOfDimensions;
  std::uint8_t   TypeCode;
  std::uint8_t   TypeBits;
  std::uint16_t  TypeLanes;
  std::int64_t * Shape;
  std::int64_t * Strides; // in elements; none: dense, the last axis fastest
  std::uint64_t  ByteOffset;
};

struct DLPackManagedTensor
{
  DLPackTensor Tensor;
  void *       Manager;
  void (*Delete)(DLPackManagedTensor *);
};

constexpr const char * DLPackName = "dltensor";
constexpr const char * UsedDLPackName = "used_dltensor";
constexpr const char * OwnerName = "itk_dltensor";
constexpr std::int32_t DLPackCuda = 2;
/**@}*/

/** What a tensor that was given away keeps. */
struct LentTensor
{
  DLPackManagedTensor            Managed;
  std::vector<std::int64_t>      Shape;
  std::vector<std::int64_t>      Strides;
  CudaSharedPixels::ConstPointer Pixels;
};

/** The pixels as a DLPack capsule. */
inline PyObject *
ToDLPack(const CudaSharedPixels & pixels, const std::vector<long> & shape, int typeCode, int typeBits)
{
  const GlobalLock lock;
  auto * const     lent = new LentTensor;
  lent->Shape.assign(shape.begin(), shape.end());
  lent->Strides.assign(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;)
  {
    lent->Strides[axis - 1] = lent->Strides[axis] * lent->Shape[axis];
  }
  lent->Pixels = &pixels;
  lent->Managed.Tensor = { reinterpret_cast<void *>(pixels.GetPointer()),
                           DLPackCuda,
                           pixels.GetDeviceNumber(),
                           static_cast<std::int32_t>(shape.size()),
                           static_cast<std::uint8_t>(typeCode),
                           static_cast<std::uint8_t>(typeBits),
                           1,
                           lent->Shape.data(),
                           lent->Strides.data(),
                           0 };
  lent->Managed.Manager = lent;
  lent->Managed.Delete = [](DLPackManagedTensor * managed) { delete static_cast<LentTensor *>(managed->Manager); };
  PyObject * const capsule = PyCapsule_New(&lent->Managed, DLPackName, [](PyObject * object) {
    // Nobody has taken it.
    if (PyCapsule_IsValid(object, DLPackName))
    {
      auto * const managed = static_cast<DLPackManagedTensor *>(PyCapsule_GetPointer(object, DLPackName));
      managed->Delete(managed);
    }
  });
  if (capsule == nullptr)
  {
    delete lent;
  }
  return capsule;
}

/** Takes a DLPack capsule: device type and number, address, type code, bits and lanes, shape, strides or None, and an
 * object that gives the tensor back when it goes. */
inline PyObject *
FromDLPack(PyObject * capsule)
{
  const GlobalLock lock;
  if (!PyCapsule_IsValid(capsule, DLPackName))
  {
    throw std::invalid_argument("not a DLPack capsule, or one that was used already");
  }
  auto * const managed = static_cast<DLPackManagedTensor *>(PyCapsule_GetPointer(capsule, DLPackName));
  PyCapsule_SetName(capsule, UsedDLPackName);
  PyObject * const owner = PyCapsule_New(managed, OwnerName, [](PyObject * object) {
    auto * const taken = static_cast<DLPackManagedTensor *>(PyCapsule_GetPointer(object, OwnerName));
    if (taken->Delete != nullptr)
    {
      taken->Delete(taken);
    }
  });

  const DLPackTensor & tensor = managed->Tensor;
  const auto           makeTuple = [&tensor](const std::int64_t * values) -> PyObject * {
    if (values == nullptr)
    {
      Py_RETURN_NONE;
    }
    PyObject * const tuple = PyTuple_New(tensor.NumberOfDimensions);
    for (std::int32_t i = 0; i < tensor.NumberOfDimensions; ++i)
    {
      PyTuple_SET_ITEM(tuple, i, PyLong_FromLongLong(values[i]));
    }
    return tuple;
  };
  return Py_BuildValue(
    "(iiKiiiNNN)",
    static_cast<int>(tensor.DeviceType),
    static_cast<int>(tensor.DeviceNumber),
    static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(tensor.Data) + tensor.ByteOffset),
    static_cast<int>(tensor.TypeCode),
    static_cast<int>(tensor.TypeBits),
    static_cast<int>(tensor.TypeLanes),
    makeTuple(tensor.Shape),
    makeTuple(tensor.Strides),
    owner);
}
} // namespace CudaPython
} // namespace itk

#endif
