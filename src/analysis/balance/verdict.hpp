// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// Which resource holds a machine back, for kinds of work that fill half of its memory. Time adds up over
/// resources without overlap; demands per flop are upper-level counts, not fits. Our own definition
/// (docs/balance.md).
namespace steelyard::balance {

enum class Resource { compute, memory, network, latency, io };
[[nodiscard]] std::string_view key(Resource resource);   // "compute"
[[nodiscard]] std::string_view name(Resource resource);  // "processor speed"

/// What one flop of a kind of work asks of the others. Messages are per flop of one process.
struct Demands {
  double memory_byte_flop = 0, network_byte_flop = 0, message_flop = 0;
};

/// A kind of work: built in (dense, spectral, sparse: demands follow from memory and processes) or stated.
struct Profile {
  std::string name;
  std::optional<Demands> stated;
};
[[nodiscard]] std::vector<Profile> built_in_profiles();
/// Throws std::invalid_argument for a name that is neither built in nor stated.
[[nodiscard]] Demands demands(const Profile& profile, double processes, double memory_byte);

struct VerdictOptions {
  std::vector<Profile> profiles = built_in_profiles();  // those that enter the summary
  std::vector<Profile> shown_only;
  double checkpoint_interval_s = 3600;
};

enum class VerdictClass { balanced, two, single };
[[nodiscard]] std::string_view text(VerdictClass kind);  // "balanced", "double", "single"

struct LeftOut {
  Resource resource;
  std::string reason;
};

using Shares = std::map<Resource, double>;

struct Verdict {
  std::optional<VerdictClass> kind;  // absent: no verdict, and the first of `text` says why
  std::vector<Resource> resources;   // that the class names
  std::vector<std::string> text;     // sentences, the verdict first
  std::vector<std::pair<std::string, Demands>> demands;
  std::vector<std::pair<std::string, Shares>> shares;
  std::map<Resource, double> gain_of_doubling;
  std::vector<Resource> order;  // by falling gain
  std::vector<LeftOut> left_out;
};
[[nodiscard]] Verdict verdict(const System& system, const VerdictOptions& options = {});

}  // namespace steelyard::balance
