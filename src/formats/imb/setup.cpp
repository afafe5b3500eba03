// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/setup.hpp"

#include <algorithm>
#include <sstream>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using record::Json;

/// Overwrites `value` if the member is there and of its kind.
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

/// A list of lines, or one text with several.
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

/// "key=value key=value", or "none".
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

/// "imb-mpi1" of "imb-mpi1/Bcast".
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

}  // namespace steelyard::formats
