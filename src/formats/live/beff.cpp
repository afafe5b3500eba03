// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "formats/live/experiment.hpp"
#include "formats/live/verdict.hpp"
#include "units/prefixes.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats {
namespace {

using prefix::mega;

constexpr std::size_t most_lines = 8;

std::string words(const record::Value* value) {
  if (value == nullptr) return "-";
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  const auto* number = std::get_if<std::int64_t>(value);
  return number == nullptr ? "-" : fmt::format("{}", *number);
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
  /// A bandwidth, accumulated and per process.
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
  const auto* memory = record::find(summary.params, "memory_per_process_byte");
  if (longest != nullptr) text += fmt::format("   L_max {} byte", words(longest));
  if (const auto* bytes = memory == nullptr ? nullptr : std::get_if<std::int64_t>(memory))
    text += fmt::format("   memory {} MiB per process", *bytes / mebi.count());
  return text + fmt::format("   seed {}\n", words(record::find(summary.params, "seed")));
}

void results(Text& text, bool brief) {
  text.bandwidth("b_eff", "b_eff_byte_s");
  if (brief) {
    text.line("ping-pong bandwidth at L_max", text.number("pingpong_bandwidth_byte_s", 1e6, 3) + " MB/s");
    text.time("latency, rings and random polygons", "latency_s");
    return;
  }
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
  text.line("checks", checks(summary));
  const auto* shortened = record::find(summary.classic, "shortened");
  if (shortened != nullptr && *shortened == record::Value(true))
    text.line("last two lengths", "shortened: only the best method of each pattern, in one iteration");
  text.add(official_lines(summary, brief));
}

/// b_eff, thousands of points: those that went wrong, the first few of them, and at the end what all of them come to.
class LiveBeff final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "b-eff" && record::find(point.params, "pattern") != nullptr;
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override;
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override;

 private:
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

std::string LiveBeff::point(const record::PointRecord& point, bool) {
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

std::string LiveBeff::summary(const record::SummaryRecord& summary, bool brief) {
  if (summary.name != "b_eff") return "";
  Text text(summary);
  text.add(beff_heading(summary));
  results(text, brief);
  validity(summary, text, brief);
  text.add(doubts_.line("loops"));
  if (wrong_ > 0) text.line("loops with wrong data", fmt::format("{}", wrong_));
  if (failed_ > 0) text.line("loops that failed", fmt::format("{}", failed_));
  return text.take();
}

}  // namespace

std::unique_ptr<LiveExperiment> live_beff() {
  return std::make_unique<LiveBeff>();
}

}  // namespace steelyard::formats
