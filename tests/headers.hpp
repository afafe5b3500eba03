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
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What nearly every test uses of these is compiled once, in headers_once.cpp: without optimisation each member that is used is a
// function of its own in every object.
extern template class std::basic_string<char>;
extern template class std::basic_string_view<char>;
extern template class std::vector<int>;
extern template class std::vector<long>;
extern template class std::vector<double>;
extern template class std::vector<std::string>;
extern template class std::vector<std::vector<int>>;
extern template class std::map<std::string, std::string>;
extern template class std::unique_ptr<std::string>;
extern template class std::unique_ptr<std::stringstream>;
extern template class testing::internal::MatcherBase<const int&>;
extern template class testing::internal::MatcherBase<const std::string&>;
extern template class testing::internal::MatcherBase<const std::vector<int>&>;
extern template class testing::internal::MatcherBase<const std::vector<std::string>&>;
extern template class testing::internal::ElementsAreMatcherImpl<const std::vector<int>&>;
extern template class testing::internal::ElementsAreMatcherImpl<const std::vector<std::string>&>;
extern template struct testing::internal::SuiteApiResolver<testing::Test>;
