// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// Rates of a machine, as far as the sizes and the time of a plan depend on them. Pure: the survey of a run
/// measures them (src/survey), plans read them.
namespace steelyard::suites {

/// Rates of the linear solver with panels of `block` columns: of the product that updates a trailing matrix, of the
/// factorisation of a panel and of the solution of the triangle of those that are applied at once, by one process while
/// all work.
struct PanelRate {
  std::int64_t block = 0;
  double update_flop_s = 0, panel_flop_s = 0, solve_flop_s = 0;
  friend bool operator==(const PanelRate&, const PanelRate&) = default;
};

/// Rates of one process, of the slowest one where all work at once.
struct Rates {
  /// assumed: of a common machine of these years, nothing was measured; stored: by an earlier run of the same
  /// program on the same nodes.
  enum class Origin { assumed, stored, measured };
  Origin origin = Origin::assumed;

  // Kernels while all processes work, and of one process while the others rest.
  double product_flop_s = 0, product_alone_flop_s = 0;
  double triad_byte_s = 0, triad_alone_byte_s = 0;        // counted as STREAM counts, beyond the caches
  double access_update_s = 0, access_alone_update_s = 0;  // random updates of a table beyond the caches
  double transform_flop_s = 0, transform_alone_flop_s = 0;
  double made_transform_element_s = 0, checked_transform_element_s = 0;  // its data, and their check
  // All processes work.
  double touch_byte_s = 0;      // memory that is used for the first time, in huge pages where there are any
  double buffer_byte_s = 0;     // memory of message buffers, in the pages that the system gives, filled once
  double checked_byte_s = 0;    // the same, filled with test data and compared with them
  double filled_value_s = 0;    // random values that fill a matrix
  double checked_update_s = 0;  // random updates of which a check takes the fingerprint
  double undone_update_s = 0;   // random updates that it undoes where some are wrong
  // Transforms of rows that lie on all processes, by each process: of any length, and without
  // prime factors beyond 7.
  double distributed_row_flop_s = 0, smooth_row_flop_s = 0;
  double shared_update_s = 0;     // of one table over all processes, by each process
  std::vector<PanelRate> panels;  // of the linear solver; empty without a BLAS

  // Messages; far: between processes half of all ranks apart.
  double message_s = 0, far_message_s = 0;              // a short one, one way
  double exchange_byte_s = 0, far_exchange_byte_s = 0;  // sent by each process, which receives as much
  double first_exchange_byte_s = 0;  // the same of neighbours, of pages that no message has met before
  double barrier_s = 0;
  double one_sided_s = 0;   // a short transfer between two fences
  double queued_put_s = 0;  // a short one of many between two fences
  double window_s = 0;      // made and freed together

  // Files of the scratch directory, all processes at once.
  double file_own_call_s = 0;  // calls on a file of each process; other rates are of one file of all
  double file_open_s = 0, file_call_s = 0,
         file_sync_s = 0;                              // open: made, closed, removed; sync: nothing to write
  double file_write_byte_s = 0, file_read_byte_s = 0;  // as the system's cache lets them pass
  double file_rewrite_byte_s = 0;                      // over what the file has already
  double file_flush_byte_s = 0,
         file_reflush_byte_s = 0;  // from the cache to the disk: new, and written again
  double file_remove_byte_s = 0;   // freed when the file is removed
  // Collective calls: a short one, and what long ones move.
  double file_together_call_s = 0, file_together_write_byte_s = 0, file_together_read_byte_s = 0;

  friend bool operator==(const Rates&, const Rates&) = default;
};

/// Rates that stand in for a survey where nothing may be measured: for a plan that is only printed, or words
/// that are only checked. No run is sized by them.
[[nodiscard]] inline Rates assumed_rates() {
  Rates rates;
  rates.product_flop_s = rates.product_alone_flop_s = 3e10;
  rates.triad_byte_s = rates.triad_alone_byte_s = 6e9;
  rates.access_update_s = rates.access_alone_update_s = 3e7;
  rates.transform_flop_s = rates.transform_alone_flop_s = 2e9;
  rates.distributed_row_flop_s = rates.smooth_row_flop_s = 1e9;
  rates.made_transform_element_s = rates.checked_transform_element_s = 2e7;
  rates.touch_byte_s = 2e9;
  rates.buffer_byte_s = 1e9;
  rates.checked_byte_s = 5e8;
  rates.filled_value_s = 3e8;
  rates.checked_update_s = 2e8;
  rates.undone_update_s = 2e7;
  rates.shared_update_s = 5e6;
  rates.panels = {{80, 2e10, 5e9, 1.2e10}, {128, 2.4e10, 5e9, 1.4e10}, {192, 2.6e10, 5e9, 1.6e10}};
  rates.message_s = rates.far_message_s = 1e-6;
  rates.exchange_byte_s = rates.far_exchange_byte_s = rates.first_exchange_byte_s = 2e9;
  rates.barrier_s = 2e-6;
  rates.one_sided_s = 1e-5;
  rates.queued_put_s = 1e-6;
  rates.window_s = 2e-4;
  rates.file_open_s = 5e-4;
  rates.file_call_s = rates.file_own_call_s = 1e-5;
  rates.file_sync_s = 1e-2;
  rates.file_write_byte_s = rates.file_rewrite_byte_s = rates.file_read_byte_s = 1e9;
  rates.file_flush_byte_s = rates.file_reflush_byte_s = 3e8;
  rates.file_remove_byte_s = 4e9;
  rates.file_together_call_s = 2e-5;
  rates.file_together_write_byte_s = rates.file_together_read_byte_s = 1e9;
  return rates;
}

/// Groups of rates that are measured together; a suite names those that its times depend on.
enum class RateGroup { memory, kernels, solver, messages, one_sided, files, rows };

/// Single numbers of Rates, as records name them.
struct RateField {
  std::string_view name;
  double Rates::*value;
};
inline constexpr auto rate_fields = std::to_array<RateField>({
    {"product_flop_s", &Rates::product_flop_s},
    {"product_alone_flop_s", &Rates::product_alone_flop_s},
    {"triad_byte_s", &Rates::triad_byte_s},
    {"triad_alone_byte_s", &Rates::triad_alone_byte_s},
    {"access_update_s", &Rates::access_update_s},
    {"access_alone_update_s", &Rates::access_alone_update_s},
    {"transform_flop_s", &Rates::transform_flop_s},
    {"transform_alone_flop_s", &Rates::transform_alone_flop_s},
    {"distributed_row_flop_s", &Rates::distributed_row_flop_s},
    {"smooth_row_flop_s", &Rates::smooth_row_flop_s},
    {"made_transform_element_s", &Rates::made_transform_element_s},
    {"checked_transform_element_s", &Rates::checked_transform_element_s},
    {"touch_byte_s", &Rates::touch_byte_s},
    {"buffer_byte_s", &Rates::buffer_byte_s},
    {"checked_byte_s", &Rates::checked_byte_s},
    {"filled_value_s", &Rates::filled_value_s},
    {"checked_update_s", &Rates::checked_update_s},
    {"undone_update_s", &Rates::undone_update_s},
    {"shared_update_s", &Rates::shared_update_s},
    {"message_s", &Rates::message_s},
    {"far_message_s", &Rates::far_message_s},
    {"exchange_byte_s", &Rates::exchange_byte_s},
    {"far_exchange_byte_s", &Rates::far_exchange_byte_s},
    {"first_exchange_byte_s", &Rates::first_exchange_byte_s},
    {"barrier_s", &Rates::barrier_s},
    {"one_sided_s", &Rates::one_sided_s},
    {"queued_put_s", &Rates::queued_put_s},
    {"window_s", &Rates::window_s},
    {"file_open_s", &Rates::file_open_s},
    {"file_call_s", &Rates::file_call_s},
    {"file_own_call_s", &Rates::file_own_call_s},
    {"file_sync_s", &Rates::file_sync_s},
    {"file_write_byte_s", &Rates::file_write_byte_s},
    {"file_rewrite_byte_s", &Rates::file_rewrite_byte_s},
    {"file_read_byte_s", &Rates::file_read_byte_s},
    {"file_flush_byte_s", &Rates::file_flush_byte_s},
    {"file_reflush_byte_s", &Rates::file_reflush_byte_s},
    {"file_remove_byte_s", &Rates::file_remove_byte_s},
    {"file_together_call_s", &Rates::file_together_call_s},
    {"file_together_write_byte_s", &Rates::file_together_write_byte_s},
    {"file_together_read_byte_s", &Rates::file_together_read_byte_s},
});

}  // namespace steelyard::suites
