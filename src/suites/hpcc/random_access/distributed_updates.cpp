// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/distributed_updates.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "suites/hpcc/random_access/fingerprint.hpp"
#include "suites/hpcc/random_access/size_trial.hpp"
#include "suites/hpcc/random_access/update_route.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;

/// Counts and places of one collective exchange, by rank.
struct Sides {
  std::vector<int> counts, places;
  explicit Sides(int processes)
      : counts(static_cast<std::size_t>(processes)), places(static_cast<std::size_t>(processes)) {}
  int line_up() {
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    return places.back() + counts.back();
  }
};

/// Delivery of values to the owners of their words, many at a time, with nothing that
/// the measured exchanges use.
template <class Stream>
class SafeDelivery {
 public:
  SafeDelivery(const mpi::Communicator& comm, const UpdateTask& task)
      : comm_(comm),
        task_(task),
        start_(static_cast<std::uint64_t>(task.parts.start(task.rank))),
        out_(comm.size()),
        in_(comm.size()) {
    for (auto* list : {&values_, &sorted_}) list->reserve(at_once);
    owners_.reserve(at_once);
    received_.reserve(2 * at_once);  // of all processes' values as many come in, more or less, as go out
  }

  void run() {
    const std::int64_t rounds = comm_.max((task_.updates + at_once - 1) / at_once);
    Word x = Stream::at(4 * task_.parts.start(task_.rank));
    for (std::int64_t round = 0; round < rounds; ++round) {
      values_.resize(
          static_cast<std::size_t>(std::clamp<std::int64_t>(task_.updates - round * at_once, 0, at_once)));
      for (auto& value : values_) value = x = Stream::next(x);
      exchange();
      apply();
    }
  }

 private:
  // No rule bounds what a check looks ahead.
  static constexpr std::int64_t at_once = 1 << 15;

  [[nodiscard]] int owner(Word x) const {
    return task_.parts.owner(static_cast<std::int64_t>(Stream::index(x, task_.parts.bits())));
  }

  [[nodiscard]] Word& word(Word x) const {
    return task_.table[Stream::index(x, task_.parts.bits()) - start_];
  }

  /// Applies the values; the word of each is fetched some values before its turn.
  void apply() const {
    constexpr std::size_t ahead = 64;
    const std::size_t all = received_.size();
    for (std::size_t i = 0; i < std::min(ahead, all); ++i) __builtin_prefetch(&word(received_[i]));
    for (std::size_t i = 0; i < all; ++i) {
      if (i + ahead < all) __builtin_prefetch(&word(received_[i + ahead]));
      word(received_[i]) ^= received_[i];
    }
  }

  /// Puts the values in the order of their owners.
  void sort_by_owner() {
    owners_.resize(values_.size());
    std::ranges::transform(values_, owners_.begin(), [this](Word x) { return owner(x); });
    std::ranges::fill(out_.counts, 0);
    for (const int rank : owners_) ++out_.counts[static_cast<std::size_t>(rank)];
    out_.line_up();
    auto next = out_.places;
    sorted_.resize(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i)
      sorted_[static_cast<std::size_t>(next[static_cast<std::size_t>(owners_[i])]++)] = values_[i];
  }

  void exchange() {
    sort_by_owner();
    mpi::check(MPI_Alltoall(out_.counts.data(), 1, MPI_INT, in_.counts.data(), 1, MPI_INT, comm_.get()),
               "MPI_Alltoall");
    received_.resize(static_cast<std::size_t>(in_.line_up()));
    mpi::check(
        MPI_Alltoallv(sorted_.data(), out_.counts.data(), out_.places.data(), MPI_UINT64_T, received_.data(),
                      in_.counts.data(), in_.places.data(), MPI_UINT64_T, comm_.get()),
        "MPI_Alltoallv");
  }

  const mpi::Communicator& comm_;
  UpdateTask task_;
  std::uint64_t start_;  // of the words of this process
  Sides out_, in_;
  std::vector<Word> values_, sorted_, received_;
  std::vector<int> owners_;
};

}  // namespace

DistributedUpdates::DistributedUpdates(const mpi::Communicator& comm, Generator generator, int bits,
                                       Form form)
    : comm_(comm.duplicate()), generator_(generator), form_(form) {
  task_.parts = TableParts(bits, comm.size());
  task_.rank = comm.rank();
  measure::all_or_none(comm_, [this] { table_ = machine::HugeArray<Word>(task_.parts.length(task_.rank)); });
  task_.table = table_.data();
  if (form == Form::base)
    send_by([&] { return bucket_exchange(comm_, generator); });
  else
    send_by(comm_.size() > most_direct_processes ? MessageRoute::routed : MessageRoute::direct);
  limit(4 * task_.parts.words());
}

void DistributedUpdates::send_by(const std::function<std::unique_ptr<UpdateExchange>()>& make) {
  std::unique_ptr<UpdateExchange> exchange;
  measure::all_or_none(comm_, [&] { exchange = make(); });
  messages_ = std::move(exchange);
  use(Way::messages);
}

void DistributedUpdates::send_by(MessageRoute route) {
  send_by([&] {
    return route == MessageRoute::direct ? batched_exchange(comm_, generator_)
                                         : routed_exchange(comm_, generator_);
  });
  route_ = route;
}

void DistributedUpdates::choose_route(std::optional<MessageRoute> route) {
  constexpr std::int64_t tried_updates = 1 << 16;
  if (form_ == Form::base || comm_.size() < 2) return;
  if (route) {
    send_by(*route);
    return;
  }
  take(std::min(sample(), tried_updates));
  const auto seconds_of = [this](MessageRoute one) {
    send_by(one);
    return second_run_s(comm_, [this] { return run(); });
  };
  const double routed_s = seconds_of(MessageRoute::routed);
  if (!(seconds_of(MessageRoute::direct) < routed_s)) send_by(MessageRoute::routed);
  take_all();
}

std::string DistributedUpdates::way_told() const {
  const std::string words(text(way()));
  return way() == Way::messages && route_ == MessageRoute::routed ? "routed " + words : words;
}

void DistributedUpdates::prepare(std::optional<Way> way) {
  if (comm_.size() > most_direct_processes && comm_.size() <= most_tried_processes) choose_route();
  if (form_ == Form::optimized && way != Way::messages) shared_ = shared_exchange(comm_, generator_);
  if (!shared_) return;
  take(std::min(sample(), trial_updates));
  use(way ? *way : faster_way(comm_, [this](Way one) {
    use(one);
    return run();
  }));
  take_all();
}

std::int64_t DistributedUpdates::sample() const {
  return std::max<std::int64_t>(4 * task_.parts.length(task_.rank) / 100, 1);
}

void DistributedUpdates::reset() {
  std::iota(table_.data(), table_.data() + table_.size(), static_cast<Word>(task_.parts.start(task_.rank)));
  runs_ = 0;
}

void DistributedUpdates::take(std::int64_t updates_per_process) {
  task_.updates = std::min(updates_per_process, 4 * task_.parts.length(task_.rank));
  all_updates_ = comm_.sum(task_.updates);
}

void DistributedUpdates::limit(std::int64_t updates_per_process) {
  take(updates_per_process);
  reset();
}

double DistributedUpdates::timed_run(const std::function<double()>& now) {
  comm_.barrier();
  const double start = now();
  mpi::check(run(), "RandomAccess");
  return comm_.max(now() - start);
}

std::int64_t DistributedUpdates::updates_within(double bound_s) {
  take(sample());
  const double seconds = timed_run(MPI_Wtime);
  take_all();
  const double fits = bound_s / std::max(seconds, 1e-9) * static_cast<double>(sample());
  return comm_.min(static_cast<std::int64_t>(std::clamp(fits, 1.0, 0x1p62)));
}

double DistributedUpdates::speed_of_half(const std::function<double()>& now) {
  const UpdateTask whole = task_;
  if (whole.parts.words() / 2 < comm_.size()) return 1;
  task_.updates = std::min(sample(), trial_updates);
  const double speed = speed_of_half_table(whole.parts.bits(), [&](int bits) {
    task_.parts = TableParts(bits, comm_.size());
    return timed_run(now);
  });
  task_ = whole;
  return speed;
}

int DistributedUpdates::run() noexcept {
  ++runs_;
  return exchange_->run(task_);
}

void DistributedUpdates::undo() {
  with_stream(generator_, [this]<class Stream>() {
    std::optional<SafeDelivery<Stream>> delivery;
    measure::all_or_none(comm_, [&] { delivery.emplace(comm_, task_); });
    delivery->run();
  });
}

measure::CheckResult DistributedUpdates::verify() {
  // Two runs undo each other even where both are wrong: the check needs one that is left.
  if (runs_ % 2 == 0) mpi::check(run(), "RandomAccess");
  if (has_the_fingerprint_of_a_run()) return {};
  const auto result = count_wrong_words();
  reset();
  return result;
}

bool DistributedUpdates::has_the_fingerprint_of_a_run() const {
  const std::int64_t start = task_.parts.start(task_.rank);
  auto differ = fingerprint_of_changes(table_.span(), static_cast<Word>(start));
  differ ^= fingerprint_of_updates(generator_, task_.parts.bits(), {4 * start, 4 * start + task_.updates});
  std::array words{differ.values, differ.places};
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, words.data(), 2, MPI_UINT64_T, MPI_BXOR, comm_.get()),
             "MPI_Allreduce");
  return words == std::array<Word, 2>{};
}

measure::CheckResult DistributedUpdates::count_wrong_words() {
  undo();
  const auto start = static_cast<Word>(task_.parts.start(task_.rank));
  measure::CheckResult result;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i] == start + i) continue;
    if (result.errors++ == 0) result.first = "word " + std::to_string(start + i);
  }
  result.worst = static_cast<double>(result.errors) / static_cast<double>(table_.size());
  return result;
}

}  // namespace steelyard::hpcc
