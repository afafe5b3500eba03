// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/balance/verdict.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;
using Kind = Cause::Kind;

std::string factor(double times) {
  return units::format_significant(times, 2) + " times as long";
}

double sum(const Shares& shares) {
  double total = 0;
  for (const auto& [resource, time] : shares) total += time;
  return total;
}

constexpr double most_waiting =
    0.95;  // share up to which a gain can be told: beyond it too little was measured

class Finder {
 public:
  Finder(const System& system, const Capacities& found, const std::vector<Profile>& profiles)
      : system_(system), evidence_(system.evidence), found_(found), profiles_(profiles) {}

  std::vector<Cause> find() {
    look_at_quota();
    look_at_others();
    look_at_hosts();
    look_at_blas();
    look_at_links();
    std::ranges::stable_sort(list_, std::greater<>(), &Cause::gain);
    return std::move(list_);
  }

 private:
  /// Gain as the geometric mean over the kinds of work.
  [[nodiscard]] double gain(const Capacities& now, const Capacities& without) const {
    const auto memory = system_.inputs.get(memory_byte);
    if (!memory || profiles_.empty()) return 1;
    double logarithms = 0;
    for (const Profile& profile : profiles_) {
      const Demands d = demands(profile, system_.processes(), *memory);
      logarithms +=
          std::log(sum(times(d, now, system_.processes())) / sum(times(d, without, system_.processes())));
    }
    return std::exp(logarithms / static_cast<double>(profiles_.size()));
  }

  void look_at_quota() {
    const auto& quota = evidence_.quota;
    if (!quota || !limits(*quota)) return;
    const std::string limit =
        "the control group allows its processes " + units::format_significant(quota->cores, 2) +
        " processors' worth of time where they would use " + units::format_significant(quota->wanted, 2);
    list_.push_back(
        {Kind::quota,
         units::format_significant(quota->cores, 2) + " processors",
         {Resource::compute, Resource::memory},
         quota->slowdown(),
         "Processor speed holds this machine back, because a quota limits it: " + limit + '.',
         "A quota limits the processors: " + limit + '.',
         "raise or remove the quota (docker --cpus, Kubernetes limits), or start fewer processes"});
  }

  /// Looks for time that other programs took of the processors. A quota makes processes wait as well.
  void look_at_others() {
    const auto& waiting = evidence_.waiting;
    if (!waiting || (evidence_.quota && limits(*evidence_.quota))) return;
    Cause cause{Kind::others,
                "other programs",
                {},
                1,
                {},
                {},
                "end them, ask for nodes of your own, or wait (--wait-quiet 10m); then measure again"};
    Capacities without = found_;
    std::string times;
    const auto look = [&](double share, Resource resource, std::optional<double>& rate, const char* test) {
      if (!rate || 1 / (1 - std::min(share, most_waiting)) < noticeable) return;
      *rate /= 1 - std::min(share, most_waiting);
      cause.explains.push_back(resource);
      times += (times.empty() ? "" : " and ") + units::percent(share, 0) + " of the time of " + test;
    };
    look(waiting->arithmetic, Resource::compute, without.compute_flop_s, "DGEMM");
    look(waiting->memory, Resource::memory, without.memory_byte_s, "STREAM's triad");
    if (cause.explains.empty()) return;
    cause.gain = gain(found_, without);
    const std::string waited = "its processes waited for a processor in " + times;
    cause.verdict = "Other programs held this machine back while it was measured: " + waited + '.';
    cause.remark = "Other programs took processors: " + waited + '.';
    list_.push_back(std::move(cause));
  }

  /// Looks for a slow host. All wait for the slowest: what it lacks, the machine lacks.
  void look_at_hosts() {
    const auto slow = [](const std::optional<HostRates>& rates) { return rates && stands_out(*rates); };
    const bool computes_slowly = slow(evidence_.arithmetic), has_slow_memory = slow(evidence_.memory);
    if (!computes_slowly && !has_slow_memory) return;
    const HostRates& first = computes_slowly ? *evidence_.arithmetic : *evidence_.memory;
    const bool in_both =
        computes_slowly && has_slow_memory && evidence_.memory->slowest == evidence_.arithmetic->slowest;
    Cause cause{
        Kind::host, first.slowest, {}, 1, {}, {}, "look at that host: its load, clock, memory, quota"};
    Capacities now = found_, without = found_;
    std::string what;
    if (computes_slowly && found_.compute_flop_s) {
      cause.explains.push_back(Resource::compute);
      now.compute_flop_s = system_.processes() * first.rate;
      without.compute_flop_s = system_.processes() * first.others_rate;
    }
    if (computes_slowly) what = units::percent(1 / first.slowdown(), 0) + " of the arithmetic speed";
    if (in_both || !computes_slowly) {
      cause.explains.push_back(Resource::memory);
      if (found_.memory_byte_s) without.memory_byte_s = *found_.memory_byte_s * evidence_.memory->slowdown();
      what += (what.empty() ? "" : " and ") + units::percent(1 / evidence_.memory->slowdown(), 0) +
              " of the memory bandwidth";
    }
    cause.gain = gain(now, without);
    const std::string reaches = "its processes reach " + what + " of the other hosts" + slow_messages(cause);
    cause.verdict =
        "Host " + cause.subject + " holds this machine back: " + reaches + ", and the others wait for it.";
    cause.remark = "Host " + cause.subject + " is slow: " + reaches + '.';
    list_.push_back(std::move(cause));
  }

  /// Words for the slow messages of a slow host, which are part of the same cause.
  [[nodiscard]] std::string slow_messages(const Cause& cause) const {
    for (const auto* pairs : {&evidence_.latency, &evidence_.bandwidth})
      if (*pairs && (*pairs)->between_hosts && (*pairs)->place == cause.subject && place_stands_out(**pairs))
        return ", and its messages take " + factor((*pairs)->place_slowdown());
    return {};
  }

  void look_at_blas() {
    const auto& blas = evidence_.blas;
    if (!blas || !blas->too_slow || !found_.compute_flop_s || blas->share <= 0) return;
    // The short loop of multiply-adds may run between two stops by the quota, and DGEMM does not.
    const auto& quota = evidence_.quota;
    if (quota && limits(*quota) && blas->share * quota->slowdown() >= blas->better_share) return;
    Capacities without = found_;
    without.compute_flop_s = *found_.compute_flop_s * blas->better_share / blas->share;
    const std::string name = (blas->name.empty() ? "the BLAS" : blas->name) +
                             (blas->kernel.empty() ? "" : " with kernel ") + blas->kernel;
    const std::string reaches = "DGEMM by " + name + " reaches " + units::percent(blas->share, 0) +
                                " of the multiply-adds that the processors do";
    list_.push_back({Kind::blas,
                     name,
                     {Resource::compute},
                     gain(found_, without),
                     "The BLAS, not the processors, holds this machine back: " + reaches + '.',
                     "The BLAS is slow: " + reaches + '.',
                     blas->cure});
  }

  [[nodiscard]] Capacities with_ring() const {
    Capacities all = found_;
    if (const auto byte_s = system_.inputs.get(random_ring_byte_s); byte_s && !all.network_byte_s)
      all.network_byte_s = *byte_s * system_.processes();
    if (!all.latency_s) all.latency_s = system_.inputs.get(random_ring_latency_s);
    return all;
  }

  /// Slow place or slow pair, by short messages, by long ones, or by both.
  struct Slow {
    std::string subject;
    const PairTimes* latency = nullptr;
    const PairTimes* bandwidth = nullptr;
  };

  void look_at_links() {
    Slow place, pair;
    for (const auto* pairs : {&evidence_.latency, &evidence_.bandwidth}) {
      if (!*pairs) continue;
      const bool of_place = place_stands_out(**pairs);
      if (!of_place && !pair_stands_out(**pairs)) continue;
      Slow& slow = of_place ? place : pair;
      const std::string subject = of_place ? (*pairs)->place : (*pairs)->one + " and " + (*pairs)->other;
      if (!slow.subject.empty() && slow.subject != subject) continue;
      slow.subject = subject;
      (pairs == &evidence_.latency ? slow.latency : slow.bandwidth) = &**pairs;
    }
    add(place, Kind::host_link, [](const PairTimes& pairs) { return pairs.place_slowdown(); });
    add(pair, Kind::link, [](const PairTimes& pairs) { return pairs.pair_slowdown(); });
  }

  template <class Slowdown>
  void add(const Slow& slow, Kind kind, Slowdown slowdown) {
    if (slow.subject.empty() || has_slow_host(slow)) return;
    const Capacities now = with_ring();
    Capacities without = now;
    Cause cause{kind, slow.subject, {}, 1, {}, {}, {}};
    std::string times_as_long;
    if (slow.latency != nullptr) {
      cause.explains.push_back(Resource::latency);
      if (without.latency_s) *without.latency_s /= slowdown(*slow.latency);
      times_as_long = "short messages take " + factor(slowdown(*slow.latency));
    }
    if (slow.bandwidth != nullptr) {
      cause.explains.push_back(Resource::network);
      if (without.network_byte_s) *without.network_byte_s *= slowdown(*slow.bandwidth);
      times_as_long += (times_as_long.empty() ? "" : " and ") +
                       ("long messages take " + factor(slowdown(*slow.bandwidth)));
    }
    cause.gain = gain(now, without);
    const bool hosts = (slow.latency != nullptr ? slow.latency : slow.bandwidth)->between_hosts;
    const std::string who = name_of(slow.subject, kind, hosts);
    times_as_long += hosts ? " as between the other hosts" : " as between the other processes";
    cause.verdict = who + (hosts ? " holds" : " hold") + " this machine back: " + times_as_long + '.';
    cause.remark = who + (hosts ? " is" : " are") + " slow: " + times_as_long + '.';
    list_.push_back(std::move(cause));
  }

  /// Whether the place or pair has a slow host: its messages are slow as its processes are, and no
  /// cause of their own.
  [[nodiscard]] bool has_slow_host(const Slow& slow) const {
    const PairTimes& pairs = slow.latency != nullptr ? *slow.latency : *slow.bandwidth;
    return std::ranges::any_of(list_, [&](const Cause& one) {
      const bool is_in =
          one.subject == slow.subject || one.subject == pairs.one || one.subject == pairs.other;
      return one.kind == Kind::host && is_in;
    });
  }

  static std::string name_of(const std::string& subject, Kind kind, bool hosts) {
    if (!hosts) return (kind == Kind::link ? "Messages between " : "Messages of ") + subject;
    return (kind == Kind::link ? "The link between " : "The network link of ") + subject;
  }

  const System& system_;
  const Evidence& evidence_;
  const Capacities& found_;
  const std::vector<Profile>& profiles_;
  std::vector<Cause> list_;
};

}  // namespace

std::string_view key(Cause::Kind kind) {
  constexpr std::array<std::string_view, 6> keys = {"quota", "others", "host", "blas", "host_link", "link"};
  return keys[static_cast<std::size_t>(kind)];
}

std::vector<Cause> causes(const System& system, const Capacities& found,
                          const std::vector<Profile>& profiles) {
  return Finder(system, found, profiles).find();
}

}  // namespace steelyard::balance
