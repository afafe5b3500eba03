// SPDX-License-Identifier: Apache-2.0
#include "analysis/page_cache.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "analysis/beffio_run.hpp"
#include "record/json.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {
namespace {

using record::Json;
using record::number_in;
using record::PointRecord;

using prefix::gibi, prefix::mebi;

/// Data of so many times the memory cannot lie in it for more than a half.
constexpr double beyond_memory = 2;

std::string size(double byte) {
  return byte < gibi ? units::format_significant(byte / mebi, 3) + " MiB"
                     : units::format_significant(byte / gibi, 3) + " GiB";
}

/// Memory of the nodes of the run, where it is recorded.
std::optional<double> memory(const record::RunRecord& run) {
  const Json& machine = run.machine.json();
  const auto each = machine.is_object() ? number_in(machine, "memory_byte") : std::nullopt;
  return each ? std::optional(*each * run.nodes) : std::nullopt;
}

bool is_in_memory(const record::RunRecord& run) {
  const Json& io = run.io.json();
  return io.is_object() && record::text_in(io, "medium") == "memory";
}

/// Empty where the data went beyond the memory, or where one of both is unknown.
std::string reason(const record::RunRecord& run, const std::string& files,
                   const std::optional<double>& data_byte, const std::optional<double>& memory_byte) {
  if (is_in_memory(run)) return "the file system lies in memory";
  if (!data_byte || !memory_byte || *data_byte >= beyond_memory * *memory_byte) return {};
  return files + " (" + size(*data_byte) + ") can lie in memory (" + size(*memory_byte) + ')';
}

std::vector<PointRecord> points_of(std::span<const PointRecord> points, std::string_view suite) {
  std::vector<PointRecord> list;
  std::ranges::copy_if(points, std::back_inserter(list),
                       [&](const PointRecord& point) { return point.suite == suite; });
  return list;
}

std::optional<double> number_of(const PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  const bool is_number = value != nullptr && (std::holds_alternative<std::int64_t>(*value) ||
                                              std::holds_alternative<double>(*value));
  return is_number ? std::optional(record::number(*value)) : std::nullopt;
}

}  // namespace

std::string beffio_in_memory(const record::RunRecord& head, std::span<const PointRecord> points) try {
  const auto own = points_of(points, "b-eff-io");
  if (own.empty()) return {};
  const auto frame = beffio_frame(head);
  if (frame.drop_cache) return {};
  const BeffioRun read(own);
  const auto* best = read.best(frame.formula);
  if (best == nullptr) return {};
  auto cache = best->cache_byte();
  if (frame.cache_byte) cache = static_cast<double>(*frame.cache_byte);
  return reason(head, "the files of b_eff_io", best->least_volume_byte(), cache ? cache : memory(head));
} catch (const std::invalid_argument&) {
  return {};  // points of another program under this name have no volumes
}

std::string ftio_in_memory(const record::RunRecord& head, std::span<const PointRecord> points) {
  const PointRecord* largest = nullptr;
  for (const PointRecord& point : points)
    if (point.suite == "ftio" && number_of(point, "matrix_byte") &&
        (largest == nullptr || *number_of(point, "matrix_byte") > *number_of(*largest, "matrix_byte")))
      largest = &point;
  if (largest == nullptr) return {};
  const auto* cache = record::find(largest->classic, "page_cache");
  if (cache != nullptr && *cache != record::Value(std::string("keep"))) return {};
  const auto told = number_of(*largest, "memory_byte");
  return reason(head, "the matrix of FTIO", number_of(*largest, "matrix_byte"), told ? told : memory(head));
}

}  // namespace steelyard::analysis
