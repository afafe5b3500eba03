// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

/// Reading and writing of descriptors to their end. One that does not block (O_NONBLOCK), as another program may have
/// left the user's terminal or pipe, is waited for like any other. `abandoned`: a descriptor that ends the waiting when
/// its writer closes it; -1 for none.
namespace steelyard::cli {

/// Writes all of a text. Returns 0 or the error number: EPIPE if the reader has gone or the text is abandoned. A pipe
/// that blocks can only be abandoned if at most PIPE_BUF bytes are written at once: so many it takes when it has room.
[[nodiscard]] int write_all(int descriptor, std::string_view text, int abandoned = -1);

/// Hands over everything that comes, in pieces of at most PIPE_BUF bytes, until all writers have closed it or it fails.
void read_all(int descriptor, const std::function<void(std::string_view)>& take, int abandoned = -1);

}  // namespace steelyard::cli
