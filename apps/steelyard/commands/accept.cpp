// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

#include "acceptance/criteria_file.hpp"
#include "acceptance/forms.hpp"
#include "analysis/balance/references.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "input/foreign_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using acceptance::Launch;

struct Inputs {
  std::vector<Launch> launches;
  bool some_unreadable = false;
};

/// Launches of all inputs. Warns of inputs that cannot be read; throws if no input can be.
Inputs read_inputs(const std::vector<std::string>& files, const Values& values) {
  Inputs inputs;
  std::string first;
  for (const std::string& list : files)
    for (const std::string& file : comma_parts(list)) {
      try {
        auto some = read_launches(file, values.need("run"), values);
        std::move(some.begin(), some.end(), std::back_inserter(inputs.launches));
      } catch (const record::ReadError& error) {
        if (first.empty()) first = error.what();
        std::cerr << "steelyard: warning: " << error.what() << "; left out\n";
        inputs.some_unreadable = true;
      }
    }
  refuse_repeated(inputs.launches);
  if (inputs.launches.empty()) throw record::ReadError(first.empty() ? "no result was given" : first);
  return inputs;
}

/// Limits that a criterion has of at_least, at_most and within.
std::vector<const acceptance::Limit*> named_limits(const acceptance::Criterion& one) {
  std::vector<const acceptance::Limit*> list;
  for (const auto* limit : {&one.at_least, &one.at_most, &one.within})
    if (*limit) list.push_back(&**limit);
  return list;
}

/// All published systems, for `system:NAME`; read only if a limit asks for one.
std::vector<balance::System> published_for(const acceptance::Criteria& criteria) {
  const bool any = std::ranges::any_of(criteria.list, [](const auto& one) {
    return std::ranges::any_of(named_limits(one), [](const acceptance::Limit* limit) {
      return limit->of == acceptance::Of::system;
    });
  });
  if (!any) return {};
  const auto data = balance::read_systems(balance::systems_data());
  std::vector<balance::System> all;
  for (const char* kind : {"hpcc", "b_eff", "b_eff_io", "ftio"})
    for (balance::System& one : balance::reference_systems(data, kind)) all.push_back(std::move(one));
  return all;
}

/// References of an option NAME=RESULT,...
acceptance::Named read_references(const Values& values, const std::string& option) {
  acceptance::Named named;
  for (const std::string& word : values.list(option)) {
    const std::size_t equal = word.find('=');
    if (equal == std::string::npos || equal == 0)
      throw UsageError("--" + option + ": '" + word + "' is not NAME=RESULT");
    auto& launches = named[word.substr(0, equal)] = read_launches(word.substr(equal + 1), "last", values);
    refuse_repeated(launches);
  }
  return named;
}

/// Refuses limits that are shares of a reference that was not given, and references that no limit asks for.
void check_references(const acceptance::Criteria& criteria, const acceptance::Named& references,
                      const std::string& option) {
  std::vector<std::string> asked, given;
  for (const auto& [name, launches] : references) given.push_back(name);
  for (const auto& one : criteria.list)
    for (const acceptance::Limit* limit : named_limits(one)) {
      if (limit->of != acceptance::Of::reference) continue;
      asked.push_back(limit->name);
      if (references.contains(limit->name)) continue;
      throw UsageError(one.place + ": " + one.id + ": '" + limit->written +
                       "': nothing was given as reference '" + limit->name + "' (--" + option + ' ' +
                       limit->name + "=RESULT)" + units::did_you_mean(limit->name, given));
    }
  for (const std::string& name : given) {
    if (std::ranges::find(asked, name) != asked.end()) continue;
    throw UsageError("--" + option + ' ' + name + "=: no limit is a share of reference:" + name +
                     units::did_you_mean(name, asked));
  }
}

/// Refuses limits that are shares of a published system that does not exist.
void check_systems(const acceptance::Criteria& criteria, const std::vector<balance::System>& published) {
  std::vector<std::string> names;
  for (const auto& system : published) names.push_back(system.name);
  for (const auto& one : criteria.list)
    for (const acceptance::Limit* limit : named_limits(one)) {
      const auto is_it = [&](const std::string& name) {
        return name == limit->name || comparison::matches(limit->name, name);
      };
      if (limit->of != acceptance::Of::system || std::ranges::any_of(names, is_it)) continue;
      throw UsageError(one.place + ": " + one.id + ": '" + limit->name + "' is no published system" +
                       units::did_you_mean(limit->name, names) + " (steelyard systems lists them)");
    }
}

constexpr FatalWord<acceptance::Verdict> words_of_acceptance[] = {
    {"fail", acceptance::Verdict::fail},
    {"missing", acceptance::Verdict::missing},
    {"undecided", acceptance::Verdict::undecided},
    {"waived", acceptance::Verdict::waived}};

/// Verdicts of --fail-on; wrong input fails whatever is said.
std::set<acceptance::Verdict> fatal_of(const Values& values) {
  auto found = fatal_of_words<acceptance::Verdict>(values, words_of_acceptance);
  found.insert(acceptance::Verdict::wrong_input);
  return found;
}

acceptance::Criteria criteria_of(const std::string& file, const Values& values) {
  auto criteria = parse_criteria(text_of_file(file), file);
  if (const auto confidence = values.ratio("confidence")) {
    if (*confidence < 0.5 || *confidence > 0.999) throw UsageError("--confidence: must be from 50% to 99.9%");
    criteria.confidence = *confidence;
  }
  return criteria;
}

int propose(const std::vector<std::string>& files, const Values& values) {
  const Inputs inputs = read_inputs(files, values);
  std::string text;
  try {
    text = acceptance::proposal(inputs.launches, values.list("select"));
  } catch (const acceptance::BadCriteria& bad) {
    throw UsageError(bad.what());
  }
  if (text.find("[[criterion]]") == std::string::npos)
    throw UsageError("--propose: these results hold no figure of merit; --select names points");
  write_output(text, values);
  return exit_code::done;
}

int run_accept(const Invocation& invocation) {
  const Values& values = invocation.values;
  auto words = values.list("criteria-result");
  if (values.on("propose")) {
    if (words.empty()) throw UsageError("--propose: a RESULT is missing");
    return propose(words, values);
  }
  if (values.said("select")) throw UsageError("--select: belongs to --propose");
  if (words.empty())
    throw UsageError("CRITERIA is missing: a file of TOML; steelyard accept --propose RESULT makes one");
  if (std::error_code ignored; std::filesystem::is_directory(words.front(), ignored))
    throw UsageError("cannot read '" + words.front() +
                     "': Is a directory; CRITERIA is a file and comes first");
  const auto criteria = criteria_of(words.front(), values);
  words.erase(words.begin());
  if (values.on("plan")) {
    if (!words.empty()) throw UsageError("--plan: reads no RESULT");
    write_output(criteria_plan(criteria, text_width(values, sheet_columns)), values);
    return exit_code::done;
  }
  if (words.empty())
    throw UsageError(
        "a RESULT is missing: result directories, result.jsonl (.gz) or texts of other programs");
  const auto fatal = fatal_of(values);
  const Inputs inputs = read_inputs(words, values);
  const auto sheet = judged_sheet(criteria, inputs.launches, values, "reference");
  write_output(sheet_in_form(sheet, values.need("format"), fatal, text_width(values, sheet_columns)), values);
  const bool fails =
      std::ranges::any_of(fatal, [&](acceptance::Verdict one) { return sheet.count(one) > 0; });
  return fails ? exit_code::judgement : inputs.some_unreadable ? exit_code::point_failed : exit_code::done;
}

constexpr Option accept_options[] = {
    {"reference", Kind::text, "what limits call reference:NAME; several launches are joined by commas",
     Argument{"NAME=RESULT"}, Repeat::many},
    {"confidence", Kind::ratio, "of the intervals that decide", FallbackText{"as the file says, else 95%"}},
    {"run", Kind::text,
     "which run of a file: last (with the launches of its series), first, all, or a run's id",
     Argument{"WHICH"}, Fallback{"last"}},
    {"fail-on", Kind::text, "exit code 3 if a criterion has one of these verdicts; none", Argument{"LIST"},
     Fallback{"fail,missing,undecided"}, OneOf{"none fail missing undecided waived"}},
    {"format", Kind::word, "form of the sheet", Fallback{"text"},
     OneOf{"text markdown json html csv junit prometheus"}},
    output_option,
    overwrite_option,
};
constexpr Option criteria_options[] = {
    {"plan", "print the criteria as they are read, and the words of `run` that measure all of them",
     InFile::no},
    {"propose", "write criteria that the given results, taken as a reference, would pass", InFile::no},
    {"select", Kind::text, "with --propose: these points too, suite/benchmark;name=value", Argument{"POINTS"},
     Repeat::many, InFile::no},
};
constexpr Group accept_groups[] = {{"Accept", accept_options}, {"Criteria", criteria_options}, foreign_group};
constexpr std::string_view accept_examples[] = {
    "steelyard accept contract.toml results/delivery",
    "steelyard accept contract.toml d1,d2,d3 --reference first=results/march --format junit -o accept.xml",
    "steelyard accept --plan contract.toml", "steelyard accept --propose results/reference -o criteria.toml"};
constexpr int accept_codes[] = {0, 1, 2, 3, 4};

}  // namespace

acceptance::Sheet judged_sheet(const acceptance::Criteria& criteria, std::span<const Launch> launches,
                               const Values& values, const std::string& option) {
  const auto references = read_references(values, option);
  const auto published = published_for(criteria);
  check_references(criteria, references, option);
  check_systems(criteria, published);
  try {
    return acceptance::judge(criteria, launches, references, published);
  } catch (const acceptance::BadCriteria& bad) {
    throw UsageError(bad.what());
  }
}

constinit const Command accept_command{
    .name = "accept",
    .section = "Read results",
    .summary = "whether results meet the criteria of a contract",
    .description =
        "Judges each criterion of a file (acceptance.md of the documentation) from the launches given: pass, fail or "
        "undecided by the interval of the value, with its margin and how many launches would decide.",
    .positional =
        {"CRITERIA RESULT", Kind::text, Repeat::many,
         "a file of criteria, then results: directories, result.jsonl (.gz) or texts of other programs, all of them launches"},
    .groups = accept_groups,
    .examples = accept_examples,
    .exit_codes = accept_codes,
    .see_also = "steelyard help compare, steelyard help report",
    .run = run_accept};

}  // namespace steelyard::cli
