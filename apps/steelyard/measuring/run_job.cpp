// SPDX-License-Identifier: Apache-2.0
#include "measuring/run_job.hpp"

#include <initializer_list>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

#include "measuring/agreement.hpp"
#include "campaign/survey.hpp"
#include "measuring/compute_threads.hpp"
#include "errors.hpp"
#include "exports/closing.hpp"
#include "exports/report.hpp"
#include "formats/imb/text.hpp"
#include "formats/live/table.hpp"
#include "words/resume_words.hpp"
#include "words/schedule_words.hpp"
#include "measuring/talk.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

campaign::ScheduleKind schedule_kind(ScheduleWords::Kind kind) {
  using enum campaign::ScheduleKind;
  switch (kind) {
    case ScheduleWords::Kind::adaptive:
      return adaptive;
    case ScheduleWords::Kind::fixed:
      return fixed;
    case ScheduleWords::Kind::timed:
      return timed;
    case ScheduleWords::Kind::suite:
      break;
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

/// Position of the word among the enumerators; nothing for "suite".
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
  options.deadline_unix_s = deadline_of(values);
  options.anonymous = values.on("anonymous");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string all_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += "\n  " + sentence;
  return text;
}

}  // namespace

std::filesystem::path result_directory(const Invocation& invocation, const std::string& run) {
  if (invocation.from_parent && !invocation.from_parent->out.empty()) return invocation.from_parent->out;
  if (const auto out = invocation.values.word("out")) return *out;
  return std::filesystem::path("steelyard-results") / run;
}

mpi::ThreadLevel RunJob::threads() const {
  return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
}

void RunJob::arrive(const mpi::Communicator& world) {
  if (!invocation_.values.on("resume")) return;
  std::string told;
  agreed_on_root(world, "run", [&] {
    interrupted_ = campaign::open_interrupted(invocation_.values.need("out"));
    const record::RunRecord& head = interrupted_->run.head;
    told = Json::array({head.config.json(), head.config_sources.json()}).dump();
  });
  const Json heard = Json::parse(world.broadcast(told));
  invocation_ = with_configuration_of(record::Document(heard[0]), record::Document(heard[1]), invocation_);
}

campaign::RunOptions RunJob::options(const Prepared& prepared) {
  campaign::RunOptions options;
  set_schedule(invocation_.values, options);
  set_conduct(invocation_.values, options);
  planned_ = prepared.plan.measurable();
  experiments_ = campaign::experiments(prepared.plan);
  processes_ = prepared.options.processes;
  std::ostringstream told;
  if (prepared.plan.suites.size() > 1) campaign::print_suites(told, prepared.plan);
  told_plan_ = std::move(told).str();
  if (invocation_.values.on("verbose") || !told_plan_.empty()) decisions_ = prepared.plan.shrunk;
  return options;
}

std::optional<campaign::ResumeState> RunJob::resume(const mpi::Communicator& world,
                                                    const record::RunRecord& head) {
  if (!invocation_.values.on("resume")) return std::nullopt;
  const auto now =
      campaign::survey(world, head, invocation_.values.on("anonymous"), campaign::Depth::names_only);
  std::optional<campaign::ResumeState> state;
  agreed_on_root(world, "run", [&] {
    const record::Run& run = interrupted_->run;
    const campaign::Retry retry = retry_of(invocation_.values);
    state = campaign::ResumeState{run.id,
                                  run.sessions + 1,
                                  run.next_seq,
                                  campaign::kept_keys(run, retry, experiments_),
                                  campaign::kept_counts(run, retry, experiments_),
                                  interrupted_->dropped_byte,
                                  campaign::differences(run.head, now.head),
                                  run.points};
    if (!state->differences.empty() && !invocation_.values.on("force"))
      throw Refused("this is not where the run was interrupted; --force resumes all the same:" +
                    all_lines(state->differences));
  });
  return state;
}

record::Writer RunJob::writer(const std::optional<campaign::ResumeState>& resume) const {
  using Mode = record::Writer::Mode;
  const bool named = invocation_.from_parent && !invocation_.from_parent->run.empty();
  const std::string fresh = named ? invocation_.from_parent->run : record::make_run_id();
  const std::string run = resume ? resume->run : fresh;
  if (invocation_.values.word("out") == "-") return {std::cout, run, 1, 0};
  const bool append = resume || invocation_.values.on("append") ||
                      (invocation_.from_parent && invocation_.from_parent->append);
  return {result_directory(invocation_, run), append ? Mode::append : Mode::create, run,
          resume ? resume->session : 1, resume ? resume->next_seq : 0};
}

std::vector<std::string> RunJob::resume_words(const record::Writer& file) const {
  const std::string directory = file.path().parent_path().string();
  return {"steelyard", "run", "--resume", "-o", directory, "-n", std::to_string(processes_)};
}

void RunJob::tell_plan() const {
  std::cerr << told_plan_;
  for (const std::string& decision : decisions_) std::cerr << "steelyard: plan: " << decision << '\n';
  std::cerr << std::flush;
}

Destinations RunJob::destinations(const std::optional<campaign::ResumeState>& resume,
                                  campaign::RunOptions& options) {
  const Values& values = invocation_.values;
  Destinations to;
  to.file = std::make_unique<record::Writer>(writer(resume));
  if (!to.file->path().empty()) {
    options.stop_file = to.file->path().parent_path() / "STOP";
    options.resume_command = resume_words_ = resume_words(*to.file);
  }
  const bool stream = values.word("out") == "-";
  const std::string style = stream ? "none" : values.need("table");
  const bool terminal = invocation_.from_parent && invocation_.from_parent->terminal;
  if (!values.on("quiet")) tell_plan();
  if (style == "steelyard") to.texts.push_back(formats::live_table(std::cout, table_style(values, terminal)));
  if (style == "seed") to.texts.push_back(formats::imb_text(std::cout));
  to.progress = make_progress(values, under_launcher());
  if (!stream && !values.on("quiet")) to.last_line = LastLine::results;
  return to;
}

void RunJob::tell_stop(const campaign::RunResult& result, const Destinations& to) const {
  if (result.stop_cause.empty() || invocation_.values.on("quiet")) return;
  const record::Counts& n = result.counts;
  const std::int64_t done = n.ok + n.partial + n.failed;  // what the plan leaves out is not counted
  std::cerr << "stopped after " << done << " of " << planned_ << " points.";
  if (!resume_words_.empty())
    std::cerr << " Everything measured is in " << to.file->path().string()
              << "\ncontinue with:  " << joined(resume_words_);
  std::cerr << std::endl;
}

// Tables that nobody asked for stay away from texts of the seeds and from records on standard output.
void RunJob::tell_verdict(const Destinations& to) const {
  const Values& values = invocation_.values;
  const bool campaign = !told_plan_.empty();
  if (!campaign || values.on("quiet") || values.need("table") != "steelyard" || to.file->path().empty())
    return;
  if (const auto text = closing_text(to.file->path().parent_path()); !text.empty())
    std::cout << "\n" << text << std::endl;
}

void RunJob::write_report_of(const Destinations& to) const {
  if (!invocation_.values.on("report") || to.file->path().empty()) return;
  const auto report = write_report(to.file->path().parent_path());
  if (!invocation_.values.on("quiet")) std::cout << "report   " << report.string() << std::endl;
}

void RunJob::finished(const campaign::RunResult& result, const Destinations& to) {
  tell_stop(result, to);
  tell_verdict(to);
  write_report_of(to);
}

}  // namespace steelyard::cli
