// SPDX-License-Identifier: Apache-2.0
#include "machine/privacy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>

#include "machine/environment.hpp"
#include "machine/text.hpp"
#include "record/value.hpp"

namespace steelyard::machine {
namespace {

std::vector<std::string> values_of(std::initializer_list<const char*> variables) {
  std::set<std::string> values;
  for (const char* name : variables)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') values.insert(value);
  return {values.begin(), values.end()};
}

/// Home directories, from the environment only: asking the user data base may ask a server that every
/// node asks at once.
std::vector<std::string> homes() {
  auto list = values_of({"HOME", "PBS_O_HOME", "SGE_O_HOME", "SLURM_SUBMIT_HOME"});
  for (auto& home : list)
    while (home.size() > 1 && home.back() == '/') home.pop_back();
  std::erase(list, "/");
  return list;
}

std::vector<std::string> users() {
  return values_of({"USER", "LOGNAME", "USERNAME", "SLURM_JOB_USER", "PBS_O_LOGNAME", "LSB_SUB_USER",
                    "LSFUSER", "SGE_O_LOGNAME", "OAR_USER", "SUDO_USER"});
}

bool name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

/// Replaces every occurrence of `what` that is not a part of a longer name.
std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool here = text.substr(i).starts_with(what) && (i == 0 || !name_letter(text[i - 1])) &&
                      (i + what.size() == text.size() || !name_letter(text[i + what.size()]));
    result += here ? by : text.substr(i, 1);
    i += here ? what.size() : 1;
  }
  return result;
}

constexpr std::array<std::string_view, 21> prefixes{
    "OMP_",       "GOMP_",     "KMP_",  "OMPI_MCA_", "PMIX_MCA_",  "PRTE_MCA_", "MPICH_",
    "MPIR_CVAR_", "I_MPI_",    "FI_",   "UCX_",      "PSM2_",      "PSM3_",     "HFI_",
    "NCCL_",      "OPENBLAS_", "BLIS_", "MKL_",      "LIBFABRIC_", "MALLOC_",   "SLURM_MEM_"};

constexpr std::array<std::string_view, 8> single_names{
    "SLURM_JOB_NUM_NODES", "SLURM_NTASKS",       "SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK",
    "SLURM_CPU_BIND",      "SLURM_DISTRIBUTION", "SLURM_EXCLUSIVE",       "SLURM_HINT"};

/// True for variables with contact addresses, job numbers and session directories, which launchers pass under
/// the prefixes of settings.
bool launcher_contact(std::string_view name) {
  constexpr std::array<std::string_view, 9> signs{"URI",   "TRANSPORT", "WDIR",   "JOBID",   "_ESS_",
                                                  "_HNP_", "SESSION",   "NSPACE", "HOSTNAME"};
  std::string large(name);
  std::ranges::transform(large, large.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::any_of(signs, [&](auto sign) { return large.find(sign) != std::string::npos; });
}

constexpr std::string_view replacement = "<address>";

bool hexadecimal(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool word_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool internet_4(std::string_view run) {
  const auto parts = split(run, '.');
  return parts.size() == 4 && run.back() != '.' && std::ranges::all_of(parts, [](auto part) {
           const auto number = whole(part);
           return number && *number >= 0 && *number <= 255 && part.size() <= 3;
         });
}

/// True for addresses of Internet 6, hardware (6, 8 or 20 pairs of digits) and InfiniBand GUID (groups of 4);
/// not for a time of the day.
bool with_colons(std::string_view run) {
  const auto parts = split(run, ':');
  const auto size_is = [&](std::size_t size) {
    return std::ranges::all_of(parts, [=](auto part) { return part.size() == size; });
  };
  if (std::ranges::any_of(parts,
                          [](auto p) { return p.size() > 4 || p.find('.') != std::string_view::npos; }))
    return false;
  const bool shortened = run.find("::") != std::string_view::npos && std::ranges::any_of(run, hexadecimal);
  return shortened || parts.size() == 8 || (size_is(2) && parts.size() >= 6) ||
         (size_is(4) && parts.size() >= 4);
}

/// Length of an address at the start of a run of hexadecimal digits, dots and colons; 0 if there is none.
std::size_t address_length(std::string_view run) {
  while (!run.empty() && run.back() == '.') run.remove_suffix(1);
  if (with_colons(run)) return run.size();
  const auto before_port = run.substr(0, run.find(':'));
  return !before_port.empty() && internet_4(before_port) ? before_port.size() : 0;
}

/// True if the text has the shape: h = hexadecimal digit, any other character stands for itself.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'h' ? !hexadecimal(text[i]) : text[i] != shape[i]) return false;
  return text.size() == shape.size() || !word_letter(text[shape.size()]);
}

std::size_t dashed_length(std::string_view text) {
  constexpr std::array<std::string_view, 2> shapes{"hh-hh-hh-hh-hh-hh",
                                                   "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"};
  for (const auto shape : shapes)
    if (has_shape(text, shape)) return shape.size();
  return 0;
}

std::size_t length_at_word_start(std::string_view text) {
  if (const auto length = dashed_length(text)) return length;
  const auto end = std::min(text.find_first_not_of("0123456789abcdefABCDEF.:"), text.size());
  if (end < text.size() && word_letter(text[end])) {
    // "10.0.0.1:eth0": the part before the last colon may still be one.
    const auto colon = text.substr(0, end).rfind(':');
    return colon == std::string_view::npos ? 0 : address_length(text.substr(0, colon));
  }
  return address_length(text.substr(0, end));
}

using Replacements = std::vector<std::pair<std::string, std::string>>;

bool host_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}
bool path_letter(char c) {
  return host_letter(c) || c == '.' || c == '/' || c == '~' || c == '+';
}

/// Replaces whole words: no letters directly before or after them.
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

/// True for "/a/b", "~/a", "./a" and "../a" at the begin of a word; "imb-mpi1/PingPong" and "byte/s" are no paths.
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

Replacements host_replacements(const Json& layout) {
  Replacements list;
  const auto add = [&](const std::string& name, const std::string& by) {
    list.emplace_back(name, by);
    list.emplace_back(name.substr(0, name.find('.')), by);
  };
  if (layout.is_object() && layout.contains("hosts"))
    for (const auto& host : layout["hosts"])
      add(host.get<std::string>(), "node" + std::to_string(list.size() / 2));
  add(host_name(), "node0");
  longest_first(list);
  return list;
}

bool names_path(std::string_view option) {
  constexpr std::array<std::string_view, 5> ends{"dir", "file", "path", "output", "prefix"};
  return std::ranges::any_of(ends, [&](auto end) { return option.ends_with(end); });
}

/// Replacements for options that are paths, also those that do not look like one ("results").
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

/// True if the user gave the name; others come from the host or the cluster.
bool chosen_by_user(const record::RunRecord& run) {
  const auto& sources = run.config_sources.json();
  if (!sources.is_object() || !sources.contains("name")) return false;
  const auto& source = sources["name"];
  return source == "command line" || source == "file" || source == "environment";
}

/// True if the name contains TOKEN, KEY, SECRET, PASS or CRED in any case.
bool secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> signs{"token", "key", "secret", "pass", "cred"};
  const auto small = lower(name);
  return std::ranges::any_of(signs, [&](auto sign) { return small.find(sign) != std::string::npos; });
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto length = record::character_length(text);
    result += length > 0 ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string without_private(std::string_view text) {
  auto result = valid_utf8(text);
  for (const auto& home : homes()) result = replaced(result, home, "~");
  for (const auto& user : users()) result = replaced(result, user, "<user>");
  return without_addresses(result);
}

bool recorded_variable(std::string_view name) {
  if (secret_name(name) || launcher_contact(name)) return false;
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(single_names, name) != single_names.end();
}

std::string without_addresses(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    const bool starts = i == 0 || !word_letter(text[i - 1]);
    const auto length = starts ? length_at_word_start(rest) : 0;
    // "1.2.3.4.5" is no address, nor is its end; behind a colon one may begin.
    const auto number = std::min(rest.find_first_not_of("0123456789abcdefABCDEF."), rest.size());
    const auto step = length > 0 ? length : std::max<std::size_t>(1, starts ? number : 0);
    result += length > 0 ? replacement : rest.substr(0, step);
    i += step;
  }
  return result;
}

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

/// Applies to the machine; paths of the kernel's files stay, as they are the same everywhere.
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
