// SPDX-License-Identifier: Apache-2.0
// The records of a run that are not points: run, events, end.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "campaign/campaign.hpp"
#include "campaign/resume.hpp"
#include "mpi/environment.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using record::Json;
constexpr double noise_at_start_s = 0.5;
constexpr double noise_at_end_s = 0.25;
// Both scans together take at most this part of what the plan expects and of a budget, but each is long enough to see a
// disturbance that comes a hundred times a second.
constexpr double noise_share = 0.03, shortest_noise_s = 0.1;
constexpr double crowded_from = 1.05;
constexpr double noisy_from = 0.05;
constexpr double drift_of_fixed_work = 0.03;
constexpr int exit_code_of_failure = 1;

Json resumed(const ResumeState& resume) {
  if (resume.session <= 1) return nullptr;
  const record::Counts& kept = resume.kept;
  return {{"session", resume.session - 1},
          {"points_kept", kept.ok + kept.partial + kept.skipped + kept.failed},
          {"dropped_byte", resume.dropped_byte},
          {"differences", resume.differences}};
}

double number(const record::Document& document, const char* name) {
  const Json& json = document.json();
  if (!json.is_object() || !json.contains(name) || !json.at(name).is_number()) return 0;
  return json.at(name).get<double>();
}

/// Reason for an error that leaves this process unable to go on.
record::Reason reason_of(const std::exception& error, int rank) {
  record::Reason reason;
  reason.code = record::ReasonCode::mpi_error;
  reason.text = error.what();
  reason.rank = rank;
  reason.host = mpi::processor_name();
  return reason;
}

std::string in_words(const record::Reason& reason) {
  return "[rank " + std::to_string(reason.rank.value_or(0)) + " on " + reason.host.value_or("unknown") +
         "] " + reason.text;
}

}  // namespace

void Campaign::start() {
  alarm_ = std::make_unique<Alarm>(world_, endings());
  const bool recorded = world_.broadcast(root() && outputs_.file != nullptr);
  const Depth depth = recorded || options_.look_around ? Depth::full : Depth::names_only;
  surroundings_ = survey(world_, options_.head, false, depth);
  instruments_ = make_instruments(world_, options_.clock);
  measure::EngineOptions engine = engine_options();
  engine.when_lost = [this](const std::exception& error) { lost(error); };
  engine.met = [this] { alarm_->met(); };
  if (options_.tell_points) engine.begins = [this](std::int64_t task) { tell_begin(task); };
  engine.spoilt = [this] { teams_.abandon(); };
  engine_ = std::make_unique<measure::Engine>(*instruments_.timer, std::move(engine),
                                              [this] { return stop_request(); });
  if (depth == Depth::full) node_watch_.emplace(world_);
  if (options_.measure_noise) noise_ = scan_noise(noise_at_start_s);
  if (!root()) return;
  write_run_record();
  write_start_events();
  if (!options_.classic_only) watchdog_ = make_watchdog();
}

/// Tells the point that begins, in one write: other processes write to the same stream.
void Campaign::tell_begin(std::int64_t task) {
  if (in_flight_ == nullptr || task < 0) return;
  const std::string& key = in_flight_->point_of(static_cast<std::size_t>(task)).key;
  reporter_.clear();
  errors() << "steelyard: begins " + key + "\n" << std::flush;
}

std::ostream& Campaign::errors() const {
  return outputs_.errors != nullptr ? *outputs_.errors : std::cerr;
}

std::unique_ptr<Watchdog> Campaign::make_watchdog() {
  Patience patience;
  if (!options_.give_up || !options_.when_given_up) return std::make_unique<Watchdog>(errors(), patience);
  patience.give_up_s = options_.give_up->value();
  patience.nap_s = std::min(patience.nap_s, *patience.give_up_s / 4);
  return std::make_unique<Watchdog>(errors(), patience, [this](const std::string& why) { given_up(why); });
}

measure::EngineOptions Campaign::engine_options() const {
  measure::EngineOptions engine;
  engine.seed = options_.seed;
  engine.samples = options_.samples;
  engine.probe_states = !options_.classic_only && !surroundings_.oversubscribed;
  engine.clock = instruments_.figures();
  engine.back_to_back_s = instruments_.quality.back_to_back_s;
  engine.classic_passes = options_.classic_passes;
  engine.min_batches = options_.min_batches;
  engine.min_visits = plan_.min_visits;
  return engine;
}

/// Scans the noise, a measurement of its own: its time is no overhead of the engine.
record::Document Campaign::scan_noise(double longest_s) {
  const double before = watch_.elapsed_s();
  const double part = longest_s / (noise_at_start_s + noise_at_end_s) * noise_share;
  const double run_s =
      options_.budget ? std::min(options_.budget->value(), plan_.estimate_s) : plan_.estimate_s;
  const double seconds = std::clamp(part * run_s, shortest_noise_s, longest_s);
  record::Document noise = measure::noise(*instruments_.timer, world_, seconds);
  noise_s_ += watch_.elapsed_s() - before;
  return noise;
}

void Campaign::write_run_record() {
  record::RunRecord& head = surroundings_.head;
  frame_ = {head.threads_per_process, surroundings_.oversubscribed, &surroundings_.layout};
  tell_switches(options_.switch_of, options_.anonymous, head.layout);
  head.clock = instruments_.clock;
  head.noise = noise_;
  head.resumes = resumed(resume_);
  head.plan_points = static_cast<std::int64_t>(plan_.points());
  head.plan_suites = points_of_suites(plan_);
  head.plan_estimate_s = plan_.estimate_s;
  head.plan_hash = plan_.hash;
  head.plan_seed = static_cast<std::int64_t>(options_.seed);
  head.plan_sequence = plan_.sequence;
  recorder_.run(head);
}

void Campaign::write_start_events() {
  for (const record::EventRecord& event : surroundings_.events) recorder_.event(event);
  for (const record::EventRecord& event : options_.events) recorder_.event(event);
  for (const record::EventRecord& event : instruments_.events) recorder_.event(event);
  if (outputs_.file != nullptr && !outputs_.file->locked())
    recorder_.event({record::Severity::warning, "no_locks",
                     "this file system has no locks: a second writer would not be noticed"});
  for (const std::string& step : plan_.shrunk) recorder_.event({record::Severity::info, "plan_shrunk", step});
  if (resume_.session > 1)
    recorder_.event({record::Severity::info, "mixed_sessions",
                     "continues session " + std::to_string(resume_.session - 1)});
  if (resume_.other_hosts) recorder_.event(*resume_.other_hosts);
  for (const std::string& difference : resume_.differences)
    recorder_.event({record::Severity::warning, "resumed_with_differences", difference});
  if (number(noise_, "crowding") > crowded_from)
    recorder_.event({record::Severity::warning, "crowded",
                     "the processes slow each other down: fixed work takes " +
                         units::format_significant(number(noise_, "crowding"), 3) + " times as long as alone",
                     noise_});
}

/// Records the scan at the end as an event; it is a warning if much time is lost.
void Campaign::measure_noise_at_end() {
  const record::Document noise = scan_noise(noise_at_end_s);
  if (!root()) return;
  const double lost = number(noise, "detour_share");
  recorder_.event({lost > noisy_from ? record::Severity::warning : record::Severity::info, "noisy",
                   "noise at the end: " + units::percent(lost, 1) + " of the time lost, " +
                       units::percent(number(noise_, "detour_share"), 1) + " at the start",
                   noise});
  const double before = number(noise_, "work_s");
  const double after = number(noise, "work_s");
  if (before <= 0 || std::abs(after - before) <= drift_of_fixed_work * before) return;
  recorder_.event({record::Severity::warning, "frequency_scaling",
                   "the same work took " + units::format_significant(after / before, 3) +
                       " times as long at the end as at the start"});
}

/// Tells what disturbed the nodes since the start. Collective.
void Campaign::tell_disturbances() {
  if (!node_watch_) return;
  Disturbances met = node_watch_->met(world_);
  page_watch_.tell(world_, met);
  const measure::EngineAccount account = engine_->account();
  met.visits = account.visits;
  met.migrated_visits = account.migrated_visits;
  if (!root()) return;
  for (const record::EventRecord& event : events_of(met)) recorder_.event(event);
}

void Campaign::tell_stop(StopCause cause) {
  if (cause == StopCause::none || cause == StopCause::error) return;
  recorder_.event(
      {record::Severity::info, "stop_requested", "stopped in order: " + std::string(text(cause))});
}

record::EndRecord Campaign::end_record(std::string_view cause, int exit_code) const {
  record::EndRecord end;
  const bool broken = cause == "error";
  end.status = cause.empty() ? "complete" : broken ? "failed" : "interrupted";
  end.cause = cause;
  end.exit_code = exit_code;
  end.points = final_counts();
  end.elapsed_s = options_.before.value() + watch_.elapsed_s();
  end.engine_ratio = engine_ratio();
  end.suites = suite_times_;
  end.finished_utc = record::utc_now();
  if (!all_done()) end.resume = options_.resume_command;
  return end;
}

void Campaign::lost(const std::exception& error) {
  give_up(error.what());
  if (alarm_) alarm_->cannot_go_on(reason_of(error, world_.rank()));
  if (options_.when_lost) options_.when_lost(error);
}

/// Called in the watchdog's thread while the main thread waits. There is no end record, as after a kill: the
/// run may be resumed.
void Campaign::given_up(const std::string& why) {
  recorder_.event({record::Severity::error, "gave_up", why});
  options_.when_given_up();
}

Alarm::Endings Campaign::endings() {
  return {.on_root = [this](const record::Reason& reason) { cut_short(reason); },
          .alone =
              [this](const record::Reason& reason) {
                errors() << "steelyard: error: " + in_words(reason) + '\n' << std::flush;
                if (options_.when_cut_short) options_.when_cut_short();
              }};
}

/// Called in the alarm's thread, while the main thread waits within MPI. That one must not write anything any
/// more if it comes back just now.
void Campaign::cut_short(const record::Reason& reason) {
  const auto alone = recorder_.alone();
  if (given_up_ || !engine_) return;
  given_up_ = true;
  reporter_.clear();
  const std::string where = in_flight_ == nullptr ? "" : in_flight_->name() + ": ";
  const std::string why = where + in_words(reason) + "; other processes wait for this one: the session ends";
  errors() << "steelyard: error: " + why + '\n' << std::flush;
  recorder_.event({record::Severity::error, "cut_short", why});
  fail_in_flight(reason);
  recorder_.summaries();
  recorder_.end(end_record(text(StopCause::error), exit_code_of_failure));
  if (!options_.resume_command.empty())
    errors() << "continue with:  " + units::in_shell(options_.resume_command) + '\n' << std::flush;
  if (options_.when_cut_short) options_.when_cut_short();
}

void Campaign::fail_in_flight(record::Reason reason) {
  if (in_flight_ == nullptr) return;
  const std::int64_t task = engine_->in_flight();
  if (reason.mpi_call == Alarm::some_call) reason.mpi_call = in_flight_->benchmark();  // as if all had met
  in_flight_->failed_in_flight(task < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(task)),
                               reason, watch_.elapsed_s());
  recorded_ += in_flight_->recorded();
}

void Campaign::give_up(const std::string& why) {
  const auto alone = recorder_.alone();
  if (!root() || !engine_ || given_up_) return;
  given_up_ = true;
  reporter_.clear();
  recorder_.event({record::Severity::error, "mpi_error", why});
  recorder_.summaries();
  const int code = options_.code_when_lost ? options_.code_when_lost() : exit_code_of_failure;
  recorder_.end(end_record(text(StopCause::error), code));
}

}  // namespace steelyard::campaign
