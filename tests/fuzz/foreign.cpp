// SPDX-License-Identifier: Apache-2.0
#include "foreign/foreign.hpp"

#include <cmath>

#include "targets.hpp"
#include "tests/counted_memory.hpp"

namespace steelyard::fuzz {
namespace {

void require_number(double value) {
  require(std::isfinite(value) && value > 0, "a metric that is no number above 0");
}

void require_metric(const record::Metric& metric) {
  if (const auto* plain = std::get_if<double>(&metric)) require_number(*plain);
  const auto* held = std::get_if<record::Statistics>(&metric);
  if (held == nullptr) return;
  require(!held->ci && !held->ci_batches && !held->ci_visits, "an interval that no text has");
  const auto value = record::value_of(*held);
  require(value.has_value(), "statistics without a value");
  require_number(*value);
}

/// What every point of a foreign text has: its line, one statistic, no interval; and its record can be written.
void require_point(const record::PointRecord& point) {
  require(record::is_imported(point) || point.status == record::Status::skipped,
          "a point that does not say where it comes from");
  require(point.processes >= 1 && !point.key.empty(), "a point without processes or key");
  require(point.imported.json().is_object() && point.imported.json().contains("line"),
          "a point without its line");
  for (const auto& [name, metric] : point.metrics) require_metric(metric);
  require(point.status != record::Status::failed || point.reason.has_value(), "failed without a reason");
  static_cast<void>(record::to_line({{"20220303T101500Z-00000000", 1, 1, 0}, point}));
}

/// Of a text of a few kilobytes; points of a long table take more (docs/foreign.md).
std::int64_t allowed_memory_byte(std::string_view input) {
  return 16 * static_cast<std::int64_t>(input.size()) + (16 << 20);
}

void read_as(std::string_view input, std::optional<foreign::Format> format) {
  test::begin_counting_memory();
  foreign::Description told;
  told.processes = 4;
  told.params["benchmark"] = std::string("all_reduce");
  told.format = format;
  accepts<foreign::Unreadable>([&] {
    const auto reading = foreign::read({"text", input, {}}, told);
    require(!reading.runs.empty() || !reading.refused.empty(), "nothing, and no word about it");
    for (const auto& refused : reading.refused)
      require(refused.line > 0 && !refused.what.empty(), "a refusal without its line");
    for (const auto& run : reading.runs) {
      require(!run.points.empty() || !run.summaries.empty(), "a run of nothing");
      require(run.points.size() == run.envelopes.size(), "points without envelopes");
      for (const auto& point : run.points) require_point(point);
      static_cast<void>(record::to_line({{run.id, 1, 0, 0}, run.head}));
      for (const auto& summary : run.summaries)
        static_cast<void>(record::to_line({{run.id, 1, 1, 0}, summary}));
      for (const auto& event : run.events) require(record::is_event_code(event.code), "an event of no code");
    }
  });
  require(test::most_memory_byte() <= allowed_memory_byte(input),
          "more memory than 16 times the text and 16 MiB");
}

}  // namespace

void read_foreign_imb(std::string_view input) {
  read_as(input, foreign::Format::imb);
}
void read_foreign_osu(std::string_view input) {
  read_as(input, foreign::Format::osu);
}
void read_foreign_hpl(std::string_view input) {
  read_as(input, foreign::Format::hpl);
}
void read_foreign_hpcc(std::string_view input) {
  read_as(input, foreign::Format::hpcc);
}
void read_foreign_stream(std::string_view input) {
  read_as(input, foreign::Format::stream);
}
void read_foreign_babelstream(std::string_view input) {
  read_as(input, foreign::Format::babelstream);
}
void read_foreign_ior(std::string_view input) {
  read_as(input, foreign::Format::ior);
}
void read_foreign_mdtest(std::string_view input) {
  read_as(input, foreign::Format::mdtest);
}
void read_foreign_fio(std::string_view input) {
  read_as(input, foreign::Format::fio);
}
void read_foreign_b_eff(std::string_view input) {
  read_as(input, foreign::Format::b_eff);
}
void read_foreign_b_eff_io(std::string_view input) {
  read_as(input, foreign::Format::b_eff_io);
}
void read_foreign_hpcg(std::string_view input) {
  read_as(input, foreign::Format::hpcg);
}
void read_foreign_graph500(std::string_view input) {
  read_as(input, foreign::Format::graph500);
}
void read_foreign_nccl(std::string_view input) {
  read_as(input, foreign::Format::nccl);
}
void read_foreign_any(std::string_view input) {
  read_as(input, {});
}

}  // namespace steelyard::fuzz
