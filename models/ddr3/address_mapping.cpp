// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/address_mapping.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::ddr3 {

AddressMapping::AddressMapping(const Device& device, const std::string& name)
    : bank_mask_(device.banks - 1), row_mask_(device.rows - 1) {
  const auto bits = [](unsigned power_of_two) {
    return static_cast<unsigned>(__builtin_ctz(power_of_two));
  };
  const unsigned column_bits = bits(device.columns * device.data_bits / 8);  // byte in the row
  if (name == "row-bank-column") {
    bank_shift_ = column_bits;
    row_shift_ = column_bits + bits(device.banks);
  } else if (name == "bank-row-column") {
    row_shift_ = column_bits;
    bank_shift_ = column_bits + bits(device.rows);
  } else {
    throw bad_input(fmt::format("unknown DDR3 address mapping \"{}\"", name), {},
                    "known are row-bank-column, bank-row-column");
  }
}

}  // namespace gvp::ddr3
