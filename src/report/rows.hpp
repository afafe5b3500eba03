// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/comparison/keeper.hpp"
#include "analysis/warnings.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "record/walk.hpp"
#include "report/report.hpp"

/// Points as a report needs them.
namespace steelyard::report {

struct Row {
  /// Itself, or one that is like it in all that does not stand here.
  const record::PointRecord* point = nullptr;
  std::size_t run = 0;  // of ReportInput::runs
  std::string_view key = {};
  std::string_view variant = {};  // parameters other than the length that vary: "op=MPI_SUM mode=aggregate"
  std::optional<double> length_byte = {};
  std::optional<double> median = {}, low = {}, high = {}, p99 = {}, max = {},
                        n = {};       // of the primary metric
  std::optional<double> byte_s = {};  // where the primary metric is none
  std::optional<double> overlap_percent = {}, message_rate_op_s = {};
  std::optional<int> session = {};  // of its record, which was written then:
  double at_s = 0, elapsed_s = 0;   // elapsed_s: 0 if it is not told
  std::span<const record::State> states = {};
};

/// The batches of a point whose middle half is wider than those of the points of its benchmark before it.
struct Spread {
  double factor = 0;  // of the median
  std::size_t row = 0;
  std::optional<double> median = {};
  std::vector<double> batches = {};
};

/// Rows of the points of runs, in the order of the records.
class Rows {
 public:
  using OfRun = std::ranges::subrange<std::deque<Row>::const_iterator>;

  Rows() = default;
  explicit Rows(const std::vector<record::Run>& runs);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// Takes the next point of the only run. Returns whether it need not be kept: of points of curves that are alike but for
  /// what stands in a row one is kept here.
  [[nodiscard]] bool take(const record::Envelope& envelope, const record::PointRecord& point);
  /// Ends with the points of that run that are kept, which are referred to.
  void end(const record::Run& run);

  [[nodiscard]] const std::deque<Row>& all() const { return rows_; }
  [[nodiscard]] OfRun of_run(std::size_t run) const;
  [[nodiscard]] const analysis::VisitResemblance& visits(std::size_t run) const { return runs_[run].visits; }
  [[nodiscard]] const analysis::StatesOfRun& states(std::size_t run) const { return runs_[run].states; }
  /// Of each benchmark the point whose batches spread most, by the names.
  [[nodiscard]] const std::map<std::string, Spread, std::less<>>& spreads() const { return spreads_; }

 private:
  struct OneRun {
    std::size_t begin = 0, end = 0;  // of rows_
    analysis::VisitResemblance visits;
    analysis::StatesOfRun states;
  };

  void begin_run();
  void end_run();
  Row& add(const record::Envelope* envelope, const record::PointRecord& point);
  void take_spread(const record::PointRecord& point);
  const record::PointRecord& alike(const record::PointRecord& point);
  void name_variants();

  std::deque<Row> rows_;
  std::vector<OneRun> runs_;
  std::map<std::string, Spread, std::less<>> spreads_;
  std::deque<record::PointRecord> alike_;
  std::map<std::string, std::vector<const record::PointRecord*>, std::less<>> alike_of_;  // a benchmark
  comparison::Keeper keeper_;
};

/// "4 threads", as a variant names them; empty for one.
[[nodiscard]] std::string threads_words(const record::PointRecord& point);

/// A parameter as a word; empty for null.
[[nodiscard]] std::string word(const record::Value& value);

/// Rows of one benchmark of one suite that tell the same metric.
struct Benchmark {
  std::string suite, name, metric;  // metric: the primary one of its points
  std::vector<const Row*> rows;
  bool only = true;  // the benchmark has no other primary metric
};
/// Benchmarks in the order of their first points, metrics of one benchmark one after the other. Points
/// without a metric stand with the first one.
[[nodiscard]] std::vector<Benchmark> benchmarks(const std::deque<Row>& rows);

/// Meaning of a flag of a point; of an unknown flag its words.
[[nodiscard]] std::string sentence_of(const std::string& flag);

/// Unit that a value is shown in: factor from the base unit, and the unit's name. Times in us or ms, rates
/// with a decimal prefix; by the largest of the values.
struct Scale {
  double factor = 1;
  std::string unit;
};
[[nodiscard]] Scale scale_of(std::string_view base_unit, double largest);

/// `count` indices of 0 .. size - 1, evenly spread, the ends among them; all where there are no more.
[[nodiscard]] std::vector<std::size_t> evenly(std::size_t size, std::size_t count);
/// `count` indices of a list, in order: first of those that are said to matter, then of others, each evenly spread.
[[nodiscard]] std::vector<std::size_t> evenly(const std::vector<bool>& matters, std::size_t count);

// Free-form members of records as words. Internal to this folder.

/// A value in words, lists with blanks between; at most 300 bytes and dots. Empty for null.
[[nodiscard]] std::string text_of(const record::Json& json);

/// The member at a JSON pointer ("/build/flags"); empty where there is none.
[[nodiscard]] std::string at(const record::Document& document, const char* pointer);

}  // namespace steelyard::report
