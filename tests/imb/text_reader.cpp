// SPDX-License-Identifier: Apache-2.0
#include "text_reader.hpp"

#include <cctype>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace steelyard::formats {
namespace {

std::string strip(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

std::vector<int> integers(const std::string& text) {
  std::vector<int> all;
  for (const std::string& word : words(text)) all.push_back(std::stoi(word));
  return all;
}

class Reader {
 public:
  void line(const std::string& raw) {
    const std::string text = strip(raw);
    std::smatch m;
    if (std::regex_match(text, m, std::regex("# Benchmarking (.*)"))) {
      begin(m[1]);
    } else if (after_name_) {
      participants(text);
    } else if (text.starts_with("#") && !text.starts_with("#bytes") && !text.starts_with("#repetitions")) {
      comment(text);
    } else if (!text.empty()) {
      content(text);
    }
  }

  ReadText result;

 private:
  ReadTable& table() { return result.tables.back(); }

  void begin(const std::string& name) {
    result.tables.emplace_back();
    table().name = name;
    after_name_ = true;
    groups_ = true;
    listing_ = false;
  }

  void participants(const std::string& text) {
    after_name_ = false;
    std::smatch m;
    if (std::regex_match(text, m, std::regex("# #processes = (\\d+)(; rank order \\(rowwise\\):)?"))) {
      table().processes = std::stoi(m[1]);
    } else if (std::regex_match(text, m, std::regex("# \\( (\\d+) groups of (\\d+) processes each .*"))) {
      table().groups = std::stoi(m[1]);
      table().processes = std::stoi(m[2]);
    } else {
      throw std::runtime_error("no number of processes after the name: " + text);
    }
  }

  void comment(const std::string& text) {
    std::smatch m;
    if (std::regex_match(text, m, std::regex("# !! Benchmark (.*) invalid for .*")))
      result.invalid.push_back(m[1]);
    if (text == "# All processes entering MPI_Finalize") result.finished = true;
    if (!result.tables.empty() && groups_) return ranks(text);
    if (text == "# List of Benchmarks to run:")
      listing_ = true;
    else if (listing_ && text.starts_with("# "))
      result.listed.push_back(text.substr(2));
    else if (std::regex_match(text, m, std::regex("# ([A-Za-z_ ]+?) *: *(.*)")))
      result.head[m[1]] = m[2];
  }

  void ranks(const std::string& text) {
    std::smatch m;
    if (std::regex_match(text, m, std::regex("# Group +(\\d+): +(.*)"))) {
      table().group_ranks.push_back(integers(m[2]));
    } else if (std::regex_match(text, m, std::regex("# +([0-9 ]+)"))) {
      auto& target = table().group_ranks.empty() ? table().rank_order : table().group_ranks.back();
      for (const int rank : integers(m[1])) target.push_back(rank);
    }
  }

  void content(const std::string& text) {
    if (result.tables.empty()) throw std::runtime_error("text before the first table: " + text);
    groups_ = false;
    if (text.find("#repetitions") != std::string::npos) {
      table().headings = words(text);
    } else if (text.starts_with("[")) {
      tail(text);
    } else {
      row(text);
    }
  }

  void tail(const std::string& text) {
    std::string numbers = text.substr(1, text.size() - 2);
    for (char& c : numbers) {
      if (c == ',') c = ' ';
    }
    table().tails.emplace_back();
    for (const std::string& word : words(numbers)) table().tails.back().push_back(std::stod(word));
  }

  void row(const std::string& text) {
    const auto cells = words(text);
    if (!std::regex_match(text, std::regex("[-+0-9. ]+")) || cells.size() != table().headings.size()) {
      table().refused.push_back(text);
      return;
    }
    table().rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i)
      table().rows.back()[table().headings[i]] = std::stod(cells[i]);
  }

  bool after_name_ = false, groups_ = false, listing_ = false;
};

}  // namespace

ReadText read_imb(const std::string& text) {
  Reader reader;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) reader.line(line);
  return reader.result;
}

}  // namespace steelyard::formats
