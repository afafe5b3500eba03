// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

class NcclReader {
 public:
  NcclReader(const Block& block, const Told& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    if (trimmed(block_.lines.front().text).starts_with("{"))
      throw Refusal(block_.first_line(), "the JSON form of NCCL-tests is not read: give its text");
    if (const auto* told = record::find(told_.params, "benchmark"))
      if (const auto* word = std::get_if<std::string>(told)) benchmark_ = *word;
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Refusal(block_.first_line(), "a head of NCCL-tests without a row");
    if (benchmark_.empty())
      throw Refusal(
          block_.first_line(),
          "this release does not print which collective it measured: say --set benchmark=all_reduce, or what it was");
    piece_.processes = ranks_ > 0 ? std::optional(ranks_) : std::nullopt;
    for (Point& point : piece_.points) {
      point.record.benchmark = record::valid_utf8(benchmark_);
      point.record.processes = ranks_;
    }
    put_layout();
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  void take(const Line& line) {
    const auto text = trimmed(line.text);
    if (const auto name = behind(text, "# Collective test starting:")) {
      std::string_view word = words_of(*name).empty() ? *name : words_of(*name)[0];
      if (word.ends_with("_perf")) word.remove_suffix(5);
      benchmark_ = word;
    }
    const bool of_rank = begins(text, "# Rank ") || begins(text, "Rank ");
    if (of_rank && holds(text, " device ")) return rank(text);
    if (holds(text, " algbw ") && holds(text, " busbw ")) return heading(text);
    if (const auto wrong = behind(text, "# Out of bounds values :"); wrong && holds(*wrong, "FAILED"))
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
    if (const auto mean = behind(text, "# Avg bus bandwidth")) return;
    if (const auto version = between(text, "NCCL version ", "+"))
      piece_.release = record::valid_utf8(*version);
    if (text.starts_with("#")) return;
    row(line);
  }

  void rank(std::string_view text) {
    ++ranks_;
    const auto host = between(text, " on ", " device");
    if (host && !host->empty()) {
      const std::string name = record::valid_utf8(*host);
      if (stretches_.empty() || stretches_.back().first != name) stretches_.emplace_back(name, 0);
      ++stretches_.back().second;
    }
    if (const auto device = behind(text, "] ")) piece_.machine["accelerator"] = record::valid_utf8(*device);
  }

  void heading(std::string_view text) {
    heading_.clear();
    for (const std::string_view word : words_of(text))
      if (word != "#")
        heading_.emplace_back(word.starts_with("#") && word != "#wrong" ? word.substr(1) : word);
  }

  /// Without a heading the columns of today, with a root or without.
  const std::vector<std::string>& columns(std::size_t words) {
    static const std::vector<std::string> rooted = {"size",  "count", "type",  "redop",  "root",
                                                    "time",  "algbw", "busbw", "#wrong", "time",
                                                    "algbw", "busbw", "#wrong"};
    static const std::vector<std::string> plain = {"size",  "count",  "type", "redop", "time",  "algbw",
                                                   "busbw", "#wrong", "time", "algbw", "busbw", "#wrong"};
    if (!heading_.empty()) return heading_;
    return words == plain.size() ? plain : rooted;
  }

  void row(const Line& line) {
    const auto words = words_of(line.text);
    if (words.size() < 4 || !whole(words[0]) || !whole(words[1])) {
      if (!words.empty()) ++piece_.strange;
      return;
    }
    ++piece_.rows;
    if (!line.ended) return;
    const auto& names = columns(words.size());
    if (names.size() != words.size()) {
      ++piece_.odd_rows;
      return piece_.remark("import_row", line.number,
                           std::to_string(words.size()) + " columns under a heading of " +
                               std::to_string(names.size()) + ": left out");
    }
    const auto is_time = [](const std::string& name) { return name == "time" || name == "cputime"; };
    std::size_t from = static_cast<std::size_t>(std::ranges::find_if(names, is_time) - names.begin());
    for (const char* place : {"out", "in"}) {
      if (from >= names.size()) break;
      auto end = from + 1;
      while (end < names.size() && !is_time(names[end])) ++end;
      add(line, names, words, from, end, place);
      from = end;
    }
  }

  void add(const Line& line, const std::vector<std::string>& names,
           const std::vector<std::string_view>& words, std::size_t from, std::size_t end, const char* place) {
    Point point("nccl", "", line.number);
    point.over_time = "mean", point.over_ranks = "mean", point.printed = "us";
    point.set("place", place);
    point.set("message_byte", *whole(words[0]));
    for (std::size_t i = 2; i < names.size() && i < 5; ++i) {
      if (names[i] == "type") point.set("type", words[i]);
      if (names[i] == "redop") point.set("op", words[i]);
      if (names[i] == "root" && whole(words[i])) point.set("root", *whole(words[i]));
    }
    point.record.memory_kind = "device";
    point.flag("buffers_device");
    for (std::size_t i = from; i < end; ++i) {
      if (names[i] == "time" || names[i] == "cputime") point.take("time_s", words[i], micro);
      if (names[i] == "algbw") point.take("bandwidth_byte_s", words[i], giga);
      if (names[i] == "busbw") point.take("bus_bandwidth_byte_s", words[i], giga);
      if (names[i] == "cputime") point.record.classic.emplace_back("clock", std::string("cpu"));
      if (names[i] == "#wrong" || names[i] == "error") {
        const auto wrong = number(words[i]);
        if (wrong)
          point.record.verified =
              names[i] == "error" ? std::optional<bool>() : std::optional(wrong->value == 0);
      }
    }
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", line.number, "a size that stands in its table already: left out");
    piece_.points.push_back(std::move(point));
  }

  void put_layout() {
    if (stretches_.empty()) return;
    record::Json hosts = record::Json::array(), ranks = record::Json::array();
    std::vector<std::string> names;
    for (const auto& [name, length] : stretches_) {
      const auto found = std::ranges::find(names, name);
      const auto at = static_cast<std::int64_t>(found - names.begin());
      if (found == names.end()) names.push_back(name), hosts.push_back(record::Json(name));
      record::Json stretch = record::Json::array();
      stretch.push_back(at);
      stretch.push_back(length);
      ranks.push_back(std::move(stretch));
    }
    piece_.layout["hosts"] = std::move(hosts);
    piece_.layout["ranks"] = std::move(ranks);
    piece_.nodes = static_cast<int>(names.size());
  }

  const Block& block_;
  const Told& told_;
  Piece piece_;
  std::string benchmark_;
  std::vector<std::string> heading_;
  std::vector<std::pair<std::string, int>> stretches_;
  int ranks_ = 0;
};

}  // namespace

void read_nccl(const Block& block, const Told& told, Pieces& pieces) {
  pieces.push_back(NcclReader(block, told).read());
}

}  // namespace steelyard::foreign
