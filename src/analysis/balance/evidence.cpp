// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/evidence.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/balance/measured.hpp"
#include "record/clipped.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/whereabouts.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

/// Multiple of the distance of the quartiles: what lies so far beyond them does not belong to them.
constexpr double far_out = 3;
/// Factor of a slow link: what lies nearer is distance in the network. The verdict betters a resource
/// by the same factor.
constexpr double twice = 2;
constexpr int fewest_repetitions = 2, fewest_hosts = 2, fewest_places = 3;

/// Least number of pairs: both ways, so that one disturbance names nobody.
constexpr std::int64_t fewest_pairs = 2;

bool slower(const PairTimes& pairs, double time_s) {
  return pairs.places >= fewest_places && time_s >= twice * pairs.typical_s && time_s > pairs.typical_worst_s;
}

using record::number_in;
using record::PointRecord;

const std::vector<double>* list(const PointRecord& point, std::string_view name, std::size_t length) {
  const auto* found = record::list_of(record::find(point.classic, name));
  return found != nullptr && found->size() == length ? found : nullptr;
}

std::int64_t count(double value) {
  return record::clipped<std::int64_t>(value);
}

/// Names of places by a rank on them.
class Places {
 public:
  explicit Places(const record::Whereabouts& where)
      : nodes_(record::nodes_of_ranks(where)), hosts_(record::host_names(where)) {}

  /// Host of a rank, with its number if several bear the name.
  [[nodiscard]] std::string host(double rank) const {
    const auto at = record::clipped<std::size_t>(rank);
    if (rank < 0 || at >= nodes_.size()) return "of rank " + std::to_string(count(rank));
    const auto node = static_cast<std::size_t>(nodes_[at]);
    const std::string number = "node " + std::to_string(node);
    if (node >= hosts_.size() || hosts_[node].empty()) return number;
    return std::ranges::count(hosts_, hosts_[node]) > 1 ? hosts_[node] + " (" + number + ')' : hosts_[node];
  }

 private:
  std::vector<int> nodes_;
  std::vector<std::string> hosts_;
};

std::optional<HostRates> host_rates(const PointRecord& point, const record::Whereabouts& where) {
  const auto hosts = number_in(point, "hosts"), rank = number_in(point, "slowest_host_rank"),
             repetitions = number_in(point, "host_repetitions");
  const auto* slowest = list(point, "slowest_host_rates", 2);
  const auto* others = list(point, "other_hosts_rates", 4);
  if (!hosts || !rank || !repetitions || slowest == nullptr || others == nullptr) return std::nullopt;
  return HostRates{.slowest = Places(where).host(*rank),
                   .rate = (*slowest)[0],
                   .best_rate = (*slowest)[1],
                   .others_rate = (*others)[2],
                   .others_low = (*others)[1],
                   .others_high = (*others)[3],
                   .others_worst_rate = (*others)[0],
                   .hosts = record::clipped<int>(*hosts),
                   .repetitions = record::clipped<int>(*repetitions)};
}

std::optional<PairTimes> pair_times(const PointRecord& point, const record::Whereabouts& where) {
  const auto* ranks = list(point, "slowest_pair", 2);
  const auto* times = list(point, "pair_times_s", 3);
  const auto* slow = list(point, "slow_pairs", 3);
  const auto* of_place = list(point, "slow_pairs_of_place", 2);
  const auto number_of_places = number_in(point, "pair_places"),
             rank = number_in(point, "slowest_place_rank"), place_s = number_in(point, "slowest_place_s");
  if (ranks == nullptr || times == nullptr || slow == nullptr || of_place == nullptr || !number_of_places ||
      !rank || !place_s)
    return std::nullopt;
  const Places places(where);
  const auto name = [&](double one) {
    return where.nodes > 1 ? places.host(one) : "rank " + std::to_string(count(one));
  };
  return PairTimes{.between_hosts = where.nodes > 1,
                   .one = name((*ranks)[0]),
                   .other = name((*ranks)[1]),
                   .slowest_s = (*times)[0],
                   .typical_s = (*times)[1],
                   .typical_worst_s = (*times)[2],
                   .places = record::clipped<int>(*number_of_places),
                   .slow = count((*slow)[0]),
                   .between = count((*slow)[1]),
                   .slow_between = count((*slow)[2]),
                   .place = name(*rank),
                   .place_s = *place_s,
                   .with_place = count((*of_place)[0]),
                   .slow_with_place = count((*of_place)[1])};
}

/// Share that a library reaches that suits the processor, by the suite's own rule.
constexpr double suitable_share = 0.6;

/// Part of an advice after its last "Cure: ".
std::string cure_of(const std::string& advice) {
  constexpr std::string_view mark = "Cure: ";
  const auto at = advice.rfind(mark);
  return at == std::string::npos ? advice : advice.substr(at + mark.size());
}

/// Time of each pass by its slowest process; empty if the point does not tell.
std::vector<double> passes_s(const PointRecord& point) {
  const auto* passes = record::list_of(record::find(point.classic, "passes_s"));
  return passes == nullptr ? std::vector<double>() : *passes;
}

/// Part of the point's time in which its processes waited for a processor. Those that waited longest may be
/// slower than the first one, whose time the schedule tells.
double waiting_share(const PointRecord& point) {
  const auto of_first = point.schedule ? point.schedule->elapsed_s : std::nullopt;
  if (!of_first || !(*of_first > 0) || !point.preempted_s) return 0;
  const auto passes = passes_s(point);
  const double of_slowest = std::reduce(passes.begin(), passes.end());
  return std::clamp(*point.preempted_s / std::max(*of_first, of_slowest), 0.0, 1.0);
}

/// Rate of the BLAS by its best execution, as the suite judges: the work of others slows the rest. If all
/// executions had to wait for a processor, what is missing may be their time: short loops of multiply-adds
/// run between the waits.
std::optional<BlasRate> blas_rate(const PointRecord& point) {
  const auto peak = number_in(point, "Sy_core_peak_Gflops"), best = number_in(point, "most_rate");
  auto share = number_in(point, "Sy_DGEMM_peak_share");
  if (!share) return std::nullopt;
  if (peak && best && *peak > 0) share = *best / (*peak * prefix::giga);
  return BlasRate{
      .name = word_in(point, "Sy_BLAS"),
      .kernel = word_in(point, "Sy_BLAS_kernel"),
      .share = *share,
      .better_share = std::max(suitable_share, *share),
      .too_slow = has_flag(point, "blas_below_peak") && *share < suitable_share * (1 - waiting_share(point)),
      .cure = cure_of(word_in(point, "Sy_BLAS_advice"))};
}

/// Quota on the first process's node.
std::optional<Quota> quota(const record::RunRecord& run) {
  const record::Json& machine = run.machine.json();
  if (!machine.is_object() || !machine.contains("container")) return std::nullopt;
  const auto allowed = number_in(machine["container"], "quota_cores");
  if (!allowed) return std::nullopt;
  const auto on_nodes = processes_per_node(run);
  double wanted = (on_nodes.empty() ? run.processes : on_nodes.front()) * run.threads_per_process;
  if (const auto cores = number_in(machine, "cores")) wanted = std::min(wanted, *cores);
  return Quota{*allowed, wanted};
}

std::string kernel(const PointRecord& point) {
  return record::word_of(record::find(point.params, "kernel"));
}

void note_waiting(const PointRecord& point, double Waiting::*of, Evidence& found) {
  const double share = has_flag(point, "oversubscribed") ? 0 : waiting_share(point);
  if (share == 0) return;
  if (!found.waiting) found.waiting.emplace();
  (*found.waiting).*of = share;
}

std::optional<ProcessRates> process_rates(const PointRecord& point) {
  const auto least = number_in(point, "least_rate"), most = number_in(point, "most_rate");
  const auto passes = passes_s(point);
  if (!least || !most || !(*least > 0) || passes.empty()) return std::nullopt;
  const auto [shortest, longest] = std::ranges::minmax(passes);
  if (!(shortest > 0)) return std::nullopt;
  return ProcessRates{*least, *most, longest / shortest};
}

void read_point(const PointRecord& point, const record::Whereabouts& where, Evidence& found) {
  if (point.benchmark == "StarDGEMM") {
    found.blas = blas_rate(point);
    found.arithmetic = host_rates(point, where);
    found.products = process_rates(point);
    note_waiting(point, &Waiting::arithmetic, found);
  } else if (point.benchmark == "StarSTREAM" && kernel(point) == "Triad") {
    found.memory = host_rates(point, where);
    note_waiting(point, &Waiting::memory, found);
  } else if (point.benchmark == "LatencyBandwidth") {
    const bool short_message = record::metric(point, "random_ring_latency_s") != nullptr;
    (short_message ? found.latency : found.bandwidth) = pair_times(point, where);
  }
}

}  // namespace

bool stands_out(const HostRates& hosts) {
  const double fence = hosts.others_low - far_out * (hosts.others_high - hosts.others_low);
  return hosts.hosts >= fewest_hosts && hosts.repetitions >= fewest_repetitions && hosts.rate > 0 &&
         hosts.best_rate < hosts.others_worst_rate && hosts.rate < fence && hosts.slowdown() >= noticeable;
}

bool pair_stands_out(const PairTimes& pairs) {
  return slower(pairs, pairs.slowest_s) && pairs.between >= fewest_pairs &&
         pairs.slow_between == pairs.between && pairs.slow == pairs.slow_between;
}

bool place_stands_out(const PairTimes& pairs) {
  return slower(pairs, pairs.place_s) && pairs.with_place >= fewest_pairs &&
         pairs.slow_with_place == pairs.with_place && pairs.slow == pairs.slow_with_place;
}

bool limits(const Quota& quota) {
  return quota.cores > 0 && quota.slowdown() >= noticeable;
}

// Evidence on causes in the records of a run.

Evidence evidence_of(const record::Run& run) {
  Evidence found;
  for (std::size_t i = 0; i < run.points.size(); ++i)
    if (const PointRecord& point = run.points[i];
        point.suite == "hpcc" && point.verified != false && !has_flag(point, not_representative_flag))
      read_point(point, record::whereabouts_of_point(run, i), found);
  found.quota = quota(run.head);
  return found;
}

}  // namespace steelyard::balance
