// SPDX-License-Identifier: Apache-2.0
#include "measuring/config_record.hpp"

#include <algorithm>

#include "options/checks.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

const Option select_option("select", Kind::pattern, "", Repeat::many);

std::string member_name(const Option& option) {
  std::string name(option.name);
  std::replace(name.begin(), name.end(), '-', '_');
  if (option.kind == Kind::size || option.kind == Kind::sizes) return name + "_byte";
  return option.kind == Kind::duration ? name + "_s" : name;
}

Json sizes_json(const std::string& word) {
  Json list = Json::array();
  for (const Bytes size : units::parse_sizes(word)) list.push_back(size.count());
  return list;
}

Json scalar(const Option& option, const std::string& word) {
  switch (option.kind) {
    case Kind::flag:
    case Kind::on_off: return units::parse_bool(word);
    case Kind::size: return units::parse_size(word).count();
    case Kind::sizes: return sizes_json(word);
    case Kind::duration: return units::parse_duration(word).value();
    case Kind::count: return units::parse_count(word, option.low, option.high);
    case Kind::number: return units::parse_number(word);
    case Kind::ratio: return units::parse_ratio(word);
    default: return word;
  }
}

Json value(const Option& option, const OptionWords& given) {
  if (option.repeat == Repeat::once) return scalar(option, given.words.back());
  Json list = Json::array();
  for (const std::string& word : given.words) list.push_back(scalar(option, word));
  return list;
}

// Options of a record: those that a configuration file may hold, and SELECT.
std::vector<const Option*> recorded_options(const Command& command) {
  std::vector<const Option*> out;
  if (command.positional.name == "SELECT") out.push_back(&select_option);
  for (const Group& group : command.groups)
    for (const Option& option : group.options)
      if (option.in_file == InFile::yes) out.push_back(&option);
  return out;
}

Json values_json(const Command& command, const Values& values, Json* sources) {
  Json config = Json::object();
  for (const Option* option : recorded_options(command)) {
    const OptionWords* given = values.find(option->name);
    if (given == nullptr || given->words.empty()) continue;
    config[member_name(*option)] = value(*option, *given);
    if (sources != nullptr) (*sources)[member_name(*option)] = text(given->source);
  }
  return config;
}

std::string word_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? "on" : "off";
  return json.is_string() ? json.get<std::string>() : json.dump();
}

std::vector<std::string> words_of_member(const Option& option, const Json& json) {
  if (!json.is_array()) return {word_of(json)};
  std::vector<std::string> words;
  for (const Json& element : json) words.push_back(word_of(element));
  if (option.repeat == Repeat::many) return words;
  return {units::joined(words, ",")};
}

Source source_of(const Json& sources, const std::string& member) {
  if (!sources.is_object() || !sources.contains(member)) return Source::file;
  for (const Source source :
       {Source::fallback, Source::preset, Source::file, Source::environment, Source::command_line})
    if (sources[member] == text(source)) return source;
  return Source::file;
}

void read_values(const Command& command, const Json& config, const Json& sources, Values& into) {
  for (const Option* option : recorded_options(command)) {
    const std::string member = member_name(*option);
    if (!config.contains(member)) continue;
    into.set(option->name, {words_of_member(*option, config[member]), source_of(sources, member),
                            "the run's own " + std::string(option->name)});
  }
}

template <class Whole>
void take(const Json& inputs, const char* name, Whole& into) {
  if (inputs.contains(name) && inputs.at(name).is_number_integer()) into = inputs.at(name).get<Whole>();
}

bool may_be_given(const Command& command, const std::string& name) {
  const Option* option = find_option(command, name);
  return option != nullptr && option->on_resume == OnResume::allowed;
}

std::string budget_text(double budget_s) {
  return budget_s > 0 ? "a budget of " + units::format_time(Seconds{budget_s}) : "no budget";
}

/// Reads the words from which such a record was made, for a resume. Members that are no option are passed over.
void read_config_record(const record::Document& config, const record::Document& sources, Invocation& into) {
  if (config.empty()) return;
  read_values(*into.command, config.json(), sources.json(), into.values);
  if (!config.json().contains("step")) return;
  for (const Json& step : config.json()["step"]) {
    Values values;
    read_values(*into.command, step, Json(), values);
    into.steps.push_back(std::move(values));
  }
}

/// Sets the budget, and the one from which sizes follow (first_budget; without words if there was none), to that of the
/// first session: the own budget of a later session was for that session alone.
void set_first_budget(const record::Document& inputs, Values& values) {
  if (!inputs.json().is_object()) return;
  std::vector<std::string> words;
  if (inputs.json().contains("budget_s")) words.push_back(inputs.json().at("budget_s").dump());
  values.forget("budget");
  if (!words.empty()) values.set("budget", {words, Source::file, "the run's own budget"});
  values.set(first_budget, {std::move(words), Source::command_line, "the run's own budget"});
}

}  // namespace

ConfigRecord config_record(const Invocation& invocation) {
  ConfigRecord out{Json::object(), Json::object()};
  out.config.json() = values_json(*invocation.command, invocation.values, &out.sources.json());
  for (const Values& step : invocation.steps)
    out.config.json()["step"].push_back(values_json(*invocation.command, step, nullptr));
  return out;
}

record::Document plan_inputs(const Values& values, const Place& place) {
  Json inputs{{"memory_byte", place.memory_byte},
              {"node_share_byte", place.node_share_byte},
              {"nodes", place.nodes},
              {"cache_byte", place.cache.cache_byte},
              {"cache_line_byte", place.cache.line_byte},
              {"cache_alone_byte", place.cache_share.alone_byte},
              {"cache_together_byte", place.cache_share.together_byte}};
  if (place.nodes_memory_byte > 0) inputs["nodes_memory_byte"] = place.nodes_memory_byte;
  const auto budget = values.duration(values.said(first_budget) ? first_budget : "budget");
  if (budget) inputs["budget_s"] = budget->value();
  return inputs;
}

Place place_planned_with(const record::Document& inputs, Place here) {
  if (!inputs.json().is_object()) return here;
  take(inputs.json(), "memory_byte", here.memory_byte);
  take(inputs.json(), "node_share_byte", here.node_share_byte);
  take(inputs.json(), "nodes", here.nodes);
  take(inputs.json(), "nodes_memory_byte", here.nodes_memory_byte);
  take(inputs.json(), "cache_byte", here.cache.cache_byte);
  take(inputs.json(), "cache_line_byte", here.cache.line_byte);
  take(inputs.json(), "cache_alone_byte", here.cache_share.alone_byte);
  take(inputs.json(), "cache_together_byte", here.cache_share.together_byte);
  return here;
}

void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values) {
  constexpr double as_good_as_equal = 1.1;  // what is free differs from hour to hour
  const auto directory = values.word("sizes-of");
  if (!directory ||
      static_cast<double>(planned.memory_byte) <= as_good_as_equal * static_cast<double>(here.memory_byte))
    return;
  throw Refused("--sizes-of: " + *directory + " was planned with " +
                units::format_rounded_size(Bytes{planned.memory_byte}) + " of memory a process, here are " +
                units::format_rounded_size(Bytes{here.memory_byte}));
}

void check_resume_words(const Invocation& invocation) {
  std::string refused;
  for (const auto& [name, given] : invocation.values.all()) {
    if (given.source != Source::command_line || may_be_given(*invocation.command, name)) continue;
    refused += (refused.empty() ? "" : ", ") + given.origin;
  }
  if (!refused.empty())
    throw UsageError("--resume: takes the plan of the run that it continues, without " + refused);
}

Invocation with_configuration_of(const RunConfiguration& run, const Invocation& invocation) {
  Invocation out = invocation;
  out.values = {};
  out.steps.clear();
  read_config_record(run.config, run.sources, out);
  out.values.forget("deadline");  // it was for the session that had it
  if (const OptionWords* budget = out.values.find("budget")) out.values.set(first_budget, *budget);
  set_first_budget(run.plan_inputs, out.values);
  for (const auto& [name, given] : invocation.values.all()) {
    const bool said_now = given.source >= Source::file && may_be_given(*invocation.command, name);
    // An option for which the run has no value gets the default, never the word of today's preset.
    if (!said_now && (out.values.find(name) != nullptr || given.source == Source::preset)) continue;
    OptionWords strong = given;
    if (said_now) strong.source = Source::command_line;
    out.values.set(name, std::move(strong));
  }
  use_current_words(out);
  return out;
}

campaign::Retry retry_of(const Values& values) {
  const RetryWords words = parse_retry(values.need("retry"));
  return {.failed = words.failed, .partial = words.partial, .skipped = words.skipped, .all = words.all};
}

void refuse_other_than_run(const record::RunRecord& head, const std::filesystem::path& directory) {
  const std::string only = ": only runs of 'steelyard run' are resumed";
  if (!head.imported.empty())
    throw UsageError("--resume: the last run of " + directory.string() + " is another program's text" + only);
  if (!head.front_end.empty())
    throw UsageError("--resume: the last run of " + directory.string() + " was made by '" + head.front_end +
                     "', to be started again" + only);
}

record::Run run_to_resume(const std::filesystem::path& directory) {
  auto runs = record::read_runs(directory);
  if (runs.empty()) throw record::ReadError(directory.string() + ": no run to resume");
  refuse_other_than_run(runs.back().head, directory);
  return std::move(runs.back());
}

record::RunRecord run_of_equal_sizes(const Values& values) {
  const auto directory = values.word("sizes-of");
  if (!directory) return {};
  const auto runs = record::read_runs(*directory);
  if (runs.empty()) throw record::ReadError(*directory + ": no run whose sizes could be taken");
  const record::RunRecord& found = runs.back().head;
  if (found.survey.empty()) throw UsageError("--sizes-of: " + *directory + ": its rates were not measured");
  const record::Json& inputs = found.plan_inputs.json();
  const auto own = values.duration("budget");
  const double own_s = own ? own->value() : 0, its_s = inputs.is_object() ? inputs.value("budget_s", 0.0) : 0;
  if (own_s != its_s)
    throw UsageError("--sizes-of: " + *directory + " was planned with " + budget_text(its_s) +
                     ", this run with " + budget_text(own_s));
  record::RunRecord head;
  head.plan_inputs = found.plan_inputs;
  head.survey = found.survey;
  return head;
}

}  // namespace steelyard::cli
