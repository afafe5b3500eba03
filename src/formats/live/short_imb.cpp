// SPDX-License-Identifier: Apache-2.0
#include "formats/live/short_imb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "formats/live/table.hpp"
#include "record/point_view.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t remark_column = 82;  // the columns before it fit into the narrowest terminal of today

/// Action of IMB-IO on a file, a column of its short table.
struct Action {
  std::string_view verb, mode, heading;
};
constexpr auto actions = std::to_array<Action>({{"Write", "aggregate", "write"},
                                                {"Write", "non_aggregate", "write+sync"},
                                                {"IWrite", "aggregate", "iwrite"},
                                                {"Read", "aggregate", "read"},
                                                {"IRead", "aggregate", "iread"}});

/// Parts of a name: "P_Write_Shared" is the verb Write and the way "P_*_Shared"; nullopt for other names.
struct Named {
  std::string verb, way;
};
std::optional<Named> named(const std::string& benchmark) {
  const auto first = benchmark.find('_'), last = benchmark.rfind('_');
  if (first == std::string::npos || first == last) return std::nullopt;
  return Named{benchmark.substr(first + 1, last - first - 1),
               benchmark.substr(0, first + 1) + "*" + benchmark.substr(last)};
}

std::string word(const std::map<std::string, std::string>& params, const std::string& name) {
  const auto found = params.find(name);
  return found == params.end() ? "" : found->second;
}

/// Text with single blanks, none at the ends.
std::string trimmed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string size_of(const std::optional<std::int64_t>& bytes) {
  return bytes ? units::format_size(Bytes{*bytes}) : "";
}

std::string megabytes(double byte_s) {
  return units::format_significant(byte_s / prefix::mega, 4);
}

/// Number of measured points: "24", "4 of 22".
std::string part_of(std::size_t measured, std::size_t planned) {
  return measured == planned ? fmt::format("{}", measured) : fmt::format("{} of {}", measured, planned);
}

std::string with_remark(std::string line, const Verdict& remark, bool colours,
                        const std::string& figure = {}) {
  line.resize(std::max(line.find_last_not_of(' ') + 1, std::size_t{1}));
  if (remark.text.empty() && figure.empty()) return line + '\n';
  const std::size_t used = shown_columns(line);
  line.append(used + 2 < remark_column ? remark_column - used : 2, ' ');
  line += figure + (figure.empty() || remark.text.empty() ? "" : ", ");
  return line + painted(remark, colours) + '\n';
}

/// Remark that the values of a row are those of the slowest of several groups; empty if there is one.
std::string of_groups(int groups) {
  return groups > 1 ? fmt::format("slowest of {} groups", groups) : "";
}

}  // namespace

ShortImb::Seen ShortImb::seen(const record::PointRecord& point) {
  Seen one;
  one.key = point.key;
  one.bytes = record::whole_of(live_size(point));
  one.group = record::whole_of(record::find(point.params, "group"));
  one.status = point.status;
  one.wrong = point.verified == false;
  if (point.reason) one.reason = point.reason->text;
  std::ranges::replace(one.reason, '\n', ' ');
  if (!measured(point)) return one;
  if (const auto primary = live_primary(point)) one.value = primary->median;
  one.rate_byte_s = live_bandwidth(point);
  one.is_time = live_is_time(point.primary);
  one.doubts = analysis::doubts(point);
  one.figure = live_figure(point);
  one.half_width = analysis::half_width(point).value_or(0);
  return one;
}

void ShortImb::add(const record::PointRecord& point) {
  suite_ = point.suite;
  std::map<std::string, std::string> params;
  for (const auto& [name, text] : live_parameters(point)) params.emplace(name, text);
  const auto same = [&](const Measured& one) {
    return one.benchmark == point.benchmark && one.processes == point.processes && one.params == params;
  };
  auto found = std::ranges::find_if(measured_, same);
  if (found == measured_.end())
    found = measured_.insert(measured_.end(), {point.benchmark, point.processes, std::move(params), {}, 0});
  if (point.status == record::Status::skipped) {
    ++found->planned;
    left_out_.add(point);
    return;
  }
  found->groups = std::max(found->groups, point.groups);
  // A point that is measured again replaces its first record.
  const auto again = std::ranges::find_if(
      found->points, [&](const Seen& one) { return !one.key.empty() && one.key == point.key; });
  if (again != found->points.end()) {
    *again = seen(point);
    return;
  }
  ++found->planned;
  found->points.push_back(seen(point));
}

std::vector<const ShortImb::Measured*> ShortImb::widest() const {
  std::vector<const Measured*> list;
  for (const Measured& one : measured_) {
    if (one.points.empty()) continue;
    const auto same = [&](const Measured* other) {
      return other->benchmark == one.benchmark && other->params == one.params;
    };
    if (const auto found = std::ranges::find_if(list, same); found == list.end())
      list.push_back(&one);
    else if ((*found)->processes < one.processes)
      *found = &one;
  }
  return list;
}

/// Name with the parameters by which tables of the benchmark differ.
std::string ShortImb::name(const Measured& one, std::string_view without) const {
  std::string text = one.benchmark;
  for (const auto& [key, value] : one.params) {
    if (key == without) continue;
    const auto differs = [&, &key = key, &value = value](const Measured& other) {
      return other.benchmark == one.benchmark && word(other.params, key) != value;
    };
    if (std::ranges::none_of(measured_, differs)) continue;
    std::string shown = value;
    std::ranges::replace(shown, '_', '-');
    text += " " + shown;
  }
  return text;
}

/// Remark on the failures of a row's points and the doubts about the values shown; `taken`: columns taken by
/// the text before it.
Verdict ShortImb::remark(const std::vector<const Measured*>& of, const SeenPoints& shown, std::size_t taken) {
  std::size_t wrong = 0, failed = 0, partial = 0, others = 0;
  std::string why;
  for (const Measured* one : of)
    for (const Seen& point : one->points) {
      if (point.wrong) ++wrong;
      if (point.status == record::Status::partial) ++partial;
      if (!point.doubts.empty() && std::ranges::find(shown, &point) == shown.end()) ++others;
      if (point.status != record::Status::failed) continue;
      ++failed;
      if (why.empty()) why = point.reason;
    }
  std::vector<std::string> parts;
  std::string bad = wrong > 0 ? fmt::format("{} UNVERIFIED", wrong) : "";
  if (failed > 0)
    bad += fmt::format("{}{} failed{}", bad.empty() ? "" : ", ", failed, why.empty() ? "" : " (" + why + ")");
  if (!bad.empty()) parts.push_back(bad);  // together: neither may be among those that are only counted
  if (partial > 0) parts.push_back(fmt::format("{} partial", partial));
  const std::size_t before = parts.size();
  const Seen* widest = nullptr;
  for (const Seen* point : shown)
    if (widest == nullptr || point->half_width > widest->half_width) widest = point;
  std::set<std::string> told;
  const auto tell = [&](const analysis::Doubt& doubt) {
    if (told.insert(doubt.code).second) parts.push_back(doubt.words);
  };
  if (widest != nullptr) std::ranges::for_each(widest->doubts, tell);
  for (const Seen* point : shown) std::ranges::for_each(point->doubts, tell);
  // The number of other doubtful points comes before further doubts about those shown.
  if (others > 0)
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(std::min(before + 1, parts.size())),
                 fmt::format("{} more in doubt", others));
  const Colour colour = wrong + failed > 0 ? Colour::bold_red
                        : parts.empty()    ? Colour::none
                                           : Colour::magenta;
  return {fitted(parts, brief_columns - std::min(remark_column + taken, brief_columns)), colour};
}

bool ShortImb::is_slower(const Seen& one, const Seen& other) {
  return one.is_time ? one.value > other.value : one.value < other.value;
}

ShortImb::SeenPoints ShortImb::counted(const Measured& one) {
  SeenPoints list;
  for (const Seen& point : one.points) {
    if (!point.value) continue;
    const auto of_size = std::ranges::find_if(
        list, [&](const Seen* other) { return point.group && other->group && point.bytes == other->bytes; });
    if (of_size == list.end())
      list.push_back(&point);
    else if (is_slower(point, **of_size))
      *of_size = &point;
  }
  return list;
}

ShortImb::Ends ShortImb::ends(const Measured& one) {
  Ends of;
  auto& [shortest, longest, best, measured] = of;
  measured = static_cast<std::size_t>(
      std::ranges::count_if(one.points, [](const Seen& point) { return point.value.has_value(); }));
  for (const Seen* counts : counted(one)) {
    const Seen& point = *counts;
    const auto slower = [&](const Seen& other) {
      return point.bytes == other.bytes && is_slower(point, other);
    };
    // An empty message counts as no message for most benchmarks.
    const bool first_full = shortest != nullptr && shortest->bytes == 0 && point.bytes > 0;
    const bool shorter = shortest != nullptr && point.bytes < shortest->bytes && point.bytes != 0;
    if (shortest == nullptr || first_full || shorter || slower(*shortest)) shortest = &point;
    if (longest == nullptr || point.bytes > longest->bytes || slower(*longest)) longest = &point;
    if (point.rate_byte_s && (best == nullptr || *point.rate_byte_s > *best->rate_byte_s)) best = &point;
  }
  return of;
}

std::string ShortImb::row(const Measured& one, bool colours, bool utf8) const {
  const auto [shortest, longest, best, measured] = ends(one);
  SeenPoints shown;
  std::string line = fmt::format("{:<26}{:>4}", name(one), one.processes);
  if (shortest != nullptr) {
    line += fmt::format("{:>8}{:>10}", size_of(shortest->bytes), value_of(*shortest, utf8));
    shown.push_back(shortest);
  } else {
    line += fmt::format("{:>18}", "-");
  }
  std::string more;
  if (best != nullptr) {
    more = fmt::format("{:>7} MB/s at {}", megabytes(*best->rate_byte_s), size_of(best->bytes));
    shown.push_back(best);
  } else if (longest != shortest) {
    more = fmt::format("{:>12} at {}", value_of(*longest, utf8), size_of(longest->bytes));
    shown.push_back(longest);
  }
  line += fmt::format("  {:<22}{:>8}", more, part_of(measured, one.planned));
  // Figure of the longest measured message: short ones leave nothing to hide.
  std::string figure = longest == nullptr ? "" : of_groups(one.groups);
  if (longest != nullptr && !longest->figure.empty())
    figure += (figure.empty() ? "" : ", ") + longest->figure;
  const std::size_t taken = figure.empty() ? 0 : shown_columns(figure) + 2;
  return with_remark(line, remark({&one}, shown, taken), colours, figure);
}

std::string ShortImb::rows(const std::vector<const Measured*>& list, bool colours, bool utf8) const {
  if (list.empty()) return "";
  std::string text =
      fmt::format("{:<26}{:>4}{:>18}  {:<22}{:>8}\n", suite_, "np", "shortest", "best, or longest", "points");
  for (const Measured* one : list) text += row(*one, colours, utf8);
  return text;
}

/// A time, or messages a second: "3.96 M/s".
std::string ShortImb::value_of(const Seen& point, bool utf8) {
  std::string text = trimmed(live_value(point.value, point.is_time, utf8));
  if (!point.is_time) text += text.find(' ') == std::string::npos ? " /s" : "/s";
  return text;
}

/// Best end: "4279 MB/s 4 MiB", or a time if the benchmark has no rate.
std::string ShortImb::end_of(const Ends& of, bool utf8) {
  if (of.best != nullptr) return megabytes(*of.best->rate_byte_s) + " MB/s " + size_of(of.best->bytes);
  return of.longest == of.shortest ? "-" : value_of(*of.longest, utf8) + ' ' + size_of(of.longest->bytes);
}

/// Table of IMB-EXT, a row per benchmark with both of its modes; a benchmark without modes ends each
/// operation by itself, as the second mode does. Removes the shown ones from `list`.
std::string ShortImb::modes(std::vector<const Measured*>& list, bool colours, bool utf8) const {
  struct Row {
    std::string name;
    std::array<const Measured*, 2> of = {};
  };
  std::vector<Row> rows;
  const auto take = [&](const Measured* one) {
    const std::string called = name(*one, "mode");
    const std::size_t place = word(one->params, "mode") == "aggregate" ? 0 : 1;
    auto row = std::ranges::find(rows, called, &Row::name);
    if (row == rows.end()) row = rows.insert(rows.end(), Row{called});
    if (row->of[place] != nullptr) return false;
    row->of[place] = one;
    return true;
  };
  if (suite_ != "imb-ext" || list.empty()) return "";
  std::erase_if(list, take);
  std::string text = fmt::format("{:<11}{:>4}{:>6}{:>25}{:>25}{:>9}\n", suite_, "np", "from",
                                 "aggregate: time, to", "non-aggregate: time, to", "points");
  for (const Row& row : rows) text += row_of_modes(row.name, row.of, colours, utf8);
  return text;
}

std::string ShortImb::row_of_modes(const std::string& name, const std::array<const Measured*, 2>& modes,
                                   bool colours, bool utf8) {
  SeenPoints shown;
  std::vector<const Measured*> all;
  std::string cells;
  std::set<std::string> from;
  std::size_t measured = 0, planned = 0;
  int groups = 1;
  for (const Measured* one : modes) {
    const Ends of = one == nullptr ? Ends() : ends(*one);
    if (one != nullptr) all.push_back(one);
    measured += of.measured;
    planned += one == nullptr ? 0 : one->planned;
    cells += fmt::format("{:>8} {:>16}", of.shortest == nullptr ? "-" : value_of(*of.shortest, utf8),
                         of.shortest == nullptr ? "-" : end_of(of, utf8));
    if (of.shortest == nullptr) continue;
    groups = std::max(groups, one->groups);
    from.insert(size_of(of.shortest->bytes));
    shown.push_back(of.shortest);
    shown.push_back(of.best != nullptr ? of.best : of.longest);
  }
  const std::string line =
      fmt::format("{:<11}{:>4}{:>6}{}{:>9}", name, all.front()->processes,
                  fmt::format("{}", fmt::join(from, ", ")), cells, part_of(measured, planned));
  const std::string figure = of_groups(groups);
  const std::size_t end = shown_columns(line) + 2 + (figure.empty() ? 0 : figure.size() + 2);
  return with_remark(line, remark(all, shown, end - std::min(end, remark_column)), colours, figure);
}

/// Table of IMB-IO. Removes the shown ones from `list`.
std::string ShortImb::matrix(std::vector<const Measured*>& list, bool colours) const {
  struct Way {
    std::string name;
    int processes = 1;
    std::array<const Seen*, actions.size()> best = {};
    std::vector<const Measured*> of = {};
    std::size_t measured = 0, planned = 0;
    int groups = 1;
  };
  std::vector<Way> ways;
  const auto take = [&](const Measured* one) {
    const auto known = named(one->benchmark);
    const auto action = std::ranges::find_if(actions, [&](const Action& a) {
      return known && a.verb == known->verb && a.mode == word(one->params, "mode");
    });
    if (suite_ != "imb-io" || action == actions.end()) return false;
    auto way = std::ranges::find_if(
        ways, [&](const Way& w) { return w.name == known->way && w.processes == one->processes; });
    if (way == ways.end()) way = ways.insert(ways.end(), Way{known->way, one->processes});
    const Seen*& best = way->best[static_cast<std::size_t>(action - actions.begin())];
    const Ends of = ends(*one);
    if (of.best != nullptr && (best == nullptr || *of.best->rate_byte_s > *best->rate_byte_s)) best = of.best;
    way->measured += of.measured;
    way->groups = std::max(way->groups, one->groups);
    way->planned += one->planned;
    way->of.push_back(one);
    return true;
  };
  std::erase_if(list, take);
  if (ways.empty()) return "";
  std::string text = fmt::format("{:<12}{:>4}", suite_, "np");
  for (const Action& action : actions) text += fmt::format("{:>11}", action.heading);
  text += fmt::format("{:>9}  best of each, MB/s\n", "points");
  for (const Way& way : ways) {
    SeenPoints shown;
    std::string line = fmt::format("{:<12}{:>4}", way.name, way.processes);
    for (const Seen* best : way.best) {
      line += fmt::format("{:>11}", best == nullptr ? "-" : megabytes(*best->rate_byte_s));
      if (best != nullptr) shown.push_back(best);
    }
    line += fmt::format("{:>9}", part_of(way.measured, way.planned));
    const std::string figure = shown.empty() ? "" : of_groups(way.groups);
    const std::size_t end = shown_columns(line) + 2 + (figure.empty() ? 0 : figure.size() + 2);
    text += with_remark(line, remark(way.of, shown, end - std::min(end, remark_column)), colours, figure);
  }
  return text;
}

/// Numbers of processes that were measured besides those shown.
std::string ShortImb::fewer() const {
  std::set<int> numbers;
  const auto shown = widest();
  for (const Measured& one : measured_)
    if (!one.points.empty() && std::ranges::find(shown, &one) == shown.end()) numbers.insert(one.processes);
  if (numbers.empty()) return "";
  return fmt::format("  also measured with fewer processes, np {}\n", fmt::join(numbers, ", "));
}

std::string ShortImb::take(bool colours, bool utf8) {
  auto list = widest();
  std::string text = matrix(list, colours);
  text += modes(list, colours, utf8);
  text += rows(list, colours, utf8);
  if (text.empty() && left_out_.any()) text = suite_ + '\n';
  text += clipped(fewer() + left_out_.take(suite_));
  measured_.clear();
  return text;
}

}  // namespace steelyard::formats
