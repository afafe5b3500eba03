// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "measure/buffers.hpp"
#include "mpi/communicator.hpp"
#include "suites/imb/sides.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb::test {

/// Of which part of IMB a benchmark is, and in which mode.
struct PartMode {
  const Part& part = mpi1();
  Mode mode = Mode::none;
  std::uint64_t bundle = 0;
  int partitions = 1;
  StartTrial* trial = nullptr;
};

/// Calibrated once in a process, as in a session: a calibration takes tens of milliseconds, a point of a test less than one.
inline Computation& computation_of_all() {
  static Computation computation;
  return computation;
}

/// One point of a benchmark on the first `processes` ranks, without the engine.
class Bench {
 public:
  Bench(const Settings& settings, const mpi::Communicator& group, std::string_view name, std::int64_t size,
        std::uint64_t operations = 1000, const PartMode& how = {})
      : settings_(settings),
        definition_(*find(how.part, name)),
        sides_(sides(settings_, definition_, Bytes{size}, group.size(), operations, how.mode)),
        arena_({sides_.send.slots.bytes, sides_.receive.slots.bytes}, 0),
        point_{.settings = settings_,
               .definition = definition_,
               .group = group,
               .rank = group.rank(),
               .processes = group.size(),
               .size = Bytes{size},
               .send = {arena_.send(0).data(), sides_.send},
               .receive = {arena_.receive(0).data(), sides_.receive},
               .mode = how.mode,
               .bundle = how.bundle,
               .computation = &computation_of_all(),
               .overlap = &overlap_,
               .partitions = how.partitions,
               .own = &own_,
               .trial = how.trial} {
    if (definition_.with_computation || definition_.comparison == Comparison::whole_message)
      computation_of_all().prepare(10, Seconds{1e-6});
    fill_send(point_.send, point_.rank);
    fill_receive(point_.receive);
    workload_ = workload_of(how.part.name, definition_.name)(point_);
  }

  [[nodiscard]] measure::Workload& workload() { return *workload_; }
  [[nodiscard]] const Point& point() const { return point_; }
  [[nodiscard]] OverlapFigures overlap() const { return overlap_.last(); }
  [[nodiscard]] OwnFigures own() const { return own_.last(); }
  [[nodiscard]] const measure::Arena& arena() const { return arena_; }

 private:
  Settings settings_;
  const Definition& definition_;
  Sides sides_;
  measure::Arena arena_;
  OverlapTimes overlap_;
  OwnTimes own_;
  Point point_;
  std::unique_ptr<measure::Workload> workload_;
};

/// Ranks that run a benchmark in a world of this size: 2, an even number, or all; 0 = too few.
inline int active_ranks(const Definition& definition, int world) {
  const bool pair = definition.kind == Class::single_transfer || definition.kind == Class::single_element;
  if (pair) return world < 2 ? 0 : 2;
  if (definition.kind == Class::message_rate) return world - world % 2;
  return world;
}

/// The first `processes` ranks of the world, invalid on the others. Collective over the world.
inline mpi::Communicator first_ranks(int processes) {
  const auto world = mpi::Communicator::world();
  return world.split(world.rank() < processes ? 0 : -1, world.rank());
}

/// One communicator per number of processes, split once.
class Groups {
 public:
  Groups() {
    const int world = mpi::Communicator::world().size();
    for (int q = 1; q <= world; ++q) groups_.push_back(first_ranks(q));
  }
  [[nodiscard]] const mpi::Communicator& of(int processes) const {
    return groups_.at(static_cast<std::size_t>(processes - 1));
  }

 private:
  std::vector<mpi::Communicator> groups_;
};

inline std::int64_t rounded(const Settings& settings, const Definition& definition, std::int64_t size) {
  const auto unit = size_of(element_type(settings, definition));
  return (size + unit - 1) / unit * unit;
}

}  // namespace steelyard::imb::test
