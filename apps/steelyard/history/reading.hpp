// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "analysis/history/collection.hpp"
#include "words/option_table.hpp"
#include "words/values.hpp"

/// From folders to the runs of a history: with the cache, on all processors.
namespace steelyard::cli {

inline constexpr Option cache_options[] = {
    {.name = "cache",
     .kind = Kind::directory,
     .fallback_text = "steelyard/history in the user's cache",
     .help = "where values of files that were read are kept; may be deleted at any time"},
    {.name = "no-cache", .help = "read every file"},
    {.name = "verify-cache", .help = "compare digests of the files, not only size and time of change"},
};

struct ReadRuns {
  std::unique_ptr<std::pmr::memory_resource> memory;  // in which columns lie
  std::vector<history::RunColumns> runs;              // in the order of the files
  history::Keys keys;
  std::size_t files = 0, unreadable = 0, damaged = 0;  // damaged: with lines that are left out
};

/// The runs of every result.jsonl (.gz) below some folders, links followed once, and of files that are named; these may be
/// texts of other programs, of which `values` says more. What cannot be read, and notes of the cache, are told on standard
/// error. Throws UsageError where nothing is found.
[[nodiscard]] ReadRuns read_history(const std::vector<std::string>& places, const Values& values);

}  // namespace steelyard::cli
