// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>

#include "analysis/comparison/comparison.hpp"
#include "analysis/parallel.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::for_programs;
using analysis::Section;

using Points = std::vector<const Point*>;
using Group = std::pair<std::string, Points>;  // the points of a table under their heading

/// "4.10 us", "657 MB/s".
std::string quantity(double value, std::string_view unit) {
  if (unit == "s") return units::format_time(Seconds{value});
  const std::string plain(unit == "byte/s" ? "B/s" : unit);
  if (!unit.ends_with("/s")) return units::format_significant(value, 3) + (plain.empty() ? "" : ' ' + plain);
  constexpr std::pair<double, const char*> prefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (const auto& [size, prefix] : prefixes)
    if (value >= size) return units::format_significant(value / size, 3) + ' ' + prefix + plain;
  return units::format_significant(value, 3) + ' ' + plain;
}

std::string quantity(const std::optional<double>& value, std::string_view unit) {
  return value ? quantity(*value, unit) : "-";
}

std::string shown(const record::Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::to_string(*count);
  if (const auto* real = std::get_if<double>(&value)) return units::format_significant(*real, 3);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  return "-";
}

/// Parameters that are not the same in all points of a section. What a message's length tells by another count is none.
std::vector<std::string_view> varying(const Points& points) {
  struct Seen {
    const record::Value* first = nullptr;
    std::size_t count = 0;
    bool varies = false;
  };
  std::map<std::string_view, Seen> all;
  for (const Point* point : points)
    for (const auto& [name, value] : *point->what->params) {
      if (name == "count_byte") continue;
      Seen& seen = all[name];
      if (seen.count++ == 0) seen.first = &value;
      seen.varies = seen.varies || (value != *seen.first && shown(value) != shown(*seen.first));
    }
  std::vector<std::string_view> names;
  for (const auto& [name, seen] : all)
    if (seen.varies || seen.count < points.size() || name == "message_byte") names.push_back(name);
  return names;
}

std::string label(const Point& point, const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    const record::Value* value = record::find(*point.what->params, name);
    if (value == nullptr) continue;
    if (!text.empty()) text += ' ';
    if (name.ends_with("_byte"))
      text.append(shown(*value)) += " B";
    else
      (text.append(name) += '=') += shown(*value);
  }
  return text;
}

std::string fixed(double value, int decimals) {
  return units::format_fixed(value, decimals);
}

std::string interval_text(const std::optional<stats::Interval>& interval) {
  return interval ? fixed(interval->low, 3) + " .. " + fixed(interval->high, 3) : "-";
}

std::optional<double> low(const std::optional<stats::Interval>& interval) {
  return interval ? std::optional(interval->low) : std::nullopt;
}
std::optional<double> high(const std::optional<stats::Interval>& interval) {
  return interval ? std::optional(interval->high) : std::nullopt;
}

std::vector<Column> point_columns(Audience audience) {
  const auto eye = [](const char* key, const char* title, ColumnKind kind) {
    return Column{key, title, "", kind, Audience::readers};
  };
  std::vector<Column> columns{for_programs("key", ColumnKind::text),
                              for_programs("suite", ColumnKind::text),
                              for_programs("benchmark", ColumnKind::text),
                              for_programs("processes"),
                              for_programs("metric", ColumnKind::text),
                              for_programs("unit", ColumnKind::text),
                              eye("label", "point", ColumnKind::number),
                              for_programs("base"),
                              for_programs("new"),
                              eye("base_text", "base", ColumnKind::number),
                              eye("new_text", "new", ColumnKind::number),
                              {"ratio", "ratio", "", ColumnKind::number},
                              for_programs("ratio_low"),
                              for_programs("ratio_high"),
                              eye("interval", "95 % interval", ColumnKind::number),
                              for_programs("p"),
                              for_programs("cliffs_delta"),
                              for_programs("test", ColumnKind::text),
                              for_programs("base_launches"),
                              for_programs("new_launches"),
                              {"verdict", "verdict", "", ColumnKind::text},
                              for_programs("remark", ColumnKind::text),
                              eye("remark_text", "", ColumnKind::text)};
  std::erase_if(columns, [audience](const Column& column) {
    return audience != Audience::all && column.shown != Audience::all && column.shown != audience;
  });
  return columns;
}

/// Remark in a row. How many launches would decide is said once, below.
std::string row_remark(const Point& point) {
  constexpr std::string_view told_below = "about ", behind_others = "; about ";
  if (point.launches_needed == 0) return point.remark;
  if (point.remark.starts_with(told_below)) return {};
  return point.remark.substr(0, point.remark.rfind(behind_others));
}

/// Cells of a point; those for readers alone are left out for programs, and the other way round.
std::vector<Cell> row(const Point& point, const std::string& name, Audience audience, std::size_t columns) {
  std::vector<Cell> cells;
  cells.reserve(columns);
  const auto put = [&cells](auto&&... values) {
    (cells.emplace_back(std::forward<decltype(values)>(values)), ...);
  };
  const bool read = audience != Audience::programs, taken = audience != Audience::readers;
  const Identity& what = *point.what;
  if (taken)
    put(std::string(what.key), std::string(what.suite), std::string(what.benchmark), what.processes,
        std::string(point.metric), std::string(point.unit));
  if (read) put(name);
  if (taken) put(point.base, point.now);
  if (read) put(quantity(point.base, point.unit), quantity(point.now, point.unit));
  cells.emplace_back(point.ratio).decimals = 3;
  if (taken) put(low(point.interval), high(point.interval));
  if (read) put(interval_text(point.interval));
  if (taken)
    put(point.p, point.cliffs_delta, std::string(text(point.test)),
        static_cast<std::int64_t>(point.base_launches), static_cast<std::int64_t>(point.new_launches));
  put(std::string(text(point.verdict)));
  if (taken) put(point.remark);
  if (read) put(row_remark(point));
  return cells;
}

bool are_of_one_section(const Identity& one, const Identity& other) {
  return one.suite == other.suite && one.benchmark == other.benchmark && one.processes == other.processes &&
         one.threads == other.threads && one.groups == other.groups;
}

std::string section_title(const Identity& point) {
  std::string title(point.suite);
  title.append("/").append(point.benchmark).append("   ").append(units::counted(point.processes, "process"));
  if (point.threads > 1) title += ", " + std::to_string(point.threads) + " threads";
  if (point.groups > 1) title += ", " + std::to_string(point.groups) + " groups";
  return title;
}

/// Adds the findings: a whole shifted curve is one.
void add_findings(const Points& points, const std::vector<std::string_view>& names, Section& section) {
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1;
    const Verdict verdict = points[i]->verdict;
    while (end < points.size() && points[end]->verdict == verdict) ++end;
    if (end - i > 1 && (verdict == Verdict::slower || verdict == Verdict::faster)) {
      const auto [least, most] = std::minmax_element(
          points.begin() + static_cast<std::ptrdiff_t>(i), points.begin() + static_cast<std::ptrdiff_t>(end),
          [](const Point* a, const Point* b) { return *a->ratio < *b->ratio; });
      section.notes.push_back(std::string(text(verdict)) + " from " + label(*points[i], names) + " to " +
                              label(*points[end - 1], names) + ": " + fixed(*(*least)->ratio, 3) + " .. " +
                              fixed(*(*most)->ratio, 3));
    }
    i = end;
  }
}

/// `columns`: those of the audience.
Section points_section(const Group& group, Sort sort, Audience audience, const std::vector<Column>& columns) {
  const auto& [title, points] = group;
  const bool by_key = sort == Sort::effect, read = audience != Audience::programs && !by_key;
  const auto names = read ? varying(points) : std::vector<std::string_view>();
  Section section{"points", title, {}, {"points", columns, {}, {}}, {}};
  auto& rows = section.table.rows;
  rows.reserve(points.size());
  for (const Point* point : points)
    rows.push_back(
        row(*point, by_key ? std::string(point->what->key) : label(*point, names), audience, columns.size()));
  if (read) add_findings(points, names, section);
  return section;
}

Points sorted(const Comparison& comparison, Sort sort) {
  Points list;
  for (const Point& point : comparison.points) list.push_back(&point);
  const auto effect = [](const Point* point) {
    return point->ratio ? std::abs(std::log(*point->ratio)) : -1;
  };
  if (sort == Sort::effect) std::ranges::stable_sort(list, std::greater<>(), effect);
  if (sort == Sort::name)
    std::ranges::stable_sort(list, {}, [](const Point* point) { return point->what->key; });
  return list;
}

std::vector<Group> groups_of(const Comparison& comparison, Sort sort) {
  Points all = sorted(comparison, sort);
  if (sort == Sort::effect) return {{"Points by effect", std::move(all)}};
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0, group = 0; i < all.size(); ++i) {
    if (i == 0 || !are_of_one_section(*all[i - 1]->what, *all[i]->what)) {
      const auto [place, is_new] = places.try_emplace(section_title(*all[i]->what), groups.size());
      if (is_new) groups.emplace_back(place->first, Points{});
      group = place->second;
    }
    groups[group].second.push_back(all[i]);
  }
  return groups;
}

Section differences_section(const Comparison& comparison) {
  Section section{"differences", "What differs", {}, {"differences", {}, {}, {}}, {}};
  section.table.columns = {{"what", "", "", ColumnKind::text},
                           {"base", "base", "", ColumnKind::text},
                           {"new", "new", "", ColumnKind::text}};
  for (const Difference& one : comparison.differences)
    section.table.rows.push_back({one.what, one.base, one.now});
  section.notes = comparison.options.notes;
  if (comparison.differences.empty()) section.text.emplace_back("nothing that the records tell");
  return section;
}

/// Number of points with a ratio that no mean is of.
std::size_t outside_of_means(const Comparison& comparison) {
  std::size_t inside = 0;
  for (const Mean& mean : comparison.means) inside += mean.points;
  const auto all = static_cast<std::size_t>(
      std::ranges::count_if(comparison.points, [](const Point& one) { return one.ratio.has_value(); }));
  return all - std::min(all, inside);
}

Section means_section(const Comparison& comparison) {
  Section section{"means", "Geometric means of the ratios", {}, {"means", {}, {}, {}}, {}};
  section.table.columns = {
      {"benchmark", "benchmark", "", ColumnKind::text}, {"processes", "processes", "", ColumnKind::number},
      {"points", "points", "", ColumnKind::number},     {"ratio", "ratio", "", ColumnKind::number},
      {"ratio_low", "from", "", ColumnKind::number},    {"ratio_high", "to", "", ColumnKind::number}};
  for (const Mean& mean : comparison.means) {
    std::vector<Cell> cells{mean.suite + '/' + mean.benchmark,
                            mean.processes,
                            static_cast<std::int64_t>(mean.points),
                            mean.ratio,
                            low(mean.interval),
                            high(mean.interval)};
    for (std::size_t i = 3; i < cells.size(); ++i) cells[i].decimals = 3;
    section.table.rows.push_back(std::move(cells));
  }
  if (const std::size_t count = outside_of_means(comparison); count > 0)
    section.notes.push_back(
        units::counted(count, "point has", "points have") +
        " a ratio and no part in these means: of wrong data, not measured alike, of other "
        "states of the machine on either side, or cut short");
  return section;
}

/// Sentence on the launches that would decide the unclear point that needs most.
std::string launches_that_decide(const Comparison& comparison) {
  const auto most = std::ranges::max_element(comparison.points, {}, &Point::launches_needed);
  if (most == comparison.points.end() || most->launches_needed == 0) return {};
  const bool paired = comparison.options.launches == Launches::paired;
  return "Unclear points: about " + std::to_string(most->launches_needed) +
         (paired ? " pairs would decide." : " launches a side would decide.");
}

/// Sentence on how many unclear points lie beyond the threshold, which is no verdict.
std::string beyond_the_threshold(const Comparison& comparison) {
  std::size_t longer = 0, shorter = 0;
  for (const Point& point : comparison.points) {
    if (point.verdict != Verdict::unclear || !point.ratio) continue;
    const double effect = std::log(*point.ratio) * (point.lower_is_better ? 1 : -1);
    if (effect > std::log1p(comparison.options.threshold)) ++longer;
    if (effect < -std::log1p(comparison.options.threshold)) ++shorter;
  }
  if (longer + shorter == 0) return {};
  const auto are = [](auto count) { return std::to_string(count) + (count == 1 ? " is" : " are"); };
  return "Of the unclear points " + are(longer) + " slower and " + are(shorter) +
         " faster by more than the threshold; that this is more than what launches differ by was not "
         "shown.";
}

std::string few_launches(const Comparison& comparison) {
  const std::size_t fewest = std::min(comparison.base_launches, comparison.new_launches);
  if (comparison.options.figures && !comparison.tested())
    return "Single numbers without intervals: the threshold alone decides, and no test backs that.";
  if (comparison.options.launch_sd && fewest < 5)
    return "Launches were believed to differ by " + units::percent(*comparison.options.launch_sd) +
           ", as --launch-sd says; that was not measured.";
  if (fewest == 1)
    return "One launch on a side: how much launches differ was not measured, so that no point can be called "
           "slower, faster or the same. Measure 5 launches a side (run --launches 5), or say what you know "
           "(--launch-sd).";
  if (!comparison.tested())
    return "Too few launches to call a point slower or faster at the rate of false alarms that was asked "
           "for.";
  return {};
}

Section summary_section(const Comparison& comparison) {
  const auto counts = comparison.counts();
  std::string line;
  for (const Verdict verdict : {Verdict::slower, Verdict::faster, Verdict::unclear, Verdict::missing,
                                Verdict::added, Verdict::unverified, Verdict::same})
    if (const std::size_t n = counts.at(static_cast<std::size_t>(verdict)); n > 0 || verdict == Verdict::same)
      line += (line.empty() ? "" : ", ") + std::to_string(n) + ' ' + std::string(text(verdict));
  line += " of " + std::to_string(comparison.points.size()) + " points (threshold " +
          units::percent(comparison.options.threshold) + ", false discovery rate " +
          units::percent(comparison.options.alpha) + ")";
  Section section{"summary", "", {line}, {}, {}};
  if (const std::size_t n = comparison.without_metric; n > 0) {
    const auto& options = comparison.options;
    section.text.push_back(units::counted(n, "more point has no ", "more points have no ") +
                           (options.metric.empty() ? options.statistic : options.metric) +
                           " on either side.");
  }
  if (comparison.options.launches == Launches::paired)
    section.text.push_back(
        "Launch by launch: each of the base with the one of the new side that was named with it, " +
        units::counted(comparison.base_launches, "pair") + '.');
  for (std::string sentence :
       {beyond_the_threshold(comparison), launches_that_decide(comparison), few_launches(comparison)})
    if (!sentence.empty()) section.text.push_back(std::move(sentence));
  return section;
}

}  // namespace

analysis::Tables tables(const Comparison& comparison, Sort sort) {
  analysis::Tables list{differences_section(comparison)};
  const auto columns = point_columns(Audience::all);
  for (const Group& group : groups_of(comparison, sort))
    list.push_back(points_section(group, sort, Audience::all, columns));
  list.push_back(means_section(comparison));
  list.push_back(summary_section(comparison));
  return list;
}

void each_text(const Comparison& comparison, Sort sort, Audience audience, const MakeText& make,
               const TakeText& take) {
  const bool read = audience != Audience::programs;
  if (read) take(make(differences_section(comparison), true));
  const auto columns = point_columns(audience);
  const auto groups = groups_of(comparison, sort);
  std::vector<std::string> texts(std::min<std::size_t>(groups.size(), 1024));  // made together
  for (std::size_t first = 0; first < groups.size(); first += texts.size()) {
    const std::size_t count = std::min(texts.size(), groups.size() - first);
    analysis::share_work(count, [&](std::size_t i, std::size_t /*thread*/) {
      texts[i] = make(points_section(groups[first + i], sort, audience, columns), !read && first + i == 0);
    });
    for (const std::string& text : std::span(texts).first(count)) take(text);
  }
  if (!read) return;
  take(make(means_section(comparison), false));
  take(make(summary_section(comparison), false));
}

}  // namespace steelyard::comparison
