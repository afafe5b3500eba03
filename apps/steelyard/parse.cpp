// SPDX-License-Identifier: Apache-2.0
#include "parse.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// "-npmin", "-npmin=2", "--npmin" -> the table's name; empty if the word is no long option of the front-end.
const Option* single_dash_option(const Command& command, std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return nullptr;
  return find_option(command, word.substr(1, word.find('=') - 1));
}

// CLI11 reads "-npmin" as "-n pmin": known single-dash words get a second dash first. The value of an option
// is passed over, so that a file may be called "-multi".
std::vector<std::string> with_two_dashes(const Command& command, std::span<const std::string> words) {
  std::vector<std::string> out(words.begin(), words.end());
  for (std::size_t i = 0; i < out.size() && out[i] != "--"; ++i) {
    const Option* option = single_dash_option(command, out[i]);
    if (option != nullptr) out[i].insert(0, "-");
    if (option != nullptr && option->kind != Kind::flag && out[i].find('=') == std::string::npos) ++i;
  }
  return out;
}

// The option that a word such as "--sizes=4" or "-o" names.
const Option* named_by(const Command& command, std::string_view word) {
  if (word.size() == 2 && word[0] == '-') return find_option(command, word[1]);
  if (!word.starts_with("--")) return nullptr;
  return find_option(command, word.substr(2, word.find('=') - 2));
}

void refuse_values_of_flags(const Command& command, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    const Option* option = named_by(command, word);
    if (option != nullptr && option->kind == Kind::flag && word.find('=') != std::string::npos)
      throw UsageError(dashed(*option) + ": takes no value");
  }
}

// One CLI11 application for the words of one subcommand; values are gathered as they are.
class Cutter {
 public:
  explicit Cutter(const Command& command) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const Group& group : all_groups(command))
      for (const Option& option : group.options) add(option);
    app_.add_option("words", keep(bare_))->expected(0, -1)->allow_extra_args();
  }

  Words cut(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    app_.parse(std::move(words));
    std::erase_if(options_, [](const auto& entry) { return entry.second.empty(); });
    return {std::move(options_), std::move(bare_)};
  }

  // CLI11 counts the end of options among what it does not know.
  [[nodiscard]] std::vector<std::string> unknown() const {
    std::vector<std::string> words = app_.remaining();
    std::erase(words, "--");
    return words;
  }

 private:
  void add(const Option& option) {
    std::string names;
    if (option.letter != 0) names.append({'-', option.letter, ','});
    names.append("--").append(option.name);
    if (option.kind == Kind::flag)
      app_.add_flag_function(names, [this, &option](std::int64_t times) {
        options_[std::string(option.name)].assign(static_cast<std::size_t>(times), "on");
      });
    else
      app_.add_option(names, keep(options_[std::string(option.name)]))->take_all();
  }

  static CLI::callback_t keep(std::vector<std::string>& place) {
    return [&place](const CLI::results_t& given) {
      place = given;
      return true;
    };
  }

  CLI::App app_;
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> bare_;
};

void check_values(const Command& command, const Words& words) {
  for (const auto& [name, values] : words.options) {
    const Option& option = *find_option(command, name);
    if (option.kind == Kind::flag) continue;
    try {
      for (const std::string& value : values) check_word(option, value);
    } catch (const units::ParseError& error) {
      throw UsageError(dashed(option) + ": " + error.what());
    }
  }
}

void check_bare_words(const Command& command, const Words& words) {
  const Positional& positional = command.positional;
  const std::size_t most = positional.name.empty()             ? 0
                           : positional.repeat == Repeat::once ? 1
                                                               : words.bare.size();
  if (words.bare.size() > most) throw UsageError("unexpected word '" + words.bare[most] + "'");
}

}  // namespace

void refuse_unknown_options(const Command& command, std::span<const std::string> unknown) {
  std::string list, suggestion;
  std::vector<std::string> valid;
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options) valid.push_back(dashed(option));
  for (const std::string& word : unknown) {
    list += (list.empty() ? "'" : ", '") + word + "'";
    const auto near = units::nearest(word.substr(0, word.find('=')), valid);
    if (near) suggestion += (suggestion.empty() ? "did you mean '" : ", '") + *near + "'";
  }
  if (!suggestion.empty()) suggestion += "?";
  throw UsageError((unknown.size() > 1 ? "unknown options " : "unknown option ") + list, suggestion);
}

Words parse_words(const Command& command, std::span<const std::string> words) {
  const std::vector<std::string> rewritten = command.dashes == DashStyle::one_or_two
                                                 ? with_two_dashes(command, words)
                                                 : std::vector<std::string>(words.begin(), words.end());
  refuse_values_of_flags(command, rewritten);
  Cutter cutter(command);
  Words cut;
  try {
    cut = cutter.cut(rewritten);
  } catch (const CLI::ParseError&) {
    // The only way to fail with extras allowed and text values: the last option lacks its value.
    const Option* option = named_by(command, rewritten.back());
    if (option == nullptr) throw UsageError("'" + rewritten.back() + "' lacks a value");
    throw UsageError(dashed(*option) + ": lacks its value " + std::string(argument_of(*option)));
  }
  if (!cutter.unknown().empty()) refuse_unknown_options(command, cutter.unknown());
  check_values(command, cut);
  check_bare_words(command, cut);
  return cut;
}

}  // namespace steelyard::cli
