// SPDX-License-Identifier: Apache-2.0
// Byte enables of a payload (IEEE 1666-2011, 14.14), for those who move its data byte by byte.
#pragma once

#include <tlm>

namespace gvp::axi::pins {

inline bool enabled(const tlm::tlm_generic_payload& payload, unsigned byte) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

}  // namespace gvp::axi::pins
