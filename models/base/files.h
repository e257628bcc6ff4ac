// SPDX-License-Identifier: Apache-2.0
// Files that users name on command lines: read whole, within a limit, and never written over an
// input or over each other.  POSIX; no SystemC.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gvp {

// What a kind of input file can be at most.  Without a limit, /dev/zero would be read for ever.
struct FileKind {
  const char* name;          // for messages: "a platform file"
  size_t most_bytes;         // larger ones are refused
  std::string_view magic{};  // what all begin with; "": anything.  Others are read no further
  const char* remedy = "";   // where there may be more
};

// The whole of a file, a device or a pipe; "-" is standard input.  A file that does not begin with
// the kind's magic is returned as far as it has been read.  Throws Error (bad input) naming the
// path for what cannot be read, for a directory and for more than the kind's limit.
std::string read_whole_file(const std::string& path, const FileKind& kind);

// A file that a program reads or writes, and what for: {"--stats", "out.json"}.  "-" is a standard
// stream.
struct FileUse {
  std::string role;
  std::string path;
};

// Throws Error (bad input) naming roles and paths for an output without a name, an output that is
// also an input, and two outputs to one file: by what the paths lead to, links included.  Devices
// such as /dev/null may be used several times.
void check_file_uses(const std::vector<FileUse>& inputs, const std::vector<FileUse>& outputs);

}  // namespace gvp
