// SPDX-License-Identifier: Apache-2.0
#include "imb/job.hpp"

#include <iostream>

#include "errors.hpp"
#include "formats/imb/text.hpp"
#include "imb/dump.hpp"
#include "imb/words.hpp"
#include "suites/imb/part_definition.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {

mpi::ThreadLevel ImbJob::threads() const {
  const bool of_threads = &imb_part(invocation_) == &imb::mt();
  if (of_threads && threads_of_mt(invocation_.values) > 1) return mpi::ThreadLevel::multiple;
  const std::string word = invocation_.values.word_or("thread_level", "single");
  if (word == "funneled") return mpi::ThreadLevel::funneled;
  if (word == "serialized") return mpi::ThreadLevel::serialized;
  return word == "multiple" ? mpi::ThreadLevel::multiple : mpi::ThreadLevel::single;
}

FileWishes ImbJob::files() const {
  const Given* named = invocation_.values.find("io-dir");
  FileWishes wishes{invocation_.values.word_or("io-dir", "."), {}, named == nullptr ? "" : named->origin};
  for (const std::string& hint : invocation_.values.list("hint")) wishes.hints.push_back(parse_label(hint));
  return wishes;
}

Prepared ImbJob::prepare(const Place& place) {
  Prepared prepared = prepare_imb(invocation_, place);
  const imb::Settings& settings = prepared.settings<imb::PartDefinition>(imb_part(invocation_).name);
  show_tail_ = settings.show_tail;
  check_ = settings.check;
  return prepared;
}

campaign::RunOptions ImbJob::options(const Prepared& prepared) {
  campaign::RunOptions options = FrontEndJob::options(prepared);
  options.verify = check_;
  return options;
}

void ImbJob::add_texts(Destinations& to) {
  const Values& values = invocation_.values;
  formats::ImbTextOptions text;
  text.show_tail = show_tail_;
  text.headless = values.on("noheader");
  to.texts.push_back(formats::imb_text(std::cout, text));
  if (const auto file = values.word("dumpfile")) to.texts.push_back(imb_dump(*file));
}

}  // namespace steelyard::cli
