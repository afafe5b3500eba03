// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/collection.hpp"

#include <algorithm>
#include <map>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/hpcc_summary.hpp"
#include "record/json.hpp"
#include "record/members.hpp"
#include "record/whereabouts.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::history {
namespace {

using record::is_word;
using record::plain_number;
using record::plain_text;
using record::ScannedLine;

/// Members of a point's line that a history needs, as views into the line.
struct ScannedPoint {
  std::string_view run, key, suite, benchmark, status, primary, better, verified;
  ScannedLine::Value metrics, classic;
  bool imported = false;
};

/// Place of a member's text; nullptr if it is not wanted. A line has twenty members: most are told
/// apart by their length.
std::string_view ScannedPoint::*place_of_text(std::string_view name) {
  switch (name.size()) {
    case 3:
      return is_word(name, "key") ? &ScannedPoint::key : is_word(name, "run") ? &ScannedPoint::run : nullptr;
    case 5: return is_word(name, "suite") ? &ScannedPoint::suite : nullptr;
    case 6:
      return is_word(name, "status")   ? &ScannedPoint::status
             : is_word(name, "better") ? &ScannedPoint::better
                                       : nullptr;
    case 7: return is_word(name, "primary") ? &ScannedPoint::primary : nullptr;
    case 9: return is_word(name, "benchmark") ? &ScannedPoint::benchmark : nullptr;
    default: return nullptr;
  }
}

/// Returns nullopt for other records, and for texts that have to be read by their escapes.
std::optional<ScannedPoint> scanned(std::string_view text, ScannedLine& line) {
  ScannedPoint point;
  bool of_a_point = false, plain = true;
  const auto take = [&](std::string_view name, const ScannedLine::Value& value) {
    if (is_word(name, "type")) return of_a_point = is_word(value.text, "\"point\"");
    if (is_word(name, "metrics")) point.metrics = value;
    if (is_word(name, "classic")) point.classic = value;
    if (is_word(name, "import")) point.imported = true;
    if (is_word(name, "verified")) point.verified = value.text;
    if (const auto to = place_of_text(name)) {
      const auto word = plain_text(value.text);
      plain &= word.has_value();
      if (word) point.*to = *word;
    }
    return true;
  };
  const bool whole = line.scan(text) && line.each_member(line.whole(), take);
  if (!whole || !plain || !of_a_point || point.key.empty() || point.primary.empty()) return std::nullopt;
  return point;
}

/// Whether figures of merit need the point. Such points are few, and parsed whole.
bool is_for_figures(const ScannedPoint& point) {
  return point.suite == "hpcc" || point.suite == "ftio" ||
         (point.suite == "imb-mpi1" && point.benchmark == "PingPong");
}

struct ScannedValue {
  bool is_there = false;  // the metric
  std::optional<double> value;
  Ends ends;
};

Ends ends_in(std::string_view ends, double value) {
  const std::size_t comma = ends.find(',');
  if (comma == std::string_view::npos || ends.size() < 3) return {};
  const auto begin = [](std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  };
  const auto low = plain_number(begin(ends.substr(1, comma - 1)));
  const auto high = plain_number(begin(ends.substr(comma + 1, ends.size() - comma - 2)));
  return low && high ? ends_of({*low, *high}, value) : Ends();
}

/// Takes the statistic that is asked for; else the one that the metric names as its headline, or the median
/// if it names none, and its interval.
void take_statistic(const ScannedLine& line, const ScannedLine::Value& statistics, std::string_view asked,
                    std::optional<double>& value, std::string_view& ends) {
  std::string_view headline = asked.empty() ? "median" : asked;
  const auto take = [&](std::string_view member, const ScannedLine::Value& held) {
    if (asked.empty() && is_word(member, "headline")) headline = plain_text(held.text).value_or(headline);
    if (asked.empty() && is_word(member, "ci")) ends = held.text;
    if (is_word(member, "median")) value = plain_number(held.text);
    return true;
  };
  line.each_member(statistics, take);
  if (is_word(headline, "median")) return;
  value.reset();
  line.each_member(statistics, [&](std::string_view member, const ScannedLine::Value& held) {
    if (member == headline) value = plain_number(held.text);
    return member != headline;
  });
}

/// Reads a metric: a number, or statistics with an interval.
ScannedValue value_in(const ScannedPoint& point, const ScannedLine& line, std::string_view metric,
                      std::string_view statistic) {
  ScannedValue found;
  std::string_view ends;
  line.each_member(point.metrics, [&](std::string_view name, const ScannedLine::Value& value) {
    if (name != metric) return true;
    found.is_there = true;
    if (statistic.empty()) found.value = plain_number(value.text);
    if (!found.value) take_statistic(line, value, statistic, found.value, ends);
    return false;
  });
  if (found.value) found.ends = ends_in(ends, *found.value);
  return found;
}

ValueState state_of(std::string_view status, bool wrong, const std::optional<double>& value) {
  if (wrong) return ValueState::wrong;
  if (status == "failed") return ValueState::failed;
  if (status == "skipped") return ValueState::skipped;
  if (status == "partial") return ValueState::partial;
  return value && std::isfinite(*value) && *value > 0 ? ValueState::good : ValueState::failed;
}

/// Takes the values that IMB would have printed, as ratios to the value.
void take_classic(const ScannedPoint& point, const ScannedLine& line, Column& column) {
  if (!point.suite.starts_with("imb-") || point.classic.text.empty() || !(column.value > 0)) return;
  line.each_member(point.classic, [&](std::string_view name, const ScannedLine::Value& value) {
    float* to = is_word(name, "t_max_s")   ? &column.slowest_mean
                : is_word(name, "t_avg_s") ? &column.average_mean
                                           : nullptr;
    if (to == nullptr) return true;
    if (const auto number = plain_number(value.text); number && *number > 0)
      *to = static_cast<float>(*number / column.value);
    return true;
  });
}

/// Key of an imported point with the parameters that its text cannot tell.
std::string key_with_unknown(const record::PointRecord& point) {
  std::string key = point.key;
  const auto& json = point.imported.json();
  if (!json.is_object() || !json.contains("unknown_params")) return key;
  for (const auto& name : json["unknown_params"])
    if (name.is_string()) key += ';' + name.get<std::string>() + "=?";
  return key;
}

Statistic statistic_of_import(const record::PointRecord& point) {
  const auto& json = point.imported.json();
  const std::string time = record::text_in(json, "over_time"), ranks = record::text_in(json, "over_ranks");
  if (point.suite == "hpcc") return Statistic::same;
  if (time != "mean" || point.primary != "time_s") return Statistic::other;
  return ranks == "mean" ? Statistic::average_mean : Statistic::slowest_mean;
}

bool is_lower_better(std::string_view metric, std::string_view primary, bool of_primary) {
  const auto* known = metric == primary ? nullptr : record::metric_name(metric);
  return known == nullptr ? of_primary : known->lower_is_better;
}

std::optional<double> value_of(const record::Metric& metric, const std::string& statistic) {
  if (statistic.empty()) return record::value_of(metric);
  const auto* held = std::get_if<record::Statistics>(&metric);
  return held == nullptr ? std::nullopt : record::statistic(*held, statistic);
}

/// Returns nullopt if the point lacks the metric that is followed.
std::optional<Column> column_of(const record::PointRecord& point, Keys& keys, const Followed& followed) {
  const std::string& name = followed.is_primary() ? point.primary : followed.metric;
  const auto metric = std::ranges::find(point.metrics, name, [](const auto& one) { return one.first; });
  const bool is_there = metric != point.metrics.end();
  if (name.empty() || (!is_there && !followed.is_primary())) return std::nullopt;
  const auto value = is_there ? value_of(metric->second, followed.statistic) : std::optional<double>();
  const bool imported = record::is_imported(point);
  std::string key = (imported ? key_with_unknown(point) : point.key) + ' ' + name;
  if (!followed.statistic.empty()) key += '.' + followed.statistic;
  Column column{keys.number(key), Ends(), value.value_or(0),
                state_of(text(point.status), point.verified == false, value),
                is_lower_better(name, point.primary, point.lower_is_better)};
  if (imported) column.statistic = followed.is_primary() ? statistic_of_import(point) : Statistic::other;
  return column;
}

/// Adds the figures of merit of a run, which has the points that they need. Those of IMB are medians,
/// which no text has.
void add_figures(record::Run& run, Columns& columns, Keys& keys) {
  if (std::ranges::none_of(run.summaries, [](const auto& one) { return one.name == "hpcc"; }))
    if (auto summary = analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head)))
      run.summaries.push_back(std::move(*summary));
  const auto system = balance::system_of_run(run);
  for (const balance::Merit& one : balance::merits(system, &run)) {
    if (!one.value || (!run.head.imported.empty() && one.figure->key.starts_with("imb"))) continue;
    const bool wrong = one.figure->quantity && system.doubts.failed.contains(*one.figure->quantity);
    Ends ends;
    if (one.interval) ends = {static_cast<float>(one.interval->low), static_cast<float>(one.interval->high)};
    columns.push_back({keys.number(std::string(figure_start) + std::string(one.figure->key)), ends,
                       *one.value, state_of("ok", wrong, one.value), one.figure->lower_is_better});
  }
}

/// Takes the rows of the verdicts of a screening; invalid rows are left out.
void take_verdicts(const record::TableRecord& table, const std::vector<std::string>& hosts,
                   std::vector<NamedNode>& named) {
  const record::Json& columns = table.columns.json();
  if (!columns.is_object()) return;
  for (const char* name : {"host", "other", "quantity", "verdict", "percent"})
    if (!columns.contains(name) || !columns[name].is_array() ||
        columns[name].size() != columns["host"].size())
      return;
  const auto host = [&](const record::Json& number) {
    const auto place = number.is_number_integer() ? number.get<std::int64_t>() : -1;
    const bool known = place >= 0 && place < std::ssize(hosts);
    return known ? hosts[static_cast<std::size_t>(place)] : std::string();
  };
  for (std::size_t row = 0; row < columns["host"].size(); ++row) {
    const auto text = [&](const char* name) {
      const record::Json& word = columns[name].at(row);
      return word.is_string() ? word.get<std::string>() : std::string();
    };
    const record::Json& percent = columns["percent"].at(row);
    NamedNode one{host(columns["host"].at(row)), host(columns["other"].at(row)), text("quantity"),
                  text("verdict"), percent.is_number() ? percent.get<double>() : 0};
    if (!one.host.empty() && !one.verdict.empty()) named.push_back(std::move(one));
  }
}

/// Reader of one file: runs by id, in order of first appearance.
class FileReader {
 public:
  FileReader(std::string file, Keys& keys, const Followed& followed)
      : file_(std::move(file)), keys_(keys), followed_(followed) {}

  FileColumns read() {
    FileColumns found;
    found.told = record::scan(
        file_, [&](std::string_view line) { return take_line(line); },
        [&](record::Record&& one) { take(std::move(one)); });
    auto& runs = found.runs;
    for (Reading& one : readings_) {
      if (!one.has_head) throw headless(one.run.id, found.told.first_damage);
      if (followed_.is_primary()) add_figures(one.run, one.columns, keys_);
      RunColumns columns{one.run.id, file_, {}, std::move(one.columns), {}};
      if (one.screened) take_screening(one, columns);
      columns.head = std::move(one.run.head);
      runs.push_back(std::move(columns));
    }
    return found;
  }

 private:
  struct Reading {
    record::Run run;  // with the points that figures need
    Columns columns;
    std::vector<std::uint32_t> places;  // by key, 1 + place in columns, 0: none yet; a later record wins
    std::vector<record::TableRecord> verdicts;                 // of a screening
    int screened_in = 0;                                       // session that it is of
    std::map<std::string, int, std::less<>> summary_sessions;  // by name: the one that those held are of
    bool has_head = false, screened = false;
  };

  /// Names nodes by the layout of the session that screened them.
  static void take_screening(const Reading& one, RunColumns& columns) {
    auto hosts = record::host_names(record::whereabouts(one.run, one.screened_in));
    auto& named = columns.named.emplace();
    for (const auto& table : one.verdicts) take_verdicts(table, hosts, named);
    if (hosts != record::host_names(one.run.head)) columns.screened_hosts = std::move(hosts);
  }

  /// The run record may be the first line that is damaged.
  [[nodiscard]] record::ReadError headless(const std::string& run, const std::string& damage) const {
    return record::ReadError((damage.empty() ? file_ + ": " : damage + "; without it ") + "run " + run +
                             " has no run record");
  }

  Reading& of(std::string_view id) {
    if (last_ < readings_.size() && readings_[last_].run.id == id) return readings_[last_];
    for (last_ = 0; last_ < readings_.size(); ++last_)
      if (readings_[last_].run.id == id) return readings_[last_];
    readings_.emplace_back().run.id = id;
    return readings_.back();
  }

  bool take_line(std::string_view text) {
    const auto point = scanned(text, line_);
    if (!point) return false;
    if (point->imported) return false;
    keep_column(*point);
    return !followed_.is_primary() || !is_for_figures(*point);
  }

  void keep_column(const ScannedPoint& point) {
    const std::string_view metric = followed_.is_primary() ? point.primary : followed_.metric;
    const auto value = value_in(point, line_, metric, followed_.statistic);
    if (!value.is_there && !followed_.is_primary()) return;
    text_.assign(point.key).append(" ").append(metric);
    if (!followed_.statistic.empty()) text_.append(".").append(followed_.statistic);
    Column column{keys_.number(text_), value.ends, value.value.value_or(0),
                  state_of(point.status, point.verified == "false", value.value),
                  is_lower_better(metric, point.primary, point.better != "higher")};
    if (followed_.is_primary()) take_classic(point, line_, column);
    keep(of(point.run), column);
  }

  /// Keeps a column; a later record of a point replaces the one before.
  void keep(Reading& reading, const Column& column) {
    if (column.key >= reading.places.size()) reading.places.resize(keys_.size(), 0);
    auto& place = reading.places[column.key];
    if (place > 0) {
      reading.columns[place - 1] = column;
    } else {
      reading.columns.push_back(column);
      place = static_cast<std::uint32_t>(reading.columns.size());
    }
  }

  void take(record::Record&& one) {
    Reading& reading = of(one.envelope.run);
    if (auto* head = std::get_if<record::RunRecord>(&one.body)) {
      record::begin_session(reading.run, std::move(*head), one.envelope.session);
      reading.has_head = true;
    } else if (auto* point = std::get_if<record::PointRecord>(&one.body)) {
      if (record::is_imported(*point))
        if (const auto column = column_of(*point, keys_, followed_)) keep(reading, *column);
      std::erase_if(reading.run.points, [&](const auto& held) { return held.key == point->key; });
      reading.run.points.push_back(std::move(*point));
    } else if (auto* table = std::get_if<record::TableRecord>(&one.body)) {
      if (table->name != screen::verdict_table) return;
      if (table->part <= 1) reading.verdicts.clear();  // a later session judges anew
      reading.verdicts.push_back(std::move(*table));
      reading.screened = true;
      reading.screened_in = one.envelope.session;
    } else if (auto* summary = std::get_if<record::SummaryRecord>(&one.body)) {
      if (summary->name == screen::suite_name) {
        reading.screened = true;
        reading.screened_in = one.envelope.session;
      }
      int& session = reading.summary_sessions.try_emplace(summary->name, one.envelope.session).first->second;
      if (session < one.envelope.session)
        std::erase_if(reading.run.summaries, [&](const auto& held) { return held.name == summary->name; });
      session = one.envelope.session;
      reading.run.summaries.push_back(std::move(*summary));
    }
  }

  std::string file_, text_;
  Keys& keys_;
  const Followed& followed_;
  ScannedLine line_;
  std::vector<Reading> readings_;
  std::size_t last_ = 0;
};

/// The number with so many significant digits; the number itself where powers of ten are not exact.
double with_digits(double number, int digits) {
  constexpr int most_exact = 22;
  const int shift = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(number))));
  if (std::abs(shift) > most_exact) return number;
  const double power = std::pow(10.0, std::abs(shift));
  return shift >= 0 ? std::round(number * power) / power : std::round(number / power) * power;
}

/// Of all ends that a distance in single precision stands for, the one with the fewest digits: that which was
/// recorded, unless it has more digits than single precision tells apart.
double end_at(float relative, double value) {
  constexpr int most_digits = 16;
  const double about = value * (1 + static_cast<double>(relative));
  if (!(std::abs(about) > 0) || !std::isfinite(about)) return about;
  for (int digits = 1; digits < most_digits; ++digits)
    if (const double end = with_digits(about, digits); static_cast<float>((end - value) / value) == relative)
      return end;
  return about;
}

}  // namespace

Ends ends_of(const stats::Interval& interval, double value) {
  if (!(value > 0)) return {};
  return {static_cast<float>((interval.low - value) / value),
          static_cast<float>((interval.high - value) / value)};
}

std::optional<stats::Interval> interval_of(const Ends& ends, double value) {
  if (!std::isfinite(ends.low) || !std::isfinite(ends.high)) return std::nullopt;
  return stats::Interval{end_at(ends.low, value), end_at(ends.high, value)};
}

/// Runs with the same plan name their keys in the same order, so that the next one is mostly known.
std::uint32_t Keys::number(std::string_view text) {
  if (last_ + 1 < texts_.size() && texts_[last_ + 1] == text) return ++last_;
  if (const auto found = numbers_.find(text); found != numbers_.end()) return last_ = found->second;
  if (texts_.size() == most_keys)
    throw record::ReadError("more than " + std::to_string(most_keys) + " different points");
  last_ = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), last_);
  return last_;
}

Followed Followed::of(std::string_view words) {
  const std::size_t dot = std::min(words.find('.'), words.size());
  return {std::string(words.substr(0, dot)), std::string(words.substr(std::min(dot + 1, words.size())))};
}

FileColumns read_columns(const std::string& file, Keys& keys, const Followed& followed) {
  return FileReader(file, keys, followed).read();
}

RunColumns columns_of(const record::Run& run, const std::string& source, Keys& keys,
                      const Followed& followed) {
  RunColumns found{run.id, source, run.head, {}};
  for (const record::PointRecord& point : run.points)
    if (const auto column = column_of(point, keys, followed)) found.columns.push_back(*column);
  if (!followed.is_primary()) return found;
  record::Run of_figures = run;
  add_figures(of_figures, found.columns, keys);
  return found;
}

}  // namespace steelyard::history
