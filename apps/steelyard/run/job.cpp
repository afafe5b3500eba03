// SPDX-License-Identifier: Apache-2.0
#include "run/job.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "analysis/screening/screening.hpp"
#include "campaign/budget.hpp"
#include "campaign/resume.hpp"
#include "campaign/stop.hpp"
#include "campaign/survey.hpp"
#include "exports/report.hpp"
#include "formats/imb/text.hpp"
#include "formats/live/table.hpp"
#include "formats/live/verdict.hpp"
#include "hpcc/options.hpp"
#include "measuring/computing.hpp"
#include "measuring/config_record.hpp"
#include "measuring/measuring.hpp"
#include "measuring/selection.hpp"
#include "measuring/terminal.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "run/plan.hpp"
#include "screening/judgement.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/screen/quantities.hpp"
#include "survey/rates_store.hpp"
#include "survey/survey.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

campaign::ScheduleKind schedule_kind(ScheduleWords::Kind kind) {
  using enum campaign::ScheduleKind;
  switch (kind) {
    case ScheduleWords::Kind::adaptive: return adaptive;
    case ScheduleWords::Kind::fixed: return fixed;
    case ScheduleWords::Kind::timed: return timed;
    case ScheduleWords::Kind::suite: break;
  }
  return suite;
}

measure::ClockKind clock_kind(const std::string& word) {
  using enum measure::ClockKind;
  if (word == "raw") return raw;
  if (word == "mono") return mono;
  if (word == "tsc") return tsc;
  return word == "mpi" ? mpi : automatic;
}

/// Enumerator at the position of the word among the names; nullopt for another word, such as "suite".
template <class Choice>
std::optional<Choice> chosen(const std::string& word, std::initializer_list<std::string_view> names) {
  int position = 0;
  for (const auto name : names) {
    if (word == name) return static_cast<Choice>(position);
    ++position;
  }
  return std::nullopt;
}

suites::HowToTime how_to_time(const Values& values) {
  suites::HowToTime how;
  how.sync =
      chosen<measure::Sync>(values.need("sync"), {"none", "barrier", "barrier2", "dissemination", "window"});
  how.timing = chosen<measure::Timing>(values.need("timing"), {"whole", "batch", "each"});
  how.buffer_align = *values.count("buffer-align");
  how.huge_pages =
      *chosen<measure::HugePages>(values.need("huge-pages"), {"system", "off", "madvise", "explicit"});
  how.buffer_kind = *chosen<suites::BufferKind>(values.need("buffer-kind"), {"plain", "mpi"});
  how.verify = chosen<suites::VerifyMode>(values.need("verify"), {"suite", "sample", "all"})
                   .value_or(suites::VerifyMode::suite);
  return how;
}

void set_schedule(const Values& values, campaign::RunOptions& options) {
  const ScheduleWords schedule = parse_schedule(values.need("schedule"));
  options.schedule = schedule_kind(schedule.kind);
  options.fixed_operations = schedule.operations;
  options.timed_for = schedule.time;
  options.half_width = *values.ratio("ci");
  options.min_batches = static_cast<std::uint64_t>(*values.count("min-batches"));
  options.max_batches = static_cast<std::uint64_t>(*values.count("max-batches"));
  if (const auto count = values.count("warm-up")) options.warm_up = static_cast<std::uint64_t>(*count);
  options.classic_passes = static_cast<int>(*values.count("rounds"));
}

void set_conduct(const Values& values, campaign::RunOptions& options) {
  options.samples = *chosen<measure::SamplesKept>(values.need("samples"), {"none", "thin", "all"});
  options.clock = clock_kind(values.need("clock"));
  options.how = how_to_time(values);
  options.verify = values.word("verify") != "off";
  options.sleep_idle = values.word("idle") == "sleep";
  options.confirm = static_cast<int>(*values.count("confirm"));
  options.seed = static_cast<std::uint64_t>(*values.count("seed"));
  options.wait_quiet = values.duration("wait-quiet");
  if (const auto longer = values.duration("give-up"); longer && longer->value() > 0) options.give_up = longer;
  options.budget = values.duration("budget");
  options.fail_on_warning = values.on("fail-on-warning");
  options.anonymous = values.on("anonymous");
  options.tell_points = values.on("verbose");
}

std::string all_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "  " : "\n  ") + sentence;
  return text;
}

/// "plan     2246 points in about 58.7 s, 1953 left out; --verbose tells which", and what each suite takes.
std::string plan_in_brief(const campaign::Plan& plan) {
  const std::size_t left_out = plan.points() - plan.measurable();
  std::string text = "plan     " + campaign::points_to_measure(plan) + " in about " +
                     units::format_time(Seconds{plan.estimate_s});
  if (left_out > 0) text += ", " + std::to_string(left_out) + " left out; --verbose tells which and why";
  std::string suites;
  for (const auto& suite : plan.suites)
    if (suite.points > suite.kept)
      suites +=
          (suites.empty() ? "" : ", ") + suite.suite + ' ' + units::format_time(Seconds{suite.estimate_s});
  return formats::clipped(text + "\n         " + suites + '\n');
}

// Adds to the record what is expected of nodes and links: its readers judge by that.
void tell_reference(const screening::Reference& reference, record::RunRecord& head) {
  auto& config = head.config.json();
  if (!config.is_object() || !config.contains(screen::suite_name)) return;
  const Json members = screening::members_of(reference);
  for (const auto& [name, value] : members.items()) config[screen::suite_name][name] = value;
}

/// Whether anything has been measured that can be told and compared.
bool has_values(const record::Counts& counts) {
  return counts.ok + counts.partial + counts.unverified > 0;
}

// Survey in which an error of one process ends the run, as nothing is measured yet.
survey::Surveyed watched_survey(const mpi::Communicator& world, const survey::Wishes& wishes) {
  const auto end = [](const record::Reason& reason) {
    print_error_here("[rank " + std::to_string(reason.rank.value_or(0)) + " on " +
                     reason.host.value_or("unknown") + "] " + reason.text +
                     "; other processes wait for this one: the run ends before anything is measured");
    end_hanging();
  };
  campaign::Alarm alarm(world, {.on_root = end, .alone = end});
  return survey::survey(world, wishes, [&] { alarm.met(); });
}

}  // namespace

std::filesystem::path result_directory(const Invocation& invocation, const std::string& run) {
  if (invocation.from_parent && !invocation.from_parent->out.empty()) return invocation.from_parent->out;
  if (const auto out = invocation.values.word("out")) return *out;
  return std::filesystem::path("steelyard-results") / run;
}

namespace {

/// `run` as a job: a new run, or the rest of an interrupted one.
class RunJob final : public Job {
 public:
  explicit RunJob(Invocation invocation) : invocation_(std::move(invocation)) {}

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] mpi::ThreadLevel threads() const override {
    if (messaging_threads(invocation_.values) > 1) return mpi::ThreadLevel::multiple;
    return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
  }
  /// Takes over what a later session keeps of its run, or a later launch of a series of the launches before it.
  void arrive(const mpi::Communicator& world) override {
    if (const auto& parent = invocation_.from_parent)
      series_ = {parent->series, parent->launch, parent->launches};
    hear_earlier(world);
    agreed_on_root(world, "run", [&] { judgement_ = said_judgement(invocation_.values); });
    refuse_absent_disk(world);
    choose_blas(world);
  }
  /// Rates of the survey. A resumed run keeps those of its first session, and with them the sizes; a launch keeps those
  /// of the launches before it.
  [[nodiscard]] survey::Surveyed survey(const mpi::Communicator& world, const Place& place) override {
    if (first_survey_) return *first_survey_;
    auto now = watched_survey(world, survey_wishes(place));
    now.memory_byte = place.memory_byte;
    survey_s_ = now.seconds;
    std::string told;
    agreed_on_root(world, "run", [&] {
      const auto store = survey::default_store();
      const auto where = survey_place(invocation_.values, place);
      now = survey::steadied(survey::stored(store, where), std::move(now));
      survey::keep(store, where, now);
      told = survey::document_of(now).json().dump();
    });
    return *survey::surveyed_of(record::Document(Json::parse(world.broadcast(told))));
  }
  [[nodiscard]] Prepared prepare(const Place& given) override {
    Place place = place_planned_with(plan_inputs_, given);
    refuse_sizes_beyond(given, place, invocation_.values);
    plan_inputs_ = cli::plan_inputs(invocation_.values, place);
    place.blas = blas_;
    place.switch_of = judgement_.switch_of;
    return prepare_run(invocation_, place, kept_);
  }
  void describe(record::RunRecord& head) const override {
    head.plan_inputs = plan_inputs_;
    head.series = series_.id;
    auto reference = judgement_.reference;
    if (invocation_.values.on("anonymous")) reference.machines.clear();
    tell_reference(reference, head);
    if (series_.launches == 0) return;
    head.launch = series_.launch;
    head.launches = series_.launches;
  }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override {
    campaign::RunOptions options;
    set_schedule(invocation_.values, options);
    set_conduct(invocation_.values, options);
    options.deadline_unix_s = deadline_of(invocation_.values, invocation_.from_parent);
    options.before = Seconds{since_start_s()};
    if (options.budget)
      *options.budget = Seconds{std::max(0.0, options.budget->value() - spent_s() - end_s(*options.budget))};
    planned_ = prepared.plan.measurable();
    obstacle_ = obstacle(prepared.plan);
    experiments_ = campaign::experiments(prepared.plan);
    left_out_ = campaign::left_out_keys(prepared.plan);
    screens_ = std::ranges::any_of(prepared.plan.blocks,
                                   [](const auto& block) { return block.suite == screen::suite_name; });
    options.fail_on = judgement_.fatal;
    options.switch_of = judgement_.switch_of;
    processes_ = prepared.options.processes;
    set_plan_text(prepared.plan);
    for (const std::string& sentence : dropped_orders(prepared))
      told_plan_ += "steelyard: note: " + sentence + '\n';
    return options;
  }
  [[nodiscard]] std::optional<campaign::ResumeState> resume(const mpi::Communicator& world,
                                                            const record::RunRecord& head) override {
    if (!begun_) return std::nullopt;
    const auto now =
        campaign::survey(world, head, invocation_.values.on("anonymous"), campaign::Depth::names_only);
    std::optional<campaign::ResumeState> state;
    agreed_on_root(world, "run", [&] {
      const record::Run& run = interrupted_->run;
      state = campaign::ResumeState{run.id,
                                    run.sessions + 1,
                                    run.next_seq,
                                    campaign::kept_keys(run, retry(), experiments_, left_out_),
                                    campaign::kept_counts(run, retry(), experiments_, left_out_),
                                    interrupted_->dropped_byte,
                                    campaign::differences(run.head, now.head),
                                    run.points,
                                    {}};
      state->events = campaign::standing_events(run, state->keep);
      state->other_hosts = campaign::other_hosts(run.head, now.head);
      if (!state->differences.empty() && !invocation_.values.on("force"))
        throw Refused("this is not where the run was interrupted; --force resumes all the same:",
                      on_their_lines(all_lines(state->differences)));
    });
    return state;
  }
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override {
    const Values& values = invocation_.values;
    Destinations to;
    to.file = std::make_unique<record::Writer>(writer(resume));
    if (!to.file->path().empty()) {
      options.stop_file = to.file->path().parent_path() / "STOP";
      options.resume_command = resume_words_ = resume_words(*to.file);
    }
    const bool stream = values.word("out") == "-";
    const bool terminal = shows_on_terminal(invocation_);
    if (!values.on("quiet")) talk(invocation_) << told_plan_ << std::flush;
    if (has_tables()) to.texts.push_back(formats::live_table(std::cout, table_style(values, terminal)));
    if (!stream && values.need("table") == "original") to.texts.push_back(formats::imb_text(std::cout));
    to.progress = make_progress(values, talk(invocation_), {series_.launch, series_.launches});
    if (!stream && !values.on("quiet")) to.last_line = LastLine::results;
    return to;
  }
  void finished(const campaign::RunResult& result, const Destinations& to) override {
    tell_times(result);
    tell_warnings(result);
    if (is_gone(*to.file)) return;  // what follows tells of its records
    tell_screening(to);
    const bool is_balanced = tell_verdict(to);
    tell_stop(result, to);
    write_report_of(to);
    tell_next(result, to, is_balanced);
  }

 private:
  /// Seconds of this program, before the campaign.
  [[nodiscard]] double since_start_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  /// Seconds of the budget that have passed before the campaign.
  [[nodiscard]] double spent_s() const {
    const int before_s = invocation_.from_parent ? invocation_.from_parent->spent_s : 0;
    return before_s + since_start_s();
  }
  /// Seconds of the budget that are kept for the end, after the campaign.
  /// Texts, tables and the end of the processes come after the campaign.
  [[nodiscard]] static double end_s(Seconds budget) {
    constexpr double share = 0.015, longest_s = 1;
    return std::min(share * budget.value(), longest_s);
  }
  [[nodiscard]] survey::Wishes survey_wishes(const Place& place) const {
    survey::Wishes wishes;
    wishes.groups = rate_groups(invocation_);
    if (const auto budget = invocation_.values.duration("budget"))
      wishes.seconds = campaign::survey_s(*budget);
    wishes.cache = place.cache_share;
    wishes.memory_byte = place.memory_byte;
    wishes.grid = hpcc::default_grid(place.processes);
    wishes.threads = compute_threads(invocation_.values);
    wishes.blas = hpcc::usable_blas(blas_.get());
    wishes.directory = files().parent;
    return wishes;
  }
  [[nodiscard]] bool continues() const {
    return invocation_.values.on("resume") || (invocation_.from_parent && invocation_.from_parent->continues);
  }
  void hear_earlier(const mpi::Communicator& world) {
    std::string told;
    agreed_on_root(world, "run", [&] {
      const record::RunRecord head = earlier_head();
      earlier_blas_ = head.blas;
      told = Json::array({head.config.json(), head.config_sources.json(), head.plan_inputs.json(),
                          head.survey.json(), interrupted_.has_value()})
                 .dump();
    });
    const Json heard = Json::parse(world.broadcast(told));
    plan_inputs_ = heard[2];
    first_survey_ = survey::surveyed_of(record::Document(heard[3]));
    // The memory of another run's machine is only compared with what is here (refuse_sizes_beyond).
    if (first_survey_ && invocation_.values.said("sizes-of")) first_survey_->memory_byte = 0;
    begun_ = heard[4].get<bool>();
    if (invocation_.values.on("resume"))
      invocation_ = with_configuration_of({heard[0], heard[1], heard[2]}, invocation_);
    if (begun_) hear_kept(world);
  }
  /// The plan of each process leaves out the time of what stands.
  void hear_kept(const mpi::Communicator& world) {
    std::string told;
    agreed_on_root(world, "run",
                   [&] { told = Json(campaign::kept_keys(interrupted_->run, retry())).dump(); });
    kept_ = Json::parse(world.broadcast(told)).get<std::set<std::string>>();
  }
  /// Points that have just failed are not tried again unasked.
  [[nodiscard]] campaign::Retry retry() const {
    const bool by_parent = invocation_.from_parent && invocation_.from_parent->continues;
    return by_parent ? campaign::Retry{.failed = false} : retry_of(invocation_.values);
  }
  /// Record of the session or launch before; empty for the first one.
  [[nodiscard]] record::RunRecord earlier_head() {
    if (!continues()) return earlier_launch();
    const std::string run = invocation_.from_parent ? invocation_.from_parent->run : "";
    const auto directory = result_directory(invocation_, run);
    interrupted_ = campaign::open_interrupted(directory, run);
    if (!interrupted_) return run_to_resume(directory).head;
    const record::RunRecord& head = interrupted_->run.head;
    refuse_other_than_run(head, directory);
    series_ = {head.series, head.launch.value_or(0), head.launches.value_or(0)};
    return head;
  }
  [[nodiscard]] record::RunRecord earlier_launch() const {
    const auto& told = invocation_.from_parent;
    if (!told || told->series.empty() || !told->append) return run_of_equal_sizes(invocation_.values);
    try {
      const auto runs = record::read_runs(told->out);
      if (!runs.empty() && runs.back().head.series == told->series) return runs.back().head;
    } catch (const record::ReadError&) {  // the writer will report it
    }
    return run_of_equal_sizes(invocation_.values);
  }
  /// A folder that no node has is a wrong word. One that some nodes lack is what a screening is to find out.
  void refuse_absent_disk(const mpi::Communicator& world) const {
    const auto disk = invocation_.values.word("disk");
    if (!disk) return;
    std::error_code unreadable;
    if (!world.any(std::filesystem::is_directory(*disk, unreadable)))
      agreed_on_root(world, "run", [&] { static_cast<void>(existing_directory("--disk", *disk)); });
  }
  void choose_blas(const mpi::Communicator& world) {
    bool needed = false;
    agreed(world, "run", [&] { needed = computes_with_blas(invocation_); });
    if (!needed) return;
    // Runs of earlier releases name no BLAS: the linked library computed them.
    using enum hpcc::BlasWish::Kind;
    const bool unsaid = begun_ && world.broadcast(earlier_blas_.empty());
    const auto wish = blas_wish(invocation_.values, unsaid ? as_linked : fastest);
    blas_ = chosen_blas(world, "run", compute_threads(invocation_.values), wish, earlier_blas_);
    tell_blas(world, invocation_, *blas_);
  }
  [[nodiscard]] record::Writer writer(const std::optional<campaign::ResumeState>& resume) const {
    using Mode = record::Writer::Mode;
    const bool named = invocation_.from_parent && !invocation_.from_parent->run.empty();
    const std::string fresh = named ? invocation_.from_parent->run : record::make_run_id();
    const std::string run = resume ? resume->run : fresh;
    if (invocation_.values.word("out") == "-") return {std::cout, run, 1, 0};
    const bool append = resume || invocation_.values.on("append") ||
                        (invocation_.from_parent && invocation_.from_parent->append);
    const auto read_byte = resume && interrupted_ ? std::optional(interrupted_->read_byte) : std::nullopt;
    return {result_directory(invocation_, run), append ? Mode::append : Mode::create, run,
            resume ? resume->session : 1,       resume ? resume->next_seq : 0,        read_byte};
  }
  [[nodiscard]] std::vector<std::string> resume_words(const record::Writer& file) const {
    const std::string directory = file.path().parent_path().string();
    return {"steelyard", "run", "--resume", "-o", directory, "-n", std::to_string(processes_)};
  }
  /// What to do where a run with a budget measured nothing.
  [[nodiscard]] std::string needed_budget() const {
    const auto budget = invocation_.values.duration("budget");
    if (!budget || !campaign::survey_met_busy_processors(*budget, survey_s_))
      return "a longer --budget is needed.";
    return "the survey took " + units::format_time(Seconds{survey_s_}) + " of the budget of " +
           units::format_time(*budget) +
           ", as the processors were busy. Processors without other work, or a longer --budget, are needed.";
  }
  void tell_times(const campaign::RunResult& result) const {
    if (!invocation_.values.on("verbose")) return;
    std::string text;
    for (const record::SuiteTime& suite : result.suites)
      text += "steelyard: time: " + suite.suite + " took " + units::format_time(Seconds{suite.taken_s}) +
              ", expected were " + units::format_time(Seconds{suite.expected_s}) + '\n';
    talk(invocation_) << text << std::flush;
  }
  void tell_stop(const campaign::RunResult& result, const Destinations& to) const {
    const bool at_the_end =
        tells_next() && is_brief() && has_values(result.counts);  // tell_next says how to go on
    if (result.stop_cause.empty() || (at_the_end && result.stop_cause == "budget" && series_.launches == 0))
      return;
    const record::Counts& n = result.counts;
    std::string text = series_.launches == 0 ? ""
                                             : "launch " + std::to_string(series_.launch) + " of " +
                                                   std::to_string(series_.launches) + ": ";
    if (planned_ == 0) {
      text += "nothing can be measured: " + obstacle_;
    } else {
      text += result.stop_cause == "budget" ? "the budget is spent after " : "stopped after ";
      text += std::to_string(n.ok + n.failed) + " of " + std::to_string(planned_) + " points";
    }
    if (n.partial > 0) text += " and parts of " + std::to_string(n.partial);
    if (planned_ > 0) text += stopped_by(result.stop_cause, invocation_.values.said("deadline"));
    text += '.';
    const bool begun = n.ok + n.failed + n.partial > 0;
    if (!begun && planned_ > 0)
      text += result.stop_cause == "budget" ? " Nothing was measured: " + needed_budget()
                                            : " Nothing was measured.";
    const bool longer_only =
        !begun && result.stop_cause == "budget";  // with the same words it would come no further
    if (!resume_words_.empty() && !at_the_end && !longer_only) {
      if (begun) text += " Everything measured is in " + to.file->path().string();
      text += "\ncontinue with:  " + units::in_shell(resume_words_);
    }
    talk(invocation_) << text + '\n' << std::flush;  // in one piece: other processes write there too
  }
  /// Sets the text about the plan: the suites and every decision, or in brief one sentence and the time of each suite.
  void set_plan_text(const campaign::Plan& plan) {
    std::ostringstream told;
    if (plan.suites.size() > 1) campaign::print_suites(told, plan);
    campaign::print_expectations(told, plan);
    is_campaign_ = !told.str().empty();
    const bool verbose = invocation_.values.on("verbose");
    if (is_brief() && !verbose) {
      if (is_campaign_) told_plan_ = plan_in_brief(plan);
      return;
    }
    if (verbose || is_campaign_)
      for (const std::string& decision : plan.shrunk) told << "steelyard: plan: " << decision << '\n';
    told_plan_ = std::move(told).str();
  }
  /// Whether tables, and the texts after them, have the short form.
  [[nodiscard]] bool is_brief() const {
    return table_style(invocation_.values, shows_on_terminal(invocation_)).brief;
  }
  /// Whether the texts end with a verdict and with what its reader may do next.
  [[nodiscard]] bool tells_next() const {
    return is_campaign_ && !invocation_.values.on("quiet") && has_tables();
  }
  /// Whether tables of this program, and the texts after them, go to standard output.
  [[nodiscard]] bool has_tables() const {
    const std::string style = invocation_.values.need("table");
    return invocation_.values.word("out") != "-" && style != "original" && style != "none";
  }
  // Prints warnings beneath the tables of this program, or on standard error if there are none.
  void tell_warnings(const campaign::RunResult& result) const {
    const bool beneath = has_tables() && !invocation_.values.on("quiet");
    std::string text;
    for (const std::string& line : result.warnings.lines())
      text += (beneath ? "warning: " : "steelyard: warning: ") + line + '\n';
    if (beneath && is_brief()) text = formats::clipped(text);
    if (!text.empty()) (beneath ? std::cout : std::cerr) << (beneath ? "\n" : "") + text << std::flush;
  }
  /// Tells which nodes and links stand out, if they were measured.
  void tell_screening(const Destinations& to) const {
    if (!screens_ || invocation_.values.on("quiet") || !has_tables()) return;
    try {
      const auto runs = record::read_runs(to.file->path().parent_path());
      std::cout << '\n' << screening::report(screening::judged(runs.back())) << std::flush;
    } catch (const screening::Unjudgeable&) {  // it was stopped before the first value
    }
  }
  // Tables that nobody asked for stay away from texts of the classic programs and from records on standard output.
  // Returns whether `balance` has anything to show of this run.
  bool tell_verdict(const Destinations& to) const {
    if (!tells_next()) return false;
    const auto text = closing_text(to.file->path().parent_path(), is_brief(),
                                   brief_columns(shows_on_terminal(invocation_)));
    if (text && !text->empty())
      std::cout << "\n" << (is_brief() ? formats::clipped(*text) : *text) << std::endl;
    return text.has_value();
  }
  // Tells how far the verdict can be trusted, and what its reader may do next.
  void tell_next(const campaign::RunResult& result, const Destinations& to, bool is_balanced) const {
    if (!tells_next() || !has_values(result.counts)) return;  // tell_stop says how to go on
    const auto warnings = result.warnings.count();
    const auto [doubtful, points] = result.warnings.points_in_doubt();
    const std::string directory = units::in_shell(to.file->path().parent_path().string());
    std::cout << "trust    " << doubtful << " of " << points << " points in doubt"
              << (warnings > 0 ? ", " + units::counted(warnings, "warning") + " above" : std::string());
    std::string_view before = "\nnext     ";
    const auto propose = [&](const std::string& command, std::string_view what) {
      std::cout << std::exchange(before, "\n         ") << command << "    " << what;
    };
    if (is_balanced) propose("steelyard balance " + directory, "ratios, beside published machines");
    if (!invocation_.values.on("report"))
      propose("steelyard report " + directory, " all of it as one page with charts");
    propose("steelyard export " + directory + " --to csv", "every point");
    if (!result.stop_cause.empty() && !resume_words_.empty())
      propose(units::in_shell(resume_words_), result.stop_cause == "budget"
                                                  ? "what is left: the budget is spent"
                                                  : "what is left: it was stopped");
    std::cout << std::endl;
  }
  void write_report_of(const Destinations& to) const {
    if (!invocation_.values.on("report") || to.file->path().empty()) return;
    const auto report = write_report(to.file->path().parent_path());
    if (!invocation_.values.on("quiet"))
      std::cout << "report   " << on_one_line(report.string()) << std::endl;
  }

  Invocation invocation_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<survey::Surveyed> first_survey_;      // of an earlier session or launch
  record::Document earlier_blas_;                     // the same, on rank 0
  std::shared_ptr<const hpcc::BlasInUse> blas_;       // nullptr if the selection needs none
  std::optional<campaign::Interrupted> interrupted_;  // on rank 0
  struct Series {
    std::string id;
    int launch = 0, launches = 0;
  };
  Series series_;
  record::Document plan_inputs_;  // of this session, the same as of the first
  std::set<std::string> kept_;    // keys of what is not measured again
  bool begun_ = false;            // an earlier session of the run exists
  std::size_t planned_ = 0;
  std::string obstacle_;  // reason why nothing can be measured
  campaign::Experiments experiments_;
  std::set<std::string> left_out_;  // keys
  int processes_ = 1;
  double survey_s_ = 0;                    // that the survey of this session took
  bool screens_ = false;                   // nodes are compared with one another
  Judgement judgement_;                    // by which they are judged; on rank 0
  bool is_campaign_ = false;               // of several suites, or with something expected of a point
  std::string told_plan_;                  // text about the plan, told before it measures
  std::vector<std::string> resume_words_;  // on rank 0
};

}  // namespace

int run_job(const Invocation& given) {
  RunJob job(given);
  return measure(job);
}

}  // namespace steelyard::cli
