// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <new>
#include <span>
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

std::int64_t length(const Wishes& wishes) {
  const auto most = wishes.memory_byte > 0 ? std::min(wishes.memory_byte / 8, longest_byte) : longest_byte;
  return std::max(most / part_byte, std::int64_t{counted_parts}) * part_byte;
}

/// Memory of one kind on all processes, or on none. Collective.
template <class Memory>
std::unique_ptr<Memory> on_all(const mpi::Communicator& world, std::int64_t byte) {
  std::unique_ptr<Memory> memory;
  try {
    memory = std::make_unique<Memory>(byte);
  } catch (const std::bad_alloc&) {
  }
  if (world.any(memory == nullptr)) memory.reset();
  return memory;
}

/// Seconds of the last parts that were touched in the time: the first ones may be memory that somebody gave back a
/// moment ago. A virtual machine may be given new memory a hundred times slower. Collective.
template <class Touch>
std::vector<double> last_parts(const ProbeClock& clock, std::span<std::byte> memory, Touch touch) {
  std::vector<double> seconds;
  for (; std::ssize(memory) >= part_byte && (std::ssize(seconds) < counted_parts || clock.before(1));
       memory = memory.subspan(part_byte))
    seconds.push_back(seconds_together(clock.world(), [&] { touch(memory.first(part_byte)); }));
  seconds.erase(seconds.begin(), seconds.end() - counted_parts);
  return seconds;
}

/// Pages as the system gives them to those who do not ask for larger ones.
class PlainPages {
 public:
  explicit PlainPages(std::int64_t byte) : byte_(byte), pages_(source_.take(byte)) {}
  PlainPages(const PlainPages&) = delete;
  PlainPages& operator=(const PlainPages&) = delete;
  ~PlainPages() { source_.give_back(pages_, byte_); }
  [[nodiscard]] std::span<std::byte> span() const { return {pages_, static_cast<std::size_t>(byte_)}; }

 private:
  measure::RawMemory source_ = measure::system_memory(measure::HugePages::system);
  std::int64_t byte_;
  std::byte* pages_;
};

}  // namespace

void probe_memory(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed) {
  if (!clock.before(0.6)) return;
  const auto& world = clock.world();
  const auto byte = world.min(length(wishes));
  RateNotes notes(surveyed);
  // Both at once, so that one is not made of what the other gave back.
  const auto huge = on_all<hpcc::HugeArray<std::byte>>(world, byte);
  const auto plain = on_all<PlainPages>(world, byte);
  const auto note = [&](double Rates::*rate, std::span<std::byte> memory, int threads) {
    const ProbeClock own(world, part_of_survey * wishes.seconds);
    notes.rate(rate, static_cast<double>(part_byte),
               last_parts(own, memory, [&](auto part) { hpcc::touch_first(part, threads); }));
  };
  if (huge) note(&Rates::touch_byte_s, huge->span(), wishes.threads);
  if (plain) note(&Rates::touch_page_byte_s, plain->span(), 1);
}

}  // namespace steelyard::survey
