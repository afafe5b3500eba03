// SPDX-License-Identifier: Apache-2.0
#include "occupied.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::zoo {
namespace {

constexpr double giga = 1e9, mega = 1e6, micro = 1e-6;

/// The panels of a linear solver, as parts of the rate of the product.
struct PanelShare {
  std::int64_t block;
  double update, panel, solve;
};
constexpr PanelShare panel_shares[] = {
    {80, 0.80, 0.16, 0.50}, {128, 0.88, 0.13, 0.55}, {192, 0.93, 0.11, 0.60}, {256, 0.95, 0.09, 0.65}};

/// What a data sheet does not tell follows from what it tells.
void fill_up(suites::Rates& rates) {
  constexpr double fastest_touch_byte_s = 2.5e9;
  rates.touch_byte_s = std::min(rates.triad_byte_s / 2, fastest_touch_byte_s);
  rates.buffer_byte_s = rates.touch_byte_s / 2;
  rates.checked_byte_s = rates.touch_byte_s / 2;
  rates.filled_value_s = std::min(rates.product_flop_s / 150, rates.triad_byte_s / 16);
  rates.made_transform_element_s = rates.filled_value_s / 3;
  rates.distributed_row_flop_s = rates.transform_flop_s / 3;
  rates.smooth_row_flop_s = rates.transform_flop_s;
  rates.checked_transform_element_s = rates.transform_flop_s / 80;
  rates.checked_update_s = 6 * rates.access_update_s;
  rates.undone_update_s = 0.6 * rates.access_update_s;
  rates.shared_update_s = 0.2 * rates.access_update_s;
  for (const auto& share : panel_shares)
    rates.panels.push_back({share.block, share.update * rates.product_flop_s,
                            share.panel * rates.product_flop_s, share.solve * rates.product_flop_s});
  rates.one_sided_s = 8 * rates.message_s;
  rates.queued_put_s = 4 * rates.message_s;
  rates.window_s = 100 * rates.message_s;
}

void set_messages(const MachineRates& machine, double slower, int processes, suites::Rates& rates) {
  rates.message_s = slower * machine.message_us.alone * micro;
  rates.far_message_s = slower * machine.message_us.together * micro;
  rates.barrier_s = rates.far_message_s * (1 + std::log2(processes));
}

void set_files(const MachineRates& machine, int processes, suites::Rates& rates) {
  rates.file_open_s = 2e-4 + 2e-5 * processes;
  rates.file_call_s = rates.file_own_call_s = 5e-6;
  rates.file_sync_s = 5e-3;
  rates.file_write_byte_s = machine.write_gb_s * giga / processes;
  rates.file_read_byte_s = machine.read_gb_s * giga / processes;
  rates.file_rewrite_byte_s = rates.file_write_byte_s;
  rates.file_flush_byte_s = rates.file_reflush_byte_s = machine.disk_gb_s * giga / processes;
  rates.file_remove_byte_s = rates.file_read_byte_s;
  rates.file_together_call_s = rates.file_call_s * (1 + std::log2(processes));
  rates.file_together_write_byte_s = rates.file_write_byte_s / 2;
  rates.file_together_read_byte_s = rates.file_read_byte_s / 2;
}

}  // namespace

suites::Rates occupied(const MachineRates& machine, int cores, int processes, bool hardware_threads) {
  constexpr double waits_for_its_turn = 20;
  suites::Rates rates;
  rates.origin = suites::Rates::Origin::measured;
  const double part = std::min(1.0, static_cast<double>(cores) / processes);
  const auto set = [&](const Pair& pair, double unit, double& alone, double& all) {
    alone = unit * pair.alone;
    all = processes == 1 ? alone : unit * pair.together * part;
  };
  set(machine.product_gflop_s, giga, rates.product_alone_flop_s, rates.product_flop_s);
  set(machine.triad_gb_s, giga, rates.triad_alone_byte_s, rates.triad_byte_s);
  set(machine.updates_mup_s, mega, rates.access_alone_update_s, rates.access_update_s);
  set(machine.transform_gflop_s, giga, rates.transform_alone_flop_s, rates.transform_flop_s);
  rates.exchange_byte_s = rates.first_exchange_byte_s = machine.exchange_gb_s.alone * giga * part;
  rates.far_exchange_byte_s = machine.exchange_gb_s.together * giga * part;
  set_messages(machine, processes > cores && !hardware_threads ? waits_for_its_turn : 1, processes, rates);
  set_files(machine, processes, rates);
  fill_up(rates);
  return rates;
}

}  // namespace steelyard::zoo
