// SPDX-License-Identifier: Apache-2.0
// Where in the SDRAM a byte address lies.  The two mappings are named from the most significant
// bits down: row-bank-column walks through all banks before it opens a new row anywhere, bank-
// row-column stays in one bank.
#pragma once

#include <cstdint>
#include <string>

#include "models/ddr3/device.h"

namespace gvp::ddr3 {

struct Location {
  unsigned bank = 0;
  uint32_t row = 0;
};

class AddressMapping {
 public:
  // Throws Error (bad input) for an unknown name.
  AddressMapping(const Device& device, const std::string& name);

  Location locate(uint64_t address) const {
    return {static_cast<unsigned>(address >> bank_shift_) & bank_mask_,
            static_cast<uint32_t>(address >> row_shift_) & row_mask_};
  }
  // The other way, of a byte of that row.
  uint64_t address(const Location& location, uint64_t byte) const {
    return uint64_t{location.bank} << bank_shift_ | uint64_t{location.row} << row_shift_ | byte;
  }

 private:
  unsigned bank_shift_, row_shift_;
  unsigned bank_mask_;
  uint32_t row_mask_;
};

}  // namespace gvp::ddr3
