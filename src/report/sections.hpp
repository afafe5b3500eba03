// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"
#include "report/report.hpp"
#include "report/rows.hpp"

/// The parts of a report, each made by one function. Internal to this folder.
namespace steelyard::report {

/// Source that all parts are made from.
struct Source {
  const ReportInput& input;
  std::vector<std::string> names;  // of the runs
  std::shared_ptr<const Rows> points;
  const std::deque<Row>& rows;  // of these
  std::vector<Benchmark> benchmarks;
  std::vector<std::string> foreign_names = {};  // of the results of other programs, none that of a run
  // Of each run, nullopt where it holds no screening; judged once, which takes seconds with a thousand nodes.
  std::vector<std::optional<screening::Screening>> screenings = {};
};

/// `input` is referred to.
[[nodiscard]] Source source_of(const ReportInput& input);
/// As those of report.hpp, for one source of both.
[[nodiscard]] std::vector<Part> parts(const Source& source);
[[nodiscard]] record::Document page_data(const Source& source, const PageOptions& options);

[[nodiscard]] Part verdict_part(const Source& source);
[[nodiscard]] Part merit_part(const Source& source);
[[nodiscard]] Part balance_part(const Source& source);
/// Suites in their order: messages, b_eff, I/O, HPC Challenge, and one part per suite that is none of these.
[[nodiscard]] std::vector<Part> suite_parts(const Source& source);
[[nodiscard]] Part scaling_part(const Source& source);
[[nodiscard]] Part overlap_part(const Source& source);
[[nodiscard]] Part pairs_part(const Source& source);
[[nodiscard]] Part launches_part(const Source& source);
[[nodiscard]] Part noise_part(const Source& source);
[[nodiscard]] Part comparison_part(const Source& source);
[[nodiscard]] Part acceptance_part(const Source& source);
[[nodiscard]] Part history_part(const Source& source);
[[nodiscard]] Part points_part(const Source& source);
[[nodiscard]] Part environment_part(const Source& source);

/// Libraries and kernels that were tried before DGEMM and HPL; nullopt if no run tells of a trial.
[[nodiscard]] std::optional<analysis::Section> blas_table(const Source& source);

/// Overlap with the computation in percent; nullopt if no byte was moved, which hides nothing.
[[nodiscard]] std::optional<double> overlap_of(const Row& row);

/// Figures of merit that carry the verdict, at most `most`: one of each resource that it weighs, then others. Each
/// value with its interval, or that none is known, and its doubts.
[[nodiscard]] std::vector<Card> leading_figures(const Source& source, std::size_t most);

/// Most rows of the static tables of a kind together: more nobody reads, and files grow.
inline constexpr std::size_t most_rows = 4000;

/// Id of the part that shows a suite.
[[nodiscard]] std::string part_of_suite(std::string_view suite);

/// Number for the page, which draws no more digits; null for what is none.
[[nodiscard]] record::Json six_digits(const std::optional<double>& value);

/// Table of pairs as the page draws it: for each pair the median over its visits, and its percentage of the
/// median of its class: pairs within a host, at one switch, between switches. For more than 256 ranks, blocks
/// of ranks, neighbours by their switches, with the median over the pairs of two blocks and the worst one.
/// `block`: ranks of a block. Empty for another table.
struct PairSquares {
  record::Json columns = {};
  std::int64_t block = 1;
};
[[nodiscard]] PairSquares pair_squares(const record::TableRecord& table, const record::Whereabouts& where);

/// Columns of a table of pairs.
inline constexpr std::array<const char*, 4> pair_columns = {"from_rank", "to_rank", "latency_s",
                                                            "bandwidth_byte_s"};
/// Switch of each rank, behind those above it; empty if the layout tells none.
[[nodiscard]] std::vector<std::string> switches_of_ranks(const record::Whereabouts& where);

/// Nodes and links of a run beside one another; nullopt if it holds no screening.
[[nodiscard]] std::optional<screening::Screening> screening_of(const record::Run& run);

/// Median, interval, 99 % and rate of the rows of a benchmark; at most `most` rows, evenly thinned,
/// as the section says.
[[nodiscard]] analysis::Section benchmark_table(const Source& source, const Benchmark& benchmark,
                                                std::size_t most);

}  // namespace steelyard::report
