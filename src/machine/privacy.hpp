// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/source.hpp"

/// What must never be written: who the user is, where the machine can be reached, what opens doors.
namespace steelyard::machine {

/// The text with the home directory as "~", the user's name (as a part of a path or a word of its own) as
/// "<user>", and IP, hardware and GUID addresses as "<address>". Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string without_private(std::string_view text);
/// Only addresses replaced.
[[nodiscard]] std::string without_addresses(std::string_view text);
/// Bytes that are no UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// Contains TOKEN, KEY, SECRET, PASS or CRED in any case.
[[nodiscard]] bool secret_name(std::string_view name);
/// May a variable of this name be written: a listed prefix, no secret, and not a launcher's own contact
/// address.
[[nodiscard]] bool recorded_variable(std::string_view name);

/// Every string of the value (not the names of members) replaced by change(string).
template <class Change>
void change_strings(Json& value, const Change& change) {
  if (value.is_string()) value = change(value.get<std::string>());
  if (!value.is_structured()) return;
  for (auto& part : value) change_strings(part, change);
}

}  // namespace steelyard::machine
