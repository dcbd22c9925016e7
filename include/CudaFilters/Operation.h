// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CudaFilters_Operation_h
#define CudaFilters_Operation_h

#include "CudaFiltersExport.h"
#include "CudaFilters/Execution.h"
#include "CudaFilters/LocalBox.h"
#include "CudaFilters/Region3.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace itk
{
namespace CudaFilters
{
class Runner;

/** A region of the outputs, and the regions of the inputs from which it is computed. */
struct RegionPlan
{
  Region3              Output; ///< of all outputs
  std::vector<Region3> Inputs; ///< one for each input
  /** Whether Output is all that the filter computes, and not a tile of it. */
  bool IsWhole = true;
};

/** \class Operation
 * \brief What a CUDA filter computes, without the filter: parameters, memory needs and the work on the device.
 *
 * A filter creates an operation from its parameters for each run (CudaAcceleratedImageFilter::MakeOperation()), and the
 * runner of this library executes it: on the whole image if device memory suffices, in tiles otherwise, on one device
 * or several. Most operations, and all operations outside this module, derive from LocalOperation. An operation that
 * needs several passes over the image derives from this class and drives the passes itself, with the runner's help
 * (src/Runner/Runner.h, which is not installed).
 *
 * Inputs and outputs are counted in the order in which the filter added them (ImageList). All outputs have the same
 * region.
 *
 * An operation throws DeviceError; the filter turns it into an itk::ExceptionObject or computes on the CPU. An
 * itk::ExceptionObject, or any other exception, reaches the caller of Update() as it is. */
class CudaFilters_EXPORT Operation
{
public:
  Operation() = default;
  virtual ~Operation();
  Operation(const Operation &) = delete;
  Operation &
  operator=(const Operation &) = delete;

  /** The pixels of an input on which a region of the outputs depends. The runner crops it to the buffered pixels of the
   * image; the filter must have requested them (GenerateInputRequestedRegion()). Default: the same region. */
  virtual Region3
  GetInputRegion(unsigned int input, const Region3 & outputRegion) const;

  /** The device memory, in bytes, that a region takes beyond its inputs and outputs. Default: 0. */
  virtual std::size_t
  GetScratchBytes(const RegionPlan & plan) const;

  /** Whether neighbouring tiles can be computed at the same time. Default: true. */
  virtual bool
  AreTilesIndependent() const;

  /** Whether the image may be cut into tiles along an axis. Default: true. */
  virtual bool
  MayCutAlong(unsigned int axis) const;

  /** Computes all outputs with the images on one device. */
  virtual void
  RunWhole(Runner & runner, Execution & execution) = 0;

  /** Computes all outputs in tiles, which come from and go to the host. */
  virtual void
  RunTiles(Runner & runner) = 0;
};

/** A region of all images in device memory. Each image is dense: x varies fastest. */
struct RegionOnDevice
{
  /** One pointer per input, and the region whose pixels are there: at least what GetInputRegion() asked for. Pixels
   * that it did not ask for may be undefined. If it asked for no pixel of the image, the pointer may be nullptr, and
   * the region empty. */
  std::vector<const void *> Inputs;
  std::vector<Region3>      InputRegions;
  /** One pointer per output, to the pixels of OutputRegion. */
  std::vector<void *> Outputs;
  Region3             OutputRegion;

  /** The pixels of an input. */
  template <typename TPixel>
  const TPixel *
  GetInput(unsigned int i = 0) const
  {
    return static_cast<const TPixel *>(this->Inputs[i]);
  }

  /** The pixels of an output. */
  template <typename TPixel>
  TPixel *
  GetOutput(unsigned int i = 0) const
  {
    return static_cast<TPixel *>(this->Outputs[i]);
  }

  /** The sizes of an input and of the outputs, for a driver. */
  LocalBox
  GetBox(unsigned int input = 0) const
  {
    return MakeLocalBox(this->InputRegions[input], this->OutputRegion);
  }
};

/** \class LocalOperation
 * \brief An operation whose output pixels depend on nearby input pixels only.
 *
 * Any region of the outputs can be computed from the same region of the inputs with a margin. The runner computes the
 * whole image in slabs while other slabs are copied, or in independent tiles. */
class CudaFilters_EXPORT LocalOperation : public Operation
{
public:
  ~LocalOperation() override;

  /** Enqueues the computation of a region in the execution's stream. Called once per slab or tile, from one thread per
   * device. */
  virtual void
  RunRegion(Execution & execution, const RegionOnDevice & region) const = 0;

  void
  RunWhole(Runner & runner, Execution & execution) final;

  void
  RunTiles(Runner & runner) final;
};

using OperationPointer = std::unique_ptr<Operation>;
} // namespace CudaFilters
} // namespace itk

#endif
