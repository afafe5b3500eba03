// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "machine/text.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<std::string> expanded(const std::string& path) {
  const auto open = path.find('{');
  const auto close = path.find('}');
  if (open == std::string::npos || close == std::string::npos) return {path};
  std::vector<std::string> paths;
  for (const auto part :
       steelyard::machine::split(std::string_view(path).substr(open + 1, close - open - 1), ','))
    paths.push_back(path.substr(0, open) + std::string(part) + path.substr(close + 1));
  return paths;
}

fs::path new_directory() {
  auto name = (fs::temp_directory_path() / "steelyard-tree-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for a test's tree");
  return name;
}

fs::path prepared(const fs::path& top, const std::string& path) {
  const auto place = top / path.substr(1);
  fs::create_directories(place.parent_path());
  fs::remove(place);
  return place;
}

}  // namespace

Tree::Tree(std::string_view text) : top_(new_directory()) {
  fs::create_directories(top_ / "proc");
  fs::create_directories(top_ / "sys");
  add(text);
}

Tree Tree::recorded(const std::string& name) {
  std::ifstream file(fs::path(STEELYARD_TEST_TREES) / (name + ".txt"));
  if (!file) throw std::runtime_error("no tree " + name);
  std::stringstream text;
  text << file.rdbuf();
  return Tree(text.str());
}

Tree::Tree(Tree&& other) noexcept : top_(std::exchange(other.top_, fs::path())) {}

Tree::~Tree() {
  std::error_code ignored;
  if (!top_.empty()) fs::remove_all(top_, ignored);
}

void Tree::add(std::string_view text) {
  std::vector<fs::path> open;
  for (const auto line : steelyard::machine::split(text, '\n')) {
    if (!line.starts_with("@ ")) {
      for (const auto& path : open) std::ofstream(path, std::ios::app) << line << '\n';
      continue;
    }
    const std::string head(line.substr(2));
    const auto value = head.find(" = ");
    const auto link = head.find(" -> ");
    open.clear();
    for (const auto& path : expanded(head.substr(0, std::min(value, link)))) {
      open.push_back(prepared(top_, path));
      if (link != std::string::npos)
        fs::create_symlink(head.substr(link + 4), open.back());
      else
        std::ofstream(open.back()) << (value == std::string::npos ? "" : head.substr(value + 3) + "\n");
    }
    if (value != std::string::npos || link != std::string::npos) open.clear();
  }
}

const Tree& recorded_tree(std::string_view name) {
  static std::map<std::string, Tree, std::less<>> trees;
  const auto known = trees.find(name);
  return known != trees.end() ? known->second
                              : trees.emplace(name, Tree::recorded(std::string(name))).first->second;
}
