// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaPixelHolder_h
#define itkCudaPixelHolder_h

#include "CudaFiltersExport.h"

namespace itk
{
/** \class CudaPixelHolder
 * \brief What a filter says to its CudaBackedImage inputs and outputs without knowing their pixel type.
 * \ingroup CudaFilters
 */
class CudaFilters_EXPORT CudaPixelHolder
{
public:
  virtual ~CudaPixelHolder();

  /** The next UpdateOutputData() comes from a filter that reads the pixels on the device. To be said once for each
   * such call. */
  virtual void
  AnnounceDeviceReader() = 0;

  /** Takes back what was announced and not used. */
  virtual void
  ForgetDeviceReaders() = 0;

  /** Makes the host side valid for readers who do not ask for it. */
  virtual void
  MakeHostValid() const = 0;

  /** The same, unless everyone who touches the pixels is known to ask. */
  virtual void
  MakeHostValidUnlessTracked() const = 0;

  /** Forgets the pixels on the device, even if only they are valid: the host side is about to be written. */
  virtual void
  DiscardDevice() = 0;
};
} // namespace itk

#endif
