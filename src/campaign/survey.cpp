// SPDX-License-Identifier: Apache-2.0
#include "campaign/survey.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/plan.hpp"
#include "machine/environment.hpp"
#include "machine/findings.hpp"
#include "mpi/environment.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using record::Json;

/// Communicators of the ranks of this node, and of one rank of each node.
struct Nodes {
  explicit Nodes(const mpi::Communicator& world)
      : node(world.split_shared()), leaders(world.split(node.is_root() ? 0 : -1, world.rank())) {}
  [[nodiscard]] bool leads() const { return leaders.valid(); }
  mpi::Communicator node, leaders;
};

/// One rank of a node, as it reports to the node's leader.
struct Member {
  int rank = 0;
  int process = 0;  // its process id on the node
  std::string host;
  machine::Affinity affinity;
};

std::vector<Member> gather_members(const Nodes& nodes, const mpi::Communicator& world) {
  const machine::Affinity own = machine::affinity();
  const Json told{{"rank", world.rank()},
                  {"process", getpid()},
                  {"host", record::valid_utf8(mpi::processor_name())},
                  {"processors", own.processors},
                  {"cores", own.cores}};
  std::vector<Member> members;
  for (const std::string& text : nodes.node.gather(told.dump())) {
    const Json heard = Json::parse(text);
    members.push_back(
        {heard.at("rank").get<int>(),
         heard.at("process").get<int>(),
         heard.at("host").get<std::string>(),
         {heard.at("processors").get<std::vector<int>>(), heard.at("cores").get<std::vector<int>>()}});
  }
  return members;
}

/// Use of each node, as rank 0 knows it.
struct Use {
  int threads = 1;
  bool linked_blas = true;
};

/// True if the linked BLAS is the one that computes; false also where the plan needs none.
bool computes_as_linked(const record::RunRecord& head) {
  if (!head.blas.json().is_object()) return false;
  const Json used = head.blas.json().value("used", Json());
  return !used.is_object() || record::text_in(used, "choice") == "as linked";
}

Json findings_of(const std::vector<Member>& members, const Use& use) {
  machine::Situation situation;
  situation.processes_on_node = static_cast<int>(members.size());
  situation.threads = use.threads;
  situation.linked_blas = use.linked_blas;
  for (const Member& member : members) {
    situation.ranks.push_back(member.affinity);
    if (member.process != getpid())
      situation.own_processes.push_back(member.process);  // they may spin in a barrier
  }
  Json findings = Json::array();
  for (const machine::Finding& finding : machine::examine(situation)) {
    if (finding.level == machine::Level::ok || finding.code.empty()) continue;
    findings.push_back({static_cast<int>(finding.level), finding.code, finding.text});
  }
  return findings;
}

std::string binding_of(const std::vector<Member>& members) {
  std::vector<Mask> masks;
  for (const Member& member : members) masks.push_back({member.affinity.processors, member.affinity.cores});
  return campaign::binding_of(masks);
}

/// Members of a machine's description that are equal on equal nodes.
Json kind_of(const Json& machine) {
  Json kind = Json::object();
  for (const char* name : {"processor", "sockets", "cores", "threads_per_core", "kernel", "architecture"})
    if (machine.is_object() && machine.contains(name)) kind[name] = machine.at(name);
  return kind;
}

struct NodeReport {
  NodeRanks ranks;
  Json findings;
  std::set<std::string> names = {};  // of its processes
};

/// Report of the leader of a node to rank 0, as text; empty on other ranks.
std::string report(const std::vector<Member>& members, const record::Document& machine, const Use& use,
                   Depth depth) {
  std::vector<int> ranks;
  for (const Member& member : members) ranks.push_back(member.rank);
  std::ranges::sort(ranks);
  std::set<std::string> names;
  for (const Member& member : members) names.insert(member.host);
  const Json findings = depth == Depth::full ? findings_of(members, use) : Json::array();
  const Json told{{"host", record::valid_utf8(mpi::processor_name())},
                  {"names", names},
                  {"runs", rank_runs(ranks)},
                  {"binding", binding_of(members)},
                  {"findings", findings},
                  {"kind", kind_of(machine.json()).dump()}};
  return told.dump();
}

NodeReport parse_report(const std::string& text) {
  const Json heard = Json::parse(text);
  NodeReport report{{heard.at("host").get<std::string>(),
                     {},
                     heard.at("binding").get<std::string>(),
                     heard.at("kind").get<std::string>()},
                    heard.at("findings"),
                    heard.at("names").get<std::set<std::string>>()};
  for (const Json& run : heard.at("runs"))
    report.ranks.runs.emplace_back(run.at(0).get<int>(), run.at(1).get<int>());
  return report;
}

record::Severity severity_of(machine::Level level) {
  if (level == machine::Level::problem) return record::Severity::error;
  return level == machine::Level::warning ? record::Severity::warning : record::Severity::info;
}

std::vector<record::EventRecord> merge_findings(const std::vector<NodeReport>& reports) {
  std::vector<NodeFindings> nodes;
  for (const NodeReport& report : reports) {
    NodeFindings& node = nodes.emplace_back();
    for (const Json& finding : report.findings)
      node.push_back({severity_of(static_cast<machine::Level>(finding.at(0).get<int>())),
                      finding.at(1).get<std::string>(), finding.at(2).get<std::string>()});
  }
  return merged(nodes);
}

void add_heterogeneous(std::vector<record::EventRecord>& events, const std::vector<NodeReport>& reports) {
  std::map<std::string, int> kinds;
  for (const NodeReport& report : reports) ++kinds[report.ranks.kind];
  if (kinds.size() < 2) return;
  Json data = Json::array();
  for (const auto& [kind, nodes] : kinds) data.push_back({{"nodes", nodes}, {"machine", Json::parse(kind)}});
  events.push_back({record::Severity::warning, "heterogeneous",
                    std::to_string(kinds.size()) + " kinds of node in one run: the slowest decides",
                    Json{{"kinds", data}}});
}

/// Several daemons of a batch system on one machine share its name; containers of one node may have a name each.
void add_host_names(std::vector<record::EventRecord>& events, const std::vector<NodeReport>& reports) {
  std::set<std::string> names;
  for (const NodeReport& report : reports) names.insert(report.names.begin(), report.names.end());
  if (names.size() == reports.size()) return;
  events.push_back({record::Severity::warning, "host_names",
                    units::counted(reports.size(), "node") + " by the memory that processes share, but " +
                        units::counted(names.size(), "host name") + ": the number of hosts is in doubt",
                    Json{{"nodes", reports.size()}, {"names", names.size()}}});
}

bool has(const std::vector<record::EventRecord>& events, std::string_view code) {
  return std::ranges::any_of(events, [&](const record::EventRecord& event) { return event.code == code; });
}

/// Fills a member that the caller has not filled already.
void fill(record::Document& member, record::Document (*describe)()) {
  if (member.empty()) member = describe();
}

void describe(record::RunRecord& head, const mpi::Communicator& world, const record::Document& machine,
              const Layout& layout, bool anonymous) {
  head.processes = world.size();
  head.nodes = layout.nodes();
  head.layout = layout.document();
  if (head.machine.empty()) head.machine = machine;
  head.mpi = describe_mpi();
  fill(head.program, machine::describe_program);
  fill(head.libraries, machine::describe_libraries);
  fill(head.job, [] { return machine::describe_job(); });
  fill(head.environment, machine::describe_environment_variables);
  if (head.started_utc.empty()) head.started_utc = record::utc_now();
  machine::withhold_private(head);
  if (anonymous) machine::anonymise(head);
}

std::int64_t memory_per_process(const Nodes& nodes, const mpi::Communicator& world) {
  return world.min(machine::usable_memory().of_each(nodes.node.size()));
}

// Names in Open MPI and in MPICH that decide how messages travel (methodology, "Environment record").
constexpr std::array<std::string_view, 19> wanted{"pml",
                                                  "btl",
                                                  "mtl",
                                                  "coll",
                                                  "osc",
                                                  "io",
                                                  "mpi_yield_when_idle",
                                                  "mpi_leave_pinned",
                                                  "btl_vader_single_copy_mechanism",
                                                  "smsc",
                                                  "btl_*_eager_limit",
                                                  "coll_tuned_use_dynamic_rules",
                                                  "hwloc_base_binding_policy",
                                                  "MPIR_CVAR_ASYNC_PROGRESS",
                                                  "MPIR_CVAR_*EAGER*",
                                                  "MPIR_CVAR_*ALGORITHM*",
                                                  "MPIR_CVAR_*SHM*",
                                                  "MPIR_CVAR_*ODD_EVEN*",
                                                  "MPIR_CVAR_*CH4*"};

bool is_wanted(std::string_view name) {
  return std::ranges::any_of(wanted, [&](std::string_view glob) { return glob_matches(glob, name); });
}

/// Number of control variables of the library. The tools interface stays initialised: MPICH 4.0 loses its
/// variables when it is finalised, and a second survey would crash there.
int variables() {
  int provided = 0;
  int n = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 0;
  return MPI_T_cvar_get_num(&n) == MPI_SUCCESS ? n : 0;
}

struct Variable {
  int index = 0;
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int bind = 0;
};

std::optional<Variable> variable(int index) {
  std::array<char, 256> name{};
  std::array<char, 1> description{};
  int name_length = static_cast<int>(name.size());
  int description_length = static_cast<int>(description.size());
  int verbosity = 0;
  int scope = 0;
  MPI_T_enum words = MPI_T_ENUM_NULL;
  Variable found{index, {}, MPI_DATATYPE_NULL, 0};
  if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &found.type, &words,
                          description.data(), &description_length, &found.bind, &scope) != MPI_SUCCESS)
    return std::nullopt;
  found.name = name.data();
  return found;
}

/// A handle of one variable, freed at the end.
class Reading {
 public:
  explicit Reading(const Variable& variable) : type_(variable.type) {
    open_ = variable.bind == MPI_T_BIND_NO_OBJECT &&
            MPI_T_cvar_handle_alloc(variable.index, nullptr, &handle_, &count_) == MPI_SUCCESS;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (open_) MPI_T_cvar_handle_free(&handle_);
  }

  [[nodiscard]] std::optional<std::string> text() {
    if (!open_ || count_ < 1) return std::nullopt;
    if (type_ == MPI_CHAR) return characters();
    if (type_ == MPI_INT) return number<int>();
    if (type_ == MPI_UNSIGNED) return number<unsigned>();
    if (type_ == MPI_UNSIGNED_LONG) return number<unsigned long>();
    if (type_ == MPI_UNSIGNED_LONG_LONG) return number<unsigned long long>();
    if (type_ == MPI_COUNT) return number<MPI_Count>();
    return std::nullopt;
  }

 private:
  template <class T>
  std::optional<std::string> number() {
    std::vector<T> values(static_cast<std::size_t>(count_));
    if (MPI_T_cvar_read(handle_, values.data()) != MPI_SUCCESS) return std::nullopt;
    return std::to_string(values.front());
  }
  std::optional<std::string> characters() {
    // some libraries write a terminating zero beyond the length that they tell
    std::vector<char> values(static_cast<std::size_t>(count_) + 4096);
    if (MPI_T_cvar_read(handle_, values.data()) != MPI_SUCCESS) return std::nullopt;
    return record::valid_utf8(values.data());
  }

  MPI_Datatype type_;
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  int count_ = 0;
  bool open_ = false;
};

Json settings() {
  Json found = Json::object();
  const int count = variables();
  for (int i = 0; i < count; ++i) {
    const auto one = variable(i);
    if (!one || !is_wanted(one->name)) continue;
    const auto value = Reading(*one).text();
    if (value) found[one->name] = *value;
  }
  return found;
}

std::string thread_level() {
  int level = MPI_THREAD_SINGLE;
  if (MPI_Query_thread(&level) != MPI_SUCCESS) return "single";
  if (level == MPI_THREAD_MULTIPLE) return "multiple";
  if (level == MPI_THREAD_SERIALIZED) return "serialized";
  return level == MPI_THREAD_FUNNELED ? "funneled" : "single";
}

}  // namespace

Surroundings survey(const mpi::Communicator& world, const record::RunRecord& head, bool anonymous,
                    Depth depth) {
  const Nodes nodes(world);
  const auto use = world.broadcast(Use{head.threads_per_process, computes_as_linked(head)});
  const auto members = gather_members(nodes, world);
  const record::Document machine = nodes.leads() ? machine::describe_machine() : record::Document();
  std::vector<std::string> texts;
  if (nodes.leads()) texts = nodes.leaders.gather(report(members, machine, use, depth));

  Surroundings result;
  result.memory_byte = memory_per_process(nodes, world);
  if (world.is_root()) {
    std::vector<NodeReport> reports;
    std::vector<NodeRanks> ranks;
    for (const std::string& text : texts) reports.push_back(parse_report(text));
    for (const NodeReport& one : reports) ranks.push_back(one.ranks);
    result.layout = Layout(std::move(ranks));
    result.events = merge_findings(reports);
    add_heterogeneous(result.events, reports);
    add_host_names(result.events, reports);
    result.head = head;
    describe(result.head, world, machine, result.layout, anonymous);
  }
  result.oversubscribed = world.broadcast(has(result.events, "oversubscribed"));
  return result;
}

record::Document describe_mpi() {
  return Json{{"library", record::one_line(record::valid_utf8(mpi::library_version()))},
              {"standard", mpi::standard_version()},
              {"thread_level", thread_level()},
              {"settings", settings()}};
}

}  // namespace steelyard::campaign
