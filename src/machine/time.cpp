// SPDX-License-Identifier: Apache-2.0
#include <sys/timex.h>

#include <cerrno>

#include "machine/system.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

Json first_word(const std::optional<std::string>& text) {
  const auto parts = words(text ? std::string_view(*text) : std::string_view());
  return parts.empty() ? Json(nullptr) : or_null(decimal(parts.front()));
}

Json load(const std::optional<std::string>& text) {
  const auto parts = words(text ? std::string_view(*text) : std::string_view());
  if (parts.size() < 3) return nullptr;
  return {or_null(decimal(parts[0])), or_null(decimal(parts[1])), or_null(decimal(parts[2]))};
}

/// Whether something keeps the clock of the day right; there is no file that tells.
Json synchronised(Source& source) {
  if (!source.live()) return nullptr;
  timex query{};
  const int state = ::adjtimex(&query);
  if (state < 0) source.note_missing("adjtimex", error_text(errno));
  return state < 0 ? Json(nullptr) : Json((query.status & STA_UNSYNC) == 0);
}

}  // namespace

void describe_time(Source& source, Json& machine) {
  machine["uptime_s"] = first_word(source.text("/proc/uptime"));
  machine["load"] = load(source.text("/proc/loadavg"));
  machine["clock_synchronised"] = synchronised(source);
}

}  // namespace steelyard::machine
