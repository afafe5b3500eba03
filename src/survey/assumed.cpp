// SPDX-License-Identifier: Apache-2.0
#include "survey/assumed.hpp"

#include <algorithm>

namespace steelyard::survey {

using suites::Rates;

Rates assumed_rates(int threads) {
  constexpr int most_for_memory = 32;
  const double all = std::max(threads, 1), for_memory = std::min<double>(all, most_for_memory);
  Rates rates = suites::assumed_rates();
  for (const auto rate : {&Rates::product_flop_s, &Rates::product_alone_flop_s}) rates.*rate *= all;
  for (const auto rate : {&Rates::triad_byte_s, &Rates::triad_alone_byte_s, &Rates::access_update_s,
                          &Rates::access_alone_update_s, &Rates::transform_flop_s,
                          &Rates::transform_alone_flop_s, &Rates::touch_byte_s})
    rates.*rate *= for_memory;
  return rates;
}

}  // namespace steelyard::survey
