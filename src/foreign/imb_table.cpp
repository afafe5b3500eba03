// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "foreign/imb.hpp"
#include "foreign/text.hpp"
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

/// Words that change no key, with one dash, each between blanks; of the types the head tells.
constexpr std::string_view harmless =
    " -npmin -time -mem -msglen -input -iter -iter_policy -msglog -warm_up -include -exclude -list"
    " -zero_size -imb_barrier -msg_pause -dumpfile -show_tail -check -help -file_name -window -o -f -out"
    " -label -imb-version -threads -count -repeat -warmup -malloc_align -noheader -n-warmup -n-barr"
    " -hint -io-dir -file-name -msgsize -mem_alloc_type -msgsz -pause -partitions -aggregate_mode -l"
    " -launch -n -launcher -allow-root -deadline -progress -q -quiet -v -verbose -V -version -h"
    " -target-cpu-secs -data_type -red_data_type ";

bool yes(std::string_view word) {
  return word == "1" || word == "on" || word == "enable" || word == "yes" || word == "true";
}

/// Place of a word in a list; its length if it is not there.
std::size_t place(std::string_view word, std::span<const std::string_view> list) {
  return static_cast<std::size_t>(std::ranges::find(list, word) - list.begin());
}

template <class T>
bool take_whole(std::string_view word, T& to) {
  const auto number = whole(word);
  if (!number || !std::in_range<T>(*number)) return false;
  to = static_cast<T>(*number);
  return true;
}

/// Takes the member of an enumeration whose members stand in the order of the list.
template <class T>
bool take_of(std::string_view word, std::span<const std::string_view> list, T& to) {
  const std::size_t at = place(word, list);
  if (at < list.size()) to = static_cast<T>(at);
  return at < list.size();
}

bool take_multi(std::string_view word, imb::Settings& to) {
  if (word != "0" && word != "1") return false;
  to.multi = word == "1" ? 1 : 0;
  return true;
}

bool take_map(std::string_view word, imb::Settings& to) {
  const auto sides = pair_at(word, 'x');
  const auto p = sides ? count(sides->first) : std::nullopt, q = sides ? count(sides->second) : std::nullopt;
  if (p && q) to.map = std::pair(*p, *q);
  return p && q;
}

/// Type of the elements of IMB-MT, which its head does not say.
bool take_datatype(std::string_view word, imb::Settings& to) {
  if (word != "int" && word != "char") return false;
  to.data_type = to.reduction_type = word == "int" ? imb::DataType::integer : imb::DataType::character;
  return true;
}

bool take_contiguous_type(std::string_view word, imb::Settings& to) {
  constexpr std::string_view types[] = {"base", "base_vec", "resize", "resize_vec"};
  return take_of(word, types, to.contiguous_type);
}

bool take_gap(std::string_view word, imb::Settings& to) {
  constexpr std::string_view barriers[] = {"on", "off", "special"};
  return take_of(word, barriers, to.gap);
}

bool take_allocation(std::string_view word, imb::Settings& to) {
  constexpr std::string_view allocations[] = {"serial", "continuous", "parallel"};
  return take_of(word, allocations, to.allocation);
}

bool take_noise(std::string_view word, imb::Settings& to) {
  const auto percent = number(word);
  if (percent) to.noise = percent->value * 0.01;
  return percent.has_value();
}

/// Reads "2" dimensions or the sides "3x2".
bool take_cart(std::string_view word, imb::Settings& to) {
  std::vector<int> sides;
  for (std::string_view rest = word; !rest.empty();) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const auto side = count(rest.substr(0, end));
    if (!side) return false;
    sides.push_back(*side);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (sides.empty()) return false;
  to.cart = sides.size() == 1 ? imb::Cart{sides[0], {}} : imb::Cart{static_cast<int>(sides.size()), sides};
  return true;
}

constexpr int most_window = 1'000'000;

/// A word that changes a parameter of keys; `read` returns false for a value that it cannot read.
struct KeyWord {
  std::string_view word, parameter;
  bool (*read)(std::string_view value, imb::Settings& to);
};
constexpr KeyWord key_words[] = {
    {"-multi", "group", take_multi},
    {"-map", "map", take_map},
    {"-sync", "sync", [](std::string_view v, imb::Settings& to) { return to.sync = yes(v), true; }},
    {"-root_shift", "root",
     [](std::string_view v, imb::Settings& to) { return to.root_shift = yes(v), true; }},
    {"-off_cache", "off_cache_byte", [](std::string_view, imb::Settings&) { return false; }},
    {"-contig_type", "contiguous_type", take_contiguous_type},
    {"-window_size", "window",
     [](std::string_view v, imb::Settings& to) {
       return take_whole(v, to.window) && to.window <= most_window;
     }},
    {"-progress-calls", "progress_calls",
     [](std::string_view v, imb::Settings& to) { return take_whole(v, to.progress_calls); }},
    {"-outstanding", "outstanding",
     [](std::string_view v, imb::Settings& to) { return take_whole(v, to.outstanding.emplace()); }},
    {"-balance-overlap", "computation",
     [](std::string_view, imb::Settings& to) { return to.balance_overlap = true; }},
    {"-dropcache", "cache", [](std::string_view, imb::Settings& to) { return to.drop_cache = true; }},
    {"-seed", "seed", [](std::string_view v, imb::Settings& to) { return take_whole(v, to.seed); }},
    {"-msgwr", "msgwr", [](std::string_view v, imb::Settings& to) { return to.writes = yes(v), true; }},
    {"-msgrd", "msgrd", [](std::string_view v, imb::Settings& to) { return to.reads = yes(v), true; }},
    {"-stride", "stride", [](std::string_view v, imb::Settings& to) { return take_whole(v, to.stride); }},
    {"-datatype", "type", take_datatype},
    {"-barrier", "barrier", take_gap},
    {"-malloc_algo", "malloc_algo", take_allocation},
    {"-thread_level", "pready_by",  // of messages in parts alone
     [](std::string_view v, imb::Settings& to) { return to.part_threads = v == "multiple", true; }},
    {"-pready", "pready",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::part_orders, to.part_order); }},
    {"-pready_call", "pready_call",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::part_calls, to.part_call); }},
    {"-noise", "noise", take_noise},
    {"-noise_model", "noise_model",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::noise_models, to.noise_model); }},
    {"-cart", "cart", take_cart}};

/// Name of an option with one dash: "-out" of "--out" and of "--out=d"; empty for other words.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with("-") || number(word)) return {};
  if (word.starts_with("--")) word.remove_prefix(1);
  return word.substr(0, word.find('='));
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

ImbCall imb_call(const std::vector<std::string_view>& words, imb::Settings defaults) {
  ImbCall call{std::move(defaults), {}, true};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view name = option_name(words[i]);
    if (name.empty() || harmless.find(' ' + std::string(name) + ' ') != harmless.npos) continue;
    const auto joined = pair_at(words[i], '=');
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
    const auto known = std::ranges::find(key_words, name, &KeyWord::word);
    if (known == std::end(key_words))
      call.unknown.insert(call.unknown.end(), {"sync", "root", "off_cache_byte", "map"});
    else if (!known->read(joined ? joined->second : next, call.settings))
      call.unknown.emplace_back(known->parameter);
    call.allocation_said |= name == "-malloc_algo";
  }
  if (std::ranges::find(call.unknown, "off_cache_byte") != call.unknown.end())
    call.unknown.emplace_back("off_cache_line_byte");
  std::ranges::sort(call.unknown);
  call.unknown.erase(std::unique(call.unknown.begin(), call.unknown.end()), call.unknown.end());
  return call;
}

}  // namespace steelyard::foreign
