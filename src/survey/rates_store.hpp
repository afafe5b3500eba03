// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "survey/surveyed.hpp"

/// Rates of earlier runs in the user's cache directory. Disposable: nothing is lost with it.
namespace steelyard::survey {

/// What rates hold for.
struct Place {
  std::string machine, program, blas;
  int processes = 1, threads = 1;
};

/// $XDG_CACHE_HOME/steelyard/survey, or that of ~/.cache; empty where neither is known.
[[nodiscard]] std::filesystem::path default_store();

/// The last rates of this place, of origin stored. Nothing where there are none, or they cannot be read.
[[nodiscard]] std::optional<Surveyed> stored(const std::filesystem::path& store, const Place& place);
/// Keeps them. What cannot be written is not kept, which is no failure.
void keep(const std::filesystem::path& store, const Place& place, const Surveyed& surveyed);

/// The new rates, each within a fifth of its earlier value replaced by that, so that equal runs choose equal
/// sizes.
[[nodiscard]] Surveyed steadied(const std::optional<Surveyed>& earlier, Surveyed now);

}  // namespace steelyard::survey
