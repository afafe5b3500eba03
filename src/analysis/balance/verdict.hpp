// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// Which resource holds a machine back, for kinds of work that fill half of its memory. Time
/// adds up over resources without overlap; demands per flop are upper-level counts, not fits.
/// Our own definition (docs/balance.md).
namespace steelyard::balance {

enum class Resource { compute, memory, network, latency, io };
[[nodiscard]] std::string_view key(Resource resource);   // "compute"
[[nodiscard]] std::string_view name(Resource resource);  // "processor speed"

/// Demands of one flop of a kind of work on the other resources. Messages are per flop of one process.
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
  std::vector<Profile> profiles = built_in_profiles();
  double checkpoint_interval_s = 3600;
};

enum class VerdictClass { balanced, two, single };
[[nodiscard]] std::string_view text(VerdictClass kind);  // "balanced", "double", "single"

struct LeftOut {
  Resource resource;
  std::string reason;
  std::string command = {};  // that would measure it; empty: none
  bool exists = true;        // false: the machine has no such resource, as one node has no network
  bool too_small = false;    // it was measured, at a size that says nothing about the machine
};
/// "'steelyard run hpcc/HPL' would tell", with what it takes where the command alone may do again what was done.
[[nodiscard]] std::string would_tell(const std::string& commands, bool too_small);

using Shares = std::map<Resource, double>;

/// Command that measures files that memory does not hold.
inline constexpr std::string_view uncached_command = "steelyard b-eff-io -dropcache";

/// Rates of the whole system; absent where they were not judged.
struct Capacities {
  std::optional<double> compute_flop_s, memory_byte_s, network_byte_s, latency_s, io_byte_s;
};

/// Seconds of one flop of a kind of work by each of its resources except files.
[[nodiscard]] Shares times(const Demands& demands, const Capacities& found, double processes);

/// Cause that makes a resource slow and is not the resource itself.
struct Cause {
  enum class Kind { quota, others, host, blas, host_link, link };
  Kind kind;
  std::string subject;             // "OpenBLAS 0.3.21, kernel Prescott"; "host2"; "host1 and host3"
  std::vector<Resource> explains;  // resources that are slow because of it
  double gain = 1;                 // how much faster the kinds of work get without it, as the mean over them
  std::string verdict;             // the sentence where it is what holds the machine back
  std::string remark;              // the sentence where something else is
  std::string cure;                // empty: none is known
};
[[nodiscard]] std::string_view key(Cause::Kind kind);  // "blas"

/// Causes by falling gain. Network and latency are those of the random ring, also of one node, whose verdict
/// does not judge them.
[[nodiscard]] std::vector<Cause> causes(const System& system, const Capacities& found,
                                        const std::vector<Profile>& profiles);

struct Verdict {
  std::optional<VerdictClass> kind;  // absent: no verdict, and the first of `text` says why
  std::vector<Resource> resources;   // that the class names
  std::vector<std::string> text;     // sentences, the verdict first
  std::vector<std::string> brief;    // the same in fewer lines
  std::vector<Cause> causes;         // by falling gain
  std::optional<Cause::Kind> leads;  // the cause that the first sentence names
  std::vector<std::pair<std::string, Demands>> demands;
  std::vector<std::pair<std::string, Shares>> shares;
  std::map<Resource, double> gain_of_doubling;
  std::vector<Resource> order;  // by falling gain
  std::vector<LeftOut> left_out;
};
[[nodiscard]] Verdict verdict(const System& system, const VerdictOptions& options = {});

}  // namespace steelyard::balance
