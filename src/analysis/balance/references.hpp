// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/ratios.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/tables.hpp"
#include "record/json.hpp"

/// Values of one platform over its computing power. Source: HPCC balance paper, 4 and 6.
/// The reference systems as a list to read.
namespace steelyard::balance {

struct CurvePoint {
  double x = 0;  // HPL of the whole system
  double y = 0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Points sorted by x; of points with equal x (within 1e-9) the one with the larger y.
[[nodiscard]] std::vector<CurvePoint> tidy(std::vector<CurvePoint> points);

enum class Method { linear, loglog };
enum class Reach { interpolated, extrapolated, at_point, out_of_range };
[[nodiscard]] std::string_view text(Reach reach);

struct Interpolated {
  std::optional<double> value;
  Reach reach = Reach::out_of_range;
};
/// Value of a curve at x: between two points by `method`; up to a factor 2 beyond an end by the power law
/// through the two points nearest to it; at the only point of a curve within 5 %.
[[nodiscard]] Interpolated interpolate(std::vector<CurvePoint> points, double x, Method method);

/// Slope of ln y over ln x by least squares; nullopt for fewer than two different x.
[[nodiscard]] std::optional<double> scaling_exponent(std::vector<CurvePoint> points);

// Published machines, and where a value stands among them.

/// The text of data/systems.json as it was when the program was built.
[[nodiscard]] std::string_view systems_data();

/// Campaign of all systems of such a text: they are never told apart by their files.
inline constexpr std::string_view published_campaign = "published";

/// Reads systems.json. Throws std::invalid_argument for another format or a higher version.
[[nodiscard]] record::Document read_systems(std::string_view text);

/// Records of one kind (hpcc, b_eff, b_eff_io, ftio) as systems; repeats of an earlier record are left out.
[[nodiscard]] std::vector<System> reference_systems(const record::Document& data, std::string_view kind);

/// Results of FTIO on published machines. Source: FTIO paper, Tables 1 and 2.
struct PublishedFtio {
  std::string system;
  int processes = 0;
  FtioShare share;
};
[[nodiscard]] std::vector<PublishedFtio> published_ftio();

/// A ratio of a system with its flags.
struct FlaggedRatio {
  RatioValue value;
  std::vector<Flag> flags;
  [[nodiscard]] bool counts() const { return value.value && !left_out(flags); }
};
[[nodiscard]] FlaggedRatio flagged_ratio(const Ratio& ratio, const System& system);

/// Systems of one platform and layout, by label in order of first appearance.
struct Curve {
  std::string label;
  std::vector<const System*> systems;
};
[[nodiscard]] std::vector<Curve> curves(std::span<const System> systems);

/// Points (HPL, ratio) of the systems whose value counts; published extrapolations do not.
[[nodiscard]] std::vector<CurvePoint> ratio_points(const Curve& curve, const Ratio& ratio);

struct Standing {
  int reference_n = 0;
  std::optional<double> median, factor;  // factor: how many times as good as the median
  std::optional<int> rank;               // of reference_n + 1
};
/// Standing of a value among references. Every curve contributes its value at the own computing power, or at
/// its nearest end; if that power is not known, the value of the nearest number of processes. From three
/// curves on there is a median.
[[nodiscard]] Standing standing(const Ratio& ratio, const System& own, const FlaggedRatio& value,
                                std::span<const Curve> references, Method method);

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
