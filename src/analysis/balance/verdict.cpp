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

constexpr std::size_t fewest_resources = 2;  // of the machine itself: what a verdict compares

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == list.size() ? " and " : ", ").append(list[i]);
  return text;
}

std::string joined(const std::vector<Resource>& list) {
  std::vector<std::string> names;
  for (const Resource resource : list) names.emplace_back(name(resource));
  return joined(names);
}

/// Words for a resource that is twice as good: only of latency less is better.
std::string bettered(Resource resource) {
  return (resource == Resource::latency ? "half the " : "twice the ") + std::string(name(resource));
}

std::pair<Resource, double> most_of(const Shares& shares) {
  return *std::ranges::max_element(shares, {}, &Shares::value_type::second);
}

std::string line_of(const std::string& profile, const Shares& shares) {
  const auto [resource, share] = most_of(shares);
  return capital(profile) + " work spends " + units::percent(share, 0) + " of its time on " +
         std::string(name(resource)) + (share >= 0.5 ? " (mainly)." : " (partly).");
}

class Judge {
 public:
  Judge(const System& system, const VerdictOptions& options)
      : system_(system), options_(options), flags_(flags(system)) {}

  Verdict judge() {
    read_capacities();
    verdict_.causes = causes(system_, found_, options_.profiles);
    const std::string obstacle = reason_for_none();
    if (!obstacle.empty()) {
      say("No verdict: " + obstacle + ".");
      tell_causes();
      return std::move(verdict_);
    }
    for (const Profile& profile : options_.profiles) add(profile);
    set_gains(options_.profiles.size());
    classify();
    lead();
    describe();
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] bool failed(Quantity quantity) const { return system_.doubts.failed.contains(quantity); }

  /// Reason why there is no figure, in a few words.
  [[nodiscard]] std::string reason_for(Quantity quantity) const {
    const Doubts& doubts = system_.doubts;
    if (const auto one = doubts.withheld.find(quantity); one != doubts.withheld.end()) return one->second.why;
    if (const auto one = doubts.not_run.find(quantity); one != doubts.not_run.end())
      return "not measured: " + one->second +
             (doubts.needs_memory.contains(quantity) ? "; more memory or fewer processes would tell" : "");
    return "not measured";
  }

  /// Empty where the command alone would fail again.
  [[nodiscard]] std::string command_for(Quantity quantity) const {
    if (system_.doubts.needs_memory.contains(quantity)) return "";
    const std::string source(info(quantity).source);
    return source.starts_with("run ") ? "steelyard " + source : "";
  }

  std::optional<double> measured(Quantity quantity, Resource resource, double factor = 1) {
    const auto value = system_.inputs.get(quantity);
    if (!value)
      leave_out_unknown(resource, quantity);
    else if (failed(quantity))
      leave_out(resource, "its verification failed", command_for(quantity));
    else
      return *value * factor;
    return std::nullopt;
  }

  void leave_out(Resource resource, std::string reason, std::string command = {}) {
    verdict_.left_out.push_back({resource, std::move(reason), std::move(command), true});
  }

  void leave_out_unknown(Resource resource, Quantity quantity) {
    leave_out(resource, reason_for(quantity), command_for(quantity));
    verdict_.left_out.back().too_small = system_.doubts.withheld.contains(quantity);
  }

  void read_capacities() {
    const double p = system_.processes();
    read_compute(p);
    if (balance::has(flags_, Flag::cache))
      leave_out(Resource::memory, "STREAM's arrays are too small for this cache",
                command_for(stream_star_triad_byte_s));
    else
      found_.memory_byte_s = measured(stream_star_triad_byte_s, Resource::memory, p);
    const std::string alone =
        p == 1 ? "one process talks to nobody" : "one node: messages stay in shared memory";
    if (!system_.has_network()) {
      for (const Resource resource : {Resource::network, Resource::latency})
        verdict_.left_out.push_back({resource, alone, {}, false});
    } else {
      found_.network_byte_s = measured(random_ring_byte_s, Resource::network, p);
      found_.latency_s = measured(random_ring_latency_s, Resource::latency);
    }
    read_files();
  }

  /// Reads the rate of DGEMM, else that of the linear solver.
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
    if (failed(dgemm_star_flop_s) || failed(hpl_flop_s))
      leave_out(Resource::compute, "its verification failed", command_for(dgemm_star_flop_s));
    else
      leave_out_unknown(Resource::compute, dgemm_star_flop_s);
  }

  /// Reads the rate of files. A checkpoint is written: the initial writes count if they are known and
  /// slower than the mixture.
  void read_files() {
    const auto& cached = system_.doubts.cached;
    if (const auto why = cached.find(b_eff_io_byte_s); why != cached.end())
      return leave_out(Resource::io, why->second, std::string(uncached_command));
    found_.io_byte_s = measured(b_eff_io_byte_s, Resource::io);
    const auto writes = system_.inputs.get(b_eff_io_write_byte_s);
    if (found_.io_byte_s && writes && !failed(b_eff_io_write_byte_s))
      found_.io_byte_s = std::min(*found_.io_byte_s, *writes);
  }

  /// Number of judged resources of the machine itself: arithmetic, memory, network.
  [[nodiscard]] std::size_t own_resources() const {
    return (found_.compute_flop_s ? 1U : 0U) + (found_.memory_byte_s ? 1U : 0U) +
           (found_.network_byte_s || found_.latency_s ? 1U : 0U);
  }

  [[nodiscard]] std::string reason_for_none() const {
    if (balance::has(flags_, Flag::oversubscribed)) return "more processes and threads than usable cores";
    if (!system_.inputs.get(memory_byte))
      return "the size of the memory is not known (steelyard balance --memory)";
    if (own_resources() >= fewest_resources) return "";
    std::vector<std::string> judged;
    if (found_.compute_flop_s) judged.emplace_back("processor speed");
    if (found_.memory_byte_s) judged.emplace_back("memory bandwidth");
    if (found_.network_byte_s || found_.latency_s) judged.emplace_back("the network");
    return (judged.empty() ? std::string("nothing") : "only " + joined(judged)) +
           " was measured so that it says something about this machine, and a verdict compares two of "
           "processor speed, memory bandwidth and network" +
           commands();
  }

  /// Commands that would measure what is not known of the machine itself, each once.
  [[nodiscard]] std::string commands() const {
    std::vector<std::string> list;
    bool too_small = false;
    for (const LeftOut& one : verdict_.left_out)
      if (one.exists && one.resource != Resource::io && !one.command.empty() &&
          std::ranges::find(list, one.command) == list.end()) {
        list.push_back(one.command);
        too_small = too_small || one.too_small;
      }
    return list.empty() ? "" : "; " + would_tell(units::joined(list, "', '"), too_small);
  }

  void add(const Profile& profile) {
    const double p = system_.processes(), memory = *system_.inputs.get(memory_byte);
    const Demands d = demands(profile, p, memory);
    Shares shares = times(d, found_, p);
    double sum = 0;
    for (const auto& [resource, time] : shares) sum += time;
    const double i = found_.io_byte_s ? memory / 2 / *found_.io_byte_s / options_.checkpoint_interval_s : 0;
    for (auto& [resource, time] : shares) time = time / sum / (1 + i);
    if (found_.io_byte_s) shares[Resource::io] = i / (1 + i);
    verdict_.demands.emplace_back(profile.name, d);
    verdict_.shares.emplace_back(profile.name, std::move(shares));
  }

  /// Sets the geometric mean over the profiles of how much faster the work is with twice the resource.
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

  /// Relative half-width of the interval of the value that a resource was judged by.
  [[nodiscard]] double half_width(Resource resource) const {
    constexpr std::array<Quantity, 5> by = {dgemm_star_flop_s, stream_star_triad_byte_s, random_ring_byte_s,
                                            random_ring_latency_s, b_eff_io_byte_s};
    const bool solver = resource == Resource::compute && by_hpl_;
    return system_.inputs.half_width(solver ? hpl_flop_s : by[static_cast<std::size_t>(resource)])
        .value_or(0);
  }

  /// Uncertainty of a gain, as large as that of the shares that it follows from: in each kind of work the
  /// derivative of ln(1 / (1 - s/2)) by ln of the capacity is s (1 - s) / (2 - s).
  [[nodiscard]] double uncertainty(Resource resource) const {
    double sum = 0;
    const auto profiles = static_cast<double>(options_.profiles.size());
    for (std::size_t i = 0; i < options_.profiles.size(); ++i) {
      const double s = verdict_.shares[i].second.at(resource);
      sum += s * (1 - s) / (2 - s) / profiles;
    }
    return sum * half_width(resource);
  }

  /// Whether gains differ by less than a tenth, or by less than the intervals of both leave open.
  [[nodiscard]] bool about_equal(Resource a, Resource b) const {
    const double open = std::hypot(uncertainty(a), uncertainty(b));
    return gain(a) < std::max(noticeable, std::exp(open)) * gain(b);
  }

  void classify() {
    const auto& order = verdict_.order;
    const Resource last = order.size() > 2 ? order[2] : order[1];
    std::size_t named = 1;
    if (about_equal(order[0], last)) {
      verdict_.kind = VerdictClass::balanced;
      named = std::min<std::size_t>(3, order.size());
    } else if (about_equal(order[0], order[1])) {
      verdict_.kind = VerdictClass::two;
      named = 2;
    } else {
      verdict_.kind = VerdictClass::single;
    }
    verdict_.resources.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(named));
  }

  /// Lets a cause lead if it explains what would be named, or gains more than the best resource doubled.
  void lead() {
    for (const Cause& cause : verdict_.causes) {
      if (cause.gain < noticeable) return;
      const bool explains = std::ranges::any_of(cause.explains, [&](Resource one) {
        return std::ranges::find(verdict_.resources, one) != verdict_.resources.end();
      });
      if (!explains && cause.gain < gain(verdict_.order[0])) continue;
      verdict_.leads = cause.kind;
      return;
    }
  }

  /// Whether any kind of work needs the resource.
  [[nodiscard]] bool is_needed(Resource resource) const {
    return std::ranges::any_of(verdict_.demands, [&](const auto& one) {
      const Demands& d = one.second;
      return resource == Resource::compute || (resource == Resource::memory && d.memory_byte_flop > 0) ||
             (resource == Resource::network && d.network_byte_flop > 0) ||
             (resource == Resource::latency && d.message_flop > 0);
    });
  }

  /// Words for resources that the machine has and that were not judged; files are none of the machine itself.
  [[nodiscard]] std::string missing() const {
    std::vector<Resource> list;
    for (const LeftOut& one : verdict_.left_out)
      if (one.exists && is_needed(one.resource)) list.push_back(one.resource);
    if (list.empty()) return {};
    return joined(list) + (list.size() > 1 ? " were" : " was") + " not judged; of the rest, ";
  }

  void describe() {
    if (verdict_.leads) {
      const auto first = std::ranges::find(verdict_.causes, *verdict_.leads, &Cause::kind);
      say(first->verdict);
    } else {
      say(capital(headline()));
    }
    tell_causes();
    if (verdict_.leads) say("As it was measured, " + headline());
    tell_shares();
    if (by_hpl_) say("Processor speed is that of HPL, for DGEMM was not measured.");
    std::string names;
    for (const auto& [profile, shares] : verdict_.shares)
      names.append(names.empty() ? "" : ", ").append(profile);
    const std::string kind =
        std::string(" work that fills half of the memory") + (found_.io_byte_s ? "" : " and uses no files");
    verdict_.text.push_back("This holds for " + names + kind + "; other work may answer differently.");
    verdict_.brief.push_back("This holds for such" + kind + ".");
  }
  /// Tells the causes that do not lead, and the cure of each.
  void tell_causes() {
    for (const Cause& cause : verdict_.causes) {
      if (cause.gain < noticeable) continue;
      const bool leads = verdict_.leads == cause.kind;
      if (!leads) say(cause.remark);
      if (!cause.cure.empty()) say("Cure: " + cause.cure + (cause.cure.ends_with('.') ? "" : "."));
    }
  }
  /// Adds a sentence to the full text and to the brief one.
  void say(const std::string& sentence) {
    verdict_.text.push_back(sentence);
    verdict_.brief.push_back(sentence);
  }
  /// Adds a sentence for each kind of work; in brief one for all of them.
  void tell_shares() {
    std::string brief;
    for (std::size_t i = 0; i < verdict_.shares.size(); ++i) {
      const auto& [profile, shares] = verdict_.shares[i];
      verdict_.text.push_back(line_of(profile, shares));
      const auto [resource, share] = most_of(shares);
      const bool same_next =
          i + 1 < verdict_.shares.size() && most_of(verdict_.shares[i + 1].second).first == resource;
      brief += (i == 0 ? "Of its time " + profile + " work spends " : ", " + profile + " work ") +
               units::percent(share, 0) + (same_next ? "" : " on " + std::string(name(resource)));
    }
    verdict_.brief.push_back(brief + ".");
  }
  /// First sentence. If something was not judged, its time is not in the sum: gains are upper bounds then.
  [[nodiscard]] std::string headline() const {
    const auto& named = verdict_.resources;
    const std::string before = missing();
    const auto begin = [&](const std::string& text) { return before + text; };
    if (verdict_.kind == VerdictClass::balanced)
      return begin("nothing stands out: " + joined(named) + " matter about equally.");
    if (verdict_.kind == VerdictClass::two)
      return begin(joined(named) + " hold this machine back about equally.");
    const std::string first(name(verdict_.order[0])), most = before.empty() ? "" : "at most ";
    return begin(first + " holds this machine back: " + bettered(verdict_.order[0]) + " would make " +
                 kinds() + ' ' + most + units::format_fixed(gain(verdict_.order[0]), 2) +
                 " times as fast on average, " + bettered(verdict_.order[1]) + " only " +
                 units::format_fixed(gain(verdict_.order[1]), 2) + " times.");
  }
  [[nodiscard]] std::string kinds() const {
    const std::size_t n = options_.profiles.size();
    if (n == 1) return options_.profiles[0].name + " work";
    constexpr std::array words = {"two", "three", "four", "five"};
    return "the " + (n - 2 < words.size() ? words[n - 2] : std::to_string(n)) + " kinds of work";
  }

  const System& system_;
  const VerdictOptions& options_;
  std::vector<Flagged> flags_;
  Capacities found_;
  bool by_hpl_ = false;
  Verdict verdict_;
};

}  // namespace

std::string would_tell(const std::string& commands, bool too_small) {
  return "'" + commands + "' would tell" + (too_small ? " with sizes that are large enough" : "");
}

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
    case VerdictClass::balanced: return "balanced";
    case VerdictClass::two: return "double";
    case VerdictClass::single: break;
  }
  return "single";
}

Shares times(const Demands& demands, const Capacities& found, double processes) {
  Shares list;
  if (found.compute_flop_s) list[Resource::compute] = 1 / *found.compute_flop_s;
  if (found.memory_byte_s) list[Resource::memory] = demands.memory_byte_flop / *found.memory_byte_s;
  if (found.network_byte_s) list[Resource::network] = demands.network_byte_flop / *found.network_byte_s;
  if (found.latency_s) list[Resource::latency] = demands.message_flop * *found.latency_s / processes;
  return list;
}

Verdict verdict(const System& system, const VerdictOptions& options) {
  return Judge(system, options).judge();
}

}  // namespace steelyard::balance
