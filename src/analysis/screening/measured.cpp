// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/whereabouts.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screening {
namespace {

using record::Json;

/// A table whose named columns are lists of one length.
class Rows {
 public:
  Rows(const record::TableRecord& table, std::initializer_list<const char*> needed)
      : columns_(&table.columns.json()) {
    if (!columns_->is_object()) return;
    std::optional<std::size_t> size;
    for (const char* name : needed) {
      if (!columns_->contains(name) || !(*columns_)[name].is_array()) return;
      const std::size_t n = (*columns_)[name].size();
      if (size && *size != n) return;
      size = n;
    }
    size_ = size.value_or(0);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Json& at(const char* name, std::size_t row) const { return (*columns_)[name].at(row); }
  [[nodiscard]] double number(const char* name, std::size_t row) const {
    const Json& value = at(name, row);
    return value.is_number() ? value.get<double>() : 0;
  }
  [[nodiscard]] std::int64_t whole(const char* name, std::size_t row) const {
    const Json& value = at(name, row);
    return value.is_number_integer() ? value.get<std::int64_t>() : -1;
  }
  [[nodiscard]] std::int64_t whole_or(const char* name, std::size_t row, std::int64_t otherwise) const {
    return columns_->contains(name) && row < (*columns_)[name].size() ? whole(name, row) : otherwise;
  }
  [[nodiscard]] bool says(const char* name, std::size_t row, bool otherwise) const {
    if (!columns_->contains(name) || row >= (*columns_)[name].size()) return otherwise;
    const Json& value = at(name, row);
    return value.is_boolean() ? value.get<bool>() : otherwise;
  }

 private:
  const Json* columns_;
  std::size_t size_ = 0;
};

/// Members that describe a kind of node.
constexpr std::array machine_members = {"processor",        "sockets", "cores",
                                        "threads_per_core", "kernel",  "architecture"};

/// Description of the machine of a host: that of its kind, or that of the session if there is one kind.
record::Document machine_of(const record::Whereabouts& where, std::size_t host) {
  const Json& layout = where.layout;
  const Json* kind = &where.machine;
  if (layout.contains("kinds") && layout.contains("kind_of") && layout["kinds"].is_array() &&
      layout["kind_of"].is_array() && host < layout["kind_of"].size()) {
    const Json& number = layout["kind_of"].at(host);
    const auto place = number.is_number_integer() ? number.get<std::int64_t>() : -1;
    if (place >= 0 && place < static_cast<std::int64_t>(layout["kinds"].size()))
      kind = &layout["kinds"].at(static_cast<std::size_t>(place));
  }
  Json machine = Json::object();
  for (const char* name : machine_members)
    if (kind->is_object() && kind->contains(name)) machine[name] = (*kind)[name];
  return machine;
}

/// Switch of a host; empty if the layout tells none.
std::string switch_of(const record::Whereabouts& where, std::size_t host) {
  const Json& layout = where.layout;
  if (!layout.contains("switches") || !layout.contains("switch_of") || !layout["switches"].is_array() ||
      !layout["switch_of"].is_array() || host >= layout["switch_of"].size())
    return "";
  const Json& number = layout["switch_of"].at(host);
  const auto place = number.is_number_integer() ? number.get<std::int64_t>() : -1;
  if (place < 0 || place >= static_cast<std::int64_t>(layout["switches"].size())) return "";
  const Json& name = layout["switches"].at(static_cast<std::size_t>(place));
  return name.is_string() ? name.get<std::string>() : "";
}

/// Numbers that the hosts of a session have among those of all, and which one every rank is on.
struct Places {
  std::vector<std::size_t> hosts;
  std::vector<int> of_rank;  // number within the session
  [[nodiscard]] std::optional<std::size_t> host(std::int64_t number) const {
    const bool known = number >= 0 && number < std::ssize(hosts);
    return known ? std::optional(hosts[static_cast<std::size_t>(number)]) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> host_of_rank(std::int64_t rank) const {
    const bool known = rank >= 0 && rank < std::ssize(of_rank);
    return known ? host(of_rank[static_cast<std::size_t>(rank)]) : std::nullopt;
  }
};

/// What a table of a screening holds.
struct TableKind {
  bool of_nodes = false, again = false;
};
std::optional<TableKind> kind_of_table(const record::TableRecord& table) {
  if (table.name == screen::node_table) return TableKind{true, false};
  if (table.name == screen::node_again_table) return TableKind{true, true};
  if (table.name == screen::pair_table) return TableKind{false, false};
  if (table.name == screen::pair_again_table) return TableKind{false, true};
  return std::nullopt;
}

constexpr std::string_view reference_word = "reference_", tolerance_word = "_tolerance",
                           machines_word = "reference_machines";

/// Settings without the reference: what was measured does not depend on what is expected.
Json without_reference(const Json& settings) {
  if (!settings.is_object()) return settings;
  Json kept = Json::object();
  for (const auto& [name, value] : settings.items())
    if (!name.starts_with(reference_word)) kept[name] = value;
  return kept;
}

/// Joins runs one after the other into one machine.
class Joining {
 public:
  void add(const record::Run& run) {
    if (!run.id.empty() && !ids_.insert(run.id).second)
      throw Unjudgeable("run " + run.id + " is given twice: its visits count once");
    check_alike(run);
    places_.clear();
    if (std::ranges::none_of(run.tables, [](const auto& table) { return kind_of_table(table).has_value(); }))
      static_cast<void>(places(run.head));
    for (std::size_t i = 0; i < run.tables.size(); ++i) {
      const auto kind = kind_of_table(run.tables[i]);
      if (!kind) continue;
      const Places& of_session = places(record::whereabouts_of_table(run, i));
      if (kind->of_nodes)
        add_nodes(run.tables[i], of_session, kind->again);
      else
        add_links(run.tables[i], of_session, kind->again);
    }
    for (std::size_t i = 0; i < run.points.size(); ++i)
      if (run.points[i].suite == screen::suite_name)
        add_point(run.points[i], record::host_names(record::whereabouts_of_point(run, i)).size());
    if (!run.end)
      out_.doubts.push_back("the run " + run.id + " has no end: what it had measured until then is judged");
    out_.run = out_.run.empty() ? run.id : out_.run;
  }

  [[nodiscard]] Measured taken() {
    for (auto& test : out_.nodes) test.nodes.resize(out_.hosts.size());
    return std::move(out_);
  }

 private:
  /// Adds the hosts of a session at the first call. Those that a run was resumed on without screening them stay out.
  const Places& places(const record::Whereabouts& where) {
    const auto [found, is_new] = places_.try_emplace(&where.layout);
    Places& one = found->second;
    if (!is_new) return one;
    one.of_rank = record::nodes_of_ranks(where);
    for (const std::string& name : record::host_names(where)) {
      const std::size_t number = host(name);
      out_.machines.resize(out_.hosts.size());
      out_.switches.resize(out_.hosts.size());
      out_.machines[number] = machine_of(where, one.hosts.size());
      out_.switches[number] = switch_of(where, one.hosts.size());
      one.hosts.push_back(number);
    }
    return one;
  }

  std::size_t host(const std::string& name) {
    const auto found = std::ranges::find(out_.hosts, name);
    if (found != out_.hosts.end()) return static_cast<std::size_t>(found - out_.hosts.begin());
    out_.hosts.push_back(name);
    return out_.hosts.size() - 1;
  }

  void check_alike(const record::Run& run) {
    const Json& program = run.head.program.json();
    const Json& config = run.head.config.json();
    const Json version = program.is_object() && program.contains("version") ? program["version"] : Json();
    const Json settings = without_reference(
        config.is_object() && config.contains(screen::suite_name) ? config[screen::suite_name] : Json());
    if (!first_) {
      first_.emplace(version, settings);
      return;
    }
    if (first_->first != version)
      throw Unjudgeable("runs of different versions of the program are not judged together");
    if (first_->second != settings)
      throw Unjudgeable("runs with different settings of the screening are not judged together");
  }

  template <class Tests>
  static auto& test_of(Tests& tests, const std::string& name) {
    const auto found = std::ranges::find(tests, name, [](const auto& test) { return test.name; });
    if (found != tests.end()) return *found;
    tests.push_back({name, {}});
    return tests.back();
  }

  void add_nodes(const record::TableRecord& table, const Places& places, bool again) {
    const Rows rows(table, {"host", "benchmark", "visit", "value", "processes"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto host = places.host(rows.whole("host", row));
      const Json& benchmark = rows.at("benchmark", row);
      if (!host || !benchmark.is_string()) continue;
      const auto name = benchmark.get<std::string>();
      const auto* what = screen::quantity(name);
      if (what == nullptr || what->of_pairs) continue;
      auto& test = test_of(out_.nodes, name);
      if (test.nodes.size() <= *host) test.nodes.resize(*host + 1);
      auto& node = test.nodes[*host];
      node.took_part = true;
      node.processes = static_cast<int>(rows.whole("processes", row));
      if (const auto domain = rows.whole_or("domain", row, -1); domain >= 0)
        node.domains.push_back(static_cast<int>(domain));
      put(rows, row, "value", again, node);
    }
  }

  void put(const Rows& rows, std::size_t row, const char* column, bool again, Values& values) {
    values.wrong |= !rows.says("verified", row, true);
    values.control |= again && rows.says("control", row, false);
    (again ? values.again : values.visits).push_back(rows.number(column, row));
    if (!again) out_.visits = std::max(out_.visits, values.visits.size());
  }

  void add_links(const record::TableRecord& table, const Places& places, bool again) {
    const Rows rows(table, {"from_rank", "to_rank", "latency_s", "bandwidth_byte_s"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto from = places.host_of_rank(rows.whole("from_rank", row)),
                 to = places.host_of_rank(rows.whole("to_rank", row));
      if (!from || !to || from == to) continue;
      put_link(rows, row, {*from, *to}, "bandwidth", "bandwidth_byte_s", again);
      if (rows.number("latency_s", row) > 0) put_link(rows, row, {*from, *to}, "latency", "latency_s", again);
    }
  }

  void put_link(const Rows& rows, std::size_t row, std::pair<std::size_t, std::size_t> ends,
                const std::string& name, const char* column, bool again) {
    auto& test = test_of(out_.links, name);
    const auto [place, is_new] = links_[name].try_emplace(ends, test.links.size());
    if (is_new) {
      LinkValues link;
      link.a = ends.first;
      link.b = ends.second;
      test.links.push_back(std::move(link));
    }
    put(rows, row, column, again, test.links[place->second]);
  }

  void add_point(const record::PointRecord& point, std::size_t hosts) {
    if (record::is_true(record::find(point.params, "alone"))) {
      out_.alone = true;
      out_.links_alone |= hosts <= screen::most_nodes_of_links_alone;
    }
    if (const auto why = record::word_of(record::find(point.classic, "condition")); !why.empty())
      if (std::string doubt = point.benchmark + ": " + why;
          std::ranges::find(out_.doubts, doubt) == out_.doubts.end())
        out_.doubts.push_back(std::move(doubt));
    for (const char* name : {"round_least_byte_s", "round_median_byte_s", "round_most_byte_s"})
      if (const auto value = record::number_of(record::find(point.classic, name)))
        out_.round_byte_s.push_back(*value);
  }

  Measured out_;
  std::map<const Json*, Places> places_;  // by the layout of a session of the run that is added
  std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, std::size_t>> links_;
  std::optional<std::pair<Json, Json>> first_;
  std::set<std::string> ids_;
};

}  // namespace

Measured measured(std::span<const record::Run> runs) {
  Joining joining;
  for (const auto& run : runs) joining.add(run);
  Measured all = joining.taken();
  if (all.nodes.empty() && all.links.empty()) {
    for (const auto& run : runs)
      for (const auto& point : run.points)
        if (point.suite == screen::suite_name && point.reason)
          throw Unjudgeable("nothing of the screening was measured: " + point.benchmark + ": " +
                            point.reason->text);
    throw Unjudgeable("no result holds a screening; 'steelyard run screen' measures one");
  }
  return all;
}

std::map<std::string, double, std::less<>> tolerances_of(const record::RunRecord& head) {
  std::map<std::string, double, std::less<>> tolerances;
  const Json& config = head.config.json();
  if (!config.is_object() || !config.contains(screen::suite_name)) return tolerances;
  const Json& settings = config[screen::suite_name];
  for (const auto& what : screen::quantities)
    if (const auto said = record::number_in(settings, ("tolerance_" + std::string(what.name)).c_str()))
      tolerances[std::string(what.name)] = *said;
  return tolerances;
}

Json members_of(const Reference& reference) {
  Json members = Json::object();
  const auto add = [&](const std::string& name, const std::string& model, const Reach& reach) {
    const std::string end = model.empty() ? "" : '/' + model;
    const std::string word = std::string(reference_word) + name;
    members[word + end] = reach.value;
    if (reach.tolerance) members[word + std::string(tolerance_word) + end] = *reach.tolerance;
  };
  for (const auto& [name, expected] : reference.expected) {
    if (expected.of_processor.empty()) add(name, {}, expected);
    for (const auto& [model, reach] : expected.of_processor) add(name, model, reach);
  }
  if (!reference.machines.empty()) members[std::string(machines_word)] = Json(reference.machines);
  return members;
}

Reference reference_in(const record::RunRecord& head) {
  Reference reference;
  const Json& config = head.config.json();
  if (!config.is_object() || !config.contains(screen::suite_name)) return reference;
  for (const auto& [member, value] : config[screen::suite_name].items()) {
    if (member == machines_word && value.is_array())
      for (const Json& name : value)
        if (name.is_string()) reference.machines.insert(name.get<std::string>());
    if (!member.starts_with(reference_word) || !value.is_number()) continue;
    const auto slash = std::min(member.find('/'), member.size());
    const std::string model = member.substr(std::min(slash + 1, member.size()));
    std::string name = member.substr(reference_word.size(), slash - reference_word.size());
    const bool tolerance = name.ends_with(tolerance_word);
    if (tolerance) name.resize(name.size() - tolerance_word.size());
    if (screen::quantity(name) == nullptr) continue;
    Expected& expected = reference.expected[name];
    Reach& reach = model.empty() ? expected : expected.of_processor[model];
    if (tolerance)
      reach.tolerance = value.get<double>();
    else
      reach.value = value.get<double>();
  }
  return reference;
}

std::vector<std::string> doubts_of(const Reference& reference, std::span<const record::Run> runs,
                                   const Measured& measured) {
  auto doubts = other_processors(measured, reference.expected);
  std::set<std::string> names;
  for (const auto& run : runs) names.insert(run.head.name);
  for (const std::string& name : reference.machines)
    if (!names.contains(name)) doubts.push_back("the reference is of another machine: " + name);
  return doubts;
}

Screening judged(const record::Run& run) {
  const std::span runs(&run, 1);
  const Reference reference = reference_in(run.head);
  Options options;
  options.tolerances = tolerances_of(run.head);
  options.reference = reference.expected;
  Measured all = measured(runs);
  std::ranges::move(doubts_of(reference, runs, all), std::back_inserter(all.doubts));
  return judge(std::move(all), options);
}

}  // namespace steelyard::screening
