// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_run.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "analysis/point_members.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::Json;
using record::PointRecord;

bool truth(const PointRecord& point, std::string_view name) {
  const auto* value = member(point, name);
  return value != nullptr && *value == record::Value(true);
}

std::string first_error(const PointRecord& point) {
  if (!point.check || point.check->first.empty()) return {};
  const Json& first = point.check->first.json();
  return first.is_object() && first.contains("text") && first["text"].is_string()
             ? first["text"].get<std::string>()
             : std::string();
}

std::size_t access_of(const PointRecord& point) {
  const auto word = words(point, "access");
  const auto found = std::ranges::find(beffio_accesses, word);
  if (found == beffio_accesses.end())
    throw std::invalid_argument(point.key + ": no access method '" + word + "'");
  return static_cast<std::size_t>(found - beffio_accesses.begin());
}

int pattern_of(const PointRecord& point) {
  const double value = number(point, "pattern");
  if (value < 0 || value >= static_cast<double>(beffio_pattern_count + beffio_random_count))
    throw std::invalid_argument(point.key + ": there is no such pattern");
  return static_cast<int>(value);
}

BeffioPattern read_pattern(const PointRecord& point) {
  BeffioPattern p;
  p.number = pattern_of(point);
  p.position = static_cast<int>(record::whole(number(point, "position")));
  p.units = number(point, "weight");
  p.chunk_byte = number(point, "chunk_byte");
  p.memory_byte = number(point, "memory_byte");
  p.calls = number(point, "calls");
  p.moved_byte = number(point, "bytes_moved_byte");
  p.scheduled_s = number(point, "scheduled_s");
  p.time_s = number(point, "time_s");
  p.io_s = number(point, "io_s");
  p.barrier_s = number(point, "barrier_s");
  p.broadcast_s = number(point, "broadcast_s");
  p.sync_s = number(point, "sync_s");
  p.last_call_s = number(point, "last_call_s");
  p.last_control_s = number(point, "last_control_s");
  p.open_s = number_if(point, "open_s");
  p.close_s = number_if(point, "close_s");
  p.segment_byte = number_if(point, "segment_byte");
  p.cache_byte = number_if(point, "cache_byte");
  p.errors = point.check ? point.check->errors : 0;
  p.file = words(point, "file");
  p.cut = words(point, "cut");
  p.open_hints = words(point, "hints_on_open");
  p.hints = words(point, "hints");
  p.hints_in_effect = words(point, "hints_in_effect");
  p.first_error = first_error(point);
  p.shared_pointer = words(point, "pointer") != "individual";
  p.overlong = truth(point, "overlong");
  return p;
}

bool has_result(const PointRecord& point) {
  const bool measured = point.status == record::Status::ok || point.status == record::Status::partial;
  return measured && record::find(point.classic, "time_s") != nullptr;
}

}  // namespace

BeffioRun::BeffioRun(std::span<const PointRecord> points) {
  bool checked = true, right = true;
  for (const auto& point : points) {
    if (point.suite != "b-eff-io") continue;
    ++points_;
    auto& own = partition(point.processes);
    const std::size_t access = access_of(point);
    partial_ += point.status == record::Status::partial ? 1u : 0u;
    missing_ += has_result(point) ? 0u : 1u;
    right = right && point.verified.value_or(true);
    if (!has_result(point)) continue;
    checked = checked && point.verified.has_value();
    own.add(access, read_pattern(point));
  }
  if (points_ == 0) throw std::invalid_argument("no points of b-eff-io");
  if (!right)
    verified_ = false;
  else if (checked && missing_ < points_)
    verified_ = true;
}

BeffioPartition& BeffioRun::partition(int processes) {
  const auto found = std::ranges::find(partitions_, processes, &BeffioPartition::processes);
  return found != partitions_.end() ? *found : partitions_.emplace_back(processes);
}

const BeffioPartition* BeffioRun::best(std::string_view formula) const {
  const BeffioPartition* best = nullptr;
  for (const auto& one : partitions_) {
    const auto value = beffio_value(one, formula);
    if (value && (best == nullptr || *value > *beffio_value(*best, formula))) best = &one;
  }
  return best;
}

BeffioFrame beffio_frame(const record::RunRecord& run) {
  BeffioFrame frame;
  const Json& config = run.config.json();
  if (!config.is_object() || !config.contains("b-eff-io")) return frame;
  const Json& own = config["b-eff-io"];
  const auto whole = [&](const char* name) -> std::optional<std::int64_t> {
    if (!own.contains(name) || !own[name].is_number_integer()) return std::nullopt;
    return own[name].get<std::int64_t>();
  };
  const auto set_words = [&](const char* name, std::string& to) {
    if (own.contains(name) && own[name].is_string()) to = own[name].get<std::string>();
  };
  const auto set_truth = [&](const char* name, bool& to) {
    if (own.contains(name) && own[name].is_boolean()) to = own[name].get<bool>();
  };
  frame.memory_per_process_byte = whole("memory_per_process_byte");
  frame.system_memory_byte = whole("system_memory_byte");
  frame.largest_chunk_byte = whole("largest_chunk_byte");
  frame.cache_byte = whole("cache_byte");
  frame.largest_together_byte = whole("largest_chunks_together_byte");
  frame.most_byte = whole("most_byte");
  frame.align_byte = whole("align_byte").value_or(frame.align_byte);
  frame.hints = whole("hints").value_or(0);
  if (own.contains("scheduled_s") && own["scheduled_s"].is_number())
    frame.scheduled_s = own["scheduled_s"].get<double>();
  if (own.contains("partitions") && own["partitions"].is_array()) frame.partitions = own["partitions"].size();
  set_words("formula", frame.formula);
  set_words("control", frame.control);
  set_words("order", frame.order);
  set_truth("shared_pointers", frame.shared_pointers);
  set_truth("unique", frame.unique);
  set_truth("rewrite_all", frame.rewrite_all);
  set_truth("keep", frame.keep);
  set_truth("drop_cache", frame.drop_cache);
  set_truth("random", frame.random);
  std::string because;
  set_words("not_official_because", because);
  std::istringstream lines(because);
  for (std::string line; std::getline(lines, line);) frame.not_official_because.push_back(line);
  return frame;
}

}  // namespace steelyard::analysis
