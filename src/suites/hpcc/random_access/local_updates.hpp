// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/random_access/fingerprint.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

namespace steelyard::hpcc {

/// RandomAccess on one process: 4 2^bits updates, or fewer, of a table of 2^bits words, from sub-streams in
/// lock step. base: 128 sub-streams; optimized: 64, each word prefetched one round ahead of its update.
class LocalUpdates {
 public:
  using Word = std::uint64_t;

  /// Bits of the smallest table that threads share. In a smaller one they would meet too
  /// often; one thread updates it.
  static constexpr int least_shared_bits = 20;

  /// Sets T[i] = i; the table is touched by the threads, each of which executes as large a part of the
  /// updates. Throws std::bad_alloc.
  LocalUpdates(Generator generator, int bits, Form form, int threads = 1)
      : LocalUpdates(generator, bits, form, threads, std::int64_t{4} << bits) {}
  LocalUpdates(Generator generator, int bits, Form form, int threads, std::int64_t updates);

  void run() noexcept;

  /// Applies the updates of a run once more, one after the other, by one thread; this counts as no run.
  void undo() noexcept;

  /// Rate of updates of half of the table over that of all of it, by a part of the updates (size_trial.hpp);
  /// `now` tells seconds. Before the first run, on every process that computes. Leaves the table fresh.
  [[nodiscard]] double speed_of_half(const std::function<double()>& now);

  /// Compares the fingerprints of the table and of its updates, after one more run where their number is even; where
  /// they differ, undoes the updates and counts entries that differ from their index: `errors` (all of them; the rule
  /// tolerates 1 %), `worst`: their share. Two threads may update one word at the same time and lose one of the updates:
  /// with more than one, `errors` is 0 if the rule is kept. More runs and checks may follow: a table that holds what it
  /// should is left as it is, another one is made fresh.
  [[nodiscard]] measure::CheckResult verify();

  [[nodiscard]] std::int64_t updates() const { return updates_; }
  [[nodiscard]] std::span<Word> table() const { return table_.span(); }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const { return {{"table", table_.memory()}}; }

  /// Fingerprint of the updates of a run; they are divided among the threads.
  [[nodiscard]] Fingerprint fingerprint() const;

 private:
  void reset();
  [[nodiscard]] measure::CheckResult count_wrong_words();

  Generator generator_;
  int bits_;
  Form form_;
  int threads_;
  std::int64_t updates_;  // of each run
  machine::HugeArray<Word> table_;
  std::uint64_t runs_ = 0;
};

}  // namespace steelyard::hpcc
