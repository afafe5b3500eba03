// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/settings.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

void require_rules(const beffio::Hints& hints) {
  for (const auto& rule : hints.rules()) {
    require(!rule.hint.first.empty() && !rule.hint.second.empty(), "a hint without key or value");
    require((rule.chunk > Bytes{0}) == (rule.when == beffio::HintRule::When::chunk),
            "a chunk of another rule");
  }
  const beffio::Hints::Place place{2, beffio::accesses.front(), beffio::pattern_types.front()};
  require(hints.at_open(place).size() <= hints.rules().size(), "more hints than rules");
}

}  // namespace

void read_hints(std::string_view input) {
  accepts<beffio::HintError>(
      [&] {
        require_rules(beffio::Hints::parse(input, {1, 2, 16}));
      },
      [](const std::string& what) { require(names_line(what, "line "), "an error without its line"); });
}

}  // namespace steelyard::fuzz
