// SPDX-License-Identifier: Apache-2.0
#include "suites/suite_list.hpp"

#include <algorithm>
#include <array>

#include "suites/beff/definition.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/screen/definition.hpp"

namespace steelyard::suites {
namespace {

template <class Definition, class Settings>
std::unique_ptr<Suite> with_own_settings() {
  return std::make_unique<Definition>(Settings{});
}

template <const imb::Part& (*part)()>
std::unique_ptr<Suite> part_of_imb() {
  return imb::definition(part(), imb::defaults(part(), imb::Version::v31));
}

constexpr auto entries = std::to_array<SuiteEntry>({
    // It answers most questions of a verdict, and its largest tests have few passes. RandomAccess by its
    // second generator takes as long as by its first and enters no figure.
    {.name = "hpcc",
     .definition = with_own_settings<hpcc::Definition, hpcc::Settings>,
     .family = "hpcc",
     .share = 36,
     .experiment = true,
     .point = "test",
     .points = "tests",
     .once =
         "hpcc/HPL hpcc/*DGEMM hpcc/*STREAM hpcc/PTRANS hpcc/*FFT hpcc/*RandomAccess hpcc/LatencyBandwidth"},
    {.name = "b-eff",
     .definition = with_own_settings<beff::Definition, beff::Settings>,
     .family = "b_eff",
     .share = 14,
     .experiment = true,
     .point = "loop",
     .points = "loops"},
    {.name = "b-eff-io",
     .definition = with_own_settings<beffio::Definition, beffio::Settings>,
     .family = "io",
     .share = 14,
     .experiment = true,
     .point = "pattern",
     .points = "patterns"},
    {.name = "ftio",
     .definition = with_own_settings<ftio::Definition, ftio::Settings>,
     .family = "io",
     .share = 8,
     .experiment = true,
     .point = "run",
     .points = "runs"},
    {.name = "imb-mpi1", .definition = part_of_imb<imb::mpi1>, .family = "messages", .share = 16},
    {.name = "imb-ext", .definition = part_of_imb<imb::ext>, .family = "messages", .share = 8},
    // The two that overlap with computation and are asked for most; the others follow their pattern.
    {.name = "imb-nbc",
     .definition = part_of_imb<imb::nbc>,
     .family = "messages",
     .share = 4,
     .standard = "imb-nbc/Iallreduce imb-nbc/Ialltoall",
     .once = left_out_of_preset},
    {.name = "imb-mpi4",
     .definition = part_of_imb<imb::mpi4>,
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    {.name = "mpi4",
     .definition = part_of_imb<imb::own_mpi4>,
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    {.name = "imb-rma",
     .definition = part_of_imb<imb::rma>,
     .family = "messages",
     .share = 4,
     .standard = "imb-rma/Unidir_put imb-rma/All_put_all",
     .once = left_out_of_preset},
    {.name = "imb-p2p",
     .definition = part_of_imb<imb::p2p>,
     .family = "messages",
     .share = 4,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    // A campaign has one thread per process, with which PingPongMT tells no more than PingPong.
    {.name = "imb-mt",
     .definition = part_of_imb<imb::mt>,
     .family = "messages",
     .share = 2,
     .standard = left_out_of_preset,
     .once = left_out_of_preset},
    // Times of files scatter most, so it takes whatever time the others leave.
    {.name = "imb-io", .definition = part_of_imb<imb::io>, .family = "io", .share = 8},
    // Compares nodes with one another: no figure of a machine.
    {.name = "screen",
     .definition = with_own_settings<screen::Definition, screen::Settings>,
     .family = "screen",
     .experiment = true,
     .point = "test",
     .points = "tests",
     .standard = left_out_of_preset,
     .once = left_out_of_preset,
     .official = left_out_of_preset},
});

}  // namespace

std::span<const SuiteEntry> suite_list() {
  return entries;
}

SuiteEntry suite_entry(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &SuiteEntry::name);
  return found == entries.end() ? SuiteEntry{.name = name, .family = {}} : *found;
}

std::vector<std::unique_ptr<Suite>> definitions() {
  std::vector<std::unique_ptr<Suite>> all;
  for (const bool experiment : {false, true})
    for (const SuiteEntry& entry : entries)
      if (entry.experiment == experiment) all.push_back(entry.definition());
  return all;
}

std::vector<const Suite*> pointers(std::span<const std::unique_ptr<Suite>> suites) {
  std::vector<const Suite*> out;
  for (const auto& suite : suites) out.push_back(suite.get());
  return out;
}

}  // namespace steelyard::suites
