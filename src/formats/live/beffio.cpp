// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "formats/live/experiment.hpp"
#include "formats/live/verdict.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t most_lines = 8;

std::optional<double> number(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  if (value == nullptr) return std::nullopt;
  return record::number(*value);
}

std::string words(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  if (value == nullptr) value = record::find(point.params, name);
  if (value == nullptr) return "-";
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  const auto* whole = std::get_if<std::int64_t>(value);
  return whole == nullptr ? "-" : fmt::format("{}", *whole);
}

std::string megabytes(const record::SummaryRecord& summary, std::string_view name) {
  const auto value = summary_value(summary, name);
  return value ? fmt::format("{:>12.3f} MB/s", *value / 1e6) : fmt::format("{:>12}", "-");
}

std::string by_partition(const record::SummaryRecord& summary) {
  const auto list = [&](std::string_view name) {
    const auto* value = record::find(summary.classic, name);
    const auto* values = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    return values == nullptr ? std::vector<double>{} : *values;
  };
  const auto processes = list("partitions"), values = list("value_byte_s");
  if (processes.size() < 2 || values.size() != processes.size()) return "";
  std::string text;
  for (std::size_t i = 0; i < processes.size(); ++i)
    text += summary_line(fmt::format("partition of {:.0f} processes", processes[i]),
                         fmt::format("{:>12.3f} MB/s", values[i] / 1e6));
  return text;
}

std::string checks(const record::SummaryRecord& summary) {
  if (!summary.verified) return "not all data were checked";
  return *summary.verified ? "all data right" : "WRONG DATA";
}

/// b_eff_io: a line per access method and pattern type as it ends unless it is to be brief, what went wrong (the first few),
/// and at the end what all of it comes to.
class LiveBeffio final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "b-eff-io";
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override;
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override;

 private:
  [[nodiscard]] std::string type_line(const record::PointRecord& point);

  double moved_byte_ = 0, seconds_ = 0;  // of the type that is being measured
  bool whole_ = false;                   // its first pattern was seen, and none that failed
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

std::string LiveBeffio::type_line(const record::PointRecord& point) {
  if (number(point, "open_s")) {
    moved_byte_ = seconds_ = 0;
    whole_ = true;
  }
  whole_ = whole_ && point.status == record::Status::ok;
  moved_byte_ += number(point, "bytes_moved_byte").value_or(0);
  for (const auto* name : {"open_s", "time_s", "close_s"}) seconds_ += number(point, name).value_or(0);
  if (!whole_ || !number(point, "close_s") || !(seconds_ > 0)) return "";
  return fmt::format("{}/{}  {:>4} processes  {:<8}{:<10}{:>12.3f} MB in {:>8.3f} s {:>12.3f} MB/s\n",
                     point.suite, point.benchmark, point.processes, words(point, "access"),
                     words(point, "type"), moved_byte_ / 1e6, seconds_, moved_byte_ / seconds_ / 1e6);
}

std::string LiveBeffio::point(const record::PointRecord& point, bool brief) {
  doubts_.add(point);
  const std::string type = brief ? "" : type_line(point);
  const bool wrong = point.verified == false;
  if (!wrong && point.status != record::Status::failed) return type;
  std::size_t& count = wrong ? wrong_ : failed_;
  if (++count > most_lines) return type;
  return fmt::format("{}/{}  {:>4} processes  {:<8}pattern {}: {}\n", point.suite, point.benchmark,
                     point.processes, words(point, "access"), words(point, "pattern"), what_is_wrong(point)) +
         type;
}

std::string LiveBeffio::summary(const record::SummaryRecord& summary, bool brief) {
  if (summary.name != "b_eff_io") return "";
  std::string text = fmt::format("b-eff-io/b_eff_io   {} processes\n", summary.processes);
  text += summary_line("b_eff_io", megabytes(summary, "b_eff_io_byte_s"));
  if (!brief) {
    text += summary_line("  weights 25, 25, 50 %", megabytes(summary, "b_eff_io_seed_byte_s"));
    text += summary_line("  formula of release 2.x", megabytes(summary, "b_eff_io_release2_byte_s"));
  }
  text += summary_line("initial write", megabytes(summary, "b_eff_io_write_byte_s"));
  text += summary_line("rewrite", megabytes(summary, "b_eff_io_rewrite_byte_s"));
  text += summary_line("read", megabytes(summary, "b_eff_io_read_byte_s"));
  text += (brief ? "" : by_partition(summary)) + summary_line("checks", checks(summary)) +
          official_lines(summary, brief) + page_cache_line(summary) + doubts_.line("patterns");
  if (wrong_ > 0) text += summary_line("patterns with wrong data", fmt::format("{}", wrong_));
  if (failed_ > 0) text += summary_line("patterns that failed", fmt::format("{}", failed_));
  return text;
}

}  // namespace

std::unique_ptr<LiveExperiment> live_beffio() {
  return std::make_unique<LiveBeffio>();
}

}  // namespace steelyard::formats
