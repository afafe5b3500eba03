// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "record/records.hpp"

namespace steelyard::record {
namespace {

constexpr auto texts = std::to_array<FlagText>({
    {"autocorrelated", "batches resemble their neighbours: they tell less than as many independent ones"},
    {"blas_below_peak", "the BLAS reaches a small share of what the core can compute"},
    {"cache_warm", "buffers are used again and may lie in the cache; --off-cache keeps them out"},
    {"cached_read", "what was read lay in memory, not on a disk"},
    {"clock_corrected", "so short that the cost of reading the clock was subtracted"},
    {"few_visits", "looked at fewer than six times: the interval tells little about what changes slowly"},
    {"late", "processes began operations long after the time that they had agreed upon"},
    {"mixed_states", "the machine was in several states, and none of them in most of the visits"},
    {"noisy", "many batches were disturbed, or states of the machine differ much"},
    {"not_representative", "too small to stand for this machine"},
    {"one_placement", "all visits used the same places in memory"},
    {"overlapping_receives", "receives share a buffer, because separate ones would be too large"},
    {"oversubscribed", "more processes and threads than processors"},
    {"page_faults", "memory was mapped while the clock ran"},
    {"preempted", "the system gave the processors to others while the clock ran"},
    {"reduction_in_pieces", "more elements than one call of MPI takes: reduced in pieces"},
    {"single_state_short", "the state of the machine that is shown was seen in fewer than six visits"},
    {"smaller_than_the_rules_ask", "the problem is smaller than the published rules ask"},
});

}  // namespace

std::span<const FlagText> flag_texts() {
  return texts;
}

std::string_view flag_text(std::string_view flag) {
  const auto found = std::ranges::find(texts, flag, &FlagText::flag);
  return found == texts.end() ? std::string_view() : found->text;
}

}  // namespace steelyard::record
