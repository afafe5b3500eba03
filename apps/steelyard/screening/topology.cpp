// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "options/checks.hpp"
#include "process/errors.hpp"
#include "screening/files.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

/// End of the word of a list that begins at `from`; a comma within brackets is part of the word.
std::size_t end_of_word(std::string_view list, std::size_t from) {
  int depth = 0;
  std::size_t at = from;
  for (; at < list.size() && (depth > 0 || list[at] != ','); ++at)
    depth += list[at] == '[' ? 1 : list[at] == ']' ? -1 : 0;
  return at;
}

constexpr std::int64_t most_of_a_range = 1 << 20;

/// "a[1-3,07]" -> a1 a2 a3 a07
std::vector<std::string> expanded(const std::string& word) {
  const auto open = word.find('['), close = word.find(']');
  if (open == std::string::npos && close == std::string::npos) return {word};
  if (open == std::string::npos || close == std::string::npos || close < open)
    throw units::ParseError("'" + word + "' has a bracket without its other");
  std::vector<std::string> names;
  for (const std::string& part : comma_list(std::string_view(word).substr(open + 1, close - open - 1))) {
    const auto dash = part.find('-');
    const std::string from = part.substr(0, dash),
                      to = dash == std::string::npos ? from : part.substr(dash + 1);
    const auto first = units::parse_count(from, 0, most_of_a_range),
               last = units::parse_count(to, first, most_of_a_range);
    for (std::int64_t number = first; number <= last; ++number) {
      std::string digits = std::to_string(number);
      if (digits.size() < from.size()) digits.insert(0, from.size() - digits.size(), '0');
      names.push_back(word.substr(0, open) + digits + word.substr(close + 1));
    }
  }
  return names;
}

/// Names of a list: "a[1-3],b".
std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = end_of_word(list, at);
    std::ranges::move(expanded(list.substr(at, end - at)), std::back_inserter(names));
    at = end + 1;
  }
  return names;
}

/// Line of a topology: a switch, and the nodes or switches at it.
struct SwitchLine {
  std::string name, nodes, switches;
};

SwitchLine line_of(const std::string& text) {
  SwitchLine line;
  std::istringstream words(text.substr(0, text.find('#')));
  for (std::string word; words >> word;) {
    const auto equal = word.find('=');
    if (equal == std::string::npos) throw units::ParseError("'" + word + "' has no =");
    const std::string key = units::lower(word.substr(0, equal)), value = word.substr(equal + 1);
    if (key == "switch" || key == "switchname")
      line.name = value;
    else if (key == "nodes")
      line.nodes = value;
    else if (key == "switches")
      line.switches = value;
    else if (key != "linkspeed")
      throw units::ParseError("'" + word.substr(0, equal) + "' is none of switch, nodes, switches");
  }
  const bool says = !line.nodes.empty() || !line.switches.empty();
  if (line.name.empty() && says)
    throw units::ParseError("a switch is missing, as in switch=s1 nodes=a[1-32]");
  if (!line.name.empty() && !says)
    throw units::ParseError("nodes are missing, as in switch=s1 nodes=a[1-32]");
  if (line.name.find('/') != std::string::npos)
    throw units::ParseError("'" + line.name + "': a switch has no / in its name");
  return line;
}

/// Tree of the switches, with the nodes that are at them.
class Tree {
 public:
  void add(const SwitchLine& line) {
    for (const auto& host : names_of(line.nodes)) at_[host] = line.name;
    for (const auto& below : names_of(line.switches)) {
      const auto above = above_.try_emplace(below, line.name).first->second;
      if (above != line.name)
        throw units::ParseError("'" + below + "' is below " + above + " and below " + line.name);
      for (std::string name = line.name; above_.contains(name);) {
        name = above_.at(name);
        if (name == line.name) throw units::ParseError("'" + name + "' is above itself");
      }
    }
  }
  [[nodiscard]] machine::Switches paths() const {
    machine::Switches paths;
    for (const auto& [host, name] : at_) paths[host] = path(name);
    return paths;
  }

 private:
  [[nodiscard]] std::string path(const std::string& name) const {
    const auto above = above_.find(name);
    return above == above_.end() ? name : path(above->second) + '/' + name;
  }
  std::map<std::string, std::string> at_, above_;
};

}  // namespace

machine::Switches parse_topology(std::string_view text, const std::string& name) {
  Tree tree;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      tree.add(line_of(line));
    } catch (const units::ParseError& error) {
      throw UsageError(name + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  auto paths = tree.paths();
  if (paths.empty()) throw UsageError(name + ": no node is at a switch");
  return paths;
}

}  // namespace steelyard::cli
