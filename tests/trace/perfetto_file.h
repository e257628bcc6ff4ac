// SPDX-License-Identifier: Apache-2.0
// Reads a .pftrace with protobuf's own parser, and follows its tracks, interned names and slices as
// a viewer does.  Packets behind the last whole one are left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gvp::test {

struct Slice {
  std::string track;  // "group/name"
  std::string name, category;
  uint64_t begin = 0, end = 0;  // ns
  std::vector<uint64_t> flows;
  std::map<std::string, std::string> annotations;  // numbers as decimal text
};

struct PerfettoFile {
  // keep: slices, counters and instants; else totals alone, which take no memory.
  explicit PerfettoFile(const std::string& path, bool keep = true);

  struct Totals {
    uint64_t transactions = 0, bytes = 0, errors = 0;
  };
  std::map<std::string, Totals> totals;  // "host_data read"
  std::vector<Slice> slices;             // in the order of their ends
  std::vector<Slice> instants;           // end: 0
  std::map<std::string, std::vector<std::pair<uint64_t, int64_t>>> counters;  // ns, value
  std::vector<std::string> overlaps;  // what breaks the nesting of slices, in words
};

}  // namespace gvp::test
