// SPDX-License-Identifier: Apache-2.0
#include "process/launched.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "machine/text.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view prefix = "--launched=";

std::string_view take_field(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(','), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

// Processors as "0-3+8", without the commas that part the fields.
std::string in_one_field(const std::vector<int>& processors) {
  std::string text = machine::format_cpu_list(processors);
  std::ranges::replace(text, ',', '+');
  return text;
}

std::vector<int> processors_in(std::string_view field) {
  std::string text(field);
  std::ranges::replace(text, '+', ',');
  return machine::parse_cpu_list(text);
}

template <class Whole = int>
Whole number(std::string_view field) {
  Whole value = 0;
  std::from_chars(field.data(), field.data() + field.size(), value);
  return value;
}

std::optional<int> number(const std::optional<std::string>& text) {
  const auto value = text ? units::read_number<int>(*text) : std::nullopt;
  return value && *value >= 0 ? value : std::nullopt;
}

// Slurm gives the batch script and the interactive step names or numbers near 2^32 in place of a step's number.
bool slurm_job_step(const Variables& read) {
  return number(read("SLURM_STEP_ID")).has_value() && number(read("SLURM_PROCID")).has_value();
}

template <std::size_t N>
std::optional<int> first_of(const Variables& read, const std::array<const char*, N>& names) {
  for (const char* name : names)
    if (const auto value = number(read(name))) return value;
  return std::nullopt;
}

}  // namespace

std::string launched_word(const FromParent& p) {
  const std::string terminal = p.terminal ? "terminal" : "", append = p.append ? "append" : "";
  const std::string continues = p.continues ? "continues" : "";
  return std::string(prefix) + terminal + ',' + append + ',' + continues + ',' + p.run + ',' + p.series +
         ',' + std::to_string(p.launch) + ',' + std::to_string(p.launches) + ',' + std::to_string(p.spent_s) +
         ',' + std::to_string(p.until_unix_s) + ',' + std::to_string(p.job_tasks) + ',' + p.host + ',' +
         in_one_field(p.processors) + ',' + p.out;
}

std::optional<FromParent> read_launched_word(std::string_view word) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  FromParent p;
  p.terminal = take_field(word) == "terminal";
  p.append = take_field(word) == "append";
  p.continues = take_field(word) == "continues";
  p.run = take_field(word);
  p.series = take_field(word);
  p.launch = number(take_field(word));
  p.launches = number(take_field(word));
  p.spent_s = number(take_field(word));
  p.until_unix_s = number<std::int64_t>(take_field(word));
  p.job_tasks = number(take_field(word));
  p.host = take_field(word);
  p.processors = processors_in(take_field(word));
  p.out = word;
  return p;
}

bool reaches_beyond(const FromParent& parent, std::string_view host, const std::vector<int>& processors) {
  if (parent.processors.empty() || parent.host.empty() || host != parent.host) return false;
  return !std::ranges::includes(parent.processors, processors);
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

bool under_launcher(const Variables& read) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD", "HYDI_CONTROL_FD",
                           "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK"})
    if (read(name)) return true;
  return slurm_job_step(read);
}

int launcher_rank(const Variables& read) {
  constexpr std::array names{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "FLUX_TASK_RANK",
                             "JSM_NAMESPACE_RANK"};
  if (const auto rank = first_of(read, names)) return *rank;
  return slurm_job_step(read) ? *number(read("SLURM_PROCID")) : 0;
}

std::optional<int> launcher_size(const Variables& read) {
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "JSM_NAMESPACE_SIZE"};
  if (const auto size = first_of(read, names)) return size;
  if (read("FLUX_TASK_RANK")) return number(read("FLUX_JOB_SIZE"));
  return slurm_job_step(read) ? number(read("SLURM_STEP_NUM_TASKS")) : std::nullopt;
}

int tasks_of_job(const Variables& read) {
  if (!read("SLURM_JOB_ID") || read("SLURM_HET_SIZE") || slurm_job_step(read)) return 0;
  return number(read("SLURM_NTASKS")).value_or(0);
}

std::optional<int> processes_apart(int world_size, const Variables& read) {
  if (world_size != 1 || !under_launcher(read)) return std::nullopt;
  const auto started = launcher_size(read);
  return started && *started > 1 ? started : std::nullopt;
}

bool speaks_for_all() {
  return launcher_rank() == 0;
}

}  // namespace steelyard::cli
