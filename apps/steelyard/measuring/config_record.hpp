// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace steelyard::cli
