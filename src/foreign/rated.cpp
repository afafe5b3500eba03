// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

/// Values of "NAME::NAME=value" of 3.1, and of "name: value" indented under "name:" of 3.0, in one form.
std::map<std::string, std::pair<std::string, std::size_t>> values_of(const Block& block, Piece& piece) {
  std::map<std::string, std::pair<std::string, std::size_t>> all;
  std::vector<std::pair<std::size_t, std::string>> open;
  for (const Line& line : block.lines) {
    const auto text = trimmed(line.text);
    const std::size_t indent = line.text.find_first_not_of(" \t");
    if (const auto pair = pair_at(text, '=');
        pair && (holds(text, "::") || text.find(':') == std::string_view::npos)) {
      if (!line.ended && !pair->second.empty() && !pair->second.ends_with("hpcg-benchmark.org")) {
        piece.truncated = true;
        piece.remark("import_truncated", line.number, "the last line has no end: left out");
        continue;
      }
      all[std::string(pair->first)] = {std::string(pair->second), line.number};
      continue;
    }
    const auto pair = pair_at(text, ':');
    if (!pair) continue;
    while (!open.empty() && open.back().first >= indent) open.pop_back();
    std::string path;
    for (const auto& [depth, name] : open) path += name + "::";
    if (pair->second.empty())
      open.emplace_back(indent, std::string(pair->first));
    else
      all[path + std::string(pair->first)] = {std::string(pair->second), line.number};
    if (open.size() > 30) open.clear();
  }
  return all;
}

using Values = std::map<std::string, std::pair<std::string, std::size_t>>;

/// A value by the end of its path.
const std::pair<std::string, std::size_t>* at_end(const Values& values, std::string_view path) {
  for (const auto& [name, value] : values)
    if (name == path ||
        (name.ends_with(path) && name.size() > path.size() && name[name.size() - path.size() - 1] == ':'))
      return &value;
  return nullptr;
}

/// Extent of the part that one process has in z, which NVIDIA's form does not print: that of all over the
/// number of processes in z, where it is whole.
std::optional<std::int64_t> share_in_z(const Values& values) {
  const auto* all = at_end(values, "Global Problem Dimensions::Global nz");
  const auto* processes = at_end(values, "Processor Dimensions::npz");
  const auto extent = all != nullptr ? whole(all->first) : std::nullopt;
  const auto parts = processes != nullptr ? whole(processes->first) : std::nullopt;
  if (!extent || !parts || *parts < 1 || *extent % *parts != 0) return std::nullopt;
  return *extent / *parts;
}

void put_hpcg_params(const Values& values, Point& point) {
  for (const auto& [path, name] :
       {std::pair<std::string_view, const char*>{"Local Domain Dimensions::nx", "nx"},
        {"Local Domain Dimensions::ny", "ny"},
        {"Local Domain Dimensions::nz", "nz"}})
    if (const auto* value = at_end(values, path); value != nullptr && whole(value->first))
      point.set(name, *whole(value->first));
    else if (const auto share = share_in_z(values); share && std::string_view(name) == "nz")
      point.set(name, *share);
    else
      point.unknown.emplace_back(name);
}

constexpr std::pair<std::string_view, const char*> hpcg_notes[] = {
    {"GFLOP/s Summary::Raw Total", "raw_total_gflops"},
    {"GB/s Summary::Raw Total B/W", "raw_total_gb_s"},
    {"Benchmark Time Summary::Total", "total_s"},
    {"DDOT Timing Variations::Min DDOT MPI_Allreduce time", "ddot_allreduce_min_s"},
    {"DDOT Timing Variations::Max DDOT MPI_Allreduce time", "ddot_allreduce_max_s"},
    {"DDOT Timing Variations::Avg DDOT MPI_Allreduce time", "ddot_allreduce_avg_s"}};

struct TepsWord {
  std::string_view name;
  std::optional<double> record::Statistics::*member;
};
constexpr TepsWord teps[] = {
    {"min_TEPS", &record::Statistics::min},       {"firstquartile_TEPS", &record::Statistics::p25},
    {"median_TEPS", &record::Statistics::median}, {"thirdquartile_TEPS", &record::Statistics::p75},
    {"max_TEPS", &record::Statistics::max},       {"harmonic_mean_TEPS", &record::Statistics::mean}};

/// One kind of search: bfs or sssp.
struct Search {
  record::Statistics held;
  std::size_t line = 0;
  std::optional<double> step;
  bool zero = false;  // a search that visited no edge makes the harmonic mean 0
  std::string bad;
};

/// Value without the unit that forms beside the reference, as that of CombBLAS, print behind it.
std::string_view without_unit(std::string_view value) {
  for (const std::string_view unit : {" TEPS", " s"})
    if (value.ends_with(unit)) return trimmed(value.substr(0, value.size() - unit.size()));
  return value;
}

class GraphReader {
 public:
  explicit GraphReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    for (const Line& line : block_.lines) take(line);
    if (searches_.empty() && !invalid_)
      throw Incomplete(block_.first_line(), "a head of Graph500 without rates");
    if (searches_.empty()) searches_["bfs"].line = block_.last_line();
    for (auto& [name, search] : searches_) finish(name, search);
    return std::move(piece_);
  }

 private:
  void take(const Line& line) {
    const auto text = trimmed(line.text);
    if (holds(text, "No results printed for invalid run")) invalid_ = true;
    if (holds(text, "alidation") && (holds(text, "fail") || holds(text, "FAIL") || holds(text, "INVALID")))
      invalid_ = true;
    const auto pair = pair_at(text, ':');
    if (!pair) return;
    const auto value =
        without_unit(trimmed(pair->second.starts_with("!") ? pair->second.substr(1) : pair->second));
    const auto whole_value = whole(value);
    if (pair->first == "SCALE" && whole_value) params_["scale"] = *whole_value;
    if (pair->first == "edgefactor" && whole_value) params_["edgefactor"] = *whole_value;
    if (lower(pair->first) == "nbfs" && whole_value) params_["roots"] = *whole_value;
    if (pair->first == "nvtx") piece_.processes = 1;  // only the form without MPI prints it
    if (pair->first == "num_mpi_processes") piece_.processes = count(value);
    if (pair->first == "construction_time") construction_ = number(value);
    const bool sssp = holds(pair->first, "sssp");
    for (const auto& [name, member] : teps)
      if (pair->first.ends_with(name)) return rate(sssp ? "sssp" : "bfs", name, member, value, line);
  }

  void rate(const char* search, std::string_view name, std::optional<double> record::Statistics::*member,
            std::string_view word, const Line& line) {
    Search& one = searches_[search];
    one.line = line.number;
    ++piece_.rows;
    if (!line.ended) return;
    const auto value = number(word);
    if (value && value->value == 0) {
      one.zero = one.zero || name == "harmonic_mean_TEPS";
      return;
    }
    if (!value || value->value < 0) {
      one.bad = record::valid_utf8(word);
      return;
    }
    one.held.*member = value->value;
    if (name == "harmonic_mean_TEPS") one.step = value->step;
  }

  void finish(const std::string& name, Search& search) {
    Point point("graph500", name, search.line);
    point.record.params = params_;
    for (const char* param : {"scale", "edgefactor", "roots"})
      if (!params_.contains(param)) point.unknown.emplace_back(param);
    point.record.processes = piece_.processes.value_or(0);
    point.record.primary = "traversal_rate_edge_s";
    point.record.lower_is_better = false;
    point.over_time = "harmonic", point.over_ranks = "global", point.printed = "TEPS";
    point.step = search.step;
    if (construction_) point.note("construction_time_s", construction_->value);
    search.held.headline = "mean";
    search.held.over_ranks = "global";
    if (invalid_) {
      point.record.status = record::Status::failed;
      point.record.reason =
          because(record::ReasonCode::verification, "the run was found invalid by its program");
    } else if (search.zero) {
      point.record.metrics.emplace_back("traversal_rate_edge_s", nullptr);
      point.flag("below_resolution");
    } else if (!search.held.mean) {
      point.fail(search.bad.empty() ? "nothing" : std::string_view(search.bad));
      if (search.bad.empty()) piece_.truncated = true;
    } else {
      point.record.metrics.emplace_back("traversal_rate_edge_s", search.held);
    }
    piece_.points.push_back(std::move(point));
  }

  const Block& block_;
  Piece piece_;
  record::Params params_;
  std::map<std::string, Search> searches_;
  std::optional<Number> construction_;
  bool invalid_ = false;
};

}  // namespace

void read_hpcg(const Block& block, const Description& /*told*/, Pieces& pieces) {
  Piece piece(block);
  const Values values = values_of(block, piece);
  if (const auto* version = at_end(values, "version")) piece.release = record::valid_utf8(version->first);
  for (const auto& [name, value] : values)
    if (name.ends_with(" version") && piece.release.empty()) piece.release = record::valid_utf8(value.first);
  if (piece.release.starts_with('V')) piece.release.erase(0, 1);
  const auto* valid = at_end(values, "HPCG result is VALID with a GFLOP/s rating of");
  const auto* verdict = at_end(values, "HPCG result is");
  const auto* total =
      at_end(values, "GFLOP/s Summary::Total with convergence and optimization phase overhead");
  const auto* processes = at_end(values, "Machine Summary::Distributed Processes");
  const auto* threads = at_end(values, "Machine Summary::Threads per processes");
  piece.processes = processes != nullptr ? count(processes->first) : std::nullopt;
  piece.threads = threads != nullptr ? count(threads->first) : std::nullopt;
  if (valid == nullptr && verdict == nullptr) {
    piece.truncated = true;
    piece.remark("import_truncated", block.last_line(), "no result under 'Final Summary'");
    if (values.size() < 3) throw Incomplete(block.first_line(), "a head of HPCG without a result");
    pieces.push_back(std::move(piece));
    return;
  }
  const auto* number_of = valid != nullptr ? valid : total;
  Point point("hpcg", "hpcg", number_of != nullptr ? number_of->second : verdict->second);
  put_hpcg_params(values, point);
  point.record.processes = piece.processes.value_or(0);
  point.record.threads = piece.threads.value_or(1);
  point.record.verified = valid != nullptr;
  point.over_time = "mean", point.over_ranks = "global", point.printed = "GFLOP/s";
  if (number_of != nullptr)
    point.take("flop_rate_flop_s", number_of->first, giga);
  else
    point.fail("nothing");
  for (const auto& [path, name] : hpcg_notes)
    if (const auto* value = at_end(values, path)) point.note(name, value->first);
  ++piece.rows;
  if (const auto* least = at_end(values, "Official results execution time (sec) must be at least")) {
    record::SummaryRecord summary;
    summary.name = "hpcg", summary.suite = "hpcg";
    summary.processes = std::max(point.record.processes, 1);
    summary.official = false;
    summary.not_official_because = {"shorter than the " + record::valid_utf8(least->first) +
                                    " s that official results need"};
    if (!point.record.metrics.empty()) summary.values.push_back(point.record.metrics.front());
    piece.summaries.push_back(std::move(summary));
  }
  piece.points.push_back(std::move(point));
  pieces.push_back(std::move(piece));
}

void read_graph500(const Block& block, const Description& /*told*/, Pieces& pieces) {
  pieces.push_back(GraphReader(block).read());
}

}  // namespace steelyard::foreign
