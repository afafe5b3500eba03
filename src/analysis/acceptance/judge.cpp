// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/judge.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/acceptance/limits.hpp"
#include "analysis/comparison/comparison.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

/// One side of a limit: "at least 95% of committed", or half of "within 5% of X".
struct Bound {
  Limit limit;
  bool upper = false;
};

std::vector<Bound> bounds_of(const Criterion& criterion) {
  std::vector<Bound> list;
  if (criterion.at_least) list.push_back({*criterion.at_least, false});
  if (criterion.at_most) list.push_back({*criterion.at_most, true});
  if (criterion.within) {
    const double share = criterion.within->share;
    for (const bool upper : {false, true}) {
      Bound bound{*criterion.within, upper};
      bound.limit.share = upper ? 1 + share : 1 - share;
      list.push_back(std::move(bound));
    }
  }
  return list;
}

/// How an item stands to one bound.
struct Standing {
  Verdict verdict = Verdict::pass;
  double margin = 0, limit = 0, base = 0;
  double value = 0;
  std::size_t decisive = 0;  // launch that gives the value, where one does
  bool upper = false;
  std::optional<stats::Interval> interval;
  double other = 0;  // how far the interval of a reference reaches towards it, in ln
};

double margin_of(double value, double limit, bool upper) {
  return upper ? limit / value - 1 : value / limit - 1;
}

/// A limit that was read from decimal digits may lie a last bit beside the value that was printed with them.
bool keeps(double value, double limit, bool upper) {
  constexpr double rounding = 1e-12;
  return upper ? value <= limit * (1 + rounding) : value >= limit * (1 - rounding);
}

Verdict by_value(double value, double limit, bool upper) {
  return keeps(value, limit, upper) ? Verdict::pass : Verdict::fail;
}

Verdict by_interval(const stats::Interval& interval, double limit, bool upper) {
  const double good = upper ? interval.high : interval.low, bad = upper ? interval.low : interval.high;
  if (keeps(good, limit, upper)) return Verdict::pass;
  return keeps(bad, limit, upper) ? Verdict::undecided : Verdict::fail;
}

/// Judge of one criterion.
class Judge {
 public:
  Judge(const Criterion& criterion, const Criteria& criteria, std::span<const Launch> launches,
        const Named& references, const std::vector<balance::System>& published)
      : criterion_(criterion), criteria_(criteria), references_(references), published_(published) {
    for (const Launch& launch : launches)
      if (criterion.where.accepts(launch.run.head)) launches_.push_back(&launch);
    out_.id = criterion.id;
    out_.text = criterion.text;
    out_.section = criterion.section;
    out_.weight = criterion.weight;
    out_.limit_written = limits_text(criterion);
  }

  Judgement run() {
    if (!launches_.empty())
      selection_ = select(criterion_, launches_);
    else
      selection_.reason = "no input meets its 'where'";
    check_units();
    if (selection_.items.empty())
      missing(selection_.reason.empty() ? "not measured" : "not measured: " + selection_.reason);
    else if (criterion_.spread_at_most)
      judge_spread();
    else
      judge_items();
    tell_lacks();
    count_flags();
    settle();
    return std::move(out_);
  }

 private:
  void missing(const std::string& why) {
    out_.verdict = Verdict::missing;
    out_.over_base.reset();
    say(why);
  }

  void say(const std::string& words) {
    if (!words.empty()) out_.reason += (out_.reason.empty() ? "" : "; ") + words;
  }

  /// Checks the units of amounts, also if nothing was measured: a limit of another kind is a slip of the pen.
  void check_units() const {
    const auto kind = figure_kind(criterion_.figure);
    if (!kind) return;
    const Item item{criterion_.figure, kind->suite, kind->unit, kind->lower_is_better, {}};
    for (const Bound& bound : bounds_of(criterion_))
      if (bound.limit.of == Of::amount) (void)resolve(bound.limit, criterion_, item, sources());
  }

  [[nodiscard]] Sources sources(std::optional<double> median = {}) const {
    return {criteria_, references_, published_, launches_, median};
  }

  void judge_items() {
    refuse_several();
    std::optional<double> median;
    if (!criterion_.table.empty()) {
      std::vector<double> values;
      for (const Item& item : selection_.items)
        if (!item.readings.empty()) values.push_back(estimated(item).value);
      if (!values.empty()) median = stats::median(values);
    }
    std::size_t failed = unmeasured(), open = 0;
    std::optional<std::pair<Verdict, double>> worst;
    for (const Item& item : selection_.items) {
      if (item.readings.empty()) {
        if (criterion_.every != Every::none) out_.failures.push_back(item.name + " no value");
        continue;
      }
      Judgement one;
      if (!judge_item(item, sources(median), one)) return;
      failed += one.verdict == Verdict::fail ? 1 : 0;
      open += one.verdict == Verdict::undecided ? 1 : 0;
      if (one.verdict == Verdict::fail && criterion_.every != Every::none)
        out_.failures.push_back(item.name + ' ' + units::format_amount(*one.value, item.unit));
      if (const std::pair standing(one.verdict, *one.margin); !worst || standing < *worst) {
        worst = standing;
        take(one, item);
      }
    }
    out_.items = selection_.items.size();
    if (!worst) return missing("no value");
    const double allowed = allowed_failures();
    const auto bad = static_cast<double>(failed), doubtful = static_cast<double>(failed + open);
    out_.verdict = bad > allowed ? Verdict::fail : doubtful > allowed ? Verdict::undecided : Verdict::pass;
    if (out_.verdict != Verdict::undecided) out_.launches_needed.reset();
    say_failures(failed);
    say_unmeasured();
  }

  void say_failures(std::size_t failed) {
    if (criterion_.every == Every::none || failed == 0) return;
    const auto allowed = static_cast<std::size_t>(allowed_failures());
    say(std::to_string(failed) + " of " + std::to_string(out_.items) + " fail" +
        (criterion_.allowed > 0 ? ", " + std::to_string(allowed) + " allowed" : ""));
  }

  /// Tells which launches have no value of what others measured: a launch that failed is no launch that passed.
  void tell_lacks() {
    const Item* most = nullptr;
    for (const Item& item : selection_.items)
      if (!item.readings.empty() && item.lacking > (most == nullptr ? 0 : most->lacking)) most = &item;
    if (most == nullptr) return;
    say("no value in " + std::to_string(most->lacking) + " of " +
        std::to_string(most->lacking + most->readings.size()) + " launches" +
        (has_named_items() ? " of " + most->name : "") + (most->lack.empty() ? "" : ": " + most->lack));
    const bool each = criterion_.combine == Combine::every && !criterion_.spread_at_most;
    if (each && out_.verdict == Verdict::pass) out_.verdict = Verdict::undecided;
  }

  /// Nodes or links without a value: what is not measured does not hold.
  [[nodiscard]] std::size_t unmeasured() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(selection_.items, [](const Item& one) { return one.readings.empty(); }));
  }

  void say_unmeasured() {
    constexpr std::size_t most_names = 3;
    std::string names;
    std::size_t count = 0;
    for (const Item& item : selection_.items)
      if (item.readings.empty() && ++count <= most_names) names += (count == 1 ? "" : ", ") + item.name;
    if (count > 0) say("no value: " + names + (count > most_names ? ", ..." : ""));
  }

  /// How many items of `every` may fail.
  [[nodiscard]] double allowed_failures() const {
    const auto all = static_cast<double>(selection_.items.size());
    return criterion_.allowed < 1 ? criterion_.allowed * all : criterion_.allowed;
  }

  void refuse_several() const {
    if (criterion_.every != Every::none || selection_.items.size() < 2 || !criterion_.table.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, selection_.items.size()); ++i)
      list += (i == 0 ? "" : ", ") + selection_.items[i].name;
    throw BadCriteria(criterion_.place + ": " + criterion_.id + ": '" + criterion_.select + "' are " +
                      std::to_string(selection_.items.size()) + " points (" + list +
                      (selection_.items.size() > 3 ? ", ..." : "") + "); name one, or say every = \"point\"");
  }

  [[nodiscard]] Estimate estimated(const Item& item) {
    const auto [pool, is_new] = pools_.try_emplace(item.suite);
    if (is_new) pool->second = pool_of(criterion_, item, selection_, launches_);
    return estimate(item, criterion_.combine, criteria_.confidence, pool->second);
  }

  /// Returns false if X is not known: then the criterion is missing.
  bool judge_item(const Item& item, const Sources& held, Judgement& one) {
    const Estimate found = estimated(item);
    one.launches = found.launches;
    std::optional<Standing> worst;
    for (const Bound& bound : bounds_of(criterion_)) {
      const Threshold threshold = resolve(bound.limit, criterion_, item, held);
      if (!threshold.missing.empty()) {
        missing(threshold.missing);
        return false;
      }
      const Estimate seen = criterion_.combine == Combine::every ? outermost(item, bound.upper) : found;
      const Standing standing = standing_of(item, seen, bound.upper, threshold);
      if (!worst || standing.verdict < worst->verdict ||
          (standing.verdict == worst->verdict && standing.margin < worst->margin))
        worst = standing;
    }
    one.value = worst->value;
    one.verdict = worst->verdict;
    one.margin = worst->margin;
    one.limit = worst->limit;
    one.at_most = worst->upper;
    one.over_base = worst->upper ? worst->base / worst->value : worst->value / worst->base;
    if (worst->interval) {
      one.low = worst->interval->low;
      one.high = worst->interval->high;
      const double below = std::max(0.0, std::log(worst->value / worst->interval->low)),
                   above = std::max(0.0, std::log(worst->interval->high / worst->value));
      one.below_log = worst->upper ? above : below;
      one.above_log = worst->upper ? below : above;
    }
    if (one.verdict == Verdict::undecided) tell_needed(one, found, *worst);
    const auto add = [&](const std::string& words) {
      one.reason += (one.reason.empty() ? "" : "; ") + words;
    };
    if (criterion_.combine == Combine::every && one.verdict == Verdict::fail)
      add("launch " + std::to_string(worst->decisive + 1) + " (" + launches_[worst->decisive]->source + ')');
    else if (found.launches == 1 && found.interval)
      add("single launch");
    return true;
  }

  [[nodiscard]] Standing standing_of(const Item& item, const Estimate& found, bool upper,
                                     const Threshold& threshold) const {
    Standing standing{.margin = margin_of(found.value, threshold.value, upper),
                      .limit = threshold.value,
                      .base = threshold.base,
                      .value = found.value,
                      .decisive = found.decisive,
                      .upper = upper,
                      .interval = found.interval};
    if (threshold.reference) {
      standing.interval = against(found, item, *threshold.reference, *threshold.reference_item,
                                  criterion_.combine, criteria_.confidence);
      const Reach reach = reach_of(*threshold.reference);
      standing.other = std::max(reach.below, reach.above);
    }
    const bool values_decide = criterion_.rule == Rule::value || !standing.interval;
    standing.verdict = values_decide ? by_value(found.value, threshold.value, upper)
                                     : by_interval(*standing.interval, threshold.value, upper);
    return standing;
  }

  void tell_needed(Judgement& one, const Estimate& found, const Standing& worst) const {
    Distance distance{std::abs(std::log(worst.value / worst.limit)), std::max(found.spread, 1e-9),
                      found.pooled, worst.other};
    const auto needed = [&] { return launches_needed(distance, criterion_.combine, criteria_.confidence); };
    if (const auto launches = needed()) {
      one.launches_needed = std::max(*launches, static_cast<int>(found.launches) + 1);
      return;
    }
    distance.other = 0;
    one.reason = worst.other > 0 && needed()
                     ? "more launches of the reference are needed, too"
                     : "the value lies at the limit: more launches will hardly decide";
  }

  void take(const Judgement& one, const Item& item) {
    out_.value = one.value, out_.low = one.low, out_.high = one.high, out_.limit = one.limit;
    out_.at_most = one.at_most, out_.margin = one.margin, out_.launches = one.launches;
    out_.launches_needed = one.launches_needed, out_.over_base = one.over_base,
    out_.below_log = one.below_log, out_.above_log = one.above_log;
    out_.unit = item.unit;
    out_.reason = one.reason;
    if (criterion_.every != Every::none || !criterion_.table.empty())
      out_.reason = "worst: " + item.name + (one.reason.empty() ? "" : "; " + one.reason);
    say(item.doubt);
  }

  /// Judges (largest - smallest) / median of launches, or of nodes; decided by the values.
  void judge_spread() {
    refuse_several();
    out_.items = selection_.items.size();
    const auto spreads = criterion_.spread_over_nodes ? spread_of_medians() : spreads_of_launches();
    if (unmeasured() == selection_.items.size()) return missing("no value");
    out_.limit = criterion_.spread_at_most->amount.value;
    out_.at_most = out_.spread = true;
    if (spreads.empty()) {
      out_.verdict = Verdict::undecided;
      return say(criterion_.spread_over_nodes ? "fewer than two nodes"
                                              : "a spread needs two launches or more");
    }
    const auto& worst = *std::ranges::max_element(spreads, {}, &Spread::value);
    out_.value = worst.value;
    out_.margin = worst.value > 0 ? *out_.limit / worst.value - 1 : std::optional<double>();
    count_spreads(spreads);
    if (worst.of != nullptr) {
      if (has_named_items()) out_.reason = "worst: " + worst.of->name;
      say(worst.of->doubt);
    }
    say_failures(failed_spreads(spreads));
    say_unmeasured();
  }

  /// A spread, and the item whose launches have it; of none where it is that of the nodes.
  struct Spread {
    double value = 0;
    const Item* of = nullptr;
  };

  [[nodiscard]] std::vector<Spread> spreads_of_launches() {
    std::vector<Spread> spreads;
    for (const Item& item : selection_.items) {
      const auto values = values_of(item);
      out_.launches = std::max(out_.launches, values.size());
      if (values.size() > 1) spreads.push_back({spread_of(values), &item});
    }
    return spreads;
  }

  [[nodiscard]] std::vector<Spread> spread_of_medians() {
    std::vector<double> nodes;
    for (const Item& item : selection_.items) {
      const auto values = values_of(item);
      out_.launches = std::max(out_.launches, values.size());
      if (!values.empty()) nodes.push_back(stats::median(values));
    }
    return nodes.size() > 1 ? std::vector{Spread{spread_of(nodes), nullptr}} : std::vector<Spread>{};
  }

  static std::vector<double> values_of(const Item& item) {
    std::vector<double> values;
    for (const Reading& one : item.readings) values.push_back(one.value);
    return values;
  }

  [[nodiscard]] std::size_t failed_spreads(const std::vector<Spread>& spreads) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(spreads, [&](const Spread& one) { return one.value > *out_.limit; }));
  }

  /// Passes where no more items than allowed spread too far or have no value, and names them.
  void count_spreads(const std::vector<Spread>& spreads) {
    std::size_t failed = failed_spreads(spreads);
    if (criterion_.every != Every::none) {
      for (const Spread& one : spreads)
        if (one.of != nullptr && one.value > *out_.limit)
          out_.failures.push_back(one.of->name + ' ' + units::format_significant(one.value, 4));
      failed += unmeasured();
    }
    const bool nodes_differ = criterion_.spread_over_nodes && *out_.value > *out_.limit;  // that is one value
    const bool too_many = static_cast<double>(failed) > allowed_failures();
    out_.verdict = too_many || nodes_differ ? Verdict::fail : Verdict::pass;
  }

  static double spread_of(const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    return (high - low) / stats::median(values);
  }

  /// Applies what no interval can mend: wrong, unofficial, unverified or missing data.
  void count_flags() {
    const auto& items = selection_.items;
    const bool wrong = selection_.wrong || std::ranges::any_of(items, &Item::wrong);
    if (wrong) {
      out_.wrong = true;
      out_.verdict = Verdict::fail;
      out_.launches_needed.reset();
      constexpr const char* words = "wrong data";  // a doubt of the value may have told it
      if (out_.reason.find(words) == std::string::npos) say(words + where_wrong());
      if (criterion_.every != Every::none) name_wrong_items();
    }
    if (out_.verdict == Verdict::missing) return;
    if (criterion_.official && !std::ranges::all_of(items, &Item::official)) {
      out_.verdict = Verdict::fail;
      say("not official");
    }
    if (criterion_.verified && !wrong && selection_.unchecked) {
      out_.verdict = Verdict::fail;
      say("not verified");
    }
    if (criterion_.complete && selection_.absent > 0) {
      out_.verdict = Verdict::fail;
      const std::string count = std::to_string(selection_.absent);
      say(criterion_.table.empty()
              ? count + (selection_.absent == 1 ? " point" : " points") + " of it skipped, partial or failed"
              : "values of it missing: " + count);
    }
  }

  /// Whether a name says more of an item than the criterion does.
  [[nodiscard]] bool has_named_items() const {
    return criterion_.every != Every::none || !criterion_.table.empty();
  }

  /// " at lion008"; empty where there is nothing to name.
  [[nodiscard]] std::string where_wrong() const {
    const auto first = std::ranges::find_if(selection_.items, &Item::wrong);
    if (!has_named_items() || first == selection_.items.end()) return {};
    const auto more = std::ranges::count_if(selection_.items, &Item::wrong) - 1;
    return " at " + first->name + (more > 0 ? " and " + std::to_string(more) + " more" : "");
  }

  void name_wrong_items() {
    for (const Item& item : selection_.items)
      if (item.wrong) out_.failures.push_back(item.name + " wrong data");
  }

  /// The item that the fewest launches measured, of those that one measured; nullptr if there is none.
  [[nodiscard]] const Item* least_measured() const {
    const Item* least = nullptr;
    for (const Item& item : selection_.items)
      if (!item.readings.empty() && (least == nullptr || item.readings.size() < least->readings.size()))
        least = &item;
    return least;
  }

  /// Leaves open what fewer launches than asked for have measured, be it one item of many.
  void ask_for_launches() {
    if (out_.verdict == Verdict::fail || out_.verdict == Verdict::missing) return;
    const Item* least = least_measured();
    if (least == nullptr || least->readings.size() >= criterion_.min_launches) return;
    out_.verdict = Verdict::undecided;
    out_.launches_needed =
        std::max(out_.launches_needed.value_or(0), static_cast<int>(criterion_.min_launches));
    say("fewer than " + std::to_string(criterion_.min_launches) + " launches" +
        (out_.launches < criterion_.min_launches ? "" : " of " + least->name));
  }

  void settle() {
    ask_for_launches();
    if (out_.verdict == Verdict::undecided && criterion_.undecided != Undecided::report) {
      const bool fails = criterion_.undecided == Undecided::fail;
      out_.verdict = fails ? Verdict::fail : Verdict::pass;
      say(fails ? "undecided, which counts as fail" : "undecided, which counts as pass");
    }
    if (criterion_.waived.empty()) return;
    say("would be: " + std::string(text(out_.verdict)));
    say("waived: " + criterion_.waived);
    out_.verdict = Verdict::waived;
  }

  const Criterion& criterion_;
  const Criteria& criteria_;
  const Named& references_;
  const std::vector<balance::System>& published_;
  std::vector<const Launch*> launches_;
  Selection selection_;
  std::map<std::string, Pool> pools_;  // by suite
  Judgement out_;
};

/// Judges the weighted geometric mean of the values of criteria over their X.
Judgement judge_mean(const Mean& mean, const std::vector<Judgement>& judged) {
  Judgement out;
  out.id = mean.id;
  out.text = mean.text;
  out.limit = mean.at_least;
  const auto named = [&](const std::string& id) { return std::ranges::find(judged, id, &Judgement::id); };
  const auto wrong = std::ranges::find_if(mean.of, [&](const auto& id) { return named(id)->wrong; });
  if (wrong != mean.of.end()) {
    out.verdict = Verdict::fail;
    out.reason = *wrong + " has wrong data";
    return out;
  }
  double sum = 0, weights = 0, below = 0, above = 0;  // the ends: sums of squares
  for (const std::string& id : mean.of) {
    const auto one = named(id);
    if (!one->over_base) {
      out.reason = one->id + " has no value";
      return out;
    }
    sum += one->weight * std::log(*one->over_base);
    below += std::pow(one->weight * one->below_log, 2);
    above += std::pow(one->weight * one->above_log, 2);
    weights += one->weight;
    out.launches = out.launches == 0 ? one->launches : std::min(out.launches, one->launches);
  }
  out.value = std::exp(sum / weights);
  const bool has_interval = below > 0 || above > 0;
  if (has_interval) {
    out.low = *out.value * std::exp(-std::sqrt(below) / weights);
    out.high = *out.value * std::exp(std::sqrt(above) / weights);
  }
  out.margin = *out.value / mean.at_least - 1;
  out.verdict = has_interval ? by_interval({*out.low, *out.high}, mean.at_least, false)
                             : by_value(*out.value, mean.at_least, false);
  return out;
}

std::string machine_of(const Launch& launch) {
  return launch.run.head.name.empty() ? launch.system.name : launch.run.head.name;
}

/// Adds the inputs and what a reader of the sheet has to know of them, and `wrong input`
/// if requirements fail.
void check_inputs(const Criteria& criteria, std::span<const Launch> launches, const Named& references,
                  Sheet& sheet) {
  std::set<std::string> machines;
  for (const Launch& launch : launches) {
    const auto& head = launch.run.head;
    sheet.inputs.push_back({launch.source, launch.run.id, machine_of(launch), launch.sha256, head.nodes,
                            head.processes, comparison::run_word(head, "mpi")});
    machines.insert(machine_of(launch));
  }
  Judgement wrong;
  wrong.id = "require";
  wrong.text = "what the inputs must be";
  wrong.verdict = Verdict::wrong_input;
  wrong.launches = launches.size();
  const auto say = [&](const std::string& words) {
    wrong.reason += (wrong.reason.empty() ? "" : "; ") + words;
  };
  std::set<std::string> told;  // launches of one file have one name, and mostly lack the same
  for (const Launch& launch : launches)
    if (const auto words = criteria.require.runs.obstacles(launch.run.head);
        !words.empty() && told.insert(launch.source + words).second)
      say(launch.source + " has " + words);
  std::set<std::string> layouts;
  for (const Launch& launch : launches)
    if (!launch.foreign) layouts.insert(comparison::run_word(launch.run.head, "layout"));
  if (criteria.require.same_layout && layouts.size() > 1)
    say(std::to_string(layouts.size()) + " different layouts");
  if (!wrong.reason.empty()) sheet.list.push_back(std::move(wrong));
  if (machines.size() > 1)
    sheet.notes.push_back("the inputs are of " + std::to_string(machines.size()) + " machines");
  for (const auto& [name, list] : references)
    for (const Launch& launch : list)
      if (!machines.contains(machine_of(launch)))
        sheet.notes.push_back("reference " + name + " is of another machine: " + machine_of(launch));
}

}  // namespace

std::string_view text(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> words = {"wrong input", "fail", "missing",
                                                                 "undecided",   "pass", "waived"};
  return words[static_cast<std::size_t>(verdict)];
}

std::size_t Sheet::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(list, verdict, &Judgement::verdict));
}

Sheet judge(const Criteria& criteria, std::span<const Launch> launches, const Named& references,
            const std::vector<balance::System>& published) {
  Sheet sheet{criteria.title, criteria.sha256, criteria.confidence, {}, {}, {}};
  check_inputs(criteria, launches, references, sheet);
  for (const Criterion& criterion : criteria.list)
    sheet.list.push_back(Judge(criterion, criteria, launches, references, published).run());
  for (const Mean& mean : criteria.means) sheet.list.push_back(judge_mean(mean, sheet.list));
  return sheet;
}

}  // namespace steelyard::acceptance
