// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The command line as data. One table per subcommand is the source of parsing, help, man pages, completion
/// and the configuration file.
namespace steelyard::cli {

/// Grammar of a value (user guide, "Values").
enum class Kind {
  flag,
  size,
  sizes,
  duration,
  count,
  number,
  ratio,
  counts,
  on_off,
  word,
  pattern,
  directory,
  file,
  text,
  special
};

/// Whether the option may come several times; if not, the last one wins.
enum class Repeat { once, many };
/// Whether --resume accepts the option: those that would change the plan are refused.
enum class OnResume { refused, allowed };
/// Whether a word of the configuration file may set it. Actions such as --plan belong to one call only.
enum class InFile { yes, no };
/// Words of a classic program are written with one dash, ours with two; the front-ends take both.
enum class Origin { ours, classic };

/// Whether a subcommand can do without its bare word, an option without its value.
enum class Presence { needed, optional };

// Texts in the row of an option, each told from the others by its type.
struct Help {
  std::string_view text;
};
struct Argument {
  std::string_view text;
};
struct Fallback {
  std::string_view text;
};
struct FallbackText {
  std::string_view text;
};
struct OneOf {
  std::string_view text;
};
struct Former {
  std::string_view text;
};
/// Ends of Kind::count.
struct Within {
  std::int64_t low, high;
};

/// Check of a row by the function that reads its word, with what else that one takes.
template <auto parse, auto... more>
void parses(std::string_view word) {
  static_cast<void>(parse(word, more...));
}

/// One row of a table. `parts`, in any order: Argument, Fallback, FallbackText, OneOf, Former, Within, the letter, the check
/// and the enumerators above; a kind that is not told is a flag.
struct Option {
  template <class... Parts>
  constexpr Option(std::string_view long_name, Kind grammar, std::string_view explanation,
                   const Parts&... parts)
      : name(long_name), kind(grammar), help(explanation) {
    (set(parts), ...);
  }
  template <class... Parts>
  constexpr Option(std::string_view long_name, std::string_view explanation, const Parts&... parts)
      : Option(long_name, Kind::flag, explanation, parts...) {}
  /// The same option with other parts.
  template <class... Parts>
  [[nodiscard]] constexpr Option with(const Parts&... parts) const {
    Option other = *this;
    (other.set(parts), ...);
    return other;
  }

  std::string_view name;  // without dashes
  char letter = 0;
  Kind kind = Kind::flag;
  std::string_view argument = {};       // shown in help; empty = by kind
  std::string_view fallback = {};       // built-in default, a word of the option's grammar
  std::string_view fallback_text = {};  // shown instead of fallback ("suite rule")
  std::string_view help = {};
  std::string_view words = {};     // of Kind::word, and of a list for completion, separated by blanks
  std::string_view former = {};    // "seed=original": an older name of one of them, which stays understood
  std::int64_t low = 0, high = 0;  // of Kind::count
  /// Grammar of Kind::special; throws units::ParseError.
  void (*check)(std::string_view) = nullptr;
  Repeat repeat = Repeat::once;
  OnResume on_resume = OnResume::refused;
  InFile in_file = InFile::yes;
  Origin origin = Origin::ours;
  Presence value = Presence::needed;  // without one the word is empty
  /// Names of options that have no effect if this one comes behind them.
  std::span<const std::string_view> replaces = {};

 private:
  constexpr void set(char part) { letter = part; }
  constexpr void set(Kind part) { kind = part; }
  constexpr void set(Help part) { help = part.text; }
  constexpr void set(Argument part) { argument = part.text; }
  constexpr void set(Fallback part) { fallback = part.text; }
  constexpr void set(FallbackText part) { fallback_text = part.text; }
  constexpr void set(OneOf part) { words = part.text; }
  constexpr void set(Former part) { former = part.text; }
  constexpr void set(Within part) { low = part.low, high = part.high; }
  constexpr void set(void (*part)(std::string_view)) { check = part; }
  constexpr void set(Repeat part) { repeat = part; }
  constexpr void set(OnResume part) { on_resume = part; }
  constexpr void set(InFile part) { in_file = part; }
  constexpr void set(Origin part) { origin = part; }
  constexpr void set(Presence part) { value = part; }
  constexpr void set(std::span<const std::string_view> part) { replaces = part; }
};

struct Group {
  std::string_view title;
  std::span<const Option> options;
};

struct Invocation;

/// Bare words of a subcommand.
struct Positional {
  std::string_view name = {};  // "SELECT"; empty = bare words are refused
  Kind kind = Kind::text;
  Repeat repeat = Repeat::once;
  std::string_view help = {};
  Presence presence = Presence::needed;  // of Repeat::once
};

enum class DashStyle { gnu, one_or_two };  // front-ends of classic programs: -npmin and --npmin
enum class NameCase { as_written, any };
enum class Visibility { shown, hidden };

struct Command {
  std::string_view name;
  std::string_view section;      // of the overview: "Measure", ...
  std::string_view summary;      // half a sentence
  std::string_view description;  // one or more sentences
  Positional positional = {};
  std::span<const Group> groups = {};
  std::span<const std::string_view> examples = {};
  std::span<const int> exit_codes = {};
  std::string_view see_also = {};
  DashStyle dashes = DashStyle::gnu;
  NameCase names = NameCase::as_written;  // of options
  std::string_view link = {};             // name of the classic program: IMB-MPI1
  Visibility visibility = Visibility::shown;
  int (*run)(const Invocation&) = nullptr;
};

/// Groups of a command, the common options last (front-ends of classic programs have their own).
[[nodiscard]] std::vector<Group> all_groups(const Command& command);

/// Key of a command's bare words among its values and in a configuration file: "base-new" of BASE NEW.
[[nodiscard]] std::string positional_key(const Command& command);

/// Option with this name; nullptr if there is none.
[[nodiscard]] const Option* find_option(const Command& command, std::string_view name);
[[nodiscard]] const Option* find_option(const Command& command, char letter);

/// Option as the user writes it: "-o, --out" or "-npmin".
[[nodiscard]] std::string spelling(const Option& option);
/// Its long name alone: "--out" or "-npmin".
[[nodiscard]] std::string dashed(const Option& option);

/// Name of the option's value: "SIZE", "N", "WORD" ...; empty for flags.
[[nodiscard]] std::string_view argument_of(const Option& option);

/// Whether the option can be given by a variable: those that a configuration file may set, and the file itself.
/// Words of the classic programs have none: the originals read no variables.
[[nodiscard]] bool has_variable(const Option& option);
/// Name of the option's variable: STEELYARD_POINT_BUDGET.
[[nodiscard]] std::string environment_name(const Option& option);

/// Words of Kind::word: "quick", "standard", "official".
[[nodiscard]] std::vector<std::string_view> words_of(const Option& option);

/// Present name of a word, which may be an older one.
[[nodiscard]] std::string_view current_word(const Option& option, std::string_view word);

/// Meaning of an exit code.
[[nodiscard]] std::string_view exit_code_text(int code);

/// Throws units::ParseError if the word is not of the option's grammar.
void check_word(const Option& option, std::string_view word);

/// The subcommands of a build, in the order of the overview.
class CommandList {
 public:
  /// `measuring`: those that start MPI, none in a build without it; `reading`: all others.
  CommandList(std::span<const Command* const> measuring, std::span<const Command* const> reading);

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

  /// Whether this build has subcommands that measure.
  [[nodiscard]] bool measures() const { return measures_; }

  /// Subcommand of this name; nullptr if there is none.
  [[nodiscard]] const Command* find(std::string_view name) const;

  /// The classic front-end that a program of this name stands for (is_link_of); nullptr for steelyard itself.
  [[nodiscard]] const Command* front_end(std::string_view argv0) const;

 private:
  std::vector<const Command*> all_;
  bool measures_;
};

/// Whether a program of this base name stands for a classic front-end: any case, '-' and '_' equal, a suffix such as
/// ".mpich" ignored.
[[nodiscard]] bool is_link_of(const Command& command, std::string_view argv0);

/// Whether a name (of a subcommand or of a classic program) measures, in a build with MPI.
[[nodiscard]] bool is_measuring_name(std::string_view name);

/// Help of one subcommand, from its table, in lines of at most `width` characters.
[[nodiscard]] std::string help_text(const Command& command, int width);

/// Usage of the program: one line per subcommand, three examples.
[[nodiscard]] std::string overview(const CommandList& commands, int width);

/// "steelyard run [OPTION...] [SELECT...]".
[[nodiscard]] std::string usage_line(const Command& command);

/// Sentence about options given by variables; stands once in every help text and man page.
inline constexpr std::string_view variables_sentence =
    "What a configuration file may hold can also be given by a variable: STEELYARD_POINT_BUDGET is "
    "--point-budget, STEELYARD_OUT --out. The command line is stronger.";

/// "[default: 2 s; repeatable]"; empty if there is nothing to say.
[[nodiscard]] std::string remarks(const Option& option);

/// Columns of the terminal behind standard output, COLUMNS, else 100.
[[nodiscard]] int help_width();

/// Words broken into lines that begin with `indent` blanks, but for the first.
[[nodiscard]] std::string wrapped(std::string_view text, int width, int indent);

}  // namespace steelyard::cli
