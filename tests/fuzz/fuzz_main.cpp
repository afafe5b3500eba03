// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "targets.hpp"

/// The search of libFuzzer, one program for all readers: --reader=NAME chooses.
namespace {

using steelyard::fuzz::Target;

const Target* chosen = nullptr;

const Target* named(int count, char** words) {
  constexpr std::string_view option = "--reader=";
  for (int i = 1; i < count; ++i)
    if (const std::string_view word(words[i]); word.starts_with(option))
      return steelyard::fuzz::find_target(word.substr(option.size()));
  return nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  chosen = named(*count, *words);
  if (chosen != nullptr) return 0;
  std::cerr << "say which: --reader=NAME, one of";
  for (const Target& target : steelyard::fuzz::targets()) std::cerr << ' ' << target.name;
  std::cerr << '\n';
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
