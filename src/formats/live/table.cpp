// SPDX-License-Identifier: Apache-2.0
#include "formats/live/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/hpcc_summary.hpp"
#include "formats/live/experiment.hpp"
#include "formats/live/short_imb.hpp"
#include "record/point_view.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

struct Prefix {
  double size;
  const char* name;
};

std::string number(const record::PointRecord& point, std::string_view name) {
  const auto whole = record::whole_of(record::find(point.params, name));
  return whole ? std::to_string(*whole) : "";
}

std::string word(const record::PointRecord& point, std::string_view name) {
  return record::word_of(record::find(point.params, name));
}

/// Size of a point: "N 3584, NB 192, 1 x 2", "16777216 elements", "8 byte", as far as the point has them.
std::string size(const record::PointRecord& point) {
  std::string text;
  const auto add = [&](const std::string& value, const char* before, const char* after) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + std::string(before) + value + after;
  };
  add(number(point, "order"), "N ", "");
  add(number(point, "block"), "NB ", "");
  if (const auto rows = number(point, "grid_rows"); !rows.empty())
    add(rows + " x " + number(point, "grid_columns"), "", "");
  add(number(point, "elements"), "", " elements");
  add(number(point, "table_words"), "", " words");
  add(number(point, "message_byte"), "", " byte");
  return text;
}

std::string rate(double value, std::string_view unit) {
  static constexpr std::array<Prefix, 5> prefixes = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  const auto fits = [&](const Prefix& prefix) { return value >= prefix.size; };
  const auto found = std::ranges::find_if(prefixes, fits);
  const auto& prefix = found == prefixes.end() ? prefixes.back() : *found;
  return fmt::format("{:>9} {}{}", units::format_significant(value / prefix.size, 4), prefix.name,
                     unit == "byte/s" ? "B/s" : unit);
}

std::string quantity(std::string_view metric, double value) {
  const auto* known = record::metric_name(metric);
  const std::string_view unit = known == nullptr ? "" : known->unit;
  if (unit != "s") return rate(value, unit);
  const auto scale = units::time_unit(Seconds{value});
  return fmt::format("{:>9} {}", units::format_significant(value / scale.seconds, 4), scale.name);
}

/// Metrics of a point of messages beside the primary one: "natural ring 1.02 us".
std::string beside(const record::PointRecord& point) {
  std::string text;
  for (const auto& [name, metric] : point.metrics) {
    const auto* value = std::get_if<double>(&metric);
    if (value == nullptr || name == point.primary || point.benchmark != "LatencyBandwidth") continue;
    std::string told = quantity(name, *value);
    told.erase(0, told.find_first_not_of(' '));
    text += (text.empty() ? "" : ", ") +
            std::string(name.starts_with("pingpong") ? "ping-pong " : "natural ring ") + told;
  }
  return text;
}

// Points of HPC Challenge in the live table: a line each, the rate in its own unit.
class LiveHpcc {
 public:
  [[nodiscard]] static bool takes(const record::PointRecord& point) { return point.suite == "hpcc"; }
  // Subject above the lines of one number of processes and threads.
  [[nodiscard]] static std::string subject(const record::PointRecord& point) {
    const auto threads = point.threads > 1 ? fmt::format(" with {} threads", point.threads) : "";
    return fmt::format("hpcc   {} process{}{}", point.processes, point.processes == 1 ? "" : "es", threads);
  }
  // Heading of its columns; `first` stands above the tests.
  [[nodiscard]] static std::string heading(bool brief, const std::string& first) {
    return fmt::format("{:<24}{:<{}}{:>9}{:>19}", first, "size", brief ? brief_size_width : size_width,
                       "result", "time");
  }
  // True if the point has a row in a brief table: of the kernels of STREAM the triad, and failed points.
  [[nodiscard]] static bool stands_for_its_test(const record::PointRecord& point) {
    const auto kernel = word(point, "kernel");
    return kernel.empty() || kernel == "Triad" || point.verified == false ||
           point.status == record::Status::failed;
  }
  // Test with its kernel, if it has several: "StarSTREAM Triad".
  [[nodiscard]] static std::string name(const record::PointRecord& point) {
    const auto kernel = word(point, "kernel");
    return point.benchmark + (kernel.empty() ? "" : " ") + kernel;
  }
  // Benchmark, size, rate with its unit, time of one pass; without values that were not measured.
  [[nodiscard]] static std::string row(const record::PointRecord& point, bool brief) {
    std::string line =
        fmt::format("{:<24}{:<{}}", name(point), size(point), brief ? brief_size_width : size_width);
    const auto primary = live_primary(point);
    if (!primary || !primary->median) return line;
    line += fmt::format("{:<21}", quantity(point.primary, *primary->median));
    if (const auto seconds = analysis::hpcc_typical_s(point))
      line += fmt::format("{:>7}", units::format_time(Seconds{*seconds}));
    if (!brief) line += beside(point);
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

 private:
  // Columns of the sizes; the brief form leaves room for doubts.
  static constexpr int size_width = 34, brief_size_width = 28;
};

constexpr std::size_t title_width = 111;
constexpr std::size_t verdict_column = 88, brief_verdict_column = 82;

std::string group(const record::PointRecord& point) {
  const auto number = record::whole_of(record::find(point.params, "group"));
  return number ? fmt::format("group {}", *number) : "";
}

class LiveTable final : public Writer {
 public:
  LiveTable(std::ostream& out, TableStyle style) : out_(out), style_(style) {}

  void run(const record::RunRecord&) override {
    subject_.clear();
    opened_ = false;
  }

  void point(const record::PointRecord& point) override {
    after_summary_ = false;
    if (const std::string subject = subject_of(point); subject != subject_) {
      close();
      subject_ = subject;
      suite_ = point.suite;
      opened_ = false;
    }
    LiveExperiment* const experiment = experiment_of(point);
    const bool gathered = style_.brief && experiment == nullptr && !LiveHpcc::takes(point);
    if (gathered) {
      short_.add(point);
    } else if (point.status == record::Status::skipped) {
      skip(point);
    } else if (experiment != nullptr) {
      out_ << opening(kept_short(experiment->point(point, style_.brief))) << std::flush;
    } else if (!style_.brief || !LiveHpcc::takes(point) || LiveHpcc::stands_for_its_test(point)) {
      open(point);
      out_ << (style_.brief ? narrowed(row(point), style_.columns) : row(point)) << '\n' << std::flush;
    }
  }

  void summary(const record::SummaryRecord& summary) override {
    close();
    std::string text;
    for (const auto& experiment : experiments_) text += experiment->summary(summary, style_.brief);
    if (!text.empty()) text += take_held(summary.suite);
    // Summaries of a few lines each stand together.
    const bool apart = !first_ && !(style_.brief && after_summary_);
    out_ << (apart && !text.empty() ? "\n" : "") << kept_short(text) << std::flush;
    first_ = first_ && text.empty();
    after_summary_ = after_summary_ || !text.empty();
  }

  void end(const record::EndRecord&) override {
    close();
    for (const auto& [suite, text] : held_)
      out_ << (std::exchange(first_, false) ? "" : "\n") << suite << '\n' << kept_short(text);
    held_.clear();
    out_ << std::flush;
  }

 private:
  /// Experiment of the point; nullptr for a point that has a row.
  LiveExperiment* experiment_of(const record::PointRecord& point) const {
    const auto found = std::ranges::find_if(experiments_, [&](const auto& one) { return one->takes(point); });
    return found == experiments_.end() ? nullptr : found->get();
  }

  std::string subject_of(const record::PointRecord& point) const {
    if (experiment_of(point) != nullptr) return point.suite;
    if (LiveHpcc::takes(point)) return LiveHpcc::subject(point);
    return style_.brief ? point.suite : live_subject(point);
  }

  /// First line of an experiment, set apart from the text above it.
  std::string opening(const std::string& line) {
    if (line.empty() || opened_) return line;
    opened_ = true;
    return (std::exchange(first_, false) ? "" : "\n") + line;
  }

  [[nodiscard]] std::string kept_short(const std::string& text) const {
    return style_.brief ? narrowed(clipped(text), style_.columns) : text;
  }

  std::string take_held(const std::string& suite) {
    const auto held = held_.extract(suite);
    return held.empty() ? "" : held.mapped();
  }

  void skip(const record::PointRecord& point) {
    left_out_of_experiment_ = experiment_of(point) != nullptr;
    left_out_.add(point, LiveHpcc::takes(point) ? LiveHpcc::name(point) : "");
  }

  /// Closes a table. One whose sizes were all left out has a title and no heading.
  void close() {
    if (const std::string text = short_.take(style_.colour, style_.utf8); !text.empty())
      out_ << (std::exchange(first_, false) ? "" : "\n") << narrowed(text, style_.columns) << std::flush;
    if (!left_out_.any()) return;
    if (style_.brief && left_out_of_experiment_) {
      held_[suite_] += left_out_.take(suite_);
      return;
    }
    if (!opened_) out_ << (first_ ? "" : "\n") << subject_ << '\n';
    out_ << kept_short(left_out_.take(suite_));
    opened_ = true;
    first_ = false;
  }

  void open(const record::PointRecord& point) {
    if (opened_) return;
    out_ << (first_ ? "" : "\n") << (LiveHpcc::takes(point) ? hpcc_title() : title(point)) << '\n';
    opened_ = true;
    first_ = false;
  }

  std::string title(const record::PointRecord& point) const {
    const std::string quantity = live_quantity(point);
    const std::size_t used = shown_columns(subject_) + shown_columns(quantity);
    const std::string gap(used + 3 < title_width ? title_width - used : 3, ' ');
    return subject_ + (quantity.empty() ? "" : gap + quantity) + '\n' + live_heading();
  }

  /// Title; in the brief form one line, if the subject has room above the tests.
  std::string hpcc_title() const {
    constexpr std::size_t room = 22;
    if (style_.brief && subject_.size() <= room) return LiveHpcc::heading(true, subject_);
    return subject_ + '\n' + LiveHpcc::heading(style_.brief, "test");
  }

  std::string numbers(const record::PointRecord& point) const {
    std::string line = live_numbers(point, style_.utf8);
    if (!measured(point)) line.resize(std::min(line.size(), std::size_t{10}));
    return line;
  }

  std::string row(const record::PointRecord& point) const {
    std::string line = LiveHpcc::takes(point) ? LiveHpcc::row(point, style_.brief) : numbers(point);
    std::string note = group(point);
    if (const std::string figure = measured(point) ? live_figure(point) : ""; !figure.empty())
      note += (note.empty() ? "" : "  ") + figure;
    const std::size_t used = shown_columns(line);
    const std::size_t column = std::max(used + 2, style_.brief ? brief_verdict_column : verdict_column);
    const std::size_t before = column + (note.empty() ? 0 : shown_columns(note) + 2);
    const Verdict end = style_.brief ? live_verdict(point, brief_columns - std::min(before, brief_columns))
                                     : live_verdict(point);
    if (note.empty() && end.text.empty()) return line;
    line.append(column - used, ' ');
    line += note + (note.empty() || end.text.empty() ? "" : "  ");
    return line + painted(end, style_.colour);
  }

  std::ostream& out_;
  TableStyle style_;
  std::vector<std::unique_ptr<LiveExperiment>> experiments_ = live_experiments();
  ShortImb short_;
  LeftOut left_out_;  // of the table that is written
  bool left_out_of_experiment_ = false;
  std::map<std::string, std::string>
      held_;  // points that experiments left out, printed with their summaries in the brief form
  std::string subject_, suite_;
  bool opened_ = false;  // its title is written
  bool after_summary_ = false;
  bool first_ = true;
};

// Parameters that differ from row to row, or tell nothing that the reader of a table needs.
constexpr std::array<std::string_view, 4> of_rows{"count_byte", "group", "occurrence", "form"};
// Parameters whose values explain themselves; they stand first.
constexpr std::array<std::string_view, 2> nameless{"type", "op"};

struct ValueText {
  std::string operator()(std::nullptr_t) const { return "none"; }
  std::string operator()(bool value) const { return value ? "on" : "off"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return units::format_significant(value, 4); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<double>& values) const {
    return fmt::format("{} values", values.size());
  }
};

std::string parameters(const record::PointRecord& point) {
  std::vector<std::string> words;
  for (const auto& [name, text] : live_parameters(point))
    words.push_back(std::ranges::count(nameless, name) > 0 ? text : name + " " + text);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string quantity(std::string_view metric) {
  if (metric == "time_s") return "time per operation";
  const record::MetricName* known = record::metric_name(metric);
  const std::string name = record::metric_words(metric);
  const std::string unit{known == nullptr ? "" : known->unit};
  return unit.empty() || unit == "s" ? name : fmt::format("{} in {}", name, unit);
}

using prefix::mega;

struct Unit {
  std::string name;
  double size = 1;
};

/// Decimal prefix with which a number has at most three digits before the point.
Unit prefix(double value) {
  constexpr std::array<std::pair<const char*, double>, 5> prefixes{
      {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
  const auto fits = [&](const auto& p) { return std::abs(value) < 999.5 * p.second; };
  const auto found = std::ranges::find_if(prefixes, fits);
  const auto& chosen = found == prefixes.end() ? prefixes.back() : *found;
  return {chosen.first, chosen.second};
}

Unit unit_of(double value, bool time, bool utf8) {
  if (!time) return prefix(value);
  const units::TimeUnit unit = units::time_unit(Seconds{value});
  return {utf8 && unit.name == "us" ? "µs" : std::string(unit.name), unit.seconds};
}

/// Value with its unit. fmt counts columns, not bytes, so that µ takes one.
std::string with_unit(double value, const Unit& unit) {
  return fmt::format("{:<4} {:<2}", units::format_short(value / unit.size), unit.name);
}

std::string count(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string size_text(const record::PointRecord& point) {
  const auto size = record::whole_of(live_size(point));
  return size ? fmt::format("{}", *size) : "-";
}

}  // namespace

std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style) {
  return std::make_unique<LiveTable>(out, style);
}

std::vector<std::pair<std::string, std::string>> live_parameters(const record::PointRecord& point) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string_view name : nameless)
    if (const auto* value = record::find(point.params, name))
      words.emplace_back(name, std::visit(ValueText{}, *value));
  for (const auto& [name, value] : point.params) {
    const bool known = std::ranges::count(record::length_names, name) > 0 ||
                       std::ranges::count(of_rows, name) > 0 || std::ranges::count(nameless, name) > 0;
    if (!known) words.emplace_back(name, std::visit(ValueText{}, value));
  }
  return words;
}

std::string live_subject(const record::PointRecord& point) {
  std::string text = fmt::format("{}/{}   ", point.suite, point.benchmark);
  if (point.groups > 1) text += fmt::format("{} groups of ", point.groups);
  text += units::counted(point.processes, "process");
  if (point.threads > 1) text += fmt::format(" with {} threads", point.threads);
  const std::string words = parameters(point);
  return words.empty() ? text : text + "   " + words;
}

std::string live_quantity(const record::PointRecord& point) {
  const auto primary = live_primary(point);
  if (!primary) return "";
  const std::string timing = record::timing_words(point);
  const std::string how = timing.empty() ? record::words_over_ranks(primary->over_ranks) : timing;
  return quantity(point.primary) + (how.empty() ? "" : ", " + how);
}

const record::Value* live_size(const record::PointRecord& point) {
  for (const auto name : record::length_names)
    if (const auto* value = record::find(point.params, name)) return value;
  return nullptr;
}

std::optional<record::Statistics> live_primary(const record::PointRecord& point) {
  if (const auto* statistics = record::statistics(point, point.primary)) return *statistics;
  const auto number = record::figure(point, point.primary);
  if (!number) return std::nullopt;
  record::Statistics alone;
  alone.median = number;
  return alone;
}

std::string live_heading() {
  return fmt::format("{:>10}{:>12}{:>21}{:>12}{:>11}{:>11}{:>8}", "bytes", "median", "95 % interval", "p99",
                     "batches", "ops/batch", "MB/s");
}

std::string live_value(std::optional<double> value, bool time, bool utf8) {
  if (!value) return fmt::format("{:<7}", " -");
  return with_unit(*value, unit_of(*value, time, utf8));
}

std::string live_interval(const std::optional<std::pair<double, double>>& ends, bool time, bool utf8) {
  if (!ends) return fmt::format("{:<17}", "      -");
  constexpr double two_digits = 0.0995;  // as they are rounded
  const Unit unit = unit_of(ends->second, time, utf8), own = unit_of(ends->first, time, utf8);
  const bool is_apart = ends->first != 0 && std::abs(ends->first) < two_digits * unit.size;
  const std::string first =
      is_apart ? fmt::format("{:<4}{:<2} .. ", units::format_short(ends->first / own.size), own.name)
               : fmt::format("{:<4} ..   ", units::format_short(ends->first / unit.size));
  return first + with_unit(ends->second, unit);
}

std::string live_rate(std::optional<double> byte_s) {
  if (!byte_s) return "      -";
  std::string text = units::format_significant(*byte_s / mega, 4);
  if (text.find('.') != std::string::npos && text.size() > 5) text = units::format_fixed(*byte_s / mega, 3);
  if (text == "0.000" && *byte_s > 0) text = units::format_significant(*byte_s / mega, 1);
  const std::size_t whole = std::min(text.find('.'), text.size());
  return fmt::format("{:>6}{}", text.substr(0, whole), text.substr(whole));
}

std::optional<double> live_bandwidth(const record::PointRecord& point) {
  // Suites of threads tell whose bandwidth it is.
  constexpr std::array names{"bandwidth_byte_s", "bandwidth_process_byte_s", "bandwidth_total_byte_s"};
  const auto found = std::ranges::find_if(
      point.metrics, [&](const auto& m) { return std::ranges::find(names, m.first) != names.end(); });
  if (found == point.metrics.end()) return std::nullopt;
  return record::value_of(found->second);
}

bool live_is_time(std::string_view metric) {
  const record::MetricName* known = record::metric_name(metric);
  return known == nullptr ? metric.ends_with("time_s") : known->unit == "s";
}

std::string live_figure(const record::PointRecord& point) {
  std::vector<std::string> words;
  const auto tell = [&](const char* name, std::string_view before, int places, std::string_view behind) {
    const auto* metric = record::metric(point, name);
    if (metric == nullptr) return;
    if (const auto value = record::value_of(*metric))
      words.push_back(fmt::format("{}{}{}", before, units::format_fixed(*value, places), behind));
    else if (name == std::string_view("break_even"))
      words.emplace_back("never pays");
  };
  tell("overlap_percent", "overlap ", 0, " %");
  tell("saving_percent", "saves ", 0, " %");
  tell("break_even", "pays after ", 0, "");
  tell("early_percent", "early ", 0, " %");
  tell("availability", "availability ", 2, "");
  tell("ratio_to_p2p", "", 2, " of messages");
  tell("x_passive_progress", "passive ", 2, "");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string live_numbers(const record::PointRecord& point, bool utf8) {
  const record::Statistics primary = live_primary(point).value_or(record::Statistics{});
  const bool time = live_is_time(point.primary);
  return fmt::format(
      "{:>10}     {}     {}     {}{:>10}{:>11} {}", size_text(point), live_value(primary.median, time, utf8),
      live_interval(primary.ci, time, utf8), live_value(primary.p99, time, utf8), count(primary.n),
      count(point.schedule ? point.schedule->ops_per_batch : std::nullopt), live_rate(live_bandwidth(point)));
}

}  // namespace steelyard::formats
