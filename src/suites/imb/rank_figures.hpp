// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "suites/imb/computation.hpp"
#include "suites/imb/settings.hpp"

namespace steelyard::imb {

// Figures of comparisons, and what follows from them. Pure; docs/suites/mpi4.md, "Figures".

/// Figures of one rank of the operations that the engine times, and of those beside them; seconds per operation.
struct OwnFigures {
  double own_s = 0;        // the benchmark itself
  double other_s = 0;      // the operation that the benchmark is compared with
  double making_s = 0;     // making a request
  double freeing_s = 0;    // freeing it
  double piece_s = 0;      // longest piece of the computation, mean over operations
  double bare_s = 0;       // the message in parts without computation
  double answer_s = 0;     // half of the round trip of 0 byte
  double last_s = 0;       // from the last part handed over to the answer, without its way
  double early_share = 0;  // of the time in which parts travel, the share before the computation ended
  double exchanged = 0;    // 1 if neighbours of a short dimension come in the other order
  double crowded = 0;      // 1 if threads that hand parts over are more than processors

  static constexpr std::size_t count = 11;
  [[nodiscard]] std::array<double, count> values() const {
    return {own_s,    other_s, making_s,    freeing_s, piece_s, bare_s,
            answer_s, last_s,  early_share, exchanged, crowded};
  }
  /// Figures of the rank whose numbers begin at `first`.
  [[nodiscard]] static OwnFigures from(const double* first) {
    return {first[0], first[1], first[2], first[3], first[4], first[5],
            first[6], first[7], first[8], first[9], first[10]};
  }
};

/// Figures of a point, gathered over its trials and visits.
class OwnTimes {
 public:
  /// Adds figures of the trial or visit that follows, which has `operations` operations.
  void add(std::uint64_t operations, const OwnFigures& figures) { samples_.push_back({operations, figures}); }
  /// Adds an operation to the last trial or visit: its longest piece, and the time left after its last part.
  void add_operation(double longest_s, double last_s) noexcept;
  /// Takes the time of the benchmark's own operations in the last trial or visit, which counts from then on.
  void set_own(std::uint64_t operations, double seconds) noexcept;
  /// Takes the cost of a request: requests are made and freed once for a point.
  void set_request(double making_s, double freeing_s) noexcept;
  [[nodiscard]] bool knows_request() const { return making_s_ > 0; }
  void set_exchanged(bool exchanged) noexcept { exchanged_ = exchanged; }
  void set_crowded(bool crowded) noexcept { crowded_ = crowded; }

  /// Figures of the last trial or visit: a classic rule times once, after its trials.
  [[nodiscard]] OwnFigures last() const {
    return completed(samples_.empty() ? OwnFigures{} : samples_.back().whole());
  }
  /// Medians over the trials and visits that count, each weighted by its operations: the benchmark and what it is
  /// compared with by the same samples. Over all of them if none counts.
  [[nodiscard]] OwnFigures median() const;

 private:
  struct Sample {
    std::uint64_t operations = 0;
    OwnFigures figures;
    bool counts = false;
    std::uint64_t computed = 0;  // operations whose pieces are known
    double pieces_s = 0, lasts_s = 0;
    [[nodiscard]] OwnFigures whole() const;
  };
  [[nodiscard]] OwnFigures completed(OwnFigures figures) const;

  std::vector<Sample> samples_;
  double making_s_ = 0, freeing_s_ = 0;
  bool exchanged_ = false, crowded_ = false;
};

/// Executions after which a request has paid for itself; nullopt if it never does.
[[nodiscard]] std::optional<std::int64_t> break_even(double request_s, double plain_s, double started_s);

/// Time that requests made before save, in percent of the time of the same messages without;
/// negative if they cost.
[[nodiscard]] double saving_percent(double plain_s, double persistent_s);

/// Availability: the share of the time of one message that is not left when all parts have been handed over,
/// where `left_s` are left. 1: nothing is left; 0: as much as for a message sent then; negative: more.
/// nullopt if a message takes no time.
[[nodiscard]] std::optional<double> availability(double left_s, double message_s);

/// Bandwidth that the message seems to have to a process that has computed until then; nullopt
/// if no time is left.
[[nodiscard]] std::optional<double> perceived_bandwidth(double bytes, double left_s);

/// Times when a part was handed over and when it had come.
struct Travel {
  double from_s = 0, until_s = 0;
};
/// Share that lies before `join_s` of the time in which any part travels; 0 if none travels.
[[nodiscard]] double early_share(std::vector<Travel> travels, double join_s);

/// Products of one of `pieces` pieces at this rate, without noise: those that one thread computes one after
/// the other take together as long as the message does; with a thread for each piece, each of them does.
[[nodiscard]] double products_of_piece(double message_s, int threads, int pieces,
                                       double products_in_a_second);

/// Noise of each piece in a repetition: how much longer it computes, as a share of the shortest.
[[nodiscard]] std::vector<double> piece_noise(const Settings& settings, int pieces, std::uint64_t repetition);

/// Parts 0 .. n - 1 in the order in which a repetition hands them over.
[[nodiscard]] std::vector<int> part_order(PartOrder order, int parts);

// Figures that the ranks of a point tell together.

/// Whether ranks of a benchmark tell figures of a computation beside it.
[[nodiscard]] bool has_overlap_figures(const Definition& definition);
/// Whether they tell figures of a comparison, or of handing parts over.
[[nodiscard]] bool has_own_figures(const Definition& definition);

/// Figures that one rank tells of a point, in the order in which RankFigures finds them; empty
/// for most benchmarks.
[[nodiscard]] std::vector<double> figures_of_rank(const Definition& definition, const OverlapFigures& overlap,
                                                  const OwnFigures& own);

/// Figures of all ranks one after the other, as an outcome has them.
class RankFigures {
 public:
  /// `figures` outlives it.
  RankFigures(const Definition& definition, const std::vector<double>& figures);
  [[nodiscard]] int ranks() const noexcept;
  /// Figures of a rank; zeros if the benchmark has none.
  [[nodiscard]] OverlapFigures overlap(int rank) const {
    return overlap_ == 0 ? OverlapFigures{} : OverlapFigures::from(of(rank));
  }
  [[nodiscard]] OwnFigures own(int rank) const {
    return own_ == 0 ? OwnFigures{} : OwnFigures::from(of(rank) + overlap_);
  }

 private:
  [[nodiscard]] const double* of(int rank) const {
    return figures_->data() + static_cast<std::size_t>(rank) * (overlap_ + own_);
  }

  const std::vector<double>* figures_;
  std::size_t overlap_, own_;  // numbers of each kind that a rank has
};

}  // namespace steelyard::imb
