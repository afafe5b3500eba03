// SPDX-License-Identifier: Apache-2.0
#include "record/point_view.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::record {
namespace {

template <class T>
const T* held(const Value* value) {
  return value == nullptr ? nullptr : std::get_if<T>(value);
}

std::string synchronisation_words(const Schedule& schedule) {
  const std::string what = schedule.timing == "each" ? "each " : "";
  if (schedule.sync == "none") return what.empty() ? "back to back" : "each by itself";
  if (schedule.sync == "barrier") return what + "after a barrier";
  if (schedule.sync == "barrier2") return what + "after two barriers";
  if (schedule.sync == "dissemination") return what + "after a dissemination";
  return schedule.sync == "window" ? what + "from an agreed start" : "";
}

}  // namespace

bool measured(const PointRecord& point) {
  return point.status == Status::ok || point.status == Status::partial;
}

bool has_flag(const PointRecord& point, std::string_view flag) {
  return std::ranges::find(point.flags, flag) != point.flags.end();
}

std::optional<double> number_of(const Value* value) {
  if (const auto* whole = held<std::int64_t>(value)) return static_cast<double>(*whole);
  const auto* real = held<double>(value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::optional<std::int64_t> whole_of(const Value* value) {
  const auto* whole = held<std::int64_t>(value);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

std::string word_of(const Value* value) {
  const auto* word = held<std::string>(value);
  return word == nullptr ? std::string() : *word;
}

bool is_true(const Value* value) {
  const auto* truth = held<bool>(value);
  return truth != nullptr && *truth;
}

const std::vector<double>* list_of(const Value* value) {
  return held<std::vector<double>>(value);
}

const Value* member(const PointRecord& point, std::string_view name) {
  const auto* value = find(point.classic, name);
  return value == nullptr ? find(point.params, name) : value;
}

std::optional<double> number_in(const PointRecord& point, std::string_view name) {
  return number_of(member(point, name));
}

std::string word_in(const PointRecord& point, std::string_view name) {
  return word_of(member(point, name));
}

std::optional<std::int64_t> length_of(const Params& params) {
  for (const auto name : length_names)
    if (const auto length = whole_of(find(params, name))) return length;
  return std::nullopt;
}

namespace {

/// Parameters of IMB that follow from others.
constexpr std::array<std::string_view, 7> derived_names = {"count_byte",  "pairs",      "grid", "topology",
                                                           "taking_part", "neighbours", "form"};

}  // namespace

bool is_of_imb(const PointRecord& point) {
  return point.suite.starts_with("imb-") || point.suite == "mpi4";
}

bool is_told_elsewhere(std::string_view name) {
  return std::ranges::find(length_names, name) != length_names.end() ||
         std::ranges::find(derived_names, name) != derived_names.end();
}

std::string key_of(const PointRecord& point) {
  Params identity = point.params;
  if (is_of_imb(point))
    std::erase_if(identity, [](const auto& one) {
      return std::ranges::find(derived_names, one.first) != derived_names.end();
    });
  return make_key(point.suite, point.benchmark, point.processes, point.threads, point.groups, identity);
}

const Metric* metric(const PointRecord& point, std::string_view name) {
  const auto found = std::ranges::find(point.metrics, name, &std::pair<std::string, Metric>::first);
  return found == point.metrics.end() ? nullptr : &found->second;
}

const Statistics* statistics(const PointRecord& point, std::string_view name) {
  const auto* found = metric(point, name);
  return found == nullptr ? nullptr : std::get_if<Statistics>(found);
}

std::optional<double> figure(const PointRecord& point, std::string_view name) {
  const auto* found = metric(point, name);
  return found == nullptr ? std::nullopt : value_of(*found);
}

std::string words_over_ranks(std::string_view ranks) {
  if (ranks.empty()) return {};
  if (ranks == "one") return "on one rank";
  return ranks == "global" ? "first start to last end" : std::string(ranks) + " over ranks";
}

std::string timing_words(const PointRecord& point) {
  if (point.primary != "time_s") return {};
  const auto* time = statistics(point, point.primary);
  const std::string words = time == nullptr ? "" : words_over_ranks(time->over_ranks);
  const std::string synchronised = point.schedule ? synchronisation_words(*point.schedule) : "";
  return words + (words.empty() || synchronised.empty() ? "" : ", ") + synchronised;
}

}  // namespace steelyard::record
