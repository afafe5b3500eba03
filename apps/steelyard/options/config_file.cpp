// SPDX-License-Identifier: Apache-2.0
#include "options/config_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "options/toml.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::string position(const std::filesystem::path& file, const toml::source_region& source) {
  return place_in(file.string(), source);
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

bool is_truth(Kind kind) {
  return kind == Kind::flag || kind == Kind::on_off;
}

// Whether a value is a name in which variables are replaced.
bool is_name_of_file(Kind kind) {
  return kind == Kind::directory || kind == Kind::file;
}

// One scalar as a word of the option's grammar; nullopt if the type does not fit.
std::optional<std::string> word_of(const toml::node& node, Kind kind) {
  const bool flag = is_truth(kind);
  if (const auto* text = node.as_string()) {
    if (flag) return std::nullopt;
    return is_name_of_file(kind) ? expand_variables(text->get()) : text->get();
  }
  if (const auto* truth = node.as_boolean())
    return flag ? std::optional<std::string>(truth->get() ? "on" : "off") : std::nullopt;
  if (flag) return std::nullopt;
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* real = node.as_floating_point()) return printed(toml::value<double>(real->get()));
  if (const auto* date = node.as_date_time()) return printed(date->get());
  if (const auto* date = node.as_date()) return printed(date->get());
  return std::nullopt;
}

constexpr std::string_view command_of_steps = "run";

/// Options that a [[step]] may set: those that choose points.
bool belongs_to_step(std::string_view option) {
  static constexpr std::array allowed{"select", "exclude", "np", "sizes", "map", "groups"};
  return std::find(allowed.begin(), allowed.end(), option) != allowed.end();
}

class ConfigReader {
 public:
  ConfigReader(std::filesystem::path file, const Command& command, const CommandList& commands)
      : file_(std::move(file)), command_(command), commands_(commands) {}

  FileSettings read() {
    const toml::table root = parse();
    for (const bool tables : {false, true})  // a table says more than what stands above all of them
      for (const auto& [key, node] : root)
        if (node.is_table() == tables) top(std::string(key.str()), node, key.source());
    if (!unknown_.empty()) throw UsageError(unknown_);
    return std::move(settings_);
  }

 private:
  toml::table parse() const {
    std::string why;
    const auto text = read_text(file_, why);
    if (!text) throw UsageError("cannot read '" + file_.string() + "': " + why);
    return parse_toml(*text, file_.string());
  }

  void top(const std::string& key, const toml::node& node, const toml::source_region& source) {
    if (key == "step") return steps(node, source);
    const auto* table = node.as_table();
    if (table == nullptr && find_option(common_only(), key) == nullptr && option_or_positional(command_, key))
      throw UsageError(position(file_, source) + ": '" + key + "' belongs into [" +
                       std::string(command_.name) + "]");
    if (table == nullptr) return value(common_only(), key, node, source, "", settings_.values);
    const Command* named = commands_.find(key);
    if (named == nullptr && is_measuring_name(key) && !commands_.measures()) return;
    if (named == nullptr || !reads_config(*named))
      return unknown(source, "unknown table [" + key + "]", key, command_names());
    Values elsewhere;  // tables of other subcommands are checked, and have no effect
    section(*named, *table, named == &command_ ? settings_.values : elsewhere);
  }

  void section(const Command& command, const toml::table& table, Values& into) {
    for (const auto& [key, node] : table)
      value(command, std::string(key.str()), node, key.source(), command.name, into);
  }

  /// Steps are those of a campaign: for other subcommands they are checked, and have no effect.
  void steps(const toml::node& node, const toml::source_region& source) {
    if (!node.is_array_of_tables())
      throw UsageError(position(file_, source) + ": every step has a head of its own, [[step]]");
    const Command* run = commands_.find(command_of_steps);
    if (run == nullptr) return;  // a build without MPI
    for (const auto& element : *node.as_array()) {
      Values step = step_of(*run, *element.as_table());
      if (run == &command_) settings_.steps.push_back(std::move(step));
    }
  }

  Values step_of(const Command& run, const toml::table& table) {
    Values step;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (find_option(run, name) != nullptr && !belongs_to_step(name))
        throw UsageError(position(file_, key.source()) + ": '" + name +
                         "' cannot differ between steps; put it into [" + std::string(run.name) + "]");
      value(run, name, node, key.source(), "step", step);
    }
    return step;
  }

  void value(const Command& command, const std::string& key, const toml::node& node,
             const toml::source_region& source, std::string_view table, Values& into) {
    const Option* option = option_or_positional(command, key);
    if (option == nullptr || option->in_file == InFile::no) {
      const std::string place = table.empty() ? "" : " in [" + std::string(table) + "]";
      return unknown(source, "unknown option '" + key + "'" + place, key, option_names(command));
    }
    const std::string origin = position(file_, source) + ": " + key;
    OptionWords given{words_or_refusal(*option, node, origin), Source::file, origin};
    if (given.words.empty() && option == &positional_) throw UsageError(origin + ": names nothing");
    check(*option, given);
    into.set(option == &positional_ ? positional_key(command) : key, std::move(given));
  }

  std::vector<std::string> words_or_refusal(const Option& option, const toml::node& node,
                                            const std::string& origin) const {
    try {
      return words(option, node, origin);
    } catch (const units::ParseError& error) {
      throw UsageError(origin + ": " + error.what());
    }
  }

  std::vector<std::string> words(const Option& option, const toml::node& node,
                                 const std::string& origin) const {
    std::vector<std::string> out;
    if (const auto* array = node.as_array())
      for (const toml::node& element : *array) out.push_back(scalar(option, element, origin));
    else
      out.push_back(scalar(option, node, origin));
    return option.repeat == Repeat::many ? out : std::vector{joined(option, out, origin)};
  }

  static std::string scalar(const Option& option, const toml::node& node, const std::string& origin) {
    const auto word = word_of(node, option.kind);
    if (!word) throw UsageError(origin + ": the type of the value does not fit " + wanted(option));
    return *word;
  }

  static std::string wanted(const Option& option) {
    return is_truth(option.kind) ? "true or false" : std::string(argument_of(option));
  }

  // Lists of numbers are one word with commas on the command line.
  static std::string joined(const Option& option, const std::vector<std::string>& words,
                            const std::string& origin) {
    const bool list = option.kind == Kind::sizes || option.kind == Kind::counts;
    if (words.size() != 1 && (!list || words.empty())) throw UsageError(origin + ": takes one value");
    std::string out = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) out += ',' + words[i];
    return out;
  }

  static void check(const Option& option, const OptionWords& given) {
    try {
      for (const std::string& word : given.words) check_word(option, word);
    } catch (const units::ParseError& error) {
      throw UsageError(given.origin + ": " + error.what());
    }
  }

  const Option* option_or_positional(const Command& command, const std::string& key) {
    if (is_key_of_positional(command, key)) {
      positional_ = {command.positional.name, command.positional.kind, "", Repeat::many};
      return &positional_;
    }
    return find_option(command, key);
  }

  /// Whether a key means the bare words; that of several may also be written as they are, "base new".
  static bool is_key_of_positional(const Command& command, const std::string& key) {
    return !command.positional.name.empty() &&
           (key == positional_key(command) || key == units::lower(command.positional.name));
  }

  void unknown(const toml::source_region& source, const std::string& what, const std::string& key,
               const std::vector<std::string>& valid) {
    const auto near = units::nearest(key, valid);
    unknown_ += (unknown_.empty() ? "" : "; ") + position(file_, source) + ": " + what;
    if (near) unknown_ += "; did you mean '" + *near + "'?";
  }

  static std::vector<std::string> option_names(const Command& command) {
    std::vector<std::string> names;
    for (const Group& group : all_groups(command))
      for (const Option& option : group.options)
        if (option.in_file == InFile::yes) names.emplace_back(option.name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> command_names() const {
    std::vector<std::string> names{"step"};
    for (const Command* command : commands_)
      if (reads_config(*command)) names.emplace_back(command->name);
    return names;
  }
  static bool reads_config(const Command& command) { return find_option(command, "config") != nullptr; }
  static const Command& common_only() {
    static constexpr Command none{};
    return none;
  }

  std::filesystem::path file_;
  const Command& command_;
  const CommandList& commands_;
  FileSettings settings_;
  Option positional_{"", ""};
  std::string unknown_;
};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Variable that a text begins with, $VAR or ${VAR}: its name and the characters that it takes; none for 0.
struct NamedVariable {
  std::string_view name;
  std::size_t length = 0;
};

NamedVariable leading_variable(std::string_view text) {
  if (!text.starts_with('$')) return {};
  const bool braced = text.starts_with("${");
  const std::size_t begin = braced ? 2 : 1;
  std::size_t end = begin;
  while (end < text.size() && is_name(text[end])) ++end;
  const bool closed = !braced || text.substr(end).starts_with('}');
  if (end == begin || !closed) return {};
  return {text.substr(begin, end - begin), end + (braced ? 1 : 0)};
}

/// Name of a file as expand_variables reads it to the same name.
std::string with_doubled_dollars(std::string_view name) {
  std::string out;
  for (const char c : name) out.append(c == '$' ? 2 : 1, c);
  return out;
}

std::string quoted(const Option& option, const std::string& word) {
  return printed(toml::value<std::string>(is_name_of_file(option.kind) ? with_doubled_dollars(word) : word));
}

std::string toml_value(const Option& option, const OptionWords& given) {
  if (is_truth(option.kind)) return units::parse_bool(given.words.back()) ? "true" : "false";
  if (option.kind == Kind::count)  // TOML allows no leading zeros
    return std::to_string(units::parse_count(given.words.back(), option.low, option.high));
  if (option.repeat == Repeat::once) return quoted(option, given.words.back());
  std::string out;
  for (const std::string& word : given.words) out += (out.empty() ? "" : ", ") + quoted(option, word);
  return '[' + out + ']';
}

void append_table(std::string& out, const Command& command, const Values& values) {
  const Option bare(command.positional.name, command.positional.kind, "", Repeat::many);
  for (const auto& [name, given] : values.all()) {
    const bool positional = !bare.name.empty() && name == positional_key(command);
    const Option* option = positional ? &bare : find_option(command, name);
    if (option == nullptr || (!positional && option->in_file == InFile::no) || given.words.empty()) continue;
    out += name + " = " + toml_value(*option, given) + '\n';
  }
}

}  // namespace

std::string expand_variables(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const NamedVariable found = leading_variable(text);
    if (found.length == 0) {
      out += text.front();
      text.remove_prefix(text.starts_with("$$") ? 2 : 1);
      continue;
    }
    const char* value = std::getenv(std::string(found.name).c_str());
    if (value == nullptr)
      throw units::ParseError("the variable " + std::string(found.name) + " is not set ($$ stands for a $)");
    out += value;
    text.remove_prefix(found.length);
  }
  return out;
}

FileSettings read_config(const std::filesystem::path& file, const Command& command,
                         const CommandList& commands) {
  return ConfigReader(file, command, commands).read();
}

std::string config_text(const Command& command, const Values& values, std::span<const Values> steps) {
  std::string out = '[' + std::string(command.name) + "]\n";
  append_table(out, command, values);
  for (const Values& step : steps) {
    out += "\n[[step]]\n";
    append_table(out, command, step);
  }
  return out;
}

}  // namespace steelyard::cli
