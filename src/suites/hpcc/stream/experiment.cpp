// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <algorithm>
#include <string>

#include "measure/failure.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/stream/stream.hpp"

namespace steelyard::hpcc {
namespace {

/// The vectors of a block, and how each kernel stores.
struct Vectors {
  std::optional<Stream> stream;  // nullopt on ranks that wait
  double setup_s = 0;            // to get and to touch them
  std::vector<BufferUse> buffers;
  std::array<Stores, 4> stores{};
};

/// Makes the vectors of a block. A kernel stores as one process finds best, so that all do the same.
std::shared_ptr<Vectors> make_vectors(const Frame& frame, const PointSpec& spec) {
  auto vectors = std::make_shared<Vectors>();
  measure::all_or_none(*frame.world, [&] {
    const Stopwatch watch;
    if (frame.computes(spec.benchmark.mode))
      vectors->stream.emplace(spec.length, frame.settings->threads, stream_tried(spec, *frame.settings));
    vectors->setup_s = watch.seconds();
  });
  vectors->buffers =
      buffer_use(*frame.world, vectors->stream ? vectors->stream->buffers() : std::vector<NamedBuffer>{});
  for (const auto kernel : stream_kernels) {
    auto& stores = vectors->stores[static_cast<std::size_t>(kernel)];
    if (frame.settings->form == Form::base) continue;
    if (vectors->stream) stores = vectors->stream->fastest(kernel);
    const int source = frame.alone(spec.benchmark.mode) ? frame.single_rank : 0;
    stores = frame.world->broadcast(stores, source);
  }
  return vectors;
}

class StreamExperiment final : public Experiment {
 public:
  StreamExperiment(const Frame& frame, const PointSpec& spec, std::shared_ptr<Vectors> vectors)
      : Experiment(frame, spec), vectors_(std::move(vectors)) {}

  std::unique_ptr<measure::Workload> open() override {
    return make_workload(
        frame_, spec_.benchmark.mode,
        {[this] {
           vectors_->stream->run(spec_.kernel, stores());
           return 0;
         },
         [this]() -> std::optional<measure::CheckResult> { return vectors_->stream->verify(); }});
  }

  /// Describes the best of all trials but the first; each trial is as long as its slowest process.
  void describe(const measure::Outcome& outcome, record::PointRecord& record) const override {
    record.classic.emplace_back("STREAM_VectorSize", spec_.length);
    record.classic.emplace_back("STREAM_Threads", std::int64_t{frame_.settings->threads});
    record.classic.emplace_back("stores", std::string(text(stores())));
    if (vectors_->stream) record.classic.emplace_back("setup_s", vectors_->setup_s);
    put_openmp(record);
    put_passes(record, outcome);
    put_memory_use(record, spec_, *frame_.settings, vectors_->buffers);
    if (outcome.passes.size() < 2) return;
    const auto& trials = outcome.passes;
    const auto best = std::ranges::min_element(trials.begin() + 1, trials.end(), {},
                                               [](const auto& trial) { return trial.ranks.max_s; });
    const double bytes = counted_work(spec_);
    if (best->ranks.max_s < stream_least_ticks * stream_tick_s(MPI_Wtick()))
      record.flags.emplace_back("fewer_ticks_than_the_rules_ask");
    const double rate = bytes / best->ranks.max_s;
    put_primary(record, outcome, "bandwidth_byte_s", rate);
    record.classic.emplace_back("least_rate", rate);
    record.classic.emplace_back("mean_rate", bytes * best->ranks.mean_rate_op_s);
    record.classic.emplace_back("most_rate", bytes / best->ranks.min_s);
    put_figure(record, key(spec_, "_" + std::string(text(spec_.kernel))), rate);
  }

 private:
  void put_openmp(record::PointRecord& record) const {
    const auto figures = openmp_figures(frame_.settings->threads);
    record.classic.emplace_back("M_OPENMP", std::int64_t{figures.version});
    record.classic.emplace_back("omp_get_num_threads", std::int64_t{figures.num_threads});
    record.classic.emplace_back("omp_get_max_threads", std::int64_t{figures.max_threads});
    record.classic.emplace_back("omp_get_num_procs", std::int64_t{figures.num_procs});
  }

  [[nodiscard]] Stores stores() const { return vectors_->stores[static_cast<std::size_t>(spec_.kernel)]; }

  std::shared_ptr<Vectors> vectors_;
};

}  // namespace

Experiments make_stream(const Frame& frame, std::span<const PointSpec> specs) {
  Experiments all;
  if (specs.empty()) return all;
  const auto vectors = make_vectors(frame, specs.front());
  for (const auto& spec : specs) all.push_back(std::make_unique<StreamExperiment>(frame, spec, vectors));
  return all;
}

}  // namespace steelyard::hpcc
