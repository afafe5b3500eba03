// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "foreign/imb.hpp"
#include "record/point_view.hpp"
#include "suites/imb/mt/partners.hpp"

namespace steelyard::foreign {
namespace {

constexpr double binary_mbyte = 1048576, decimal_mbyte = 1e6;

struct TimeColumn {
  std::string_view heading;
  const char* classic;
};
constexpr TimeColumn times[] = {
    {"t[usec]", "t_max_s"},       {"t_min[usec]", "t_min_s"},       {"t_max[usec]", "t_max_s"},
    {"t_avg[usec]", "t_avg_s"},   {"t_ovrl[usec]", "t_ovrl_s"},     {"t_pure[usec]", "t_pure_s"},
    {"t_CPU[usec]", "t_cpu_s"},   {"t_init[usec]", "t_init_max_s"}, {"t_exec[usec]", "t_exec_s"},
    {"t_call[usec]", "t_call_s"}, {"t_comp[usec]", "t_comp_s"},     {"t_part[usec]", "t_part_s"},
    {"t_p2p[usec]", "t_p2p_s"}};

bool has(const ImbTable& table, std::string_view heading) {
  return std::ranges::find(table.heading, heading) != table.heading.end();
}

/// Column whose number is the time of a row; empty if it has only rates.
std::string_view time_column(const ImbTable& table) {
  for (const std::string_view heading : {"t_ovrl[usec]", "t[usec]", "t_max[usec]", "t_avg[usec]",
                                         "t_pure[usec]", "t_exec[usec]", "t_part[usec]"})
    if (has(table, heading)) return heading;
  return {};
}

double plain(const Point& point, std::string_view metric) {
  return record::figure(point.record, metric).value_or(0);
}

/// Whether a table is of IMB-P2P, whose time is the mean over all processes.
bool is_of_patterns(const ImbTable& table) {
  return table.definition != nullptr && table.definition->kind == imb::Class::pattern;
}

bool is_band_of_threads(const ImbTable& table) {
  return table.of_threads && has(table, "Msg/sec");
}

/// Bytes that the rates of a row count in the time that it prints; 0 if none are counted, or if the time of
/// its rates is not printed.
double counted_byte(const ImbTable& table, Bytes size) {
  if (!table.of_threads)
    return static_cast<double>(imb::counted_byte(*table.definition, size, table.processes, table.window));
  if (is_band_of_threads(table)) return 0;  // of the slowest thread, beside a mean
  imb::Settings settings;
  settings.threads = table.threads;
  return static_cast<double>(imb::thread_volume(*table.definition, settings, size, table.processes).bytes);
}

}  // namespace

ImbRows::Row ImbRows::new_row(const Line& line) {
  Row row{Point(table_.suite, table_.benchmark, line.number), {}, {}};
  row.point.record.params = table_.params;
  row.point.unknown = table_.unknown;
  row.point.record.processes = table_.processes;
  row.point.record.threads = table_.threads;
  row.point.record.groups = table_.groups;
  row.point.over_time = "mean";
  row.point.over_ranks = is_of_patterns(table_) ? "mean" : has(table_, "t[usec]") ? "one" : "max";
  row.point.printed = "usec";
  return row;
}

bool ImbRows::take(const Line& line, bool last, Piece& piece) {
  if (trimmed(line.text).starts_with('[') &&
      !rows_.empty()) {  // quantiles of single times, of a patched harness
    std::vector<double> tail;
    for (std::string_view word : words_of(line.text)) {
      while (!word.empty() && (word.front() == '[' || word.front() == ',')) word.remove_prefix(1);
      while (!word.empty() && (word.back() == ']' || word.back() == ',')) word.remove_suffix(1);
      if (const auto value = number(word, micro)) tail.push_back(value->value);
    }
    if (!tail.empty() && tail.size() <= 64) rows_.back().point.record.classic.emplace_back("tail_s", tail);
    return true;
  }
  const auto words = words_of(line.text);
  if (words.empty() || !whole(words[0])) return false;
  const bool whole_row = words.size() == table_.heading.size();
  const bool cut = last && (!whole_row || may_be_cut(line, words.back(), decimals_above_));
  ++piece.rows;
  if (cut) return true;  // the end of the block tells that it was cut off
  if (add_result(line, words, piece)) return true;
  if (!whole_row) {
    ++piece.odd_rows;
    if (odd_++ == 0) odd_line_ = line.number;
    piece.remark("import_row", line.number,
                 std::to_string(words.size()) + " columns under a heading of " +
                     std::to_string(table_.heading.size()) + ": left out");
    return true;
  }
  decimals_above_ = decimals(words.back());
  add(line, words, piece);
  return true;
}

/// Reads "out-of-mem.; needed X= 0.010 GB; ...", "time-out.; ..." in the place of numbers.
bool ImbRows::add_result(const Line& line, const std::vector<std::string_view>& words, Piece& piece) {
  const auto found = std::ranges::find_if(words, [](std::string_view word) {
    return word.starts_with("out-of-mem") || word.starts_with("time-out") ||
           word.starts_with("int-overflow") || word.starts_with("failed;") || word.starts_with("skipped;");
  });
  if (found == words.end()) return false;
  Row row = new_row(line);
  const auto at = static_cast<std::size_t>(found - words.begin());
  for (std::size_t i = 0; i < at && i < table_.heading.size(); ++i) put(table_.heading[i], words[i], row);
  auto& record = row.point.record;
  record.metrics.clear();
  record.status = found->starts_with("failed") ? record::Status::failed : record::Status::skipped;
  record.reason = because(found->starts_with("out-of-mem") ? record::ReasonCode::memory
                          : found->starts_with("time-out") ? record::ReasonCode::time
                                                           : record::ReasonCode::unsupported,
                          record::valid_utf8(trimmed(
                              line.text.substr(static_cast<std::size_t>(found->data() - line.text.data())))));
  record.primary.clear();
  static_cast<void>(piece);
  rows_.push_back(std::move(row));
  return true;
}

void ImbRows::put(std::string_view column, std::string_view word, Row& row) {
  Point& point = row.point;
  const auto value = whole(word);
  if (column == "#bytes") {
    if (value)
      point.set(table_.size_name.c_str(), table_.of_threads ? *value / table_.threads : *value);
    else
      point.fail(word);
  } else if (column == "Group" && value) {
    point.set("group", *value);
  } else if (column == "#parts" && value) {
    point.set("partitions", *value);
  } else if (column == "#repetitions" && value) {
    point.record.schedule->ops = *value;
    point.record.classic.emplace_back("repetitions", *value);
  } else if (column == "Mbytes/sec") {
    row.rate = word;
  } else if (column == "defects") {
    point.note("defects", word);
    if (const auto defects = number(word)) point.record.verified = defects->value == 0;
    if (point.record.verified == false) point.flag("warned_by_program");
  } else if (column == "overlap[%]") {
    point.note("overlap_percent", word);
  } else if (column == "break_even" && number(word)) {  // "-": a request never pays
    point.note("break_even", word);
  } else if (column == "overhead") {
    point.note("overhead", word);
  } else if (column == "perceiv_MB/s" && expected_ != Mbyte::unknown) {
    point.note("perceived_bandwidth_byte_s", word, expected_ == Mbyte::binary ? mebi : mega);
  } else if (column == "early[%]") {
    point.note("early_percent", word);
  }
  for (const auto& [heading, classic] : times)
    if (column == heading)
      point.note(heading == "t[usec]" && is_of_patterns(table_) ? "t_avg_s" : classic, word, micro);
  if (column == "Msg/sec") point.note("message_rate_op_s", word);
}

void ImbRows::add(const Line& line, const std::vector<std::string_view>& words, Piece& piece) {
  Row row = new_row(line);
  for (std::size_t i = 0; i < words.size(); ++i) put(table_.heading[i], words[i], row);
  const auto word_of = [&](std::string_view heading) {
    const auto at = std::ranges::find(table_.heading, heading) - table_.heading.begin();
    return words[static_cast<std::size_t>(at)];
  };
  const bool rates = has(table_, "Msg/sec") && !has(table_, "t[usec]");
  if (rates) {
    row.point.take(table_.of_threads ? "message_rate_total_op_s" : "message_rate_op_s", word_of("Msg/sec"));
    row.point.over_ranks = "sum";
    row.point.printed = "Msg/sec";
  }
  if (const auto column = time_column(table_); !column.empty())
    row.point.take("time_s", word_of(column), micro);
  if (is_of_patterns(table_) && has(table_, "Msg/sec") && number(word_of("Msg/sec")))
    row.point.take("message_rate_op_s", word_of("Msg/sec"));
  row.point.record.classic.emplace_back("idle_processes", std::int64_t{table_.idle});
  if (const auto bytes = table_.sized ? whole(word_of("#bytes")) : std::nullopt;
      table_.of_threads && bytes && *bytes % table_.threads != 0) {
    piece.remark("import_row", line.number,
                 std::to_string(*bytes) + " bytes of " + std::to_string(table_.threads) +
                     " threads that are not alike: left out");
    return;
  }
  if (is_there(row)) {
    piece.remark("import_row", line.number, "a size that stands in its table already: left out");
    return;
  }
  row.ratio = ratio(row);
  rows_.push_back(std::move(row));
}

bool ImbRows::is_there(const Row& row) {
  const auto at = [](const void* list, std::size_t i) -> const record::PointRecord& {
    return (*static_cast<const std::deque<Row>*>(list))[i].point.record;
  };
  return index_.find(row.point.record, rows_.size(), &rows_, at).has_value();
}

std::optional<double> ImbRows::ratio(const Row& row) const {
  if (row.rate.empty() || table_.definition == nullptr) return std::nullopt;
  const auto bytes = record::whole_of(record::find(row.point.record.params, table_.size_name));
  const auto rate = number(row.rate);
  if (!bytes || *bytes < 1 || *bytes > (std::int64_t{1} << 40) || !rate || rate->value < 1)
    return std::nullopt;
  const double time = plain(row.point, "time_s"), messages = plain(row.point, "message_rate_op_s");
  if (table_.definition->kind == imb::Class::message_rate || is_of_patterns(table_)) {
    constexpr double fewest = 100;  // the rate is a whole number: of fewer, rounding would decide on the unit
    const double byte_s = messages * static_cast<double>(*bytes);
    return messages >= fewest ? std::optional(rate->value * decimal_mbyte / byte_s) : std::nullopt;
  }
  const double bytes_counted = counted_byte(table_, Bytes{*bytes});
  if (time < 1e-6 || bytes_counted < 1) return std::nullopt;
  return rate->value * decimal_mbyte * time / bytes_counted;
}

/// Rates of IMB-MT are of all threads of one process, or of the whole run: figures that must not be mixed up.
const char* ImbRows::bandwidth_name() const {
  if (!table_.of_threads) return "bandwidth_byte_s";
  return is_band_of_threads(table_) ? "bandwidth_total_byte_s" : "bandwidth_process_byte_s";
}

/// Unit of the rates, by their numbers: a rate times its time is the bytes, or 0.9537 of them.
Mbyte ImbRows::unit(Piece& piece) const {
  constexpr double tolerance = 0.015;
  const auto near = [](double r, double expected) { return std::abs(std::log(r / expected)) < tolerance; };
  std::size_t binary = 0, decimal = 0, other = 0;
  for (const Row& row : rows_) {
    if (!row.ratio) continue;
    if (near(*row.ratio, decimal_mbyte / binary_mbyte))
      ++binary;
    else
      ++(near(*row.ratio, 1) ? decimal : other);
  }
  if (binary + decimal + other == 0) return expected_;
  const Mbyte found = other > 0 || (binary > 0 && decimal > 0) ? Mbyte::unknown
                      : binary > 0                             ? Mbyte::binary
                                                               : Mbyte::decimal;
  if (found == Mbyte::unknown)
    piece.remark(
        "import_unit", table_.line,
        "Mbytes/sec of " + table_.benchmark + " agree neither with 10^6 nor with 2^20 byte: rates left out");
  else if (found != expected_)
    piece.remark("import_unit", table_.line,
                 "Mbytes/sec of " + table_.benchmark + " are of " +
                     (found == Mbyte::binary ? "2^20" : "10^6") + " byte by their numbers" +
                     (expected_ == Mbyte::unknown ? "" : ", which is not what this release prints"));
  return found;
}

void ImbRows::finish(Piece& piece) {
  const bool printed = std::ranges::any_of(rows_, [](const Row& row) { return !row.rate.empty(); });
  const Mbyte mbyte = printed ? unit(piece) : expected_;
  const bool any = !rows_.empty();
  for (; !rows_.empty(); rows_.pop_front()) {  // one by one: a long table is not held twice
    Row& row = rows_.front();
    const bool measured = row.point.record.status == record::Status::ok;
    const bool sized = record::whole_of(record::find(row.point.record.params, table_.size_name)) != 0;
    if (!row.rate.empty() && measured) {
      const Scale scale = mbyte == Mbyte::binary ? mebi : mega;
      const auto rate = number(row.rate, scale);
      const bool of_nothing = !sized && rate && rate->value == 0;  // nothing moves, in whatever time
      if (mbyte == Mbyte::unknown || of_nothing) {
        row.point.record.metrics.emplace_back(bandwidth_name(), nullptr);
      } else {
        row.point.take(bandwidth_name(), row.rate, scale);
        if (sized) row.point.note("bandwidth_byte_s", row.rate, scale);
      }
    }
    piece.points.push_back(std::move(row.point));
  }
  if (!any && odd_ > 0)
    piece.refused.push_back(
        {"import_row", odd_line_,
         "table of " + table_.benchmark + ": every row has other columns than its heading"});
  piece.comparisons += index_.comparisons();
}

}  // namespace steelyard::foreign
