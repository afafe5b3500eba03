// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/local_updates.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "suites/hpcc/random_access/size_trial.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;

template <std::size_t lanes>
using Lanes = std::array<Word, lanes>;

/// Values before the first of each sub-stream of `steps` values; that of the first
/// sub-stream is number `first`.
template <class Stream, std::size_t lanes>
Lanes<lanes> starts(std::int64_t first, std::int64_t steps) {
  Lanes<lanes> x;
  for (std::size_t j = 0; j < lanes; ++j) x[j] = Stream::at(first + static_cast<std::int64_t>(j) * steps);
  return x;
}

/// Whether other threads update the same table.
enum class Access { alone, shared };

/// A word that two threads update at once may lose one update, which the rules tolerate, but stays a word.
template <Access access>
__attribute__((always_inline)) inline void apply(Word& word, Word x) {
  if constexpr (access == Access::alone)
    word ^= x;
  else
    __atomic_store_n(&word, __atomic_load_n(&word, __ATOMIC_RELAXED) ^ x, __ATOMIC_RELAXED);
}

/// Updates number part.begin + 1 .. part.end of the sequence.
struct Updates {
  Word* table;
  int bits;
  Share part;
};

template <class Stream, Access access = Access::alone>
void update_serially(const Updates& task) {
  Word x = Stream::at(task.part.begin);
  for (std::int64_t i = task.part.begin; i < task.part.end; ++i) {
    x = Stream::next(x);
    apply<access>(task.table[Stream::index(x, task.bits)], x);
  }
}

/// Does these updates in their order, the word of each value fetched some values before its turn.
template <class Stream>
void update_in_order(const Updates& task) {
  constexpr std::int64_t ahead = 64;
  std::array<Word, ahead> waiting{};
  Word x = Stream::at(task.part.begin);
  const auto fetch = [&](std::int64_t i) {
    x = Stream::next(x);
    waiting[static_cast<std::size_t>(i % ahead)] = x;
    __builtin_prefetch(task.table + Stream::index(x, task.bits));
  };
  const std::int64_t all = task.part.size();
  for (std::int64_t i = 0; i < std::min(ahead, all); ++i) fetch(i);
  for (std::int64_t i = 0; i < all; ++i) {
    const Word value = waiting[static_cast<std::size_t>(i % ahead)];
    apply<Access::alone>(task.table[Stream::index(value, task.bits)], value);
    if (i + ahead < all) fetch(i + ahead);
  }
}

/// Does the updates that sub-streams of equal length leave over.
template <class Stream, Access access>
void update_rest(const Updates& task, std::int64_t done) {
  update_serially<Stream, access>({task.table, task.bits, {task.part.begin + done, task.part.end}});
}

template <class Stream, Access access>
void update_plainly(const Updates& task) {
  constexpr std::int64_t lanes = 128;
  const std::int64_t steps = task.part.size() / lanes;
  const auto [table, bits, part] = task;
  auto x = starts<Stream, lanes>(part.begin, steps);
  run_widest([&, table = table, bits = bits ]() __attribute__((always_inline)) {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (auto& value : x) value = Stream::next(value);
      for (const auto value : x) apply<access>(table[Stream::index(value, bits)], value);
    }
  });
  update_rest<Stream, access>(task, steps * lanes);
}

template <class Stream, Access access>
void update_ahead(const Updates& task) {
  constexpr std::int64_t lanes = 64;
  using Values = Lanes<lanes>;  // GCC 16.2 fails over this name where it stands in the lambda expression
  const std::int64_t steps = task.part.size() / lanes;
  const auto first = starts<Stream, lanes>(task.part.begin, steps);
  // Everything is held by value: the table could overlap a sub-stream that is held by reference.
  run_widest([=]() __attribute__((always_inline)) {
    Word* const table = task.table;
    const int bits = task.bits;
    Values now, ahead;
    for (std::size_t j = 0; j < lanes; ++j) now[j] = Stream::next(first[j]);
    for (std::int64_t step = 1; step < steps; ++step) {
      for (std::size_t j = 0; j < lanes; ++j) ahead[j] = Stream::next(now[j]);
      for (std::size_t j = 0; j < lanes; ++j) {
        __builtin_prefetch(table + Stream::index(ahead[j], bits));
        apply<access>(table[Stream::index(now[j], bits)], now[j]);
      }
      now = ahead;
    }
    for (const auto value : now) apply<access>(table[Stream::index(value, bits)], value);
  });
  update_rest<Stream, access>(task, steps * lanes);
}

/// Fewest updates that are executed in sub-streams, twice as many as these are.
constexpr std::int64_t fewest_updates = 128;

template <class Stream, Access access>
void update(const Updates& task, Form form) {
  if (task.part.size() < fewest_updates) return update_serially<Stream, access>(task);
  form == Form::base ? update_plainly<Stream, access>(task) : update_ahead<Stream, access>(task);
}

/// Executes so many updates, by one thread or by several at once.
template <class Stream>
void update_all(const machine::HugeArray<Word>& table, int bits, std::int64_t all, Form form, int threads) {
  if (threads == 1) return update<Stream, Access::alone>({table.data(), bits, {0, all}}, form);
  in_threads(threads, [&](int t) {
    update<Stream, Access::shared>({table.data(), bits, share_of(all, threads, t)}, form);
  });
}

}  // namespace

LocalUpdates::LocalUpdates(Generator generator, int bits, Form form, int threads, std::int64_t updates)
    : generator_(generator),
      bits_(bits),
      form_(form),
      threads_(bits < least_shared_bits ? 1 : threads),
      updates_(updates),
      table_(std::int64_t{1} << bits) {
  reset();
}

/// Each part by the thread that updates from it, so that memory which nobody has touched yet lies near.
void LocalUpdates::reset() {
  constexpr std::int64_t page_words = 4096 / sizeof(Word);
  in_threads(threads_, [this](int t) {
    const auto part = share_of(static_cast<std::int64_t>(table_.size()), threads_, t, page_words);
    std::iota(table_.data() + part.begin, table_.data() + part.end, static_cast<Word>(part.begin));
  });
  runs_ = 0;
}

void LocalUpdates::run() noexcept {
  with_stream(generator_,
              [this]<class Stream>() { update_all<Stream>(table_, bits_, updates_, form_, threads_); });
  ++runs_;
}

void LocalUpdates::undo() noexcept {
  with_stream(generator_, [this]<class Stream>() {
    update_in_order<Stream>({table_.data(), bits_, {0, updates()}});
  });
}

double LocalUpdates::speed_of_half(const std::function<double()>& now) {
  const double speed = speed_of_half_table(bits_, [&](int bits) {
    const double start = now();
    with_stream(generator_, [&]<class Stream>() {
      update_all<Stream>(table_, bits, std::min(updates_, trial_updates), form_, threads_);
    });
    return now() - start;
  });
  reset();
  return speed;
}

measure::CheckResult LocalUpdates::verify() {
  // Two runs undo each other even where both are wrong: the check needs one that is left.
  if (runs_ % 2 == 0) run();
  if (fingerprint_of_changes(table_.span()) == fingerprint()) return {};
  const auto result = count_wrong_words();
  reset();
  return result;
}

Fingerprint LocalUpdates::fingerprint() const {
  std::vector<Fingerprint> parts(static_cast<std::size_t>(threads_));
  in_threads(threads_, [&](int t) {
    parts[static_cast<std::size_t>(t)] =
        fingerprint_of_updates(generator_, bits_, share_of(updates_, threads_, t));
  });
  Fingerprint sum;
  for (const Fingerprint& part : parts) sum ^= part;
  return sum;
}

measure::CheckResult LocalUpdates::count_wrong_words() {
  undo();
  measure::CheckResult result;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (table_[i] == i) continue;
    if (result.errors++ == 0) result.first = "word " + std::to_string(i);
  }
  result.worst = static_cast<double>(result.errors) / static_cast<double>(table_.size());
  if (threads_ > 1 && result.worst <= tolerated_share) result.errors = 0;
  return result;
}

}  // namespace steelyard::hpcc
