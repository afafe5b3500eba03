// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "suites/imb/definition.hpp"
#include "suites/imb/io/rules.hpp"

namespace steelyard::imb {

/// Benchmark that moves data, as the original lists it (IMB 3.1 User's Guide, Table 1).
struct FileBenchmark {
  std::string_view name;
  FileAction action;
  std::string_view source;
};

// Write benchmarks in the order of the definition; the read benchmarks repeat it with the other word.
inline constexpr std::array<FileBenchmark, 36> file_benchmarks = [] {
  using enum Access;
  using enum Waiting;
  using enum Pointer;
  struct Kind {
    std::string_view write, iwrite, read, iread;
    Access access;
    Pointer pointer;
    std::string_view source;
  };
  constexpr Kind kinds[] = {
      {"S_Write_Indv", "S_IWrite_Indv", "S_Read_Indv", "S_IRead_Indv", single, individual,
       "IMB 3.1 User's Guide, 4.2.4.1"},
      {"S_Write_Expl", "S_IWrite_Expl", "S_Read_Expl", "S_IRead_Expl", single, explicit_offset,
       "IMB 3.1 User's Guide, 4.2.4.2"},
      {"P_Write_Indv", "P_IWrite_Indv", "P_Read_Indv", "P_IRead_Indv", parallel, individual,
       "IMB 3.1 User's Guide, 4.2.4.3"},
      {"P_Write_Shared", "P_IWrite_Shared", "P_Read_Shared", "P_IRead_Shared", parallel, shared,
       "IMB 3.1 User's Guide, 4.2.4.5"},
      {"P_Write_Priv", "P_IWrite_Priv", "P_Read_Priv", "P_IRead_Priv", priv, individual,
       "IMB 3.1 User's Guide, 4.2.4.6"},
      {"P_Write_Expl", "P_IWrite_Expl", "P_Read_Expl", "P_IRead_Expl", parallel, explicit_offset,
       "IMB 3.1 User's Guide, 4.2.4.4"},
      {"C_Write_Indv", "C_IWrite_Indv", "C_Read_Indv", "C_IRead_Indv", collective, individual,
       "IMB 3.1 User's Guide, 4.2.4.7"},
      {"C_Write_Shared", "C_IWrite_Shared", "C_Read_Shared", "C_IRead_Shared", collective, shared,
       "IMB 3.1 User's Guide, 4.2.4.9"},
      {"C_Write_Expl", "C_IWrite_Expl", "C_Read_Expl", "C_IRead_Expl", collective, explicit_offset,
       "IMB 3.1 User's Guide, 4.2.4.8"},
  };
  std::array<FileBenchmark, 36> all{};
  std::size_t i = 0;
  for (const auto direction : {Direction::write, Direction::read})
    for (const auto& kind : kinds) {
      const bool writes = direction == Direction::write;
      all[i++] = {
          writes ? kind.write : kind.read, {direction, kind.access, kind.pointer, blocking}, kind.source};
      all[i++] = {writes ? kind.iwrite : kind.iread,
                  {direction, kind.access, kind.pointer, non_blocking},
                  "IMB 3.1 User's Guide, 4.2.5"};
    }
  return all;
}();

[[nodiscard]] constexpr Class class_of(Access access) {
  if (access == Access::single) return Class::single_transfer;
  return access == Access::collective ? Class::collective : Class::parallel_transfer;
}

[[nodiscard]] constexpr Definition definition_of(const FileBenchmark& benchmark) {
  const auto& action = benchmark.action;
  Definition definition{.name = benchmark.name, .kind = class_of(action.access), .source = benchmark.source};
  definition.team = 1;
  definition.modes = action.writes() && action.blocks() ? Modes::both : Modes::only_aggregate;
  definition.send = action.writes() ? Side::portion : Side::none;
  definition.receive = action.writes() ? Side::none : Side::portion;
  definition.messages = 1;
  definition.overlapped = !action.blocks();
  definition.rows_at_once = !action.blocks() || action.pointer == Pointer::shared;
  if (!action.blocks())
    definition.table = Table::e;
  else if (action.together())
    definition.table = Table::b;
  return definition;
}

/// IMB-IO, in the order of the definition.
inline constexpr std::array<Definition, 37> io_benchmarks = [] {
  std::array<Definition, 37> all{};
  for (std::size_t i = 0; i < file_benchmarks.size(); ++i) all[i] = definition_of(file_benchmarks[i]);
  all.back() = {.name = "Open_Close",
                .kind = Class::sync,
                .classification = "other",
                .bound = Bound::non_aggregate,
                .send = Side::none,
                .receive = Side::none,
                .source = "IMB 3.1 User's Guide, 4.2.4.10"};
  return all;
}();

}  // namespace steelyard::imb
