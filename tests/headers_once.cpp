// SPDX-License-Identifier: Apache-2.0
#include "headers.hpp"

template class std::basic_string<char>;
template class std::basic_string_view<char>;
template class std::vector<int>;
template class std::vector<long>;
template class std::vector<double>;
template class std::vector<std::string>;
template class std::vector<std::vector<int>>;
template class std::map<std::string, std::string>;
template class std::unique_ptr<std::string>;
template class std::unique_ptr<std::stringstream>;
template class testing::internal::MatcherBase<const int&>;
template class testing::internal::MatcherBase<const std::string&>;
template class testing::internal::MatcherBase<const std::vector<int>&>;
template class testing::internal::MatcherBase<const std::vector<std::string>&>;
template class testing::internal::ElementsAreMatcherImpl<const std::vector<int>&>;
template class testing::internal::ElementsAreMatcherImpl<const std::vector<std::string>&>;
template struct testing::internal::SuiteApiResolver<testing::Test>;
