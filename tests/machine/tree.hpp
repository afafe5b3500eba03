// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "machine/environment.hpp"

/// A tree of /proc and /sys on disk for the life of one test; the format of its text is in trees/README.md.
class Tree {
 public:
  explicit Tree(std::string_view text);
  /// tests/machine/trees/NAME.txt, to be changed.
  static Tree recorded(const std::string& name);
  Tree(Tree&& other) noexcept;
  ~Tree();

  [[nodiscard]] steelyard::machine::Roots roots() const {
    return {.proc = top_ / "proc", .sys = top_ / "sys"};
  }
  /// Adds or replaces files.
  void add(std::string_view text);

 private:
  std::filesystem::path top_;
};

/// tests/machine/trees/NAME.txt as it is; unpacked once for all tests of the program.
const Tree& recorded_tree(std::string_view name);
