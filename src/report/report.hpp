// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/balance.hpp"
#include "analysis/comparison/comparison.hpp"
#include "analysis/tables.hpp"
#include "record/file.hpp"

namespace steelyard::report {

class Rows;

/// Input of a report.
struct ReportInput {
  std::vector<record::Run> runs = {};  // side by side, in the order in which they were named
  std::vector<record::Run> launches =
      {};  // all of the series that the only run belongs to, if there are several
  std::vector<balance::System> foreign = {};    // results of other programs (hpccoutf.txt)
  std::optional<balance::Balance> judged = {};  // of both; nullopt: nothing was judged
  std::optional<comparison::Comparison> compared = {};
  std::string not_compared = {};          // why there is no comparison although one was asked for
  std::string compared_as = {};           // "BASE and NEW" in words
  analysis::Tables acceptance = {};       // criteria that were judged; empty: none
  record::Document acceptance_bars = {};  // values, intervals and limits of the criteria (acceptance::bars)
  analysis::Tables history = {};          // of the runs below a folder; empty: none was asked for
  record::Document history_charts = {};   // its trends (history::charts)
  std::shared_ptr<const Rows> rows =
      {};  // of the only run, which may hold fewer points; nullptr: of its points
};

/// Names of runs, all different: the machine's; where it repeats, with the start; where that repeats too,
/// with the id.
[[nodiscard]] std::vector<std::string> run_names(const std::vector<record::Run>& runs);

// The report on one or more results. Pure; needs no MPI.

/// A figure of merit: its value on each machine, and where the report says more.
struct Card {
  struct Value {
    std::string of;    // the machine; empty where there is one only
    std::string text;  // "22.2 Gflop/s"
    std::string note;  // interval, doubts, what it follows from
  };
  std::string title;
  std::string part;  // id of a part; empty: none
  std::vector<Value> values;
};

/// Warning that bears on the validity of a part; the verdict lists all.
struct Warning {
  std::string severity;  // error or warning
  std::string text;
};

/// One part of a report: tables that are read at once, and long ones that HTML folds up.
struct Part {
  std::string id, title;
  analysis::Tables shown, folded;
  std::string charts;            // charts that the page's script draws here; empty: none
  std::vector<Card> cards = {};  // instead of the shown table, where HTML shows it
  std::vector<Warning> warnings = {};
};

/// Every part that the input can fill, verdict first. All forms of a report show these tables.
[[nodiscard]] std::vector<Part> parts(const ReportInput& input);

/// The tables of all parts, one after the other: for the text and Markdown forms.
[[nodiscard]] analysis::Tables tables(const std::vector<Part>& parts);

struct PageOptions {
  std::string title = {};           // empty: the machines' names
  std::string generated_utc = {};   // RFC 3339
  std::string page = {};            // template with the tokens of docs/report.md; empty: the built-in one
  std::size_t max_points = 200000;  // in the data of the charts
};

/// Names of the machines, each once, and how many results if a name stands for several.
[[nodiscard]] std::string title_of(const ReportInput& input);

/// Template that is part of this program, with charts; empty if the build had no Node.js.
[[nodiscard]] std::string_view built_in_page();

/// One self-contained HTML file. Without a template it holds the tables alone, and a sentence that says so.
/// Throws std::invalid_argument for a template that lacks a token.
[[nodiscard]] std::string html(const ReportInput& input, const PageOptions& options);

/// Data that the page's script reads: points column by column, figures of the balance, noise. Numbers of
/// points have six significant digits.
[[nodiscard]] record::Document page_data(const ReportInput& input, const PageOptions& options);

}  // namespace steelyard::report
