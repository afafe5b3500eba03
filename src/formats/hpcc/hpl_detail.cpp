// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "formats/hpcc/words.hpp"
#include "formats/hpcc/hpl_text.hpp"

namespace steelyard::formats {
namespace {

struct Line {
  std::string_view label, key;
};
constexpr std::array lines = {Line{"Max aggregated wall time rfact . . . :", "detail_rfact_s"},
                              Line{"+ Max aggregated wall time pfact . . :", "detail_pfact_s"},
                              Line{"+ Max aggregated wall time mxswp . . :", "detail_mxswp_s"},
                              Line{"Max aggregated wall time update  . . :", "detail_update_s"},
                              Line{"+ Max aggregated wall time laswp . . :", "detail_laswp_s"},
                              Line{"Max aggregated wall time up tr sv  . :", "detail_uptrsv_s"}};
// Ours alone.
constexpr Line waiting{"Max aggregated wall time waiting . . :", "detail_wait_s"};

std::string ruler() {
  constexpr int repetitions = 15;
  std::string text;
  for (int i = 0; i < repetitions; ++i) text += "--VVV";
  return text + "-\n";
}

std::string line(const record::PointRecord& point, const Line& one) {
  return fmt::format("{}{:18.2f}\n", one.label, hpcc::or_minus_one(hpcc::number(point, one.key)));
}

}  // namespace

std::string hpl_detail(const record::PointRecord& point) {
  if (!hpcc::number(point, lines.front().key)) return "";
  std::string text = ruler();
  for (const auto& one : lines) text += line(point, one);
  text += line(point, waiting);
  text += fmt::format("Looks at panels on their way . . . . : {:17d}\n",
                      hpcc::whole(hpcc::number(point, "detail_looks")));
  text += fmt::format("+ between slices of an update  . . . : {:17d}\n",
                      hpcc::whole(hpcc::number(point, "detail_looks_between_slices")));
  return text + ruler();
}

}  // namespace steelyard::formats
