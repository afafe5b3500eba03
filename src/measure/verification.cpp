// SPDX-License-Identifier: Apache-2.0
#include "measure/verification.hpp"

#include "record/json.hpp"

namespace steelyard::measure {
namespace {

// Of the lowest rank with errors: its number and what it says.
record::Document first_error(const CheckResult& own, const mpi::Communicator& active) {
  const auto none = static_cast<std::int64_t>(active.size());
  const auto rank = active.min(own.errors > 0 ? static_cast<std::int64_t>(active.rank()) : none);
  if (rank == none) return {};
  const std::string words = active.broadcast(own.first, static_cast<int>(rank));
  return record::Json{{"rank", rank}, {"text", words}};
}

record::Check merge(const CheckResult& own, const mpi::Communicator& active) {
  record::Check check;
  check.errors = active.sum(own.errors);
  check.worst = active.max(own.worst);
  check.first = first_error(own, active);
  return check;
}

}  // namespace

Verification verify(Workload& workload, std::uint64_t repetitions, const mpi::Communicator& active) {
  Verification result;
  std::optional<CheckResult> own;
  const Failure failure = attempt([&own, &workload, repetitions] { own = workload.verify(repetitions); });
  result.failure = agree(active, failure);
  if (!result.failure && active.any(own.has_value()))
    result.check = merge(own.value_or(CheckResult{}), active);
  return result;
}

}  // namespace steelyard::measure
