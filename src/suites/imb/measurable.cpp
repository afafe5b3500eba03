// SPDX-License-Identifier: Apache-2.0
// Choice of the kind of session that measures a part. Needs files; what measures messages alone does without.
#include "suites/imb/io/file_session.hpp"
#include "suites/imb/mt/thread_session.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/rma/passive_session.hpp"
#include "suites/imb/session.hpp"

namespace steelyard::imb {

std::unique_ptr<suites::Suite> measurable(const Part& part, const Settings& settings) {
  if (&part == &rma()) return measurable_passive(part, settings);
  if (&part == &mt()) return measurable_threads(part, settings);
  return part.files ? measurable_files(part, settings) : measurable_messages(part, settings);
}

}  // namespace steelyard::imb
