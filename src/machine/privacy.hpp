// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/source.hpp"
#include "record/records.hpp"

/// Removal of what must never be written: user names, addresses of the machine, secrets.
namespace steelyard::machine {

/// Text with the home directory as "~", the user's name (as a part of a path or a word of its own) as
/// "<user>", and IP, hardware and GUID addresses as "<address>". Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string without_private(std::string_view text);
/// Text with only addresses replaced.
[[nodiscard]] std::string without_addresses(std::string_view text);
/// Text with bytes that are no UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// True if a variable of this name may be written: a listed prefix, no secret, and not a launcher's own
/// contact address.
[[nodiscard]] bool recorded_variable(std::string_view name);

/// Replaces every string of the value (not the names of members) by change(string).
template <class Change>
void change_strings(Json& value, const Change& change) {
  if (value.is_string()) value = change(value.get<std::string>());
  if (!value.is_structured()) return;
  for (auto& part : value) change_strings(part, change);
}

/// Removal of what --anonymous forbids from records: hosts become node0, node1, ... in the order of
/// layout.hosts, the directory of I/O and other paths become words for them, names of jobs and accounts are
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
