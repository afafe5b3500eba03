// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "analysis/balance/flags.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

constexpr double tie = 1.1;  // gains closer than that are about equal

/// Seconds that one flop of the system takes by each resource, and the I/O of a checkpoint per second of
/// work.
struct Capacities {
  std::optional<double> compute_flop_s, memory_byte_s, network_byte_s, latency_s, io_byte_s;
};

class Judge {
 public:
  Judge(const System& system, const VerdictOptions& options)
      : system_(system), options_(options), flags_(flags(system)) {}

  Verdict judge() {
    read_capacities();
    const std::string obstacle = reason_for_none();
    if (!obstacle.empty()) {
      verdict_.text.push_back("No verdict: " + obstacle + ".");
      return std::move(verdict_);
    }
    for (const Profile& profile : options_.profiles) add(profile);
    set_gains(options_.profiles.size());
    for (const Profile& profile : options_.shown_only) add(profile);
    classify();
    describe();
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] bool failed(Quantity quantity) const { return system_.doubts.failed.contains(quantity); }

  std::optional<double> measured(Quantity quantity, Resource resource, double factor = 1) {
    const auto value = system_.inputs.get(quantity);
    if (!value)
      leave_out(resource, "not measured; " + std::string(info(quantity).source) + " would");
    else if (failed(quantity))
      leave_out(resource, "its verification failed");
    else
      return *value * factor;
    return std::nullopt;
  }

  void leave_out(Resource resource, std::string reason) {
    verdict_.left_out.push_back({resource, std::move(reason)});
  }

  void read_capacities() {
    const double p = system_.processes();
    read_compute(p);
    if (balance::has(flags_, Flag::cache))
      leave_out(Resource::memory, "STREAM's arrays are too small for this cache");
    else
      found_.memory_byte_s = measured(stream_star_triad_byte_s, Resource::memory, p);
    const std::string alone =
        p == 1 ? "one process talks to nobody" : "one node: messages stay in shared memory";
    if (p == 1 || system_.one_node()) {
      leave_out(Resource::network, alone);
      leave_out(Resource::latency, alone);
    } else {
      found_.network_byte_s = measured(random_ring_byte_s, Resource::network, p);
      found_.latency_s = measured(random_ring_latency_s, Resource::latency);
    }
    found_.io_byte_s = measured(b_eff_io_byte_s, Resource::io);
  }

  /// DGEMM, else the linear solver.
  void read_compute(double processes) {
    const auto dgemm = system_.inputs.get(dgemm_star_flop_s);
    if (dgemm && !failed(dgemm_star_flop_s)) {
      found_.compute_flop_s = *dgemm * processes;
      return;
    }
    Reading read(system_.inputs);
    const double hpl = read.hpl();
    if (read.missing().empty() && !failed(hpl_flop_s)) {
      found_.compute_flop_s = hpl;
      by_hpl_ = true;
      return;
    }
    leave_out(Resource::compute, "neither DGEMM nor HPL was measured; run hpcc/StarDGEMM would");
  }

  [[nodiscard]] std::string reason_for_none() const {
    if (balance::has(flags_, Flag::oversubscribed)) return "more processes and threads than usable cores";
    if (!found_.compute_flop_s) return "the speed of the processors is not known (run hpcc/StarDGEMM)";
    if (!system_.inputs.get(memory_byte)) return "the size of the memory is not known (--memory)";
    const int others = (found_.memory_byte_s ? 1 : 0) + (found_.network_byte_s ? 1 : 0) +
                       (found_.latency_s ? 1 : 0) + (found_.io_byte_s ? 1 : 0);
    return others == 0 ? "only one resource was measured (run hpcc measures the others)" : "";
  }

  void add(const Profile& profile) {
    const double p = system_.processes(), memory = *system_.inputs.get(memory_byte);
    const Demands d = demands(profile, p, memory);
    Shares times{{Resource::compute, 1 / *found_.compute_flop_s}};
    if (found_.memory_byte_s) times[Resource::memory] = d.memory_byte_flop / *found_.memory_byte_s;
    if (found_.network_byte_s) times[Resource::network] = d.network_byte_flop / *found_.network_byte_s;
    if (found_.latency_s) times[Resource::latency] = d.message_flop * *found_.latency_s / p;
    double sum = 0;
    for (const auto& [resource, time] : times) sum += time;
    const double i = found_.io_byte_s ? memory / 2 / *found_.io_byte_s / options_.checkpoint_interval_s : 0;
    for (auto& [resource, time] : times) time = time / sum / (1 + i);
    if (found_.io_byte_s) times[Resource::io] = i / (1 + i);
    verdict_.demands.emplace_back(profile.name, d);
    verdict_.shares.emplace_back(profile.name, std::move(times));
  }

  /// Geometric mean over the profiles of how much faster the work is with twice the resource.
  void set_gains(std::size_t profiles) {
    for (const auto& [resource, share] : verdict_.shares.front().second) {
      double logs = 0;
      for (const auto& [name, shares] : verdict_.shares) logs -= std::log(1 - shares.at(resource) / 2);
      verdict_.gain_of_doubling[resource] = std::exp(logs / static_cast<double>(profiles));
      verdict_.order.push_back(resource);
    }
    std::ranges::stable_sort(verdict_.order, std::greater<>(), [&](Resource r) { return gain(r); });
  }

  [[nodiscard]] double gain(Resource resource) const { return verdict_.gain_of_doubling.at(resource); }

  void classify() {
    const auto& order = verdict_.order;
    const double first = gain(order[0]), second = gain(order[1]);
    const double third = order.size() > 2 ? gain(order[2]) : 0;
    std::size_t named = 1;
    if (order.size() > 2 ? first < tie * third : first < tie * second) {
      verdict_.kind = VerdictClass::balanced;
      named = std::min<std::size_t>(3, order.size());
    } else if (first < tie * second) {
      verdict_.kind = VerdictClass::two;
      named = 2;
    } else {
      verdict_.kind = VerdictClass::single;
    }
    verdict_.resources.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(named));
  }

  void describe();
  [[nodiscard]] std::string headline() const;

  const System& system_;
  const VerdictOptions& options_;
  std::vector<Flagged> flags_;
  Capacities found_;
  bool by_hpl_ = false;
  Verdict verdict_;
};

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string kinds(const std::vector<Profile>& profiles) {
  const std::size_t n = profiles.size();
  if (n == 1) return profiles[0].name + " work";
  constexpr std::array words = {"two", "three", "four", "five"};
  return "the " + (n - 2 < words.size() ? words[n - 2] : std::to_string(n)) + " kinds of work";
}

std::string joined(const std::vector<Resource>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == list.size() ? " and " : ", ").append(name(list[i]));
  return text;
}

std::string Judge::headline() const {
  const auto& named = verdict_.resources;
  if (verdict_.kind == VerdictClass::balanced)
    return "No single resource holds this machine back: " + joined(named) + " matter about equally.";
  if (verdict_.kind == VerdictClass::two)
    return capital(joined(named)) + " hold this machine back about equally.";
  const std::string a(name(verdict_.order[0])), b(name(verdict_.order[1]));
  return capital(a) + " holds this machine back: twice the " + a + " would make " + kinds(options_.profiles) +
         ' ' + units::format_fixed(gain(verdict_.order[0]), 2) + " times as fast on average, twice the " + b +
         " only " + units::format_fixed(gain(verdict_.order[1]), 2) + " times.";
}

std::string line_of(const std::string& profile, const Shares& shares) {
  const auto most = std::ranges::max_element(shares, {}, &Shares::value_type::second);
  return capital(profile) + " work spends " + units::format_fixed(100 * most->second, 0) +
         " % of its time on " + std::string(name(most->first)) +
         (most->second >= 0.5 ? " (mainly)." : " (partly).");
}

void Judge::describe() {
  verdict_.text.push_back(headline());
  for (const auto& [profile, shares] : verdict_.shares) verdict_.text.push_back(line_of(profile, shares));
  if (by_hpl_) verdict_.text.emplace_back("Processor speed is that of HPL, for DGEMM was not measured.");
  std::string names;
  for (const auto& [profile, shares] : verdict_.shares)
    names.append(names.empty() ? "" : ", ").append(profile);
  verdict_.text.push_back("This holds for " + names +
                          " work that fills half of the memory; other work may answer differently.");
}

}  // namespace

std::string_view key(Resource resource) {
  constexpr std::array<std::string_view, 5> keys = {"compute", "memory", "network", "latency", "io"};
  return keys[static_cast<std::size_t>(resource)];
}

std::string_view name(Resource resource) {
  constexpr std::array<std::string_view, 5> names = {"processor speed", "memory bandwidth",
                                                     "network bandwidth", "network latency", "file I/O"};
  return names[static_cast<std::size_t>(resource)];
}

std::string_view text(VerdictClass kind) {
  switch (kind) {
    case VerdictClass::balanced:
      return "balanced";
    case VerdictClass::two:
      return "double";
    case VerdictClass::single:
      break;
  }
  return "single";
}

Verdict verdict(const System& system, const VerdictOptions& options) {
  return Judge(system, options).judge();
}

}  // namespace steelyard::balance
