// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/file.hpp"
#include "stats/order.hpp"

/// Values of very many runs as they stay in memory: in columns, each key once.
namespace steelyard::history {

/// State of a value; `wrong`: its verification failed.
enum class ValueState : std::uint8_t { good, partial, skipped, failed, wrong };

/// Definition of a value: our own, or that of a number of another program's text: the same as ours, a mean
/// over time of the slowest rank or of the average over ranks, or something else.
enum class Statistic : std::uint8_t { own, same, slowest_mean, average_mean, other };

/// Number of different keys that can be told apart.
inline constexpr std::uint32_t most_keys = 1U << 25U;

/// Ends of the 95 % interval of a value, relative to it: end / value - 1. An interval need not have its value
/// in the middle, and times seldom do.
struct Ends {
  float low = std::numeric_limits<float>::quiet_NaN();  // not a number: there is no interval
  float high = std::numeric_limits<float>::quiet_NaN();
};
[[nodiscard]] Ends ends_of(const stats::Interval& interval, double value);
/// The interval as it was recorded, as far as single precision keeps it; nullopt if there is none.
[[nodiscard]] std::optional<stats::Interval> interval_of(const Ends& ends, double value);

/// One value of one run. There are very many: 32 byte each.
struct Column {
  Column() : key(0), state(ValueState::good), statistic(Statistic::own), lower_is_better(true) {}
  Column(std::uint32_t of_key, Ends of_interval, double number, ValueState how, bool lower,
         Statistic what = Statistic::own)
      : value(number),
        key(of_key % most_keys),
        state(how),
        statistic(what),
        lower_is_better(lower),
        ends(of_interval) {}

  double value = 0;        // above 0 where the state is good
  std::uint32_t key : 25;  // of Keys
  ValueState state : 3;
  Statistic statistic : 3;
  bool lower_is_better : 1;
  Ends ends;
  float slowest_mean = -1,
        average_mean = -1;  // of ours in that definition, over value; below 0: not recorded
};
static_assert(sizeof(Column) == 32);

/// Keys by number: "imb-mpi1/PingPong;message_byte=8;processes=2 time_s", "figure hpl". Parameters that the
/// text of another program cannot tell stand in it as "name=?".
class Keys {
 public:
  /// Throws record::ReadError beyond most_keys.
  std::uint32_t number(std::string_view text);
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return texts_[number]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> texts_;
  std::uint32_t last_ = 0;  // number that was asked for last
};

/// Columns of a run; a reader of very many runs may give memory of its own, which has to outlive them.
using Columns = std::pmr::vector<Column>;

/// Verdict of a screening on a node, or on a link to another one.
struct NamedNode {
  std::string host, other;  // other: empty for a node
  std::string quantity, verdict;
  double percent = 0;  // beside the usual; 0: not told
};

/// A run without its points.
struct RunColumns {
  std::string id, source;
  record::RunRecord head;
  Columns columns;
  std::optional<std::vector<NamedNode>> named = {};  // of a screening that has been judged
  std::vector<std::string> screened_hosts = {};      // where they are not those of the last session
};

inline constexpr std::string_view figure_start = "figure ";

/// Number of a point that is followed: of its primary metric or of the one of this name, by its
/// headline or by this statistic. A point without it has no column; figures of merit are followed
/// beside primary metrics alone.
struct Followed {
  std::string metric, statistic;
  /// "time_s", "time_s.p99"; empty: the primary metric of each point.
  [[nodiscard]] static Followed of(std::string_view words);
  [[nodiscard]] bool is_primary() const { return metric.empty(); }
};

/// Runs of a result file, and what its reader has to tell of its lines; `told` holds no records.
struct FileColumns {
  std::vector<RunColumns> runs;
  record::FileContent told;
};
/// Reads all runs of a file, sessions merged. Points are scanned, not parsed, except those that figures of
/// merit need. Throws record::ReadError.
[[nodiscard]] FileColumns read_columns(const std::string& file, Keys& keys, const Followed& followed = {});

/// Columns of a run in memory, such as one of another program's text.
[[nodiscard]] RunColumns columns_of(const record::Run& run, const std::string& source, Keys& keys,
                                    const Followed& followed = {});

}  // namespace steelyard::history
