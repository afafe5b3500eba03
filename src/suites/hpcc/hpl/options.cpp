// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/options.hpp"

namespace steelyard::hpcc::hpl {
namespace {

/// Variant with the single values of the options; the caller fills in those of the lists.
Variant with_single_values(const Options& options) {
  Variant variant;
  variant.mapping = options.mapping;
  variant.swap = options.swap;
  variant.swap_threshold = options.swap_threshold;
  variant.l1 = options.l1;
  variant.u = options.u;
  variant.equilibration = options.equilibration;
  variant.alignment = options.alignment;
  return variant;
}

/// Every variant of `all` with every value of a list: the list of the last call varies fastest.
template <class Value, class Member>
std::vector<Variant> times(const std::vector<Variant>& all, const std::vector<Value>& list, Member member) {
  std::vector<Variant> product;
  product.reserve(all.size() * list.size());
  for (const auto& variant : all)
    for (const auto& value : list) {
      product.push_back(variant);
      product.back().*member = value;
    }
  return product;
}

}  // namespace

std::vector<Variant> variants(const Problem& problem, const Options& options) {
  std::vector<Variant> all{with_single_values(options)};
  all = times(all, problem.grids, &Variant::grid);
  all = times(all, problem.orders, &Variant::n);
  all = times(all, problem.blocks, &Variant::nb);
  all = times(all, options.depth, &Variant::depth);
  all = times(all, options.broadcast, &Variant::broadcast);
  all = times(all, options.recursive, &Variant::recursive);
  all = times(all, options.panel, &Variant::panel);
  all = times(all, options.stop, &Variant::stop);
  return times(all, options.parts, &Variant::parts);
}

char letter(Factorisation factorisation) {
  return "LCR"[static_cast<int>(factorisation)];
}

char letter(Mapping mapping) {
  return "RC"[static_cast<int>(mapping)];
}

char topology(const Variant& variant) {
  const bool library = variant.broadcast == Broadcast::automatic || variant.swap == Swap::automatic;
  return library ? '9' : "012345"[static_cast<int>(variant.broadcast)];
}

std::string tv_code(const Variant& variant) {
  std::string code = "W";
  code += letter(variant.mapping);
  code += std::to_string(variant.depth) + topology(variant);
  code += letter(variant.recursive) + std::to_string(variant.parts);
  code += letter(variant.panel) + std::to_string(variant.stop);
  return code;
}

double operations(std::int64_t n) {
  const auto order = static_cast<double>(n);
  return order * order * (2 * order / 3 + 1.5);
}

double done_share(std::int64_t n, std::int64_t columns) {
  if (n <= 0) return 1;
  const double left = 1 - static_cast<double>(columns) / static_cast<double>(n);
  return 1 - left * left * left;
}

}  // namespace steelyard::hpcc::hpl
