// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>

#include "formats/writer.hpp"

namespace steelyard::formats {

/// The report of FTIO: head, a table of phases and three lines per run, means over several runs at the end.
/// Points of other suites are passed over. ASCII. Source of what is printed: docs/suites/ftio.md, "Report".
[[nodiscard]] std::unique_ptr<Writer> ftio_text(std::ostream& out);

}  // namespace steelyard::formats
