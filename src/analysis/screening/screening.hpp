// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tables.hpp"
#include "machine/topology.hpp"
#include "record/file.hpp"

/// Judgement of nodes and links of a machine that are not like the others, from the tables of a screening.
/// Pure. The rule: docs/screening.md.
namespace steelyard::screening {

enum class Verdict { ok, fast, unstable, slow, missing, wrong };  // in the order of weight
inline constexpr std::array verdict_words{std::pair{"ok", Verdict::ok},
                                          std::pair{"fast", Verdict::fast},
                                          std::pair{"unstable", Verdict::unstable},
                                          std::pair{"slow", Verdict::slow},
                                          std::pair{"missing", Verdict::missing},
                                          std::pair{"wrong", Verdict::wrong}};
[[nodiscard]] std::string_view text(Verdict verdict);

/// The runs cannot be judged, or not together.
class Unjudgeable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values of a node or a link over the visits; 0: none.
struct Values {
  std::vector<double> visits;
  bool wrong = false;
  std::vector<double> again;  // while all others slept
  bool control = false;       // measured again as a usual one
};
/// Visits that have a value: 0 stands for none.
[[nodiscard]] std::vector<double> known(const std::vector<double>& visits);

struct NodeValues : Values {
  bool took_part = false;
  int processes = 0;
  std::vector<int> domains = {};  // of NUMA, whose value stands for the node in a visit; empty: all of them
};
struct LinkValues : Values {
  std::size_t a = 0, b = 0;  // hosts
  std::size_t kind = 0;      // of the pair, by the topology
};
struct NodeTest {
  std::string name;
  std::vector<NodeValues> nodes;  // one a host
};
struct LinkTest {
  std::string name;
  std::vector<LinkValues> links;
};

/// Values of a screening as they were measured.
struct Measured {
  std::string run;  // id of the first run
  std::vector<std::string> hosts;
  std::vector<record::Document> machines;  // of each host: processor, cores, ... as far as they are known
  std::vector<std::string> switches;       // of each host, behind those above it; at none: empty
  std::vector<NodeTest> nodes;
  std::vector<LinkTest> links;
  std::size_t visits = 0;
  bool alone = false;                // one node after the other
  bool links_alone = false;          // and one link after the other
  std::vector<double> round_byte_s;  // of every round of pairs: all exchanges together
  std::vector<std::string> doubts;   // why tests do not stand for the machine, or are not all there
};
/// Values of runs of the same program with the same settings, over their hosts together. Throws Unjudgeable.
[[nodiscard]] Measured measured(std::span<const record::Run> runs);

/// Value that should be reached, whatever the others reach.
struct Reach {
  double value = 0;
  std::optional<double> tolerance;
};
/// Value for all nodes, or for each processor model its own.
struct Expected : Reach {
  std::map<std::string, Reach, std::less<>> of_processor = {};
  /// Value that a node with that processor should reach: of its model, of the only model there is, or of all
  /// nodes; nullptr if there are models and none of these is known.
  [[nodiscard]] const Reach* of(std::string_view processor) const;
};
using References = std::map<std::string, Expected, std::less<>>;  // by quantity
struct Options {
  std::map<std::string, double, std::less<>> tolerances;  // by quantity; others have their own
  References reference;
  machine::Switches switch_of;  // instead of those of the runs; links are compared within their class
};
/// Reference, and the machines that it is from.
struct Reference {
  References expected;
  std::set<std::string> machines = {};  // names, as far as they are known
};

/// One node or link that is not like the others in one quantity.
struct Finding {
  std::string quantity;
  Verdict verdict = Verdict::ok;
  std::size_t host = 0;
  std::optional<std::size_t> other;     // of a link
  std::optional<double> percent;        // value beside the usual one, or beside the reference
  double limit_percent = 0;             // by which it may be off
  std::optional<double> again_percent;  // measured again, beside usual ones measured again
  std::string note;
  double off = 0;  // logarithm, negative: worse
};

/// A quantity over all nodes or links.
struct Overview {
  std::string quantity, unit;
  std::size_t count = 0;  // nodes or links with a value
  double median = 0;
  double limit_percent = 0;
  bool judged = false;  // enough for a statement on one among the others
  /// Numbers of nodes and medians where they are of two groups; of links: of those within each group.
  std::vector<std::pair<std::size_t, double>> groups = {};
  std::string groups_differ = {};                        // what else tells them apart
  std::array<std::vector<std::size_t>, 2> members = {};  // hosts of the groups, where there are two
  /// Numbers of links and medians where links are of two groups, which are not those of nodes or classes.
  std::vector<std::pair<std::size_t, double>> link_groups = {};
  struct Kind {
    std::string processor;
    std::size_t count = 0;
    double median = 0;
  };
  std::vector<Kind> kinds = {};  // of nodes that are judged apart, where there are several
  struct Class {
    std::size_t level = 0;  // machine::class_between
    std::size_t count = 0;
    double median = 0;
  };
  std::vector<Class> classes = {};  // of links, where there are several
};
/// Name of a class of links, of so many classes: "within a switch", "between switches".
[[nodiscard]] std::string class_words(std::size_t level, std::size_t classes);

struct Screening {
  Measured measured;
  std::vector<Finding> findings;  // wrong first, then by weight and size
  std::vector<Overview> overviews;
  std::vector<Verdict> hosts;  // weightiest verdict of each host, without those of its links
  std::vector<bool> compared;  // hosts that stood beside others, or a reference, in some test
  /// Hosts that are ok as far as is known, which is nothing: there are too few of their kind, and no reference.
  [[nodiscard]] std::size_t not_compared() const;
  [[nodiscard]] std::size_t count(Verdict verdict) const;
  [[nodiscard]] std::size_t links(Verdict verdict) const;
  [[nodiscard]] std::vector<std::string> names(const std::set<Verdict>& of) const;
  /// Words of what was found: verdicts of nodes and links, and "groups" where nodes are of two groups in some test.
  [[nodiscard]] std::set<std::string> found() const;
};

[[nodiscard]] Screening judge(Measured measured, const Options& options = {});
/// Judgement of one run, by the tolerances and the reference that it was started with.
[[nodiscard]] Screening judged(const record::Run& run);
/// Medians over the nodes of each processor model and over links, as a reference for others. Throws Unjudgeable.
[[nodiscard]] References reference_of(const Measured& measured);
/// A sentence for each processor model of the nodes that the reference does not know.
[[nodiscard]] std::vector<std::string> other_processors(const Measured& measured,
                                                        const References& reference);
/// As other_processors, and a sentence for each machine of the reference that none of the runs is of.
[[nodiscard]] std::vector<std::string> doubts_of(const Reference& reference,
                                                 std::span<const record::Run> runs, const Measured& measured);
/// Tolerances of a run's own configuration.
[[nodiscard]] std::map<std::string, double, std::less<>> tolerances_of(const record::RunRecord& head);
/// Writes a reference as members of a run's configuration of the suite, and reads it.
[[nodiscard]] record::Json members_of(const Reference& reference);
[[nodiscard]] Reference reference_in(const record::RunRecord& head);

// Forms of the result.

/// Text for a terminal: head, findings, counts, and a command that would drain the slow ones,
/// which is not executed.
[[nodiscard]] std::string report(const Screening& screening);
/// Map of links between hosts or blocks of hosts, the worst link of each; empty if no link stands out, and no
/// node by its links.
[[nodiscard]] std::string link_map(const Screening& screening);
/// The finding in one line, without its host.
[[nodiscard]] std::string sentence(const Finding& finding);
/// Sizes and medians of two groups of nodes, what else tells them apart, and who is in the worse one.
[[nodiscard]] std::string group_words(const Overview& one, const Screening& screening);
/// Percent with a sign: "-18.2 %".
[[nodiscard]] std::string signed_percent(double percent);
/// Name of what was found: "lion017", "lion017 - lion018".
[[nodiscard]] std::string who(const Finding& finding, const Screening& screening);
/// Slow, wrong and missing nodes as Slurm takes them: `hostlist` of their `node_names`.
[[nodiscard]] std::string nodes_to_drain(const Screening& screening);
/// Tables "screen_findings" and "screen_tests".
[[nodiscard]] analysis::Tables tables(const Screening& screening);
/// Values of the nodes in each test in percent beside the median of all; at most `most` nodes, those
/// that stand out first.
[[nodiscard]] analysis::Section nodes_table(const Screening& screening, std::size_t most);
/// Data of a page's charts of each test: its nodes by value, worst first, medians, limit,
/// and what stands out.
[[nodiscard]] record::Json charts(const Screening& screening);
[[nodiscard]] record::Json document(const Screening& screening);
/// Table screen_verdicts, without names of hosts.
[[nodiscard]] record::TableRecord verdicts(const Screening& screening);
[[nodiscard]] std::vector<record::EventRecord> events(const Screening& screening);
[[nodiscard]] record::SummaryRecord summary(const Screening& screening);

/// Names that differ in the number at their end as one word, in the form of Slurm: "lion[017,912-915],puma3". Each name
/// once, in the order of the numbers; names with a domain or with other characters behind the number one by one, since
/// Slurm refuses "lion[1-2].site".
[[nodiscard]] std::string hostlist(std::vector<std::string> names);

/// Names that Slurm is likely to have for so many hosts, in their order: without domains, unless two would be alike.
[[nodiscard]] std::vector<std::string> node_names(const std::vector<std::string>& hosts);

}  // namespace steelyard::screening
