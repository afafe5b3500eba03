// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/balance/references.hpp"
#include "analysis/tables.hpp"

/// The reference systems as a list to read.
namespace steelyard::balance {

[[nodiscard]] std::vector<std::string> system_ids(const record::Document& data);

struct CatalogueChoice {
  std::string kind = "all";  // of records: hpcc, b_eff, b_eff_io, ftio
  std::string text;          // in any case, in name, processor, interconnect, site
};

/// One line per system (table "systems").
[[nodiscard]] analysis::Section systems_table(const record::Document& data, const CatalogueChoice& choice);

/// One line per record and value, as printed (table "records"); of some systems, or of all
/// where `ids` is empty.
[[nodiscard]] analysis::Section records_table(const record::Document& data, const CatalogueChoice& choice,
                                              const std::vector<std::string>& ids);

/// Values that the documents quote in running text, also those that belong to no system (table "quotes").
[[nodiscard]] analysis::Section quotes_table(const record::Document& data, const CatalogueChoice& choice);

/// Balance that a document reads off a curve without a table of it.
struct QuotedBalance {
  std::string system;
  double at_tflop_s = 0, byte_kflop = 0;
};
[[nodiscard]] std::vector<QuotedBalance> quoted_balances(const record::Document& data);

/// Section with all that is known about one system in words: what the source states, notes,
/// quotes, disagreements, documents.
[[nodiscard]] analysis::Section system_details(const record::Document& data, const std::string& id);

}  // namespace steelyard::balance
