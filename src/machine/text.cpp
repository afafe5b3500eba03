// SPDX-License-Identifier: Apache-2.0
#include "machine/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace steelyard::machine {

namespace {

constexpr std::string_view blanks = " \t\r\n";
// A list of processors longer than this is a broken file.
constexpr std::int64_t most_processors = 1 << 20;

void append_range(std::string_view part, std::vector<int>& list) {
  const auto dash = part.find('-');
  const auto first = whole(trimmed(part.substr(0, dash)));
  const auto last = dash == std::string_view::npos ? first : whole(trimmed(part.substr(dash + 1)));
  if (!first || !last || *first < 0 || *last >= most_processors) return;
  for (auto n = *first; n <= *last; ++n) list.push_back(static_cast<int>(n));
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  for (auto first = text.find_first_not_of(blanks); first != std::string_view::npos;
       first = text.find_first_not_of(blanks)) {
    text.remove_prefix(first);
    const auto end = std::min(text.find_first_of(blanks), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : std::string(separator)) + part;
  return text;
}

std::optional<std::int64_t> whole(std::string_view text) {
  return units::read_number<std::int64_t>(text);
}

std::optional<double> decimal(std::string_view text) {
  const auto value = units::read_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::string_view> field(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) continue;
    return trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

std::optional<std::int64_t> counter(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    const auto parts = words(line);
    if (parts.size() == 2 && parts[0] == key) return whole(parts[1]);
  }
  return std::nullopt;
}

std::optional<std::int64_t> bytes_of_kilobytes(std::string_view text, std::string_view key) {
  const auto value = field(text, key);
  if (!value || value->empty()) return std::nullopt;
  const auto kilobytes = whole(words(*value).front());
  if (!kilobytes) return std::nullopt;
  return *kilobytes * 1024;
}

std::optional<std::int64_t> cache_bytes(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = whole(text.substr(0, end));
  if (!count) return std::nullopt;
  const auto unit = trimmed(text.substr(end));
  if (unit.empty()) return count;
  if (unit.front() == 'K' || unit.front() == 'k') return *count << 10;
  if (unit.front() == 'M') return *count << 20;
  if (unit.front() == 'G') return *count << 30;
  return std::nullopt;
}

std::optional<std::string_view> chosen(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? text.size() : open);
  if (close == std::string_view::npos) return std::nullopt;
  return text.substr(open + 1, close - open - 1);
}

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> list;
  for (const auto part : split(trimmed(text), ',')) append_range(part, list);
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::string format_cpu_list(std::span<const int> ascending) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    auto j = i;
    while (j + 1 < ascending.size() && ascending[j + 1] == ascending[j] + 1) ++j;
    if (!text.empty()) text += ',';
    text += std::to_string(ascending[i]);
    if (j > i) text.append("-").append(std::to_string(ascending[j]));
    i = j + 1;
  }
  return text;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto octet = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0U;
    };
    const std::uint32_t group = octet(0) << 16 | octet(1) << 8 | octet(2);
    text += letters[group >> 18 & 63U];
    text += letters[group >> 12 & 63U];
    text += i + 1 < bytes.size() ? letters[group >> 6 & 63U] : '=';
    text += i + 2 < bytes.size() ? letters[group & 63U] : '=';
  }
  return text;
}

}  // namespace steelyard::machine
