// SPDX-License-Identifier: Apache-2.0
#include "measuring/config_record.hpp"

#include <algorithm>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

const Option select_option{.name = "select", .kind = Kind::pattern, .repeat = Repeat::many};

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
    case Kind::on_off:
      return units::parse_bool(word);
    case Kind::size:
      return units::parse_size(word).count();
    case Kind::sizes:
      return sizes_json(word);
    case Kind::duration:
      return units::parse_duration(word).value();
    case Kind::count:
      return units::parse_count(word, option.low, option.high);
    case Kind::number:
      return units::parse_number(word);
    case Kind::ratio:
      return units::parse_ratio(word);
    default:
      return word;
  }
}

Json value(const Option& option, const Given& given) {
  if (option.repeat == Repeat::once) return scalar(option, given.words.back());
  Json list = Json::array();
  for (const std::string& word : given.words) list.push_back(scalar(option, word));
  return list;
}

// The options of a record: those that a configuration file may hold, and SELECT.
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
    const Given* given = values.find(option->name);
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
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
  return {joined};
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

}  // namespace

ConfigRecord config_record(const Invocation& invocation) {
  ConfigRecord out{Json::object(), Json::object()};
  out.config.json() = values_json(*invocation.command, invocation.values, &out.sources.json());
  for (const Values& step : invocation.steps)
    out.config.json()["step"].push_back(values_json(*invocation.command, step, nullptr));
  return out;
}

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

}  // namespace steelyard::cli
