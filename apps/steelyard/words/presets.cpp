// SPDX-License-Identifier: Apache-2.0
#include "words/presets.hpp"

namespace steelyard::cli {
namespace {

// In this order: experiments that are made as a whole come first, and what is measured until its interval is
// narrow takes the time that they leave. A campaign that is cut off has the verdict's figures already.
constexpr std::string_view everything[] = {"hpcc",     "b-eff",   "b-eff-io", "ftio",
                                           "imb-mpi1", "imb-ext", "imb-io"};
// RandomAccess by its second generator takes as long as by its first and enters no figure.
constexpr std::string_view everything_once[] = {
    "hpcc/HPL", "hpcc/*DGEMM", "hpcc/*STREAM", "hpcc/PTRANS", "hpcc/*FFT", "hpcc/*RandomAccess",
    "hpcc/LatencyBandwidth", "b-eff", "b-eff-io", "ftio", "imb-mpi1", "imb-ext", "imb-io"};

constexpr PresetWord quick[] = {
    {"schedule", "adaptive"}, {"ci", "5%"}, {"budget", "60s"}, {"point-budget", "1s"}, {"np", "pow2"}};
constexpr PresetWord standard[] = {
    {"schedule", "adaptive"}, {"ci", "2%"}, {"budget", "15m"}, {"point-budget", "2s"}, {"np", "pow2"}};
constexpr PresetWord official[] = {{"schedule", "suite"}, {"np", "pow2"}};

constexpr Preset all[] = {
    {"quick", "everything once, in a minute at most: small sizes, prescribed rules shortened", "up to 1 min",
     everything_once, quick},
    {"standard", "everything, with the adaptive schedule and as much of the prescribed rules as fits",
     "up to 15 min", everything, standard},
    {"official", "everything by the rules of its own and with their durations",
     "as long as the rules ask, hours", everything, official},
};

}  // namespace

std::span<const Preset> presets() {
  return all;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : all)
    if (preset.name == name) return &preset;
  return nullptr;
}

}  // namespace steelyard::cli
