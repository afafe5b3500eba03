// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mt/partners.hpp"

namespace steelyard::imb {
namespace {

bool is_band(const Definition& definition) {
  return definition.receive == Side::sections;
}

int stride_of(int processes, int stride) {
  return stride == 0 ? processes / 2 : stride;
}

}  // namespace

std::optional<PairPlace> pair_place(int rank, int processes, int stride) {
  const int s = stride_of(processes, stride);
  if (s <= 0 || s > processes / 2) return std::nullopt;
  const int group = rank / s;
  // The last groups have no partners where 2 s does not divide P.
  if (processes % (2 * s) != 0 && group / 2 == processes / (2 * s)) return std::nullopt;
  const bool lower = group % 2 == 0;
  return PairPlace{lower ? rank + s : rank - s, lower};
}

RingPlaces ring_places(int rank, int processes, int stride) {
  const int s = stride_of(processes, stride) % processes;
  return {(rank + s) % processes, (rank - s + processes) % processes};
}

int taking_part(const Definition& definition, int processes, int stride) {
  if (!definition.pairs) return processes;
  int ranks = 0;
  for (int rank = 0; rank < processes; ++rank) ranks += pair_place(rank, processes, stride) ? 1 : 0;
  return ranks;
}

double thread_time_divisor(const Definition& definition, const Settings& settings) {
  if (!is_band(definition)) return definition.time_divisor;
  return static_cast<double>(settings.window) * definition.messages;
}

ThreadVolume thread_volume(const Definition& definition, const Settings& settings, Bytes size,
                           int processes) {
  if (!is_band(definition))
    return {countable(std::int64_t{definition.messages} * settings.threads, size.count()), 0};
  const auto pairs = std::int64_t{taking_part(definition, processes, settings.stride)} * settings.threads / 2;
  return {countable(pairs, size.count()), pairs};
}

}  // namespace steelyard::imb
