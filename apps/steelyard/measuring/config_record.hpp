// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/prepared.hpp"
#include "record/document.hpp"
#include "record/records.hpp"
#include "words/option_table.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {

/// Members `config` and `config_sources` of the run record: every option with its value, sizes in bytes
/// ("memory_byte"), durations in seconds ("budget_s"), steps under "step".
struct ConfigRecord {
  record::Document config, sources;
};
[[nodiscard]] ConfigRecord config_record(const Invocation& invocation);

/// The words that such a record was made from, for a resume. Members that are no option are passed over.
void read_config_record(const record::Document& config, const record::Document& sources, Invocation& into);

// What a plan is made from besides words. The first session of a run finds it and keeps it in its run
// record; later ones plan with the same, so that sizes, keys and points stay what they were.

/// Member plan.inputs of the run record.
[[nodiscard]] record::Document plan_inputs(const Values& values, const Place& place);

/// The place of the first session, with the processes of `here`; what the record does not hold is as here.
[[nodiscard]] Place place_planned_with(const record::Document& inputs, Place here);

/// Throws Refused if --sizes-of names a run that was planned with more memory than a process has here.
void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values);

/// Makes the budget that the first session was divided by that of this one, and its sizes' (first_budget,
/// without words if there was none): a later session's own was for that session.
void set_first_budget(const record::Document& inputs, Values& values);

}  // namespace steelyard::cli
