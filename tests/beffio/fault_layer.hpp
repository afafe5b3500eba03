// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// What the layer between this program and the MPI library does wrong.
namespace steelyard::beffio::test {

enum class Fault {
  none,
  flipped_byte,       // of a file on disk, before it is opened for reading
  wrong_order,        // ordered writing puts the data of this process's neighbour in its place
  lost_rewrite,       // writes of a file that exists are left out
  no_space,           // independent writes fail
  filled_disk,        // somebody else takes all space right before an independent write
  unopenable,         // of a type's file
  no_shared_pointer,  // ordered calls fail
  slow_view,          // not a fault: setting a view takes 10 ms
  counted_views       // not a fault: the hints in force are the number of views that the file has had
};
struct PlannedFault {
  Fault fault = Fault::none;
  std::string file;  // end of the name of the file that it hits; empty = all
};
std::vector<PlannedFault>& planned_faults();

}  // namespace steelyard::beffio::test
