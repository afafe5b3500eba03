// SPDX-License-Identifier: Apache-2.0
#include "analysis/warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "analysis/beffio_run.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"
#include "stats/states.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {

namespace {

/// Of a point that is too small to stand for the machine; its condition stands beside it.
constexpr std::string_view unfit_flag = "not_representative";

constexpr std::string_view crowded_flag = "oversubscribed";

struct Meaning {
  std::string_view flag, words;
};

// Doubts, gravest first. Flags that only tell how something was measured are left out.
constexpr auto meanings = std::to_array<Meaning>({
    {unfit_flag, "too small to stand for this machine"},
    {"rate_and_time_disagree", "rate and time disagree"},
    {"warned_by_program", "warned of by its program"},
    {"below_resolution", "printed as 0"},
    {"computation_disturbed", "computation disturbed"},
    {"far_beyond_budget", "took ten times its time"},
    {"smaller_than_the_rules_ask", "smaller than the rules ask"},
    {"few_clock_steps", "few steps of the clock"},
    {"fewer_ticks_than_the_rules_ask", "fewer clock ticks than the rules ask"},
    {"falls_with_size", "faster with half the table"},
    {"cached_read", "read from memory, not from a disk"},
    {"may_be_cached", "perhaps read from memory"},
    {crowded_flag, crowded_words},
    {"preempted", "processors taken away"},
    {"mixed_states", "several machine states"},
    {"noisy", "noisy"},
    {"late", "started late"},
});

bool has_interval(const record::Statistics* known) {
  return known != nullptr && known->ci && known->median && *known->median != 0;
}

std::string plus_minus(double share) {
  const double percent = 100 * share;
  return "+-" + (percent < 1000 ? units::format_fixed(percent, 0) : units::format_significant(percent, 2)) +
         " %";
}

constexpr std::size_t most_of_a_kind = 3;

// From a correlation of 0.4 on an interval of 95 % holds in 87 to 95 % of the cases, as the number of visits is; below
// 0.3 in 92 % at least.
constexpr double strong_resemblance = 0.4, surely_beyond = 0.3;
constexpr std::size_t fewest_visits = 6;

struct Doubtful {
  std::string_view code, what;
};
// Doubts that no event tells. A size below that of the rules is a remark at the point and in its summary.
constexpr auto counted = std::to_array<Doubtful>({
    {"wide_interval", "95 % interval wider than +-20 %"},
    {"preempted", "processors were taken away for most of the time"},
    {"mixed_states", "several states of the machine, none of them in 80 % of the visits"},
    {"noisy", "noisy, more than 5 % of the batches stand out or visits differ by more than 20 %"},
    {"late", "operations began late too often"},
});

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string why_unfit(const record::PointRecord& point) {
  const auto condition = record::word_of(record::find(point.classic, "condition"));
  return point.suite + "/" + point.benchmark + " does not stand for this machine" +
         (condition.empty() ? "" : ": " + condition);
}

using record::Json;
using record::number_in;
using record::PointRecord;

/// Data of so many times the memory cannot lie in it for more than a half.
constexpr double beyond_memory = 2;

/// Memory of all nodes of the run; nullopt if it is not recorded.
std::optional<double> memory(const record::RunRecord& run) {
  const Json& machine = run.machine.json();
  const auto each = machine.is_object() ? number_in(machine, "memory_byte") : std::nullopt;
  return each ? std::optional(*each * run.nodes) : std::nullopt;
}

bool is_in_memory(const record::RunRecord& run) {
  const Json& io = run.io.json();
  return io.is_object() && record::text_in(io, "medium") == "memory";
}

/// Reason why the data may lie in memory; empty if they went beyond it or were dropped from it, or if either size is
/// unknown. What is dropped from the page cache stays in a file system that is memory.
std::string reason(const record::RunRecord& run, const std::string& files,
                   const std::optional<double>& data_byte, const std::optional<double>& memory_byte) {
  if (is_in_memory(run)) return "the file system lies in memory";
  if (!data_byte || !memory_byte || *data_byte >= beyond_memory * *memory_byte) return {};
  return files + " (" + units::format_rounded_size(*data_byte) + ") can lie in memory (" +
         units::format_rounded_size(*memory_byte) + ')';
}

std::vector<PointRecord> points_of(std::span<const PointRecord> points, std::string_view suite) {
  std::vector<PointRecord> list;
  std::ranges::copy_if(points, std::back_inserter(list),
                       [&](const PointRecord& point) { return point.suite == suite; });
  return list;
}

using stats::same_c2c;
constexpr double least_of_others = 0.2;

bool near(const std::optional<double>& a, const std::optional<double>& b, double factor) {
  if (!a || !b || !(*a > 0) || !(*b > 0)) return true;
  return std::max(*a, *b) <= factor * std::min(*a, *b);
}

/// c2c_s of the state with most visits; nullopt if it is not known.
std::optional<double> c2c_of(const record::PointRecord& point) {
  if (point.states.empty()) return std::nullopt;
  const auto& c2c_s = point.states.front().c2c_s;
  return c2c_s && *c2c_s > 0 ? c2c_s : std::nullopt;
}

}  // namespace

std::optional<double> half_width(const record::PointRecord& point) {
  const auto* known = statistics(point, point.primary);
  if (!has_interval(known)) known = statistics(point, "time_s");
  if (!has_interval(known)) return std::nullopt;
  return (known->ci->second - known->ci->first) / (2 * std::abs(*known->median));
}

std::optional<RelativeInterval> relative_interval(const record::PointRecord& point, std::string_view metric) {
  if (const auto* known = statistics(point, metric); has_interval(known))
    return RelativeInterval{known->ci->first / *known->median - 1, known->ci->second / *known->median - 1};
  const auto* time = statistics(point, "time_s");
  const bool is_rate = record::unit_of(metric).ends_with("/s");
  if (!is_rate || !has_interval(time) || !(time->ci->first > 0)) return std::nullopt;
  return RelativeInterval{*time->median / time->ci->second - 1, *time->median / time->ci->first - 1};
}

std::optional<double> half_width(const record::PointRecord& point, std::string_view metric) {
  const auto interval = relative_interval(point, metric);
  return interval ? std::optional((interval->high - interval->low) / 2) : std::nullopt;
}

std::vector<Doubt> doubts(const record::PointRecord& point, std::string_view metric) {
  std::vector<Doubt> list;
  if (!measured(point)) return list;
  const auto share = metric.empty() ? half_width(point) : half_width(point, metric);
  if (share && *share > wide_half_width) list.push_back({"wide_interval", plus_minus(*share)});
  for (const auto& [flag, words] : meanings)
    if (has_flag(point, flag)) list.push_back({std::string(flag), std::string(words)});
  return list;
}

std::string doubts_in_words(const record::PointRecord& point, std::string_view metric) {
  std::string text;
  for (const Doubt& doubt : doubts(point, metric)) text += (text.empty() ? "" : ", ") + doubt.words;
  return text;
}

std::string standing_in_words(const record::PointRecord& point, std::string_view metric) {
  std::string text = point.status == record::Status::ok ? "" : std::string(record::text(point.status));
  if (point.verified == false) text += text.empty() ? "wrong data" : ", wrong data";
  if (point.reason) text += ": " + point.reason->text;
  const std::string more = doubts_in_words(point, metric);
  return text + (text.empty() || more.empty() ? "" : ", ") + more;
}

bool is_crowded(const record::PointRecord& point) {
  return measured(point) && has_flag(point, crowded_flag);
}

std::string_view warned_as(std::string_view doubt) {
  const auto found = std::ranges::find(counted, doubt, &Doubtful::code);
  return found == counted.end() ? std::string_view() : found->what;
}

bool is_warned_of(std::string_view doubt) {
  return doubt == unfit_flag || !warned_as(doubt).empty();
}

void Warnings::event(const record::EventRecord& event) {
  if (event.severity == record::Severity::info) return;
  auto kind = std::ranges::find(told_, event.code, &Kind::code);
  if (kind == told_.end()) kind = told_.insert(told_.end(), Kind{event.code, {}});
  std::string text = on_one_line(event.text);
  if (std::ranges::find(kind->texts, text) == kind->texts.end()) kind->texts.push_back(std::move(text));
}

// Around the mean of n visits a correlation rho shows as rho - (1 + 4 rho) / n, with a variance of about 1 / n.

void VisitResemblance::add(const record::PointRecord& point) {
  const auto* known = statistics(point, point.primary);
  if (known == nullptr || known->visit_medians.size() < fewest_visits) return;
  std::vector<double> logs;
  for (const double median : known->visit_medians) {
    if (!(median > 0)) return;
    logs.push_back(std::log(median));
  }
  const auto visits = static_cast<double>(logs.size());
  products_ += stats::autocorrelation(std::span(&logs, 1)) * visits + 1;
  visits_ += visits;
  freedom_ += visits - 4;
  ++points_;
}

void VisitResemblance::add(const VisitResemblance& other) {
  products_ += other.products_;
  visits_ += other.visits_;
  freedom_ += other.freedom_;
  points_ += other.points_;
}

std::string VisitResemblance::in_words() const {
  if (points_ == 0) return {};
  const double correlation = products_ / freedom_, error = std::sqrt(visits_) / freedom_;
  if (correlation < strong_resemblance || correlation - 2 * error < surely_beyond) return {};
  return "successive visits of a point resemble each other (correlation " +
         units::format_fixed(std::min(correlation, 1.0), 2) + " over " + units::counted(points_, "point") +
         "): intervals hold less often than in 95 %";
}

void Warnings::point(const record::PointRecord& point) {
  doubts_.erase(point.key);
  unfit_.erase(point.key);
  visits_.erase(point.key);
  if (!measured(point)) return;
  visits_[point.key].add(point);
  auto& codes = doubts_[point.key];
  for (const Doubt& doubt : analysis::doubts(point)) {
    codes.push_back(doubt.code);
    if (doubt.code == unfit_flag) unfit_[point.key] = why_unfit(point);
  }
}

/// "noisy: 3 of 40 points"; empty if no point has the doubt.
std::string Warnings::doubtful(const std::string& code, std::string_view what) const {
  const auto found = std::ranges::count_if(
      doubts_, [&](const auto& one) { return std::ranges::find(one.second, code) != one.second.end(); });
  if (found == 0) return {};
  return std::string(what) + ": " + std::to_string(found) + " of " + std::to_string(doubts_.size()) +
         " points";
}

std::vector<Warnings::Kind> Warnings::kinds() const {
  auto list = told_;
  Kind unfit{std::string(unfit_flag), {}};
  for (const auto& [key, why] : unfit_)
    if (std::ranges::find(unfit.texts, why) == unfit.texts.end()) unfit.texts.push_back(why);
  list.push_back(std::move(unfit));
  for (const auto& [code, what] : counted)
    if (auto text = doubtful(std::string(code), what); !text.empty())
      list.push_back({std::string(code), {std::move(text)}});
  VisitResemblance visits;
  for (const auto& [key, one] : visits_) visits.add(one);
  if (auto text = visits.in_words(); !text.empty()) list.push_back({"visits_resemble", {std::move(text)}});
  return list;
}

std::int64_t Warnings::count() const {
  std::int64_t sum = 0;
  for (const Kind& kind : kinds()) sum += std::ssize(kind.texts);
  return sum;
}

std::pair<std::int64_t, std::int64_t> Warnings::points_in_doubt() const {
  const auto doubtful = std::ranges::count_if(doubts_, [](const auto& one) { return !one.second.empty(); });
  return {doubtful, std::ssize(doubts_)};
}

std::vector<std::string> Warnings::lines() const {
  std::vector<std::string> list;
  for (const auto& [code, texts] : kinds()) {
    const std::size_t shown = std::min(texts.size(), most_of_a_kind);
    list.insert(list.end(), texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < texts.size())
      list.back() += " (and " + std::to_string(texts.size() - shown) + " more like it)";
  }
  return list;
}

std::string beffio_in_memory(const record::RunRecord& head, std::span<const PointRecord> points) try {
  const auto own = points_of(points, "b-eff-io");
  if (own.empty()) return {};
  const auto frame = beffio_frame(head);
  const BeffioRun read(own);
  const auto* best = read.best(frame.formula);
  if (best == nullptr) return {};
  auto cache = best->cache_byte();
  if (frame.cache_byte) cache = static_cast<double>(*frame.cache_byte);
  const auto data_byte = frame.drop_cache ? std::nullopt : best->least_volume_byte();
  return reason(head, "the files of b_eff_io", data_byte, cache ? cache : memory(head));
} catch (const std::invalid_argument&) {
  return {};  // points of another program under this name have no volumes
}

std::string ftio_in_memory(const record::RunRecord& head, std::span<const PointRecord> points) {
  const PointRecord* largest = nullptr;
  for (const PointRecord& point : points)
    if (point.suite == "ftio" && number_in(point, "matrix_byte") &&
        (largest == nullptr || *number_in(point, "matrix_byte") > *number_in(*largest, "matrix_byte")))
      largest = &point;
  if (largest == nullptr) return {};
  const auto* cache = record::find(largest->classic, "page_cache");
  const bool stays = cache == nullptr || *cache == record::Value(std::string("keep"));
  const auto told = number_in(*largest, "memory_byte");
  return reason(head, "the matrix of FTIO", stays ? number_in(*largest, "matrix_byte") : std::nullopt,
                told ? told : memory(head));
}

bool same_state(const record::State& one, const record::State& other) {
  return near(one.c2c_s, other.c2c_s, same_c2c) && near(one.chain_s, other.chain_s, stats::same_chain) &&
         near(one.wide_s, other.wide_s, stats::same_wide);
}

StatesOfRun::StatesOfRun(std::span<const record::PointRecord> points) {
  for (const auto& point : points) add(point);
  end();
}

void StatesOfRun::add(const record::PointRecord& point) {
  if (!point.schedule || !point.schedule->elapsed_s) return;
  for (const auto& state : point.states)
    if (state.c2c_s && *state.c2c_s > 0)
      seconds_up_to_.emplace_back(*state.c2c_s, state.share * *point.schedule->elapsed_s);
}

void StatesOfRun::end() {
  std::ranges::sort(seconds_up_to_);
  double sum = 0;
  for (auto& [c2c_s, seconds] : seconds_up_to_) seconds = sum += seconds;
}

double StatesOfRun::seconds_up_to(double c2c_s) const {
  const auto after = std::ranges::upper_bound(seconds_up_to_, c2c_s, {}, &std::pair<double, double>::first);
  return after == seconds_up_to_.begin() ? 0 : std::prev(after)->second;
}

std::optional<double> StatesOfRun::share_like(const record::PointRecord& point) const {
  const auto c2c_s = c2c_of(point);
  if (!c2c_s || seconds_up_to_.empty() || !(seconds_up_to_.back().second > 0)) return std::nullopt;
  const double like = seconds_up_to(*c2c_s * same_c2c) - seconds_up_to(*c2c_s / same_c2c);
  return like / seconds_up_to_.back().second;
}

bool StatesOfRun::others_than_of(const record::PointRecord& point) const {
  const auto like = share_like(point);
  return like && 1 - *like >= least_of_others;
}

}  // namespace steelyard::analysis
