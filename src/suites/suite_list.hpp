// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// What the rest of the program has to know of every suite: a row for each. Pure; readers of results use it too.
namespace steelyard::suites {

/// In place of words: the preset leaves the suite out.
inline constexpr std::string_view left_out_of_preset = "-";

struct SuiteInfo {
  std::string_view name;    // in words and records
  std::string_view family;  // part of the report that shows it; empty: one of its own
  double share = 8;         // of the budget of a campaign, relative to other suites
  /// Measured as a whole by rules of its own, with texts and plots of its own; others are tables over a size,
  /// measured until their intervals are narrow.
  bool experiment = false;
  std::string_view point = "size", points = "sizes";  // what its points are called
  /// SELECT words of the preset standard; empty: the name.
  std::string_view standard = {};
  std::string_view once =
      {};  // SELECT words with blanks between that measure each of its figures once; empty: the name
  std::string_view official = {};  // SELECT words of the preset official; empty: the name
};

/// In the order in which a campaign measures them: experiments come first, and what is measured until its interval is
/// narrow takes the time that they leave. A campaign that is cut off has the verdict's figures already.
inline constexpr auto suite_list = std::to_array<SuiteInfo>({
    // It answers most questions of a verdict, and its largest tests have few passes. RandomAccess by its second
    // generator takes as long as by its first and enters no figure.
    {.name = "hpcc",
     .family = "hpcc",
     .share = 36,
     .experiment = true,
     .point = "test",
     .points = "tests",
     .once =
         "hpcc/HPL hpcc/*DGEMM hpcc/*STREAM hpcc/PTRANS hpcc/*FFT hpcc/*RandomAccess hpcc/LatencyBandwidth"},
    {.name = "b-eff", .family = "b_eff", .share = 14, .experiment = true, .point = "loop", .points = "loops"},
    {.name = "b-eff-io",
     .family = "io",
     .share = 14,
     .experiment = true,
     .point = "pattern",
     .points = "patterns"},
    {.name = "ftio", .family = "io", .share = 8, .experiment = true, .point = "run", .points = "runs"},
    {.name = "imb-mpi1", .family = "messages", .share = 16},
    {.name = "imb-ext", .family = "messages", .share = 8},
    // Most asked of those that overlap with computation; the others follow their pattern.
    {.name = "imb-nbc",
     .family = "messages",
     .share = 4,
     .standard = "imb-nbc/Iallreduce imb-nbc/Ialltoall",
     .once = left_out_of_preset},
    {.name = "imb-mpi4",
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    {.name = "mpi4",
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    {.name = "imb-rma",
     .family = "messages",
     .share = 4,
     .standard = "imb-rma/Unidir_put imb-rma/All_put_all",
     .once = left_out_of_preset},
    {.name = "imb-p2p",
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    // A campaign has one thread per process: of it PingPongMT says what PingPong says.
    {.name = "imb-mt",
     .family = "messages",
     .share = 2,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    // Files scatter most, so it takes whatever time the others leave.
    {.name = "imb-io", .family = "io", .share = 8},
    // Compares nodes with one another: no figure of a machine.
    {.name = "screen",
     .family = "screen",
     .experiment = true,
     .point = "test",
     .points = "tests",
     .standard = left_out_of_preset,
     .once = left_out_of_preset,
     .official = left_out_of_preset},
});

/// The row of this suite; that of a table over a size without a family where there is none.
[[nodiscard]] constexpr SuiteInfo suite_info(std::string_view name) {
  const auto found = std::ranges::find(suite_list, name, &SuiteInfo::name);
  return found == suite_list.end() ? SuiteInfo{.name = name, .family = {}} : *found;
}

}  // namespace steelyard::suites
