// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "measure/buffers.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using suites::Rates;

constexpr std::ptrdiff_t counted_parts = 3;
/// Of each kind of memory.
constexpr double part_of_survey = 0.1;

/// How memory is touched: in parts of so many bytes, up to so many, an eighth of a process's memory at most.
struct Parts {
  std::int64_t byte = 0, count = 0;
};

Parts parts_of(const Wishes& wishes) {
  constexpr std::int64_t least_byte = 1 << 20, usual_byte = 16 << 20, longest_byte = 512 << 20;
  if (wishes.memory_byte <= 0) return {usual_byte, longest_byte / usual_byte};
  const auto byte = std::clamp(wishes.memory_byte / 32 / least_byte * least_byte, least_byte, usual_byte);
  const auto all_byte = std::min(wishes.memory_byte / 8, longest_byte);
  return {byte, std::max<std::int64_t>(all_byte / byte, counted_parts)};
}

/// Seconds of the last parts that were touched in the time, up to so many: the first ones may be memory that somebody
/// gave back a moment ago. A virtual machine may be given new memory a hundred times slower. Collective.
template <class Touch>
std::vector<double> last_parts(const ProbeClock& clock, std::int64_t parts, Touch touch) {
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < parts && (i < counted_parts || clock.before(1)); ++i)
    seconds.push_back(seconds_together(clock.world(), [&] { touch(i); }));
  seconds.erase(seconds.begin(), seconds.end() - counted_parts);
  return seconds;
}

}  // namespace

void probe_memory(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed) {
  if (!clock.before(0.6)) return;
  const auto& world = clock.world();
  const Parts parts = world.broadcast(parts_of(wishes));
  RateNotes notes(surveyed);
  const auto note = [&](double Rates::*rate, auto touch) {
    bool lacking = false;
    const ProbeClock own(world, part_of_survey * wishes.seconds);
    const auto seconds = last_parts(own, parts.count, [&](std::int64_t i) {
      try {
        touch(i);
      } catch (const std::bad_alloc&) {
        lacking = true;
      }
    });
    if (!world.any(lacking)) notes.rate(rate, static_cast<double>(parts.byte), seconds);
  };
  std::vector<hpcc::HugeArray<std::byte>> huge;
  note(&Rates::touch_byte_s, [&](std::int64_t) {
    huge.emplace_back(parts.byte);
    hpcc::touch_first(huge.back().span(), wishes.threads);
  });
  // The others are kept meanwhile: buffers are not made of what was given back a moment ago.
  std::vector<std::unique_ptr<measure::Arena>> buffers;
  note(&Rates::buffer_byte_s, [&](std::int64_t) {
    buffers.push_back(
        std::make_unique<measure::Arena>(measure::Arena::Need{parts.byte / 2, parts.byte / 2}, 0));
  });
}

}  // namespace steelyard::survey
