// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// List of all suites, with what the rest of the program has to know of each. Pure; readers of
/// results use it too.
namespace steelyard::suites {

/// Mark in place of SELECT words: the preset leaves the suite out.
inline constexpr std::string_view left_out_of_preset = "-";

struct SuiteInfo {
  std::string_view name;    // in words and records
  std::string_view family;  // part of the report that shows it; empty: one of its own
  double share = 8;         // of the budget of a campaign, relative to other suites
  /// Whether it is measured as a whole by rules of its own, with texts and plots of its own; other suites are
  /// tables over a size, measured until their intervals are narrow.
  bool experiment = false;
  std::string_view point = "size", points = "sizes";  // names of its points
  /// SELECT words of the preset standard; empty: the name.
  std::string_view standard = {};
  std::string_view once =
      {};  // SELECT words with blanks between that measure each of its figures once; empty: the name
  std::string_view official = {};  // SELECT words of the preset official; empty: the name
};

/// Suites in the order in which a campaign measures them: experiments come first, and what is measured
/// until its interval is narrow takes the time that they leave. A campaign that is cut off has the
/// verdict's figures already.
inline constexpr auto suite_list = std::to_array<SuiteInfo>({
    // It answers most questions of a verdict, and its largest tests have few passes. RandomAccess by its
    // second generator takes as long as by its first and enters no figure.
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
    // The two that overlap with computation and are asked for most; the others follow their pattern.
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
    // A campaign has one thread per process, with which PingPongMT tells no more than PingPong.
    {.name = "imb-mt",
     .family = "messages",
     .share = 2,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    // Times of files scatter most, so it takes whatever time the others leave.
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

/// Row of this suite; for an unknown name that of a table over a size, without a family.
[[nodiscard]] constexpr SuiteInfo suite_info(std::string_view name) {
  const auto found = std::ranges::find(suite_list, name, &SuiteInfo::name);
  return found == suite_list.end() ? SuiteInfo{.name = name, .family = {}} : *found;
}

}  // namespace steelyard::suites
