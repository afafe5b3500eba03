// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/differences.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/comparison/imported.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using record::Json;
using record::RunRecord;
using Side = Launched;

constexpr double probe_limit = 1.03;

/// Different words, in order of appearance.
class Words {
 public:
  void add(const std::string& word) {
    if (std::ranges::find(list_, word) == list_.end()) list_.push_back(word);
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::string joined() const {
    std::string text;
    for (const std::string& word : list_)
      text += (text.empty() ? "" : ", ") + (word.empty() ? "unknown" : word);
    return text;
  }
  /// Compares the words in whatever order they appeared.
  friend bool operator==(const Words& a, const Words& b) {
    return std::ranges::is_permutation(a.list_, b.list_);
  }

 private:
  std::vector<std::string> list_;
};

std::string shown(const Json& json) {
  if (json.is_null()) return {};
  return json.is_string() ? json.get<std::string>() : json.dump();
}

std::string member(const record::Document& document, std::initializer_list<const char*> path) {
  const Json* at = &document.json();
  for (const char* name : path) {
    if (!at->is_object()) return {};
    const auto found = at->find(name);
    if (found == at->end()) return {};
    at = &*found;
  }
  return shown(*at);
}

/// The BLAS that computed, or where the run did not say which one it would be, the linked one.
std::string blas(const RunRecord& run) {
  const bool said = !member(run.blas, {"used", "library"}).empty();
  const auto of_linked = [&](const char* name) { return member(run.libraries, {"blas", name}); };
  const auto name = said ? member(run.blas, {"used", "library"}) : of_linked("name");
  const auto version = said ? member(run.blas, {"used", "version"}) : of_linked("version");
  const auto kernel = said ? member(run.blas, {"used", "kernel"}) : of_linked("kernel");
  return name + (version.empty() ? "" : " " + version) + (kernel.empty() ? "" : ", kernel " + kernel);
}

/// Name of the machine. A run of another program's text is named after that program, its release and variant
/// unless a user said more, which is no name of a machine.
std::string machine_name(const RunRecord& run) {
  if (run.imported.empty()) return run.name;
  const auto told = member(run.machine, {"name"});
  if (!told.empty()) return told;
  std::string program = member(run.imported, {"program"});
  for (const char* part : {"release", "variant"})
    if (const auto word = member(run.imported, {part}); !word.empty()) program += ' ' + word;
  return run.name == program ? member(run.machine, {"hostname"}) : run.name;
}

struct Aspect {
  const char* name;
  Ignored group;
  std::string (*of)(const RunRecord&);
};
const std::array aspects = {
    Aspect{"program version", Ignored::machine,
           [](const RunRecord& r) {
             if (r.imported.empty()) return member(r.program, {"version"});
             return member(r.imported, {"program"}) + ' ' + member(r.imported, {"release"});
           }},
    Aspect{"program commit", Ignored::machine,
           [](const RunRecord& r) { return member(r.program, {"commit"}); }},
    Aspect{"build type", Ignored::machine,
           [](const RunRecord& r) {
             return member(r.program, {"build", "type"});
           }},
    Aspect{"compiler", Ignored::machine,
           [](const RunRecord& r) {
             return member(r.program, {"build", "compiler"});
           }},
    Aspect{"compiler flags", Ignored::machine,
           [](const RunRecord& r) {
             return member(r.program, {"build", "flags"});
           }},
    Aspect{"MPI library", Ignored::mpi, [](const RunRecord& r) { return member(r.mpi, {"library"}); }},
    Aspect{"MPI thread level", Ignored::mpi,
           [](const RunRecord& r) { return member(r.mpi, {"thread_level"}); }},
    Aspect{"machine name", Ignored::machine, machine_name},
    Aspect{"processor", Ignored::machine,
           [](const RunRecord& r) { return member(r.machine, {"processor"}); }},
    Aspect{"cores", Ignored::machine, [](const RunRecord& r) { return member(r.machine, {"cores"}); }},
    Aspect{"microcode", Ignored::machine,
           [](const RunRecord& r) { return member(r.machine, {"microcode"}); }},
    Aspect{"memory", Ignored::machine, [](const RunRecord& r) { return member(r.machine, {"memory_byte"}); }},
    Aspect{"kernel", Ignored::machine,
           [](const RunRecord& r) {
             return member(r.machine, {"uname", "release"});
           }},
    Aspect{"frequency policy", Ignored::machine,
           [](const RunRecord& r) { return member(r.machine, {"governor"}); }},
    Aspect{"huge pages", Ignored::machine,
           [](const RunRecord& r) {
             return member(r.machine, {"huge_pages", "transparent"});
           }},
    Aspect{"BLAS", Ignored::machine, blas},
    Aspect{"FFT", Ignored::machine, [](const RunRecord& r) { return member(r.libraries, {"fft"}); }},
    Aspect{"I/O directory", Ignored::machine, [](const RunRecord& r) { return member(r.io, {"type"}); }},
    Aspect{"clock", Ignored::machine, [](const RunRecord& r) { return member(r.clock, {"source"}); }},
};

/// Members that are not the same in the first run of each side, of those that are told.
void add_members(const std::string& what, const Json& base, const Json& now, bool (*told)(std::string_view),
                 std::vector<Difference>& list) {
  if (!base.is_object() || !now.is_object()) return;
  Json names = base;
  names.update(now);
  const auto value = [](const Json& of, const std::string& name) {
    return of.contains(name) ? shown(of[name]) : std::string("not set");
  };
  for (const auto& [name, unused] : names.items())
    if (told(name) && value(base, name) != value(now, name))
      list.push_back({what + name, value(base, name), value(now, name)});
}

bool any_name(std::string_view) {
  return true;
}

/// Family of an MPI library, "Open MPI v": what stands before the first digit of its version.
std::string family(const RunRecord& run) {
  const std::string library = member(run.mpi, {"library"});
  return library.substr(0, library.find_first_of("0123456789"));
}

bool of_two_families(const RunRecord& base, const RunRecord& now) {
  const std::string a = family(base), b = family(now);
  return !a.empty() && !b.empty() && a != b;
}

/// Whether a variable is no wish of the user: launchers and libraries set it for their processes.
bool set_by_launcher(std::string_view name) {
  constexpr auto prefixes = std::to_array<std::string_view>(
      {"OMPI_MCA_orte_", "OMPI_MCA_prte_", "OMPI_MCA_ess", "OMPI_MCA_pmix", "PMIX_"});
  constexpr auto names = std::to_array<std::string_view>(
      {"OMPI_MCA_PREFIXES", "OMPI_MCA_cpu_type", "OMPI_MCA_hwloc_base_binding_policy",
       "OMPI_MCA_initial_wdir", "OMPI_MCA_mca_base_component_path", "OMPI_MCA_mpi_oversubscribe",
       "OMPI_MCA_num_procs", "OMPI_MCA_shmem_RUNTIME_QUERY_hint", "HFI_NO_BACKTRACE", "PSM2_DEVICES"});
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(names, name) != names.end();
}

bool set_by_user(std::string_view name) {
  return !set_by_launcher(name);
}

Json settings_of(const RunRecord& run) {
  const Json& mpi = run.mpi.json();
  return mpi.is_object() && mpi.contains("settings") ? mpi["settings"] : Json();
}

/// Takes out the settings that `other` does not know. Returns how many there are, and which of them a variable sets:
/// "112, set by variables: MPIR_CVAR_CH4_NUM_VCIS".
std::string take_out_own(Json& settings, const Json& other, const Json& environment) {
  std::size_t count = 0;
  Words set;
  Json both = Json::object();
  for (const auto& [name, value] : settings.items()) {
    if (other.contains(name)) {
      both[name] = value;
      continue;
    }
    ++count;
    for (const std::string& variable : {name, "OMPI_MCA_" + name})
      if (set_by_user(variable) && environment.is_object() && environment.contains(variable)) set.add(name);
  }
  settings = std::move(both);
  return std::to_string(count) + (set.empty() ? "" : ", set by variables: " + set.joined());
}

/// Tells settings that differ. Each family of libraries has hundreds of its own, of which the other side says nothing:
/// they are counted.
void add_settings(const RunRecord& base, const RunRecord& now, std::vector<Difference>& list) {
  Json a = settings_of(base), b = settings_of(now);
  if (!a.is_object() || !b.is_object()) return;
  if (of_two_families(base, now)) {
    const Json all_of_base = a;
    const std::string of_base = take_out_own(a, b, base.environment.json());
    const std::string of_now = take_out_own(b, all_of_base, now.environment.json());
    if (of_base != "0" || of_now != "0")
      list.push_back({"MPI settings of one library alone", of_base, of_now});
  }
  add_members("MPI setting ", a, b, any_name, list);
}

/// Aspects of the layout. Hosts may have any names; who shares a node with whom decides.
const std::array layout_aspects = {
    Aspect{"nodes", Ignored::layout, [](const RunRecord& r) { return std::to_string(r.nodes); }},
    Aspect{"ranks on nodes", Ignored::layout, [](const RunRecord& r) { return member(r.layout, {"ranks"}); }},
    Aspect{"binding", Ignored::layout, [](const RunRecord& r) { return member(r.layout, {"binding"}); }},
    Aspect{"threads of a process", Ignored::layout,
           [](const RunRecord& r) { return std::to_string(r.threads_per_process); }},
};

bool any_imported(Heads runs) {
  return std::ranges::any_of(runs, [](const RunRecord& run) { return !run.imported.empty(); });
}

Words words(Heads runs, const Aspect& aspect) {
  Words list;
  for (const RunRecord& run : runs) list.add(aspect.of(run));
  return list;
}

/// How a point was measured. `option`: its name in the run's settings; empty: the measurement decides.
struct Setting {
  const char* name;
  const char* option;
  std::string (*of)(const Manner&);
};
const std::array settings = {
    Setting{"schedule (--schedule)", "schedule", [](const Manner& m) { return m.rule; }},
    Setting{"synchronisation (--sync)", "sync", [](const Manner& m) { return m.sync; }},
    Setting{"timing (--timing)", "timing", [](const Manner& m) { return m.timing; }},
    Setting{"correction for the clock", "",
            [](const Manner& m) { return std::string(m.clock_corrected ? "yes" : "no"); }},
    Setting{"caches (--off-cache)", "off_cache",
            [](const Manner& m) { return std::string(m.cache_warm ? "warm" : "as they come"); }},
};

/// Rule that a suite of IMB was told, under which some of its points are another thing with the same key.
struct SuiteRule {
  const char* name;
  const char* member;  // of the suite's settings
  bool (*concerns)(const Identity&);
};

bool computes_beside(const Identity& p) {
  return p.suite == "imb-io" && (p.benchmark.find("_IWrite_") != std::string::npos ||
                                 p.benchmark.find("_IRead_") != std::string::npos);
}

bool computes_for_a_fixed_time(const Identity& p) {
  return computes_beside(p) && record::word_of(record::find(*p.params, "computation")) != "balanced";
}

/// Of Reduce_scatter the vector, of aggregates through windows the sections, of transfers beside a computation
/// their order. Other roots and barriers make other keys.
bool depends_on_rule_set(const Identity& p) {
  const bool windows = p.suite == "imb-ext" || p.suite == "imb-rma";
  return computes_beside(p) || (p.suite == "imb-mpi1" && p.benchmark == "Reduce_scatter") ||
         (windows && record::word_of(record::find(*p.params, "mode")) == "aggregate");
}

const std::array suite_rules = {
    SuiteRule{"rules of IMB (--imb-version)", "version", depends_on_rule_set},
    SuiteRule{"seconds of computation (--target-cpu-secs, -iter)", "computation_s",
              computes_for_a_fixed_time},
};

/// Words of the launches for a rule; those of launches that do not tell are left out.
Words words(const Side& side, Heads runs, const SuiteRule& rule) {
  Words list;
  for (const Observation& seen : side) {
    const std::string suite(seen.what->suite);
    if (!suite.starts_with("imb-")) continue;
    const auto word = member(runs[seen.launch].config, {suite.c_str(), rule.member});
    if (!word.empty()) list.add(word);
  }
  return list;
}

bool differs(const SuiteRule& rule, const Matched& both, Heads base, Heads now) {
  const Words a = words(both.base, base, rule), b = words(both.now, now, rule);
  return !a.empty() && !b.empty() && a != b;
}

bool imported(const Side& side) {
  return std::ranges::all_of(side, is_imported);
}

Words words(const Side& side, const Setting& setting) {
  Words list;
  for (const Observation& seen : side) list.add(setting.of(*seen.manner));
  return list;
}

/// Whether all observations are of one manner, as most points are: then no setting differs.
bool measured_alike(const Matched& both) {
  const Manner* manner = both.base.front().manner;
  const auto is_of_it = [manner](const Observation& seen) { return seen.manner == manner; };
  return std::ranges::all_of(both.base, is_of_it) && std::ranges::all_of(both.now, is_of_it);
}

bool on_both_sides(const Matched& both) {
  return !both.base.empty() && !both.now.empty();
}

/// Whether launches of the two sides were measured unlike; imported points do not tell.
bool differs(const Setting& setting, const Matched& both) {
  return !imported(both.base) && !imported(both.now) && words(both.base, setting) != words(both.now, setting);
}

/// Whether both sides were run with the same word for it: then the points differ by what was measured.
bool asked_alike(const Setting& setting, Heads base, Heads now) {
  const auto asked = [&](Heads runs) {
    Words list;
    for (const RunRecord& run : runs) list.add(member(run.config, {setting.option}));
    return list;
  };
  return asked(base) == asked(now) && !member(base.front().config, {setting.option}).empty();
}

/// "timing: batch in the base, each in the new (of all 12 points that both have)".
void add_setting(const Setting& setting, Heads base, Heads now, std::span<const Matched> matched,
                 std::vector<std::string>& list) {
  if (std::string_view(setting.option).empty() || asked_alike(setting, base, now)) return;
  std::size_t count = 0;
  const Matched* first = nullptr;
  for (const Matched& both : matched) {
    if (!on_both_sides(both)) continue;
    if (measured_alike(both) || !differs(setting, both)) return;
    if (count++ == 0) first = &both;
  }
  list.push_back(std::string(setting.name) + ": " + words(first->base, setting).joined() + " in the base, " +
                 words(first->now, setting).joined() + " in the new (all of " + std::to_string(count) +
                 " points that both have); 'steelyard compare --ignore options' permits it");
}

/// The same for a rule of IMB's suites, where no point is left that it does not concern.
void add_rule(const SuiteRule& rule, Heads base, Heads now, std::span<const Matched> matched,
              std::vector<std::string>& list) {
  std::size_t count = 0;
  const Matched* first = nullptr;
  for (const Matched& both : matched) {
    if (!on_both_sides(both)) continue;
    if (!rule.concerns(*both.base.front().what) || !differs(rule, both, base, now)) return;
    if (count++ == 0) first = &both;
  }
  list.push_back(std::string(rule.name) + ": " + words(first->base, base, rule).joined() + " in the base, " +
                 words(first->now, now, rule).joined() + " in the new (all of " + std::to_string(count) +
                 " points that both have); 'steelyard compare --ignore options' permits it");
}

/// Tells the rules of each suite that both sides have, whether or not they concern a point.
void add_rules(Heads base, Heads now, std::span<const Matched> matched, std::vector<Difference>& list) {
  std::set<std::string_view> told;
  for (const Matched& both : matched) {
    if (!on_both_sides(both) || !told.insert(both.base.front().what->suite).second) continue;
    for (const SuiteRule& rule : suite_rules)
      if (differs(rule, both, base, now))
        list.push_back({std::string(both.base.front().what->suite) + ": " + rule.name,
                        words(both.base, base, rule).joined(), words(both.now, now, rule).joined()});
  }
}

using FirstStates = std::vector<const record::State*>;

/// The first state of each observation that has any.
FirstStates first_states(std::span<const Matched> matched, Side Matched::*side) {
  FirstStates list;
  for (const Matched& both : matched)
    for (const Observation& seen : both.*side)
      if (!seen.states.empty()) list.push_back(&seen.states.front());
  return list;
}

std::optional<double> median_probe(const FirstStates& states, std::optional<double> record::State::*probe) {
  std::vector<double> values;
  for (const record::State* state : states)
    if (state->*probe) values.push_back(*(state->*probe));
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

void add_probe(const char* name, const FirstStates& base, const FirstStates& now,
               std::optional<double> record::State::*probe, std::vector<Difference>& list) {
  const auto a = median_probe(base, probe), b = median_probe(now, probe);
  if (!a || !b || std::max(*a, *b) <= probe_limit * std::min(*a, *b)) return;
  list.push_back(
      {std::string("time of ") + name, units::format_time(Seconds{*a}), units::format_time(Seconds{*b})});
}

/// "elements: 33554432 and 67108864".
std::string other_sizes(const Identity& base, const Identity& now) {
  std::string text;
  if (&base == &now) return text;
  for (const auto& [name, value] : *base.params) {
    const record::Value* other = record::find(*now.params, name);
    if (other == nullptr || *other == value || !std::holds_alternative<std::int64_t>(value) ||
        !std::holds_alternative<std::int64_t>(*other))
      continue;
    text += (text.empty() ? "" : "; ") + name + ": " + std::to_string(std::get<std::int64_t>(value)) +
            " and " + std::to_string(std::get<std::int64_t>(*other));
  }
  return text;
}

}  // namespace

std::vector<std::string> obstacles(Heads base, Heads now, std::span<const Matched> matched,
                                   const Options& options) {
  std::vector<std::string> list;
  const bool any = std::ranges::any_of(matched, on_both_sides);
  if (!any) return {"no point is on both sides"};
  if (!options.ignored.contains(Ignored::options))
    for (const Setting& setting : settings) add_setting(setting, base, now, matched, list);
  if (!options.ignored.contains(Ignored::options))
    for (const SuiteRule& rule : suite_rules) add_rule(rule, base, now, matched, list);
  // A text does not tell who shares a node with whom.
  if (options.ignored.contains(Ignored::layout) || any_imported(base) || any_imported(now)) return list;
  for (const Aspect& aspect : layout_aspects)
    if (const Words a = words(base, aspect), b = words(now, aspect); a != b)
      list.push_back(std::string(aspect.name) + ": " + a.joined() + " in the base, " + b.joined() +
                     " in the new; 'steelyard compare --ignore layout' permits it");
  return list;
}

std::string unlike(const Matched& both, Heads base, Heads now, const Options& options) {
  std::string text;
  if (const std::string metrics = metrics_apart(both, options); !metrics.empty()) return "metric: " + metrics;
  if (on_both_sides(both) && options.statistic.empty() && imported(both.base) && imported(both.now)) {
    const std::string a = statistic_of(*both.base.front().record), b = statistic_of(*both.now.front().record);
    if (a != b) return "statistic: " + a + " and " + b + " (--statistic takes one that both have)";
  }
  if (options.ignored.contains(Ignored::options) || !on_both_sides(both)) return text;
  text = other_sizes(*both.base.front().what, *both.now.front().what);
  const auto tell = [&text](const char* name, const Words& a, const Words& b) {
    text += (text.empty() ? "" : "; ") + std::string(name) + ": " + a.joined() + " and " + b.joined();
  };
  if (!measured_alike(both))
    for (const Setting& setting : settings)
      if (differs(setting, both)) tell(setting.name, words(both.base, setting), words(both.now, setting));
  for (const SuiteRule& rule : suite_rules)
    if (rule.concerns(*both.base.front().what) && differs(rule, both, base, now))
      tell(rule.name, words(both.base, base, rule), words(both.now, now, rule));
  return text;
}

std::vector<Difference> differences(Heads base, Heads now, std::span<const Matched> matched,
                                    const Options& options) {
  std::vector<Difference> list;
  const auto add = [&](const Aspect& aspect) {
    const Words a = words(base, aspect), b = words(now, aspect);
    if (a != b) list.push_back({aspect.name, a.joined(), b.joined()});
  };
  for (const Aspect& aspect : aspects)
    if (!options.ignored.contains(aspect.group)) add(aspect);
  if (options.ignored.contains(Ignored::layout) && !any_imported(base) && !any_imported(now))
    for (const Aspect& aspect : layout_aspects) add(aspect);
  for (const auto& [runs, name] : {std::pair{base, "base"}, {now, "new"}})
    if (any_imported(runs) && runs.front().layout.empty())
      list.push_back({std::string("layout of ") + name, "not known", "not checked"});
  const RunRecord &first = base.front(), &second = now.front();
  if (!options.ignored.contains(Ignored::mpi)) add_settings(first, second, list);
  if (!options.ignored.contains(Ignored::machine))
    add_members("environment ", first.environment.json(), second.environment.json(),
                of_two_families(first, second) ? set_by_user : any_name, list);
  add_rules(base, now, matched, list);
  const FirstStates of_base = first_states(matched, &Matched::base),
                    of_now = first_states(matched, &Matched::now);
  add_probe("a cache line between processors", of_base, of_now, &record::State::c2c_s, list);
  add_probe("dependent arithmetic", of_base, of_now, &record::State::chain_s, list);
  add_probe("independent arithmetic", of_base, of_now, &record::State::wide_s, list);
  return list;
}

std::vector<RunAspect> aspects_of(const RunRecord& run) {
  std::vector<RunAspect> list;
  for (const Aspect& aspect : aspects) list.push_back({aspect.name, aspect.of(run), aspect.group});
  const auto add = [&](const std::string& what, const Json& json, Ignored group) {
    for (const auto& [name, value] : json.items()) list.push_back({what + name, shown(value), group});
  };
  add("MPI setting ", settings_of(run), Ignored::mpi);
  add("environment ", run.environment.json(), Ignored::machine);
  return list;
}

std::vector<RunAspect> layout_of(const RunRecord& run) {
  std::vector<RunAspect> list;
  for (const Aspect& aspect : layout_aspects) list.push_back({aspect.name, aspect.of(run), aspect.group});
  return list;
}

}  // namespace steelyard::comparison
