// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/input/file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::string_view blanks = " \t\r\v\f", byte_order_mark = "\xef\xbb\xbf",
                           end_of_line = "end of line";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto from = line.find_first_not_of(blanks);
    if (from == line.npos) return words;
    line.remove_prefix(from);
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return units::read_number<Number>(word);
}

std::string demand(const InputRule& rule) {
  const std::string name(rule.name);
  if (!rule.choices.empty()) return name + " must be " + std::string(rule.choices);
  return name + " must be a whole number from " + std::to_string(rule.low) + " to " +
         std::to_string(rule.high);
}

bool follows(std::optional<std::int64_t> value, const InputRule& rule) {
  return value && *value >= rule.low && *value <= rule.high;
}

InputRule number_of_values() {
  return {"the number of values", 1, static_cast<std::int64_t>(most_input_values)};
}

}  // namespace

/// The words of an input file line by line, read by rules; a word that breaks its rule is kept as a fault.
class InputLines {
 public:
  explicit InputLines(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty()) {
      const auto line = text.substr(0, text.find('\n'));
      lines_.push_back(words_of(line));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    while (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
  }

  [[nodiscard]] const std::vector<InputFault>& faults() const { return faults_; }
  void add_fault(int line, std::string what, std::string_view found) {
    faults_.push_back({line, std::move(what), std::string(found)});
  }
  [[nodiscard]] bool has(int line) const { return static_cast<std::size_t>(line) <= lines_.size(); }
  /// Word at this position, counted from 0; "end of line" if there is none.
  [[nodiscard]] std::string_view word(int line, std::size_t position) const {
    const auto& words = lines_[static_cast<std::size_t>(line - 1)];
    return position < words.size() ? words[position] : end_of_line;
  }

  /// First number of a line; rule.low if it does not follow the rule.
  std::int64_t whole(int line, const InputRule& rule) {
    if (is_missing(line)) return rule.low;
    const auto value = number<std::int64_t>(word(line, 0));
    if (follows(value, rule)) return *value;
    add_fault(line, demand(rule), word(line, 0));
    return rule.low;
  }
  double real(int line, std::string_view name) {
    if (is_missing(line)) return 0;
    const auto value = number<double>(word(line, 0));
    if (value && std::isfinite(*value)) return *value;
    add_fault(line, std::string(name) + " must be a number", word(line, 0));
    return 0;
  }
  /// First `count` numbers of a line; fewer if they do not follow the rule.
  std::vector<std::int64_t> list(int line, std::int64_t count, const InputRule& rule) {
    std::vector<std::int64_t> values;
    if (is_missing(line)) return values;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto found = word(line, static_cast<std::size_t>(i));
      const auto value = number<std::int64_t>(found);
      if (follows(value, rule))
        values.push_back(*value);
      else
        add_fault(line,
                  "value " + std::to_string(i + 1) + " of " + std::to_string(count) + ": " + demand(rule),
                  found);
      if (!value) break;  // a comment or the end: nothing more to be told about
    }
    return values;
  }
  /// Values of a list: this line holds their number, the line after it the values.
  std::vector<std::int64_t> counted(int line, const InputRule& rule) {
    const auto before = faults_.size();
    const auto count = whole(line, number_of_values());
    if (faults_.size() != before) return {};
    return list(line + 1, count, rule);
  }

 private:
  bool is_missing(int line) {
    if (has(line)) return false;
    if (!ended_) add_fault(line, "this line and what follows up to line 31 are missing", "end of file");
    ended_ = true;
    return true;
  }

  std::vector<std::vector<std::string_view>> lines_;
  std::vector<InputFault> faults_;
  bool ended_ = false;  // the first missing line was told
};

// The file made of such lines.

namespace {

constexpr std::int64_t most = most_input_value;
constexpr std::string_view factorisations = "0 (left), 1 (Crout) or 2 (right)";
constexpr std::string_view forms = "0 (transposed) or 1 (not transposed)";

std::string lines_of(const std::string& name, const std::vector<InputFault>& faults) {
  std::string text;
  for (const auto& fault : faults) {
    if (!text.empty()) text += '\n';
    text += name + ':' + std::to_string(fault.line) + ": " + fault.what + ", found \"" + fault.found + '"';
  }
  return text;
}

template <class Code>
std::vector<Code> codes(const std::vector<std::int64_t>& values) {
  std::vector<Code> list;
  for (const auto value : values) list.push_back(static_cast<Code>(value));
  return list;
}

template <class Code>
Code code(InputLines& lines, int line, const InputRule& rule) {
  return static_cast<Code>(lines.whole(line, rule));
}

void check_grids(InputLines& lines, const std::vector<Grid>& grids, int processes) {
  for (std::size_t i = 0; i < grids.size(); ++i)
    if (grids[i].processes() > processes)
      lines.add_fault(12,
                      "a grid of " + std::to_string(grids[i].rows) + " x " +
                          std::to_string(grids[i].columns) + " needs more than the " +
                          std::to_string(processes) + " processes of this run",
                      lines.word(12, i));
}

std::vector<Grid> read_grids(InputLines& lines, std::optional<int> processes) {
  const auto before = lines.faults().size();
  const auto count = lines.whole(10, number_of_values());
  if (lines.faults().size() != before) return {};
  const auto rows = lines.list(11, count, {"P", 1, most});
  const auto columns = lines.list(12, count, {"Q", 1, most});
  std::vector<Grid> grids;
  if (lines.faults().size() != before) return grids;
  for (std::size_t i = 0; i < rows.size(); ++i)
    grids.push_back({static_cast<int>(rows[i]), static_cast<int>(columns[i])});
  if (processes) check_grids(lines, grids, *processes);
  return grids;
}

/// Origin of a text: a user's file, or write_input(), where -1 stands for what only options ask for.
enum class Origin { user = 0, written = -1 };

constexpr std::int64_t lowest(Origin origin) {
  return static_cast<std::int64_t>(origin);
}

hpl::Options read_lists(InputLines& lines, Origin origin) {
  hpl::Options options;
  options.panel = codes<hpl::Factorisation>(lines.counted(14, {"PFACT", 0, 2, factorisations}));
  options.stop = codes<int>(lines.counted(16, {"NBMIN", 1, most}));
  options.parts = codes<int>(lines.counted(18, {"NDIV", 2, most}));
  options.recursive = codes<hpl::Factorisation>(lines.counted(20, {"RFACT", 0, 2, factorisations}));
  options.broadcast = codes<hpl::Broadcast>(lines.counted(
      22, {"BCAST", lowest(origin), 5, "0 (1rg), 1 (1rM), 2 (2rg), 3 (2rM), 4 (Lng) or 5 (LnM)"}));
  options.depth = codes<int>(lines.counted(24, {"DEPTH", 0, most}));
  return options;
}

void read_single_values(InputLines& lines, hpl::Options& options, Origin origin) {
  options.swap = code<hpl::Swap>(lines, 26, {"SWAP", lowest(origin), 2, "0 (bin-exch), 1 (long) or 2 (mix)"});
  options.swap_threshold = lines.whole(27, {"the swapping threshold", 0, most});
  options.l1 = code<hpl::Storage>(lines, 28, {"L1", 0, 1, forms});
  options.u = code<hpl::Storage>(lines, 29, {"U", 0, 1, forms});
  options.equilibration = code<hpl::Equilibration>(lines, 30, {"equilibration", 0, 1, "0 (no) or 1 (yes)"});
  options.alignment = static_cast<int>(lines.whole(31, {"the alignment", 1, most}));
}

/// Reads lines 3 and 4: where the linear solver alone writes.
void read_device(InputLines& lines, InputFile& file) {
  if (!lines.has(4)) return;
  file.device = lines.whole(4, {"the device", std::numeric_limits<std::int32_t>::min(), most});
  if (const auto name = lines.word(3, 0); name != end_of_line) file.output = name;
}

/// Reads extra values of PTRANS, of which the published suite takes 20 and passes over the others.
std::vector<std::int64_t> read_extra(InputLines& lines, int line, const InputRule& rule, InputFile& file) {
  if (!lines.has(line)) return {};
  const auto said = lines.whole(line, {"the number of values", 0, most});
  const auto used = std::min(said, static_cast<std::int64_t>(most_input_values));
  if (said > used)
    file.notes.push_back({line, "only the first " + std::to_string(used) + " of " + std::to_string(said) +
                                    " values are used"});
  if (used == 0) return {};
  if (lines.has(line + 1)) return lines.list(line + 1, used, rule);
  lines.add_fault(line + 1, "line " + std::to_string(line) + " announces values, this line is missing",
                  "end of file");
  return {};
}

InputFile read(std::string_view text, const std::string& name, const Settings& base,
               std::optional<int> processes, Origin origin) {
  InputLines lines(text);
  InputFile file{base, {}};
  auto& settings = file.settings;
  read_device(lines, file);
  settings.problem.orders = lines.counted(5, {"N", 0, most});
  settings.problem.blocks = lines.counted(7, {"NB", 1, most});
  const auto mapping = code<hpl::Mapping>(lines, 9, {"PMAP", 0, 1, "0 (row-major) or 1 (column-major)"});
  settings.problem.grids = read_grids(lines, processes);
  settings.threshold = lines.real(13, "the threshold");
  settings.solver = read_lists(lines, origin);
  settings.solver.mapping = mapping;
  read_single_values(lines, settings.solver, origin);
  settings.extra_orders = read_extra(lines, extra_orders_line,
                                     {"N of PTRANS", std::numeric_limits<std::int32_t>::min(), most}, file);
  settings.extra_blocks = read_extra(lines, extra_blocks_line, {"NB of PTRANS", 1, most}, file);
  if (!lines.faults().empty()) throw InputError(name, lines.faults());
  return file;
}

std::string line(std::string value, std::string_view meaning) {
  constexpr std::size_t column = 16;
  value.resize(std::max(value.size() + 2, column), ' ');
  return value + std::string(meaning) + '\n';
}

template <class Number>
std::string number(Number value, std::string_view meaning) {
  return line(std::to_string(static_cast<std::int64_t>(value)), meaning);
}

template <class Number>
std::string values(const std::vector<Number>& list, std::string_view meaning) {
  std::string text;
  for (const auto value : list)
    text += (text.empty() ? "" : " ") + std::to_string(static_cast<std::int64_t>(value));
  return line(text, meaning);
}

template <class Number>
std::string counted(const std::vector<Number>& list, std::string_view meaning) {
  return number(list.size(), "number of values in the next line") + values(list, meaning);
}

/// The number in all digits, without exponent, with at least one decimal.
std::string plain(double value) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
  const std::string word(text.data(), static_cast<std::size_t>(end - text.data()));
  return word.find('.') == std::string::npos ? word + ".0" : word;
}

std::string grids(const std::vector<Grid>& all) {
  std::vector<int> rows, columns;
  for (const auto& grid : all) {
    rows.push_back(grid.rows);
    columns.push_back(grid.columns);
  }
  return counted(rows, "P") + values(columns, "Q");
}

std::string solver_lines(const hpl::Options& options) {
  return counted(options.panel, "PFACT: 0 left, 1 Crout, 2 right") + counted(options.stop, "NBMIN") +
         counted(options.parts, "NDIV") + counted(options.recursive, "RFACT: 0 left, 1 Crout, 2 right") +
         counted(options.broadcast, "BCAST: 0 1rg, 1 1rM, 2 2rg, 3 2rM, 4 Lng, 5 LnM") +
         counted(options.depth, "DEPTH") + number(options.swap, "SWAP: 0 bin-exch, 1 long, 2 mix") +
         number(options.swap_threshold, "swapping threshold, columns") +
         number(options.l1, "L1: 0 transposed, 1 not transposed") +
         number(options.u, "U: 0 transposed, 1 not transposed") +
         number(options.equilibration, "equilibration: 0 no, 1 yes") +
         number(options.alignment, "alignment in doubles");
}

}  // namespace

InputError::InputError(const std::string& name, std::vector<InputFault> faults)
    : std::runtime_error(lines_of(name, faults)),
      faults_(std::move(faults)),
      lines_(lines_of(name, faults_)) {}

InputFile read_input(std::string_view text, const std::string& name, const Settings& base,
                     std::optional<int> processes) {
  return read(text, name, base, processes, Origin::user);
}

InputFile read_written(std::string_view text, const std::string& name) {
  return read(text, name, {}, std::nullopt, Origin::written);
}

std::string write_input(const Settings& settings) {
  return "HPC Challenge input file, written by steelyard\n"
         "Lines 5 to 31 are of the linear solver; the sizes of all tests follow from N, P and Q.\n" +
         line("HPL.out", "file of the linear solver alone") + number(6, "device of the linear solver alone") +
         counted(settings.problem.orders, "N") + counted(settings.problem.blocks, "NB") +
         number(settings.solver.mapping, "PMAP: 0 row-major, 1 column-major") +
         grids(settings.problem.grids) + line(plain(settings.threshold), "threshold of the checks") +
         solver_lines(settings.solver) +
         "--- PTRANS alone; its own N are used beside half of each N above, its own NB before those above\n" +
         counted(settings.extra_orders, "N of PTRANS") + counted(settings.extra_blocks, "NB of PTRANS");
}

}  // namespace steelyard::hpcc
