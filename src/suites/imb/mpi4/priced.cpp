// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi4/priced.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/error.hpp"
#include "suites/imb/part_definition.hpp"

namespace steelyard::imb {
namespace {

constexpr std::array<std::string_view, 3> starts_of_trial{"first", "second", "third"};

/// "MPI_Scatter" of Scatter_persist, Scatter_persist_pure and Scatter_init.
std::string collective_of(std::string_view benchmark) {
  const auto end = std::min(benchmark.find("_persist"), benchmark.find("_init"));
  return "MPI_" + std::string(benchmark.substr(0, end));
}

/// What an MPI library says of an error. MPICH tells the functions that it was in, a line each, and the error itself
/// behind the last one.
std::string words_of(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  const auto line = text.rfind('\n');
  if (line == text.npos) return std::string(text);
  text.remove_prefix(line + 1);
  const auto words = text.find(": ");
  return std::string(words == text.npos ? text : text.substr(words + 2));
}

/// The least that the benchmark can send: one element.
Bytes size_of_trial(const Point& point) {
  constexpr std::int64_t element_byte = 4;
  if (!has_sizes(point.definition)) return Bytes{0};
  return Bytes{std::max(element_byte, size_of(point.type()))};
}

/// Request with communicators and buffers of its own: nothing else suffers if it fails.
class TriedRequest {
 public:
  explicit TriedRequest(const Point& like)
      : group_(like.group.duplicate()),
        calls_(like.group.duplicate()),
        size_(size_of_trial(like)),
        sides_(sides(like.settings, like.definition, size_, like.processes, 1, like.mode)),
        send_(static_cast<std::size_t>(sides_.send.slots.bytes)),
        receive_(static_cast<std::size_t>(sides_.receive.slots.bytes)),
        point_{.settings = like.settings,
               .definition = like.definition,
               .group = group_,
               .rank = like.rank,
               .processes = like.processes,
               .size = size_,
               .send = {send_.data(), sides_.send},
               .receive = {receive_.data(), sides_.receive},
               .mode = like.mode} {}

  /// Reason if a call fails on this process. Ends as well when another has called.
  [[nodiscard]] measure::Failure run(MakeRequest make) {
    int error = MPI_SUCCESS;
    arguments_ = make(point_, request_.put(), error);
    if (error != MPI_SUCCESS) return failure("making", error);
    for (const auto number : starts_of_trial) {
      if (error = MPI_Start(request_.put()); error == MPI_SUCCESS) error = complete();
      if (error != MPI_SUCCESS) return failure("the " + std::string(number) + " start of", error);
      if (called_) break;
    }
    return std::nullopt;
  }

  /// Tells the other processes that this one has failed, unless all know that of another. They may be waiting in the
  /// request, or be long done with it: nobody receives these messages.
  void call_others() {
    int known = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, calls_.get(), &known, MPI_STATUS_IGNORE);
    if (known != 0) return;
    for (int rank = 0; rank < point_.processes; ++rank) {
      MPI_Request sent = MPI_REQUEST_NULL;
      if (rank == point_.rank) continue;
      if (MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, calls_.get(), &sent) == MPI_SUCCESS)
        MPI_Request_free(&sent);
    }
  }

 private:
  // Until the request is complete, or another process calls. Without a limit of time: networks may be slow.
  int complete() {
    for (int done = 0; done == 0 && !called_;) {
      if (const int error = MPI_Test(request_.put(), &done, MPI_STATUS_IGNORE); error != MPI_SUCCESS)
        return error;
      int called = 0;
      if (done == 0)
        mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag, calls_.get(), &called, MPI_STATUS_IGNORE), "MPI_Iprobe");
      called_ = called != 0;
    }
    return MPI_SUCCESS;
  }

  [[nodiscard]] record::Reason failure(const std::string& at, int code) const {
    const mpi::Error error("persistent request", code);
    record::Reason reason;
    reason.code = record::ReasonCode::unsupported;
    reason.text = "MPI fails at " + at + " a persistent " + collective_of(point_.definition.name) + ": " +
                  words_of(error.text);
    reason.rank = error.rank;
    reason.host = error.host;
    return reason;
  }

  mpi::Communicator group_, calls_;
  Bytes size_;
  Sides sides_;
  std::vector<std::byte> send_, receive_;
  Point point_;
  std::shared_ptr<const void> arguments_;
  mpi::RequestHandle request_;
  bool called_ = false;
};

measure::Failure try_starts(const Point& point, MakeRequest make) {
  auto request = std::make_unique<TriedRequest>(point);
  measure::Failure own;
  if (const auto broken = measure::attempt([&] { own = request->run(make); })) own = broken;
  if (own) request->call_others();
  auto failure = measure::agree(point.group, own);
  if (!failure) return std::nullopt;
  // Some processes are still in it: to free request, communicator or memory would be the next error.
  static_cast<void>(request.release());
  return failure;
}

}  // namespace

void require_starts(const Point& point, MakeRequest make) {
  if (point.trial == nullptr) return;
  if (!std::exchange(point.trial->done, true)) point.trial->failure = try_starts(point, make);
  if (point.trial->failure) throw measure::SharedFailure(*point.trial->failure);
}

}  // namespace steelyard::imb
