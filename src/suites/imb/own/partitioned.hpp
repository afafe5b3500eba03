// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/imb/mt/threaded_workload.hpp"
#include "suites/imb/own/compared.hpp"

/// Messages in parts that are handed over one by one. The sources need an MPI library with
/// partitioned communication.
namespace steelyard::imb {

/// Team with a thread for each part on processes that send, if that was asked for; nullptr: one thread does
/// it all. Collective over the point's communicator.
[[nodiscard]] std::unique_ptr<ThreadTeam> team_of_parts(const Point& point, bool sends);

/// Handover of a sender's parts.
class Handover {
 public:
  Handover(const Point& point, bool sends)
      : call_(point.settings.part_call),
        order_(part_order(point.settings.part_order, point.partitions)),
        team_(team_of_parts(point, sends)),
        codes_(order_.size()) {}

  /// Hands all parts over, by the call that was asked for.
  int all(MPI_Request request) noexcept;
  /// Hands each part over behind before(part), in this order or on threads of their own.
  template <class Before>
  int each(MPI_Request request, Before before) noexcept {
    int error = 0;
    if (team_ != nullptr) {
      team_->run([&](int part) {
        before(part);
        codes_[static_cast<std::size_t>(part)] = hand_over(part, request);
      });
      for (const int code : codes_) measure::keep_first(error, code);
      return error;
    }
    for (const int part : order_) {
      before(part);
      measure::keep_first(error, hand_over(part, request));
    }
    return error;
  }
  /// Returns nullptr if there is one thread.
  [[nodiscard]] ThreadTeam* team() noexcept { return team_.get(); }

 private:
  static int hand_over(int part, MPI_Request request) noexcept;

  PartCall call_;
  std::vector<int> order_;
  std::unique_ptr<ThreadTeam> team_;
  std::vector<int> codes_;  // of the threads
};

/// Maker of the two requests of a message in parts from one rank to another: a tag of its own for each.
class PartRequests {
 public:
  explicit PartRequests(const Point& point)
      : parts_(point.partitions),
        elements_(point.elements() / point.partitions),
        section_byte_(point.size.count()),
        comm_(point.comm()) {}
  void send(std::byte* place, int section, int to, int with, MPI_Request* request) const;
  void receive(std::byte* place, int section, int from, int with, MPI_Request* request) const;

 private:
  int parts_;
  MPI_Count elements_;
  std::int64_t section_byte_;
  MPI_Comm comm_;
};

/// Requests of rank 0 to rank 1 and back; each rank has the one that sends and the one that receives.
class TwoProcesses {
 public:
  TwoProcesses(const Point& point, bool both_ways)
      : point_(point),
        handover_(point, both_ways || point.rank == 0),
        requests_(point.send.layout.slots.slots, 2),
        partner_(1 - point.rank) {
    const PartRequests make(point);
    auto send = point.send.cursor();
    auto receive = point.receive.cursor();
    for (std::int64_t slot = 0; slot < point.send.layout.slots.slots; ++slot) {
      MPI_Request* const pair = requests_.of_place(slot);
      std::byte* const out = send.next();
      std::byte* const in = receive.next();
      if (both_ways || sender()) make.send(out, 0, partner_, 2 * static_cast<int>(slot) + point.rank, pair);
      if (both_ways || !sender())
        make.receive(in, 0, partner_, 2 * static_cast<int>(slot) + partner_, pair + 1);
    }
  }
  void seek(std::uint64_t i) noexcept { requests_.seek(i); }

 protected:
  [[nodiscard]] bool sender() const noexcept { return point_.rank == 0; }
  [[nodiscard]] Arrival from_partner() const {
    return {.segments = {{.at = 0, .bytes = point_.size.count(), .source = partner_, .from = 0}}};
  }

  Point point_;
  Handover handover_;
  PersistentRequests requests_;
  int partner_;
};

/// Workload of parts that are computed and handed over early, beside the message as a whole.
[[nodiscard]] std::unique_ptr<measure::Workload> open_early_bird(const Point& point);

}  // namespace steelyard::imb
