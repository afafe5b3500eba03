// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using record::Json;

/// Overwrites `value` if the member is there and of its type.
template <class T>
void read(const Json& json, const char* name, T& value) {
  const auto found = json.find(name);
  if (found == json.end()) return;
  const bool fits = std::is_same_v<T, bool>          ? found->is_boolean()
                    : std::is_same_v<T, std::string> ? found->is_string()
                                                     : found->is_number_integer();
  if (fits) value = found->get<T>();
}

std::optional<int> whole(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<int>();
}

void append_lines(std::vector<std::string>& lines, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Lines of remarks: a list, or one text with several.
std::vector<std::string> remarks(const Json& json) {
  std::vector<std::string> lines;
  const auto found = json.find("remarks");
  if (found == json.end()) return lines;
  if (found->is_string()) append_lines(lines, found->get<std::string>());
  if (!found->is_array()) return lines;
  for (const Json& line : *found) {
    if (line.is_string()) append_lines(lines, line.get<std::string>());
  }
  return lines;
}

void read_measuring(const Json& json, ImbSetup& setup) {
  std::string version, map;
  read(json, "version", version);
  read(json, "map", map);
  setup.version = version == imb::text(imb::Version::v2021) ? imb::Version::v2021 : imb::Version::v31;
  setup.map = parse_map(map);
  setup.multi = whole(json, "multi");
  read(json, "check", setup.check);
  read(json, "show_tail", setup.show_tail);
}

/// Hints of "key=value key=value", or "none".
std::vector<std::pair<std::string, std::string>> hints(const Json& json) {
  std::string list;
  read(json, "hints", list);
  std::vector<std::pair<std::string, std::string>> pairs;
  std::istringstream words(list);
  for (std::string word; words >> word;)
    if (const auto equal = word.find('='); equal != std::string::npos)
      pairs.emplace_back(word.substr(0, equal), word.substr(equal + 1));
  return pairs;
}

void read_head(const Json& json, ImbSetup& setup) {
  read(json, "user_sizes", setup.user_sizes);
  read(json, "listed_sizes", setup.listed_sizes);
  read(json, "min_byte", setup.min_byte);
  read(json, "max_byte", setup.max_byte);
  read(json, "data_type", setup.data_type);
  read(json, "reduction_type", setup.reduction_type);
  read(json, "op", setup.op);
  read(json, "off_cache_byte", setup.off_cache_byte);
  read(json, "off_cache_line_byte", setup.off_cache_line_byte);
  setup.remarks = remarks(json);
  setup.hints = hints(json);
}

/// Suite of an entry: "imb-mpi1" of "imb-mpi1/Bcast".
std::string_view suite_of(std::string_view entry) {
  return entry.substr(0, entry.find('/'));
}

std::vector<std::string> benchmarks_of(const record::RunRecord& run, const imb::Part& part) {
  std::vector<std::string> names;
  for (const std::string& entry : run.plan_sequence) {
    const std::size_t slash = entry.find('/');
    if (slash != std::string::npos && suite_of(entry) == part.name) names.push_back(entry.substr(slash + 1));
  }
  return names;
}

const imb::Part& first_part(const record::RunRecord& run) {
  for (const std::string& entry : run.plan_sequence)
    if (const auto* part = imb::find_part(suite_of(entry))) return *part;
  return imb::mpi1();
}

// Not std::toupper: a Turkish locale has another capital i.
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string thread_level(const Json& mpi) {
  std::string level = record::text_in(mpi, "thread_level");
  std::ranges::transform(level, level.begin(), upper);
  return level.empty() || level.starts_with("MPI_") ? level : "MPI_THREAD_" + level;
}

std::string title(std::string_view program_version, const imb::Part& part, imb::Version version) {
  return fmt::format("steelyard {}, {} (IMB {} rules)\n", program_version, part.title, imb::text(version));
}

std::string title(const record::RunRecord& run, const ImbSetup& setup) {
  const std::string rule = fmt::format("#{:->64}\n", "");
  const std::string program_version = record::text_in(run.program.json(), "version");
  return rule + "#    " + title(program_version, *setup.part, setup.version) + rule;
}

std::string machine(const record::RunRecord& run) {
  const Json& all = run.machine.json();
  const auto found = all.find("uname");
  const Json uname = found == all.end() ? Json{} : *found;
  return fmt::format(
      "# Date                  : {}\n"
      "# Machine               : {}\n"
      "# System                : {}\n"
      "# Release               : {}\n"
      "# Version               : {}\n"
      "# MPI Version           : {}\n"
      "# MPI Thread Environment: {}\n\n\n",
      asctime_form(run.started_utc), record::text_in(uname, "machine"), record::text_in(uname, "sysname"),
      record::text_in(uname, "release"), record::text_in(uname, "version"),
      record::text_in(run.mpi.json(), "standard"), thread_level(run.mpi.json()));
}

std::string blank(const ImbSetup& setup) {
  return setup.part->blanks_in_head ? " " : "";
}

std::string command(const record::RunRecord& run, const ImbSetup& setup) {
  std::string line = fmt::format("{}", fmt::join(run.command, " "));
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("# Calling sequence was: \n\n# {}{}\n\n", line, blank(setup));
}

std::string lengths(const ImbSetup& setup) {
  const std::string_view words = setup.part->size_words;
  if (setup.user_sizes)
    return setup.part->files ? "# IO lengths were user defined\n#\n"
                             : "# Message lengths were user defined\n#\n";
  return fmt::format("# Minimum {0} in bytes:   {1}\n# Maximum {0} in bytes:   {2}\n#\n", words,
                     setup.min_byte, setup.max_byte);
}

std::string types(const ImbSetup& setup) {
  return fmt::format(
      "# MPI_Datatype                   :   {0} \n"
      "# MPI_Datatype for reductions    :   {1}{4}\n"
      "# MPI_Op                         :   {2}  \n"
      "#{3}\n#{3}\n",
      setup.data_type, setup.reduction_type, setup.op, blank(setup),
      setup.part->blank_after_type ? blank(setup) : "");
}

/// Lines of hints, which IMB-IO prints instead of types.
std::string file_hints(const ImbSetup& setup) {
  if (setup.hints.empty()) return "#\n#\n";
  std::string text = fmt::format("# Got {} Info-keys:\n\n", setup.hints.size());
  for (const auto& [key, value] : setup.hints) text += fmt::format("# {} = \"{}\"\n", key, value);
  return text + "#\n#\n";
}

std::string own_lines(const ImbSetup& setup) {
  std::string text = fmt::format("# Throughput in Mbytes/sec: 1 Mbyte = {} bytes\n",
                                 units::format_fixed(imb::mbyte(setup.version), 0));
  if (setup.measured_by)
    text += fmt::format("# Measured by the rules of {}: of {} are this head and the unit of Mbytes/sec\n",
                        imb::text(*setup.measured_by), imb::text(setup.version));
  if (setup.off_cache_byte > 0) {
    const double megabytes = static_cast<double>(setup.off_cache_byte) / static_cast<double>(mebi.count());
    text += fmt::format("# Cache avoided: {} MB, {} byte a line\n", units::format_fixed(megabytes, 6),
                        setup.off_cache_line_byte);
  }
  for (const std::string& remark : setup.remarks) text += fmt::format("# {}\n", remark);
  if (setup.check) text += "# Results checking is on: times are not valid\n";
  return text + "\n";
}

/// Lines of remarks below the name of a benchmark.
std::string remark_lines(const imb::Definition* definition, std::string_view begin) {
  std::vector<std::string> remarks;
  if (definition != nullptr) append_lines(remarks, definition->remarks);
  std::string text;
  for (const std::string& remark : remarks) text += fmt::format("{}{}\n", begin, remark);
  return text;
}

std::string list(const ImbSetup& setup) {
  const bool multi = setup.multi && setup.version == imb::Version::v31;
  std::string text = "# List of Benchmarks to run:\n\n";
  for (const std::string& name : setup.benchmarks)
    text += fmt::format("# {}{}\n", multi ? "(Multi-)" : "", name) +
            remark_lines(imb::find(*setup.part, name), "#     ");
  return text;
}

}  // namespace

ImbSetup imb_setup(const record::RunRecord& run) {
  return imb_setup(run, first_part(run));
}

ImbSetup imb_setup(const record::RunRecord& run, const imb::Part& part) {
  ImbSetup setup;
  setup.part = &part;
  setup.world = run.processes;
  setup.benchmarks = benchmarks_of(run, part);
  const Json& config = run.config.json();
  const auto own = config.find(std::string(part.name));
  if (own == config.end() || !own->is_object()) return setup;
  read_measuring(*own, setup);
  read_head(*own, setup);
  return setup;
}

std::optional<std::pair<int, int>> parse_map(std::string_view text) {
  constexpr std::int64_t most = 1'000'000'000;
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  try {
    const std::int64_t p = units::parse_count(text.substr(0, cross), 1, most);
    const std::int64_t q = units::parse_count(text.substr(cross + 1), 1, most);
    return std::pair{static_cast<int>(p), static_cast<int>(q)};
  } catch (const units::ParseError&) {
    return std::nullopt;
  }
}

std::string asctime_form(const std::string& utc) {
  constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto moment = units::utc_moment(utc);
  if (!moment || utc.size() < std::string_view{"2026-11-20T08:36:21"}.size()) return utc;
  const auto midnight = std::chrono::floor<std::chrono::days>(*moment);
  const std::chrono::year_month_day date{midnight};
  return fmt::format("{} {} {:2} {} {}", days[std::chrono::weekday{midnight}.c_encoding()],
                     months[static_cast<unsigned>(date.month()) - 1], static_cast<unsigned>(date.day()),
                     utc.substr(11, 8), utc.substr(0, 4));
}

std::string imb_list(const imb::Part& part, imb::Version version, std::string_view program_version) {
  std::string suite(part.name);
  std::ranges::transform(suite, suite.begin(), upper);
  std::string text = title(program_version, part, version) + "List of benchmarks:\n" + suite + ":\n";
  const auto usual = imb::default_set(part, version);
  std::vector<const imb::Definition*> sorted;
  for (const imb::Definition& definition : part.benchmarks) sorted.push_back(&definition);
  std::ranges::sort(sorted, {}, &imb::Definition::name);
  for (const imb::Definition* definition : sorted) {
    const bool runs = std::ranges::find(usual, definition->name) != usual.end();
    text += fmt::format("    {}{}\n", definition->name, runs ? "" : " (non-default)") +
            remark_lines(definition, "        ");
  }
  return text;
}

std::string imb_head(const record::RunRecord& run, const ImbSetup& setup) {
  const std::string text = title(run, setup) + machine(run) + command(run, setup) + lengths(setup) +
                           (setup.part->types_shown ? types(setup) : file_hints(setup)) + own_lines(setup) +
                           list(setup);
  return units::controls_escaped(text, "\n\t");
}

}  // namespace steelyard::formats
