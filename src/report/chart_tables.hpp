// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/sections.hpp"

/// Tables behind charts that show more than points: the page draws them, every form of the report lists them.
/// Each is empty if the records hold nothing of it. Internal to this folder.
namespace steelyard::report {

/// "beff_paths": averages of b_eff along its analysis paths and along each method and repetition;
/// "beff_lengths": path 5, the best of all at each length; "beff_methods": the same of each method;
/// "beff_patterns": each pattern's average and value at L_max.
[[nodiscard]] analysis::Tables beff_tables(const Source& source);

/// "beffio_types": values of the pattern types; "ftio_phases": where the time of FTIO goes; "B14": share of
/// I/O over the size of the matrix, beside the published runs.
[[nodiscard]] analysis::Tables io_tables(const Source& source);

/// "put_synchronisation": times of a put by what completes it, a row per run and length; without rows if no
/// such benchmark was measured.
[[nodiscard]] analysis::Section synchronisation_table(const Source& source);

/// "message_rates": messages per second of every benchmark that has them, over pairs of processes and threads
/// of a process; without rows if none was measured with several numbers of them.
[[nodiscard]] analysis::Section message_rate_table(const Source& source);

/// "requests", "parts", "neighbours", "passive_target": in one row the figures that are compared, and what
/// follows: savings of requests and after how many executions they have paid, parts that travel early,
/// collectives over messages, puts to a process that computes.
[[nodiscard]] analysis::Tables comparison_tables(const Source& source);
/// Whether a point tells figures of such a table.
[[nodiscard]] bool is_compared(const record::PointRecord& point);

/// "fixed_work": times of equal work in classes; "speed_over_time": the probes of the processor's speed over the
/// run; "clock_over_time": how far the processes' clocks agreed.
[[nodiscard]] analysis::Tables time_tables(const Source& source);

/// All chart tables except those of comparisons, which are read and not drawn.
[[nodiscard]] analysis::Tables chart_tables(const Source& source);

/// Section with at most so many rows, evenly thinned; a note says so.
[[nodiscard]] analysis::Section thinned(analysis::Section section, std::size_t most);

[[nodiscard]] analysis::Column text_column(const char* key, const char* title);
[[nodiscard]] analysis::Column number_column(const char* key, const char* title, const char* unit = "");

}  // namespace steelyard::report
