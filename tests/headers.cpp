// SPDX-License-Identifier: Apache-2.0
// The source that the compiled headers of all tests belong to.
#include "headers.hpp"
