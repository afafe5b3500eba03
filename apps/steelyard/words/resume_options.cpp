// SPDX-License-Identifier: Apache-2.0
#include "words/resume_options.hpp"

#include "errors.hpp"
#include "measuring/config_record.hpp"
#include "record/json.hpp"
#include "units/text.hpp"
#include "words/resolve.hpp"
#include "words/schedule_options.hpp"

namespace steelyard::cli {
namespace {

bool may_be_given(const Command& command, const std::string& name) {
  const Option* option = find_option(command, name);
  return option != nullptr && option->on_resume == OnResume::allowed;
}

std::string budget_text(double budget_s) {
  return budget_s > 0 ? "a budget of " + units::format_time(Seconds{budget_s}) : "no budget";
}

}  // namespace

void check_resume_words(const Invocation& invocation) {
  std::string refused;
  for (const auto& [name, given] : invocation.values.all()) {
    if (given.source != Source::command_line || may_be_given(*invocation.command, name)) continue;
    refused += (refused.empty() ? "" : ", ") + given.origin;
  }
  if (!refused.empty())
    throw UsageError("--resume: takes the plan of the run that it continues, without " + refused);
}

Invocation with_configuration_of(const RunConfiguration& run, const Invocation& invocation) {
  Invocation out = invocation;
  out.values = {};
  out.steps.clear();
  read_config_record(run.config, run.sources, out);
  out.values.forget("deadline");  // of the session that had it
  if (const Given* budget = out.values.find("budget")) out.values.set(first_budget, *budget);
  set_first_budget(run.plan_inputs, out.values);
  for (const auto& [name, given] : invocation.values.all()) {
    const bool said_now = given.source >= Source::file && may_be_given(*invocation.command, name);
    // What the run has no value for gets the default, never what today's preset would say.
    if (!said_now && (out.values.find(name) != nullptr || given.source == Source::preset)) continue;
    Given strong = given;
    if (said_now) strong.source = Source::command_line;
    out.values.set(name, std::move(strong));
  }
  use_current_words(out);
  return out;
}

campaign::Retry retry_of(const Values& values) {
  const RetryWords words = parse_retry(values.need("retry"));
  return {.failed = words.failed, .partial = words.partial, .skipped = words.skipped, .all = words.all};
}

record::RunRecord head_to_resume(const std::filesystem::path& directory) {
  const auto runs = record::read_runs(directory);
  if (runs.empty()) throw record::ReadError(directory.string() + ": no run to resume");
  return runs.back().head;
}

record::RunRecord run_of_equal_sizes(const Values& values) {
  const auto directory = values.word("sizes-of");
  if (!directory) return {};
  const auto runs = record::read_runs(*directory);
  if (runs.empty()) throw record::ReadError(*directory + ": no run whose sizes could be taken");
  const record::RunRecord& found = runs.back().head;
  if (found.survey.empty()) throw UsageError("--sizes-of: " + *directory + ": its rates were not measured");
  const record::Json& inputs = found.plan_inputs.json();
  const auto own = values.duration("budget");
  const double own_s = own ? own->value() : 0, its_s = inputs.is_object() ? inputs.value("budget_s", 0.0) : 0;
  if (own_s != its_s)
    throw UsageError("--sizes-of: " + *directory + " was planned with " + budget_text(its_s) +
                     ", this run with " + budget_text(own_s));
  record::RunRecord head;
  head.plan_inputs = found.plan_inputs;
  head.survey = found.survey;
  return head;
}

}  // namespace steelyard::cli
