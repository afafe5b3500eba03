// SPDX-License-Identifier: Apache-2.0
#include "docs/pages.hpp"

#include <algorithm>
#include <cctype>

#include "machine/environment.hpp"

namespace steelyard::cli {
namespace {

// Text with backslashes and dashes as roff wants them; a control character at the beginning of a line is disarmed.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string header(const std::string& title) {
  return ".TH " + upper(title) + " 1 \"\" \"steelyard " + machine::version() + "\" \"User Commands\"\n";
}

std::string section(std::string_view title) {
  return ".SH " + std::string(upper(title)) + '\n';
}

std::string option_entry(const Option& option) {
  std::string text = ".TP\n.B " + roff(spelling(option));
  if (!argument_of(option).empty()) text += " \\fI" + roff(argument_of(option)) + "\\fR";
  text += '\n' + roff(option.help) + '\n';
  const std::string notes = remarks(option);
  return notes.empty() ? text : text + roff(notes) + '\n';
}

std::string examples(const Command& command) {
  std::string text = section("Examples") + ".nf\n";
  for (const std::string_view example : command.examples) text += roff(example) + '\n';
  return text + ".fi\n";
}

std::string exit_status(const Command& command) {
  std::string text = section("Exit status");
  for (const int code : command.exit_codes)
    text += ".TP\n.B " + std::to_string(code) + '\n' + roff(exit_code_text(code)) + '\n';
  return text;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string option_row(const Option& option) {
  const std::string argument(argument_of(option));
  const std::string left = spelling(option) + (argument.empty() ? "" : " " + argument);
  return "| `" + cell(left) + "` | " + cell(option.help) + " | " + cell(remarks(option)) + " |\n";
}

std::vector<const Command*> shown(const CommandList& commands) {
  std::vector<const Command*> out;
  for (const Command* command : commands)
    if (command->visibility == Visibility::shown) out.push_back(command);
  return out;
}

std::string command_names(const CommandList& commands) {
  std::string names;
  for (const Command* command : shown(commands)) names += std::string(command->name) + ' ';
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

/// Whether the bare words of a command are names of its own benchmarks, as those of the parts of IMB are.
bool takes_benchmarks(const Command& command) {
  return command.positional.name == "NAME";
}

/// Whether the words of an option may be joined by commas.
bool is_list(const Option& option) {
  return option.kind == Kind::text && !option.words.empty();
}

// Lines of bash that propose values of an option: fixed words, directories, files, benchmark names; empty for flags.
std::string bash_values(const Option& option) {
  if (is_list(option)) return "_steelyard_list '" + std::string(option.words) + "'";
  switch (option.kind) {
    case Kind::word: return "COMPREPLY=($(compgen -W '" + std::string(option.words) + "' -- \"$cur\"))";
    case Kind::directory: return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case Kind::file: return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    case Kind::pattern: return "_steelyard_benchmarks";
    default: return option.kind == Kind::flag ? "" : "COMPREPLY=()";
  }
}

std::string bash_bare(const Command& command) {
  if (command.positional.kind == Kind::pattern) return "_steelyard_benchmarks";
  if (takes_benchmarks(command)) return "_steelyard_benchmarks_of " + std::string(command.name);
  if (command.name == "systems") return "_steelyard_systems";
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

std::string bash(const CommandList& commands) {
  std::string text = R"sh(# bash completion of steelyard
_steelyard_known() {
  [[ -z ${_steelyard_names-} ]] || return
  _steelyard_names=$("${COMP_WORDS[0]}" list --names 2>/dev/null)
  _steelyard_names=$(printf '%s\n' $_steelyard_names; printf '%s\n' $_steelyard_names | sed 's,/.*,,' | sort -u)
}
_steelyard_benchmarks() {
  _steelyard_known
  COMPREPLY=($(compgen -W "$_steelyard_names" -- "$cur"))
}
_steelyard_benchmarks_of() {
  _steelyard_known
  COMPREPLY=($(compgen -W "$(printf '%s\n' $_steelyard_names | sed -n "s,^$1/,,p")" -- "$cur"))
}
_steelyard_systems() {
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" systems --format csv 2>/dev/null | sed '1d; s/,.*//')" -- "$cur"))
}
# Words of a list with commas: the last one is completed.
_steelyard_list() {
  local list=${cur%"${cur##*,}"}
  COMPREPLY=($(compgen -P "$list" -W "$1" -- "${cur##*,}"))
}
# A value behind "=" is a word of its own in bash, and a part of its option elsewhere.
_steelyard() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} sub=${COMP_WORDS[1]} option=
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $prev == '=' ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == -*=* ]]; then
    option=${cur%%=*}= prev=${cur%%=*} cur=${cur#*=}
  fi
  COMPREPLY=()
  _steelyard_propose
  [[ -z $option ]] || COMPREPLY=("${COMPREPLY[@]/#/$option}")
}
_steelyard_propose() {
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')sh" +
                     command_names(commands) + R"sh( --help --version' -- "$cur"))
    return
  fi
  case $sub in
    help) COMPREPLY=($(compgen -W ')sh" +
                     command_names(commands) + "' -- \"$cur\")) ;;\n";
  for (const Command* command : shown(commands)) text += bash_command(*command);
  return text + "  esac\n}\ncomplete -F _steelyard steelyard\n";
}

// zsh reads the file when completion is asked for the first time, and that is to be answered as well.
std::string zsh(const CommandList& commands) {
  return "#compdef steelyard\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands) +
         "_bash_complete -F _steelyard\n";
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
constexpr std::string_view fish_systems =
    "'(steelyard systems --format csv | string replace -r \",.*\" \"\" | tail -n +2)'";

std::string fish_benchmarks_of(const Command& command) {
  return "'(steelyard list --names | string replace -rf \"^" + std::string(command.name) + "/\" \"\")'";
}

std::string fish_bare(const Command& command) {
  const std::string seen = "complete -c steelyard -n '__fish_seen_subcommand_from ";
  if (command.positional.kind == Kind::pattern)
    return seen + std::string(command.name) + "' -f -a " + std::string(fish_benchmarks) + '\n';
  if (takes_benchmarks(command))
    return seen + std::string(command.name) + "' -f -a " + fish_benchmarks_of(command) + '\n';
  if (command.name == "systems") return seen + "systems' -f -a " + std::string(fish_systems) + '\n';
  if (command.name != "docs") return {};
  return seen + "docs; and not __fish_seen_subcommand_from completion' -f -a " + fish_quoted(docs_words) +
         '\n' + seen + "completion' -f -a " + fish_quoted(docs_shells) + '\n';
}

std::string fish_option(const Command& command, const Option& option) {
  std::string line =
      "complete -c steelyard -n '__fish_seen_subcommand_from " + std::string(command.name) + "'";
  line += (option.origin == Origin::classic ? " -o " : " -l ") + std::string(option.name);
  if (option.letter != 0) line.append(" -s ").push_back(option.letter);
  if (is_list(option))
    line += " -x -a " + fish_quoted("(__steelyard_list " + std::string(option.words) + ")");
  else if (!option.words.empty())
    line += " -x -a " + fish_quoted(option.words);
  else if (option.kind == Kind::pattern)
    line += " -x -a " + std::string(fish_benchmarks);
  else if (option.kind == Kind::directory || option.kind == Kind::file)
    line += " -r";
  else if (option.kind != Kind::flag)
    line += " -x";
  return line + " -d " + fish_quoted(option.help) + '\n';
}

std::string fish(const CommandList& commands) {
  std::string text =
      "# fish completion of steelyard\n"
      "# Words of a list with commas: the last one is completed, behind those before it.\n"
      "function __steelyard_list\n"
      "  set -l token (commandline -ct)\n"
      "  set -l before (string replace -r '^(-[^=]*=)?((.*,)?).*$' '$2' -- \"$token\")\n"
      "  printf '%s\\n' $before$argv\n"
      "end\n"
      "complete -c steelyard -n __fish_use_subcommand -f -a help -d 'options of a subcommand'\n"
      "complete -c steelyard -n '__fish_seen_subcommand_from help' -f -a " +
      fish_quoted(command_names(commands)) + '\n';
  for (const Command* command : shown(commands)) {
    text += "complete -c steelyard -n __fish_use_subcommand -f -a " + std::string(command->name) + " -d " +
            fish_quoted(command->summary) + '\n';
    text += fish_bare(*command);
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options) text += fish_option(*command, option);
  }
  return text;
}

}  // namespace

std::string man_page(const Command& command) {
  const std::string name = "steelyard-" + std::string(command.name);
  std::string text = header(name) + section("Name") + roff(name) + " \\- " + roff(command.summary) + '\n';
  text += section("Synopsis") + ".B " + roff(usage_line(command)) + '\n';
  text += section("Description") + roff(command.description) + '\n';
  if (!command.positional.name.empty())
    text += ".TP\n.I " + roff(command.positional.name) + '\n' + roff(command.positional.help) + '\n';
  text += section("Options");
  for (const Group& group : all_groups(command)) {
    text += ".SS " + std::string(group.title) + '\n';
    for (const Option& option : group.options) text += option_entry(option);
  }
  text += section("Environment") + roff(variables_sentence) + '\n';
  return text + examples(command) + exit_status(command) + section("See also") + ".BR steelyard (1)\n";
}

std::string man_overview(const CommandList& commands) {
  std::string text = header("steelyard") + section("Name") + "steelyard \\- weighs a parallel machine\n";
  text += section("Synopsis") + ".B steelyard\n.I SUBCOMMAND\n[OPTION...]\n";
  text += section("Description") +
          "Measures message passing on a parallel machine and says how far each number can be trusted. Every "
          "run leaves one file of records, from which all tables and texts are derived.\n";
  text += section("Subcommands");
  for (const Command* command : commands)
    if (command->visibility == Visibility::shown)
      text += ".TP\n.BR steelyard\\-" + roff(command->name) + " (1)\n" + roff(command->summary) + '\n';
  return text;
}

std::string markdown_page(const Command& command) {
  std::string text = "# steelyard " + std::string(command.name) + "\n\n    " + usage_line(command) + "\n\n";
  text += std::string(command.description) + '\n';
  if (!command.positional.name.empty())
    text +=
        "\n`" + std::string(command.positional.name) + "`: " + std::string(command.positional.help) + '\n';
  for (const Group& group : all_groups(command)) {
    text += "\n## " + std::string(group.title) + "\n\n| option | meaning | values |\n|---|---|---|\n";
    for (const Option& option : group.options) text += option_row(option);
  }
  text += "\n## Examples\n\n";
  for (const std::string_view example : command.examples) text += "    " + std::string(example) + '\n';
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const int code : command.exit_codes)
    text += "| " + std::to_string(code) + " | " + std::string(exit_code_text(code)) + " |\n";
  return text;
}

std::string completion(const CommandList& commands, Shell shell) {
  switch (shell) {
    case Shell::bash: return bash(commands);
    case Shell::zsh: return zsh(commands);
    case Shell::fish: return fish(commands);
  }
  return {};
}

}  // namespace steelyard::cli
