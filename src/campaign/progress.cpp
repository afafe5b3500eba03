// SPDX-License-Identifier: Apache-2.0
#include "campaign/progress.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "campaign/resume.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

constexpr double between_draws_s = 0.2;
constexpr double between_lines_s = 10;
constexpr std::size_t bar_width = 28, least_bar_width = 8;

std::size_t percent(const ProgressState& state) {
  return static_cast<std::size_t>(100 * std::clamp(state.share, 0.0, 1.0));
}

std::string what(const ProgressState& state) {
  return state.point.empty() ? state.benchmark : state.benchmark + " " + state.point;
}

std::string clocks(const ProgressState& state) {
  const std::string elapsed = units::format_clock(Seconds{state.elapsed_s}) + " elapsed";
  if (state.over_plan) return elapsed + ", over plan";
  if (!state.left_s) return elapsed;
  return elapsed + ", " + units::format_clock(Seconds{*state.left_s}) + " left";
}

std::string head(const ProgressState& state) {
  return std::to_string(percent(state)) + "%";
}
std::string tail(const ProgressState& state) {
  return what(state) + "   " + clocks(state);
}

std::size_t rest_of(std::size_t room, std::size_t used) {
  return room > used ? room - used : 0;
}

/// What is measured, in so many columns: without its result, then without the point. No result is cut.
std::string fitting(const ProgressState& state, std::size_t columns) {
  const std::string whole = what(state);
  for (const std::size_t length : {whole.size(), whole.find("   "), state.benchmark.size()})
    if (length <= columns) return whole.substr(0, length);
  return whole.substr(0, columns);
}

std::string text(LaunchNumber launch) {
  if (launch.of < 2) return {};
  return "launch " + std::to_string(launch.number) + " of " + std::to_string(launch.of) + "  ";
}

/// Pace of the output: due at most once per interval of the campaign's own time, and always for the last point.
class Pace {
 public:
  explicit Pace(double interval_s) : interval_s_(interval_s) {}
  bool due(const ProgressState& state) {
    const bool last = state.total > 0 && state.done >= state.total;
    if (last_s_ && !last && state.elapsed_s - *last_s_ < interval_s_) return false;
    last_s_ = state.elapsed_s;
    return true;
  }

 private:
  double interval_s_;
  std::optional<double> last_s_;
};

class Silence final : public Progress {
 public:
  void show(const ProgressState&) override {}
  void clear() override {}
};

class Bar final : public Progress {
 public:
  Bar(std::ostream& out, int columns, bool colour, LaunchNumber launch)
      : out_(out),
        columns_(static_cast<std::size_t>(std::max(columns, 20))),
        colour_(colour),
        launch_(text(launch)) {}

  void show(const ProgressState& state) override {
    if (!pace_.due(state)) return;
    const std::string begin = launch_ + head(state) + " [", end = "   " + clocks(state);
    // the last column stays free: writing there would start a new line on some terminals
    const std::size_t room =
        rest_of(columns_ - 1, begin.size() + std::string_view("]  ").size() + end.size());
    // where it is narrow the bar gives way first, then the point: the times are what is looked for
    std::string text = fitting(state, rest_of(room, least_bar_width));
    const std::size_t width = std::clamp(rest_of(room, text.size()), least_bar_width, bar_width);
    const std::string hashes(width * percent(state) / 100, '#');
    text = begin + hashes + std::string(width - hashes.size(), '.') + "]  " + text + end;
    text.resize(std::min(text.size(), columns_ - 1));
    draw(text, hashes);
  }

  void clear() override {
    if (drawn_ == 0) return;
    out_ << '\r' + std::string(drawn_, ' ') + '\r' << std::flush;
    drawn_ = 0;
  }

 private:
  void draw(const std::string& text, const std::string& hashes) {
    const std::size_t stale = drawn_ > text.size() ? drawn_ - text.size() : 0;
    drawn_ = text.size();
    std::string shown = text;
    const std::size_t at = hashes.empty() ? std::string::npos : text.find(hashes);
    if (colour_ && at != std::string::npos) shown.replace(at, hashes.size(), "\x1b[32m" + hashes + "\x1b[0m");
    out_ << '\r' + shown + std::string(stale, ' ') << std::flush;
  }

  std::ostream& out_;
  std::size_t columns_;
  bool colour_;
  std::string launch_;
  std::size_t drawn_ = 0;
  Pace pace_{between_draws_s};
};

/// Display for logs: a line when the benchmark changes and every 10 s.
class Lines final : public Progress {
 public:
  Lines(std::ostream& out, LaunchNumber launch) : out_(out), launch_(text(launch)) {}
  void show(const ProgressState& state) override {
    const bool changed = state.benchmark != benchmark_;
    if (changed) pace_ = Pace(between_lines_s);
    benchmark_ = state.benchmark;
    // in one piece: other processes write to the same log
    if (pace_.due(state)) out_ << launch_ + head(state) + "  " + tail(state) + "\n" << std::flush;
  }
  void clear() override {}

 private:
  std::ostream& out_;
  std::string launch_, benchmark_;
  Pace pace_{between_lines_s};
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + "\"";
}

class JsonLines final : public Progress {
 public:
  JsonLines(std::ostream& out, LaunchNumber launch) : out_(out) {
    if (launch.of > 1)
      launch_ = R"("launch":)" + std::to_string(launch.number) + R"(,"launches":)" +
                std::to_string(launch.of) + ',';
  }
  void show(const ProgressState& state) override {
    if (!pace_.due(state)) return;
    out_ << R"({"event":"progress",)" + launch_ + R"("done":)" + std::to_string(state.done) + R"(,"total":)" +
                std::to_string(state.total) + R"(,"elapsed_s":)" + units::format_fixed(state.elapsed_s, 1) +
                R"(,"left_s":)" + (state.left_s ? units::format_fixed(*state.left_s, 1) : "null") +
                R"(,"point":)" + quoted(what(state)) + "}\n"
         << std::flush;
  }
  void clear() override {}

 private:
  std::ostream& out_;
  std::string launch_;
  Pace pace_{between_draws_s};
};

namespace fs = std::filesystem;
constexpr int most_ancestors = 8;
constexpr int default_columns = 100;

/// Width of a terminal opened only to be asked: never our controlling terminal, never read from.
std::optional<int> columns_of(const std::string& device) {
  const int descriptor = open(device.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  winsize size{};
  const bool told = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  close(descriptor);
  return told ? std::optional<int>(size.ws_col) : std::nullopt;
}

int columns_told() {
  const char* told = std::getenv("COLUMNS");
  return told == nullptr ? default_columns : units::read_number<int>(told).value_or(default_columns);
}

struct Process {
  std::string command;
  int parent = 0;
};

/// Parses "123 (name with ) in it) S 45 ...": the name ends at the last parenthesis.
std::optional<Process> process(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > text.size()) return std::nullopt;
  const std::string_view rest = std::string_view(text).substr(close + 4);
  const auto parent = units::read_number<int>(rest.substr(0, rest.find(' ')));
  if (!parent) return std::nullopt;
  return Process{text.substr(open + 1, close - open - 1), *parent};
}

bool is_launcher(std::string_view command) {
  constexpr std::array<std::string_view, 7> names{"mpirun",  "mpiexec", "mpiexec.hydra", "orterun",
                                                  "prterun", "prun",    "srun"};
  return std::ranges::any_of(names, [&](std::string_view name) {
    return command == name || (command.starts_with(name) && command[name.size()] == '.');
  });
}

bool is_ours(int pid) {
  struct stat status {};
  return stat(("/proc/" + std::to_string(pid)).c_str(), &status) == 0 && status.st_uid == geteuid();
}

/// The launcher that started this process on this host.
std::optional<int> launcher() {
  int pid = getppid();
  for (int step = 0; step < most_ancestors && pid > 1; ++step) {
    const auto ancestor = process(pid);
    if (!ancestor) return std::nullopt;
    if (is_launcher(ancestor->command)) return is_ours(pid) ? std::optional(pid) : std::nullopt;
    pid = ancestor->parent;
  }
  return std::nullopt;
}

/// Terminal behind this descriptor of the launcher; empty if it is something else.
std::string launchers_device(int descriptor) {
  const auto pid = launcher();
  if (!pid) return {};
  std::error_code error;
  const std::string device =
      fs::read_symlink("/proc/" + std::to_string(*pid) + "/fd/" + std::to_string(descriptor), error).string();
  const bool terminal = !error && (device.starts_with("/dev/pts/") || device.starts_with("/dev/tty"));
  return terminal ? device : std::string();
}

std::optional<Terminal> launchers_terminal() {
  const std::string device = launchers_device(STDERR_FILENO);
  if (device.empty()) return std::nullopt;
  return Terminal{ProgressMode::bar, columns_of(device).value_or(default_columns)};
}

std::optional<Terminal> own_terminal() {
  if (isatty(STDERR_FILENO) == 0) return std::nullopt;
  return Terminal{ProgressMode::bar, columns_of("/proc/self/fd/2").value_or(default_columns)};
}

bool standard_error_is_closed() {
  return fcntl(STDERR_FILENO, F_GETFD) < 0;
}

std::optional<double> seconds(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value()) : std::nullopt;
}

constexpr double fading = 0.9;  // weight of a finished piece after the next one
constexpr double least_ratio = 0.5, most_ratio = 2;

constexpr std::size_t points_until_trust = 3;
constexpr double most_by_time = 0.95;  // of a block that does not report its stage
constexpr double least_share = 0.02;   // of a block, before it tells anything about the rest

/// Name of a point within its benchmark: "np=4 64 KiB".
std::string describe_point(const suites::BlockPlan& block, const suites::PointPlan& point) {
  return "np=" + std::to_string(block.processes) + " " + units::format_size(Bytes{point.bytes});
}

}  // namespace

std::unique_ptr<Progress> make_progress(ProgressMode mode, std::ostream& out, int columns, bool colour,
                                        LaunchNumber launch) {
  switch (mode) {
    case ProgressMode::bar: return std::make_unique<Bar>(out, columns, colour, launch);
    case ProgressMode::lines: return std::make_unique<Lines>(out, launch);
    case ProgressMode::json: return std::make_unique<JsonLines>(out, launch);
    case ProgressMode::automatic:
    case ProgressMode::none: break;
  }
  return std::make_unique<Silence>();
}

bool shows_on_terminal(bool under_launcher) {
  return under_launcher ? !launchers_device(STDOUT_FILENO).empty() : isatty(STDOUT_FILENO) != 0;
}

Terminal find_terminal(bool under_launcher) {
  if (standard_error_is_closed()) return {ProgressMode::none, default_columns};
  const char* told = std::getenv("STEELYARD_TTY");
  if (told != nullptr && std::string_view(told) == "1") return {ProgressMode::bar, columns_told()};
  if (told != nullptr && std::string_view(told) == "0") return {ProgressMode::lines, default_columns};
  const auto found = under_launcher ? launchers_terminal() : own_terminal();
  return found.value_or(Terminal{ProgressMode::lines, default_columns});
}

Watchdog::Watchdog(std::ostream& out, Patience patience, GiveUp give_up)
    : out_(out),
      patience_(patience),
      give_up_(std::move(give_up)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

Watchdog::~Watchdog() {
  thread_.request_stop();
  thread_.join();
}

void Watchdog::watch(std::string what, double estimate_s) {
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  limit_s_ = std::max(patience_.factor * estimate_s, patience_.least_s);
  last_s_ = patience_.give_up_s ? estimate_s + *patience_.give_up_s : std::numeric_limits<double>::infinity();
  since_ = Clock::now();
}

void Watchdog::rest() {
  const std::scoped_lock lock(mutex_);
  what_.clear();
}

void Watchdog::loop(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto nap = std::chrono::duration<double>(patience_.nap_s);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, nap, [] { return false; });
    if (!stop.stop_requested()) look();
  }
}

void Watchdog::look() {
  if (what_.empty()) return;
  const double age = std::chrono::duration<double>(Clock::now() - since_).count();
  if (age >= limit_s_) speak(age);
  if (age >= last_s_) give_up(age);
}

void Watchdog::speak(double age) {
  out_ << "\nsteelyard: " + what_ + " has been running for " + units::format_clock(Seconds{age}) + '\n'
       << std::flush;
  limit_s_ = 2 * age;
}

void Watchdog::give_up(double age) {
  const std::string why =
      what_ + " is given up after " + units::format_clock(Seconds{age}) + ": a process or a host may be lost";
  what_.clear();
  out_ << "\nsteelyard: error: " + why + '\n' << std::flush;
  if (give_up_) give_up_(why);
}

RemainingWork::RemainingWork(const Plan& plan, MeasuringRule rule, const std::set<std::string>& kept)
    : plan_(plan),
      rule_(rule),
      kept_(kept_points(plan.blocks, kept)),
      from_(plan.blocks.size() + 1),
      planned_(std::nullopt, {}, rule.point_limit_s) {
  for (std::size_t b = plan.blocks.size(); b-- > 0;) {
    from_[b] = from_[b + 1];
    for (const suites::PointPlan& point : plan.blocks[b].points) {
      if (this->kept(point)) ++points_kept_;
      if (!wanted(point)) continue;
      from_[b].add(point);
    }
  }
  planned_ = allowance(0, seconds(plan.budget));
}

std::vector<std::size_t> RemainingWork::to_measure(std::size_t block) const {
  std::vector<std::size_t> indices;
  const auto& points = plan_.blocks[block].points;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (wanted(points[i])) indices.push_back(i);
  return indices;
}

double RemainingWork::expected_s(const suites::PointPlan& point) const {
  if (!wanted(point)) return 0;
  return campaign::expected_s(point, planned_, rule_);
}

void Estimator::finished(double planned_s, double measured_s) {
  planned_ = fading * planned_ + planned_s;
  measured_ = fading * measured_ + measured_s;
}

double Estimator::left_s(double planned_left_s) const {
  return std::max(0.0, planned_left_s * std::clamp(ratio(), least_ratio, most_ratio));
}

void TakenPart::finished(const BlockTime& block, double taken_s) {
  if (!(block.allowed_s > 0)) return;
  const double weight = block.allowed_s, easy = block.easy_s / weight, taken = taken_s / weight;
  weight_ += weight;
  easy_ += weight * easy;
  taken_ += weight * taken;
  easy_squared_ += weight * easy * easy;
  easy_by_taken_ += weight * easy * taken;
}

double TakenPart::expected_s(const BlockTime& block) const {
  constexpr double least = 0.02, most = 1.5;
  constexpr double few = 0.01;  // a variance below which blocks are too much alike for a slope
  if (!(weight_ > 0) || !(block.allowed_s > 0)) return block.allowed_s;
  const double easy = easy_ / weight_, taken = taken_ / weight_;
  const double variance = easy_squared_ / weight_ - easy * easy;
  const double slope = (easy_by_taken_ / weight_ - easy * taken) / (variance + few);
  return block.allowed_s * std::clamp(taken + slope * (block.easy_s / block.allowed_s - easy), least, most);
}

double Habits::expected_s(const std::string& suite, const BlockTime& block) const {
  constexpr double trust = 0.5;  // few blocks of a suite tell little of the next one
  const double by_others_s = this->by_others_s(block);
  const auto found = suites_.find(suite);
  if (found == suites_.end()) return by_others_s;
  return by_others_s * found->second.ratio(block.prescribed ? 0 : trust * by_others_s);
}

void Habits::finished(const std::string& suite, const BlockTime& block, double taken_s) {
  suites_[suite].finished(by_others_s(block), taken_s);
  if (!block.prescribed) all_.finished(block, taken_s);
}

std::string describe_result(const record::PointRecord& record) {
  const record::Statistics* time = record::statistics(record, "time_s");
  if (time == nullptr || !time->median) return {};
  std::string text = "   " + units::format_time(Seconds{*time->median});
  if (!time->ci || *time->median <= 0) return text;
  const double half_width = (time->ci->second - time->ci->first) / (2 * *time->median);
  return text + " +-" + units::format_fixed(100 * half_width, 1) + "%";
}

Reporter::Reporter(Progress* progress, const Plan& plan, const RemainingWork& remaining, double before_s)
    : progress_(progress), remaining_(remaining), longest_s_(plan.longest_s), before_s_(before_s) {
  state_.total = plan.measurable();
  done_ = state_.total;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    done_ -= remaining.to_measure(b).size();
    for (const suites::PointPlan& point : plan.blocks[b].points)
      suites_[plan.blocks[b].suite].planned_left_s += remaining.expected_s(point);
  }
  planned_s_ = planned_left_s();
}

void Reporter::block_starts(const suites::BlockPlan& block, double elapsed_s) {
  if (!first_block_s_) first_block_s_ = elapsed_s;
  state_.benchmark = block.suite + "/" + block.benchmark;
  state_.point = "np=" + std::to_string(block.processes);
  running_ = {.suite = block.suite, .start_s = elapsed_s, .first = done_};
  for (const suites::PointPlan& point : block.points) {
    const double expected = remaining_.expected_s(point);
    running_.planned_s += expected;
    running_.points += expected > 0 ? 1 : 0;
  }
  running_.whole_s = running_.planned_s;
  show(elapsed_s);
}

void Reporter::point_ends(const suites::BlockPlan& block, const suites::PointPlan& point,
                          const record::PointRecord& record, double measured_s, double elapsed_s) {
  Suite& suite = suites_[block.suite];
  const double planned = remaining_.expected_s(point);
  suite.planned_left_s -= planned;
  running_.planned_s -= planned;
  suite.estimator.finished(planned, measured_s);
  ++done_;
  ++finished_;
  state_.point = describe_point(block, point) + describe_result(record);
  show(elapsed_s);
}

void Reporter::tick(double elapsed_s, const std::optional<suites::BlockProgress>& stage) {
  running_.stage = stage;
  if (stage) state_.point = stage->words;
  show(elapsed_s);
}

bool Reporter::trustworthy() const {
  return running_.stage ? running_.stage->share > least_share : finished_ >= points_until_trust;
}

/// Remaining time. For a block that reports its stage the stage alone gives the rest, not its plan.
double Reporter::left_s(double elapsed_s) const {
  double sum = 0;
  for (const auto& [name, suite] : suites_) {
    const bool told = running_.stage && name == running_.suite;
    sum += suite.estimator.left_s(suite.planned_left_s - (told ? running_.planned_s : 0));
  }
  if (!running_.stage) return sum;
  const double share = std::max(running_.stage->share, least_share);
  return sum + (elapsed_s - running_.start_s) * (1 - share) / share;
}

double Reporter::planned_left_s() const {
  double sum = 0;
  for (const auto& [name, suite] : suites_) sum += suite.planned_left_s;
  return sum;
}

double Reporter::share(double of_block) const {
  if (state_.done >= state_.total) return 1;
  const double left = planned_left_s() - of_block * running_.planned_s;
  return planned_s_ > 0 ? std::clamp(1 - left / planned_s_, 0.0, 1.0) : 0;
}

double Reporter::block_share(double elapsed_s) const {
  if (running_.stage) return running_.stage->share;
  if (running_.whole_s <= 0) return 0;
  return std::clamp((elapsed_s - running_.start_s) / running_.whole_s, 0.0, most_by_time);
}

void Reporter::show(double elapsed_s) {
  const double told = running_.stage ? running_.stage->share : 0;
  const auto staged = static_cast<std::size_t>(told * static_cast<double>(running_.points));
  state_.done = std::max(done_, running_.first + staged);
  state_.share = std::max(state_.share, share(block_share(elapsed_s)));
  state_.elapsed_s = before_s_ + elapsed_s;
  state_.left_s.reset();
  if (trustworthy()) state_.left_s = left_s(elapsed_s);
  // Plans of milliseconds do not count what precedes the first block, and the clock beside it shows whole seconds.
  constexpr double least_excess_s = 1;
  const double measuring_s = elapsed_s - first_block_s_.value_or(0);
  state_.over_plan =
      longest_s_ > 0 && measuring_s > longest_s_ + least_excess_s && state_.done < state_.total;
  if (progress_ != nullptr) progress_->show(state_);
}

}  // namespace steelyard::campaign
