// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/json.hpp"
#include "record/records.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/nodes.hpp"

/// Rows of the tables of a run.
namespace steelyard::screen {

/// Function that takes rows of a table as soon as they are known. On rank 0.
using TellRows = std::function<void(const record::TableRecord&)>;

/// Part of a table that grows row by row.
class Columns {
 public:
  explicit Columns(std::initializer_list<const char*> names) {
    for (const char* name : names) columns_[name] = record::Json::array();
  }
  Columns& put(const char* name, record::Json value) {
    columns_[name].push_back(std::move(value));
    return *this;
  }
  [[nodiscard]] record::TableRecord table(std::string_view name) const {
    return {std::string(name), std::string(suite_name), {}, 1, 1, columns_};
  }

 private:
  record::Json columns_ = record::Json::object();
};

[[nodiscard]] Columns node_columns();
void put_node(Columns& table, const TestSpec& spec, std::size_t node, std::size_t visit,
              const NodeSample& sample);

[[nodiscard]] Columns pair_columns();
/// `leader_of`: first rank of every node.
void put_pair(Columns& table, const PairSample& sample, const std::vector<int>& leader_of);

}  // namespace steelyard::screen
