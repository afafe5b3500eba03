// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace steelyard::formats {

/// A table as a foreign program finds it in the text.
struct ReadTable {
  std::string name;
  int processes = 0, groups = 1;
  std::vector<std::vector<int>> group_ranks;
  std::vector<int> rank_order;
  std::vector<std::string> headings;
  std::vector<std::map<std::string, double>> rows;  // by heading
  std::vector<std::string> refused;                 // rows that are not numbers
  std::vector<std::vector<double>> tails;
};

struct ReadText {
  std::map<std::string, std::string> head;  // "Machine" -> "x86_64"
  std::vector<std::string> listed;
  std::vector<ReadTable> tables;
  std::vector<std::string> invalid;  // benchmarks that lacked processes
  bool finished = false;
};

/// Reads the text by the rules that public harnesses rely on: stripped lines, "# Benchmarking NAME", the
/// number of processes in the line after it, a heading with "#repetitions", rows split at blanks. Knows
/// nothing of the writer.
[[nodiscard]] ReadText read_imb(const std::string& text);

}  // namespace steelyard::formats
