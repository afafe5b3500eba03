// SPDX-License-Identifier: Apache-2.0
#include "process/library_threads.hpp"

#include <initializer_list>
#include <string_view>

namespace steelyard::cli {
namespace {

// OpenBLAS starts a thread for each processor of the node while it is loaded, for a command that only reads, too. Each
// takes 128 MiB of addresses; where these are limited (ulimit -v) it asks for them again and again, for ever, and where
// threads are (ulimit -u) it ends the program. What computes says itself how many threads it wants.
//
// OpenBLAS reads the variable before main(), and nobody can add one so early: the C library takes the list as the system
// gave it. So one that no library looks at stands aside meanwhile.
char one_thread[] = "OPENBLAS_NUM_THREADS=1";

struct StoodAside {
  char** entry = nullptr;  // of the environment
  char* variable = nullptr;
} stood_aside;  // written before main()

char** variable_of(char** environment, std::string_view name) {
  for (char** entry = environment; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with(name) && text.substr(name.size()).starts_with('=')) return entry;
  }
  return nullptr;
}

void begin_of_loading(int, char**, char** environment) {
  for (const std::string_view name :
       {"OPENBLAS_NUM_THREADS", "_", "OLDPWD", "SHLVL", "PWD", "LOGNAME", "PATH"}) {
    char** const entry = variable_of(environment, name);
    if (entry == nullptr) continue;
    stood_aside = {entry, *entry};
    *entry = one_thread;
    return;
  }
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries_are_ready)(int, char**, char**) = begin_of_loading;

}  // namespace

void end_of_loading() noexcept {
  if (stood_aside.entry != nullptr) *stood_aside.entry = stood_aside.variable;
  stood_aside = {};
}

}  // namespace steelyard::cli
