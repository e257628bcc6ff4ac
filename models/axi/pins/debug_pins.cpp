// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/debug_pins.h"

namespace gvp::axi::pins {

unsigned DebugPins::access(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() || !address_.exists() || !data_.exists()) return 0;
  const unsigned width = data_.bytes();
  unsigned moved = 0;
  for (; moved < payload.get_data_length(); ++moved) {
    const uint64_t address = base_ + payload.get_address() + moved;
    address_.set(address - address % width);
    block_.settle();
    data_.get_bytes(payload.get_data_ptr() + moved, static_cast<unsigned>(address % width), 1);
  }
  payload.set_response_status(moved > 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  return moved;
}

}  // namespace gvp::axi::pins
