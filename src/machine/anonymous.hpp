// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/source.hpp"
#include "record/records.hpp"

namespace steelyard::machine {

/// Takes out of records what --anonymous forbids: hosts become node0, node1, ... in the order of
/// layout.hosts, the directory of I/O becomes <io-dir>, other paths <path>, names of jobs and accounts are
/// absent. Made from the run record as it was before; for every further record of that run the same object
/// gives the same names.
class Anonymous {
 public:
  explicit Anonymous(const record::RunRecord& run);

  void apply(record::RunRecord& run) const;
  void apply(record::PointRecord& point) const;
  void apply(record::EventRecord& event) const;
  [[nodiscard]] std::string text(std::string_view text) const;

 private:
  [[nodiscard]] std::string without_hosts(std::string_view text) const;
  void apply_to_machine(Json& machine) const;
  void apply_to_settings(Json& settings) const;
  void apply_to_texts(Json& value) const;

  std::vector<std::pair<std::string, std::string>> hosts_;  // name, replacement; longest name first
  std::vector<std::pair<std::string, std::string>> paths_;  // path, replacement; longest path first
};

}  // namespace steelyard::machine
