// SPDX-License-Identifier: Apache-2.0
#include "input/balance_input.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/hpcc_summary.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"

namespace steelyard::cli {
namespace {

using balance::System;
using record::Json;

/// Counts the connections between nodes in the random rings, whose orders are drawn anew from the seed of the run; the
/// ring in the order of ranks is left out.
void count_connections(const record::Run& run, System& system) {
  const auto nodes = record::nodes_of_ranks(run.head);
  const Json& config = run.head.config.json();
  const bool known = config.is_object() && config.contains("hpcc") && config["hpcc"].contains("seed");
  if (nodes.empty() || run.head.nodes < 2 || !known) return;
  const auto seed = config["hpcc"]["seed"].get<std::uint64_t>();
  auto rings = hpcc::ring_patterns(run.head.processes, hpcc::bandwidth_rule.random_rings, seed);
  if (!rings.empty()) rings.erase(rings.begin());
  system.inputs.set(balance::Quantity::inter_node_share, 1 - balance::intra_node_fraction(rings, nodes));
}

/// Adds the summary of a run that was cut off, from its points.
void add_summary(record::Run& run) {
  for (const auto& summary : run.summaries)
    if (summary.name == "hpcc") return;
  if (auto summary = analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head)))
    run.summaries.push_back(std::move(*summary));
}

struct Found {
  std::vector<System> systems;
  std::vector<record::Run> runs = {};
  std::shared_ptr<const report::Rows> rows = {};

  void add(const std::string& file, System&& system, const record::Run& run) {
    systems.push_back(std::move(system));
    systems.back().source = file == "-" ? run.id : file;
    count_connections(run, systems.back());
  }
};

Found of_records(const std::string& file, const record::RunChoice& choice) {
  Found found{{}, read_and_tell(file, choice)};
  for (record::Run& run : found.runs) {
    add_summary(run);
    found.add(file, balance::system_of_run(run), run);
  }
  return found;
}

/// The same with rows, of a file that is of one run; nullopt for others, which may have been read in vain.
std::optional<Found> with_rows(const std::string& file, const record::RunChoice& choice) {
  if (choice.kind == record::RunChoice::Kind::id || !record::can_be_walked_again(file)) return std::nullopt;
  const auto rows = std::make_shared<report::Rows>();
  const auto take = [&](const record::Envelope& envelope, const record::PointRecord& point) {
    return rows->take(envelope, point);
  };
  record::FileContent content;
  auto run = record::read_lone_run(file, take, content);
  if (!run) return std::nullopt;
  tell_of_lost_lines(file, content);
  rows->end(*run);
  add_summary(*run);
  Found found{.systems = {}, .rows = rows};
  found.add(file, balance::system_of_run(*run, rows->states(0)), *run);
  found.runs.push_back(std::move(*run));
  return found;
}

/// System of a Summary alone, which has figures of a machine, not points of a run.
System of_hpcc(const std::string& file, const record::Run& run) {
  System system;
  const std::string host = record::text_in(run.head.machine.json(), "hostname");
  system.name = !host.empty() ? host
                : file == "-" ? "standard input"
                              : std::filesystem::path(file).filename().string();
  system.source = file;
  for (const auto& summary : run.summaries) {
    balance::take_hpcc_summary(system, summary.classic);
    balance::take_hpcc_success(system, summary.classic);
  }
  if (run.head.nodes > 0) system.inputs.set(balance::Quantity::nodes, run.head.nodes);
  system.curve = system.name;
  return system;
}

/// Systems and runs of a text of another program. Summaries of HPC Challenge alone give no runs, as a
/// report could not show them.
Found of_foreign(const std::string& file, const std::string& text, const DescribedFile& told) {
  Found found{{}, foreign_runs(file, text, told)};
  const bool figures = std::ranges::all_of(
      found.runs, [](const record::Run& run) { return has_figures_alone(run) && !run.summaries.empty(); });
  for (const record::Run& run : found.runs) {
    found.systems.push_back(figures ? of_hpcc(file, run) : balance::system_of_run(run));
    found.systems.back().source = file == "-" ? run.id : file;
  }
  if (figures) found.runs.clear();
  return found;
}

bool is_json_of(const Json& json, const char* format) {
  return record::text_in(json, "format") == format;
}

Found of_text(const std::string& file, const std::string& text, const record::RunChoice& run,
              const std::string& kind, const DescribedFile& told) {
  if (is_foreign_text(text)) return of_foreign(file, text, told);
  if (balance::is_balance_csv(text)) return {balance::systems_of_csv(text)};
  const bool whole =
      text.size() < (std::size_t{1} << 26) && text.find("\"steelyard.result\"") == std::string::npos;
  const Json json = whole ? Json::parse_or_null(text) : Json();
  if (is_json_of(json, "steelyard.balance")) return {balance::systems_of(json)};
  if (is_json_of(json, "steelyard.systems"))
    return {balance::reference_systems(balance::read_systems(text), kind)};
  return of_records(file, run);
}

/// Digest of a file of records; empty for standard input, which can be read only once.
std::string hash_of_records(const std::string& file) {
  if (file == "-") return {};
  const std::filesystem::path path(file);
  for (const auto& one : {path, path / "result.jsonl", path / "result.jsonl.gz"})
    if (std::filesystem::is_regular_file(one)) return hash_of_file(one.string());
  return {};
}

bool holds_records(const std::string& file) {
  return std::filesystem::is_directory(file) || file.ends_with(".gz") || begins_with(file, begin_of_records);
}

}  // namespace

BalanceInput read_balance_input(const std::string& file, const record::RunChoice& run,
                                const std::string& kind, const DescribedFile& told, PointsRead points) {
  hold_input(file);
  try {
    if (holds_records(file) && !is_foreign_file(file)) {
      auto rows = points == PointsRead::rows ? with_rows(file, run) : std::nullopt;
      Found found = rows ? std::move(*rows) : of_records(file, run);
      return {std::move(found.systems), file, {}, std::move(found.runs), std::move(found.rows)};
    }
    const std::string text = plain_text_of(file);
    Found found = of_text(file, text, run, kind, told);
    return {std::move(found.systems), file, record::sha256(text), std::move(found.runs)};
  } catch (const std::invalid_argument& error) {
    throw record::ReadError(file + ": " + error.what());
  }
}

balance::Provenance::File provenance_of(const BalanceInput& input) {
  return {input.file, input.sha256.empty() ? hash_of_records(input.file) : input.sha256};
}

}  // namespace steelyard::cli
