// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "docs/pages.hpp"

namespace steelyard::cli {
namespace {

std::vector<const Command*> shown() {
  std::vector<const Command*> out;
  for (const Command* command : commands())
    if (command->visibility == Visibility::shown) out.push_back(command);
  return out;
}

std::string command_names() {
  std::string names;
  for (const Command* command : shown()) names += std::string(command->name) + ' ';
  return names + "help";
}

std::string option_words(const Command& command) {
  std::string words;
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options) words += (words.empty() ? "" : " ") + dashed(option);
  return words;
}

std::string names_of(const Option& option) {
  std::string names = dashed(option);
  if (option.letter != 0) names.append("|-").push_back(option.letter);
  return names;
}

// What follows an option: fixed words, directories, files, benchmark names; empty where nothing can be
// proposed.
std::string bash_values(const Option& option) {
  switch (option.kind) {
    case Kind::word:
      return "COMPREPLY=($(compgen -W '" + std::string(option.words) + "' -- \"$cur\"))";
    case Kind::directory:
      return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case Kind::file:
      return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    case Kind::pattern:
      return "_steelyard_benchmarks";
    default:
      return option.kind == Kind::flag ? "" : "COMPREPLY=()";
  }
}

std::string bash_bare(const Command& command) {
  if (command.positional.kind == Kind::pattern) return "_steelyard_benchmarks";
  if (command.name == "docs")
    return "case $prev in\n          completion) COMPREPLY=($(compgen -W '" + std::string(docs_shells) +
           "' -- \"$cur\")) ;;\n          man|markdown) COMPREPLY=($(compgen -d -- \"$cur\")) ;;\n"
           "          *) COMPREPLY=($(compgen -W '" +
           std::string(docs_words) + "' -- \"$cur\")) ;;\n        esac";
  return "COMPREPLY=($(compgen -f -- \"$cur\"))";
}

std::string bash_command(const Command& command) {
  std::string text = "    " + std::string(command.name) + ")\n      case $prev in\n";
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options)
      if (!bash_values(option).empty())
        text += "        " + names_of(option) + ") " + bash_values(option) + "; return ;;\n";
  text += "      esac\n      if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W '" +
          option_words(command) + "' -- \"$cur\"))\n      else\n        " + bash_bare(command) +
          "\n      fi ;;\n";
  return text;
}

std::string bash() {
  std::string text = R"(# bash completion of steelyard
_steelyard_benchmarks() {
  if [[ -z ${_steelyard_names-} ]]; then
    _steelyard_names=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
    _steelyard_names=$(printf '%s\n' $_steelyard_names; printf '%s\n' $_steelyard_names | sed 's,/.*,,' | sort -u)
  fi
  COMPREPLY=($(compgen -W "$_steelyard_names" -- "$cur"))
}
_steelyard() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} sub=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')" +
                     command_names() + R"( --help --version' -- "$cur"))
    return
  fi
  case $sub in
    help) COMPREPLY=($(compgen -W ')" +
                     command_names() + "' -- \"$cur\")) ;;\n";
  for (const Command* command : shown()) text += bash_command(*command);
  return text + "  esac\n}\ncomplete -F _steelyard steelyard\n";
}

std::string zsh() {
  return "#compdef steelyard\nautoload -U +X bashcompinit && bashcompinit\n" + bash();
}

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

constexpr std::string_view fish_benchmarks =
    "'(steelyard list --names; steelyard list --names | string replace -r \"/.*\" \"\" | sort -u)'";

std::string fish_bare(const Command& command) {
  const std::string seen = "complete -c steelyard -n '__fish_seen_subcommand_from ";
  if (command.positional.kind == Kind::pattern)
    return seen + std::string(command.name) + "' -f -a " + std::string(fish_benchmarks) + '\n';
  if (command.name != "docs") return {};
  return seen + "docs' -f -a " + fish_quoted(docs_words) + '\n' + seen + "completion' -f -a " +
         fish_quoted(docs_shells) + '\n';
}

std::string fish_option(const Command& command, const Option& option) {
  std::string line =
      "complete -c steelyard -n '__fish_seen_subcommand_from " + std::string(command.name) + "'";
  line += (option.origin == Origin::seed ? " -o " : " -l ") + std::string(option.name);
  if (option.letter != 0) line.append(" -s ").push_back(option.letter);
  if (option.kind == Kind::word)
    line += " -x -a " + fish_quoted(option.words);
  else if (option.kind == Kind::pattern)
    line += " -x -a " + std::string(fish_benchmarks);
  else if (option.kind == Kind::directory || option.kind == Kind::file)
    line += " -r";
  else if (option.kind != Kind::flag)
    line += " -x";
  return line + " -d " + fish_quoted(option.help) + '\n';
}

std::string fish() {
  std::string text = "# fish completion of steelyard\n";
  for (const Command* command : shown()) {
    text += "complete -c steelyard -n __fish_use_subcommand -f -a " + std::string(command->name) + " -d " +
            fish_quoted(command->summary) + '\n';
    text += fish_bare(*command);
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options) text += fish_option(*command, option);
  }
  return text;
}

}  // namespace

std::string completion(Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash();
    case Shell::zsh:
      return zsh();
    case Shell::fish:
      return fish();
  }
  return {};
}

}  // namespace steelyard::cli
