// SPDX-License-Identifier: Apache-2.0
#include "machine/mounts.hpp"

#include <algorithm>
#include <array>

#include "machine/text.hpp"

namespace steelyard::machine {

namespace {

bool octal(std::string_view digits) {
  return digits.size() == 3 && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '7'; });
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || !octal(text.substr(i + 1, 3))) {
      result += text[i];
      continue;
    }
    result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return result;
}

std::optional<Mount> parse(std::string_view line) {
  const auto parts = words(line);
  const auto dash = static_cast<std::size_t>(std::ranges::find(parts, "-") - parts.begin());
  if (dash < 6 || dash + 3 > parts.size()) return std::nullopt;
  const auto part = [&](std::size_t i) { return i < parts.size() ? unescaped(parts[i]) : std::string(); };
  return Mount{.root = part(3),
               .point = part(4),
               .options = part(5),
               .type = part(dash + 1),
               .source = part(dash + 2),
               .super_options = part(dash + 3)};
}

bool holds(std::string_view point, std::string_view path) {
  if (point == "/") return true;
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

bool harmless(std::string_view option) {
  constexpr std::array<std::string_view, 14> private_keys{"user", "uid",    "gid",  "pass", "cred",
                                                          "name", "domain", "addr", "host", "secret",
                                                          "key",  "token",  "dir",  "label"};
  const auto equals = option.find('=');
  if (equals == std::string_view::npos) return option.find_first_of("/@:") == std::string_view::npos;
  const auto key = lower(option.substr(0, equals));
  if (std::ranges::any_of(private_keys, [&](auto word) { return key.find(word) != std::string::npos; }))
    return false;
  const auto value = option.substr(equals + 1);
  // Dots stay for protocol versions such as "4.2"; an address has three of them.
  return value.find_first_of("/@:\\") == std::string_view::npos && std::ranges::count(value, '.') < 2;
}

}  // namespace

std::vector<Mount> mounts(Source& source) {
  std::vector<Mount> list;
  const auto text = source.text("/proc/self/mountinfo").value_or("");
  for (const auto line : split(text, '\n'))
    if (auto mount = parse(line)) list.push_back(std::move(*mount));
  return list;
}

std::optional<Mount> mount_of(Source& source, const std::string& path) {
  std::optional<Mount> best;
  for (auto& mount : mounts(source))
    if (holds(mount.point, path) && (!best || mount.point.size() >= best->point.size()))
      best = std::move(mount);
  return best;
}

std::string harmless_options(const Mount& mount) {
  std::vector<std::string> kept;
  for (const auto& list : {mount.options, mount.super_options})
    for (const auto option : split(list, ','))
      if (harmless(option) && std::ranges::find(kept, option) == kept.end()) kept.emplace_back(option);
  return join(kept, ",");
}

}  // namespace steelyard::machine
