// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "foreign/readers.hpp"
#include "record/point_view.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;
/// Hosts in the order of ranks, and the number of consecutive ranks on each.
using Stretches = std::vector<std::pair<std::string, int>>;

void put_layout(const Stretches& stretches, Piece& piece) {
  if (stretches.empty()) return;
  Json hosts = Json::array(), ranks = Json::array();
  std::vector<std::string> names;
  for (const auto& [name, length] : stretches) {
    const auto found = std::ranges::find(names, name);
    const auto at = static_cast<std::int64_t>(found - names.begin());
    if (found == names.end()) names.push_back(name), hosts.push_back(Json(name));
    Json stretch = Json::array();
    stretch.push_back(at);
    stretch.push_back(length);
    ranks.push_back(std::move(stretch));
  }
  piece.layout["hosts"] = std::move(hosts);
  piece.layout["ranks"] = std::move(ranks);
  piece.nodes = static_cast<int>(names.size());
}

/// The mean over all sizes is a number of the whole output, never one of a point.
void add_average(double byte_s, Piece& piece) {
  record::SummaryRecord summary;
  summary.name = "nccl", summary.suite = "nccl";
  summary.processes = std::max(piece.processes.value_or(1), 1);
  summary.classic.emplace_back("average_bus_bandwidth_byte_s", byte_s);
  piece.summaries.push_back(std::move(summary));
}

/// Release of the library for its code: 22703 is 2.27.3; before 2.9 the second part had one digit.
std::string release_of(int code) {
  const int unit = code < 10000 ? 1000 : 10000;
  return std::to_string(code / unit) + '.' + std::to_string(code % unit / 100) + '.' +
         std::to_string(code % 100);
}

class NcclReader {
 public:
  NcclReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    if (const auto told = record::word_of(record::find(told_.params, "benchmark")); !told.empty())
      benchmark_ = told;
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of NCCL-tests without a row");
    if (benchmark_.empty())
      throw Refusal(
          block_.first_line(),
          "this release does not print which collective it measured: say --set benchmark=all_reduce, or what it was");
    piece_.processes = ranks_ > 0 ? std::optional(ranks_) : std::nullopt;
    for (Point& point : piece_.points) {
      point.record.benchmark = record::valid_utf8(benchmark_);
      point.record.processes = ranks_;
    }
    put_layout(stretches_, piece_);
    if (average_) add_average(*average_, piece_);
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
    if (begins(text, "# Avg bus bandwidth")) return average(text);
    if (const auto version = between(text, "NCCL version ", "+"))
      piece_.release = record::valid_utf8(*version);
    if (const auto library = behind(text, "nccl-library="))
      if (const auto code = count(words_of(*library).empty() ? *library : words_of(*library)[0]))
        piece_.release = release_of(*code);
    if (text.starts_with("#")) return;
    row(line);
  }

  void average(std::string_view text) {
    const auto pair = pair_at(text, ':');
    const auto value = pair ? number(pair->second, giga) : std::nullopt;
    if (value) average_ = value->value;
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

  /// Columns of the heading; without one those of today, with a root or without.
  const std::vector<std::string>& columns(std::size_t words) {
    static const std::vector<std::string> rooted = {"size",  "count", "type",  "redop",  "root",
                                                    "time",  "algbw", "busbw", "#wrong", "time",
                                                    "algbw", "busbw", "#wrong"};
    static const std::vector<std::string> plain = {"size",  "count",  "type", "redop", "time",  "algbw",
                                                   "busbw", "#wrong", "time", "algbw", "busbw", "#wrong"};
    if (!heading_.empty()) return heading_;
    return words == plain.size() ? plain : rooted;
  }

  /// Columns without redop and root, which older releases leave blank for operations that have none.
  static std::vector<std::string> without_blanks(std::vector<std::string> names, std::size_t words) {
    for (const std::string_view blank : {"redop", "root"})
      if (names.size() > words) std::erase(names, blank);
    return names;
  }

  void row(const Line& line) {
    const auto words = words_of(line.text);
    if (words.size() < 4 || !whole(words[0]) || !whole(words[1])) {
      if (!words.empty()) ++piece_.strange;
      return;
    }
    ++piece_.rows;
    if (!line.ended) return;
    const auto names = without_blanks(columns(words.size()), words.size());
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

  /// Notes the times of single iterations, which newer releases print.
  static void note_iterations(std::string_view name, std::string_view word, Point& point) {
    if (name == "i_min") point.note("i_min_s", word, micro);
    if (name == "i_max") point.note("i_max_s", word, micro);
    if (name == "i_p99") point.note("i_p99_s", word, micro);
    if (name == "i_cv%") point.note("i_cv_percent", word);
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
      note_iterations(names[i], words[i], point);
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

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::string benchmark_;
  std::vector<std::string> heading_;
  Stretches stretches_;
  std::optional<double> average_;
  int ranks_ = 0;
};

/// Reader of the document that -J writes (version 1 to 3 of it): numbers with six decimals, whole for those
/// that the text rounds.
class NcclDocument {
 public:
  NcclDocument(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    const Json document = json_of(block_);
    find_benchmark(document);
    find_ranks(document);
    piece_.started_utc =
        date(word_in(document, "start_time"), told_.minutes_before_utc).value_or(std::string());
    if (const auto release = real_in(document, "nccl_version"); release && *release > 0 && *release < 1e9)
      piece_.release = release_of(static_cast<int>(*release));
    const Json& results = member_in(document, "results");
    for (std::size_t i = 0; results.is_array() && i < results.size(); ++i) result(results[i]);
    if (piece_.points.empty())
      throw Incomplete(block_.first_line(), "a document of NCCL-tests without a result");
    if (const auto wrong = real_in(member_in(document, "out_of_bounds"), "count"); wrong && *wrong > 0)
      piece_.remark("import_warning", block_.first_line(), "values out of bounds were found");
    if (const auto average = real_in(member_in(document, "average_bus_bandwidth"), "bandwidth"))
      add_average(*average * 1e9, piece_);
    piece_.truncated = !block_.ended || word_in(document, "end_time").empty();
    return std::move(piece_);
  }

 private:
  /// Finds the benchmark by the name of the program that ran: ".../all_reduce_perf".
  void find_benchmark(const Json& document) {
    const Json& words = member_in(document, "args");
    if (words.is_array() && !words.empty() && words[0].is_string()) {
      benchmark_ = record::valid_utf8(words[0].get<std::string>());
      benchmark_.erase(0, benchmark_.rfind('/') + 1);
    }
    if (const auto told = record::word_of(record::find(told_.params, "benchmark")); !told.empty())
      benchmark_ = told;
    if (benchmark_.ends_with("_perf")) benchmark_.resize(benchmark_.size() - 5);
    if (benchmark_.empty())
      throw Refusal(block_.first_line(), "no name of a program in it: say --set benchmark=all_reduce");
  }

  /// Finds the ranks: one device is listed for each process; a process has threads and devices of its own.
  void find_ranks(const Json& document) {
    const Json& config = member_in(document, "config");
    const double each = real_in(config, "nthreads").value_or(1) * real_in(config, "ngpus").value_or(1);
    const Json& devices = member_in(config, "devices");
    if (!devices.is_array() || !(each >= 1) || each > 1e6) return;
    Stretches stretches;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const std::string host = word_in(devices[i], "hostname");
      if (stretches.empty() || stretches.back().first != host) stretches.emplace_back(host, 0);
      stretches.back().second += static_cast<int>(each);
      if (const auto name = word_in(devices[i], "device_info"); !name.empty())
        piece_.machine["accelerator"] = name;
    }
    const double ranks = each * static_cast<double>(devices.size());
    if (ranks >= 1 && ranks < 1e8) piece_.processes = static_cast<int>(ranks);
    put_layout(stretches, piece_);
  }

  void result(const Json& one) {
    ++piece_.rows;
    for (const auto& [name, place] : {std::pair{"out_of_place", "out"}, {"in_place", "in"}})
      if (const Json& half = member_in(one, name); half.is_object()) add(one, half, place);
  }

  void add(const Json& one, const Json& half, const char* place) {
    const auto size = real_in(one, "size");
    const bool processor = half.contains("cpu_time");
    const bool whole_half = (processor || half.contains("time")) && half.contains("alg_bw") &&
                            half.contains("bus_bw") && half.contains("nwrong");
    if (!size || *size < 0 || *size > 9e15 || !whole_half)
      return piece_.remark("import_row", block_.first_line(), "a result that lacks a part: left out");
    Point point("nccl", benchmark_, block_.first_line());
    point.over_time = "mean", point.over_ranks = "mean", point.printed = "us";
    point.record.processes = piece_.processes.value_or(0);
    point.set("place", place);
    point.set("message_byte", static_cast<std::int64_t>(*size));
    if (const std::string type = word_in(one, "type"); !type.empty()) point.set("type", type);
    if (const std::string op = word_in(one, "redop"); !op.empty()) point.set("op", op);
    if (const auto root = whole_or_less(word_in(one, "root"))) point.set("root", *root);
    point.record.memory_kind = "device";
    point.flag("buffers_device");
    take(point, "time_s", half, processor ? "cpu_time" : "time", micro);
    take(point, "bandwidth_byte_s", half, "alg_bw", giga);
    take(point, "bus_bandwidth_byte_s", half, "bus_bw", giga);
    if (processor) point.record.classic.emplace_back("clock", std::string("cpu"));
    if (const auto wrong = real_in(half, "nwrong")) point.record.verified = *wrong == 0;
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", block_.first_line(), "a size that is there already: left out");
    piece_.points.push_back(std::move(point));
  }

  /// Whole number of a word; nullopt for " -1", which means none.
  static std::optional<std::int64_t> whole_or_less(std::string_view word) {
    const auto root = trimmed(word);
    return root.starts_with('-') ? std::nullopt : whole(root);
  }

  static void take(Point& point, const char* metric, const Json& half, const char* name, Scale scale) {
    const auto value = real_in(half, name);
    std::array<char, 64> text{};
    const auto end =
        value ? std::to_chars(text.data(), text.data() + text.size(), *value, std::chars_format::fixed, 6)
              : std::to_chars_result{text.data(), std::errc::invalid_argument};
    if (end.ec != std::errc())
      point.fail(name);
    else
      (void)point.take(metric, std::string_view(text.data(), static_cast<std::size_t>(end.ptr - text.data())),
                       scale);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::string benchmark_;
};

}  // namespace

void read_nccl(const Block& block, const Description& told, Pieces& pieces) {
  if (trimmed(block.lines.front().text).starts_with("{"))
    pieces.push_back(NcclDocument(block, told).read());
  else
    pieces.push_back(NcclReader(block, told).read());
}

}  // namespace steelyard::foreign
