// SPDX-License-Identifier: Apache-2.0
#include "foreign/ior.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "record/point_view.hpp"
#include "stats/order.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::size_t most_repetitions = 10000;  // that are kept one by one
constexpr std::size_t most_in_statistics = 64;   // of these: more have no room there

void put_statistics(const Repetitions& all, Point& point) {
  record::Statistics held;
  held.over_ranks = "global";
  if (!all.byte_s.empty()) {
    const auto n = static_cast<double>(all.byte_s.size());
    double sum = 0, squares = 0;
    for (const double value : all.byte_s) sum += value;
    for (const double value : all.byte_s) squares += (value - sum / n) * (value - sum / n);
    held.n = static_cast<std::int64_t>(all.byte_s.size());
    held.mean = sum / n;
    held.sd = std::sqrt(squares / n);
    std::tie(held.min, held.max) =
        std::pair(*std::ranges::min_element(all.byte_s), *std::ranges::max_element(all.byte_s));
    held.visit_medians = stats::thin(all.byte_s, most_in_statistics);
    if (all.byte_s.size() > most_in_statistics && all.byte_s.size() <= most_repetitions)
      point.record.classic.emplace_back("bandwidth_byte_s", all.byte_s);
  }
  if (all.mean) {
    held.mean = all.mean->value;
    held.max = all.max ? std::optional(all.max->value) : held.max;
    held.min = all.min ? std::optional(all.min->value) : held.min;
    held.sd = all.sd ? std::optional(all.sd->value) : held.sd;
  } else if (all.best_only && all.max) {
    held.max = all.max->value;
  }
  held.headline = held.mean ? "mean" : "max";
  const auto value = record::value_of(held);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    return point.fail(all.bad_word.empty() ? "nothing" : std::string_view(all.bad_word));
  point.record.metrics.emplace_back("bandwidth_byte_s", held);
}

}  // namespace

std::optional<std::int64_t> ior_size(std::string_view text) {
  const auto words = words_of(text);
  const auto value = words.empty() ? std::nullopt : whole(words[0]);
  if (!value) return std::nullopt;
  const std::string unit = words.size() > 1 ? lower(words[1]) : "bytes";
  for (const auto& [name, bits] : {std::pair<std::string_view, int>{"bytes", 0},
                                   {"byte", 0},
                                   {"kib", 10},
                                   {"mib", 20},
                                   {"gib", 30},
                                   {"tib", 40}})
    if (unit == name && *value < (std::int64_t{1} << 53) >> bits) return *value << bits;
  return std::nullopt;
}

std::optional<std::int64_t> kib_size(std::string_view word) {
  const auto value = number(word, kibi);
  if (!value || !(value->value > 0) || value->value > 9e15) return std::nullopt;
  const double kib = value->value / kibi.factor;
  const bool exact = value->step <= 1 || kib == std::floor(kib);  // sizes are whole KiB where they are large
  return exact ? std::optional(static_cast<std::int64_t>(std::llround(value->value))) : std::nullopt;
}

std::string order_of_tasks(bool constant, bool random) {
  return random ? "random" : constant ? "yes" : "no";
}

std::string order_of_tasks(std::string_view words) {
  return order_of_tasks(!words.starts_with("no"), words.starts_with("random"));
}

void Repetitions::note(const char* name, std::string_view word) {
  const auto value = number(word);
  if (!value) return;
  auto found = std::ranges::find(classic, std::string_view(name),
                                 [](const auto& one) { return std::string_view(one.first); });
  if (found == classic.end()) found = classic.insert(classic.end(), {name, {}});
  if (found->second.size() < most_repetitions) found->second.push_back(value->value);
}

void set_yes(record::Params& params, const char* name, bool value) {
  params[name] = std::string(value ? "yes" : "no");
}

void finish_test(IorTest& test, Piece& piece) {
  for (auto& [operation, all] : test.operations) {
    if (operation != "write" && operation != "read") continue;
    Point point("ior", operation, all.line);
    point.record.params = test.params;
    point.record.processes = test.tasks.value_or(0);
    point.record.primary = "bandwidth_byte_s";
    point.record.lower_is_better = false;
    point.over_time = all.best_only ? "max" : "mean", point.over_ranks = "global", point.printed = "MiB/s";
    point.step = all.step;
    put_statistics(all, point);
    if (all.operations_mean && all.operations_mean->value > 0 && point.record.status == record::Status::ok)
      point.record.metrics.emplace_back("operation_rate_op_s", all.operations_mean->value);
    for (auto& [name, values] : all.classic) point.record.classic.emplace_back(name, std::move(values));
    for (const char* name : {"api", "block_byte", "transfer_byte", "segments", "file_per_process",
                             "collective", "random", "reorder"})
      if (!point.record.params.contains(name)) point.unknown.emplace_back(name);
    if (test.warned || all.partial) point.flag("warned_by_program");
    const bool same_nodes = record::word_of(record::find(point.record.params, "reorder")) == "no";
    if (operation == "read" && same_nodes && test.nodes.value_or(2) > 1) point.flag("may_be_cached");
    piece.points.push_back(std::move(point));
  }
  if (test.tasks) piece.processes = std::max(piece.processes.value_or(0), *test.tasks);
  piece.nodes = std::max(piece.nodes, test.nodes);
  test.operations.clear();
}

}  // namespace steelyard::foreign
