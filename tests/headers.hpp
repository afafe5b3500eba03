// SPDX-License-Identifier: Apache-2.0
#pragma once

// What most tests read. A test still names what it uses: builds without STEELYARD_PRECOMPILE read nothing of
// this.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
