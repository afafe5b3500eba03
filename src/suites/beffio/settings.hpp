// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {

// Hints of a run: which info keys are given where. Source: docs/suites/b-eff-io.md, "Hints". Pure.

using Hint = std::pair<std::string, std::string>;  // key, value

/// Hints in a line of words: "key value :: key value".
[[nodiscard]] std::string words_of(const std::vector<Hint>& hints);

/// Error of a rule that cannot be read: "line 3: 'nobody' is no number of processes ...".
class HintError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Rule that says where a hint applies; nullopt: everywhere.
struct HintRule {
  std::optional<int> processes;
  std::optional<Access> access;
  std::optional<PatternType> type;
  /// open: when a file is opened; chunk: at patterns of this chunk on disk; largest: at those of M_PART; all:
  /// both.
  enum class When { open, chunk, largest, all } when = When::all;
  Bytes chunk{0};
  Hint hint;
};

class Hints {
 public:
  Hints() = default;
  /// Reads the lines of a hint file. Throws HintError with the number of the line; `partitions`: numbers
  /// of processes in use.
  [[nodiscard]] static Hints parse(std::string_view text, const std::vector<int>& partitions);
  /// Adds a hint for all files and patterns.
  void add_everywhere(Hint hint);

  struct Place {
    int processes;
    Access access;
    PatternType type;
  };
  /// Hints in the order of the rules; of one key the later one wins at the MPI library.
  [[nodiscard]] std::vector<Hint> at_open(const Place& place) const;
  [[nodiscard]] std::vector<Hint> at_pattern(const Place& place, const Pattern& pattern) const;
  /// Whether hints were given at all, if only as a file without a rule: those in effect are told then.
  [[nodiscard]] bool given() const { return given_; }
  [[nodiscard]] const std::vector<HintRule>& rules() const { return rules_; }

 private:
  std::vector<HintRule> rules_;
  bool given_ = false;
};

class WrittenFiles;

/// File pointer of pattern type 1: the shared one, or individual ones (-noshared).
enum class Pointer { shared, individual };
/// Formula of the headline value: with the weights 25/25/50 of the published definition, or that of release 2.x.
enum class Formula { published, release2 };
/// by_access: all partitions are written, then rewritten, then read; by_partition: one partition after the
/// other.
enum class Order { by_access, by_partition };

/// Choices of the user; the defaults are the rule.
struct Settings {
  std::int64_t memory_mebibyte = 0;             // per process; needed before a plan is made
  std::optional<std::int64_t> system_mebibyte;  // -MT: of the whole system
  std::optional<Bytes> largest;                 // instead of 1/128 of the memory
  std::optional<Bytes> largest_together;        // -mpart: of all processes of a partition, in common files
  std::vector<int> partitions;                  // empty: default_partitions
  double total_s = 1800;                        // T, for all partitions together
  Hints hints;
  int told_errors = 1;
  Pointer pointer = Pointer::shared;
  bool unique = false;
  Rewriting rewriting = Rewriting::all_types;
  bool keep = false;
  Formula formula = Formula::published;
  Order order = Order::by_access;
  Control control = Control::batched;
  Bytes align = mebi;
  bool drop_cache = false;
  bool random = false;                     // -random: also chunks in random order
  std::optional<std::int64_t> cache_byte;  // -cache
  std::optional<std::int64_t> most_byte;   // -maxbytes
  std::optional<double> allowed_write_s;   // of a campaign: for all initial writes together
  std::optional<double> needs_budget_s;    // of a campaign whose budget does not hold it: it is left out
  std::shared_ptr<WrittenFiles> written;   // of the run that measures
};

/// Settings for a campaign of a minute on `processes` processes: one partition of all of them, a few
/// seconds, chunks of at most 2 MB, files of 2 GB, or of 64 MB per process where that is more: all patterns
/// once take half of it.
[[nodiscard]] Settings hurried(Settings settings, int processes);

/// One sentence per departure from the rule that makes the value not comparable; the scheduled time is a
/// criterion of its own.
[[nodiscard]] std::vector<std::string> departures(const Settings& settings);

/// Largest chunk M_PART.
[[nodiscard]] Bytes largest_chunk(const Settings& settings);
/// Largest chunk M_PART where the processes of a partition share a file. Source: b_eff paper, 5.4.
[[nodiscard]] Bytes largest_common_chunk(const Settings& settings, int processes);
/// The patterns in a partition of that many processes.
[[nodiscard]] PatternTable pattern_table(const Settings& settings, int processes);
/// Number of types that write segments: 3, 4, and random access.
[[nodiscard]] std::int64_t segmented_types(const Settings& settings);
/// Least total volume (-maxbytes) with which every pattern of all partitions is written at least once, each
/// type taking as much as its share allows. A multiple of 2^20 byte.
[[nodiscard]] Bytes least_volume(const Settings& settings, int world);
/// Memory of one process: the longest call, a fill-up included.
[[nodiscard]] Bytes buffer_size(const Settings& settings);
/// The partitions of a world of that size.
[[nodiscard]] std::vector<int> partitions(const Settings& settings, int world);

/// Whether the view begins anew at every pattern of a type: chunks are scattered by a view of one pattern.
[[nodiscard]] bool viewed_by_pattern(PatternType type, Pointer pointer);
/// Whether a pattern sets a view, which brings its hints: the first of its type, or every one. Others bring them
/// by MPI_File_set_info. Throws std::out_of_range if there is no such number.
[[nodiscard]] bool sets_view(int number, Pointer pointer);

[[nodiscard]] std::string_view text(Formula formula);
[[nodiscard]] std::string_view text(Order order);
[[nodiscard]] std::string_view text(Control control);

inline constexpr std::size_t most_partitions = 10;

/// Partitions that are measured unless others are named: {1}, {1, 2}, else a small one, a medium one and all
/// processes. Source: docs/suites/b-eff-io.md, "Partitions". Pure.
[[nodiscard]] std::vector<int> default_partitions(int processes);

}  // namespace steelyard::beffio
