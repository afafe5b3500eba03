// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

/// Errors on single ranks become one recorded reason that all ranks agree on.
namespace steelyard::measure {

using Failure = std::optional<record::Reason>;

/// Runs `action` on this rank. An exception becomes a reason with this rank and host.
[[nodiscard]] Failure attempt(const std::function<void()>& action);

/// Thrown on all ranks after a failure on one of them; attempt() returns its reason.
class SharedFailure : public std::runtime_error {
 public:
  explicit SharedFailure(record::Reason reason)
      : std::runtime_error(reason.text), reason_(std::move(reason)) {}
  [[nodiscard]] const record::Reason& reason() const { return reason_; }

 private:
  record::Reason reason_;
};

/// Collective: runs `action`, which must not communicate, on every rank. Throws SharedFailure on all of them
/// if it throws on one, so that none waits in vain for another in what follows.
void all_or_none(const mpi::Communicator& comm, const std::function<void()>& action);

/// Collective: throws SharedFailure with reason `file_system` on all ranks unless every one of them finds the path.
/// Called before a collective open: if that fails on some processes only, it may keep the others for ever (OMPIO).
void require_path(const mpi::Communicator& comm, const std::filesystem::path& path);

/// Reason for an MPI error code that an operation returned; `call` is the best name known for it, `system_error` errno as
/// it left it.
[[nodiscard]] record::Reason reason_of_code(int code, const std::string& call, int system_error = errno);

/// Collective: reason of the lowest rank that failed, the same on all ranks; nullopt if none did.
[[nodiscard]] Failure agree(const mpi::Communicator& comm, const Failure& own);

/// Conversion of a reason to one line of text, and back.
[[nodiscard]] std::string pack(const record::Reason& reason);
[[nodiscard]] record::Reason unpack(const std::string& packed);

/// Collective: reason held by `rank`, on all ranks.
[[nodiscard]] record::Reason share_reason(const mpi::Communicator& comm, const Failure& own, int rank);

struct Verification {
  Failure failure;                     // of the pass itself, agreed on
  std::optional<record::Check> check;  // the same on all ranks; nullopt if no rank had something to check
};

/// Lets every rank compare what it receives, outside all timed regions, and merges: sum of errors, worst
/// deviation (none if one is not finite), the first error of the lowest rank that has one. Collective over `active`:
/// begins when all have come.
[[nodiscard]] Verification verify(Workload& workload, std::uint64_t repetitions,
                                  const mpi::Communicator& active);

}  // namespace steelyard::measure
