// SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"

#include <iostream>

#include "agreement.hpp"
#include "errors.hpp"
#include "machine/environment.hpp"
#include "mpi/error.hpp"
#include "suites/session.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view level_names[] = {"single", "funneled", "serialized", "multiple"};

void refuse_lower_level(mpi::ThreadLevel provided, mpi::ThreadLevel wanted) {
  if (provided >= wanted) return;
  throw Refused("the MPI library provides thread level " +
                std::string(level_names[static_cast<int>(provided)]) + ", asked for is " +
                std::string(level_names[static_cast<int>(wanted)]));
}

Place place_of(const mpi::Communicator& world) {
  const int sharing = world.split_shared().size();
  const machine::Cache cache = machine::last_level_cache();
  measure::OffCache first{cache.size_byte, cache.line_byte};
  first.cache_byte = world.broadcast(first.cache_byte);
  first.line_byte = world.broadcast(first.line_byte);
  return {world.size(), world.min(memory_share(machine::usable_memory(), sharing)), first,
          world.min(machine::node_memory() / sharing)};
}

// Every rank plans for itself from the same words; files or variables that differ between nodes would end in
// a hang.
void refuse_different_plans(const mpi::Communicator& world, const campaign::Plan& plan) {
  const std::string of_root = world.broadcast(plan.hash);
  if (of_root != plan.hash)
    throw Refused(
        "this process plans other points than rank 0: are files and variables the same on all nodes?");
}

std::vector<const suites::MeasurableSuite*> borrowed(
    const std::vector<std::unique_ptr<suites::MeasurableSuite>>& suites) {
  std::vector<const suites::MeasurableSuite*> out;
  for (const auto& suite : suites) out.push_back(suite.get());
  return out;
}

campaign::Outputs outputs_of(Destinations& to) {
  campaign::Outputs outputs;
  outputs.file = to.file.get();
  for (const auto& text : to.texts) outputs.texts.push_back(text.get());
  outputs.progress = to.progress.get();
  return outputs;
}

// What escapes the runner has left MPI undefined, perhaps on one rank only: nobody may wait for the others.
template <class Act>
auto or_abort(const mpi::Communicator& world, Act act) {
  try {
    return act();
  } catch (const mpi::Error& error) {
    print_error_here(place_of_error(world) + error.what());
    mpi::abort(exit_code::point_failed);
  } catch (...) {
    mpi::abort(explain_current_exception({}, place_of_error(world)));
  }
}

void print_last_line(const campaign::RunResult& result, const Destinations& to) {
  if (to.last_line == LastLine::none || !to.file) return;
  const record::Counts& n = result.counts;
  std::cout << "results  " << to.file->path().string() << "  (" << n.ok << " ok, " << n.partial
            << " partial, " << n.skipped << " skipped, " << n.failed << " failed, " << n.unverified
            << " unverified)" << std::endl;
}

class Measuring {
 public:
  Measuring(Job& job, const mpi::Communicator& world)
      : job_(job), world_(world), help_of_(job.invocation().command->name) {}

  int run(mpi::ThreadLevel provided) {
    agreed(world_, help_of_, [&] { refuse_lower_level(provided, job_.threads()); });
    job_.arrive(world_);
    plan();
    agreed(world_, help_of_, [&] { options_ = job_.options(prepared_); });
    options_.head = head_of(job_.invocation(), prepared_);
    resume_ = job_.resume(world_, options_.head);
    agreed_on_root(world_, help_of_, [&] { to_ = job_.destinations(resume_, options_); });
    return result();
  }

 private:
  void plan() {
    const Place place = place_of(world_);
    agreed(world_, help_of_, [&] { prepared_ = job_.prepare(place); });
    agreed(world_, help_of_, [&] { refuse_different_plans(world_, prepared_.plan); });
  }

  int result() {
    const auto suites = measurable(prepared_.suites);
    const auto result = or_abort(world_, [&] {
      return campaign::run(world_, prepared_.plan, borrowed(suites), options_, outputs_of(to_), resume_);
    });
    agreed_on_root(world_, help_of_, [&] {
      job_.finished(result, to_);
      print_last_line(result, to_);
    });
    return result.exit_code;
  }

  Job& job_;
  const mpi::Communicator& world_;
  std::string help_of_;
  Prepared prepared_;
  campaign::RunOptions options_;
  std::optional<campaign::ResumeState> resume_;
  Destinations to_;
};

}  // namespace

int measure(Job& job) {
  const mpi::Environment environment(nullptr, nullptr, job.threads());
  const auto world = mpi::Communicator::world();
  campaign::install_stop_signals();
  return Measuring(job, world).run(environment.provided());
}

}  // namespace steelyard::cli
