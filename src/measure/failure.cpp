// SPDX-License-Identifier: Apache-2.0
#include "measure/failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>

#include "measure/buffers.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "record/json.hpp"

namespace steelyard::measure {
namespace {

using record::ReasonCode;

constexpr std::array<std::pair<std::string_view, ReasonCode>, 14> codes_of_classes{{
    {"MPI_ERR_NO_MEM", ReasonCode::memory},
    {"MPI_ERR_NO_SPACE", ReasonCode::space},
    {"MPI_ERR_QUOTA", ReasonCode::space},
    {"MPI_ERR_UNSUPPORTED_OPERATION", ReasonCode::unsupported},
    {"MPI_ERR_UNSUPPORTED_DATAREP", ReasonCode::unsupported},
    {"MPI_ERR_ACCESS", ReasonCode::file_system},
    {"MPI_ERR_AMODE", ReasonCode::file_system},
    {"MPI_ERR_BAD_FILE", ReasonCode::file_system},
    {"MPI_ERR_FILE", ReasonCode::file_system},
    {"MPI_ERR_FILE_EXISTS", ReasonCode::file_system},
    {"MPI_ERR_FILE_IN_USE", ReasonCode::file_system},
    {"MPI_ERR_IO", ReasonCode::file_system},
    {"MPI_ERR_NO_SUCH_FILE", ReasonCode::file_system},
    {"MPI_ERR_READ_ONLY", ReasonCode::file_system},
}};

constexpr std::array<std::string_view, 3> nameless_classes{"MPI_ERR_OTHER", "MPI_ERR_UNKNOWN",
                                                           "MPI_ERR_INTERN"};

// OMPIO of Open MPI 5 gives no class to what the system refuses; messages are not in doubt where a file is.
bool is_nameless_of_file(const mpi::Error& error) {
  return error.call.starts_with("MPI_File_") &&
         std::ranges::find(nameless_classes, error.error_class) != nameless_classes.end();
}

record::Reason reason_here(ReasonCode code, std::string text) {
  record::Reason reason;
  reason.code = code;
  reason.text = std::move(text);
  reason.rank = mpi::Communicator::world().rank();
  reason.host = mpi::processor_name();
  return reason;
}

constexpr std::array no_room{ENOSPC, EDQUOT, EFBIG};

// ROMIO reports a full disk like any other error, with the system's message behind it; OMPIO may leave nothing but errno.
bool tells_no_room(const mpi::Error& error) {
  const bool has_words = error.error_class == "MPI_ERR_IO", is_nameless = is_nameless_of_file(error);
  return std::ranges::any_of(no_room, [&](int number) {
    return (is_nameless && error.system_error == number) ||
           (has_words && error.text.find(std::generic_category().message(number)) != std::string::npos);
  });
}

ReasonCode code_of(const mpi::Error& error) {
  if (tells_no_room(error)) return ReasonCode::space;
  for (const auto& [known, code] : codes_of_classes)
    if (known == error.error_class) return code;
  return is_nameless_of_file(error) ? ReasonCode::file_system : ReasonCode::mpi_error;
}

record::Reason reason_of(const mpi::Error& error) {
  record::Reason reason = reason_here(code_of(error), error.what());
  reason.mpi_call = error.call;
  reason.mpi_class = error.error_class;
  return reason;
}

// Reason for a refusal of the file system without MPI in between.
record::Reason reason_of(const std::filesystem::filesystem_error& error) {
  const int number = error.code().value();
  const bool full = std::ranges::find(no_room, number) != no_room.end();
  return reason_here(full ? ReasonCode::space : ReasonCode::file_system, error.what());
}

std::optional<std::string> unless_empty(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// Number and text of the lowest rank with errors.
record::Document first_error(const CheckResult& own, const mpi::Communicator& active) {
  const auto none = static_cast<std::int64_t>(active.size());
  const auto rank = active.min(own.errors > 0 ? static_cast<std::int64_t>(active.rank()) : none);
  if (rank == none) return {};
  const std::string words = active.broadcast(own.first, static_cast<int>(rank));
  return record::Json{{"rank", rank}, {"text", words}};
}

// Largest deviation of all ranks; nullopt if one is not finite, for which a record has no place. A maximum passes over
// what is not a number.
std::optional<double> worst_of_all(double own, const mpi::Communicator& active) {
  const double worst = active.max(std::isnan(own) ? std::numeric_limits<double>::infinity() : own);
  return std::isfinite(worst) ? std::optional(worst) : std::nullopt;
}

record::Check merge(const CheckResult& own, const mpi::Communicator& active) {
  record::Check check;
  check.errors = active.sum(own.errors);
  check.worst = worst_of_all(own.worst, active);
  check.first = first_error(own, active);
  return check;
}

}  // namespace

std::string pack(const record::Reason& reason) {
  const record::Json json{{"code", static_cast<int>(reason.code)}, {"text", reason.text},
                          {"rank", reason.rank.value_or(0)},       {"host", reason.host.value_or("")},
                          {"call", reason.mpi_call.value_or("")},  {"class", reason.mpi_class.value_or("")}};
  return json.dump();
}

record::Reason unpack(const std::string& packed) {
  const auto json = record::Json::parse(packed);
  record::Reason reason;
  reason.code = static_cast<ReasonCode>(json.at("code").get<int>());
  reason.text = json.at("text").get<std::string>();
  reason.rank = json.at("rank").get<int>();
  reason.host = unless_empty(json.at("host").get<std::string>());
  reason.mpi_call = unless_empty(json.at("call").get<std::string>());
  reason.mpi_class = unless_empty(json.at("class").get<std::string>());
  return reason;
}

Failure attempt(const std::function<void()>& action) {
  try {
    action();
  } catch (const SharedFailure& failure) {
    return failure.reason();
  } catch (const mpi::Error& error) {
    return reason_of(error);
  } catch (const std::filesystem::filesystem_error& error) {
    return reason_of(error);
  } catch (const NoHugePages& error) {
    return reason_here(ReasonCode::memory, error.what());
  } catch (const std::bad_alloc&) {
    return reason_here(ReasonCode::memory, "not enough memory");
  } catch (const std::exception& error) {
    return reason_here(ReasonCode::internal, error.what());
  }
  return std::nullopt;
}

record::Reason reason_of_code(int code, const std::string& call, int system_error) {
  return reason_of(mpi::Error(call, code, system_error));
}

Failure agree(const mpi::Communicator& comm, const Failure& own) {
  const auto none = static_cast<std::int64_t>(comm.size());
  const auto first = comm.min(own ? static_cast<std::int64_t>(comm.rank()) : none);
  if (first == none) return std::nullopt;
  return share_reason(comm, own, static_cast<int>(first));
}

record::Reason share_reason(const mpi::Communicator& comm, const Failure& own, int rank) {
  return unpack(comm.broadcast(own ? pack(*own) : std::string(), rank));
}

void all_or_none(const mpi::Communicator& comm, const std::function<void()>& action) {
  if (const auto failure = agree(comm, attempt(action))) throw SharedFailure(*failure);
}

void require_path(const mpi::Communicator& comm, const std::filesystem::path& path) {
  all_or_none(comm, [&] {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      throw std::filesystem::filesystem_error(
          "is gone", path, error ? error : std::make_error_code(std::errc::no_such_file_or_directory));
  });
}

Verification verify(Workload& workload, std::uint64_t repetitions, const mpi::Communicator& active) {
  // A rank that does not wait for others, as the target of one-sided operations, is here while others still
  // measure another point: they would write to the buffers that it prepares, and it would disturb them.
  active.barrier();
  Verification result;
  std::optional<CheckResult> own;
  const Failure failure = attempt([&own, &workload, repetitions] { own = workload.verify(repetitions); });
  result.failure = agree(active, failure);
  if (!result.failure && active.any(own.has_value()))
    result.check = merge(own.value_or(CheckResult{}), active);
  return result;
}

}  // namespace steelyard::measure
