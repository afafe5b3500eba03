// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "machine/environment.hpp"
#include "measuring/config_record.hpp"
#include "measuring/measuring.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

constexpr double left_for_the_end_s = 60;

double now_unix_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The program by its name alone: where it is installed is nobody's business.
std::vector<std::string> command_words(const Invocation& invocation) {
  std::vector<std::string> words = invocation.argv;
  if (!words.empty()) words[0] = std::filesystem::path(words[0]).filename().string();
  return words;
}

record::Json plain(const record::Value& value) {
  return std::visit(
      [](const auto& held) -> record::Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::nullptr_t>)
          return nullptr;
        else
          return held;
      },
      value);
}

// The cluster's name where the batch system tells it, else this host's.
std::string name_of_machine() {
  if (const auto cluster = variable("SLURM_CLUSTER_NAME"); cluster && !cluster->empty()) return *cluster;
  std::array<char, 256> host{};
  return gethostname(host.data(), host.size() - 1) == 0 ? std::string(host.data()) : std::string();
}

bool planned(const campaign::Plan& plan, std::string_view suite) {
  return std::ranges::any_of(plan.blocks, [&](const auto& block) { return block.suite == suite; });
}

// What the suites of the plan were told, in the first step.
void add_suites(const Prepared& prepared, record::Json& config) {
  std::set<std::string_view> told;
  for (const auto& suite : prepared.suites) {
    if (!planned(prepared.plan, suite->name()) || !told.insert(suite->name()).second) continue;
    record::Json members = record::Json::object();
    for (const auto& [name, value] : suite->configuration()) members[name] = plain(value);
    config[std::string(suite->name())] = std::move(members);
  }
}

}  // namespace

record::RunRecord head_of(const Invocation& invocation, const Prepared& prepared) {
  record::RunRecord head;
  const Values& values = invocation.values;
  ConfigRecord config = config_record(invocation);
  add_suites(prepared, config.config.json());
  head.config = std::move(config.config);
  head.config_sources = std::move(config.sources);
  head.command = command_words(invocation);
  if (!invocation.command->link.empty()) head.front_end = invocation.command->name;
  head.name = values.word_or("name", values.on("anonymous") ? "" : name_of_machine());
  for (const std::string& label : values.list("label")) head.labels.push_back(parse_label(label));
  head.processes = prepared.options.processes;
  head.threads_per_process = prepared.options.threads;
  if (prepared.blas) head.blas = hpcc::document(prepared.blas->findings);
  head.plan_points = static_cast<std::int64_t>(prepared.plan.points());
  head.plan_suites = campaign::points_of_suites(prepared.plan);
  head.plan_estimate_s = prepared.plan.estimate_s;
  head.plan_hash = prepared.plan.hash;
  head.plan_seed = static_cast<std::int64_t>(prepared.options.seed);
  head.plan_sequence = prepared.plan.sequence;
  if (prepared.survey.rates.origin != suites::Rates::Origin::assumed)
    head.survey = survey::document_of(prepared.survey);
  return head;
}

std::optional<double> deadline_of(const Values& values) {
  if (const auto word = values.word("deadline")) return parse_deadline(*word, now_unix_s());
  const auto left = machine::job_seconds_left();
  if (!left) return std::nullopt;
  return now_unix_s() + *left - left_for_the_end_s;
}

}  // namespace steelyard::cli
