// SPDX-License-Identifier: Apache-2.0
#include "run/measured_suites.hpp"

#include "beff/options.hpp"
#include "beffio/options.hpp"
#include "ftio/options.hpp"
#include "hpcc/options.hpp"
#include "imb/options.hpp"
#include "screening/options.hpp"

namespace steelyard::cli {

std::span<const MeasuredSuite* const> measured_suites() {
  static constexpr const MeasuredSuite* all[] = {
      &measured_imb_mpi1, &measured_imb_ext, &measured_imb_nbc, &measured_imb_mpi4, &measured_mpi4,
      &measured_imb_rma,  &measured_imb_p2p, &measured_imb_mt,  &measured_imb_io,   &measured_hpcc,
      &measured_beff,     &measured_beffio,  &measured_ftio,    &measured_screen};
  return all;
}

}  // namespace steelyard::cli
