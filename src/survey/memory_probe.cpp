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

constexpr std::int64_t part_byte = 16 << 20, longest_byte = 512 << 20;
constexpr std::ptrdiff_t counted_parts = 3;
/// Of each kind of memory.
constexpr double part_of_survey = 0.1;

std::int64_t parts_of(const Wishes& wishes) {
  const auto most = wishes.memory_byte > 0 ? std::min(wishes.memory_byte / 8, longest_byte) : longest_byte;
  return std::max<std::int64_t>(most / part_byte, counted_parts);
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
  const auto parts = world.min(parts_of(wishes));
  RateNotes notes(surveyed);
  const auto note = [&](double Rates::*rate, auto touch) {
    bool lacking = false;
    const ProbeClock own(world, part_of_survey * wishes.seconds);
    const auto seconds = last_parts(own, parts, [&](std::int64_t i) {
      try {
        touch(i);
      } catch (const std::bad_alloc&) {
        lacking = true;
      }
    });
    if (!world.any(lacking)) notes.rate(rate, static_cast<double>(part_byte), seconds);
  };
  std::vector<hpcc::HugeArray<std::byte>> huge;
  note(&Rates::touch_byte_s, [&](std::int64_t) {
    huge.emplace_back(part_byte);
    hpcc::touch_first(huge.back().span(), wishes.threads);
  });
  // The others are kept meanwhile: buffers are not made of what was given back a moment ago.
  std::vector<std::unique_ptr<measure::Arena>> buffers;
  note(&Rates::buffer_byte_s, [&](std::int64_t) {
    buffers.push_back(
        std::make_unique<measure::Arena>(measure::Arena::Need{part_byte / 2, part_byte / 2}, 0));
  });
}

}  // namespace steelyard::survey
