// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/history/history.hpp"
#include "analysis/history/series.hpp"

namespace steelyard::history {

/// Looks for changes in all series, gives each its verdict and the causes. Throws UnknownSince.
void judge(History& history, const SeriesMaker& made, const Keys& keys);

}  // namespace steelyard::history
