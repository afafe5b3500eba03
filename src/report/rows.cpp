// SPDX-License-Identifier: Apache-2.0
#include "report/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "record/point_view.hpp"

namespace steelyard::report {

using record::Json;

namespace {

using record::PointRecord;
using record::Statistics;

/// Words of a point's classic values that say what it is.
constexpr std::array<std::string_view, 3> telling = {"set", "type", "pattern_name"};
void take_primary(Row& row) {
  row.median = record::figure(*row.point, row.point->primary);
  const auto* all = record::statistics(*row.point, row.point->primary);
  if (all == nullptr) return;
  row.p99 = all->p99;
  row.max = all->max;
  if (all->n) row.n = static_cast<double>(*all->n);
  if (all->ci)
    std::tie(row.low, row.high) = std::pair(std::optional(all->ci->first), std::optional(all->ci->second));
}

/// Names of parameters that are not the same in all points of a benchmark.
using Varying = std::map<std::string, std::set<std::string>, std::less<>>;

std::string name_of(const PointRecord& point) {
  return point.suite + '/' + point.benchmark;
}

Varying varying(const std::vector<record::Run>& runs) {
  std::map<std::string, std::map<std::string, std::set<std::string>>, std::less<>> seen;
  for (const auto& run : runs)
    for (const auto& point : run.points)
      for (const auto& [name, value] : point.params)
        if (auto& words = seen[name_of(point)][name]; words.size() < 2) words.insert(word(value));
  Varying found;
  for (const auto& [benchmark, names] : seen)
    for (const auto& [name, words] : names)
      if (words.size() > 1 && !record::is_told_elsewhere(name)) found[benchmark].insert(name);
  return found;
}

std::string variant(const PointRecord& point, const Varying& varying) {
  std::string text;
  const auto names = varying.find(name_of(point));
  if (names != varying.end())
    for (const std::string& name : names->second)
      if (const auto* value = record::find(point.params, name))
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, word(*value));
  for (const std::string_view name : telling)
    if (const auto said = record::word_of(record::find(point.classic, name)); !said.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, said);
  if (point.groups > 1) text += fmt::format("{}{} groups", text.empty() ? "" : " ", point.groups);
  if (const auto threads = threads_words(point); !threads.empty())
    text += (text.empty() ? "" : " ") + threads;
  return text;
}

/// Entry of the point's metric among those of its benchmark, one a metric.
Benchmark& of_metric(std::vector<Benchmark>& metrics, const PointRecord& point) {
  const auto fits = [&](const Benchmark& one) {
    return one.metric.empty() || point.primary.empty() || one.metric == point.primary;
  };
  auto found = std::ranges::find_if(metrics, fits);
  if (found == metrics.end()) found = metrics.insert(found, {point.suite, point.benchmark, {}, {}});
  if (found->metric.empty()) found->metric = point.primary;
  return *found;
}

}  // namespace

std::string threads_words(const PointRecord& point) {
  return point.threads > 1 ? fmt::format("{} threads", point.threads) : "";
}

std::string word(const record::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* list = std::get_if<std::vector<double>>(&value))
    return fmt::format("{}", fmt::join(*list, " "));
  return {};
}

std::string sentence_of(const std::string& flag) {
  if (const auto known = record::flag_text(flag); !known.empty()) return std::string(known);
  std::string words = flag;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::vector<Row> rows(const std::vector<record::Run>& runs) {
  const Varying names = varying(runs);
  std::vector<Row> list;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const PointRecord& point : runs[i].points) {
      Row row{.point = &point,
              .run = i,
              .variant = variant(point, names),
              .length_byte = record::length_of(point.params)};
      take_primary(row);
      for (const char* rate : {"bandwidth_byte_s", "bandwidth_process_byte_s", "bandwidth_total_byte_s"})
        if (record::unit_of(point.primary) != "byte/s" && !row.byte_s)
          row.byte_s = record::figure(point, rate);
      list.push_back(std::move(row));
    }
  return list;
}

std::vector<Benchmark> benchmarks(const std::vector<Row>& rows) {
  std::vector<std::vector<Benchmark>> by_name;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
  for (const Row& row : rows) {
    const auto& point = *row.point;
    const auto [place, added] = places.try_emplace({point.suite, point.benchmark}, by_name.size());
    if (added) by_name.emplace_back();
    of_metric(by_name[place->second], point).rows.push_back(&row);
  }
  std::vector<Benchmark> list;
  for (auto& metrics : by_name) {
    for (Benchmark& one : metrics) one.only = metrics.size() == 1;
    std::ranges::move(metrics, std::back_inserter(list));
  }
  return list;
}

Scale scale_of(std::string_view base_unit, double largest) {
  if (base_unit == "s") {
    if (largest < 1e-2) return {1e6, "us"};
    return largest < 1 ? Scale{1e3, "ms"} : Scale{1, "s"};
  }
  const std::string plain = base_unit == "byte/s" ? "B/s" : std::string(base_unit);
  if (!base_unit.ends_with("/s")) return {1, plain};
  constexpr std::pair<double, const char*> prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, prefix] : prefixes)
    if (largest >= size) return {1 / size, prefix + plain};
  return {1, plain};
}

std::vector<std::size_t> evenly(std::size_t size, std::size_t count) {
  const std::size_t kept = std::min(size, count);
  std::vector<std::size_t> list(kept);
  std::iota(list.begin(), list.end(), std::size_t{0});
  if (kept == size || kept < 2) return list;
  for (std::size_t& i : list) i = i * (size - 1) / (kept - 1);
  return list;
}

std::vector<std::size_t> evenly(const std::vector<bool>& matters, std::size_t count) {
  std::array<std::vector<std::size_t>, 2> parts;  // what matters, others
  for (std::size_t i = 0; i < matters.size(); ++i) parts[matters[i] ? 0 : 1].push_back(i);
  std::vector<std::size_t> list;
  for (const auto& part : parts)
    for (const std::size_t i : evenly(part.size(), count - list.size())) list.push_back(part[i]);
  std::ranges::sort(list);
  return list;
}

constexpr std::size_t longest_value = 300;

std::string text_of(const Json& json) {
  if (json.is_null()) return {};
  std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  if (json.is_array() && std::ranges::all_of(json, [](const Json& one) { return one.is_primitive(); })) {
    text.clear();
    for (const Json& one : json) text += (text.empty() ? "" : " ") + text_of(one);
  }
  if (text.size() > longest_value) text = record::valid_utf8(text.substr(0, longest_value)) + " ...";
  return text;
}

std::string at(const record::Document& document, const char* pointer) {
  const Json* found = document.json().at_pointer(pointer);
  return found ? text_of(*found) : std::string();
}

}  // namespace steelyard::report
