// SPDX-License-Identifier: Apache-2.0
// The AXI attributes of a transaction as an ignorable TLM-2.0 extension (AMBA AXI and ACE
// specification, IHI 0022, chapter A3..A8).  A transaction without it is an incrementing burst
// of ID 0 with the default attributes.  Addresses and sizes are bytes.
#pragma once

#include <cstdint>
#include <tlm>

namespace gvp::axi {

enum class Burst : uint8_t { kFixed = 0, kIncrementing = 1, kWrapping = 2 };
enum class Response : uint8_t { kOkay = 0, kExclusiveOkay = 1, kSlaveError = 2, kDecodeError = 3 };

struct Extension : tlm::tlm_extension<Extension> {
  uint32_t id = 0;
  Burst burst = Burst::kIncrementing;
  uint8_t beat_bytes_log2 = 2;  // AxSIZE
  uint16_t beats = 1;           // AxLEN + 1, 1..256
  uint8_t cache = 0;            // AxCACHE
  uint8_t protection = 0;       // AxPROT: bit 0 privileged, bit 1 non-secure, bit 2 instruction
  uint8_t qos = 0;              // AxQOS, 15 is most urgent
  bool exclusive = false;       // AxLOCK
  Response response = Response::kOkay;

  tlm_extension_base* clone() const override { return new Extension(*this); }
  void copy_from(const tlm_extension_base& other) override {
    *this = static_cast<const Extension&>(other);
  }
};

// The AXI response that a TLM response status stands for: an address error is DECERR, every
// other error SLVERR.
inline Response to_response(tlm::tlm_response_status status) {
  if (status == tlm::TLM_OK_RESPONSE) return Response::kOkay;
  return status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? Response::kDecodeError : Response::kSlaveError;
}

}  // namespace gvp::axi
