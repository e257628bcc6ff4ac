// SPDX-License-Identifier: Apache-2.0
// Small helpers on tlm_generic_payload (IEEE 1666-2011, clause 14) that every target needs:
// moving the data under byte enables and streaming width, and texts for messages.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <tlm>

namespace gvp::kit {

// Bytes of address space that the transaction touches: the streaming width where that is
// shorter than the data.
inline uint64_t touched_bytes(const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  const unsigned width = payload.get_streaming_width();
  return width == 0 || width > length ? length : width;
}

// Moves the data between the payload and storage, where storage[0] is the byte at the payload's
// address.  Honours byte enables (14.14) and streaming width (14.12); the caller has checked that
// touched_bytes() of storage exist.  Does not set the response.
void transfer_any(tlm::tlm_generic_payload& payload, uint8_t* storage);
inline void transfer(tlm::tlm_generic_payload& payload, uint8_t* storage) {
  // most are whole words: no call, and a length that the compiler knows
  if (payload.get_data_length() != 4 || payload.get_streaming_width() != 4 ||
      payload.get_byte_enable_ptr() != nullptr)
    return transfer_any(payload, storage);
  uint8_t* data = payload.get_data_ptr();
  if (payload.is_write())
    std::memcpy(storage, data, 4);
  else
    std::memcpy(data, storage, 4);
}

// What 14.8..14.14 demand of any transaction: data and a length for reads and writes, a streaming
// width and byte enables that are not empty.  Sets the response and returns false if violated.
bool check_any_attributes(tlm::tlm_generic_payload& payload);
inline bool check_attributes(tlm::tlm_generic_payload& payload) {
  // nothing to say against the usual transaction: no call
  return (payload.get_data_length() != 0 && payload.get_data_ptr() != nullptr &&
          payload.get_streaming_width() != 0 && payload.get_byte_enable_ptr() == nullptr) ||
         check_any_attributes(payload);
}

// "read of 4 bytes at 0x44a00010"
std::string describe(const tlm::tlm_generic_payload& payload);

// The current simulated time for messages: "12.5 us"
std::string time_text(const sc_core::sc_time& time);

}  // namespace gvp::kit
