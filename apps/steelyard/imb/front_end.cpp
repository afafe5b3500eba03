// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "formats/imb/head.hpp"
#include "formats/imb/text.hpp"
#include "formats/writer.hpp"
#include "imb/options.hpp"
#include "machine/build_info.hpp"
#include "measuring/front_end.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/imb/part_definition.hpp"

namespace steelyard::cli {
namespace {

// A classic front-end of the imb suites: IMB's schedule, IMB's text on standard output, records only with --out.
class ImbJob final : public FrontEndJob {
 public:
  explicit ImbJob(const Invocation& invocation) : FrontEndJob(invocation) {}

  [[nodiscard]] mpi::ThreadLevel threads() const override;
  [[nodiscard]] FileWishes files() const override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  /// Tells on standard error why nothing was measured, or what stopped it: a script that keeps the text sees the exit
  /// code alone.
  void finished(const campaign::RunResult& result, const Destinations&) override;

 private:
  void add_texts(Destinations& to) override;

  void warn_of_words_without_effect() const;

  bool show_tail_ = false;
  bool dump_ = false;
  bool check_ = false;
  std::string obstacle_;  // of the first point, where none can be measured
  std::vector<std::string> without_effect_;
};

// Writer of -dumpfile. Throws Refused if the file cannot be written.
std::unique_ptr<formats::Writer> dump_to(const std::string& file) {
  auto out = std::make_unique<std::ofstream>(file, std::ios::binary | std::ios::trunc);
  if (!*out)
    throw Refused("-dumpfile: cannot write '" + file + "': " + std::generic_category().message(errno));
  return formats::imb_dump(std::move(out));
}

mpi::ThreadLevel ImbJob::threads() const {
  const bool of_threads = &imb_part(invocation_) == &imb::mt();
  if (of_threads && threads_of_mt(invocation_.values) > 1) return mpi::ThreadLevel::multiple;
  const std::string word = invocation_.values.word_or("thread_level", "single");
  if (word == "funneled") return mpi::ThreadLevel::funneled;
  if (word == "serialized") return mpi::ThreadLevel::serialized;
  return word == "multiple" ? mpi::ThreadLevel::multiple : mpi::ThreadLevel::single;
}

FileWishes ImbJob::files() const {
  const OptionWords* named = invocation_.values.find("io-dir");
  FileWishes wishes{invocation_.values.word_or("io-dir", "."), {}, named == nullptr ? "" : named->origin};
  for (const std::string& hint : invocation_.values.list("hint")) wishes.hints.push_back(parse_label(hint));
  return wishes;
}

Prepared ImbJob::prepare(const Place& place) {
  Prepared prepared = prepare_imb(invocation_, place);
  const imb::Settings& settings = prepared.settings<imb::PartDefinition>(imb_part(invocation_).name);
  show_tail_ = settings.show_tail;
  dump_ = settings.dump;
  without_effect_ = settings.without_effect;
  check_ = settings.check;
  if (prepared.plan.measurable() == 0 && prepared.plan.points() > 0)
    obstacle_ = ": " + prepared.plan.blocks.front().points.front().skip_text;
  return prepared;
}

void ImbJob::finished(const campaign::RunResult& result, const Destinations&) {
  if (result.exit_code == exit_code::refused)
    std::cerr << "steelyard: nothing was measured" + obstacle_ << std::endl;
  tell_stop(result);
}

campaign::RunOptions ImbJob::options(const Prepared& prepared) {
  campaign::RunOptions options = FrontEndJob::options(prepared);
  options.verify = check_;
  return options;
}

// The head says it too, but not everybody has one.
void ImbJob::warn_of_words_without_effect() const {
  for (const std::string& words : without_effect_)
    std::cerr << "steelyard: warning: " << words << " changes nothing in " << invocation_.command->name
              << std::endl;
}

void ImbJob::add_texts(Destinations& to) {
  warn_of_words_without_effect();
  const Values& values = invocation_.values;
  formats::ImbTextOptions text;
  text.show_tail = show_tail_;
  text.headless = values.on("noheader");
  to.texts.push_back(formats::imb_text(std::cout, text));
  if (dump_) to.texts.push_back(dump_to(values.need("dumpfile")));
}

void refuse_other_memory(const Values& values) {
  const auto memory = values.word("mem_alloc_type");
  if (memory && *memory != "cpu")
    throw Refused("-mem_alloc_type " + *memory + ": no GPU support in this build");
}

int print_list(const imb::Part& part, imb::Version version) {
  if (speaks_for_all())
    std::cout << formats::imb_list(part, version, machine::build_info().version) << std::flush;
  return exit_code::done;
}

}  // namespace

int run_imb(const Invocation& invocation) {
  const Values& values = invocation.values;
  const imb::Part& part = imb_part(invocation);
  if (values.on("list")) return print_list(part, imb::defaults(part, rule_set(values)).version);
  refuse_other_memory(values);
  // Names and files are looked at before anything is started.
  static_cast<void>(imb_names(part, values, imb_settings(part, values, {}).version));
  return run_front_end<ImbJob>(invocation);
}

}  // namespace steelyard::cli
