// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "formats/hpcc/words.hpp"
#include "formats/hpcc/hpl_text.hpp"

namespace steelyard::formats {
namespace {

using record::PointRecord;

constexpr std::size_t row_width = 80;

double key(const PointRecord& point, std::string_view name) {
  return hpcc::or_minus_one(hpcc::number(point, name));
}

/// One that was stopped before its end has none.
bool has_rate(const PointRecord& point) {
  return hpcc::measured(point) && hpcc::number(point, "HPL_Tflops").has_value();
}

double residual(const PointRecord& point) {
  if (const auto told = hpcc::number(point, "residual")) return *told;
  return point.check ? point.check->worst.value_or(-1) : -1;
}

/// From what the residual is made, after a failure.
std::string norms(const PointRecord& point) {
  struct Norm {
    std::string_view label, key;
  };
  constexpr std::array all = {Norm{"||Ax-b||_oo ", "HPL_RnormI"}, Norm{"||A||_oo", "HPL_AnormI"},
                              Norm{"||A||_1 ", "HPL_Anorm1"},     Norm{"||x||_oo", "HPL_XnormI"},
                              Norm{"||x||_1 ", "HPL_Xnorm1"},     Norm{"||b||_oo", "HPL_BnormI"}};
  constexpr std::size_t column = 46;
  std::string lines;
  for (const auto& norm : all) {
    std::string label(norm.label);
    while (label.size() < column) label += " .";
    lines += fmt::format("{} = {:18.6f}\n", label, key(point, norm.key));
  }
  return lines;
}

}  // namespace

std::string HplRows::head() {
  if (headed_ && threshold_ <= 0) return "";
  headed_ = true;
  return hpcc::ruler('=', row_width) +
         "T/V                N    NB     P     Q               Time                 Gflops\n" +
         hpcc::ruler('-', row_width);
}

std::string HplRows::result(const PointRecord& point, std::int64_t unix_s) const {
  const double time = key(point, "HPL_time"), gflops = 1e3 * key(point, "HPL_Tflops");
  std::string line = fmt::format(
      "{:<8}{:12d} {:5d} {:5d} {:5d} {:18.2f}", hpcc::text(point, "tv"),
      hpcc::whole(hpcc::number(point, "HPL_N")), hpcc::whole(hpcc::number(point, "HPL_NB")),
      hpcc::whole(hpcc::number(point, "HPL_nprow")), hpcc::whole(hpcc::number(point, "HPL_npcol")), time);
  if (version_ == HplVersion::v20) return line + fmt::format("     {:18.3e}\n", gflops);
  const auto start_s = unix_s - std::llround(time);
  return line + fmt::format("    {:19.4e}\n", gflops) +
         fmt::format("HPL_pdgesv() start time {}\n\n", hpcc::time_text(start_s)) +
         fmt::format("HPL_pdgesv() end time   {}\n\n", hpcc::time_text(unix_s));
}

std::string HplRows::check(const PointRecord& point) const {
  if (threshold_ <= 0 || !point.verified) return "";
  const double value = residual(point);
  const std::string number =
      version_ == HplVersion::v20 ? fmt::format("{:16.7f}", value) : fmt::format("{:16.8e}", value);
  return hpcc::ruler('-', row_width) + "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= " + number +
         fmt::format(" ...... {}\n", hpcc::outcome(point)) + (*point.verified ? "" : norms(point));
}

void HplRows::count(const PointRecord& point) {
  if (!has_rate(point))
    ++skipped_;
  else if (!point.verified)
    ++unchecked_;
  else
    ++(*point.verified ? passed_ : failed_);
}

std::string HplRows::add(const PointRecord& point, std::int64_t unix_s) {
  count(point);
  if (!has_rate(point))
    return fmt::format("Not measured: {}\n", point.reason ? point.reason->text : "no reason is known");
  return head() + result(point, unix_s) + hpl_detail(point) + check(point) + hpl_timeline(point);
}

std::string HplRows::tail() const {
  const int all = passed_ + failed_ + unchecked_ + skipped_;
  std::string lines =
      hpcc::ruler('=', row_width) + fmt::format("\nFinished {:6d} tests with the following results:\n", all);
  if (threshold_ > 0)
    lines += fmt::format("         {:6d} tests completed and passed residual checks,\n", passed_) +
             fmt::format("         {:6d} tests completed and failed residual checks,\n", failed_);
  if (threshold_ <= 0 || unchecked_ > 0)
    lines += fmt::format("         {:6d} tests completed without checking,\n", unchecked_);
  return lines + fmt::format("         {:6d} tests skipped because of illegal input values.\n", skipped_) +
         hpcc::ruler('-', row_width) + "\nEnd of Tests.\n" + hpcc::ruler('=', row_width);
}

}  // namespace steelyard::formats
