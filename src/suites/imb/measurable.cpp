// SPDX-License-Identifier: Apache-2.0
// Choice of the kind of session that measures a part. Needs files; what measures messages alone does without.
#include "suites/imb/part_definition.hpp"
#include "suites/imb/rma/passive_session.hpp"
#include "suites/imb/session.hpp"

namespace steelyard::imb {

std::unique_ptr<suites::Suite> measurable(const Part& part, const Settings& settings) {
  if (&part == &rma())
    return std::make_unique<MeasuredPart<PassiveSession, BesideBlock>>(part, settings, beside_block());
  if (&part == &mt()) return measurable_threads(part, settings);
  if (part.files) return measurable_files(part, settings);
  return measurable_messages(part, settings);
}

}  // namespace steelyard::imb
