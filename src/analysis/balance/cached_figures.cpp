// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/measured.hpp"
#include "analysis/page_cache.hpp"

namespace steelyard::balance {

std::map<Quantity, std::string> cached_figures(const record::Run& run) {
  using enum Quantity;
  std::map<Quantity, std::string> found;
  const auto note = [&](std::initializer_list<Quantity> quantities, const std::string& why) {
    for (const Quantity quantity : quantities)
      if (!why.empty()) found[quantity] = why;
  };
  note({b_eff_io_byte_s, b_eff_io_write_byte_s, b_eff_io_read_byte_s},
       analysis::beffio_in_memory(run.head, run.points));
  note({ftio_io_fraction}, analysis::ftio_in_memory(run.head, run.points));
  return found;
}

}  // namespace steelyard::balance
