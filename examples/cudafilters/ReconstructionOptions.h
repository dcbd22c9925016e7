// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_ReconstructionOptions_h
#define cudafilters_ReconstructionOptions_h

#include "Command.h"
#include "itkCudaEnums.h"
#include <map>

/** The options of all commands that reconstruct. */
class ReconstructionOptions
{
public:
  void
  AddTo(CLI::App & app)
  {
    using Strategy = itk::CudaReconstructionStrategyEnum;
    static const std::map<std::string, Strategy> strategies{ { "automatic", Strategy::Automatic },
                                                             { "line-sweeps", Strategy::LineSweeps },
                                                             { "tile-sweeps", Strategy::TileSweeps },
                                                             { "tile-diagonals", Strategy::TileDiagonals } };
    app.add_flag("--fully-connected", m_IsFullyConnected, "Pixels that touch at edges and corners are neighbours, too");
    app
      .add_option("--strategy",
                  m_Strategy,
                  "How the device goes over the image, with the same result: automatic, line-sweeps, tile-sweeps or "
                  "tile-diagonals")
      ->transform(CLI::CheckedTransformer(strategies, CLI::ignore_case).description(""))
      ->type_name("NAME");
  }

  template <typename TFilter>
  void
  Apply(TFilter & filter) const
  {
    filter.SetFullyConnected(m_IsFullyConnected);
    filter.SetStrategy(m_Strategy);
  }

private:
  bool                                m_IsFullyConnected = false;
  itk::CudaReconstructionStrategyEnum m_Strategy = itk::CudaReconstructionStrategyEnum::Automatic;
};

#endif
