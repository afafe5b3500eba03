// SPDX-License-Identifier: Apache-2.0
#include "process/errors.hpp"
#include "screening/local.hpp"

namespace steelyard::cli {

screening::Measured measured_here(const Values&, const References&) {
  throw UsageError("--local: this program was built as one file, without what it would measure with");
}

}  // namespace steelyard::cli
