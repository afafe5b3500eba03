// SPDX-License-Identifier: Apache-2.0
#include "measuring/blas_options.hpp"

#include <string>

#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

hpcc::BlasWish parse_blas(std::string_view word) {
  using enum hpcc::BlasWish::Kind;
  if (word == "fastest" || word == "as-linked") return {word == "fastest" ? fastest : as_linked};
  const auto colon = word.rfind(':');
  const bool kernel = colon != word.npos && word.find('/', colon) == word.npos;
  hpcc::BlasWish wish{named, std::string(word.substr(0, kernel ? colon : word.npos)),
                      std::string(kernel ? word.substr(colon + 1) : std::string_view())};
  if (wish.file.empty() || (kernel && wish.kernel.empty()))
    throw units::ParseError("'" + std::string(word) +
                            "' names no library (fastest, as-linked, or FILE[:KERNEL])");
  return wish;
}

hpcc::BlasWish blas_wish(const Values& values, hpcc::BlasWish::Kind otherwise) {
  const bool trial = values.on("blas-trial");
  const auto word = values.word("blas");
  if (trial && word && *word != "fastest")
    throw UsageError("--blas-trial is --blas fastest, not --blas " + *word);
  if (word) return parse_blas(*word);
  if (trial) return {hpcc::BlasWish::Kind::fastest};
  return {values.on("base") ? hpcc::BlasWish::Kind::as_linked : otherwise};
}

void check_blas(std::string_view word) {
  static_cast<void>(parse_blas(word));
}

}  // namespace steelyard::cli
