// SPDX-License-Identifier: Apache-2.0
#include "campaign/counts.hpp"

namespace steelyard::campaign {

void count(record::Counts& counts, record::Status status, std::optional<bool> verified, int weight) {
  switch (status) {
    case record::Status::ok:
      counts.ok += weight;
      break;
    case record::Status::partial:
      counts.partial += weight;
      break;
    case record::Status::skipped:
      counts.skipped += weight;
      break;
    case record::Status::failed:
      counts.failed += weight;
      break;
  }
  if (verified == std::optional(false)) counts.unverified += weight;
}

std::int64_t attempted(const record::Counts& counts) {
  return counts.ok + counts.partial + counts.failed;
}

int exit_code(const record::Counts& counts, std::string_view cause) {
  if (cause == "error") return attempted(counts) > 0 ? 1 : 4;
  if (!cause.empty() && cause != "budget") return 5;
  if (attempted(counts) == 0) return 4;
  return counts.failed > 0 || counts.unverified > 0 ? 1 : 0;
}

}  // namespace steelyard::campaign
