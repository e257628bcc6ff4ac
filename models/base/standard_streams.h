// SPDX-License-Identifier: Apache-2.0
// The standard streams of a program that must go on whatever becomes of them: a closed or full
// standard error or a reader that leaves never changes what a simulation does.  POSIX.
#pragma once

#include <string_view>

namespace gvp {

// To be called first: gives descriptors 0, 1 and 2, where the caller left them closed, to the null
// device, so that no file that is opened later gets what is meant for a stream.  Writing to a
// standard output that was closed still fails.
void occupy_standard_descriptors();

// A write to a pipe whose reader has left becomes an error of that write, not this process's end.
void survive_broken_pipes();

// Writes to standard error.  What cannot be written is lost: there is nobody to tell.
void write_standard_error(std::string_view text);

}  // namespace gvp
