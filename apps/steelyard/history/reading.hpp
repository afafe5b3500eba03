// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/history/collection.hpp"
#include "analysis/history/history.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"

/// Reading of the runs of a history from folders, with the cache, on all processors.
namespace steelyard::cli {

/// Accepted changes: the tables [[known]] of a TOML text (docs/history.md). Throws UsageError
/// with place and nearest word.
[[nodiscard]] std::vector<history::Known> parse_known(std::string_view text, const std::string& name);

inline constexpr Option cache_options[] = {
    {"cache", Kind::directory, "where values of files that were read are kept; may be deleted at any time",
     FallbackText{"steelyard/history in the user's cache"}},
    {"no-cache", "read every file"},
    {"verify-cache", "compare digests of the files, not only size and time of change"},
};

struct ReadRuns {
  std::unique_ptr<std::pmr::memory_resource> memory;  // of the columns
  std::vector<history::RunColumns> runs;              // in the order of the files
  history::Keys keys;
  std::size_t files = 0, unreadable = 0, damaged = 0;  // damaged: with broken lines before others
};

/// Runs of every result.jsonl (.gz) below some folders, links followed once, and of files that are named; these may be
/// texts of other programs, of which `values` says more. Tells on standard error of unreadable files, of lines that are
/// left out, and the notes of the cache. Throws UsageError if nothing is found, record::ReadError for a place that
/// does not exist.
[[nodiscard]] ReadRuns read_history(const std::vector<std::string>& places, const Values& values);

}  // namespace steelyard::cli
