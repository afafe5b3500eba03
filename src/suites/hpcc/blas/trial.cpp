// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/trial.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>

#include "machine/source.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

namespace steelyard::hpcc {
namespace {

using record::Json;

constexpr double nap_s = 5e-4;  // of processes that wait for the trial

Json json_of(const BlasCandidate& candidate) {
  return {{"make", candidate.make},
          {"version", candidate.version},
          {"file", candidate.file},
          {"linked", candidate.linked},
          {"choice", static_cast<int>(candidate.choice)},
          {"kernel", candidate.kernel},
          {"word", candidate.word}};
}

BlasCandidate candidate_of(const Json& json) {
  return {json.at("make").get<std::string>(),
          json.at("version").get<std::string>(),
          json.at("file").get<std::string>(),
          json.at("linked").get<bool>(),
          static_cast<KernelChoice>(json.at("choice").get<int>()),
          json.at("kernel").get<std::string>(),
          json.at("word").get<std::string>()};
}

Json json_of(const TriedBlas& tried) {
  return {{"candidate", json_of(tried.candidate)}, {"kernel", tried.kernel}, {"flop_s", tried.flop_s},
          {"least_flop_s", tried.least_flop_s},    {"order", tried.order},   {"refused", tried.refused}};
}

TriedBlas tried_of(const Json& json) {
  return {candidate_of(json.at("candidate")),   json.at("kernel").get<std::string>(),
          json.at("flop_s").get<double>(),      json.at("least_flop_s").get<double>(),
          json.at("order").get<std::int64_t>(), json.at("refused").get<std::string>()};
}

Json json_of(const BlasFindings& findings) {
  Json json{{"narrower", findings.narrower}, {"failure", findings.failure}, {"nodes", findings.nodes},
            {"trial_s", findings.trial_s},   {"resumed", findings.resumed}, {"tried", Json::array()},
            {"not_tried", Json::array()}};
  for (const auto& one : findings.tried) json["tried"].push_back(json_of(one));
  for (const auto& one : findings.not_tried) json["not_tried"].push_back(json_of(one));
  if (findings.used) json["used"] = *findings.used;
  return json;
}

void read(const Json& json, BlasFindings& findings) {
  findings.narrower = json.at("narrower").get<std::vector<std::string>>();
  findings.failure = json.at("failure").get<std::string>();
  findings.nodes = json.at("nodes").get<int>();
  findings.trial_s = json.at("trial_s").get<double>();
  findings.resumed = json.at("resumed").get<bool>();
  for (const auto& one : json.at("tried")) findings.tried.push_back(tried_of(one));
  for (const auto& one : json.at("not_tried")) findings.not_tried.push_back(candidate_of(one));
  if (json.contains("used")) findings.used = json.at("used").get<std::size_t>();
}

std::string dumped(const Json& json) {
  return json.dump();
}

/// Findings of all nodes about one candidate, merged: the means, and the first refusal.
TriedBlas merged(const std::vector<std::string>& of_nodes) {
  TriedBlas all = tried_of(Json::parse(of_nodes.front()));
  double sum = 0;
  for (const auto& text : of_nodes) {
    const auto one = tried_of(Json::parse(text));
    if (all.refused.empty()) all.refused = one.refused;
    if (one.kernel != all.kernel && all.refused.empty() && !all.candidate.as_linked())
      all.refused = "takes another kernel on another node";
    sum += one.flop_s;
    all.least_flop_s = std::min(all.least_flop_s, one.flop_s);
    all.order = std::min(all.order, one.order);
  }
  all.flop_s = sum / static_cast<double>(of_nodes.size());
  return all;
}

void append(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : "; ") + sentence;
}

bool is_set(std::string_view variable) {
  return std::getenv(std::string(variable).c_str()) != nullptr;
}

/// The trial by one process of each node; the first of them knows all findings and decides.
class NodesTrial {
 public:
  NodesTrial(const mpi::Communicator& leaders, const BlasWish& wish, const TrialRules& rules)
      : leaders_(leaders),
        node_(rules),
        course_(
            rules, [this](const BlasCandidate& one, double patience_s) { return attempted(one, patience_s); },
            findings_) {
    findings_.wish = wish;
    findings_.threads = rules.threads;
    findings_.nodes = leaders.size();
    if (auto linked = linked_blas()) linked_.push_back(std::move(*linked));
  }

  BlasFindings run(const record::Document& earlier) {
    const auto before = record::Document(Json::parse(leaders_.broadcast(dumped(earlier.json()))));
    if (findings_.wish.kind == BlasWish::Kind::named)
      try_named();
    else if (!try_again(before))
      choose();
    for (const auto& fault : node_.faults()) append(findings_.failure, fault);
    findings_.trial_s = course_.elapsed_s();
    findings_.used = findings_.resumed ? only_one() : choice(findings_);
    say_what_failed();
    return std::move(findings_);
  }

  /// The candidate as this node has it, after run(); nullopt if it does not.
  [[nodiscard]] std::optional<BlasCandidate> own(const BlasCandidate& of_root) const {
    const auto found = std::ranges::find(own_, key_of(of_root), key_of);
    return found == own_.end() ? std::nullopt : std::optional(*found);
  }

 private:
  static constexpr double unhurried_s = 2, least_for_finding_s = 0.1;
  using Way = void (TrialCourse::*)(const std::vector<BlasCandidate>&);

  std::vector<InstalledBlas> found(std::vector<std::string> files, double patience_s) {
    auto all = node_.installed(std::move(files), patience_s);
    std::erase_if(all, [](const InstalledBlas& blas) { return blas.linked; });
    return all;
  }

  /// Tries the library that the user named, and the linked one for comparison.
  void try_named() {
    auto installed = found({findings_.wish.file}, unhurried_s);
    installed.insert(installed.end(), linked_.begin(), linked_.end());
    std::vector<BlasCandidate> named;
    try {
      named = named_candidate(installed, findings_.wish.file, findings_.wish.kernel).to_try;
    } catch (const std::invalid_argument& fault) {
      append(findings_.failure, fault.what());
    }
    attempt(std::move(named), &TrialCourse::attempt_unhurried);
  }

  /// Tries the candidate that the run to be continued used, if all nodes still have it;
  /// returns whether they have.
  bool try_again(const record::Document& earlier) {
    const auto name = used_name(earlier);
    if (name.empty()) return false;
    auto again = used_candidate(earlier, linked_);
    if (!leaders_.all(again.has_value()))
      again = used_candidate(earlier, found(known_blas_files(), unhurried_s));
    findings_.resumed = leaders_.all(again.has_value());
    if (findings_.resumed)
      attempt({*again}, &TrialCourse::attempt_unhurried);
    else
      append(findings_.failure, name + ", with which the run began, is not here any more");
    return findings_.resumed;
  }

  /// Tries the linked library with its kernels first, which needs no search; then the others.
  void choose() {
    machine::Source source{machine::Roots{}};
    const auto units = machine::vector_units(source);
    auto candidates = blas_candidates(linked_, units, is_set);
    attempt(std::move(candidates.to_try), &TrialCourse::attempt_all);
    const bool look = course_.left_s() > least_for_finding_s || findings_.tried.empty();
    if (leaders_.broadcast(look)) {
      auto installed = linked_;
      for (auto& blas : found(known_blas_files(), leaders_.broadcast(patience_for_finding())))
        installed.push_back(std::move(blas));
      installed = distinct(std::move(installed));
      const auto others = blas_candidates(std::span(installed).subspan(linked_.size()), units, is_set);
      attempt(others.to_try, &TrialCourse::attempt_all);
      candidates.unlikely.insert(candidates.unlikely.end(), others.unlikely.begin(), others.unlikely.end());
      candidates.narrower.insert(candidates.narrower.end(), others.narrower.begin(), others.narrower.end());
    } else {
      append(findings_.failure, "no time to look for other libraries");
    }
    findings_.narrower = std::move(candidates.narrower);
    attempt(std::move(candidates.unlikely), &TrialCourse::attempt_all);
    directed([this] { course_.repeat_nearly_fastest(); });
  }

  [[nodiscard]] double patience_for_finding() const {
    return findings_.tried.empty() ? unhurried_s : course_.left_s();
  }

  /// Tries those of the candidates that all nodes have, on all of them.
  void attempt(std::vector<BlasCandidate> candidates, Way way) {
    own_.insert(own_.end(), candidates.begin(), candidates.end());
    Json keys = Json::array();
    for (const auto& one : candidates) keys.push_back(key_of(one));
    for (const auto& text : leaders_.gather(dumped(keys))) {
      const Json theirs = Json::parse(text);
      std::erase_if(candidates, [&](const BlasCandidate& one) {
        return std::ranges::find(theirs, Json(key_of(one))) == theirs.end();
      });
    }
    directed([&] { (course_.*way)(candidates); });
  }

  /// Lets the root act; the others try what it asks for until it has done.
  void directed(const std::function<void()>& act) {
    if (!leaders_.is_root()) return follow();
    act();
    static_cast<void>(leaders_.broadcast(std::string()));
  }

  /// On the root: tries the candidate on all nodes and merges their findings.
  TriedBlas attempted(const BlasCandidate& candidate, double patience_s) {
    static_cast<void>(leaders_.broadcast(key_of(candidate)));
    static_cast<void>(leaders_.broadcast(patience_s));
    return merged(leaders_.gather(dumped(json_of(tried_here(candidate, patience_s)))));
  }

  [[nodiscard]] TriedBlas tried_here(const BlasCandidate& candidate, double patience_s) const {
    auto lack = lack_of_separation(candidate);
    return lack.empty() ? node_.tried(candidate, patience_s)
                        : TriedBlas{.candidate = candidate, .refused = std::move(lack)};
  }

  void follow() {
    for (;;) {
      const auto key = leaders_.broadcast(std::string());
      if (key.empty()) return;
      const auto patience_s = leaders_.broadcast(0.0);
      const auto found = std::ranges::find(own_, key, key_of);
      const auto tried =
          found == own_.end() ? TriedBlas{.refused = "is not on every node"} : tried_here(*found, patience_s);
      static_cast<void>(leaders_.gather(dumped(json_of(tried))));
    }
  }

  [[nodiscard]] std::optional<std::size_t> only_one() const {
    const bool works = !findings_.tried.empty() && findings_.tried.front().refused.empty();
    return works ? std::optional<std::size_t>(0) : std::nullopt;
  }

  void say_what_failed() {
    if (findings_.used || findings_.wish.kind == BlasWish::Kind::named) return;
    const bool any = !findings_.tried.empty();
    append(findings_.failure,
           any ? described(findings_.tried.front()) + ": " + findings_.tried.front().refused
               : "no BLAS is installed");
  }

  const mpi::Communicator& leaders_;
  NodeTrial node_;
  BlasFindings findings_;
  TrialCourse course_;
  std::vector<InstalledBlas> linked_;  // one, or none
  std::vector<BlasCandidate> own_;     // as this node has them
};

/// The findings of the root, on all processes.
BlasFindings shared(const mpi::Communicator& world, BlasFindings of_root) {
  const auto text = world.broadcast(world.is_root() ? dumped(json_of(of_root)) : std::string());
  BlasFindings findings;
  read(Json::parse(text), findings);
  findings.wish = std::move(of_root.wish);
  findings.threads = of_root.threads;
  return findings;
}

/// The candidate as the first process of the node has it, loaded by all of the node, from one copy if a copy
/// is needed. nullopt if it cannot be loaded; `fault` tells why.
std::optional<BlasLibrary> loaded(const mpi::Communicator& node, const BlasCandidate& of_leader,
                                  const std::string& kernel, int threads, std::string& fault) {
  const auto candidate = candidate_of(Json::parse(node.broadcast(dumped(json_of(of_leader)))));
  CopySource copy;
  CopyPlace place;
  std::optional<BlasLibrary> library;
  try {
    if (node.is_root() && needs_copy(candidate)) {
      copy.own = std::make_shared<FileCopy>(candidate.file);
      place = copy.own->place();
    }
  } catch (const std::exception& what) {
    fault = what.what();
  }
  place = node.broadcast(place);
  if (!copy.own) copy.path = path_of(place);
  try {
    if (fault.empty()) library = BlasLibrary::load(candidate, kernel, threads, copy);
  } catch (const std::exception& what) {
    fault = what.what();
  }
  return library;
}

/// Fault of the lowest process that has one; empty if none has.
std::string first_fault(const mpi::Communicator& world, const std::string& own) {
  const auto rank = world.min(own.empty() ? std::int64_t{world.size()} : std::int64_t{world.rank()});
  return rank == world.size() ? "" : world.broadcast(own, static_cast<int>(rank));
}

std::string why_not(const BlasFindings& findings) {
  for (const auto& one : findings.tried)
    if (!one.refused.empty()) return described(one) + ": " + one.refused;
  return findings.failure.empty() ? "no BLAS of that name is installed on all nodes" : findings.failure;
}

/// What keeps the linked library from working on this process; empty if nothing does. If it was found to work it does
/// so at once, to have its memory before others do.
std::string fault_at_work(const BlasLibrary& linked, const BlasFindings& findings) {
  const int more_threads = std::max(0, findings.threads - blas::threads());
  auto lack = lack_of_room(linked.identity().name, 1 + more_threads);
  if (!lack.empty() || !findings.used) return lack;
  try {
    linked.set_threads(findings.threads);
    linked.work_once();
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  }
  return "";
}

/// The linked library; `findings` say so if it cannot work on one of the processes. Collective.
BlasLibrary linked_of(const mpi::Communicator& world, BlasFindings& findings) {
  auto library = BlasLibrary::linked();
  if (!blas::available()) return library;
  auto fault = fault_at_work(library, findings);
  if (!fault.empty()) fault.insert(0, "rank " + std::to_string(world.rank()) + ": ");
  findings.unusable = first_fault(world, fault);
  if (!findings.unusable.empty()) findings.used.reset();
  return library;
}

/// Loads what was chosen on all processes, or falls back to the linked library on all of them.
BlasLibrary library_of(const mpi::Communicator& world, const mpi::Communicator& node,
                       const std::optional<BlasCandidate>& of_leader, BlasFindings& findings) {
  const Stopwatch watch;
  const auto* used = findings.in_use();
  if (used == nullptr || used->candidate.as_linked()) return linked_of(world, findings);
  std::string fault;
  const auto library =
      loaded(node, of_leader.value_or(BlasCandidate{}), used->kernel, findings.threads, fault);
  fault = first_fault(world, fault);
  findings.load_s = watch.seconds();
  if (fault.empty()) return *library;
  append(findings.failure, described(*used) + " was not loaded: " + fault);
  const auto* linked = findings.as_linked();
  findings.used.reset();
  if (linked != nullptr) findings.used = static_cast<std::size_t>(linked - findings.tried.data());
  findings.resumed = false;
  return linked_of(world, findings);
}

}  // namespace

std::shared_ptr<const BlasInUse> choose_blas(const mpi::Communicator& world, const BlasWish& wish,
                                             const TrialRules& rules, const record::Document& earlier) {
  const auto node = world.split_shared();
  const auto leaders = world.split(node.is_root() ? 0 : -1, world.rank());
  BlasFindings findings;
  std::optional<NodesTrial> trial;
  if (leaders.valid()) findings = trial.emplace(leaders, wish, rules).run(earlier);
  world.sleepy_barrier(nap_s);
  findings.wish = wish;
  findings.threads = rules.threads;
  findings = shared(world, std::move(findings));
  const auto* used = findings.in_use();
  const auto own = trial && used != nullptr ? trial->own(used->candidate) : std::nullopt;
  auto library = library_of(world, node, own, findings);
  const bool named = wish.kind == BlasWish::Kind::named;
  if (named && (findings.in_use() == nullptr || findings.in_use()->candidate.as_linked()))
    throw std::invalid_argument("--blas " + text(wish) + ": " + why_not(findings));
  return std::make_shared<const BlasInUse>(BlasInUse{std::move(library), std::move(findings)});
}

}  // namespace steelyard::hpcc
