// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/warnings.hpp"
#include "formats/live/experiment.hpp"
#include "record/records.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

/// Screening: a line per test. The results are judged when all of them are there, and printed by 'run'.
class LiveScreen final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override {
    return point.suite == "screen";
  }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override;
  [[nodiscard]] std::string summary(const record::SummaryRecord&, bool) override { return ""; }
};

/// Value with its unit: "35.75 Gflop/s".
std::string value_with_unit(double value, std::string_view unit) {
  if (unit == "s") return units::format_time(Seconds{value});
  constexpr std::pair<double, const char*> scales[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}};
  for (const auto& [scale, prefix] : scales)
    if (value >= scale) return fmt::format("{:.2f} {}{}", value / scale, prefix, unit);
  return fmt::format("{:.2f} {}", value, unit);
}

std::string LiveScreen::point(const record::PointRecord& point, bool) {
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

}  // namespace

std::unique_ptr<LiveExperiment> live_screen() {
  return std::make_unique<LiveScreen>();
}

}  // namespace steelyard::formats
