// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <ctime>
#include <random>

#include "record/file.hpp"

namespace steelyard::record {
namespace {

std::string utc(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &fields)};
}

}  // namespace

std::string utc_now() {
  return utc("%Y-%m-%dT%H:%M:%SZ");
}

std::string make_run_id() {
  std::array<char, 16> random{};
  const int length = std::snprintf(random.data(), random.size(), "-%08x", std::random_device{}());
  return utc("%Y%m%dT%H%M%SZ") + std::string(random.data(), static_cast<std::size_t>(length));
}

}  // namespace steelyard::record
