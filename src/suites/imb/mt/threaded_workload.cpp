// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mt/threaded_workload.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "machine/environment.hpp"
#include "suites/imb/mt/partners.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {

using measure::CheckResult;
using measure::keep_first;

ThreadedWorkload::ThreadedWorkload(ThreadTeam& team,
                                   std::vector<std::unique_ptr<measure::Workload>> by_thread,
                                   const ThreadClocks& clocks, bool checks_at_once, ThreadTimes& times)
    : team_(&team),
      threads_(by_thread.size()),
      clocks_(clocks),
      checks_at_once_(checks_at_once),
      times_(&times) {
  for (std::size_t t = 0; t < by_thread.size(); ++t) threads_[t].workload = std::move(by_thread[t]);
}

int ThreadedWorkload::run(std::uint64_t first, std::uint64_t count) noexcept {
  double slowest_s = 0;
  int error = 0;
  if (takes_part()) {
    team_->run([&](int t) { run_thread(t, first, count); });
    for (const Thread& thread : threads_) {
      slowest_s = std::max(slowest_s, thread.seconds);
      keep_first(error, thread.error);
    }
  }
  if (!counting_) return error;
  runs_s_.push_back(slowest_s);
  for (Thread& thread : threads_) thread.counted_s += thread.seconds;
  return error;
}

int ThreadedWorkload::lead_in(std::uint64_t) noexcept {
  for (Thread& thread : threads_) thread.counted_s = 0;
  return 0;
}

void ThreadedWorkload::timed(std::uint64_t count, double) noexcept {
  for (std::size_t t = 0; t < times_->seconds.size(); ++t) times_->seconds[t] += threads_[t].counted_s;
  times_->operations += count;
}

void ThreadedWorkload::run_thread(int t, std::uint64_t first, std::uint64_t count) noexcept {
  Thread& own = threads_[static_cast<std::size_t>(t)];
  own.error = 0;
  if (!clocks_.each) {
    const double start = steady_seconds();
    own.error = own.workload->run(first, count);
    own.seconds = steady_seconds() - start;
    return;
  }
  own.seconds = 0;
  for (std::uint64_t i = first; i != first + count; ++i) {
    const double start = steady_seconds();
    keep_first(own.error, own.workload->run(i, 1));
    own.seconds += steady_seconds() - start;
    if (clocks_.gap != nullptr) keep_first(own.error, meet_five_times(t));
  }
}

int ThreadedWorkload::meet_five_times(int t) noexcept {
  int error = 0;
  for (int i = 0; i < 5; ++i) {
    team_->meet();
    if (t == 0) keep_first(error, clocks_.gap->synchronise());
    team_->meet();
  }
  return error;
}

void ThreadedWorkload::begin_counting(std::size_t runs) {
  counting_ = true;
  runs_s_.clear();
  runs_s_.reserve(runs);
  if (takes_part()) times_->seconds.resize(threads_.size());
}

std::span<const double> ThreadedWorkload::counted_s() {
  counting_ = false;
  return runs_s_;
}

// Buffers without room between them are checked one thread after the other: a check writes around them.
std::optional<CheckResult> ThreadedWorkload::verify(std::uint64_t repetitions) {
  if (!takes_part()) return CheckResult{};
  std::vector<std::optional<CheckResult>> found(threads_.size());
  std::vector<std::exception_ptr> failed(threads_.size());
  auto check = [&](int t) noexcept {
    const auto at = static_cast<std::size_t>(t);
    try {
      found[at] = threads_[at].workload->verify(repetitions);
    } catch (...) {
      failed[at] = std::current_exception();
    }
  };
  if (checks_at_once_)
    team_->run(check);
  else
    for (int t = 0; t < team_->size(); ++t) check(t);
  for (const auto& exception : failed)
    if (exception) std::rethrow_exception(exception);
  if (!found.front()) return std::nullopt;
  CheckResult all;
  for (std::size_t t = 0; t < found.size(); ++t) {
    all.errors += found[t]->errors;
    all.worst = std::max(all.worst, found[t]->worst);
    if (all.first.empty() && !found[t]->first.empty())
      all.first = "thread " + std::to_string(t) + " of " + found[t]->first;
  }
  return all;
}

namespace {

// IMB-MT has a tag of its own.
constexpr int thread_tag = 0;

/// Messages of one thread; all of a repetition are sent from one place.
class ThreadMessages {
 public:
  explicit ThreadMessages(const Point& point)
      : message_(point.message()),
        size_(point.size.count()),
        send_(point.send.base),
        receive_(point.receive.base),
        section_(std::max<std::int64_t>(size_, 4)),
        comm_(point.comm()) {}
  void seek(std::uint64_t) noexcept {}

 protected:
  int send(int to) noexcept {
    return mpi::noted(MPI_Send(send_, message_.count(), message_.type(), to, thread_tag, comm_), "MPI_Send");
  }
  int start_send(int to, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Isend(send_, message_.count(), message_.type(), to, thread_tag, comm_, &request),
                      "MPI_Isend");
  }
  int receive(int from, int section = 0) noexcept {
    return mpi::noted(MPI_Recv(receive_ + section * section_, message_.count(), message_.type(), from,
                               thread_tag, comm_, MPI_STATUS_IGNORE),
                      "MPI_Recv");
  }
  int start_receive(int from, int section, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Irecv(receive_ + section * section_, message_.count(), message_.type(), from,
                                thread_tag, comm_, &request),
                      "MPI_Irecv");
  }
  [[nodiscard]] Segment from(int source, int section = 0) const {
    return {.at = section * section_, .bytes = size_, .source = source, .from = 0};
  }
  [[nodiscard]] static Arrival one(const Segment& segment) { return {.segments = {segment}}; }
  [[nodiscard]] MPI_Comm comm() const noexcept { return comm_; }

 private:
  Message message_;
  std::int64_t size_;
  std::byte *send_, *receive_;
  std::int64_t section_;
  MPI_Comm comm_;
};

class ThreadPingPong : public ThreadMessages {
 public:
  ThreadPingPong(const Point& point, const PairPlace& place) : ThreadMessages(point), place_(place) {}
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    keep_first(error, place_.lower ? send(place_.partner) : receive(place_.partner));
    keep_first(error, place_.lower ? receive(place_.partner) : send(place_.partner));
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return one(from(place_.partner)); }

 private:
  PairPlace place_;
};

class ThreadPingPing : public ThreadMessages {
 public:
  ThreadPingPing(const Point& point, const PairPlace& place) : ThreadMessages(point), place_(place) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    int error = 0;
    keep_first(error, start_send(place_.partner, request));
    keep_first(error, receive(place_.partner));
    keep_first(error, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return one(from(place_.partner)); }

 private:
  PairPlace place_;
};

class ThreadSendRecv {
 public:
  explicit ThreadSendRecv(const Point& point)
      : point_(point),
        message_(point.message()),
        places_(ring_places(point.rank, point.processes, point.settings.stride)) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Sendrecv(point_.send.base, message_.count(), message_.type(), places_.to,
                                   thread_tag, point_.receive.base, message_.count(), message_.type(),
                                   places_.from, thread_tag, point_.comm(), MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
  }
  void seek(std::uint64_t) noexcept {}
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = point_.size.count(), .source = places_.from, .from = 0}}};
  }

 private:
  Point point_;
  Message message_;
  RingPlaces places_;
};

/// One place to both neighbours; what comes from the left and from the right has a half each.
class ThreadExchange : public ThreadMessages {
 public:
  explicit ThreadExchange(const Point& point)
      : ThreadMessages(point), places_(ring_places(point.rank, point.processes, point.settings.stride)) {}
  int operator()(std::uint64_t) noexcept {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int error = 0;
    keep_first(error, start_send(places_.from, requests[0]));
    keep_first(error, start_send(places_.to, requests[1]));
    keep_first(error, receive(places_.from, 0));
    keep_first(error, receive(places_.to, 1));
    keep_first(error, MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {from(places_.from, 0), from(places_.to, 1)}};
  }

 private:
  RingPlaces places_;
};

/// A window of messages in flight and one byte that says that they have come; each receive has a
/// section of its own.
class ThreadBand : public ThreadMessages {
 public:
  ThreadBand(const Point& point, const PairPlace& place, bool both_ways)
      : ThreadMessages(point),
        place_(place),
        window_(point.settings.window),
        sends_(both_ways || place.lower),
        receives_(both_ways || !place.lower),
        requests_(static_cast<std::size_t>(2 * window_), MPI_REQUEST_NULL) {}

  int operator()(std::uint64_t) noexcept {
    int error = 0;
    auto* request = requests_.data();
    for (int w = 0; receives_ && w < window_; ++w)
      keep_first(error, start_receive(place_.partner, w, *request++));
    for (int w = 0; sends_ && w < window_; ++w) keep_first(error, start_send(place_.partner, *request++));
    keep_first(
        error,
        MPI_Waitall(static_cast<int>(request - requests_.data()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    keep_first(error, acknowledge());
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    Arrival arrival;
    for (int w = 0; receives_ && w < window_; ++w) arrival.segments.push_back(from(place_.partner, w));
    return arrival;
  }

 private:
  int acknowledge() noexcept {
    if (place_.lower)
      return mpi::noted(
          MPI_Recv(&acknowledgement_, 1, MPI_CHAR, place_.partner, thread_tag, comm(), MPI_STATUS_IGNORE),
          "MPI_Recv");
    return mpi::noted(MPI_Send(&acknowledgement_, 1, MPI_CHAR, place_.partner, thread_tag, comm()),
                      "MPI_Send");
  }

  PairPlace place_;
  int window_;
  bool sends_, receives_;
  std::vector<MPI_Request> requests_;
  char acknowledgement_ = 0;
};

/// First the threads of a process, then those with the same number of all processes.
class ThreadBarrier {
 public:
  ThreadBarrier(const Point& point, ThreadTeam& team) : team_(&team), comm_(point.comm()) {}
  int operator()(std::uint64_t) noexcept {
    team_->meet();
    return mpi::noted(MPI_Barrier(comm_), "MPI_Barrier");
  }

 private:
  ThreadTeam* team_;
  MPI_Comm comm_;
};

std::unique_ptr<measure::Workload> open_pair(const Point& point, const PairPlace& place) {
  const auto& name = point.definition.name;
  if (name == "PingPongMT") return workload(ThreadPingPong(point, place), point);
  if (name == "PingPingMT") return workload(ThreadPingPing(point, place), point);
  return workload(ThreadBand(point, place, name == "BiBandMT"), point);
}

// Number of processes on whose list each processor of the node stands.
std::vector<int> processes_on(const mpi::Communicator& node, const std::vector<int>& processors) {
  const auto own_last = processors.empty() ? 0 : processors.back();
  std::vector<int> taken(static_cast<std::size_t>(node.max(std::int64_t{own_last})) + 1);
  for (const int processor : processors) taken[static_cast<std::size_t>(processor)] = 1;
  mpi::check(
      MPI_Allreduce(MPI_IN_PLACE, taken.data(), static_cast<int>(taken.size()), MPI_INT, MPI_SUM, node.get()),
      "MPI_Allreduce");
  return taken;
}

std::vector<int> cores_of_threads(const mpi::Communicator& node, int threads) {
  const auto [processors, cores] = machine::affinity();
  const auto taken = processes_on(node, processors);
  std::vector<int> own;
  std::ranges::set_intersection(cores, processors, std::back_inserter(own));
  const bool shared = std::ranges::any_of(taken, [](int processes) { return processes > 1; });
  const bool enough = static_cast<int>(own.size()) >= threads;
  if (!node.all(enough && !shared)) return {};
  own.resize(static_cast<std::size_t>(threads));
  return own;
}

}  // namespace

std::unique_ptr<measure::Workload> open_thread(const Point& point, ThreadTeam& team) {
  const auto& definition = point.definition;
  if (definition.pairs) {
    const auto place = pair_place(point.rank, point.processes, point.settings.stride);
    return place ? open_pair(point, *place) : nullptr;
  }
  if (definition.name == "SendRecvMT") return workload(ThreadSendRecv(point), point);
  if (definition.name == "ExchangeMT") return workload(ThreadExchange(point), point);
  if (definition.name == "BarrierMT")
    return measure::make_workload<measure::Loop<ThreadBarrier>>(ThreadBarrier(point, team));
  if (definition.name == "BcastMT") return open(Named<"Bcast">{}, point);
  if (definition.name == "ReduceMT") return open(Named<"Reduce">{}, point);
  return open(Named<"Allreduce">{}, point);
}

ThreadPlaces thread_places(const mpi::Communicator& processes, int threads) {
  if (processes.max(std::int64_t{threads}) == 1) return {};
  const auto node = processes.split_shared();
  ThreadPlaces places{node.any(node.sum(std::int64_t{threads}) > machine::usable_cores()),
                      cores_of_threads(node, threads)};
  // Cores of their own are as many as there are threads, however few one process may use.
  if (!places.processors.empty()) places.crowded = false;
  return places;
}

// Spins for about as long as a short row takes, then lets others run: between two rows the processor belongs
// to the main thread, which prepares the next one.
template <class Condition>
void ThreadTeam::wait_until(Condition done) const noexcept {
  constexpr int spins = 20000;
  for (int i = 0; !crowded_ && i < spins; ++i)
    if (done()) return;
  while (!done()) std::this_thread::yield();
}

ThreadTeam::ThreadTeam(int threads, bool crowded, const std::vector<int>& processors)
    : threads_(threads), crowded_(crowded) {
  if (auto callers = machine::processors_of_thread()) {
    callers_ = std::move(*callers);
    for (const int processor : processors) places_.push_back({processor});
  }
  bind(0);
  try {
    for (int t = 1; t < threads; ++t) workers_.emplace_back([this, t] { work(t); });
  } catch (...) {
    end();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  end();
}

void ThreadTeam::end() noexcept {
  ends_ = true;
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  for (auto& worker : workers_) worker.join();
  if (bound()) static_cast<void>(machine::keep_thread_to(callers_));
}

void ThreadTeam::start(Call call, void* body) noexcept {
  call_ = call;
  body_ = body;
  working_.store(threads_ - 1, std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
}

void ThreadTeam::finish() noexcept {
  wait_until([this] { return working_.load(std::memory_order_acquire) == 0; });
}

// A system that refuses leaves the thread where it is.
void ThreadTeam::bind(int t) const noexcept {
  if (bound()) static_cast<void>(machine::keep_thread_to(places_[static_cast<std::size_t>(t)]));
}

void ThreadTeam::work(int t) noexcept {
  bind(t);
  for (std::uint64_t seen = 0;; ++seen) {
    constexpr int looks = 20000;
    for (int i = 0; !crowded_ && i < looks && calls_.load(std::memory_order_acquire) == seen; ++i) {
    }
    calls_.wait(seen, std::memory_order_acquire);
    if (ends_) return;
    call_(body_, t);
    working_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadTeam::meet() noexcept {
  if (threads_ == 1) return;
  const auto meeting = meetings_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_ - 1) {
    arrived_.store(0, std::memory_order_relaxed);
    meetings_.store(meeting + 1, std::memory_order_release);
    return;
  }
  wait_until([&] { return meetings_.load(std::memory_order_acquire) != meeting; });
}

}  // namespace steelyard::imb
