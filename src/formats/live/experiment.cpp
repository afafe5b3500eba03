// SPDX-License-Identifier: Apache-2.0
#include "formats/live/experiment.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "analysis/ftio_runs.hpp"
#include "analysis/warnings.hpp"
#include "formats/ftio/text.hpp"
#include "formats/live/verdict.hpp"
#include "record/point_view.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using prefix::mega;

constexpr std::size_t most_lines = 8;  // of failures

std::string words(const record::Value* value) {
  if (value == nullptr) return "-";
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  const auto number = record::whole_of(value);
  return number ? fmt::format("{}", *number) : "-";
}

/// Value with four significant digits; "-" if there is none.
std::string in_unit(const record::SummaryRecord& summary, std::string_view name, double unit) {
  const auto found = summary_value(summary, name);
  return found ? units::format_significant(*found / unit, 4) : "-";
}

/// "b-eff-io/b_eff_io     2 processes  ", as wide for one process.
std::string row_head(const record::PointRecord& point) {
  return fmt::format("{}/{}  {:>4} {:<11}", point.suite, point.benchmark, point.processes,
                     point.processes == 1 ? "process" : "processes");
}

class Text {
 public:
  explicit Text(const record::SummaryRecord& summary) : summary_(summary) {}

  [[nodiscard]] std::optional<double> value(std::string_view name) const {
    return summary_value(summary_, name);
  }
  [[nodiscard]] std::string number(std::string_view name, double unit, int decimals) const {
    const auto found = value(name);
    return found ? fmt::format("{:>12.{}f}", *found / unit, decimals) : fmt::format("{:>12}", "-");
  }
  /// Adds a bandwidth, accumulated and per process.
  void bandwidth(std::string_view what, std::string_view name) {
    const double processes = summary_.processes;
    line(what, number(name, mega, 3) + " MB/s" + number(name, mega * processes, 3) + " MB/s per process");
  }
  void time(std::string_view what, std::string_view name) { line(what, number(name, 1e-6, 3) + " us"); }
  void line(std::string_view what, const std::string& text) { text_ += summary_line(what, text); }
  void add(const std::string& text) { text_ += text; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  const record::SummaryRecord& summary_;
  std::string text_;
};

std::string beff_heading(const record::SummaryRecord& summary) {
  std::string text = fmt::format("b-eff/b_eff   {} processes", summary.processes);
  const auto* longest = record::find(summary.params, "lmax_byte");
  const auto memory = record::whole_of(record::find(summary.params, "memory_per_process_byte"));
  if (longest != nullptr) text += fmt::format("   L_max {} byte", words(longest));
  if (memory) text += fmt::format("   memory {} MiB per process", *memory / mebi.count());
  return text + fmt::format("   seed {}\n", words(record::find(summary.params, "seed")));
}

/// "b-eff/b_eff   2 processes   b_eff 5530 MB/s, 2765 per process; ping-pong 6001 MB/s, latency 0.31 us"
std::string beff_line(const record::SummaryRecord& summary) {
  const std::string all = in_unit(summary, "b_eff_byte_s", mega),
                    each = in_unit(summary, "b_eff_byte_s", mega * summary.processes);
  return fmt::format(
      "b-eff/b_eff   {} processes   b_eff {} MB/s, {} per process; ping-pong {} MB/s, latency {} us\n",
      summary.processes, all, each, in_unit(summary, "pingpong_bandwidth_byte_s", mega),
      in_unit(summary, "latency_s", prefix::micro));
}

void results(Text& text) {
  text.bandwidth("b_eff", "b_eff_byte_s");
  text.bandwidth("b_eff at L_max", "b_eff_at_lmax_byte_s");
  text.bandwidth("b_eff at L_max, rings only", "b_eff_rings_at_lmax_byte_s");
  text.line("ping-pong bandwidth at L_max", text.number("pingpong_bandwidth_byte_s", 1e6, 3) + " MB/s");
  text.time("latency, rings and random polygons", "latency_s");
  text.time("latency, rings only", "ring_latency_s");
  text.time("latency, ping-pong", "pingpong_latency_s");
  if (text.value("memory_communication_time_s"))
    text.line("time to communicate all memory", text.number("memory_communication_time_s", 1, 3) + " s");
  if (text.value("balance_factor"))
    text.line("balance factor b_eff / R_max", text.number("balance_factor", 1, 6) + " byte/flop");
}

std::string checks(const record::SummaryRecord& summary) {
  if (!summary.verified) return "not every message was checked";
  return *summary.verified ? "all messages right" : "WRONG DATA";
}

void validity(const record::SummaryRecord& summary, Text& text, bool brief) {
  if (!brief || summary.verified != true) text.line("checks", checks(summary));
  if (!brief && record::is_true(record::find(summary.classic, "shortened")))
    text.line("last two lengths", "shortened: only the best method of each pattern, in one iteration");
  text.add(official_lines(summary, brief));
}

/// b_eff, thousands of points: the first few failures, and at the end the result of all points.
class LiveBeff final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "b-eff" && record::find(point.params, "pattern") != nullptr;
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool) override {
    doubts_.add(point);
    const bool wrong = point.verified == false;
    if (!wrong && point.status != record::Status::failed) return "";
    std::size_t& count = wrong ? wrong_ : failed_;
    if (++count > most_lines) return "";
    const auto* name = record::find(point.classic, "pattern_name");
    return fmt::format("{}/{}  pattern {}{}, {}, {} byte: {}\n", point.suite, point.benchmark,
                       words(record::find(point.params, "pattern")), name == nullptr ? "" : " " + words(name),
                       words(record::find(point.params, "method")),
                       words(record::find(point.params, "message_byte")), what_is_wrong(point));
  }
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override {
    if (summary.name != "b_eff") return "";
    Text text(summary);
    if (brief) {
      text.add(beff_line(summary));
    } else {
      text.add(beff_heading(summary));
      results(text);
    }
    validity(summary, text, brief);
    text.add(doubts_.line("loops"));
    if (wrong_ > 0) text.line("loops with wrong data", fmt::format("{}", wrong_));
    if (failed_ > 0) text.line("loops that failed", fmt::format("{}", failed_));
    return text.take();
  }

 private:
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

std::string words(const record::PointRecord& point, std::string_view name) {
  return words(record::member(point, name));
}

std::string megabytes(const record::SummaryRecord& summary, std::string_view name) {
  const auto value = summary_value(summary, name);
  return value ? fmt::format("{:>12.3f} MB/s", *value / 1e6) : fmt::format("{:>12}", "-");
}

std::string by_partition(const record::SummaryRecord& summary) {
  const auto list = [&](std::string_view name) {
    const auto* values = record::list_of(record::find(summary.classic, name));
    return values == nullptr ? std::vector<double>{} : *values;
  };
  const auto processes = list("partitions"), values = list("value_byte_s");
  if (processes.size() < 2 || values.size() != processes.size()) return "";
  std::string text;
  for (std::size_t i = 0; i < processes.size(); ++i)
    text += summary_line("partition of " + units::counted(std::lround(processes[i]), "process"),
                         fmt::format("{:>12.3f} MB/s", values[i] / 1e6));
  return text;
}

/// "b-eff-io/b_eff_io   2 processes   b_eff_io 844.6 MB/s: initial write 368.5, rewrite 582.5, read 1214"
std::string beffio_line(const record::SummaryRecord& summary) {
  const auto rate = [&](std::string_view name) { return in_unit(summary, name, mega); };
  return fmt::format("b-eff-io/b_eff_io   {}   b_eff_io {} MB/s: initial write {}, rewrite {}, read {}\n",
                     units::counted(summary.processes, "process"), rate("b_eff_io_byte_s"),
                     rate("b_eff_io_write_byte_s"), rate("b_eff_io_rewrite_byte_s"),
                     rate("b_eff_io_read_byte_s"));
}

std::string beffio_values(const record::SummaryRecord& summary) {
  std::string text = "b-eff-io/b_eff_io   " + units::counted(summary.processes, "process") + '\n';
  text += summary_line("b_eff_io", megabytes(summary, "b_eff_io_byte_s"));
  text += summary_line("  weights 25, 25, 50 %", megabytes(summary, "b_eff_io_published_byte_s"));
  text += summary_line("  formula of release 2.x", megabytes(summary, "b_eff_io_release2_byte_s"));
  text += summary_line("initial write", megabytes(summary, "b_eff_io_write_byte_s"));
  text += summary_line("rewrite", megabytes(summary, "b_eff_io_rewrite_byte_s"));
  text += summary_line("read", megabytes(summary, "b_eff_io_read_byte_s"));
  return text + by_partition(summary);
}

std::string beffio_checks(const record::SummaryRecord& summary) {
  if (!summary.verified) return "not all data were checked";
  return *summary.verified ? "all data right" : "WRONG DATA";
}

/// b_eff_io: a line per access method and pattern type as it ends unless the form is brief, the first few
/// failures, and at the end the result of all.
class LiveBeffio final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "b-eff-io";
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override {
    doubts_.add(point);
    const std::string type = brief ? "" : type_line(point);
    const bool wrong = point.verified == false;
    if (!wrong && point.status != record::Status::failed) return type;
    std::size_t& count = wrong ? wrong_ : failed_;
    if (++count > most_lines) return type;
    return fmt::format("{}{:<8}pattern {}: {}\n", row_head(point), words(point, "access"),
                       words(point, "pattern"), what_is_wrong(point)) +
           type;
  }
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override {
    if (summary.name != "b_eff_io") return "";
    std::string text = brief ? beffio_line(summary) : beffio_values(summary);
    if (!brief || summary.verified != true) text += summary_line("checks", beffio_checks(summary));
    text += official_lines(summary, brief) + page_cache_line(summary) + doubts_.line("patterns");
    if (wrong_ > 0) text += summary_line("patterns with wrong data", fmt::format("{}", wrong_));
    if (failed_ > 0) text += summary_line("patterns that failed", fmt::format("{}", failed_));
    return text;
  }

 private:
  [[nodiscard]] std::string type_line(const record::PointRecord& point) {
    if (number_in(point, "open_s")) {
      moved_byte_ = seconds_ = 0;
      whole_ = true;
    }
    whole_ = whole_ && point.status == record::Status::ok;
    moved_byte_ += number_in(point, "bytes_moved_byte").value_or(0);
    for (const auto* name : {"open_s", "time_s", "close_s"}) seconds_ += number_in(point, name).value_or(0);
    if (!whole_ || !number_in(point, "close_s") || !(seconds_ > 0)) return "";
    return fmt::format("{}{:<8}{:<10}{:>12.3f} MB in {:>8.3f} s {:>12.3f} MB/s\n", row_head(point),
                       words(point, "access"), words(point, "type"), moved_byte_ / 1e6, seconds_,
                       moved_byte_ / seconds_ / 1e6);
  }

  double moved_byte_ = 0, seconds_ = 0;  // of the type that is measured
  bool whole_ = false;                   // its first pattern was seen, and no failed one
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

/// "ftio/FTIO   2 processes   nominal rate 423.7 Mflop/s, I/O fraction 0.787, means of the runs"
std::string ftio_line(const record::SummaryRecord& summary) {
  return fmt::format("ftio/FTIO   {}   nominal rate {} Mflop/s, I/O fraction {}, means of the runs\n",
                     units::counted(summary.processes, "process"), in_unit(summary, "ftio_flop_s", mega),
                     in_unit(summary, "ftio_io_fraction", 1));
}

std::string ftio_values(const record::SummaryRecord& summary) {
  std::string text = "ftio/FTIO   " + units::counted(summary.processes, "process") + '\n';
  if (const auto fraction = summary_value(summary, "ftio_io_fraction"))
    text += summary_line("I/O fraction, mean of the runs", fmt::format("{:>12.3f}", *fraction));
  if (const auto rate = summary_value(summary, "ftio_flop_s"))
    text += summary_line("nominal rate", fmt::format("{:>12.3f} Mflop/s", *rate / 1e6));
  return text;
}

/// Value with its unit: "35.75 Gflop/s".
std::string value_with_unit(double value, std::string_view unit) {
  if (unit == "s") return units::format_time(Seconds{value});
  constexpr std::pair<double, const char*> scales[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}};
  for (const auto& [scale, prefix] : scales)
    if (value >= scale) return fmt::format("{:.2f} {}{}", value / scale, prefix, unit);
  return fmt::format("{:.2f} {}", value, unit);
}

/// FTIO: a line per run unless the form is brief, failures, and at the end the result of all runs.
class LiveFtio final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override { return point.suite == "ftio"; }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override {
    if (!steelyard::ftio::has_figures(point)) return ftio::failure(point);
    doubts_.add(point);
    const auto run = steelyard::ftio::figures_of(point);
    if (brief && run.passed) return "";
    const std::string doubts = analysis::doubts_in_words(point);
    return fmt::format("{}i = {:<4} run {:<3} I/O fraction {:.3f}  {:>10.6f} s  {:>10.3f} Mflop/s{}{}\n",
                       row_head(point), run.parameter, run.run, run.io_fraction, run.total_s,
                       run.flop_rate_flop_s / 1e6, run.passed ? "" : "  UNVERIFIED",
                       doubts.empty() ? "" : "  " + doubts);
  }
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override {
    if (summary.name != "ftio") return "";
    std::string text = brief ? ftio_line(summary) : ftio_values(summary);
    if (summary.verified && !(brief && *summary.verified))
      text += summary_line("checks", *summary.verified ? "all runs right" : "WRONG TRANSFORM");
    return text + official_lines(summary, brief) + page_cache_line(summary) +
           (brief ? doubts_.line("runs") : "");
  }

 private:
  DoubtCount doubts_;
};

/// Screening: a line per test. The results are judged when all of them are there, and printed by 'run'.
class LiveScreen final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "screen";
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool) override {
    std::string text = fmt::format("{:<22}", point.suite + "/" + point.benchmark);
    for (const auto& [name, metric] : point.metrics)
      if (const auto* held = std::get_if<record::Statistics>(&metric);
          held != nullptr && held->n && held->median) {
        const auto unit = record::unit_of(name);
        text += fmt::format("  {}: {} .. {} .. {}", units::counted(*held->n, "value"),
                            value_with_unit(*held->min, unit), value_with_unit(*held->median, unit),
                            value_with_unit(*held->max, unit));
      }
    if (point.metrics.empty()) text += "  " + (point.reason ? point.reason->text : "no value");
    const std::string doubts = analysis::doubts_in_words(point);
    return text + (point.verified == false ? "  WRONG DATA" : "") + (doubts.empty() ? "" : "  " + doubts) +
           "\n";
  }
  [[nodiscard]] std::string summary(const record::SummaryRecord&, bool) override { return ""; }
};

}  // namespace

std::unique_ptr<LiveExperiment> live_beff() {
  return std::make_unique<LiveBeff>();
}

std::unique_ptr<LiveExperiment> live_beffio() {
  return std::make_unique<LiveBeffio>();
}

std::unique_ptr<LiveExperiment> live_ftio() {
  return std::make_unique<LiveFtio>();
}

std::unique_ptr<LiveExperiment> live_screen() {
  return std::make_unique<LiveScreen>();
}

}  // namespace steelyard::formats
