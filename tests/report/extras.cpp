// SPDX-License-Identifier: Apache-2.0
// What the charts of stability, of FTIO and of a node's processes are made of.
#include <cmath>

#include "record/json.hpp"
#include "synthetic.hpp"

namespace steelyard::synthetic {
namespace {

using record::Json;
using record::PointRecord;

PointRecord ftio_point(std::int64_t parameter, double order) {
  PointRecord point;
  point.suite = "ftio";
  point.benchmark = "FTIO";
  point.processes = 4;
  point.verified = true;
  point.params["input_parameter"] = parameter;
  point.params["run"] = std::int64_t{1};
  point.key = record::make_key(point.suite, point.benchmark, 4, 1, 1, point.params);
  const double whole = order * order * 60e-9, share = 0.4 + 0.1 * std::log2(order / 2048);
  const std::vector<double> parts = {0.14, 0.18, 0.41, 0.07, 0.2, 0.05}, nothing(6, 0.0);
  std::vector<double> times, io, communication, bytes;
  for (const double part : parts) {
    times.push_back(whole * part);
    io.push_back(whole * part * share);
    communication.push_back(whole * part * 0.1);
    bytes.push_back(order * order * 16 * part);
  }
  point.classic = {{"matrix_order", order},
                   {"matrix_byte", order * order * 16},
                   {"io_fraction", share},
                   {"io_fraction_without_init", share},
                   {"communication_fraction", 0.1},
                   {"total_s", whole},
                   {"flop_rate_flop_s", 2e9},
                   {"phase_s", times},
                   {"phase_io_s", io},
                   {"phase_io_min_s", io},
                   {"phase_io_max_s", io},
                   {"phase_communication_s", communication},
                   {"phase_read_byte", bytes},
                   {"phase_written_byte", nothing},
                   {"phase_calls", nothing}};
  point.metrics = {{"io_fraction", share}, {"time_s", whole}};
  point.primary = "io_fraction";
  return point;
}

PointRecord saturation_point() {
  PointRecord point;
  point.suite = "hpcc";
  point.benchmark = "LatencyBandwidth";
  point.processes = 16;
  point.verified = true;
  point.key = record::make_key(point.suite, point.benchmark, 16, 1, 1, point.params);
  point.classic = {{"saturation_processes_of_node", std::vector<double>{1, 2, 4}},
                   {"saturation_node_byte_s", std::vector<double>{1.1e9, 1.9e9, 2.4e9}}};
  point.metrics = {{"random_ring_latency_s", 3.1e-6}};
  point.primary = "random_ring_latency_s";
  return point;
}

/// 80 classes: most in the first, one far away.
Json classes(std::int64_t most) {
  Json counts = Json::array();
  for (int i = 0; i < 80; ++i)
    counts.push_back(i < 12    ? static_cast<std::int64_t>(static_cast<double>(most) * std::exp(-0.7 * i))
                     : i == 61 ? 1
                               : 0);
  return {{"low_s", 9.6e-5}, {"high_s", 2.7e-3}, {"counts", std::move(counts)}};
}

}  // namespace

void add_extras(record::Run& run) {
  for (const int step : {0, 1, 2}) run.points.push_back(ftio_point(16 << step, 2048 << step));
  run.points.push_back(saturation_point());
  run.head.noise.json()["fixed_work"]["classes"] = classes(1400);
  record::EventRecord cache;
  cache.severity = record::Severity::warning;
  cache.code = "cached_read";
  cache.text = "the matrix of 64 MiB fits into the memory: the page cache is measured, not the disk";
  run.events.push_back(std::move(cache));
}

void add_times(record::Run& run) {
  run.envelopes.resize(run.points.size());
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const double k = static_cast<double>(i), size = static_cast<double>(run.points.size());
    run.envelopes[i].at_s = 60 * k / size;
    PointRecord& point = run.points[i];
    const double slow = k > size / 2 ? 1.06 : 1;
    point.states = {{.c2c_s = 60e-9,
                     .chain_s = 3e-6 * slow * (1 + 0.004 * std::sin(k)),
                     .wide_s = 2e-6 * slow,
                     .visits = 3,
                     .share = 1,
                     .median = 0,
                     .ci = {}}};
    if (!point.schedule || i % 3 != 0) continue;
    point.schedule->sync = "window";
    point.schedule->clock_error_median_s = 40e-9 * (1 + 0.3 * std::sin(k));
    point.schedule->clock_error_s = 150e-9 * (1 + 0.3 * std::cos(k));
  }
  if (run.points.size() < 4) return;
  run.points[2].status = record::Status::partial;
  run.points[3].flags = {"noisy", "few_visits"};
}

}  // namespace steelyard::synthetic
