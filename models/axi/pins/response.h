// SPDX-License-Identifier: Apache-2.0
// What a response at the pins (xRESP, IHI 0022 A3.4.4) is for the TLM-2.0 side.
#pragma once

#include <tlm>

#include "models/axi/extension.h"

namespace gvp::axi::pins {

// Sets the status, and the response of its axi::Extension where it has one.
inline void respond(tlm::tlm_generic_payload& payload, Response response) {
  auto status = tlm::TLM_OK_RESPONSE;
  if (response == Response::kSlaveError) status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (response == Response::kDecodeError) status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  payload.set_response_status(status);
  if (auto* axi = payload.get_extension<Extension>()) axi->response = response;
}

}  // namespace gvp::axi::pins
