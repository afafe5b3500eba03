// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>
#include <string_view>

#include "analysis/balance/measured.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/summary_keys.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

struct Key {
  std::string_view name;
  Quantity quantity;
};

constexpr auto keys = std::to_array<Key>({
    {"CommWorldProcs", processes},
    {"STREAM_Threads", threads_per_process},
    {"HPL_Tflops", hpl_flop_s},
    {"StarDGEMM_Gflops", dgemm_star_flop_s},
    {"StarSTREAM_Copy", stream_star_copy_byte_s},
    {"StarSTREAM_Scale", stream_star_scale_byte_s},
    {"StarSTREAM_Add", stream_star_add_byte_s},
    {"StarSTREAM_Triad", stream_star_triad_byte_s},
    {"SingleSTREAM_Triad", stream_single_triad_byte_s},
    {"PTRANS_GBs", ptrans_byte_s},
    {"MPIFFT_Gflops", fft_global_flop_s},
    {"MPIRandomAccess_GUPs", random_access_global_update_s},
    {"StarRandomAccess_GUPs", random_access_star_update_s},
    {"RandomlyOrderedRingBandwidth_GBytes", random_ring_byte_s},
    {"RandomlyOrderedRingLatency_usec", random_ring_latency_s},
    {"NaturallyOrderedRingBandwidth_GBytes", natural_ring_byte_s},
    {"NaturallyOrderedRingLatency_usec", natural_ring_latency_s},
    {"MinPingPongBandwidth_GBytes", pingpong_min_byte_s},
    {"MaxPingPongLatency_usec", pingpong_max_latency_s},
});

/// Limits of the published suite's own checks.
constexpr double largest_residual = 16, largest_error_share = 0.01;

class Summary {
 public:
  explicit Summary(const record::Members& members) : members_(members) {}

  [[nodiscard]] std::optional<double> number(std::string_view name) const {
    return record::number_of(record::find(members_, name));
  }

  [[nodiscard]] std::optional<double> positive(std::string_view name) const {
    const auto value = number(name);
    return value && *value > 0 ? value : std::nullopt;
  }

  [[nodiscard]] std::optional<double> product(std::string_view a, std::string_view b) const {
    const auto x = positive(a), y = positive(b);
    return x && y ? std::optional(*x * *y) : std::nullopt;
  }

  [[nodiscard]] bool above(std::string_view name, double limit) const {
    const auto value = number(name);
    return value && *value > limit;
  }

  /// Whether the error of PTRANS, which the Summary holds as it is, over eps * n is above its limit.
  [[nodiscard]] bool transpose_failed() const {
    constexpr double eps = std::numeric_limits<double>::epsilon() / 2;
    const auto error = number("PTRANS_residual"), order = positive("PTRANS_n");
    return error && order && *error / (eps * *order) > largest_residual;
  }

  /// Whether ||Ax - b|| / (eps (||x|| ||A|| + ||b||) N), all in the norm of the largest element,
  /// is above its limit.
  [[nodiscard]] bool solver_failed() const {
    const auto r = positive("HPL_RnormI"), ax = product("HPL_AnormI", "HPL_XnormI"),
               b = positive("HPL_BnormI"), rounding = product("HPL_eps", "HPL_N");
    return r && ax && b && rounding && *r / (*rounding * (*ax + *b)) > largest_residual;
  }

 private:
  const record::Members& members_;
};

bool differs(std::optional<double> used, double all) {
  return used && *used != all;
}

/// Takes the best row whose residual passed, or that has none.
void take_solver(const record::Run& run, System& system) {
  const record::PointRecord* best = nullptr;
  double most = 0;
  for (const auto& point : run.points) {
    const auto rate = record::figure(point, "flop_rate_flop_s");
    if (point.suite != "hpcc" || point.benchmark != "HPL" || point.verified == false || !rate ||
        *rate <= most)
      continue;
    best = &point;
    most = *rate;
  }
  if (best == nullptr) return;
  system.inputs.set(hpl_flop_s, most);
  system.inputs.set(hpl_processes, best->processes);
  if (const auto* order = record::find(best->params, "order"))
    system.doubts.hpl_order = record::number(*order);
}

/// Takes the rates of STREAM, one process that fills a node, as rates of each process, like
/// those of HPC Challenge.
void take_stream(const record::Run& run, System& system) {
  constexpr std::pair<std::string_view, Quantity> kernels[] = {{"copy", stream_star_copy_byte_s},
                                                               {"scale", stream_star_scale_byte_s},
                                                               {"add", stream_star_add_byte_s},
                                                               {"triad", stream_star_triad_byte_s}};
  const double processes_of_all = system.processes(), nodes_of_all = system.nodes().value_or(0);
  if (!(processes_of_all > 0) || !(nodes_of_all > 0)) return;
  for (const auto& point : run.points)
    for (const auto& [kernel, quantity] : kernels)
      if (const auto rate = record::figure(point, "bandwidth_byte_s");
          rate && point.suite == "stream" && point.benchmark == kernel && point.verified != false)
        system.inputs.set(quantity, *rate * nodes_of_all / processes_of_all);
}

}  // namespace

void take_hpcc_summary(System& system, const record::Members& members) {
  const Summary summary(members);
  for (const Key& key : keys)
    if (const auto value = summary.number(key.name))
      system.inputs.set(key.quantity, hpcc::in_base_units(key.name, *value));
  const double all = system.processes();
  system.inputs.set(hpl_processes, summary.product("HPL_nprow", "HPL_npcol"));
  if (differs(summary.product("PTRANS_nprow", "PTRANS_npcol"), all))
    system.doubts.subset.insert(ptrans_byte_s);
  if (differs(summary.positive("MPIFFT_Procs"), all)) system.doubts.subset.insert(fft_global_flop_s);
  system.doubts.hpl_order = summary.positive("HPL_N");
  system.doubts.stream_elements = summary.positive("STREAM_VectorSize");
  constexpr std::string_view peak = "Sy_core_peak_Gflops";
  if (const auto each = summary.positive(peak))
    system.inputs.set(peak_measured_flop_s, hpcc::in_base_units(peak, *each) * all);
  if (const auto form = record::word_of(record::find(members, "Sy_run")); !form.empty()) {
    system.run_type = form;
    system.doubts.optimised = form == "optimized";
  }
}

std::set<std::string_view> failed_hpcc_tests(const record::Members& members) {
  const Summary summary(members);
  std::set<std::string_view> failed;
  if (summary.number("Success") != 0.0) return failed;
  if (summary.solver_failed()) failed.insert("HPL");
  if (summary.transpose_failed()) failed.insert("PTRANS");
  for (const std::string_view test : {"MPIRandomAccess", "MPIRandomAccess_LCG"})
    if (summary.above(std::string(test) + "_ErrorsFraction", largest_error_share)) failed.insert(test);
  if (!failed.empty()) return failed;
  for (const auto& key : hpcc::summary_keys())
    if (!key.test.empty()) failed.insert(key.test);
  return failed;
}

void take_hpcc_success(System& system, const record::Members& members) {
  const auto failed = failed_hpcc_tests(members);
  const bool told = record::find(members, "Success") != nullptr;
  for (const Key& key : keys) {
    if (key.quantity == processes || key.quantity == threads_per_process) continue;
    if (failed.contains(hpcc::summary_key(key.name)->test)) system.doubts.failed.insert(key.quantity);
    if (!told) system.doubts.unverified.insert(key.quantity);
  }
}

void take_imported(const record::Run& run, System& system) {
  if (run.head.imported.empty()) return;
  for (const auto& summary : run.summaries)
    if (summary.name == "hpcc") take_hpcc_success(system, summary.classic);
  if (!system.inputs.get(hpl_flop_s)) take_solver(run, system);
  take_stream(run, system);
  for (const auto& point : run.points)
    if (const auto rate = record::figure(point, "flop_rate_flop_s");
        rate && point.suite == "hpcg" && point.verified != false)
      system.inputs.set(hpcg_flop_s, *rate);
}

}  // namespace steelyard::balance
