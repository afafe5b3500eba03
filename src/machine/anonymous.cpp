// SPDX-License-Identifier: Apache-2.0
#include "machine/anonymous.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "machine/privacy.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {

namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

bool host_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}
bool path_letter(char c) {
  return host_letter(c) || c == '.' || c == '/' || c == '~' || c == '+';
}

/// Replaces whole words: letters on neither side of what was found.
template <class Letter>
std::string replaced(std::string_view text, const Replacements& list, const Letter& letter) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto fits = [&](const auto& entry) {
      const auto end = i + entry.first.size();
      return text.substr(i).starts_with(entry.first) && (end == text.size() || !letter(text[end]));
    };
    const bool starts = i == 0 || !letter(text[i - 1]);
    const auto found = starts ? std::ranges::find_if(list, fits) : list.end();
    result += found == list.end() ? text.substr(i, 1) : std::string_view(found->second);
    i += found == list.end() ? 1 : found->first.size();
  }
  return result;
}

/// "/a/b", "~/a", "./a" and "../a" where a word begins; "imb-mpi1/PingPong" and "byte/s" are no paths.
bool path_starts(std::string_view text, std::size_t i) {
  if (i > 0 && path_letter(text[i - 1])) return false;
  const auto rest = text.substr(i);
  if (rest.starts_with("~/") || rest.starts_with("./") || rest.starts_with("../")) return true;
  return rest.size() > 1 && rest[0] == '/' && path_letter(rest[1]);
}

std::size_t path_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && path_letter(text[length])) ++length;
  while (length > 1 && text[length - 1] == '.') --length;
  return length;
}

std::string without_paths(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto length = path_starts(text, i) ? path_length(text.substr(i)) : 0;
    result += length > 0 ? std::string_view("<path>") : text.substr(i, 1);
    i += std::max<std::size_t>(1, length);
  }
  return result;
}

void longest_first(Replacements& list) {
  std::erase_if(list, [](const auto& entry) { return entry.first.size() < 2; });
  std::ranges::stable_sort(list,
                           [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string own_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Replacements host_replacements(const Json& layout) {
  Replacements list;
  const auto add = [&](const std::string& name, const std::string& by) {
    list.emplace_back(name, by);
    list.emplace_back(name.substr(0, name.find('.')), by);
  };
  if (layout.is_object() && layout.contains("hosts"))
    for (const auto& host : layout["hosts"])
      add(host.get<std::string>(), "node" + std::to_string(list.size() / 2));
  add(own_host(), "node0");
  longest_first(list);
  return list;
}

bool names_path(std::string_view option) {
  constexpr std::array<std::string_view, 5> ends{"dir", "file", "path", "output", "prefix"};
  return std::ranges::any_of(ends, [&](auto end) { return option.ends_with(end); });
}

/// Values of options that are paths, also those that do not look like one ("results").
Replacements path_replacements(const record::RunRecord& run) {
  Replacements list;
  const auto& io = run.io.json();
  if (io.is_object() && io.contains("path") && io["path"].is_string())
    list.emplace_back(io["path"].get<std::string>(), "<io-dir>");
  const auto& config = run.config.json();
  for (const auto& [name, value] : config.items())
    if (value.is_string() && names_path(name))
      list.emplace_back(value.get<std::string>(), name.starts_with("io") ? "<io-dir>" : "<path>");
  longest_first(list);
  return list;
}

void erase_members(Json& object, std::initializer_list<const char*> names) {
  if (!object.is_object()) return;
  for (const char* name : names) object.erase(name);
}

/// A name that the user did not give comes from the host or the cluster.
bool chosen_by_user(const record::RunRecord& run) {
  const auto& sources = run.config_sources.json();
  if (!sources.is_object() || !sources.contains("name")) return false;
  const auto& source = sources["name"];
  return source == "command line" || source == "file" || source == "environment";
}

}  // namespace

Anonymous::Anonymous(const record::RunRecord& run)
    : hosts_(host_replacements(run.layout.json())), paths_(path_replacements(run)) {}

std::string Anonymous::without_hosts(std::string_view text) const {
  return replaced(text, hosts_, host_letter);
}

std::string Anonymous::text(std::string_view text) const {
  return without_hosts(without_paths(without_private(replaced(text, paths_, path_letter))));
}

void Anonymous::apply_to_texts(Json& value) const {
  change_strings(value, [this](const std::string& part) { return text(part); });
}

/// Paths of the kernel's files stay: they are the same everywhere.
void Anonymous::apply_to_machine(Json& machine) const {
  change_strings(machine, [this](const std::string& part) { return without_hosts(part); });
}

void Anonymous::apply_to_settings(Json& settings) const {
  change_strings(settings, [this](const std::string& value) {
    return value.find_first_of("/@") == std::string::npos ? text(value) : std::string("<withheld>");
  });
}

void Anonymous::apply(record::RunRecord& run) const {
  for (auto& word : run.command) word = text(word);
  for (auto* document : {&run.program, &run.config, &run.resumes, &run.layout, &run.mpi, &run.libraries,
                         &run.blas, &run.io, &run.job, &run.clock, &run.noise})
    apply_to_texts(document->json());
  apply_to_machine(run.machine.json());
  apply_to_settings(run.environment.json());
  if (auto& mpi = run.mpi.json(); mpi.is_object() && mpi.contains("settings"))
    apply_to_settings(mpi["settings"]);
  erase_members(run.io.json(), {"path", "source", "mount_point"});
  erase_members(run.job.json(), {"id", "name", "account", "partition", "node_list"});
  run.name = chosen_by_user(run) ? text(run.name) : "";
  for (auto& [label, value] : run.labels) value = text(value);
}

void Anonymous::apply(record::PointRecord& point) const {
  if (point.slowest_host) point.slowest_host = text(*point.slowest_host);
  if (!point.reason) return;
  point.reason->text = text(point.reason->text);
  if (point.reason->host) point.reason->host = text(*point.reason->host);
}

void Anonymous::apply(record::EventRecord& event) const {
  event.text = text(event.text);
  apply_to_texts(event.data.json());
}

void anonymise(record::RunRecord& run) {
  Anonymous(run).apply(run);
}

void withhold_private(record::RunRecord& run) {
  const auto clean = [](const std::string& text) { return without_private(text); };
  for (auto& word : run.command) word = clean(word);
  for (auto* document : {&run.config, &run.resumes, &run.blas, &run.io, &run.job, &run.environment, &run.mpi})
    change_strings(document->json(), clean);
  run.name = clean(run.name);
  for (auto& [label, value] : run.labels) value = clean(value);
}

}  // namespace steelyard::machine
