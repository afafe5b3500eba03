// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "analysis/balance/measured.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "report/sections.hpp"
#include "units/text.hpp"

namespace steelyard::report {
namespace {

using analysis::ColumnKind;
using analysis::Section;

/// A point, and the number of rows one after the other that it stands for.
struct Counted {
  const record::PointRecord* point;
  std::int64_t count = 0;
};

/// A run and the rows of its points.
struct RunOfReport {
  const record::Run& run;
  Rows::OfRun rows;
  const analysis::VisitResemblance& visits;
  std::vector<Counted> points = {};
};

RunOfReport run_of(const Source& source, std::size_t i) {
  RunOfReport of{source.input.runs[i], source.points->of_run(i), source.points->visits(i)};
  for (const Row& row : of.rows) {
    if (of.points.empty() || of.points.back().point != row.point) of.points.push_back({row.point});
    ++of.points.back().count;
  }
  return of;
}

/// "1973 points measured, 1974 skipped".
std::string points_told(const RunOfReport& of_report) {
  const auto of = [&](record::Status status) {
    std::int64_t points = 0;
    for (const auto& [point, count] : of_report.points)
      if (point->status == status) points += count;
    return points;
  };
  const auto skipped = of(record::Status::skipped), failed = of(record::Status::failed);
  std::string text = units::counted(std::ssize(of_report.rows) - skipped - failed, "point") + " measured";
  if (failed > 0) text += ", " + std::to_string(failed) + " failed";
  if (skipped > 0) text += ", " + std::to_string(skipped) + " skipped";
  return text;
}

/// Why a run that is not complete ended.
std::string ended(const record::EndRecord& end) {
  if (end.cause == "signal") return "it was stopped by a signal";
  if (end.cause == "cpu_limit") return "its processor time was spent";
  if (end.cause == "stop_file") return "it was stopped by a file";
  if (end.cause == "deadline") return "its deadline came";
  if (end.cause == "budget") return "its budget was spent";
  return end.cause == "error" ? "an error ended it" : "it ended " + end.status;
}

/// ", started 2026-11-20T08:30:00Z"; of a resumed run the last session's start, which its record holds.
std::string start_told(const RunOfReport& of) {
  std::set<std::optional<int>> sessions;
  for (const Row& row : of.rows)
    if (row.session) sessions.insert(row.session);
  const std::string before =
      sessions.size() < 2 ? ", started "
                          : ", in " + units::counted(sessions.size(), "session") + ", the last one started ";
  return before + of.run.head.started_utc;
}

/// Sentence on what a run measured.
std::string told(const std::string& name, const RunOfReport& of) {
  const record::Run& run = of.run;
  const auto& head = run.head;
  const std::string nodes = head.nodes < 1 ? "" : " on " + units::counted(head.nodes, "node");
  std::string text = name + ": " + units::counted(head.processes, "process") + nodes + ", " +
                     points_told(of) + start_told(of);
  if (head.launch && head.launches.value_or(1) > 1)
    text += ", launch " + std::to_string(*head.launch) + " of " + std::to_string(*head.launches);
  if (!head.imported.empty()) text += "; read from the text of another program, numbers without intervals";
  if (!run.end) return text + "; it was cut off before its end";
  if (run.end->status != "complete") text += "; " + ended(*run.end);
  return text;
}

struct Doubt {
  std::string severity, what;
  std::int64_t count = 0;
  std::string part, filter;  // id of the part that it bears on; words of the filter that shows its points
};

/// A word of the page's filter; in quotes where it would be several words there, or a bound.
std::string filter_word(const std::string& text) {
  const auto plain = [](unsigned char c) { return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>'; };
  if (std::ranges::all_of(text, plain)) return text;
  std::string word = "\"";
  for (const char c : text) word += c == '"' ? std::string("\"\"") : std::string(1, c);
  return word + '"';
}

/// Words of the filter that show points with a mark.
std::string marked(const std::string& mark) {
  return filter_word("mark=" + mark);
}

/// Counts of one kind of trouble by suite.
using BySuite = std::map<std::string, std::int64_t>;

void add(std::vector<Doubt>& list, const char* severity, const BySuite& counts, const std::string& what,
         const std::string& filter) {
  for (const auto& [suite, count] : counts)
    list.push_back({severity, (count == 1 ? "point of " : "points of ") + suite + ' ' + what, count,
                    part_of_suite(suite), filter_word(suite + '/') + ' ' + filter});
}

/// Points of one kind of trouble.
void add_statuses(const RunOfReport& of, std::vector<Doubt>& list) {
  std::map<record::Status, BySuite> counts;
  BySuite wrong;
  for (const auto& [point, count] : of.points) {
    counts[point->status][point->suite] += count;
    if (point->verified == false) wrong[point->suite] += count;
  }
  add(list, "error", wrong, "with wrong data: values are marked", "status=unverified");
  add(list, "error", counts[record::Status::failed], "failed", "status=failed");
  add(list, "warning", counts[record::Status::partial], "cut before the rule was satisfied",
      "status=partial");
  add(list, "info", counts[record::Status::skipped], "skipped", "status=skipped");
}

/// The doubts that the run itself warns of, in its words.
void add_warned(const RunOfReport& of, std::vector<Doubt>& list) {
  std::map<std::string, BySuite> counts;
  for (const auto& [point, count] : of.points)
    for (const auto& doubt : analysis::doubts(*point))
      if (!analysis::warned_as(doubt.code).empty()) counts[doubt.code][point->suite] += count;
  for (const auto& [code, suites] : counts)
    add(list, "warning", suites, "in doubt: " + std::string(analysis::warned_as(code)), marked(code));
}

void add_resemblance(const RunOfReport& of, std::vector<Doubt>& list) {
  if (auto text = of.visits.in_words(); !text.empty())
    list.push_back({"warning", std::move(text), 1, "noise", {}});
}

/// Points that do not stand for the machine, benchmark by benchmark, with the condition that the first one misses.
void add_unfit(const RunOfReport& of, std::vector<Doubt>& list) {
  struct Unfit {
    std::int64_t count = 0;
    std::set<std::string> conditions;
    std::string first, part;
  };
  std::map<std::string, Unfit> found;
  for (const auto& [point, count] : of.points) {
    if (!has_flag(*point, balance::not_representative_flag) || !measured(*point)) continue;
    Unfit& unfit = found[point->suite + '/' + point->benchmark];
    const auto condition = record::word_of(record::find(point->classic, "condition"));
    if (unfit.count == 0) unfit.first = condition, unfit.part = part_of_suite(point->suite);
    unfit.count += count;
    unfit.conditions.insert(condition);
  }
  for (const auto& [name, unfit] : found)
    list.push_back({"warning",
                    (unfit.count == 1 ? "point of " + name + " does" : "points of " + name + " do") +
                        " not stand for this machine" + (unfit.first.empty() ? "" : ": " + unfit.first) +
                        (unfit.conditions.size() > 1 ? " (and others of this kind)" : ""),
                    unfit.count, unfit.part,
                    filter_word(name) + ' ' + marked(std::string(balance::not_representative_flag))});
}

void add_flags(const RunOfReport& of, std::vector<Doubt>& list) {
  std::map<std::string, BySuite> counts;
  for (const auto& [point, count] : of.points)
    for (const std::string& flag : point->flags)
      if (!analysis::is_warned_of(flag)) counts[flag][point->suite] += count;
  for (const auto& [flag, suites] : counts)
    add(list, "info", suites, "with a doubt: " + sentence_of(flag), marked(flag));
}

void add_summaries(const RunOfReport& of, std::vector<Doubt>& list) {
  for (const auto& summary : of.run.summaries) {
    if (summary.official != false) continue;
    std::string text = summary.name + " is not official";
    for (const std::string& why : summary.not_official_because)
      text += (&why == &summary.not_official_because.front() ? ": " : "; ") + why;
    list.push_back({"warning", text, 1, part_of_suite(summary.suite), {}});
  }
}

/// The part that an event bears on, by its code.
struct Concern {
  std::string_view code, part;
};
constexpr auto concerns = std::to_array<Concern>({
    {"cached_read", "io"},        {"file_system", "io"},        {"file_system_full", "io"},
    {"no_locks", "io"},           {"scratch_left", "io"},       {"volume_limit", "io"},
    {"blas_environment", "hpcc"}, {"busy_neighbours", "noise"}, {"clock_backwards", "noise"},
    {"clock_drift", "noise"},     {"clock_source", "noise"},    {"clock_sync_poor", "noise"},
    {"clock_unusable", "noise"},  {"crowded", "noise"},         {"frequency_scaling", "noise"},
    {"migrated", "noise"},        {"mixed_states", "noise"},    {"noisy", "noise"},
    {"page_faults", "noise"},     {"preempted", "noise"},       {"steal", "noise"},
});

std::string part_of(const record::EventRecord& event) {
  if (!event.key.empty()) return part_of_suite(event.key.substr(0, event.key.find('/')));
  const auto found = std::ranges::find(concerns, event.code, &Concern::code);
  return found == concerns.end() ? "environment" : std::string(found->part);
}

/// Events of one code beyond so many are counted with the last of them.
constexpr int most_of_a_code = 5;

/// An event, and how many there are that differ from it in their points alone.
struct Told {
  record::EventRecord event;
  std::int64_t count = 0;
};

/// Events of one benchmark with the same reason are one: "points of imb-ext/Window: invalid window".
std::vector<Told> alike_together(const std::vector<record::EventRecord>& events) {
  std::vector<Told> list;
  std::map<std::tuple<record::Severity, std::string, std::string, std::string>, std::size_t> places;
  for (const auto& event : events) {
    const bool names_point = !event.key.empty() && event.text.starts_with(event.key + ": ");
    if (!names_point) {
      list.push_back({event, 1});
      continue;
    }
    const auto name = event.key.substr(0, event.key.find(';')), why = event.text.substr(event.key.size());
    const auto [place, is_new] = places.try_emplace({event.severity, event.code, name, why}, list.size());
    if (is_new) list.push_back({event, 0});
    Told& told = list[place->second];
    told.event.text = (++told.count == 1 ? "point of " : "points of ") + name + why;
  }
  return list;
}

void add_events(const RunOfReport& of, std::vector<Doubt>& list) {
  std::map<std::pair<std::string, std::string>, int> seen;
  std::map<std::pair<std::string, std::string>, std::size_t> last;
  for (const auto& [event, count] : alike_together(of.run.events)) {
    const std::string part = part_of(event);
    const auto kind = std::pair(event.code, part);
    if (++seen[kind] > most_of_a_code) {
      list[last[kind]].count += count;
      continue;
    }
    last[kind] = list.size();
    list.push_back({std::string(record::text(event.severity)), event.text, count, part,
                    filter_word(event.key.substr(0, event.key.find(';')))});
  }
  for (const auto& [kind, count] : seen)
    if (count > most_of_a_code) list[last[kind]].what += " (and others of this kind)";
}

/// Errors and warnings, or what is only worth knowing.
enum class Weight { heavy, light };

/// The filter of a doubt about one of several results, whose number on the page is told; no points, no filter.
std::string of_result(const std::string& filter, const std::string& result) {
  return filter.empty() || result.empty() ? filter : filter + ' ' + result;
}

/// A result of the report: its name, and the word of the filter that shows its points alone.
struct Result {
  std::string name, word;
};

Section doubts(const std::string& title, const Result& result, const RunOfReport& of, Weight weight) {
  std::vector<Doubt> list;
  for (auto* adding :
       {add_statuses, add_summaries, add_events, add_unfit, add_warned, add_resemblance, add_flags})
    adding(of, list);
  std::erase_if(list,
                [&](const Doubt& one) { return (one.severity == "info") != (weight == Weight::light); });
  std::ranges::stable_sort(list, {}, [](const Doubt& one) { return one.severity != "error"; });
  Section section = analysis::table_section("validity", title);
  section.table.columns = {{"run", "run", "", ColumnKind::text, analysis::Audience::programs},
                           {"severity", "", "", ColumnKind::text},
                           {"count", "count", "", ColumnKind::number},
                           {"what", "what", "", ColumnKind::text},
                           {"where", "where", "", ColumnKind::text},
                           {"part", "", "", ColumnKind::text, analysis::Audience::programs},
                           {"filter", "", "", ColumnKind::text, analysis::Audience::programs}};
  // The title of the part is told where all parts are known.
  for (const Doubt& one : list)
    section.table.rows.push_back(
        {result.name, one.severity, one.count, one.what, "", one.part, of_result(one.filter, result.word)});
  return section;
}

/// Points that failed or hold wrong data, and those with wrong data among them.
struct Bad {
  std::int64_t all = 0, wrong = 0;
};

Bad bad_points(const record::Run& run) {
  Bad bad;
  for (const auto& point : run.points) {
    const bool wrong = point.verified == false;
    bad.wrong += wrong ? 1 : 0;
    bad.all += wrong || point.status == record::Status::failed ? 1 : 0;
  }
  return bad;
}

/// Points that failed or hold wrong data in those launches of a series of which the other tables show nothing.
Bad bad_in_other_launches(const Source& source) {
  Bad bad;
  for (const record::Run& run : source.input.launches) {
    if (run.id == source.input.runs.front().id) continue;
    const Bad one = bad_points(run);
    bad = {bad.all + one.all, bad.wrong + one.wrong};
  }
  return bad;
}

void add_other_launches(const Source& source, Section& doubts) {
  const std::int64_t count = bad_in_other_launches(source).all;
  if (count == 0) return;
  auto& rows = doubts.table.rows;
  rows.insert(rows.begin(),
              {source.names.front(), "error", count,
               std::string(count == 1 ? "point of another launch" : "points of other launches") +
                   " failed or with wrong data: not among the values shown",
               "", "launches", ""});
}

void add_doubts(const Source& source, Part& part) {
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool several = runs.size() > 1;
    const std::string of = several ? " of " + source.names[i] : "";
    const RunOfReport run = run_of(source, i);
    const Result result{source.names[i], several ? "run=" + std::to_string(i + 1) : ""};
    Section heavy = doubts("What bears on validity" + of, result, run, Weight::heavy),
            light = doubts("Remarks on what was measured" + of, result, run, Weight::light);
    if (i == 0) add_other_launches(source, heavy);
    if (!heavy.table.rows.empty()) part.shown.push_back(std::move(heavy));
    if (!light.table.rows.empty()) part.folded.push_back(std::move(light));
  }
}

/// Grounds of the verdict: its section without the first sentence, which stands at the head.
Section grounds(Section section, const balance::Judged* judged, bool several) {
  section.id = "grounds";
  if (judged != nullptr && !judged->verdict.text.empty()) {
    const auto at = std::ranges::find(section.text, judged->verdict.text.front());
    std::rotate(section.text.begin(), at, section.text.end());
    if (at != section.text.end()) section.text.erase(section.text.begin());
  }
  section.title = "Why" + (several ? ", " + section.title : std::string());
  return section;
}

const balance::Judged* judged_of(const balance::Balance& balance, const std::string& name) {
  const auto found =
      std::ranges::find(balance.systems, name, [](const balance::Judged& one) { return one.system.name; });
  return found == balance.systems.end() ? nullptr : &*found;
}

/// Adds a sentence; machines of which the same is said share it.
void say(Part& part, const std::string& name, const std::string& sentence) {
  const auto same = std::ranges::find(part.shown, std::vector{sentence}, &Section::text);
  if (same == part.shown.end())
    part.shown.push_back({"verdict", name, {sentence}});
  else if (!name.empty())
    same->title += (same->title.empty() ? "" : " and ") + name;
}

constexpr std::size_t most_leading = 5, most_steps = 4;

/// The figures that carry the verdict, if there is one, as a table, for the forms without cards.
Section leading_table(const std::vector<Card>& cards, bool verdict) {
  Section section = analysis::table_section("leading", verdict ? "Figures that carry it" : "Main figures");
  section.table.columns = {{"figure", "figure", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::text},
                           {"trust", "how far it can be trusted", "", ColumnKind::text}};
  for (const Card& card : cards)
    for (const Card::Value& value : card.values)
      section.table.rows.push_back(
          {card.title + (value.of.empty() ? "" : ", " + value.of), value.text, value.note});
  return section;
}

void add_step(std::vector<std::string>& steps, std::string step) {
  if (std::ranges::find(steps, step) == steps.end()) steps.push_back(std::move(step));
}

/// A step for points that failed or hold wrong data; nothing without any.
void find_out_why(std::vector<std::string>& steps, const Bad& bad, const std::string& of) {
  if (bad.all == 0) return;
  const std::string hold = bad.all == 1 ? " holds wrong data" : " hold wrong data";
  const std::string what = bad.wrong == 0 ? " failed" : bad.wrong == bad.all ? hold : " failed or" + hold;
  add_step(steps,
           "Find out why " + units::counted(bad.all, "point") + of + what + ", before any figure is used.");
}

void add_steps_of_runs(const Source& source, std::vector<std::string>& steps) {
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string of = runs.size() > 1 ? " of " + source.names[i] : "";
    find_out_why(steps, bad_points(runs[i]), of);
    if (i == 0) find_out_why(steps, bad_in_other_launches(source), " of other launches");
    if (!runs[i].end || runs[i].end->status != "complete")
      add_step(steps,
               "Measure the rest" + of + ": 'steelyard run --resume -o DIR' goes on where it stopped.");
  }
}

void add_steps_of_verdict(const balance::Judged& judged, std::vector<std::string>& steps) {
  const auto& verdict = judged.verdict;
  for (const auto& cause : verdict.causes)
    if (!cause.cure.empty() && verdict.leads == cause.kind)
      add_step(steps,
               "Cure what holds the machine back: " + cause.cure + (cause.cure.ends_with('.') ? "" : "."));
  for (const auto& left : verdict.left_out)
    if (left.exists && !left.command.empty())
      add_step(steps, "Let " + std::string(name(left.resource)) + " be judged too: '" + left.command + "'.");
}

/// Next steps, most pressing first; never empty.
Section next_steps(const Source& source, bool verdict) {
  std::vector<std::string> steps;
  add_steps_of_runs(source, steps);
  if (source.input.judged)
    for (const auto& judged : source.input.judged->systems) add_steps_of_verdict(judged, steps);
  if (!verdict) add_step(steps, "Measure what a verdict needs: 'steelyard run --preset quick'.");
  if (steps.empty())
    steps.emplace_back(
        "Keep this result, and see what changes: 'steelyard compare OLD NEW' tells it point by point.");
  if (steps.size() > most_steps) steps.resize(most_steps);
  return {"next", "What to do next", std::move(steps)};
}

bool has_verdict(const Source& source) {
  const auto& balance = source.input.judged;
  return balance && std::ranges::any_of(balance->systems, [](const auto& one) { return one.has_ratio(); });
}

}  // namespace

Part verdict_part(const Source& source) {
  Part part{"verdict", "Verdict", {}, {}, {}};
  analysis::Tables why;
  const auto& runs = source.input.runs;
  if (has_verdict(source)) {
    const auto& balance = *source.input.judged;
    const bool several = balance.systems.size() > 1;
    for (Section& section : balance::tables(balance)) {
      if (section.id != "verdict") continue;
      const auto* judged = judged_of(balance, section.title);
      const auto& said =
          judged != nullptr && !judged->verdict.text.empty() ? judged->verdict.text : section.text;
      if (!said.empty()) say(part, several ? section.title : "", said.front());
      why.push_back(grounds(std::move(section), judged, several));
    }
  } else {
    part.shown.push_back({"verdict",
                          "",
                          {"No verdict on the balance: no ratio can be computed. It needs results of "
                           "HPC Challenge, b_eff or b_eff_io beside one another."}});
  }
  part.cards = leading_figures(source, most_leading);
  if (!part.cards.empty()) part.shown.push_back(leading_table(part.cards, has_verdict(source)));
  part.shown.push_back(next_steps(source, has_verdict(source)));
  std::ranges::move(why, std::back_inserter(part.shown));
  Section measured{"measured", "What was measured"};
  for (std::size_t i = 0; i < runs.size(); ++i)
    measured.text.push_back(told(source.names[i], run_of(source, i)));
  for (const std::string& name : source.foreign_names)
    measured.text.push_back(
        name + ": figures from the text of another program, without points, intervals and dates");
  if (runs.size() == 1 && runs.front().head.launches.value_or(1) > 1)
    measured.text.emplace_back("Figures are of this launch alone; '--run all' judges all launches together.");
  const auto& judged = source.input.judged;
  if (judged && judged->systems.size() < runs.size() + source.input.foreign.size())
    measured.text.emplace_back(
        "Launches of one campaign are judged together, by the median of each quantity.");
  part.shown.push_back(std::move(measured));
  add_doubts(source, part);
  return part;
}

}  // namespace steelyard::report
