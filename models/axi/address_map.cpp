// SPDX-License-Identifier: Apache-2.0
#include "models/axi/address_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::axi {
namespace {

std::string describe(const Region& region) {
  return fmt::format("\"{}\" ({:#x}..{:#x})", region.name, region.base,
                     region.base + region.size - 1);
}

}  // namespace

AddressMap::AddressMap(const InterconnectConfiguration& configuration)
    : regions_(configuration.regions) {
  std::sort(regions_.begin(), regions_.end(),
            [](const Region& a, const Region& b) { return a.base < b.base; });
  const Region* previous = nullptr;
  for (const Region& region : regions_) {
    if (region.size == 0)
      throw bad_input(fmt::format("region \"{}\" is empty", region.name), {},
                      "give it a size above 0");
    if (region.base + (region.size - 1) < region.base)
      throw bad_input(
          fmt::format("region \"{}\" goes beyond the end of the address space", region.name));
    if (region.target >= configuration.targets.size())
      throw bad_input(fmt::format("region {} leads to target {}, but there are {}",
                                  describe(region), region.target, configuration.targets.size()));
    if (previous != nullptr && previous->base + (previous->size - 1) >= region.base)
      throw bad_input(
          fmt::format("regions {} and {} overlap", describe(*previous), describe(region)), {},
          "move or shrink one of them");
    previous = &region;
  }
}

int AddressMap::search(uint64_t address, uint64_t count, int& hint) const {
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](uint64_t a, const Region& r) { return a < r.base; });
  if (after == regions_.begin()) return kNone;
  const auto found = after - 1;
  if (!inside(*found, address, count)) return kNone;
  hint = static_cast<int>(found - regions_.begin());
  return hint;
}

}  // namespace gvp::axi
