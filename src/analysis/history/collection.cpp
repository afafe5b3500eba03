// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/collection.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/hpcc_summary.hpp"
#include "record/members.hpp"

namespace steelyard::history {
namespace {

using record::each_member;
using record::plain_number;
using record::plain_text;

/// What a line of a point tells that a history needs, as views into it.
struct ScannedPoint {
  std::string_view run, key, suite, benchmark, status, primary, better, metrics, verified;
  bool of_a_point = false;
};

std::optional<ScannedPoint> scanned(std::string_view line) {
  ScannedPoint point;
  const std::pair<std::string_view, std::string_view*> texts[] = {
      {"run", &point.run},       {"key", &point.key},
      {"suite", &point.suite},   {"benchmark", &point.benchmark},
      {"status", &point.status}, {"primary", &point.primary},
      {"better", &point.better}};
  bool plain = true;
  const bool whole = each_member(line, [&](std::string_view name, std::string_view value) {
    if (name == "type") point.of_a_point = value == "\"point\"";
    if (name == "type" && !point.of_a_point) return false;
    if (name == "metrics") point.metrics = value;
    if (name == "verified") point.verified = value;
    for (const auto& [known, to] : texts) {
      if (known != name) continue;
      const auto text = plain_text(value);
      plain &= text.has_value();
      if (text) *to = *text;
    }
    return true;
  });
  if (!whole || !plain || !point.of_a_point || point.key.empty() || point.primary.empty())
    return std::nullopt;
  return point;
}

/// Points that figures of merit are made of are few, and read whole.
bool is_for_figures(const ScannedPoint& point) {
  return point.suite == "hpcc" || point.suite == "ftio" ||
         (point.suite == "imb-mpi1" && point.benchmark == "PingPong");
}

struct ScannedValue {
  std::optional<double> value;
  float half_width = -1;
};

float half_width_in(std::string_view ends, double value) {
  const std::size_t comma = ends.find(',');
  if (comma == std::string_view::npos || ends.size() < 3 || !(value > 0)) return -1;
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return text;
  };
  const auto low = plain_number(trimmed(ends.substr(1, comma - 1)));
  const auto high = plain_number(trimmed(ends.substr(comma + 1, ends.size() - comma - 2)));
  return low && high ? static_cast<float>((*high - *low) / 2 / value) : -1;
}

/// The statistic that the metric says is its headline, else the median; and its interval.
void take_headline(std::string_view statistics, std::optional<double>& value, std::string_view& ends) {
  std::string wanted = "median";
  each_member(statistics, [&](std::string_view member, std::string_view held) {
    if (const auto word = member == "headline" ? plain_text(held) : std::nullopt) wanted = *word;
    return true;
  });
  each_member(statistics, [&](std::string_view member, std::string_view held) {
    if (member == wanted) value = plain_number(held);
    if (member == "ci") ends = held;
    return true;
  });
}

/// The primary metric: a number, or statistics with an interval.
ScannedValue primary_in(const ScannedPoint& point) {
  ScannedValue found;
  std::string_view ends;
  each_member(point.metrics, [&](std::string_view name, std::string_view value) {
    if (name != point.primary) return true;
    found.value = plain_number(value);
    if (!found.value) take_headline(value, found.value, ends);
    return false;
  });
  if (found.value) found.half_width = half_width_in(ends, *found.value);
  return found;
}

ValueState state_of(std::string_view status, bool wrong, const std::optional<double>& value) {
  if (wrong) return ValueState::wrong;
  if (status == "failed") return ValueState::failed;
  if (status == "skipped") return ValueState::skipped;
  if (status == "partial") return ValueState::partial;
  return value && std::isfinite(*value) && *value > 0 ? ValueState::good : ValueState::failed;
}

/// One file: runs by id, in order of first appearance.
class FileReader {
 public:
  FileReader(std::string file, Keys& keys) : file_(std::move(file)), keys_(keys) {}

  std::vector<RunColumns> read() {
    (void)record::scan(
        file_, [&](std::string_view line) { return take_line(line); },
        [&](record::Record&& one) { take(std::move(one)); });
    std::vector<RunColumns> runs;
    for (Reading& one : readings_) {
      if (!one.has_head) throw record::ReadError(file_ + ": run " + one.run.id + " has no run record");
      add_figures(one);
      runs.push_back({one.run.id, file_, std::move(one.run.head), std::move(one.columns)});
    }
    return runs;
  }

 private:
  struct Reading {
    record::Run run;  // of the points that figures need
    std::vector<Column> columns;
    std::unordered_map<std::uint32_t, std::size_t> places;  // of keys in columns: a later record wins
    bool has_head = false;
  };

  Reading& of(std::string_view id) {
    if (last_ < readings_.size() && readings_[last_].run.id == id) return readings_[last_];
    for (last_ = 0; last_ < readings_.size(); ++last_)
      if (readings_[last_].run.id == id) return readings_[last_];
    readings_.emplace_back().run.id = id;
    return readings_.back();
  }

  bool take_line(std::string_view line) {
    const auto point = scanned(line);
    if (!point) return false;
    Reading& reading = of(point->run);
    const auto value = primary_in(*point);
    text_.assign(point->key).append(" ").append(point->primary);
    const std::uint32_t key = keys_.number(text_);
    const Column column{key, value.half_width, value.value.value_or(0),
                        state_of(point->status, point->verified == "false", value.value),
                        point->better != "higher"};
    const auto [found, is_new] = reading.places.try_emplace(key, reading.columns.size());
    if (is_new)
      reading.columns.push_back(column);
    else
      reading.columns[found->second] = column;
    return !is_for_figures(*point);
  }

  void take(record::Record&& one) {
    Reading& reading = of(one.envelope.run);
    if (auto* head = std::get_if<record::RunRecord>(&one.body)) {
      reading.run.head = std::move(*head);
      reading.has_head = true;
    } else if (auto* point = std::get_if<record::PointRecord>(&one.body)) {
      std::erase_if(reading.run.points, [&](const auto& held) { return held.key == point->key; });
      reading.run.points.push_back(std::move(*point));
    } else if (auto* summary = std::get_if<record::SummaryRecord>(&one.body)) {
      std::erase_if(reading.run.summaries, [&](const auto& held) {
        return held.name == summary->name && held.processes == summary->processes;
      });
      reading.run.summaries.push_back(std::move(*summary));
    }
  }

  void add_figures(Reading& reading) {
    record::Run& run = reading.run;
    if (std::ranges::none_of(run.summaries, [](const auto& one) { return one.name == "hpcc"; }))
      if (auto summary = analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head)))
        run.summaries.push_back(std::move(*summary));
    const auto system = balance::system_of_run(run);
    for (const balance::Merit& one : balance::merits(system, &run)) {
      if (!one.value) continue;
      const bool wrong = one.figure->quantity && system.doubts.failed.contains(*one.figure->quantity);
      reading.columns.push_back({keys_.number(std::string(figure_start) + std::string(one.figure->key)),
                                 static_cast<float>(one.half_width.value_or(-1)), *one.value,
                                 state_of("ok", wrong, one.value), one.figure->lower_is_better});
    }
  }

  std::string file_, text_;
  Keys& keys_;
  std::vector<Reading> readings_;
  std::size_t last_ = 0;
};

}  // namespace

std::uint32_t Keys::number(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  return number;
}

std::vector<RunColumns> read_columns(const std::string& file, Keys& keys) {
  return FileReader(file, keys).read();
}

}  // namespace steelyard::history
