// SPDX-License-Identifier: Apache-2.0
// The address map of an interconnect: which region, if any, an address lies in.  Knows nothing
// of time or transactions.
#pragma once

#include <cstdint>
#include <vector>

#include "models/axi/interconnect.h"

namespace gvp::axi {

class AddressMap {
 public:
  static constexpr int kNone = -1;

  // Throws Error (bad input) for regions that are empty, wrap, overlap or lead to no target.
  explicit AddressMap(const InterconnectConfiguration& configuration);

  // Index of the region that holds the whole range, or kNone.  `hint` is the region found last
  // by this initiator; most accesses hit it again.
  int find(uint64_t address, uint64_t count, int& hint) const {
    if (hint != kNone && inside(regions_[static_cast<size_t>(hint)], address, count)) return hint;
    return search(address, count, hint);
  }

  const std::vector<Region>& regions() const { return regions_; }  // by base address
  const Region& region(int index) const { return regions_[static_cast<size_t>(index)]; }

 private:
  static bool inside(const Region& region, uint64_t address, uint64_t count) {
    const uint64_t offset = address - region.base;
    return offset < region.size && count <= region.size - offset;
  }
  int search(uint64_t address, uint64_t count, int& hint) const;

  std::vector<Region> regions_;
};

}  // namespace gvp::axi
