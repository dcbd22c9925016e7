// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFiltersFactory_h
#define itkCudaFiltersFactory_h

#include "CudaFilters/detail/ReplacedFilter.h"
#include "itkObjectFactoryBase.h"
#include "itkVersion.h"
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace itk
{
namespace CudaFilters
{
class Overrides;
}

/** \class CudaFiltersFactory
 * \brief Puts the CUDA filters behind New() of the ITK filters that they derive from.
 *
 * After RegisterOneFactory(), DiscreteGaussianImageFilter<...>::New() and the like return objects of this module, in
 * all code of the process, ITK's own filters included: a program runs on a device without a change.
 * Documentation/DropIn.md lists the filters and pixel types with overrides, and says why a few filters have none, such
 * as CannyEdgeDetection, RelabelComponent, LabelStatistics and OtsuMultipleThresholdsImageFilter. All others stay
 * ITK's.
 *
 * The objects are called drop-ins. They differ from objects of the same classes that a program creates by name:
 * \li They have the names of ITK's classes.
 * \li Where the backend is Auto, small images are computed on the CPU: see SetMinimumNumberOfPixels().
 * \li After an update, all images that the program can reach are valid on the host, those between two filters
 * included, since ITK's own pointers read them without notice.
 * \li Images for which a filter of this module throws, but ITK's does not, are left to ITK's code. Images without
 * pixels are not, if the run is on a device: ITK's code may read beyond their memory.
 * \li If a device fails, there is a warning, and the CPU computes, unless the backend is CUDA.
 * \li With the backend CUDA, what has no kernel is computed on the CPU.
 *
 * A program need not be compiled for this: Documentation/DropIn.md describes the plug-in and the environment variables
 * ITK_CUDA_BACKEND, ITK_CUDA_VERBOSE, ITK_CUDA_MINIMUM_PIXELS, ITK_CUDA_ENABLE and ITK_CUDA_DISABLE, which this class
 * obeys, too.
 *
 * \code
 * itk::CudaFiltersFactory::RegisterOneFactory();
 * // Runs on a device if the image is large enough.
 * auto smooth = itk::DiscreteGaussianImageFilter<ImageType, ImageType>::New();
 * \endcode
 *
 * \sa CudaInterface
 * \ingroup CudaFilters
 */
class CudaFiltersFactory : public ObjectFactoryBase
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaFiltersFactory);

  using Self = CudaFiltersFactory;
  using Superclass = ObjectFactoryBase;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkFactorylessNewMacro(Self);

  const char *
  GetNameOfClass() const override
  {
    return "CudaFiltersFactory";
  }

  /** The ITK that this module was built with. */
  const char *
  GetITKSourceVersion() const override
  {
    return ITK_SOURCE_VERSION;
  }

  /** What the factory is for. */
  const char *
  GetDescription() const override
  {
    return "Filters that compute on CUDA devices";
  }

  /** Registers the process's factory, before all others. Does nothing if it is registered. */
  static void
  RegisterOneFactory();

  /** Unregisters the process's factory. Objects that it has created stay as they are. */
  static void
  UnRegisterOneFactory();

  /** Returns whether the process's factory is registered, by RegisterOneFactory() or as a plug-in. */
  static bool
  IsRegistered();

  /** Returns the process's factory, registered or not. */
  static CudaFiltersFactory *
  GetInstance();

  /** Returns the names of the filters with overrides, in alphabetical order, as "DiscreteGaussianImageFilter". */
  std::vector<std::string>
  GetNamesOfFilters() const;

  /** Returns why the factory declines, so that ITK creates its own objects: there is no driver or no device, or
   * ITK_CUDA_BACKEND is off. Empty if it does not. The other methods work all the same. */
  static std::string
  GetWhyDeclined();

  /** Set/Get whether the overrides of a filter are enabled, for all its types. Default: true, but for
   * DanielssonDistanceMapImageFilter and SignedDanielssonDistanceMapImageFilter, whose results are exact, and differ
   * from ITK's. SetEnableFlag() does the same for single types; GetEnabled() returns whether any type is enabled. */
  void
  SetEnabled(const std::string & nameOfFilter, bool enabled);
  bool
  GetEnabled(const std::string & nameOfFilter) const;

  /** Set/Get how many pixels an image must have for the filter to run on a device while the backend is Auto. Smaller
   * images are faster on the CPU. Without effect for images that are on the device already: those are computed there.
   * Default: measured; see Documentation/DropIn.md. */
  void
  SetMinimumNumberOfPixels(const std::string & nameOfFilter, SizeValueType pixels);
  SizeValueType
  GetMinimumNumberOfPixels(const std::string & nameOfFilter) const;

  /** As a minimum number of pixels: the filter runs on a device only if an image is there already. */
  static constexpr SizeValueType OnlyIfOnDevice = CudaFilters::ReplacedFilter::OnlyIfOnDevice;

protected:
  CudaFiltersFactory();
  ~CudaFiltersFactory() override;

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** As in the superclass; null or empty, so that ITK asks other factories or creates its own object, if this one
   * declines. CreateObject() also returns null if ITK has loaded this factory from a plug-in, and another factory
   * overrides the class. */
  LightObject::Pointer
  CreateObject(const char * nameOfClass) override;
  std::list<LightObject::Pointer>
  CreateAllObject(const char * nameOfClass) override;

private:
  friend class CudaFilters::Overrides;

  /** The overrides of one ITK filter. */
  struct Filter
  {
    std::shared_ptr<CudaFilters::ReplacedFilter> Replaced;
    std::map<std::string, std::string>           Classes; // the names of types: ITK's, and this module's
  };
  using Filters = std::map<std::string, Filter>;

  /** Throws if there is no such filter. */
  Filters::const_iterator
  Find(const std::string & nameOfFilter) const;

  void
  ObeyEnvironment();

  Filters m_Filters;
};
} // namespace itk

#endif
