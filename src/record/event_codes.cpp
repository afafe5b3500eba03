// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "record/records.hpp"
#include "record/words.hpp"

namespace steelyard::record {
namespace {

// ASCII order: is_event_code searches by halving.
constexpr std::array<std::string_view, 56> codes{
    "blas_environment",
    "budget",
    "busy_neighbours",
    "cached_read",
    "clock_backwards",
    "clock_drift",
    "clock_source",
    "clock_sync_poor",
    "clock_unusable",
    "container_quota",
    "crowded",
    "cut_short",
    "deadline",
    "debug_build",
    "debug_mpi",
    "file_system",
    "file_system_full",
    "frequency_scaling",
    "gave_up",
    "heterogeneous",
    "internal_error",
    "launcher",
    "locked_memory",
    "migrated",
    "mixed_sessions",
    "mixed_states",
    "mpi_error",
    "mpi_mismatch",
    "network",
    "no_isolation",
    "no_locks",
    "no_power_counters",
    "noisy",
    "numa_balancing",
    "one_placement",
    "outlier_confirmed",
    "oversubscribed",
    "page_faults",
    "plan_shrunk",
    "preempted",
    "remote_memory",
    "resumed_with_differences",
    "scratch_left",
    "shared_core",
    "signal",
    "smt_on",
    "steal",
    "stop_file",
    "stop_requested",
    "swap_in_use",
    "transparent_hugepage",
    "turbo",
    "unpinned",
    "verification_failed",
    "virtual_machine",
    "volume_limit",
};
static_assert(std::ranges::is_sorted(codes));

}  // namespace

std::span<const std::string_view> event_codes() {
  return codes;
}

bool is_event_code(std::string_view code) {
  return std::ranges::binary_search(codes, code);
}

std::string_view text(Status status) {
  return detail::spelling(detail::status_words, status);
}
std::string_view text(ReasonCode code) {
  return detail::spelling(detail::reason_words, code);
}
std::string_view text(Severity severity) {
  return detail::spelling(detail::severity_words, severity);
}

}  // namespace steelyard::record
