// SPDX-License-Identifier: Apache-2.0
// Messages in parts that are handed over one by one. Needs an MPI library with partitioned communication.
#include <exception>

#include "mpi/communicator.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/mt/thread_team.hpp"
#include "suites/imb/own/compared.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// A thread for each part on processes that send, where they were asked for; nullptr: one thread does it all. Collective
// over the point's communicator.
std::unique_ptr<ThreadTeam> team_of_parts(const Point& point, bool sends) {
  if (!point.settings.part_threads) return nullptr;
  const int threads = sends ? point.partitions : 1;
  auto places = thread_places(mpi::Communicator::borrowed(point.comm()), threads);
  point.own->set_crowded(places.crowded);
  return threads == 1 ? nullptr : std::make_unique<ThreadTeam>(threads, std::move(places));
}

// How a sender hands its parts over.
class Handover {
 public:
  Handover(const Point& point, bool sends)
      : call_(point.settings.part_call),
        order_(part_order(point.settings.part_order, point.partitions)),
        team_(team_of_parts(point, sends)),
        codes_(order_.size()) {}

  // All of them, by the call that was asked for.
  int all(MPI_Request request) noexcept {
    const int parts = static_cast<int>(order_.size());
    if (call_ == PartCall::range) return MPI_Pready_range(0, parts - 1, request);
    if (call_ == PartCall::list) return MPI_Pready_list(parts, order_.data(), request);
    return each(request, [](int) {});
  }
  // Each behind before(part), in this order or on threads of their own.
  template <class Before>
  int each(MPI_Request request, Before before) noexcept {
    int error = 0;
    if (team_ != nullptr) {
      team_->run([&](int part) {
        before(part);
        codes_[static_cast<std::size_t>(part)] = MPI_Pready(part, request);
      });
      for (const int code : codes_) keep_first(error, code);
      return error;
    }
    for (const int part : order_) {
      before(part);
      keep_first(error, MPI_Pready(part, request));
    }
    return error;
  }
  // nullptr: there is one thread.
  [[nodiscard]] ThreadTeam* team() noexcept { return team_.get(); }

 private:
  PartCall call_;
  std::vector<int> order_;
  std::unique_ptr<ThreadTeam> team_;
  std::vector<int> codes_;  // of the threads
};

// The two requests of a message in parts from one rank to another: a tag of its own for each.
class Maker {
 public:
  explicit Maker(const Point& point)
      : parts_(point.partitions),
        elements_(point.elements() / point.partitions),
        section_byte_(point.size.count()),
        comm_(point.comm()) {}
  void send(std::byte* place, int section, int to, int with, MPI_Request* request) const {
    mpi::check(MPI_Psend_init(place + section * section_byte_, parts_, elements_, MPI_BYTE, to, with, comm_,
                              MPI_INFO_NULL, request),
               "MPI_Psend_init");
  }
  void receive(std::byte* place, int section, int from, int with, MPI_Request* request) const {
    mpi::check(MPI_Precv_init(place + section * section_byte_, parts_, elements_, MPI_BYTE, from, with, comm_,
                              MPI_INFO_NULL, request),
               "MPI_Precv_init");
  }

 private:
  int parts_;
  MPI_Count elements_;
  std::int64_t section_byte_;
  MPI_Comm comm_;
};

int wait(MPI_Request* request) noexcept {
  return MPI_Wait(request, MPI_STATUS_IGNORE);
}

int send_parts(MPI_Request* request, Handover& handover) noexcept {
  int error = 0;
  keep_first(error, MPI_Start(request));
  keep_first(error, handover.all(*request));
  keep_first(error, wait(request));
  return error;
}

int receive_parts(MPI_Request* request) noexcept {
  int error = 0;
  keep_first(error, MPI_Start(request));
  keep_first(error, wait(request));
  return error;
}

// Requests of rank 0 to rank 1 and back; each rank has the one that sends and the one that receives.
class TwoProcesses {
 public:
  TwoProcesses(const Point& point, bool both_ways)
      : point_(point),
        handover_(point, both_ways || point.rank == 0),
        requests_(point.send.layout.slots.slots, 2),
        partner_(1 - point.rank) {
    const Maker make(point);
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
    return {.segments = {{.at = 0, .bytes = point_.size.count(), .source = partner_, .from = 0}},
            .sum = {},
            .aside = {}};
  }

  Point point_;
  Handover handover_;
  PersistentRequests requests_;
  int partner_;
};

struct PingPong : TwoProcesses {
  explicit PingPong(const Point& point) : TwoProcesses(point, true) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const pair = requests_.next();
    int error = 0;
    if (sender()) {
      keep_first(error, send_parts(pair, handover_));
      keep_first(error, receive_parts(pair + 1));
    } else {
      keep_first(error, receive_parts(pair + 1));
      keep_first(error, send_parts(pair, handover_));
    }
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return from_partner(); }
};

// One way; the receiver answers now and then, so that the sender is never far ahead.
struct Uniband : TwoProcesses {
  explicit Uniband(const Point& point) : TwoProcesses(point, false) {}
  int operator()(std::uint64_t i) noexcept {
    constexpr std::uint64_t answered = 16;
    MPI_Request* const pair = requests_.next();
    int error = 0;
    keep_first(error, sender() ? send_parts(pair, handover_) : receive_parts(pair + 1));
    if (i % answered != answered - 1) return error;
    keep_first(error, sender()
                          ? MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE)
                          : MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm()));
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return sender() ? Arrival{} : from_partner(); }
};

// A message to either neighbour of a ring.
class Exchange {
 public:
  explicit Exchange(const Point& point)
      : point_(point),
        handover_(point, true),
        requests_(1, 4),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes) {
    constexpr int to_the_right = 0, to_the_left = 1;
    const Maker make(point);
    MPI_Request* const requests = requests_.of_place(0);
    make.receive(point.receive.base, 0, left_, to_the_right, requests);
    make.receive(point.receive.base, 1, right_, to_the_left, requests + 1);
    make.send(point.send.base, 1, left_, to_the_left, requests + 2);
    make.send(point.send.base, 0, right_, to_the_right, requests + 3);
  }
  void seek(std::uint64_t) noexcept {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const requests = requests_.of_place(0);
    int error = 0;
    keep_first(error, MPI_Startall(4, requests));
    keep_first(error, handover_.all(requests[2]));
    keep_first(error, handover_.all(requests[3]));
    keep_first(error, MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    const auto size = point_.size.count();
    return {.segments = {{.at = 0, .bytes = size, .source = left_, .from = 0},
                         {.at = size, .bytes = size, .source = right_, .from = size}},
            .sum = {},
            .aside = {}};
  }

 private:
  Point point_;
  Handover handover_;
  PersistentRequests requests_;
  int right_, left_;
};

// What computes the pieces: one kernel for all where one thread does, else one for each thread, which makes it, so that
// no two of them write to the same lines of a cache. Throws what a thread has thrown.
std::vector<std::unique_ptr<MatrixVector>> kernels_of(const MatrixVector& kernel, ThreadTeam* team) {
  std::vector<std::unique_ptr<MatrixVector>> kernels(
      static_cast<std::size_t>(team == nullptr ? 1 : team->size()));
  std::vector<std::exception_ptr> failed(kernels.size());
  auto make = [&](int t) noexcept {
    const auto at = static_cast<std::size_t>(t);
    try {
      kernels[at] = std::make_unique<MatrixVector>(kernel);
    } catch (...) {
      failed[at] = std::current_exception();
    }
  };
  if (team == nullptr)
    make(0);
  else
    team->run(make);
  for (const auto& exception : failed)
    if (exception) std::rethrow_exception(exception);
  return kernels;
}

// Parts that are handed over as soon as each has been computed: by one thread that computes one after the other, or by a
// thread for each. The receiver answers with 0 byte, whose way the sender's clock takes back.
class EarlyBird : public TwoProcesses {
 public:
  explicit EarlyBird(const Point& point)
      : TwoProcesses(point, false),
        kernels_(kernels_of(point.computation->kernel(), handover_.team())),
        block_(point.computation->block()),
        products_(static_cast<std::size_t>(point.partitions), 0),
        pieces_s_(products_.size(), 0),
        handed_s_(products_.size(), 0),
        seen_s_(products_.size(), 0) {}

  int operator()(std::uint64_t i) noexcept {
    MPI_Request* const pair = requests_.next();
    if (!sender()) return receive(pair + 1, false);
    const int error = compute_and_send(i, pair);
    if (shortest_ > 0) point_.own->add_pieces(1, std::ranges::max(pieces_s_));
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return sender() ? Arrival{} : from_partner(); }

  // What belongs to a sample of so many operations, of which a message takes `message_s`.
  int prepare(std::uint64_t operations, double message_s) {
    constexpr std::uint64_t most = 16;
    const auto tries = std::min(operations, most);
    seek(0);
    int error = 0;
    answer_s_ = 0;
    shortest_ = 0;
    double answer_s = mean_s(1, error, [&] { return answer_back(); }) / 2;
    for (std::uint64_t i = 1; i < tries; ++i)
      answer_s = std::min(answer_s, mean_s(1, error, [&] { return answer_back(); }) / 2);
    const double bare_s = mean_s(tries, error, [&] { return (*this)(0); }) - answer_s;
    answer_s_ = answer_s;
    shortest_ = products_of_piece(message_s, static_cast<int>(kernels_.size()), point_.partitions,
                                  block_.rate_flop_s / kernels_.front()->operations_of_one());
    double early = 0, last_s = 0;
    for (std::uint64_t i = 0; i < tries; ++i) {
      keep_first(error, watch(i, early));
      last_s += last_s_;
    }
    const auto each = static_cast<double>(tries);
    point_.own->add(operations, {.other_s = message_s,
                                 .bare_s = bare_s,
                                 .answer_s = answer_s,
                                 .last_s = last_s / each,
                                 .early_share = early / each});
    seek(0);
    return error;
  }

 private:
  template <class Call>
  static double mean_s(std::uint64_t tries, int& error, Call call) {
    const double start_s = steady_seconds();
    for (std::uint64_t i = 0; i < tries; ++i) keep_first(error, call());
    return (steady_seconds() - start_s) / static_cast<double>(tries);
  }

  int answer() noexcept {
    return sender() ? MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE)
                    : MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm());
  }
  // There and back.
  int answer_back() noexcept {
    int error = 0;
    if (sender()) keep_first(error, MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm()));
    if (!sender())
      keep_first(error, MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE));
    keep_first(error, answer());
    return error;
  }

  int compute_and_send(std::uint64_t i, MPI_Request* request) noexcept {
    set_noise(i);
    int error = 0;
    keep_first(error, MPI_Start(request));
    keep_first(error, handover_.each(*request, [this](int part) { compute(part); }));
    join_s_ = std::ranges::max(handed_s_);
    keep_first(error, wait(request));
    keep_first(error, answer());
    last_s_ = steady_seconds() - join_s_ - answer_s_;
    return error;
  }

  // On the thread of this part, if it has one.
  void compute(int part) noexcept {
    const auto at = static_cast<std::size_t>(part);
    const double start_s = steady_seconds();
    if (products_[at] > 0) kernels_[kernels_.size() == 1 ? 0 : at]->multiply(products_[at]);
    handed_s_[at] = steady_seconds();
    pieces_s_[at] = handed_s_[at] - start_s;
  }

  void set_noise(std::uint64_t i) noexcept {
    std::fill(products_.begin(), products_.end(), 0);
    if (shortest_ == 0) return;
    const auto noise = piece_noise(point_.settings, static_cast<int>(products_.size()), i);
    for (std::size_t at = 0; at < noise.size(); ++at)
      products_[at] = static_cast<std::uint64_t>(std::max(1.0, shortest_ * (1 + noise[at])));
  }

  // Who `watches` notes when each part was there.
  int receive(MPI_Request* request, bool watches) noexcept {
    int error = 0;
    keep_first(error, MPI_Start(request));
    if (watches) keep_first(error, poll(*request));
    keep_first(error, wait(request));
    keep_first(error, answer());
    return error;
  }
  int poll(MPI_Request request) noexcept {
    int error = 0;
    std::fill(seen_s_.begin(), seen_s_.end(), 0);
    for (std::size_t missing = seen_s_.size(); missing > 0 && error == 0;)
      for (std::size_t part = 0; part < seen_s_.size(); ++part) {
        int there = 0;
        if (seen_s_[part] > 0) continue;
        keep_first(error, MPI_Parrived(request, static_cast<int>(part), &there));
        if (there == 0) continue;
        seen_s_[part] = steady_seconds();
        --missing;
      }
    return error;
  }

  // An operation whose receiver looks for each part, and tells how long before its answer it saw it: so both ends stand
  // on the sender's clock.
  int watch(std::uint64_t i, double& early) noexcept {
    MPI_Request* const pair = requests_.next();
    const int parts = static_cast<int>(seen_s_.size());
    int error = 0;
    if (!sender()) {
      keep_first(error, receive(pair + 1, true));
      const double answered_s = steady_seconds();
      for (double& seen_s : seen_s_) seen_s = answered_s - seen_s;
      keep_first(error, MPI_Send(seen_s_.data(), parts, MPI_DOUBLE, partner_, tag, point_.comm()));
      return error;
    }
    keep_first(error, compute_and_send(i, pair));
    const double answered_s = steady_seconds() - answer_s_;
    keep_first(error,
               MPI_Recv(seen_s_.data(), parts, MPI_DOUBLE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE));
    std::vector<Travel> travels;
    for (std::size_t part = 0; part < seen_s_.size(); ++part)
      travels.push_back({handed_s_[part], answered_s - seen_s_[part]});
    early += early_share(std::move(travels), join_s_);
    return error;
  }

  std::vector<std::unique_ptr<MatrixVector>> kernels_;  // one for each thread
  ComputedBlock block_;
  double shortest_ = 0;                  // products of a piece without noise; 0: nothing is computed
  std::vector<std::uint64_t> products_;  // of each piece of the operation
  std::vector<double> pieces_s_, handed_s_, seen_s_;
  double join_s_ = 0, last_s_ = 0, answer_s_ = 0;
};

// The whole message goes there and back before each sample.
class EarlyBirdWorkload final : public measure::Workload {
 public:
  explicit EarlyBirdWorkload(const Point& point)
      : operation_(point),
        checker_(point.checked_sides(), point.rank, point.processes),
        whole_(workload_of(mpi1().name, "PingPong")(point)),
        before_(point) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    operation_.seek(first);
    int error = 0;
    for (std::uint64_t i = first; i != first + count; ++i) keep_first(error, operation_(i));
    return error;
  }
  int lead_in(std::uint64_t count) noexcept override {
    int error = 0;
    const double there_and_back_s = before_.seconds(
        0, count, error, [this](std::uint64_t first, std::uint64_t n) { return whole_->run(first, n); });
    keep_first(error, operation_.prepare(count, there_and_back_s / static_cast<double>(count) / 2));
    return error;
  }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    operation_.seek(0);
    const Subject subject{.run = [this](std::uint64_t i) { return operation_(i); },
                          .arrival = [this](std::uint64_t i) { return operation_.arrival(i); },
                          .set_aside = {},
                          .aside_byte = 0};
    return checker_.check(repetitions, subject);
  }

 private:
  EarlyBird operation_;
  Checker checker_;
  std::unique_ptr<measure::Workload> whole_;
  TimedBefore before_;
};

// A message of 8 byte in two parts from this process to itself, up to the first call that fails.
int try_one(const mpi::Communicator& alone) {
  const std::int32_t own[] = {1, 2};
  std::int32_t found[] = {0, 0};
  PersistentRequests requests(1, 2);
  MPI_Request* const request = requests.of_place(0);
  int code = MPI_Psend_init(own, 2, 1, MPI_INT32_T, 0, tag, alone.get(), MPI_INFO_NULL, request);
  if (code == MPI_SUCCESS)
    code = MPI_Precv_init(found, 2, 1, MPI_INT32_T, 0, tag, alone.get(), MPI_INFO_NULL, request + 1);
  if (code == MPI_SUCCESS) code = MPI_Startall(2, request);
  for (int part = 0; part < 2 && code == MPI_SUCCESS; ++part) code = MPI_Pready(part, request[0]);
  if (code == MPI_SUCCESS) code = MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  return code == MPI_SUCCESS && !std::ranges::equal(own, found) ? MPI_ERR_OTHER : code;
}

}  // namespace

std::unique_ptr<measure::Workload> open_partitioned(const Point& whole) {
  const Point point = with_request_slots(whole);
  const auto name = point.definition.name;
  if (name == "PingPong_part") return workload(PingPong(point), point);
  if (name == "Uniband_part") return workload(Uniband(point), point);
  if (name == "Exchange_part") {
    Point one = point;
    one.send.layout.slots.slots = one.receive.layout.slots.slots = 1;
    return workload(Exchange(one), one);
  }
  if (name == "Overlap_part") return std::make_unique<EarlyBirdWorkload>(point);
  return nullptr;
}

std::string partitioned_obstacle() {
  if (!mpi::active()) return {};
  static const int code = try_one(mpi::Communicator::self().duplicate());
  if (code == MPI_SUCCESS) return {};
  return "the partitioned communication of this MPI library refuses: " + mpi::class_name(code);
}

}  // namespace steelyard::imb
